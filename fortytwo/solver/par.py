"""The par table of a deal: what every seat's side gets if that seat names a trump and leads."""

from __future__ import annotations

from ..bids import Call
from ..contract import legal_trumps
from ..deal import Deal
from ..rules import Ruleset
from ..seats import SEATS, Seat
from ..suits import Trump
from .position import STRAIGHT, Position
from .solver import Solver
from .tricks import keeps_clear

ANY_BID = Call.of_marks(2)
"""A bid on which everything may be named that a rule set has."""


def par_table(
    deal: Deal, rules: Ruleset = STRAIGHT, solver: Solver | None = None
) -> dict[Seat, dict[Trump, int]]:
    """Points of the leader's side, best play by all, for every leader and trump of the rule set.
    Raises `NotSolvable` where a holding is not known."""
    solver = solver or Solver()
    table: dict[Seat, dict[Trump, int]] = {seat: {} for seat in SEATS}
    # Trump by trump, since the leaders of one trump share what the solver has found.
    for trump in _offered(rules):
        for seat in SEATS:
            position = Position.start(deal, trump, seat, rules)
            if position.in_suits:
                table[seat][trump] = solver.points(position)[seat.side]
    return table


def special_table(deal: Deal, rules: Ruleset) -> dict[Seat, dict[Trump, bool]]:
    """Whether nello and sevens would be made, where the rule set has them; empty where it has not."""
    table: dict[Seat, dict[Trump, bool]] = {}
    for trump in _offered(rules):
        for seat in SEATS:
            position = Position.start(deal, trump, seat, rules)
            if not position.in_suits:
                every_trick = len(position.seats) == len(SEATS)
                table.setdefault(seat, {})[trump] = keeps_clear(position, seat, every_trick=every_trick)
    return table


def _offered(rules: Ruleset) -> tuple[Trump, ...]:
    return legal_trumps(rules, ANY_BID, forced=True)
