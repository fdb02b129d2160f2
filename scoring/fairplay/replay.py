"""A record laid out as seats and tiles, so that small changes of it can be tried by the hundred.

The rules are the engine's own tables; only the bookkeeping is here. *Sound*: no seat plays or holds a tile
that it said not to have. Seats are numbers clockwise from north, tiles are indexes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import fortytwo
from fortytwo import SEATS, Contract, PerSide
from fortytwo.deal import Holdings
from fortytwo.irregularities import Renege, find_reneges
from fortytwo.tiles import BIT, COUNT, INDEX, TILES
from fortytwo.trick import Play

UNKNOWN: Holdings = (None, None, None, None)


@dataclass(frozen=True, slots=True)
class Line:
    """A played hand: who played what in order, under which contract, with the holdings as far as known."""

    contract: Contract
    seats: tuple[int, ...]
    tiles: tuple[int, ...]
    holdings: Holdings = UNKNOWN
    small: frozenset[int] = frozenset()
    """Places of tiles that were led as their smaller end."""

    @classmethod
    def of(cls, hand: fortytwo.Hand) -> Line | None:
        """The record of a hand with the holdings that were entered; None before the trump is named."""
        if hand.contract is None:
            return None
        seats = tuple(play.seat.number for play in hand.plays)
        tiles = tuple(INDEX[play.tile] for play in hand.plays)
        small = frozenset(place for place, play in enumerate(hand.plays) if play.suit is not None)
        return cls(hand.contract, seats, tiles, hand.deal.masks, small)

    @property
    def size(self) -> int:
        """Tiles in a trick."""
        return self.contract.size

    @property
    def tricks(self) -> int:
        """Complete tricks."""
        return len(self.tiles) // self.size

    def led(self, place: int) -> int:
        """What led the trick of this place, as the engine's trick rules know it."""
        start = place - place % self.size
        tile = self.tiles[start]
        small = self.contract.tricks.lead_as(tile, TILES[tile].low) if start in self.small else None
        return tile if small is None else small

    def is_sound(self) -> bool:
        """No seat plays or holds what it said not to have, and known holdings are respected."""
        denied, gone = [0, 0, 0, 0], [0, 0, 0, 0]
        denied_mask, size, led = self.contract.tricks.denied_mask, self.size, 0
        for place, (seat, tile) in enumerate(zip(self.seats, self.tiles, strict=True)):
            bit = BIT[tile]
            if denied[seat] & bit:
                return False
            gone[seat] |= bit
            if place % size == 0:
                led = self.led(place) if self.small else tile
            denied[seat] |= denied_mask(led, tile)
        return self._agrees(gone, denied)

    def _agrees(self, gone: list[int], denied: list[int]) -> bool:
        for seat, held in enumerate(self.holdings):
            if held is None:
                continue
            if gone[seat] & ~held or held & ~gone[seat] & denied[seat]:
                return False
            if any(held & tiles for other, tiles in enumerate(gone) if other != seat):
                return False
        return True

    def chain_holds(self) -> bool:
        """Whoever takes a trick leads the next one, as the seats were recorded."""
        return all(
            self.seats[number * self.size] == self.winner(number - 1)
            for number in range(1, -(-len(self.tiles) // self.size))
        )

    def winner(self, number: int) -> int:
        """The seat that takes trick `number`, from 0."""
        start = number * self.size
        return self.seats[start + self.contract.tricks.winner(self._trick(start))]

    def _trick(self, start: int) -> list[int]:
        return [self.led(start), *self.tiles[start + 1 : start + self.size]]

    def points(self, number: int) -> int:
        """What trick `number`, from 0, is worth."""
        start = number * self.size
        return 1 + sum(COUNT[tile] for tile in self.tiles[start : start + self.size])

    def led_by(self, first: int, *, trick: int = 0, contract: Contract | None = None) -> Line:
        """The same tiles in the same order, with `first` leading trick `trick`; each later leader follows
        from the trick before. The tricks before keep their seats."""
        line = replace(self, contract=contract or self.contract)
        seats = list(self.seats[: trick * self.size])
        leader = first
        for start in range(trick * self.size, len(self.tiles), self.size):
            tiles = line._trick(start)
            turn = _turns(line.contract, leader, len(tiles))
            seats += turn
            if len(tiles) == self.size:
                leader = turn[line.contract.tricks.winner(tiles)]
        return replace(line, seats=tuple(seats))

    def with_tiles(self, changes: Iterable[tuple[int, int]], holdings: Holdings | None = None) -> Line:
        """The same record with other tiles at these places."""
        tiles = list(self.tiles)
        for place, tile in changes:
            tiles[place] = tile
        return replace(self, tiles=tuple(tiles), holdings=holdings or self.holdings)

    def reneges(self) -> tuple[Renege, ...]:
        """What the engine finds in this record."""
        plays = [Play(SEATS[seat], TILES[tile]) for seat, tile in zip(self.seats, self.tiles, strict=True)]
        return find_reneges(self.contract, plays, self.holdings)

    def taken_from(self, number: int) -> PerSide:
        """Points that both sides took in the complete tricks from `number`, from 0, on."""
        total = PerSide()
        for trick in range(number, self.tricks):
            total += PerSide.of(SEATS[self.winner(trick)].side, self.points(trick))
        return total


def _turns(contract: Contract, leader: int, count: int) -> list[int]:
    """The seats of a trick in turn."""
    seat, turns = SEATS[leader], []
    for _ in range(count):
        turns.append(seat.number)
        seat = contract.after(seat)
    return turns
