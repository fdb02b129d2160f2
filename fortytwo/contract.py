"""The contract of a hand: who declares, what was bid, how tricks work, who leads, when it is settled.

A contract is a value put together from parts behind one interface: `TrickRules` (how tiles follow and
win), the seats that play, a `Goal` (when it is made or set) and a `Scoring` (what it then gives).
What can be named is a `Family` each: a variant is one more family, and the hand never asks which
contract it plays. *Sitting out*: a seat whose tiles lie face down for the whole hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType

from .bids import Call
from .errors import IllegalAction
from .goals import ALL_TRICKS, IN_MARKS, NO_TRICK, Goal, Scoring, TakePoints, hand_scoring
from .rules import Ruleset
from .seats import SEATS, PerSide, Seat, Side
from .suits import PLAIN_TRUMPS, TrickRules, Trump, trick_rules

NOTHING = PerSide()


@dataclass(frozen=True, slots=True)
class Contract:
    """What is played. `seats` are those that play, clockwise from the leader of the first trick."""

    trump: Trump
    declarer: Seat
    bid: Call
    tricks: TrickRules = field(repr=False)
    goal: Goal
    seats: tuple[Seat, ...]
    scoring: Scoring = IN_MARKS

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

    @property
    def sits_out(self) -> Seat | None:
        """The seat that does not play."""
        return next((seat for seat in SEATS if seat not in self.seats), None)

    def after(self, seat: Seat) -> Seat:
        """The seat that plays after this one."""
        following = seat.left
        return following if following in self.seats else following.left

    def outcome(self, points: PerSide, tricks: PerSide) -> bool | None:
        return self.goal.outcome(self.side, points, tricks)

    def marks(self, made: bool, points: PerSide = NOTHING) -> PerSide:
        """What the hand gives once it is settled with these points taken: marks, or points where the
        game is played in points."""
        return self.scoring.score(self.side, self.bid, made, points)


@dataclass(frozen=True, slots=True)
class Family:
    """A kind of contract. `offered` says whether it may be named on this bid; `forced` is a bid that
    the shaker had to make."""

    offered: Callable[[Ruleset, Call, bool], bool]
    goal: Callable[[Call], Goal]
    partner_sits_out: bool = False
    tricks_count: bool = True
    """Points in tricks mean something."""


def legal_trumps(rules: Ruleset, bid: Call, *, forced: bool = False) -> tuple[Trump, ...]:
    """What may be named on this bid."""
    return tuple(trump for trump, family in FAMILIES.items() if family.offered(rules, bid, forced))


def namer(declarer: Seat, bid: Call) -> Seat:
    """Who names the trump and leads."""
    return declarer.partner if bid.partner_leads else declarer


def trick_size(trump: Trump | None) -> int:
    """Tiles in a trick under this trump; one that is not known is taken for a plain one."""
    return len(SEATS) - (trump is not None and FAMILIES[trump].partner_sits_out)


def contract_scoring(rules: Ruleset, trump: Trump | None) -> Scoring:
    """What a hand under this trump gives."""
    return hand_scoring(rules, tricks_count=trump is None or FAMILIES[trump].tricks_count)


def promise(bid: Call, trump: Trump | None) -> Goal:
    """What the bid promises under this trump; one that is not known is taken for a plain one."""
    return _promised(bid) if trump is None else FAMILIES[trump].goal(bid)


@lru_cache(maxsize=4096)
def make_contract(
    rules: Ruleset, declarer: Seat, bid: Call, trump: Trump, *, forced: bool = False
) -> Contract:
    """Raises `IllegalAction("trump_not_offered")`."""
    family = FAMILIES[trump]
    if not family.offered(rules, bid, forced):
        raise IllegalAction("trump_not_offered", trump=trump, bid=bid)
    scoring = contract_scoring(rules, trump)
    seats = namer(declarer, bid).clockwise()
    playing = tuple(seat for seat in seats if not (family.partner_sits_out and seat is declarer.partner))
    goal = scoring.goal(family.goal(bid))
    return Contract(trump, declarer, bid, trick_rules(trump, rules), goal, playing, scoring)


def _promised(bid: Call) -> Goal:
    return TakePoints(bid.needed)


def _doubles_offered(rules: Ruleset, bid: Call, forced: bool) -> bool:
    return rules.doubles_trump != "off"


def _follow_me(called: bool) -> Family:
    def offered(rules: Ruleset, bid: Call, forced: bool) -> bool:
        on = rules.follow_me == "any_bid" or (rules.follow_me == "marks_only" and bid.is_marks)
        return on and called == (rules.follow_me_doubles == "as_called")

    return Family(offered, _promised)


def _special_offered(lowest: int | None, forced_on: bool, bid: Call, forced: bool) -> bool:
    """Nello and sevens: from a lowest marks bid, or only to a forced shaker; never by the partner."""
    if bid.partner_leads:
        return False
    if forced_on and forced:
        return True
    return lowest is not None and bid.is_marks and bid.value >= lowest


def _nello(called: bool) -> Family:
    def offered(rules: Ruleset, bid: Call, forced: bool) -> bool:
        special = rules.forced_special == "nello"
        on = _special_offered(rules.nello, special, bid, forced)
        return on and called == (rules.nello_doubles == "as_called")

    return Family(offered, lambda bid: NO_TRICK, partner_sits_out=True, tricks_count=False)


def _sevens() -> Family:
    def offered(rules: Ruleset, bid: Call, forced: bool) -> bool:
        return _special_offered(rules.sevens, rules.forced_special == "sevens", bid, forced)

    return Family(offered, lambda bid: ALL_TRICKS)


_NUMBER = Family(lambda rules, bid, forced: True, _promised)

FAMILIES: Mapping[Trump, Family] = MappingProxyType(
    {
        **dict.fromkeys(PLAIN_TRUMPS[:7], _NUMBER),
        Trump.DOUBLES: Family(_doubles_offered, _promised),
        Trump.FOLLOW_ME: _follow_me(called=False),
        Trump.FOLLOW_ME_HIGH: _follow_me(called=True),
        Trump.FOLLOW_ME_LOW: _follow_me(called=True),
        Trump.NELLO: _nello(called=False),
        Trump.NELLO_OWN_SUIT: _nello(called=True),
        Trump.NELLO_HIGH: _nello(called=True),
        Trump.NELLO_LOW: _nello(called=True),
        Trump.NELLO_REVERSED: _nello(called=True),
        Trump.SEVENS: _sevens(),
    }
)
"""The family of everything that can be named."""
