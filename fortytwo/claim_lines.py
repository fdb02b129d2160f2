"""Which search answers a claim over known holdings: the compiled one where it was built, else `claim_search`.

Both say the same; the compiled one is given more work, so that it leaves hardly a claim undecided.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, Protocol

from .claim_search import KnownWorld, Line, OutOfWork, Search, World, turns_of
from .position import Position
from .seats import SEATS
from .suits import SMALL_END, SuitTable
from .tiles import BIT, COUNT, INDEX, TILES, Tile

WORK = 200_000
"""Plays that one claim may try; about a second in pure Python."""
COMPILED_WORK = 15_000_000
"""The same for the compiled search; less than a second."""


class Asked(Protocol):
    """A search: see `claim_search.Search`. `work` is what is left of it."""

    @property
    def world(self) -> World: ...

    @property
    def work(self) -> int: ...

    @property
    def line(self) -> Line: ...

    def reaches(self, side: int, leader: int, need: int) -> bool: ...


def known_search(
    position: Position, order: Sequence[Tile] = (), *, work: int | None, backend: str | None = None
) -> Asked:
    """A search of the position; with `order` the leader plays its tiles in this order. `work` None is as
    much as the search can do in a second; `backend` as for solvers, by default the fastest.

    Raises `LookupError` for a search that is not here.
    """
    # Imported when it is asked for: the rules themselves need no solver.
    chosen = import_module(".solver.backend", __package__)
    if (backend or chosen.backend()) not in chosen.CORES:
        raise LookupError(backend)
    if (backend or chosen.backend()) == "compiled" and isinstance(position.contract.tricks, SuitTable):
        return _Compiled(position, order, COMPILED_WORK if work is None else work)
    return Search(
        KnownWorld(position.contract, position.held),
        position.contract,
        work=WORK if work is None else work,
        first_lead=position.first_lead,
        choose=_in_order(position.leader.number, order) if order else _anything,
    )


class _Compiled:
    """The compiled search in the clothes of the other."""

    def __init__(self, position: Position, order: Sequence[Tile], work: int) -> None:
        contract = position.contract
        self.world = KnownWorld(contract, position.held)
        self.work = work
        self.line: Line = []
        assert isinstance(contract.tricks, SuitTable)
        self._lines: Any = import_module(".solver._lines", __package__).Lines(
            _tables(contract.tricks),
            self.world.start,
            [turns_of(contract, leader) for leader in range(len(SEATS))],
            contract.goal.count,
            position.first_lead,
            position.leader.number if order else -1,
            [tile.mask for tile in order],
        )

    def reaches(self, side: int, leader: int, need: int) -> bool:
        found, self.work, self.line = self._lines.reaches(side, leader, need, self.work)
        if found is None:
            raise OutOfWork
        return bool(found)


def _tables(table: SuitTable) -> object:
    """What the compiled search wants to know of a contract, made once for each."""
    kept = _KEPT.get(id(table))
    if kept is None or kept[0] is not table:
        small = [table.lead_as(at, tile.low) or 0 for at, tile in enumerate(TILES)]
        made = import_module(".solver._lines", __package__).Tables(
            table.follow,
            table.fallback,
            table.beating,
            table.power,
            [led if led >= SMALL_END else -1 for led in small],
            table.strengths(),
            COUNT,
        )
        kept = _KEPT[id(table)] = (table, made)
    return kept[1]


# By identity, since a table is large to compare; there are about fifteen.
_KEPT: dict[int, tuple[SuitTable, object]] = {}


def _anything(at: int, options: int) -> int:
    return options


def _in_order(claimer: int, order: Sequence[Tile]) -> Callable[[int, int], int]:
    """What the claimer plays: the first tile of its order that may be played."""
    bits = [BIT[INDEX[tile]] for tile in order]

    def choose(at: int, options: int) -> int:
        if at != claimer:
            return options
        return next(bit for bit in bits if bit & options)

    return choose
