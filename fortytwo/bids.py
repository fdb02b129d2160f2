"""The auction: one call each, the seat left of the shaker first, the shaker last.

A *call* is a pass, a number of points or a number of marks; a *bid* is a call that is not a pass.
One mark is written 42, two marks 84, then 3m, 4m and so on. A *special* is a marks bid that promises
doubles and lets the partner name the trump: plunge4, splash3. *Standing* is the highest bid so far.
*Stated*: said out of turn, where the rules let such a call stand.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Literal

from .errors import IllegalAction, ParseError, echo
from .rules import POINTS_CALLS, Ruleset
from .seats import SEATS, Seat

Kind = Literal["pass", "points", "marks", "plunge", "splash"]

MAX_MARKS = 42
"""The largest marks call that can be written, also where a rule set has no limit."""
PLUNGE_MARKS = 4
"""The least that a plunge can be; a rule set declares its splash."""
SPECIAL_DOUBLES: Mapping[Kind, int] = MappingProxyType({"plunge": 4, "splash": 3})
"""The doubles that a special promises."""


@dataclass(frozen=True, slots=True)
class Call:
    """Use `Call.parse`, `Call.of_points`, `Call.of_marks`, `Call.special` or `PASS`."""

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
    def special(cls, kind: Literal["plunge", "splash"], marks: int) -> Call:
        if type(marks) is not int or not 2 <= marks <= MAX_MARKS:
            raise ParseError("bad_call", text=echo(f"{kind}?"))
        return cls(kind, marks)

    @classmethod
    def parse(cls, text: str) -> Call:
        """Read `pass`, a number of points, 42, 84, `3m`, `plunge4` or `splash3`; `1m` and `2m` are 42
        and 84, and a hyphen may stand before the marks of a special."""
        call = _BY_TEXT.get(text.strip().lower()) if isinstance(text, str) else None
        if call is None:
            raise ParseError("bad_call", text=echo(text))
        return call

    @property
    def is_pass(self) -> bool:
        return self.kind == "pass"

    @property
    def is_marks(self) -> bool:
        """A bid of marks, specials among them."""
        return self.kind not in ("pass", "points")

    @property
    def doubles(self) -> int:
        """Doubles that the caller must hold."""
        return SPECIAL_DOUBLES.get(self.kind, 0)

    @property
    def partner_leads(self) -> bool:
        """The declarer's partner names the trump, without consulting, and leads."""
        return self.kind in SPECIAL_DOUBLES

    @property
    def rank(self) -> int:
        """Order of calls: a higher one beats a lower one; a pass is 0."""
        return self.value + 41 if self.is_marks else self.value

    @property
    def needed(self) -> int:
        """Points that the bid promises where a trump is named."""
        return 42 if self.is_marks else self.value

    @property
    def stake(self) -> int:
        """Marks that the hand is worth."""
        return self.value if self.is_marks else min(self.value, 1)

    def __str__(self) -> str:
        if self.kind == "marks":
            return str(42 * self.value) if self.value <= 2 else f"{self.value}m"
        if self.kind == "points":
            return str(self.value)
        return "pass" if self.is_pass else f"{self.kind}{self.value}"

    def __repr__(self) -> str:
        return f"Call.parse('{self}')"


PASS = Call("pass")

_BY_TEXT: dict[str, Call] = {
    "pass": PASS,
    **{str(points): Call("points", points) for points in POINTS_CALLS},
    **{f"{marks}m": Call("marks", marks) for marks in range(1, MAX_MARKS + 1)},
    "42": Call("marks", 1),
    "84": Call("marks", 2),
    **{
        f"{kind}{mark}{marks}": Call(kind, marks)
        for kind in SPECIAL_DOUBLES
        for mark in ("", "-")
        for marks in range(2, MAX_MARKS + 1)
    },
}


@dataclass(frozen=True, slots=True)
class Stated:
    """A call said out of turn that stands, said after so many calls in turn."""

    seat: Seat
    call: Call
    after: int


@dataclass(frozen=True, slots=True)
class Auction:
    """The calls so far, in turn. `Auction(rules, shaker)` is the empty one; `call` returns the next
    state. A call out of turn is refused, or stands and is entered when its turn comes: as it was said
    if it is higher than the standing bid by then, else as a pass."""

    rules: Ruleset
    shaker: Seat
    calls: tuple[Call, ...] = ()
    stated: tuple[Stated, ...] = ()

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

    @property
    def was_forced(self) -> bool:
        """The shaker had to bid, since everyone else passed."""
        return (
            self.is_over
            and self.rules.forced_minimum is not None
            and all(call.is_pass for call in self.calls[:-1])
        )

    def by_seat(self) -> tuple[tuple[Seat, Call], ...]:
        """Every call in turn."""
        return tuple(zip(self.order, self.calls, strict=False))

    def as_said(self) -> tuple[tuple[Seat, Call], ...]:
        """Every call in the order in which it was said; `call` makes the same auction of them."""
        early = {item.seat: item.call for item in self.stated}
        said: list[tuple[Seat, Call]] = []
        for place in range(len(SEATS) + 1):
            said += [(item.seat, item.call) for item in self.stated if item.after == place]
            for seat, call in self.by_seat()[place : place + 1]:
                # A forced shaker that had stated a pass spoke again; all others were entered.
                if seat not in early or (early[seat].is_pass and not call.is_pass):
                    said.append((seat, call))
        return tuple(said)

    def legal_calls(self) -> tuple[Call, ...]:
        """What the next seat may call, lowest first; empty when the auction is over. A special is
        offered whatever the seat holds."""
        if self.is_over:
            return ()
        return legal_calls(self.rules, len(self.calls), self.standing)

    def call(self, seat: Seat, call: Call) -> Auction:
        """Raises `IllegalAction` with the code of what is wrong with the call."""
        turn = self.to_act
        if turn is None:
            raise IllegalAction("auction_over", seat=seat, call=call)
        if seat is not turn:
            return self._state(seat, call, turn)
        if call not in self.legal_calls():
            raise self._refusal(seat, call)
        after = Auction(self.rules, self.shaker, (*self.calls, call), self.stated)
        return after._enter_stated() if self.stated else after

    def _state(self, seat: Seat, call: Call, turn: Seat) -> Auction:
        """A call out of turn."""
        if self.rules.bid_out_of_turn != "stands_no_raise":
            raise IllegalAction("out_of_turn", seat=seat, expected=turn)
        if seat in self.order[: len(self.calls)] or any(item.seat is seat for item in self.stated):
            raise IllegalAction("called_already", seat=seat, call=call)
        if not call.is_pass and call not in self.legal_calls():
            raise self._refusal(seat, call)
        return replace(self, stated=(*self.stated, Stated(seat, call, len(self.calls))))

    def _enter_stated(self) -> Auction:
        """Enter what the next seats have said before their turn."""
        auction = self
        while (turn := auction.to_act) is not None:
            said = next((item.call for item in auction.stated if item.seat is turn), None)
            if said is None:
                break
            standing = auction.standing
            entered = said if standing is None or said.rank > standing.rank else PASS
            if entered.is_pass and PASS not in auction.legal_calls():
                # A forced shaker has to bid, whatever was said.
                break
            auction = replace(auction, calls=(*auction.calls, entered))
        return auction

    def _refusal(self, seat: Seat, call: Call) -> IllegalAction:
        standing, legal = self.standing, self.legal_calls()
        if call.is_pass:
            return IllegalAction("must_bid", seat=seat, minimum=legal[0])
        if standing is not None and call.rank <= standing.rank:
            return IllegalAction("call_not_higher", seat=seat, call=call, standing=standing)
        if call.partner_leads:
            same = [item for item in legal if item.kind == call.kind]
            if not same:
                return IllegalAction("call_not_offered", seat=seat, call=call)
            return IllegalAction("special_differs", seat=seat, call=call, expected=same[0])
        bids = [item for item in legal if not item.is_pass and not item.partner_leads]
        if bids and call.rank < bids[0].rank:
            return IllegalAction("bid_below_minimum", seat=seat, call=call, minimum=bids[0])
        return IllegalAction("call_too_high", seat=seat, call=call, maximum=bids[-1] if bids else PASS)


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
    bids = sorted([*points, *marks, *_specials(rules, low - 1)], key=lambda call: call.rank)
    return (*(() if forced is not None else (PASS,)), *bids)


def _specials(rules: Ruleset, standing_marks: int) -> list[Call]:
    """Plunge and splash: what they are declared at, or one over marks that stand as high or higher.
    The limits of opening and raising do not hold for them."""
    lowest: dict[Kind, int] = {}
    if rules.splash is not None:
        lowest["splash"] = rules.splash
    if rules.plunge:
        lowest["plunge"] = PLUNGE_MARKS
    calls = [Call(kind, max(least, standing_marks + 1)) for kind, least in lowest.items()]
    return [call for call in calls if call.value <= MAX_MARKS]


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
