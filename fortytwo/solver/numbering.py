"""The tiles renumbered for one contract, so that a trick is decided by comparing numbers.

*Place*: the number (0..27) of a tile under a contract; in every suit a higher place is a stronger tile,
and the called tiles stand above all others. *Bits* are sets of places as masks, apart from the masks of
`tiles`, which go by index. A *lead* is a place, or place + `SMALL_END` for a tile led as its smaller end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import pairwise

from ..suits import CALLED_POWER, SMALL_END, SuitTable
from ..tiles import COUNT, TILES, Tile

KEPT = 64
"""How many contracts keep their numbering; there are about fifteen."""


@dataclass(frozen=True, slots=True, eq=False)
class Numbering:
    """`index[place]` and `place[index]` go both ways. For each lead: `follow` are the tiles that belong
    to the suit led, `fallback` those that a seat without it must play, `beats` all that can take the
    trick. `fives` and `tens` are the tiles with count. Compared by identity: one contract has one."""

    index: tuple[int, ...]
    place: tuple[int, ...]
    follow: tuple[int, ...]
    fallback: tuple[int, ...]
    beats: tuple[int, ...]
    count: tuple[int, ...]
    called: int
    fives: int
    tens: int

    def bits(self, mask: int) -> int:
        """Tiles by index -> the same tiles by place."""
        bits = 0
        place = self.place
        while mask:
            low = mask & -mask
            bits |= 1 << place[low.bit_length() - 1]
            mask ^= low
        return bits

    def points(self, bits: int) -> int:
        """The count on these tiles."""
        return 5 * (bits & self.fives).bit_count() + 10 * (bits & self.tens).bit_count()

    def tile(self, bit: int) -> Tile:
        return TILES[self.index[bit.bit_length() - 1]]

    def lead(self, led: int) -> int:
        """A lead by index, as `TrickRules` takes it -> the lead by place."""
        return self.place[led % SMALL_END] + (led >= SMALL_END) * SMALL_END


def numbering(table: SuitTable) -> Numbering:
    """The numbering of a contract. Raises `ValueError` where its suits cannot be put in one line."""
    kept = _KEPT.get(id(table))
    if kept is None or kept[0] is not table:
        if len(_KEPT) >= KEPT:
            _KEPT.clear()
        kept = _KEPT[id(table)] = (table, _number(table))
    return kept[1]


# By identity, since a table is large to compare; the table is kept too, so its id stays its own.
_KEPT: dict[int, tuple[SuitTable, Numbering]] = {}


def each_bit(bits: int) -> Iterator[int]:
    """The single bits of a set, lowest first."""
    while bits:
        low = bits & -bits
        yield low
        bits ^= low


def _number(table: SuitTable) -> Numbering:
    index = _in_line(table)
    place = [0] * len(index)
    for new, old in enumerate(index):
        place[old] = new

    def renumbered(masks: Sequence[int]) -> tuple[int, ...]:
        moved = [_moved(mask, place) for mask in masks]
        return tuple(moved[end + old] for end in (0, SMALL_END) for old in index)

    able = [sum(1 << at for at in range(SMALL_END) if row[at] > 0) for row in table.power]
    called = [at for at in range(SMALL_END) if all(row[at] >= CALLED_POWER for row in table.power)]
    return Numbering(
        index=tuple(index),
        place=tuple(place),
        follow=renumbered(table.follow),
        fallback=renumbered(table.fallback),
        beats=renumbered(able),
        count=tuple(COUNT[old] for old in index),
        called=sum(1 << place[at] for at in called),
        fives=sum(1 << place[at] for at in range(SMALL_END) if COUNT[at] == 5),
        tens=sum(1 << place[at] for at in range(SMALL_END) if COUNT[at] == 10),
    )


def _in_line(table: SuitTable) -> list[int]:
    """The tiles by index, each before all that beat it in any suit."""
    stronger: list[set[int]] = [set() for _ in TILES]
    for row in table.power:
        able = sorted((row[at], at) for at in range(SMALL_END) if row[at] > 0)
        for (_, weak), (_, strong) in pairwise(able):
            stronger[weak].add(strong)
    waiting = [sum(at in above for above in stronger) for at in range(SMALL_END)]
    # Of tiles that no suit orders, doubles go last: they are the strongest in their own suit.
    free = [(TILES[at].is_double, at) for at in range(SMALL_END) if not waiting[at]]
    heapify(free)
    line = []
    while free:
        _, at = heappop(free)
        line.append(at)
        for above in stronger[at]:
            waiting[above] -= 1
            if not waiting[above]:
                heappush(free, (TILES[above].is_double, above))
    if len(line) != len(TILES):
        raise ValueError("the suits of this contract have no common order")
    return line


def _moved(mask: int, place: Sequence[int]) -> int:
    return sum(1 << place[at] for at in range(SMALL_END) if mask >> at & 1)
