"""The two last steps of every write: one log entry, then the revisions of the parts that changed."""

from typing import Any
from uuid import UUID

from django.db.models import F
from django.utils import timezone

from tournaments.actors import Actor
from tournaments.models import LogEntry, Match, Revision


def log_add(
    action: str,
    *,
    actor: Actor,
    tournament_id: UUID,
    match: Match | None = None,
    entry_id: UUID | None = None,
    **facts: Any,
) -> LogEntry:
    """Store who did what. Call inside the transaction of the act."""
    return LogEntry.objects.create(
        tournament_id=tournament_id,
        action=action,
        actor_kind=actor.kind,
        actor_user_id=actor.user.pk if actor.user is not None else None,
        actor_link=actor.link_id,
        actor_label=actor.label,
        match=match,
        entry_id=entry_id,
        facts=facts,
    )


def revisions_bump(tournament_id: UUID, *parts: str) -> None:
    """Count up the parts' revisions. Always the last statement of a transaction: these rows are shared."""
    now = timezone.now()
    wanted = sorted(set(parts))
    changed = 0
    for part in wanted:
        changed += Revision.objects.filter(tournament_id=tournament_id, part=part).update(
            number=F("number") + 1, changed_at=now
        )
    if changed < len(wanted):
        _revisions_create(tournament_id, wanted, now)


def _revisions_create(tournament_id: UUID, parts: list[str], now: Any) -> None:
    known = set(
        Revision.objects.filter(tournament_id=tournament_id, part__in=parts).values_list("part", flat=True)
    )
    missing = [part for part in parts if part not in known]
    # Not from 1: after a restore a part that is made again must not repeat a number that browsers know.
    first = int(now.timestamp())
    Revision.objects.bulk_create(
        [Revision(tournament_id=tournament_id, part=part, number=first, changed_at=now) for part in missing],
        ignore_conflicts=True,
    )


def match_part(match: Match) -> str:
    """The name of the part that shows one match."""
    return f"match:{match.code}"
