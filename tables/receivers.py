"""News from below: a match became ready, closed or open again, so a table is to be found or freed."""

from typing import Any
from uuid import UUID

from django.dispatch import receiver

from tables.services.calls import match_unseat_locked, seating_end_of_match
from tournaments.models import Match
from tournaments.queue import enqueue
from tournaments.signals import match_closed, match_ready, match_reopened


@receiver(match_ready)
def on_match_ready(*, tournament_id: UUID, **_: Any) -> None:
    """Both teams are known: look for a table."""
    enqueue("tables.assign_tables", tournament_id)


@receiver(match_closed)
def on_match_closed(*, match_id: UUID, tournament_id: UUID, **_: Any) -> None:
    """The table is free in the same transaction; who closed the match also bumps the tables' revision."""
    if seating_end_of_match(match_id):
        enqueue("tables.assign_tables", tournament_id)


@receiver(match_reopened)
def on_match_reopened(*, match_id: UUID, tournament_id: UUID, **_: Any) -> None:
    """Other teams may stand in the match now: it leaves its table and is called anew, with its own players."""
    if match_unseat_locked(Match.objects.get(pk=match_id)):
        enqueue("tables.assign_tables", tournament_id)
