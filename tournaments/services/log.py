"""The two last steps of every write: one log entry, then the revisions of the parts that changed."""

from typing import Any
from uuid import UUID

from django.db import connection
from django.utils import timezone

from tournaments.actors import Actor
from tournaments.models import LogEntry, Match, Revision

ROWS_AT_ONCE = 200  # SQLite takes 999 values in one statement
_BUMP = """
INSERT INTO tournaments_revision (tournament_id, part, number, changed_at) VALUES {}
ON CONFLICT (tournament_id, part) DO UPDATE
SET number = tournaments_revision.number + 1, changed_at = excluded.changed_at
""".strip()


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
    """Count up the parts' revisions. Always the last statement of a transaction: these rows are shared.

    One statement, in which the rows are locked in the order of their names: writers that wait for each other
    never do so in a circle.
    """
    now = timezone.now()
    # Not from 1: after a restore a part that is made again must not repeat a number that browsers know.
    first = int(now.timestamp())
    fields = [field for field in Revision._meta.concrete_fields if not field.primary_key]
    rows = [(tournament_id, part, first, now) for part in sorted(set(parts))]
    for start in range(0, len(rows), ROWS_AT_ONCE):
        batch = rows[start : start + ROWS_AT_ONCE]
        values = [
            field.get_db_prep_save(value, connection)
            for row in batch
            for field, value in zip(fields, row, strict=True)
        ]
        with connection.cursor() as cursor:
            cursor.execute(_BUMP.format(", ".join(["(%s, %s, %s, %s)"] * len(batch))), values)


def match_part(match: Match) -> str:
    """The name of the part that shows one match."""
    return f"match:{match.code}"
