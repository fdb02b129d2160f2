"""When a hand is made or set, and what it then gives: goals, and the scoring of an event.

A *goal* is what the bidding side promised: that it reaches, or never reaches, some points in tricks.
A *scoring* turns a settled hand into what both sides write down: marks, or points towards the target
of a points game. A hand is *settled* when what both sides write down is fixed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Protocol

from .bids import Call
from .rules import Ruleset, SetScores
from .seats import PerSide, Side

HAND_POINTS = 42
HAND_TRICKS = 7
MARK_POINTS = 42
"""What one mark of a bid counts in a points game."""


class Goal(Protocol):
    """When the bid is made or set. `needed` is what the bidding side has to take, None where it has to
    take nothing. Once the bidding side reaches `limit` the hand is decided: made if `reached`. The limit is
    in points where they `count`, else in tricks."""

    @property
    def needed(self) -> int | None: ...

    @property
    def count(self) -> bool: ...

    @property
    def limit(self) -> int: ...

    @property
    def reached(self) -> bool: ...

    def outcome(self, side: Side, points: PerSide, tricks: PerSide) -> bool | None:
        """True made, False set, None open, for this bidding side after whole tricks."""


@dataclass(frozen=True, slots=True)
class TakePoints:
    """Made with the points promised, set when the defence has 43 less. All seven tricks are 42 points
    and every trick is worth one at least, so a promise of all tricks is one of 42."""

    needed: int

    @property
    def count(self) -> bool:
        return True

    @property
    def limit(self) -> int:
        return self.needed

    @property
    def reached(self) -> bool:
        return True

    def outcome(self, side: Side, points: PerSide, tricks: PerSide) -> bool | None:
        if points[side] >= self.needed:
            return True
        return False if points[side.other] > HAND_POINTS - self.needed else None


@dataclass(frozen=True, slots=True)
class TakeNothing:
    """Nello: made if the bidding side has taken no trick in seven, set at the first that it takes."""

    @property
    def needed(self) -> None:
        return None

    @property
    def count(self) -> bool:
        return False

    @property
    def limit(self) -> int:
        return 1

    @property
    def reached(self) -> bool:
        return False

    def outcome(self, side: Side, points: PerSide, tricks: PerSide) -> bool | None:
        if tricks[side]:
            return False
        return True if tricks.total == HAND_TRICKS else None


ALL_TRICKS = TakePoints(HAND_POINTS)
NO_TRICK = TakeNothing()


@dataclass(frozen=True, slots=True)
class PlayedOut:
    """Another goal, where points that are still out change the score: open until the last trick.
    With `set_is_fixed` only a bid that can still be made stays open."""

    inner: Goal
    set_is_fixed: bool

    @property
    def needed(self) -> int | None:
        return self.inner.needed

    @property
    def count(self) -> bool:
        return self.inner.count

    @property
    def limit(self) -> int:
        return self.inner.limit

    @property
    def reached(self) -> bool:
        return self.inner.reached

    def outcome(self, side: Side, points: PerSide, tricks: PerSide) -> bool | None:
        told = self.inner.outcome(side, points, tricks)
        fixed = tricks.total == HAND_TRICKS or (told is False and self.set_is_fixed)
        return told if fixed else None


class Scoring(Protocol):
    """What a settled hand gives to both sides."""

    def goal(self, goal: Goal) -> Goal:
        """The goal as it settles a hand under this scoring."""

    def score(self, side: Side, bid: Call, made: bool, points: PerSide) -> PerSide:
        """For this bidding side, with the points that both sides took."""

    def needs_points(self, bid: Call, made: bool) -> bool:
        """Whether the score depends on the points taken."""

    def stake(self, bid: Call) -> int:
        """What a hand that is lost by a ruling gives to the other side."""


@dataclass(frozen=True, slots=True)
class MarksScoring:
    """The marks of the bid to the side that made it, or to the side that set it."""

    def goal(self, goal: Goal) -> Goal:
        return goal

    def stake(self, bid: Call) -> int:
        return bid.stake

    def score(self, side: Side, bid: Call, made: bool, points: PerSide) -> PerSide:
        return PerSide.of(side if made else side.other, bid.stake)

    def needs_points(self, bid: Call, made: bool) -> bool:
        return False


IN_MARKS = MarksScoring()


@dataclass(frozen=True, slots=True)
class PointsScoring:
    """A points game: made, each side scores what it took; set, the others score the bid, and what they
    took unless `bid_only`. A marks bid counts 42 a mark, and made has left nothing to the others."""

    bid_only: bool

    def goal(self, goal: Goal) -> Goal:
        return PlayedOut(goal, set_is_fixed=self.bid_only)

    def stake(self, bid: Call) -> int:
        return worth(bid)

    def score(self, side: Side, bid: Call, made: bool, points: PerSide) -> PerSide:
        if not made:
            return PerSide.of(side.other, worth(bid) + (0 if self.bid_only else points[side.other]))
        return PerSide.of(side, worth(bid)) if bid.is_marks else points

    def needs_points(self, bid: Call, made: bool) -> bool:
        return not bid.is_marks if made else not self.bid_only


@dataclass(frozen=True, slots=True)
class WorthScoring:
    """A points game where points in tricks mean nothing, as in nello: the bid to one side."""

    def goal(self, goal: Goal) -> Goal:
        return goal

    def stake(self, bid: Call) -> int:
        return worth(bid)

    def score(self, side: Side, bid: Call, made: bool, points: PerSide) -> PerSide:
        return PerSide.of(side if made else side.other, worth(bid))

    def needs_points(self, bid: Call, made: bool) -> bool:
        return False


def worth(bid: Call) -> int:
    """What a bid counts in a points game."""
    return MARK_POINTS * bid.stake if bid.is_marks else bid.value


def hand_scoring(rules: Ruleset, *, tricks_count: bool = True) -> Scoring:
    """The scoring of the rule set; `tricks_count` is False where points in tricks mean nothing."""
    return _scoring(rules.scoring == "points", rules.set_scores, tricks_count)


@cache
def _scoring(in_points: bool, set_scores: SetScores, tricks_count: bool) -> Scoring:
    if not in_points:
        return IN_MARKS
    return PointsScoring(set_scores == "bid_only") if tricks_count else WorthScoring()
