"""Which ready match goes to which free table. Pure: no database, no clock, no chance.

A match has *rested* since the later of its two teams became free. A *fixed* table is the one that a
team always plays at; it is *kept* for that team while the team is still in, and a match of that team
waits for it. The match that has rested longest goes first, to the free table with the lowest number.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID


@dataclass(frozen=True, slots=True)
class ReadyMatch:
    """A match whose two teams are known and that nobody has called yet."""

    id: UUID
    number: int
    round_order: tuple[int, int]  # number of the stage, then play order of the round in it
    rested_since: datetime
    fixed_table_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class FreeTable:
    """A table at which nobody plays. `kept_for` is the entry whose fixed table it is."""

    id: UUID
    number: int
    kept_for: UUID | None = None


@dataclass(frozen=True, slots=True)
class Pair:
    """One call: this match to that table."""

    match_id: UUID
    table_id: UUID


def assign(matches: Iterable[ReadyMatch], tables: Iterable[FreeTable]) -> list[Pair]:
    """The matches to call now, each with its table, in the order of the calls.

    The order of the input does not matter. A match is left out when no table is free for it.
    """
    ordered = sorted(matches, key=_longest_rest_first)
    free = sorted(tables, key=lambda table: table.number)
    fixed = {match.fixed_table_id for match in ordered}
    shared = iter([table.id for table in free if table.kept_for is None and table.id not in fixed])
    own = {table.id for table in free} & fixed
    pairs = []
    for match in ordered:
        if match.fixed_table_id is None:
            table_id = next(shared, None)
        else:
            table_id = match.fixed_table_id if match.fixed_table_id in own else None
            own.discard(match.fixed_table_id)
        if table_id is not None:
            pairs.append(Pair(match.id, table_id))
    return pairs


def _longest_rest_first(match: ReadyMatch) -> tuple[datetime, tuple[int, int], int]:
    return match.rested_since, match.round_order, match.number
