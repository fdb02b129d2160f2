"""The contract of a hand: who declares, what was bid, how tricks work, who leads, when it is settled.

A contract is a value put together from parts behind one interface: `TrickRules` (how tiles follow and
win), the seats that play, and a `Goal` (when it is made or set). A variant is other parts, and one more
entry in `BUILDERS`; the hand never asks which contract it plays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Protocol

from .bids import Call
from .errors import IllegalAction
from .rules import Ruleset
from .seats import PerSide, Seat, Side
from .suits import TrickRules, Trump, trick_rules

HAND_POINTS = 42
HAND_TRICKS = 7


class Goal(Protocol):
    """When the bid is made or set."""

    def outcome(self, side: Side, points: PerSide, tricks: PerSide) -> bool | None:
        """True made, False set, None open, for this bidding side after whole tricks."""


@dataclass(frozen=True, slots=True)
class TakePoints:
    """Made with the points promised, set when the defence has 43 less. All seven tricks are 42 points
    and every trick is worth one at least, so a marks bid is a promise of 42."""

    needed: int

    def outcome(self, side: Side, points: PerSide, tricks: PerSide) -> bool | None:
        if points[side] >= self.needed:
            return True
        return False if points[side.other] > HAND_POINTS - self.needed else None


@dataclass(frozen=True, slots=True)
class Contract:
    """What is played. `seats` are those that play, clockwise from the leader of the first trick."""

    trump: Trump
    declarer: Seat
    bid: Call
    tricks: TrickRules = field(repr=False)
    goal: Goal
    seats: tuple[Seat, ...]

    @property
    def leader(self) -> Seat:
        return self.seats[0]

    @property
    def side(self) -> Side:
        """The bidding side."""
        return self.declarer.side

    @property
    def stake(self) -> int:
        return self.bid.stake

    @property
    def size(self) -> int:
        """Tiles in a trick."""
        return len(self.seats)

    def after(self, seat: Seat) -> Seat:
        """The seat that plays after this one."""
        following = seat.left
        return following if following in self.seats else following.left

    def outcome(self, points: PerSide, tricks: PerSide) -> bool | None:
        return self.goal.outcome(self.side, points, tricks)

    def marks(self, made: bool) -> PerSide:
        """Marks of the hand once it is made or set."""
        return PerSide.of(self.side if made else self.side.other, self.stake)


Builder = Callable[[Ruleset, Seat, Call, Trump], Contract]


def legal_trumps(rules: Ruleset, bid: Call) -> tuple[Trump, ...]:
    """What may be named on this bid."""
    offered = [Trump.of_pip(pip) for pip in range(7)]
    if rules.doubles_trump != "off":
        offered.append(Trump.DOUBLES)
    if rules.follow_me == "any_bid" or (rules.follow_me == "marks_only" and bid.is_marks):
        offered.append(Trump.FOLLOW_ME)
    return tuple(offered)


def namer(declarer: Seat, bid: Call) -> Seat:
    """Who names the trump: the declarer, for every bid that can be made so far."""
    return declarer


@lru_cache(maxsize=4096)
def make_contract(rules: Ruleset, declarer: Seat, bid: Call, trump: Trump) -> Contract:
    """Raises `IllegalAction("trump_not_offered")`."""
    if trump not in legal_trumps(rules, bid):
        raise IllegalAction("trump_not_offered", trump=trump, bid=bid)
    return BUILDERS[bid.kind](rules, declarer, bid, trump)


def _suit_contract(rules: Ruleset, declarer: Seat, bid: Call, trump: Trump) -> Contract:
    tricks = trick_rules(trump, rules)
    return Contract(trump, declarer, bid, tricks, TakePoints(bid.needed), declarer.clockwise())


BUILDERS: Mapping[str, Builder] = MappingProxyType({"points": _suit_contract, "marks": _suit_contract})
"""How each kind of bid becomes a contract."""
