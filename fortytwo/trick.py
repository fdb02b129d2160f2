"""One trick: who played what, who takes it, and what it is worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .errors import IllegalAction, ParseError, echo
from .seats import SEATS, Seat
from .suits import SMALL_END, TrickRules
from .tiles import COUNT, INDEX, Tile, mask_of


@dataclass(frozen=True, slots=True)
class Play:
    """A tile played by a seat; as text `N:6-5`. A tile led as its smaller end carries that suit as a
    pip: `N:6-5/5`."""

    seat: Seat
    tile: Tile
    suit: int | None = None

    @classmethod
    def parse(cls, text: str) -> Play:
        seat, colon, rest = text.partition(":") if isinstance(text, str) else ("", "", "")
        if not colon:
            raise ParseError("bad_field", field="play", expected=f"like N:6-5, not {echo(text)!r}")
        tile, suit = parse_led(rest)
        return cls(Seat.parse(seat), tile, suit)

    @property
    def led(self) -> int:
        """This play as the lead of a trick, for `TrickRules`."""
        return INDEX[self.tile] + (0 if self.suit is None else SMALL_END)

    @property
    def what(self) -> str:
        """The tile with its suit, as `parse_led` reads it."""
        return f"{self.tile}" if self.suit is None else f"{self.tile}/{self.suit}"

    def __str__(self) -> str:
        return f"{self.seat}:{self.what}"


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
    points = 1 + sum(COUNT[index] for index in indexes)
    if plays[0].suit is not None:
        indexes[0] += SMALL_END
    return Trick(tuple(plays), plays[rules.winner(indexes)].seat, points)


def check_trick(rules: TrickRules, plays: Sequence[Play], size: int = len(SEATS)) -> Trick:
    """A whole trick on its own: as many different tiles as seats play, clockwise from the leader; of
    three seats the missing one sits out."""
    if len(plays) != size:
        raise IllegalAction("trick_size", expected=size, count=len(plays))
    mask_of(play.tile for play in plays)
    left = list(plays[0].seat.clockwise())
    for play in plays:
        spare = len(left) - (size - plays.index(play))
        if play.seat not in left[: spare + 1]:
            raise IllegalAction("trick_order", seat=play.seat, expected=left[0])
        del left[: left.index(play.seat) + 1]
    return take_trick(rules, [_as_led(rules, plays[0]), *plays[1:]])


def lead_with_suit(rules: TrickRules, seat: Seat, tile: Tile, suit: int | None, *, small_end: bool) -> Play:
    """A lead, its suit kept where it is the smaller end of the tile. `small_end` says whether that may
    be declared here. Raises `IllegalAction("lead_suit_refused")`."""
    if suit is None:
        return Play(seat, tile)
    led = rules.lead_as(INDEX[tile], suit)
    if led is None:
        raise IllegalAction("lead_suit_refused", tile=tile, suit=suit, reason="it does not belong to it")
    if led < SMALL_END:
        return Play(seat, tile)
    if not small_end:
        reason = "the smaller end can be declared on the first lead only, where the rules let it"
        raise IllegalAction("lead_suit_refused", tile=tile, suit=suit, reason=reason)
    return Play(seat, tile, suit)


def parse_led(text: str) -> tuple[Tile, int | None]:
    """Read a tile, "6-5", or one led as a tile of a pip, "6-5/5"."""
    tile, slash, suit = text.partition("/")
    if not slash:
        return Tile.parse(tile), None
    if suit not in ("0", "1", "2", "3", "4", "5", "6"):
        raise ParseError("bad_field", field="suit", expected=f"a pip from 0 to 6, not {echo(suit)!r}")
    return Tile.parse(tile), int(suit)


def _as_led(rules: TrickRules, play: Play) -> Play:
    return lead_with_suit(rules, play.seat, play.tile, play.suit, small_end=True)


def legal_tiles(
    rules: TrickRules, led: Tile | None, holding: Sequence[Tile], suit: int | None = None
) -> tuple[Tile, ...]:
    """The tiles of a holding that may be played, in the order given; `led` None for the leader, `suit` the
    pip as which it was declared to be led."""
    mask = mask_of(holding)
    if led is None:
        legal = rules.lead_mask(mask)
    elif mask & led.mask:
        raise IllegalAction("tile_twice", tile=led)
    else:
        # Whose lead it was does not matter here.
        lead = lead_with_suit(rules, SEATS[0], led, suit, small_end=True)
        legal = rules.legal_mask(mask, lead.led)
    return tuple(tile for tile in holding if tile.mask & legal)
