"""What the rules of an event make of a breach: a ruling as data, for a director to confirm or decide.

An *irregularity* is what happened, with its evidence. A *ruling* says what follows from it and who has
to say so: the rules alone, the other side by choosing, or the director. *Stake*: what the hand is worth,
its marks, or in a points game the worth of its bid. Nothing here changes a hand: a ruling is a record of
its own, which can be taken back, and `Ruling.applied` gives the result that it leads to.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Literal

from .bids import Call
from .contract import Contract
from .goals import MARK_POINTS
from .irregularities import FalseSpecial, Finding
from .result import HandResult
from .rules import Ruleset
from .seats import PerSide, Seat, Side
from .tiles import Tile


class Offence(StrEnum):
    """What can go wrong at a table in a hand of 42."""

    RENEGE = "renege"
    LEAD_OUT_OF_TURN = "lead_out_of_turn"
    EXPOSED_TILE = "exposed_tile"
    TOUCHED_TILE = "touched_tile"
    BID_OUT_OF_TURN = "bid_out_of_turn"
    FALSE_SPECIAL = "false_special"
    MISDEAL = "misdeal"
    WRONG_LAYDOWN = "wrong_laydown"
    TALK = "talk"


class Effect(StrEnum):
    """What a ruling does."""

    HAND_LOST = "hand_lost"
    ONE_MARK = "one_mark"
    CALL_REFUSED = "call_refused"
    CALL_STANDS = "call_stands"
    RESHAKE = "reshake"
    TILE_STAYS_UP = "tile_stays_up"
    TILE_MUST_BE_PLAYED = "tile_must_be_played"
    PLAY_GOES_ON = "play_goes_on"
    WARNING = "warning"
    GAME_LOST = "game_lost"
    MATCH_LOST = "match_lost"
    DISQUALIFIED = "disqualified"


Decider = Literal["rules", "other_side", "director"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Irregularity:
    """`seat` is the offender, None where nobody is named, as in a misdeal. `trick` counts from 1;
    `evidence` is what the record proves, else what was seen is in `note`."""

    offence: Offence
    seat: Seat | None = None
    trick: int | None = None
    tile: Tile | None = None
    call: Call | None = None
    evidence: Finding | None = None
    note: str = ""

    @classmethod
    def of(cls, finding: Finding) -> Irregularity:
        """What a finding of the record proves."""
        if isinstance(finding, FalseSpecial):
            offence = Offence.FALSE_SPECIAL
            return cls(offence=offence, seat=finding.seat, call=finding.call, evidence=finding)
        offence = Offence.RENEGE
        return cls(
            offence=offence, seat=finding.seat, trick=finding.trick, tile=finding.played, evidence=finding
        )

    def to_json(self) -> dict[str, object]:
        return {
            "offence": str(self.offence),
            "seat": _text(self.seat),
            "trick": self.trick,
            "tile": _text(self.tile),
            "call": _text(self.call),
            "evidence": self.evidence.to_json() if self.evidence else None,
            "note": self.note,
        }


@dataclass(frozen=True, slots=True)
class Ruling:
    """What follows from an irregularity. `effects` are those that one of `decided_by` chooses from;
    where the rules decide there is just one. `marks` is what the hand then gives, None where the hand
    goes on or somebody has to choose first."""

    irregularity: Irregularity
    decided_by: Decider
    effects: tuple[Effect, ...]
    stake: int | None = None
    unit: int = 1
    """What one mark is in the score of the game."""

    @property
    def needs_director(self) -> bool:
        return self.decided_by == "director"

    @property
    def marks(self) -> PerSide | None:
        return self.marks_of(self.effects[0]) if self.decided_by == "rules" else None

    def marks_of(self, effect: Effect) -> PerSide | None:
        """What the hand gives by this effect; None where that says nothing about the hand."""
        seat = self.irregularity.seat
        if seat is None:
            return None
        if effect is Effect.ONE_MARK:
            return PerSide.of(seat.side.other, self.unit)
        lost = effect is Effect.HAND_LOST and self.stake is not None
        return PerSide.of(seat.side.other, self.stake or 0) if lost else None

    def choose(self, effect: Effect) -> Ruling:
        """The ruling once whoever decides has chosen one of its effects."""
        return replace(self, decided_by="rules", effects=(effect,))

    def applied(self, result: HandResult) -> HandResult:
        """The result of the hand under this ruling; unchanged where it says nothing about the hand."""
        marks, seat = self.marks, self.irregularity.seat
        if marks is None or seat is None or self.effects[0] is not Effect.HAND_LOST:
            return result if marks is None else replace(result, marks=marks)
        made = None if result.declarer is None else result.declarer.side is not seat.side
        return replace(result, marks=marks, made=made)

    def to_json(self) -> dict[str, object]:
        marks = self.marks
        return {
            "irregularity": self.irregularity.to_json(),
            "decided_by": self.decided_by,
            "effects": [str(effect) for effect in self.effects],
            "marks": None if marks is None else marks.to_json(),
        }


def rule_on(rules: Ruleset, what: Irregularity, contract: Contract | None = None) -> Ruling:
    """What these rules make of an irregularity; `contract` is that of the hand, once there is one.

    Where a hand is lost before its contract is known, the director has to say what it gives.
    """
    decided_by, effects = _BOOK[what.offence](rules)
    if what.seat is None and decided_by != "director" and effects[0] in _TO_A_SIDE:
        decided_by = "director"
    stake = None if contract is None else contract.scoring.stake(contract.bid)
    if stake is None and decided_by == "rules" and effects[0] is Effect.HAND_LOST:
        decided_by = "director"
    return Ruling(what, decided_by, effects, stake, MARK_POINTS if rules.scoring == "points" else 1)


def rule_on_findings(
    rules: Ruleset, findings: Sequence[Finding], contract: Contract | None = None
) -> tuple[Ruling, ...]:
    """A ruling for everything that a record proves, in order. Where both sides broke the rules, the
    director decides on all of it."""
    rulings = tuple(rule_on(rules, Irregularity.of(finding), contract) for finding in findings)
    sides: set[Side] = {finding.seat.side for finding in findings}
    if len(sides) < 2:
        return rulings
    return tuple(replace(ruling, decided_by="director") for ruling in rulings)


_Page = tuple[Decider, tuple[Effect, ...]]
_TO_A_SIDE = (Effect.HAND_LOST, Effect.ONE_MARK)
_PENALTIES = (Effect.HAND_LOST, Effect.ONE_MARK, Effect.WARNING, Effect.PLAY_GOES_ON)


def _renege(rules: Ruleset) -> _Page:
    if rules.renege == "director":
        return "director", _PENALTIES
    return "rules", (Effect.HAND_LOST if rules.renege == "hand_lost" else Effect.ONE_MARK,)


def _lead_out_of_turn(rules: Ruleset) -> _Page:
    if rules.lead_out_of_turn_is_renege:
        return _renege(rules)
    return "director", (Effect.TILE_STAYS_UP, Effect.PLAY_GOES_ON, *_PENALTIES[:3])


def _bid_out_of_turn(rules: Ruleset) -> _Page:
    if rules.bid_out_of_turn == "reshake_choice":
        return "other_side", (Effect.RESHAKE, Effect.CALL_REFUSED)
    stands = rules.bid_out_of_turn == "stands_no_raise"
    return "rules", (Effect.CALL_STANDS if stands else Effect.CALL_REFUSED,)


def _misdeal(rules: Ruleset) -> _Page:
    if rules.misdeal == "director":
        return "director", (Effect.RESHAKE, Effect.PLAY_GOES_ON)
    return "rules", (Effect.RESHAKE,)


def _wrong_laydown(rules: Ruleset) -> _Page:
    if rules.claim == "stated_order":
        return "rules", (Effect.HAND_LOST,)
    if rules.claim == "off":
        return "director", (Effect.TILE_STAYS_UP, *_PENALTIES)
    return "rules", (Effect.PLAY_GOES_ON,)


_BOOK: Mapping[Offence, Callable[[Ruleset], _Page]] = MappingProxyType(
    {
        Offence.RENEGE: _renege,
        Offence.LEAD_OUT_OF_TURN: _lead_out_of_turn,
        Offence.EXPOSED_TILE: lambda rules: ("rules", (Effect.TILE_STAYS_UP,)),
        Offence.TOUCHED_TILE: lambda rules: ("rules", (Effect.TILE_MUST_BE_PLAYED,)),
        Offence.BID_OUT_OF_TURN: _bid_out_of_turn,
        Offence.FALSE_SPECIAL: lambda rules: ("director", (*_PENALTIES, Effect.RESHAKE)),
        Offence.MISDEAL: _misdeal,
        Offence.WRONG_LAYDOWN: _wrong_laydown,
        Offence.TALK: lambda rules: (
            "director",
            (
                Effect.WARNING,
                Effect.ONE_MARK,
                Effect.HAND_LOST,
                Effect.GAME_LOST,
                Effect.MATCH_LOST,
                Effect.DISQUALIFIED,
            ),
        ),
    }
)
"""What each rule set makes of each offence."""


def _text(value: object) -> str | None:
    return None if value is None else str(value)
