"""Messages to everybody: said by the director or the desk, shown on every page and screen until they end."""

from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from tournaments.actors import Actor
from tournaments.enums import Role
from tournaments.errors import AgainstRules, NotThere
from tournaments.models import Announcement
from tournaments.permissions import require_role
from tournaments.selectors.announcements import showing
from tournaments.services.locks import tournament_lock
from tournaments.services.log import log_add, revisions_bump

PARTS_OF_A_MESSAGE = ("home", "tables", "messages")
MOST_MINUTES = 24 * 60


def announcement_make(
    *, tournament_id: UUID, text: str, actor: Actor, minutes: int | None = None
) -> Announcement:
    """Show `text` everywhere, for so many minutes or until it is ended. Needs the desk's role.

    The same text while it is still showing returns that message: a second press says nothing twice.
    """
    text = " ".join(text.split())
    if not text or len(text) > 280 or "\x00" in text:
        raise AgainstRules("bad_text", "A message has 1 to 280 characters.", field="text")
    if minutes is not None and not 1 <= minutes <= MOST_MINUTES:
        raise AgainstRules(
            "bad_minutes", f"A message shows for 1 to {MOST_MINUTES} minutes.", field="minutes"
        )
    with transaction.atomic(durable=True):
        tournament = tournament_lock(tournament_id)
        require_role(actor, tournament, Role.DESK)
        now = timezone.now()
        same = showing(tournament.pk, now).filter(text=text).first()
        if same is not None:
            return same
        made = Announcement.objects.create(
            tournament=tournament,
            text=text,
            made_at=now,
            made_label=actor.label,
            until=None if minutes is None else now + timedelta(minutes=minutes),
        )
        log_add("message.shown", actor=actor, tournament_id=tournament.pk, text=text, minutes=minutes)
        revisions_bump(tournament.pk, *PARTS_OF_A_MESSAGE)
        return made


def announcement_end(*, announcement_id: UUID, actor: Actor) -> Announcement:
    """Show the message no longer. Ending it again changes nothing. Needs the desk's role."""
    with transaction.atomic(durable=True):
        made = (
            Announcement.objects.select_for_update(no_key=True, of=("self",))
            .select_related("tournament")
            .filter(pk=announcement_id)
            .first()
        )
        if made is None:
            raise NotThere("not_found", "There is no such message.")
        require_role(actor, made.tournament, Role.DESK)
        if made.ended_at is None:
            made.ended_at = timezone.now()
            made.save(update_fields=["ended_at"])
            log_add("message.ended", actor=actor, tournament_id=made.tournament_id, text=made.text)
            revisions_bump(made.tournament_id, *PARTS_OF_A_MESSAGE)
        return made


def announcements_expire() -> int:
    """End the messages whose time is up, so that pages drop them; how many. One query when there is none."""
    over = Announcement.objects.filter(ended_at__isnull=True, until__lte=timezone.now())
    count = 0
    for made in over.order_by("pk"):
        with transaction.atomic(durable=True):
            if Announcement.objects.filter(pk=made.pk, ended_at__isnull=True).update(ended_at=made.until):
                count += 1
                revisions_bump(made.tournament_id, *PARTS_OF_A_MESSAGE)
    return count
