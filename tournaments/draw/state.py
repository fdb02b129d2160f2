"""The values that describe a bracket under way. `advance` computes them; nothing here decides anything.

Terms
-----
slot      what is known of a place: `open` (nobody yet), `filled` (a team) or `empty` (nobody will ever come).
cause     why a slot holds what it holds: the match that decided it and the reason.
result    what was confirmed for a match. Only confirmed results are ever given to this package.
stale     a result that cannot count because the two teams of the match are not, or no longer,
          those it was for.

The values are generic in the type of an entry, for annotations only: write `slot: Slot[int] = Slot()`, as calling
`Slot[int]()` fails for a frozen class with slots on Python 3.11.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Generic, Literal, TypeAlias, TypeVar

from tournaments.draw.plan import Place, Side

E = TypeVar("E")

Outcome: TypeAlias = Literal["played", "forfeit", "withdrawal", "double-forfeit"]
SlotStatus: TypeAlias = Literal["open", "filled", "empty"]
MatchStatus: TypeAlias = Literal["waiting", "ready", "decided", "bye", "void", "not-needed"]
CauseReason: TypeAlias = Literal[
    "draw", "won", "lost", "forfeit", "withdrawal", "double-forfeit", "bye", "nobody", "not-needed"
]

CLOSED: frozenset[MatchStatus] = frozenset({"decided", "bye", "void", "not-needed"})


@dataclass(frozen=True, slots=True)
class Result(Generic[E]):
    """The confirmed result of one match.

    `winner` is None for a double forfeit and a side otherwise. `loser_goes_on` says whether the loser of a
    played or forfeited match may take its next place, if there is one; after a withdrawal or a double
    forfeit nobody does. `between` names the teams on sides a and b it was confirmed for: while the match
    holds others, the result is stale and counts nowhere. Without it the result counts for whoever is there.
    """

    outcome: Outcome
    winner: Side | None
    loser_goes_on: bool = True
    between: tuple[E, E] | None = None

    def __post_init__(self) -> None:
        if (self.winner is None) != (self.outcome == "double-forfeit"):
            raise ValueError("a result has a winner unless it is a double forfeit")


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a slot is filled or empty. `match` is None for a team that stands there by the draw.

    Filled: `draw`, `won`, `lost`, `forfeit`, `withdrawal` (won by the other's), `bye`.
    Empty: `forfeit` or `lost` (the loser does not go on), `withdrawal`, `double-forfeit`, `bye` (a bye has
    no loser), `nobody` (nobody came to the match before), `not-needed` (a reset match).
    """

    match: int | None
    reason: CauseReason


@dataclass(frozen=True, slots=True)
class Slot(Generic[E]):
    """What is known of a place. `entry` is set exactly when `status` is `filled`."""

    status: SlotStatus = "open"
    entry: E | None = None
    cause: Cause | None = None


@dataclass(frozen=True, slots=True)
class MatchState(Generic[E]):
    """Where one match stands.

    waiting     a slot is still open
    ready       both teams are known and nothing is decided
    decided     won by a side, or by nobody (`winner` None: a double forfeit, or both withdrew
                before the title or third place was played); `automatic` when withdrawals alone decided it
    bye         one team was there and passed on unplayed (`winner` is its side)
    void        nobody came, or a withdrawn team alone stood in a match that leads nowhere
    not-needed  a reset match after the unbeaten side won, or after nobody could play it

    `result_is_stale` marks a result that was given for this match and does not count.
    """

    number: int
    a: Slot[E]
    b: Slot[E]
    status: MatchStatus
    outcome: Outcome | None = None
    winner: Side | None = None
    loser_goes_on: bool = False
    automatic: bool = False
    result_is_stale: bool = False

    @property
    def is_closed(self) -> bool:
        """Nothing more is to happen here unless something is corrected."""
        return self.status in CLOSED

    @property
    def winning_entry(self) -> E | None:
        """The team that goes on as winner, also by a bye."""
        return None if self.winner is None else self.slot(self.winner).entry

    @property
    def losing_entry(self) -> E | None:
        """The team that lost to `winning_entry`; None for byes and double forfeits."""
        if self.status != "decided" or self.winner is None:
            return None
        return (self.b if self.winner == "a" else self.a).entry

    def slot(self, side: Side) -> Slot[E]:
        """The slot of a side."""
        return self.a if side == "a" else self.b


@dataclass(frozen=True, slots=True)
class Filling(Generic[E]):
    """A place that is settled: a team, or None when nobody will ever come."""

    match: int
    side: Side
    entry: E | None
    cause: Cause

    @property
    def slot(self) -> Slot[E]:
        """The same as a slot."""
        return Slot("empty" if self.entry is None else "filled", self.entry, self.cause)


@dataclass(frozen=True, slots=True)
class Change(Generic[E]):
    """A place whose stored slot differs from the derived one."""

    place: Place
    before: Slot[E]
    after: Slot[E]


@dataclass(frozen=True, slots=True)
class BracketState(Generic[E]):
    """A whole bracket at one moment. `matches[n - 1]` is match n.

    `champion` is None while the title is open and also when it stays vacant; `is_finished` tells these apart.
    """

    matches: tuple[MatchState[E], ...]
    champion: E | None
    withdrawn: tuple[E, ...] = ()
    _slots: Mapping[Place, Slot[E]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        slots: dict[Place, Slot[E]] = {}
        for match in self.matches:
            slots[Place(match.number, "a")] = match.a
            slots[Place(match.number, "b")] = match.b
        object.__setattr__(self, "_slots", MappingProxyType(slots))

    @property
    def slots(self) -> Mapping[Place, Slot[E]]:
        """Every place with its slot, in match order."""
        return self._slots

    @property
    def is_finished(self) -> bool:
        """No match is left to play, the one for third place included."""
        return all(match.is_closed for match in self.matches)

    @property
    def ready(self) -> tuple[MatchState[E], ...]:
        """The matches that can be played now."""
        return tuple(match for match in self.matches if match.status == "ready")

    @property
    def stale(self) -> tuple[MatchState[E], ...]:
        """The matches whose given result does not count."""
        return tuple(match for match in self.matches if match.result_is_stale)

    @property
    def fillings(self) -> tuple[Filling[E], ...]:
        """Every settled place in match order."""
        return tuple(
            Filling(place.match, place.side, slot.entry, slot.cause)
            for place, slot in self._slots.items()
            if slot.cause is not None
        )

    def match(self, number: int) -> MatchState[E]:
        """The state of this match. Raises KeyError."""
        if not 1 <= number <= len(self.matches):
            raise KeyError(number)
        return self.matches[number - 1]
