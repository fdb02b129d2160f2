"""Trumps, and what each makes of suits: who must follow what, and which tile beats which.

*Called set*: the tiles of the trump. *Led* is the index of the tile that led the trick.
`TrickRules` is all that a hand asks of a trump; `SuitTable` answers it from tables for every contract
that has suits. A contract without suits is another class with the same methods.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Literal, Protocol

from .errors import ParseError, echo
from .rules import Ruleset
from .tiles import BIT, DOUBLES, TILES, Tile

Doubles = Literal["high", "low", "own_suit", "own_suit_reversed"]

CALLED_POWER = 100
"""Added to the power of a called tile, so that it beats every other tile."""


class Trump(StrEnum):
    """What a declarer can name."""

    ZEROS = "0"
    ONES = "1"
    TWOS = "2"
    THREES = "3"
    FOURS = "4"
    FIVES = "5"
    SIXES = "6"
    DOUBLES = "doubles"
    FOLLOW_ME = "follow-me"

    @classmethod
    def parse(cls, text: str) -> Trump:
        """Read "0".."6", "doubles" or "follow-me". Raises `ParseError("bad_trump")`."""
        word = text.strip().lower().replace("_", "-").replace(" ", "-") if isinstance(text, str) else None
        trump = _BY_TEXT.get(word) if word is not None else None
        if trump is None:
            raise ParseError("bad_trump", text=echo(text))
        return trump

    @classmethod
    def of_pip(cls, pip: int) -> Trump:
        return cls(str(pip))

    @property
    def pip(self) -> int | None:
        """The pip of a number trump, else None."""
        return int(self.value) if self.value.isdigit() else None

    def __repr__(self) -> str:
        return f"Trump.{self.name}"


_BY_TEXT: dict[str, Trump] = {trump.value: trump for trump in Trump}


class TrickRules(Protocol):
    """How the tiles of one contract follow and win. Masks and indexes as in `tiles`."""

    def legal_mask(self, holding: int, led: int) -> int:
        """The tiles of the holding that may be played to this lead."""

    def denied_mask(self, led: int, played: int) -> int:
        """The tiles that whoever played this to this lead said not to hold."""

    def winner(self, played: Sequence[int]) -> int:
        """The place in `played` (leader first) of the tile that takes the trick."""

    def suit_name(self, led: int) -> str:
        """The suit led, for people: "sixes", "trumps" or "doubles"."""


@dataclass(frozen=True, slots=True)
class SuitTable:
    """`TrickRules` from tables. `follow[led]` is the suit led as a mask; `fallback[led]` must be
    followed by a seat without that suit (0: nothing); `power[led][tile]` ranks tiles, 0 never wins."""

    follow: tuple[int, ...]
    fallback: tuple[int, ...]
    power: tuple[tuple[int, ...], ...]
    has_fallback: bool
    names: tuple[str, ...]

    def legal_mask(self, holding: int, led: int) -> int:
        return holding & self.follow[led] or holding & self.fallback[led] or holding

    def denied_mask(self, led: int, played: int) -> int:
        follow = self.follow[led]
        if BIT[played] & follow:
            return 0
        fallback = self.fallback[led]
        return follow if BIT[played] & fallback else follow | fallback

    def winner(self, played: Sequence[int]) -> int:
        power = self.power[played[0]]
        best = 0
        for place in range(1, len(played)):
            if power[played[place]] > power[played[best]]:
                best = place
        return best

    def suit_name(self, led: int) -> str:
        return self.names[led]


@dataclass(frozen=True, slots=True)
class _Suits:
    """What a trump makes of the set, before it becomes tables. A suit is its mask and the pip by
    which its tiles rank, None for the doubles as a suit."""

    called: int = 0
    """The tiles that beat all others."""
    called_pip: int | None = None
    own_doubles: bool = False
    """Uncalled doubles are a suit of their own."""
    double_rank: int = 7
    """Rank of a double in its pip's suit: 7 on top, -1 at the bottom."""
    reversed_doubles: bool = False
    number_fallback: bool = False
    """A led double calls its pip for a seat without doubles."""

    def suit_led(self, tile: Tile) -> tuple[int, int | None]:
        if tile.mask & self.called:
            return self.called, self.called_pip
        if tile.is_double and self.own_doubles:
            return DOUBLES, None
        return self.pip_suit(tile.high), tile.high

    def pip_suit(self, pip: int) -> int:
        return _WITH_PIP[pip] & ~self.called & ~(DOUBLES if self.own_doubles else 0)

    def rank(self, tile: Tile, pip: int | None) -> int:
        if pip is None:
            return 6 - tile.high if self.reversed_doubles else tile.high
        return self.double_rank if tile.is_double else tile.pips - pip

    def power(self, led: Tile) -> tuple[int, ...]:
        suit, pip = self.suit_led(led)
        powers = []
        for tile in TILES:
            if tile.mask & self.called:
                powers.append(CALLED_POWER + self.rank(tile, self.called_pip))
            else:
                # The lowest rank is -1, and 0 is kept for tiles that cannot win.
                powers.append(2 + self.rank(tile, pip) if tile.mask & suit else 0)
        return tuple(powers)

    def name(self, led: Tile) -> str:
        if led.mask & self.called:
            return "trumps"
        return "doubles" if led.is_double and self.own_doubles else PIP_NAMES[led.high]


PIP_NAMES = ("blanks", "ones", "twos", "threes", "fours", "fives", "sixes")
_WITH_PIP = tuple(sum(tile.mask for tile in TILES if pip in (tile.high, tile.low)) for pip in range(7))


def trick_rules(trump: Trump, rules: Ruleset) -> SuitTable:
    """The tables of a trump under a rule set."""
    if trump is Trump.DOUBLES:
        return _doubles_table(rules.doubles_trump == "must_follow_number")
    if trump is Trump.FOLLOW_ME:
        # "as_called" is refused by Ruleset, so it is one of the four.
        return no_trump_table(rules.follow_me_doubles)
    return _pip_table(int(trump.value))


@cache
def no_trump_table(doubles: Doubles) -> SuitTable:
    """No called set, with doubles high, low, or a suit of their own."""
    own = doubles in ("own_suit", "own_suit_reversed")
    rank = -1 if doubles == "low" else 7
    reverse = doubles == "own_suit_reversed"
    return _table(_Suits(own_doubles=own, double_rank=rank, reversed_doubles=reverse))


@cache
def _pip_table(pip: int) -> SuitTable:
    return _table(_Suits(called=_WITH_PIP[pip], called_pip=pip))


@cache
def _doubles_table(must_follow_number: bool) -> SuitTable:
    return _table(_Suits(called=DOUBLES, number_fallback=must_follow_number))


def _table(suits: _Suits) -> SuitTable:
    fallback = tuple(
        suits.pip_suit(tile.high) if suits.number_fallback and tile.is_double else 0 for tile in TILES
    )
    return SuitTable(
        follow=tuple(suits.suit_led(tile)[0] for tile in TILES),
        fallback=fallback,
        power=tuple(suits.power(tile) for tile in TILES),
        has_fallback=any(fallback),
        names=tuple(suits.name(tile) for tile in TILES),
    )
