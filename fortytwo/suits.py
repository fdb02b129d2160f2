"""Trumps, and what each makes of suits: who must follow what, and which tile beats which.

*Called set*: the tiles of the trump. *Led* is the lead of a trick as a number: the index of the tile,
or index + `SMALL_END` where the leader declared its smaller end (the small-end opening).
`TrickRules` is all that a hand asks of a trump; `SuitTable` answers it from tables for every contract
that has suits, `NearestSeven` for sevens, which has none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from types import MappingProxyType
from typing import Literal, Protocol

from .errors import IllegalAction, ParseError, echo
from .rules import Ruleset
from .seats import Seat
from .tiles import BIT, DOUBLES, INDEX, TILES, Tile

Doubles = Literal["high", "low", "own_suit", "own_suit_reversed"]

CALLED_POWER = 100
"""Added to the power of a called tile, so that it beats every other tile."""
SMALL_END = len(TILES)
"""Added to the index of a tile that is led as its smaller end."""


class Trump(StrEnum):
    """What a declarer can name: the nine of straight 42, and the special contracts. Follow me and
    nello also exist with the doubles called by the declarer, for rule sets that leave it to him."""

    ZEROS = "0"
    ONES = "1"
    TWOS = "2"
    THREES = "3"
    FOURS = "4"
    FIVES = "5"
    SIXES = "6"
    DOUBLES = "doubles"
    FOLLOW_ME = "follow-me"
    FOLLOW_ME_HIGH = "follow-me-high"
    FOLLOW_ME_LOW = "follow-me-low"
    NELLO = "nello"
    NELLO_OWN_SUIT = "nello-own-suit"
    NELLO_HIGH = "nello-high"
    NELLO_LOW = "nello-low"
    NELLO_REVERSED = "nello-reversed"
    SEVENS = "sevens"

    @classmethod
    def parse(cls, text: str) -> Trump:
        """Read "0".."6", "doubles", "follow-me", "nello", "sevens" or one with the doubles called,
        like "nello-low". Raises `ParseError("bad_trump")`."""
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

PLAIN_TRUMPS: tuple[Trump, ...] = (*(Trump.of_pip(pip) for pip in range(7)), Trump.DOUBLES, Trump.FOLLOW_ME)
"""The nine trumps of straight 42."""


class TrickRules(Protocol):
    """How the tiles of one contract follow and win. Masks and indexes as in `tiles`."""

    def lead_mask(self, holding: int) -> int:
        """The tiles of the holding that may be led."""

    def legal_mask(self, holding: int, led: int) -> int:
        """The tiles of the holding that may be played to this lead."""

    def denied_mask(self, led: int, played: int) -> int:
        """The tiles that whoever played this to this lead (or led it) said not to hold."""

    def winner(self, played: Sequence[int]) -> int:
        """The place in `played` (leader first, as *led*) of the tile that takes the trick."""

    def ranks(self, led: int) -> Sequence[int]:
        """For each tile how high it stands in a trick led so; a later tile takes it by standing higher
        than all before it."""

    def beaters(self, led: int) -> int:
        """The tiles that can take the trick from its lead."""

    def strengths(self) -> tuple[int, ...]:
        """Tiles that stand as high whatever is led, in groups of equals from the weakest up; no other
        tile takes a trick from them."""

    def sorts(self) -> tuple[int, ...] | None:
        """For each tile its sort, where tiles of a sort follow and win alike; None where all differ."""

    def suit_name(self, led: int) -> str:
        """The suit led, for people: "sixes", "trumps" or "doubles"."""

    def lead_as(self, tile: int, suit: int) -> int | None:
        """*Led* for this tile led as a tile of this pip, None where it does not belong to the pip."""

    def refusal(self, seat: Seat, tile: Tile, led: int | None) -> IllegalAction:
        """Why the seat may not play this tile of its holding; `led` None for the leader."""


@dataclass(frozen=True, slots=True)
class SuitTable:
    """`TrickRules` from tables. `follow[led]` is the suit led as a mask; `fallback[led]` must be
    followed by a seat without that suit (0: nothing); `power[led][tile]` ranks tiles, 0 never wins;
    `pips[tile]` are the pips as which a tile can be led, the usual one first; `called_ranked` are the
    called tiles one by one, the weakest first."""

    follow: tuple[int, ...]
    fallback: tuple[int, ...]
    power: tuple[tuple[int, ...], ...]
    has_fallback: bool
    names: tuple[str, ...]
    pips: tuple[tuple[int, ...], ...]
    beating: tuple[int, ...]
    called_ranked: tuple[int, ...]

    def lead_mask(self, holding: int) -> int:
        return holding

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

    def ranks(self, led: int) -> Sequence[int]:
        return self.power[led]

    def beaters(self, led: int) -> int:
        return self.beating[led]

    def strengths(self) -> tuple[int, ...]:
        return self.called_ranked

    def sorts(self) -> tuple[int, ...] | None:
        return None

    def suit_name(self, led: int) -> str:
        return self.names[led]

    def lead_as(self, tile: int, suit: int) -> int | None:
        pips = self.pips[tile]
        return tile + SMALL_END * pips.index(suit) if suit in pips else None

    def refusal(self, seat: Seat, tile: Tile, led: int | None) -> IllegalAction:
        assert led is not None, "everything may be led"
        suit = self.names[led]
        return IllegalAction("must_follow", seat=seat, tile=tile, led=TILES[led % SMALL_END], suit=suit)


@dataclass(frozen=True, slots=True)
class NearestSeven:
    """`TrickRules` of sevens: no suits. Every seat, the leader too, plays a tile as near to seven pips as
    any that it holds; the nearest takes the trick, of equal ones the first played."""

    def lead_mask(self, holding: int) -> int:
        for ring in _RINGS:
            if holding & ring:
                return holding & ring
        return 0

    def legal_mask(self, holding: int, led: int) -> int:
        return self.lead_mask(holding)

    def denied_mask(self, led: int, played: int) -> int:
        return _NEARER[played]

    def winner(self, played: Sequence[int]) -> int:
        away = [_FROM_SEVEN[tile] for tile in played]
        return away.index(min(away))

    def ranks(self, led: int) -> Sequence[int]:
        return _NEARNESS

    def beaters(self, led: int) -> int:
        return _NEARER[led]

    def strengths(self) -> tuple[int, ...]:
        return _RINGS[::-1]

    def sorts(self) -> tuple[int, ...] | None:
        return _SORTS

    def suit_name(self, led: int) -> str:
        return "sevens"

    def lead_as(self, tile: int, suit: int) -> int | None:
        return None

    def refusal(self, seat: Seat, tile: Tile, led: int | None) -> IllegalAction:
        return IllegalAction("must_play_nearest", seat=seat, tile=tile)


def from_seven(tile: Tile) -> int:
    """How far a tile is from seven pips; the nearest takes the trick in sevens."""
    return abs(tile.pips - 7)


_FROM_SEVEN = tuple(from_seven(tile) for tile in TILES)
_RINGS = tuple(sum(BIT[at] for at in range(len(TILES)) if _FROM_SEVEN[at] == away) for away in range(8))
_NEARNESS = tuple(8 - away for away in _FROM_SEVEN)
# Doubles are told apart from other tiles, since a seat can have promised some.
_SORTS = tuple(2 * away + tile.is_double for tile, away in zip(TILES, _FROM_SEVEN, strict=True))
_NEARER = tuple(sum(_RINGS[:away]) for away in _FROM_SEVEN)


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

    def pips(self, tile: Tile) -> tuple[int, ...]:
        """The pips as which the tile can be led."""
        if tile.mask & self.called:
            return (tile.high if self.called_pip is None else self.called_pip,)
        return (tile.high,) if tile.is_double else (tile.high, tile.low)

    def suit_led(self, tile: Tile, pip: int) -> tuple[int, int | None]:
        if tile.mask & self.called:
            return self.called, self.called_pip
        if tile.is_double and self.own_doubles:
            return DOUBLES, None
        return self.pip_suit(pip), pip

    def pip_suit(self, pip: int) -> int:
        return _WITH_PIP[pip] & ~self.called & ~(DOUBLES if self.own_doubles else 0)

    def rank(self, tile: Tile, pip: int | None) -> int:
        if pip is None:
            return 6 - tile.high if self.reversed_doubles else tile.high
        return self.double_rank if tile.is_double else tile.pips - pip

    def power(self, led: Tile, as_pip: int) -> tuple[int, ...]:
        suit, pip = self.suit_led(led, as_pip)
        powers = []
        for tile in TILES:
            if tile.mask & self.called:
                powers.append(CALLED_POWER + self.rank(tile, self.called_pip))
            else:
                # The lowest rank is -1, and 0 is kept for tiles that cannot win.
                powers.append(2 + self.rank(tile, pip) if tile.mask & suit else 0)
        return tuple(powers)

    def name(self, led: Tile, as_pip: int) -> str:
        if led.mask & self.called:
            return "trumps"
        return "doubles" if led.is_double and self.own_doubles else PIP_NAMES[as_pip]


PIP_NAMES = ("blanks", "ones", "twos", "threes", "fours", "fives", "sixes")
_WITH_PIP = tuple(sum(tile.mask for tile in TILES if pip in (tile.high, tile.low)) for pip in range(7))


def trick_rules(trump: Trump, rules: Ruleset) -> TrickRules:
    """How tiles follow and win under this trump and rule set."""
    return _TRICK_RULES[trump](rules)


@cache
def no_trump_table(doubles: Doubles) -> SuitTable:
    """No called set, with doubles high, low, or a suit of their own."""
    own = doubles in ("own_suit", "own_suit_reversed")
    rank = -1 if doubles == "low" else 7
    reverse = doubles == "own_suit_reversed"
    return _table(_Suits(own_doubles=own, double_rank=rank, reversed_doubles=reverse))


@cache
def pip_table(pip: int) -> SuitTable:
    """The seven tiles with this pip are called."""
    return _table(_Suits(called=_WITH_PIP[pip], called_pip=pip))


@cache
def _doubles_table(must_follow_number: bool) -> SuitTable:
    return _table(_Suits(called=DOUBLES, number_fallback=must_follow_number))


def _table(suits: _Suits) -> SuitTable:
    pips = tuple(suits.pips(tile) for tile in TILES)
    # Every tile as it usually leads, then every tile led as its smaller end where it has one.
    leads = [(tile, pips[INDEX[tile]][0]) for tile in TILES]
    leads += [(tile, pips[INDEX[tile]][-1]) for tile in TILES]
    fallback = tuple(
        suits.pip_suit(pip) if suits.number_fallback and tile.is_double else 0 for tile, pip in leads
    )
    power = [suits.power(tile, pip) for tile, pip in leads]
    # A small-end lead is itself a number from SMALL_END on, so its row is there twice.
    power[SMALL_END:] = [row + row for row in power[SMALL_END:]]
    called = [at for at in range(len(TILES)) if power[at][at] >= CALLED_POWER]
    return SuitTable(
        follow=tuple(suits.suit_led(tile, pip)[0] for tile, pip in leads),
        fallback=fallback,
        power=tuple(power),
        has_fallback=any(fallback),
        names=tuple(suits.name(tile, pip) for tile, pip in leads),
        pips=pips,
        beating=tuple(
            sum(BIT[at] for at in range(len(TILES)) if row[at] > row[led]) for led, row in enumerate(power)
        ),
        called_ranked=tuple(BIT[at] for at in sorted(called, key=lambda at: power[at][at])),
    )


def _no_trump(doubles: Doubles) -> Callable[[Ruleset], TrickRules]:
    return lambda rules: no_trump_table(doubles)


def _follow_me(rules: Ruleset) -> TrickRules:
    # Where the declarer calls the doubles, plain follow me is not offered; it is read as high.
    return no_trump_table("high" if rules.follow_me_doubles == "as_called" else rules.follow_me_doubles)


def _nello(rules: Ruleset) -> TrickRules:
    return no_trump_table("own_suit" if rules.nello_doubles == "as_called" else rules.nello_doubles)


def _pip(pip: int) -> Callable[[Ruleset], TrickRules]:
    return lambda rules: pip_table(pip)


_TRICK_RULES: Mapping[Trump, Callable[[Ruleset], TrickRules]] = MappingProxyType(
    {
        **{Trump.of_pip(pip): _pip(pip) for pip in range(7)},
        Trump.DOUBLES: lambda rules: _doubles_table(rules.doubles_trump == "must_follow_number"),
        Trump.FOLLOW_ME: _follow_me,
        Trump.FOLLOW_ME_HIGH: _no_trump("high"),
        Trump.FOLLOW_ME_LOW: _no_trump("low"),
        Trump.NELLO: _nello,
        Trump.NELLO_OWN_SUIT: _no_trump("own_suit"),
        Trump.NELLO_HIGH: _no_trump("high"),
        Trump.NELLO_LOW: _no_trump("low"),
        Trump.NELLO_REVERSED: _no_trump("own_suit_reversed"),
        Trump.SEVENS: lambda rules: NearestSeven(),
    }
)
