"""Sends the teams that rested longest to free tables. Doing it twice, or in two workers, is doing it once."""

from uuid import UUID

from django.db import transaction
from django.db.models import Q

from tables.assign import assign
from tables.models import Hold, Seating, Table
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
from tournaments.models import Match, Tournament

TIMES_OVER = 3
"""How often it is decided anew because others changed what was chosen; then the sweep finds the rest."""


def tables_assign(*, tournament_id: UUID, actor: Actor = SYSTEM) -> list[Seating]:
    """Call the next match for each free table; the calls made, none when there is nothing to do.

    Transactions of their own. Decides first, then locks the matches it chose and then their tables, and calls
    those that are still what they were; for the others it decides again. One query when there is nothing to do.
    """
    made: list[Seating] = []
    for _ in range(TIMES_OVER):
        if not has_work(tournament_id):
            break
        with transaction.atomic(durable=True):
            pairs = _decided(tournament_id)
            held = _locked(tournament_id, pairs)
            made += matches_seat_locked(held, actor=actor, action="match.called")
        if len(held) == len(pairs):
            break
    return made


def _decided(tournament_id: UUID) -> list[tuple[Match, Table]]:
    """Which match goes to which table by what is stored now. Locks nothing."""
    matches = list(matches_to_seat(tournament_id).select_related("stage", "round"))
    tables = list(tables_to_fill(tournament_id))
    if not (matches and tables):
        return []
    fixed = fixed_tables(tournament_id)
    pairs = assign(ready_matches(matches, fixed), free_tables(tables, fixed))
    match_of = {match.pk: match for match in matches}
    table_of = {table.pk: table for table in tables}
    return [(match_of[pair.match_id], table_of[pair.table_id]) for pair in pairs]


def _locked(tournament_id: UUID, pairs: list[tuple[Match, Table]]) -> list[tuple[Match, Table]]:
    """Those of the pairs that still hold once their rows are locked, in the same order."""
    ready = {match.pk: match for match in locks.ready_matches_lock([match.pk for match, _ in pairs])}
    tables = {table.pk: table for table in locks.tables_lock([table.pk for _, table in pairs])}
    if not (ready and Tournament.objects.filter(pk=tournament_id, state=Lifecycle.RUNNING).exists()):
        return []
    # What others did while this waited for the locks is seen only now.
    seated = locks.open_seatings().filter(Q(table__in=list(tables)) | Q(match__in=list(ready)))
    taken = {pk for pair in seated.values_list("table_id", "match_id") for pk in pair}
    held = Hold.objects.filter(match__in=list(ready), ended_at__isnull=True)
    taken.update(held.values_list("match_id", flat=True))
    return [
        (ready[match.pk], tables[table.pk])
        for match, table in pairs
        if match.pk in ready and table.pk in tables and not taken & {match.pk, table.pk}
        if _is_as_it_was(table, tables[table.pk])
    ]


def _is_as_it_was(before: Table, now: Table) -> bool:
    return (before.state, before.fixed_entry_id) == (now.state, now.fixed_entry_id)
