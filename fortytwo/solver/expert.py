"""The expert bot: draws worlds that fit what it knows, and lets the solver judge each choice in them.

It knows no more than the other bots: the calls, the plays, its own tiles. What the calls say of the
others' tiles it takes from what a club player would have bid.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean

from ..bids import Call
from ..contract import make_contract
from ..deal import Deal
from ..goals import HAND_POINTS
from ..rules import Ruleset
from ..seats import SEATS
from ..suits import PLAIN_TRUMPS, SuitTable, Trump, trick_rules
from ..tiles import Tile
from ..view import HandView
from .bots import CAUTION, Club, Table, bid_up_to, holding_of, least_call, offered, play_by_rule
from .judgement import Prospect, expected_points, is_nello, prospects
from .numbering import numbering
from .position import Masks, Position
from .solver import Solver
from .worlds import Knowledge, NoWorld, Worlds, auction_of

WORLDS = 12
"""How many worlds it looks at for one choice."""
LIKELY = 0.9
"""The share of worlds with all tricks for a bid of a mark; for two marks all must have them."""
WORTH_A_LOOK = 27
"""Expected points from which it looks closer at a holding before it bids."""
NAMED_TRUMPS = 2
"""How many trumps it compares."""
PASS_BELOW = 34
"""Expected points from which a pass is odd."""
MARK_FROM = 38
"""Expected points that explain a bid of marks."""
SLACK = 3
"""Points that a bid may be above what its holding is worth."""
ODD_CALL = 0.2
"""The chance that it gives a call which the holding does not explain."""


class Expert(Club):
    """As strong as the number of `worlds`. It keeps a solver, so it is for one thread."""

    def __init__(
        self, rules: Ruleset, rng: random.Random, *, worlds: int = WORLDS, solver: Solver | None = None
    ) -> None:
        super().__init__(rules, rng)
        self.worlds = worlds
        self.solver = solver or Solver()

    def call(self, view: HandView) -> Call:
        special = self._special(view)
        if special is not None:
            return special
        found = prospects(holding_of(view), self.rules, Call.of_points(30))
        if found[0].points < WORTH_A_LOOK:
            return least_call(view)
        worlds = self._worlds(view)
        return bid_up_to(view, max(self._limit(view, item, worlds) for item in found[:NAMED_TRUMPS]))

    def name_trump(self, view: HandView) -> Trump:
        assert view.bid is not None
        forced = auction_of(view, self.rules).was_forced
        found = prospects(holding_of(view), self.rules, view.bid, forced=forced)
        choice = [item.trump for item in found[:NAMED_TRUMPS]]
        choice += [trump for trump in offered(view, self.rules) if is_nello(trump)]
        if len(choice) == 1:
            return choice[0]
        worlds = self._worlds(view)
        return max(choice, key=lambda trump: self._made(view, trump, worlds))

    def play(self, view: HandView) -> Tile:
        table = Table.of(view, self.rules)
        if len(table.legal) == 1 or view.made is not None:
            return play_by_rule(table)
        wins = dict.fromkeys(table.legal, 0)
        bidding = table.seat.side is table.contract.side
        for world in self._worlds(view):
            outcomes = self.solver.will_make_after(_in_play(table, world), table.contract)
            for play, made in outcomes.items():
                wins[play.tile] += made is bidding
        most = max(wins.values())
        return play_by_rule(replace(table, legal=tuple(tile for tile in table.legal if wins[tile] == most)))

    def _limit(self, view: HandView, item: Prospect, worlds: Sequence[Masks]) -> int:
        """The highest bid that is made often enough, as the rank of a call."""
        assert view.seat is not None
        starts = [Position.start(Deal(world), item.trump, view.seat, self.rules) for world in worlds]
        points = sorted(self.solver.points(start)[view.seat.side] for start in starts)
        if not points:
            return 0
        if points[0] == HAND_POINTS:
            return Call.of_marks(2).rank
        if points[int((1 - LIKELY) * len(points))] == HAND_POINTS:
            return Call.of_marks(1).rank
        # A dozen worlds are about as far off as the rule of thumb, so each counts half.
        return round((item.points + fmean(points)) / 2) - CAUTION

    def _made(self, view: HandView, trump: Trump, worlds: Sequence[Masks]) -> int:
        """In how many worlds the bid is made under this trump."""
        assert view.declarer is not None
        assert view.bid is not None
        forced = auction_of(view, self.rules).was_forced
        contract = make_contract(self.rules, view.declarer, view.bid, trump, forced=forced)
        starts = [Position.start(Deal(world), trump, contract.leader, self.rules) for world in worlds]
        return sum(self.solver.will_make(start, contract) for start in starts)

    def _worlds(self, view: HandView) -> list[Masks]:
        """Worlds that fit what was called and played, likelier where they explain the calls."""
        knowledge = Knowledge.of(view, self.rules)
        try:
            worlds = Worlds(knowledge)
        except NoWorld:
            # Somebody has reneged; the rules of thumb must do.
            return []
        tables = [trick_rules(trump, self.rules) for trump in PLAIN_TRUMPS]
        numbers = [numbering(table) for table in tables if isinstance(table, SuitTable)]
        heard = [(seat.number, call) for seat, call in view.calls if seat is not view.seat]

        def weight(world: Masks) -> float:
            chance = 1.0
            for at, call in heard:
                dealt = world[at] | knowledge.played[at]
                best = max(expected_points(dealt, number) for number in numbers)
                fits = best < PASS_BELOW if call.is_pass else best >= min(call.needed, MARK_FROM) - SLACK
                chance *= 1.0 if fits else ODD_CALL
            return chance

        return worlds.draws(self.rng, self.worlds, weight) or worlds.draws(self.rng, self.worlds)


def _in_play(table: Table, world: Masks) -> Position:
    """The moment of play in this world."""
    contract, view = table.contract, table.view
    holdings = tuple(mask if seat in contract.seats else 0 for seat, mask in zip(SEATS, world, strict=True))
    north, east, south, west = holdings
    return Position(
        contract.tricks, contract.seats, (north, east, south, west), table.seat, view.table, view.points
    )
