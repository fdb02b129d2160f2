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


@lru_cache(maxsize=64)
def hand_scores(rules: Ruleset) -> frozenset[PerSide]:
    """Every score that a hand can give under these rules."""
    by_bidder = _scores_by_bidder(rules)
    scores = set(by_bidder) | {PerSide(score.ew, score.ns) for score in by_bidder}
    if rules.forced_minimum is None:
        scores.add(PerSide())
    return frozenset(scores)


def possible_ends(ns: int, ew: int, rules: Ruleset) -> frozenset[Side]:
    """The sides that can have won a game in points that ended with these totals."""
    winners = set()
    final, target = PerSide(ns, ew), rules.target
    both_past = min(ns, ew) >= target
    for bidder in Side:
        for score in _scores_by_bidder(rules):
            given = score if bidder is Side.NS else PerSide(score.ew, score.ns)
            before = PerSide(final.ns - given.ns, final.ew - given.ew)
            if _is_open(before, rules) and max(ns, ew) >= target:
                winners.add(_winner(final, bidder, rules) if both_past else final.leader)
            elif _goes_on(before, rules):
                winners.add(final.leader)
    return frozenset(side for side in winners if side is not None)


def _winner(final: PerSide, bidder: Side, rules: Ruleset) -> Side | None:
    """Who has won when both sides passed the target in one hand; None where the game goes on."""
    if rules.both_past_target == "bidding_side":
        return bidder
    return final.leader if rules.both_past_target == "higher" else None


def _goes_on(state: PerSide, rules: Ruleset) -> bool:
    """Whether a game can stand here with both sides past the target."""
    rule = rules.both_past_target
    if min(state.ns, state.ew) < rules.target or rule == "bidding_side":
        return False
    before = [PerSide(state.ns - score.ns, state.ew - score.ew) for score in hand_scores(rules)]
    just_passed = any(_is_open(earlier, rules) for earlier in before)
    level = state.leader is None
    if just_passed and (level or rule == "play_on"):
        return True
    return level and any(earlier != state and _goes_on(earlier, rules) for earlier in before)


def is_open_total(ns: int, ew: int, rules: Ruleset) -> bool:
    """Whether a game in points can stand at these totals with neither side at the target."""
    return _is_open(PerSide(ns, ew), rules)


def _is_open(state: PerSide, rules: Ruleset) -> bool:
    if min(state.ns, state.ew) < 0 or max(state.ns, state.ew) >= rules.target:
        return False
    return bool(_open_totals(rules)[state.ns] >> state.ew & 1)


@lru_cache(maxsize=16)
def _open_totals(rules: Ruleset) -> tuple[int, ...]:
    """For each total of one side below the target, the totals of the other as bits."""
    target, full = rules.target, (1 << rules.target) - 1
    scores = {score for score in hand_scores(rules) if score.total}
    alone = sorted(score.ew for score in scores if score.ns == 0)
    rows: list[int] = []
    for ns in range(target):
        row = 0 if ns else 1
        for score in scores:
            if 0 < score.ns <= ns:
                row |= rows[ns - score.ns] << score.ew
        rows.append(_closed(row & full, alone, full))
    return tuple(rows)


def _closed(row: int, steps: list[int], full: int) -> int:
    """The row with every sum of steps added."""
    for step in steps:
        while step <= full.bit_length():
            row |= (row << step) & full
            step *= 2
    return row


@lru_cache(maxsize=64)
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
