"""The auction: one call each, the seat left of the shaker first, the shaker last.

A *call* is a pass, a number of points or a number of marks; a *bid* is a call that is not a pass.
One mark is written 42, two marks 84, then 3m, 4m and so on. *Standing* is the highest bid so far.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from .errors import IllegalAction, ParseError, echo
from .rules import POINTS_CALLS, Ruleset
from .seats import SEATS, Seat

Kind = Literal["pass", "points", "marks"]

MAX_MARKS = 42
"""The largest marks call that can be written, also where a rule set has no limit."""


@dataclass(frozen=True, slots=True)
class Call:
    """Use `Call.parse`, `Call.of_points`, `Call.of_marks` or `PASS`."""

    kind: Kind
    value: int = 0

    @classmethod
    def of_points(cls, points: int) -> Call:
        if type(points) is not int or points not in POINTS_CALLS:
            raise ParseError("bad_call", text=echo(str(points)))
        return cls("points", points)

    @classmethod
    def of_marks(cls, marks: int) -> Call:
        if type(marks) is not int or not 1 <= marks <= MAX_MARKS:
            raise ParseError("bad_call", text=f"{marks}m" if type(marks) is int and marks < 10**6 else "?")
        return cls("marks", marks)

    @classmethod
    def parse(cls, text: str) -> Call:
        """Read `pass`, a number of points, 42, 84 or `3m`; `1m` and `2m` are 42 and 84."""
        call = _BY_TEXT.get(text.strip().lower()) if isinstance(text, str) else None
        if call is None:
            raise ParseError("bad_call", text=echo(text))
        return call

    @property
    def is_pass(self) -> bool:
        return self.kind == "pass"

    @property
    def is_marks(self) -> bool:
        return self.kind == "marks"

    @property
    def rank(self) -> int:
        """Order of calls: a higher one beats a lower one; a pass is 0."""
        return self.value + 41 if self.kind == "marks" else self.value

    @property
    def needed(self) -> int:
        """Points that the bidding side has promised."""
        return 42 if self.kind == "marks" else self.value

    @property
    def stake(self) -> int:
        """Marks that the hand is worth."""
        return self.value if self.kind == "marks" else min(self.value, 1)

    def __str__(self) -> str:
        if self.kind == "pass":
            return "pass"
        if self.kind == "points":
            return str(self.value)
        return str(42 * self.value) if self.value <= 2 else f"{self.value}m"

    def __repr__(self) -> str:
        return f"Call.parse('{self}')"


PASS = Call("pass")

_BY_TEXT: dict[str, Call] = {
    "pass": PASS,
    **{str(points): Call("points", points) for points in POINTS_CALLS},
    **{f"{marks}m": Call("marks", marks) for marks in range(1, MAX_MARKS + 1)},
    "42": Call("marks", 1),
    "84": Call("marks", 2),
}


@dataclass(frozen=True, slots=True)
class Auction:
    """The calls so far. `Auction(rules, shaker)` is the empty one; `call` returns the next state."""

    rules: Ruleset
    shaker: Seat
    calls: tuple[Call, ...] = ()

    @property
    def order(self) -> tuple[Seat, Seat, Seat, Seat]:
        return self.shaker.left.clockwise()

    @property
    def to_act(self) -> Seat | None:
        return None if self.is_over else self.order[len(self.calls)]

    @property
    def is_over(self) -> bool:
        return len(self.calls) == len(SEATS)

    @property
    def standing(self) -> Call | None:
        """The highest bid so far."""
        bids = [call for call in self.calls if not call.is_pass]
        return bids[-1] if bids else None

    @property
    def bid(self) -> Call | None:
        """The bid that won, once the auction is over."""
        return self.standing if self.is_over else None

    @property
    def declarer(self) -> Seat | None:
        bid = self.bid
        return None if bid is None else self.order[self.calls.index(bid)]

    @property
    def thrown_in(self) -> bool:
        """Everyone passed."""
        return self.is_over and self.standing is None

    def by_seat(self) -> tuple[tuple[Seat, Call], ...]:
        return tuple(zip(self.order, self.calls, strict=False))

    def legal_calls(self) -> tuple[Call, ...]:
        """What the next seat may call, lowest first; empty when the auction is over."""
        if self.is_over:
            return ()
        return legal_calls(self.rules, len(self.calls), self.standing)

    def call(self, seat: Seat, call: Call) -> Auction:
        """Raises `IllegalAction` with the code of what is wrong with the call."""
        turn = self.to_act
        if turn is None:
            raise IllegalAction("auction_over", seat=seat, call=call)
        if seat is not turn:
            raise IllegalAction("out_of_turn", seat=seat, expected=turn)
        if call not in self.legal_calls():
            raise self._refusal(seat, call)
        return Auction(self.rules, self.shaker, (*self.calls, call))

    def _refusal(self, seat: Seat, call: Call) -> IllegalAction:
        standing, legal = self.standing, self.legal_calls()
        if call.is_pass:
            return IllegalAction("must_bid", seat=seat, minimum=legal[0])
        if standing is not None and call.rank <= standing.rank:
            return IllegalAction("call_not_higher", seat=seat, call=call, standing=standing)
        bids = [item for item in legal if not item.is_pass]
        if bids and call.rank < bids[0].rank:
            return IllegalAction("bid_below_minimum", seat=seat, call=call, minimum=bids[0])
        return IllegalAction("call_too_high", seat=seat, call=call, maximum=legal[-1])


@lru_cache(maxsize=1024)
def legal_calls(rules: Ruleset, position: int, standing: Call | None) -> tuple[Call, ...]:
    """Calls open to the seat at this position (0 first, 3 the shaker) over the standing bid."""
    forced = rules.forced_minimum if position == 3 and standing is None else None
    floor = rules.lowest_bid if forced is None else forced
    above = standing.rank if standing is not None else 0
    points = [Call("points", n) for n in range(floor, 42) if n > above]
    if standing is not None and standing.is_marks:
        low, high = standing.value + 1, standing.value + rules.raise_limit
    else:
        low, high = 1, MAX_MARKS if rules.opening_limit is None else rules.opening_limit
    marks = [Call("marks", n) for n in range(low, min(high, MAX_MARKS) + 1)]
    return (*(() if forced is not None else (PASS,)), *points, *marks)


@lru_cache(maxsize=256)
def winning_bids(rules: Ruleset) -> frozenset[tuple[int, Call]]:
    """Every (position of the declarer, bid) with which an auction under these rules can end."""
    states: set[tuple[int, Call] | None] = {None}
    for position in range(len(SEATS)):
        reached: set[tuple[int, Call] | None] = set()
        for state in states:
            for call in legal_calls(rules, position, state[1] if state else None):
                reached.add(state if call.is_pass else (position, call))
        states = reached
    return frozenset(state for state in states if state is not None)


def largest_stake(rules: Ruleset) -> int:
    """The most marks that one hand can give: the largest call that can stand."""
    return max(bid.stake for _, bid in winning_bids(rules))
