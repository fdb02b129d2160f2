"""A team's four digits, typed on the phone of the other side: checked with few tries, then they confirm."""

from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from tables.enums import LinkKind
from tables.models import AccessLink
from tables.tokens import CODE_DIGITS, is_code_of
from tournaments.actors import Actor
from tournaments.enums import Side
from tournaments.errors import AgainstRules, Conflict, NotThere, NotYours, Refusal, TooMany, Unreadable
from tournaments.models import Match, Result, Slot
from tournaments.permissions import require_score
from tournaments.services.log import log_add
from tournaments.services.result import result_confirm

MOST_TRIES = 5
LOCKED_FOR = timedelta(minutes=10)


def result_confirm_with_code(*, match_id: UUID, version: int, side: str, code: str, actor: Actor) -> Result:
    """Settle an entered result with the code of `side`, typed by whoever may score the match.

    Two transactions: a wrong code stays counted whatever becomes of the result. Raises as `code_check`
    and `result_confirm`.
    """
    proven = code_check(match_id=match_id, side=side, code=code, actor=actor)
    return result_confirm(match_id=match_id, version=version, actor=actor, proven_side=proven)


def code_check(*, match_id: UUID, side: str, code: str, actor: Actor) -> Side:
    """The side, when `code` is the code of the team that plays on it.

    Five wrong codes in a row lock the team's code for ten minutes, for the right one too; each wrong one
    is logged. Needs the right to score the match. Raises NotYours `code_wrong` with the tries left, and
    TooMany `code_locked` with the time until which it is locked.
    """
    match = Match.objects.select_related("tournament").filter(pk=match_id).first()
    if match is None:
        raise NotThere("not_found", "There is no such match.")
    require_score(actor, match)
    if side not in Side.values:
        raise AgainstRules("bad_side", "A side is NS or EW.", field="side")
    if not (isinstance(code, str) and code.isascii() and code.isdigit() and len(code) == CODE_DIGITS):
        raise Unreadable("bad_code", f"A code has {CODE_DIGITS} digits.", field="code")
    slot = Slot.objects.filter(match=match, side=side).first()
    if slot is None or slot.entry_id is None:
        raise Conflict("teams_unknown", f"{match.code} is still waiting for its teams.", match=match.code)
    with transaction.atomic(durable=True):
        refusal = _try(match, slot.entry_id, Side(side), code, actor)
    if refusal is not None:
        raise refusal
    return Side(side)


def _try(match: Match, entry_id: UUID, side: Side, code: str, actor: Actor) -> Refusal | None:
    """Count one try under the link's lock. The refusal is returned, since raising it would undo the count."""
    link = (
        AccessLink.objects.select_for_update(no_key=True)
        .filter(kind=LinkKind.TEAM, entry=entry_id, revoked_at__isnull=True)
        .first()
    )
    if link is None:
        return Conflict("no_code", "This team has no code. The desk issues one.", side=side)
    now = timezone.now()
    if link.locked_until is not None and now < link.locked_until:
        return _locked(link, side)
    tries = 0 if link.locked_until is not None else link.failed_tries
    right = is_code_of(link.pk, code)
    link.failed_tries = 0 if right else tries + 1
    link.locked_until = now + LOCKED_FOR if link.failed_tries >= MOST_TRIES else None
    link.save(update_fields=["failed_tries", "locked_until"])
    if right:
        return None
    left = MOST_TRIES - link.failed_tries
    log_add(
        "code.wrong",
        actor=actor,
        tournament_id=match.tournament_id,
        match=match,
        entry_id=entry_id,
        side=side,
        tries_left=left,
    )
    if left == 0:
        return _locked(link, side)
    return NotYours(
        "code_wrong", f"This is not the team's code. Tries left: {left}.", side=side, tries_left=left
    )


def _locked(link: AccessLink, side: Side) -> TooMany:
    minutes = int(LOCKED_FOR.total_seconds() // 60)
    return TooMany(
        "code_locked",
        f"Too many wrong codes. Wait {minutes} minutes, or confirm by the team's own link or at the desk.",
        side=side,
        tries_left=0,
        locked_until=link.locked_until,
    )
