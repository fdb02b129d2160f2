"""News from below: a match became ready or closed, so a table may have to be found or freed."""

from typing import Any
from uuid import UUID

from django.dispatch import receiver

from tables.services.calls import seating_end_of_match
from tournaments.queue import enqueue
from tournaments.signals import match_closed, match_ready, match_reopened


@receiver(match_ready)
def on_match_ready(*, tournament_id: UUID, **_: Any) -> None:
    """Both teams are known: look for a table."""
    enqueue("tables.assign_tables", tournament_id)


@receiver(match_closed)
@receiver(match_reopened)
def on_match_closed(*, match_id: UUID, tournament_id: UUID, **_: Any) -> None:
    """A match that is over, or has other teams now, leaves its table in the same transaction.

    Who closed or reopened it also bumps the tables' revision.
    """
    if seating_end_of_match(match_id):
        enqueue("tables.assign_tables", tournament_id)
