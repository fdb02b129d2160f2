"""Deals that a player cannot rule out: counted exactly, and drawn each with the same chance.

*Knowledge*: what a seat legally knows, its own tiles, the calls, the plays, and what they say of the
others' tiles. A *world* is one way to place the tiles that it cannot see, as holdings by seat number of
the tiles still held.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import comb

from ..bids import Auction
from ..contract import Contract, make_contract
from ..deal import Deal
from ..rules import Ruleset
from ..seats import Seat
from ..tiles import ALL_TILES, BIT, DOUBLES, HOLDING_SIZE, INDEX, Tile, mask_of
from ..view import HandView
from .numbering import each_bit
from .position import Masks


class NoWorld(ValueError):
    """No deal fits: somebody did not follow, or a record is wrong."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Masks by seat number. `placed` are tiles known to be held now, one's own first of all; `played`
    are gone; `barred` are tiles that the seat said not to hold; `doubles` are how many doubles a special
    bid promised, of the seven tiles dealt."""

    placed: Masks
    played: Masks
    barred: Masks = (0, 0, 0, 0)
    doubles: tuple[int, int, int, int] = (0, 0, 0, 0)

    @classmethod
    def of(
        cls, view: HandView, rules: Ruleset, exposed: Mapping[Seat, tuple[Tile, ...]] | None = None
    ) -> Knowledge:
        """What the reader of a view knows; `exposed` are tiles that others have shown."""
        placed, played, barred, doubles = [0] * 4, [0] * 4, [0] * 4, [0] * 4
        for seat, tiles in (exposed or {}).items():
            placed[seat.number] |= mask_of(tiles)
        if view.seat is not None and view.holding is not None:
            placed[view.seat.number] = mask_of(view.holding)
        contract = contract_of(view, rules)
        for plays in (*(trick.plays for trick in view.tricks), view.table):
            for play in plays:
                at, index = play.seat.number, INDEX[play.tile]
                played[at] |= BIT[index]
                if contract is not None:
                    barred[at] |= contract.tricks.denied_mask(plays[0].led, index)
        for seat, call in (*view.calls, *view.stated):
            doubles[seat.number] = max(doubles[seat.number], call.doubles)
        gone = played[0] | played[1] | played[2] | played[3]
        return cls(_four([mask & ~gone for mask in placed]), _four(played), _four(barred), _four(doubles))

    @property
    def hidden(self) -> int:
        """The tiles that are held by somebody, it is not known by whom."""
        seen = 0
        for mask in (*self.placed, *self.played):
            seen |= mask
        return ALL_TILES & ~seen


class Worlds:
    """All worlds that fit a knowledge. Raises `NoWorld` where there is none."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        gone = list(zip(knowledge.placed, knowledge.played, strict=True))
        self._room = _four([HOLDING_SIZE - (held | played).bit_count() for held, played in gone])
        self._wanted = _four(
            [
                max(0, wanted - ((held | played) & DOUBLES).bit_count())
                for wanted, (held, played) in zip(knowledge.doubles, gone, strict=True)
            ]
        )
        self._groups = self._grouped()
        self._known: dict[tuple[int, Masks, Masks], int] = {}
        self.count = self._ways(0, self._room, self._wanted)
        """How many there are."""
        if not self.count:
            raise NoWorld("no deal fits what was called and played")

    def at(self, index: int) -> Masks:
        """The world of this number, from 0 to count - 1; each number is another world."""
        if not 0 <= index < self.count:
            raise IndexError(index)
        room, wanted = self._room, self._wanted
        held = list(self._knowledge.placed)
        for number, (seats, tiles, is_double) in enumerate(self._groups):
            for split, ways in _splits(len(tiles), seats, room):
                after = _less(room, split), _less(wanted, split) if is_double else wanted
                rest = self._ways(number + 1, *after)
                if index < ways * rest:
                    break
                index -= ways * rest
            room, wanted = after
            placing, index = divmod(index, rest)
            left = tiles
            for seat in seats:
                placing, choice = divmod(placing, comb(len(left), split[seat]))
                given, left = _choose(left, split[seat], choice)
                held[seat] |= sum(given)
        return _four(held)

    def draw(self, rng: random.Random) -> Masks:
        """One world, each with the same chance."""
        return self.at(rng.randrange(self.count))

    def draws(
        self, rng: random.Random, count: int, weight: Callable[[Masks], float] | None = None, tries: int = 20
    ) -> list[Masks]:
        """So many worlds, uniform, or with chances in proportion to `weight` (0 to 1). Of weighted ones
        there are fewer, perhaps none, where `tries` times as many draws were not enough."""
        if weight is None:
            return [self.draw(rng) for _ in range(count)]
        kept: list[Masks] = []
        for _ in range(count * tries):
            world = self.draw(rng)
            if rng.random() < weight(world):
                kept.append(world)
                if len(kept) == count:
                    break
        return kept

    def deal(self, world: Masks) -> Deal:
        """The world as it was dealt."""
        north, east, south, west = (
            held | played for held, played in zip(world, self._knowledge.played, strict=True)
        )
        return Deal((north, east, south, west))

    def _grouped(self) -> list[tuple[tuple[int, ...], tuple[int, ...], bool]]:
        """Hidden tiles that the same seats can have: the seats, the tiles, and whether they are doubles
        where that matters."""
        groups: dict[tuple[tuple[int, ...], bool], list[int]] = {}
        for tile in each_bit(self._knowledge.hidden):
            seats = tuple(at for at in range(4) if self._room[at] and not tile & self._knowledge.barred[at])
            groups.setdefault((seats, any(self._wanted) and bool(tile & DOUBLES)), []).append(tile)
        ordered = sorted(groups.items(), key=lambda item: (len(item[0][0]), item[0]))
        return [(seats, tuple(tiles), is_double) for (seats, is_double), tiles in ordered]

    def _ways(self, number: int, room: Masks, wanted: Masks) -> int:
        """In how many ways the groups from this one on can be placed."""
        if number == len(self._groups):
            return int(not any(room) and not any(wanted))
        key = (number, room, wanted)
        found = self._known.get(key)
        if found is None:
            seats, tiles, is_double = self._groups[number]
            found = self._known[key] = sum(
                ways
                * self._ways(number + 1, _less(room, split), _less(wanted, split) if is_double else wanted)
                for split, ways in _splits(len(tiles), seats, room)
            )
        return found


def contract_of(view: HandView, rules: Ruleset) -> Contract | None:
    """The contract that is played, None before it is named."""
    if view.declarer is None or view.bid is None or view.trump is None:
        return None
    forced = auction_of(view, rules).was_forced
    return make_contract(rules, view.declarer, view.bid, view.trump, forced=forced)


def auction_of(view: HandView, rules: Ruleset) -> Auction:
    """The calls of a view as an auction again."""
    return Auction(rules, view.shaker, tuple(call for _, call in view.calls))


def _splits(count: int, seats: tuple[int, ...], room: Masks) -> Iterator[tuple[Masks, int]]:
    """Every way to give so many tiles to these seats by number, and how many placings each has."""
    if not seats:
        if not count:
            yield (0, 0, 0, 0), 1
        return
    at = seats[0]
    for share in range(min(count, room[at]) + 1):
        for split, ways in _splits(count - share, seats[1:], room):
            given = (*split[:at], share, *split[at + 1 :])
            yield _four(given), ways * comb(count, share)


def _choose(tiles: tuple[int, ...], size: int, index: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The choice of this number among those of so many tiles, and the tiles left over."""
    given: list[int] = []
    left: list[int] = []
    for at, tile in enumerate(tiles):
        with_it = comb(len(tiles) - at - 1, size - len(given) - 1) if len(given) < size else 0
        if index < with_it:
            given.append(tile)
        else:
            index -= with_it
            left.append(tile)
    return tuple(given), tuple(left)


def _less(room: Masks, split: Masks) -> Masks:
    return _four([max(0, have - given) for have, given in zip(room, split, strict=True)])


def _four(numbers: list[int] | tuple[int, ...]) -> Masks:
    north, east, south, west = numbers
    return (north, east, south, west)
