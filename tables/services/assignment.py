"""Sends the teams that rested longest to free tables. Doing it twice, or in two workers, is doing it once."""

from uuid import UUID

from django.db import transaction

from tables.assign import assign
from tables.models import Hold, Seating
from tables.selectors.hall import (
    fixed_tables,
    free_tables,
    has_work,
    matches_to_seat,
    ready_matches,
    tables_to_fill,
)
from tables.services import locks
from tables.services.seats import matches_seat_locked
from tournaments.actors import SYSTEM, Actor
from tournaments.enums import Lifecycle
from tournaments.models import Tournament


def tables_assign(*, tournament_id: UUID, actor: Actor = SYSTEM) -> list[Seating]:
    """Call the next match for each free table; the calls made, none when there is nothing to do.

    A transaction of its own. Locks the ready matches, then the free tables, and decides by what it reads
    under those locks. One query when there is nothing to do.
    """
    if not has_work(tournament_id):
        return []
    with transaction.atomic(durable=True):
        matches = locks.ready_matches_lock(list(matches_to_seat(tournament_id).values_list("pk", flat=True)))
        tables = locks.tables_lock(list(tables_to_fill(tournament_id).values_list("pk", flat=True)))
        seatings = locks.open_seatings().filter(table__in=tables).values_list("table_id", flat=True)
        busy = set(seatings)
        tables = [table for table in tables if table.pk not in busy]
        # A hold made while this waited for the lock of its match is seen only now.
        held = set(
            Hold.objects.filter(match__in=matches, ended_at__isnull=True).values_list("match_id", flat=True)
        )
        matches = [match for match in matches if match.pk not in held]
        running = Tournament.objects.filter(pk=tournament_id, state=Lifecycle.RUNNING).exists()
        if not (running and matches and tables):
            return []
        fixed = fixed_tables(tournament_id)
        pairs = assign(ready_matches(matches, fixed), free_tables(tables, fixed))
        match_of = {match.pk: match for match in matches}
        table_of = {table.pk: table for table in tables}
        return matches_seat_locked(
            [(match_of[pair.match_id], table_of[pair.table_id]) for pair in pairs],
            actor=actor,
            action="match.called",
        )
