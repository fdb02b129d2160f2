"""What hands and games can add up to where a game is played in points.

*Score* of a hand: what both sides write down for it. A game in points is *open* while neither side has
the target; in one hand both sides can pass it, and the rule set says what then.
"""

from __future__ import annotations

from functools import lru_cache

from .bids import winning_bids
from .contract import contract_scoring, legal_trumps, promise
from .goals import HAND_POINTS, HAND_TRICKS
from .rules import Ruleset
from .seats import SEATS, PerSide, Side

SHAKER_PLACE = len(SEATS) - 1


def hand_scores(rules: Ruleset) -> frozenset[PerSide]:
    """Every score that a hand can give under these rules."""
    return totals_of(rules).scores


def possible_ends(ns: int, ew: int, rules: Ruleset) -> frozenset[Side]:
    """The sides that can have won a game in points that ended with these totals."""
    totals = totals_of(rules)
    winners: set[Side | None] = set()
    if max(ns, ew) < rules.target:
        return frozenset()
    leader = PerSide(ns, ew).leader
    both_past = min(ns, ew) >= rules.target
    for bidder in Side:
        for score in totals.by_bidder:
            one, other = (score.ns, score.ew) if bidder is Side.NS else (score.ew, score.ns)
            if totals.is_open(ns - one, ew - other):
                winners.add(_winner(leader, bidder, rules) if both_past else leader)
            elif both_past and totals.goes_on(ns - one, ew - other):
                winners.add(leader)
    return frozenset(side for side in winners if side is not None)


def is_open_total(ns: int, ew: int, rules: Ruleset) -> bool:
    """Whether a game in points can stand at these totals with neither side at the target."""
    return totals_of(rules).is_open(ns, ew)


class Totals:
    """What hands under one rule set add up to; worked out once."""

    def __init__(self, rules: Ruleset) -> None:
        self.rule, self.target = rules.both_past_target, rules.target
        self.by_bidder = _scores_by_bidder(rules)
        both = self.by_bidder | {PerSide(score.ew, score.ns) for score in self.by_bidder}
        self.scores = both if rules.forced_minimum is not None else both | {PerSide()}
        self.shared = [(score.ns, score.ew) for score in both if min(score.ns, score.ew) > 0]
        self.steps = [(score.ns, score.ew) for score in both]
        self.rows = self._rows()
        self.going_on: dict[tuple[int, int], bool] = {}

    def is_open(self, ns: int, ew: int) -> bool:
        """Whether a game can stand here with neither side at the target."""
        if min(ns, ew) < 0 or max(ns, ew) >= self.target:
            return False
        return bool(self.rows[ns] >> ew & 1)

    def goes_on(self, ns: int, ew: int) -> bool:
        """Whether a game can stand here with both sides past the target."""
        if min(ns, ew) < self.target or self.rule == "bidding_side":
            return False
        known = self.going_on.get((ns, ew))
        if known is None:
            known = self.going_on[ns, ew] = self._goes_on(ns, ew)
        return known

    def _goes_on(self, ns: int, ew: int) -> bool:
        level = ns == ew
        if not level and self.rule != "play_on":
            return False
        # To pass the target together both sides score in one hand.
        if any(self.is_open(ns - one, ew - other) for one, other in self.shared):
            return True
        return level and any(self.goes_on(ns - one, ew - other) for one, other in self.steps)

    def _rows(self) -> list[int]:
        """For each total of one side below the target, the totals of the other as bits."""
        full = (1 << self.target) - 1
        alone = [ew for ns, ew in self.steps if ns == 0]
        rows: list[int] = []
        for ns in range(self.target):
            row = 0 if ns else 1
            for one, other in self.steps:
                if 0 < one <= ns:
                    row |= rows[ns - one] << other
            rows.append(_closed(row & full, alone, full))
        return rows


@lru_cache(maxsize=16)
def totals_of(rules: Ruleset) -> Totals:
    return Totals(rules)


def _winner(leader: Side | None, bidder: Side, rules: Ruleset) -> Side | None:
    """Who has won when both sides passed the target in one hand; None where the game goes on."""
    if rules.both_past_target == "bidding_side":
        return bidder
    return leader if rules.both_past_target == "higher" else None


def _closed(row: int, steps: list[int], full: int) -> int:
    """The row with every sum of steps added."""
    for step in steps:
        while step <= full.bit_length():
            row |= (row << step) & full
            step *= 2
    return row


def _scores_by_bidder(rules: Ruleset) -> frozenset[PerSide]:
    """Every score, with NS as the bidding side."""
    scores = set()
    for place, bid in winning_bids(rules):
        forced = place == SHAKER_PLACE and rules.forced_minimum is not None
        for trump in legal_trumps(rules, bid, forced=forced):
            scoring, goal = contract_scoring(rules, trump), promise(bid, trump)
            for made in (True, False):
                if not scoring.needs_points(bid, made):
                    scores.add(scoring.score(Side.NS, bid, made, PerSide()))
                    continue
                for points in (PerSide(ours, HAND_POINTS - ours) for ours in range(HAND_POINTS + 1)):
                    if goal.outcome(Side.NS, points, PerSide(0, HAND_TRICKS)) is made:
                        scores.add(scoring.score(Side.NS, bid, made, points))
    return frozenset(scores)
