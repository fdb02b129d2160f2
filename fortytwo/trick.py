"""One trick: who played what, who takes it, and what it is worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .errors import IllegalAction, ParseError, echo
from .seats import SEATS, Seat
from .suits import TrickRules
from .tiles import COUNT, INDEX, Tile, mask_of


@dataclass(frozen=True, slots=True)
class Play:
    """A tile played by a seat; as text `N:6-5`."""

    seat: Seat
    tile: Tile

    @classmethod
    def parse(cls, text: str) -> Play:
        seat, colon, tile = text.partition(":") if isinstance(text, str) else ("", "", "")
        if not colon:
            raise ParseError("bad_field", field="play", expected=f"like N:6-5, not {echo(text)!r}")
        return cls(Seat.parse(seat), Tile.parse(tile))

    def __str__(self) -> str:
        return f"{self.seat}:{self.tile}"


@dataclass(frozen=True, slots=True)
class Trick:
    """A complete trick. Points are 1 and the count on its tiles."""

    plays: tuple[Play, ...]
    winner: Seat
    points: int

    @property
    def leader(self) -> Seat:
        return self.plays[0].seat

    @property
    def led(self) -> Tile:
        return self.plays[0].tile

    def __str__(self) -> str:
        return " ".join(map(str, self.plays))


def take_trick(rules: TrickRules, plays: Sequence[Play]) -> Trick:
    """The trick that these plays make, without any check."""
    indexes = [INDEX[play.tile] for play in plays]
    winner = plays[rules.winner(indexes)].seat
    return Trick(tuple(plays), winner, 1 + sum(COUNT[index] for index in indexes))


def check_trick(rules: TrickRules, plays: Sequence[Play]) -> Trick:
    """A whole trick on its own: four different tiles, clockwise from the leader."""
    if len(plays) != len(SEATS):
        raise IllegalAction("trick_size", expected=len(SEATS), count=len(plays))
    mask_of(play.tile for play in plays)
    for play, seat in zip(plays, plays[0].seat.clockwise(), strict=True):
        if play.seat is not seat:
            raise IllegalAction("trick_order", seat=play.seat, expected=seat)
    return take_trick(rules, plays)


def legal_tiles(rules: TrickRules, led: Tile | None, holding: Sequence[Tile]) -> tuple[Tile, ...]:
    """The tiles of a holding that may be played, in the order given; `led` None for the leader."""
    mask = mask_of(holding)
    if led is None:
        return tuple(holding)
    if mask & led.mask:
        raise IllegalAction("tile_twice", tile=led)
    legal = rules.legal_mask(mask, INDEX[led])
    return tuple(tile for tile in holding if tile.mask & legal)
