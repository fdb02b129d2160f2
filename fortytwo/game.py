"""A game: hands are recorded in turn until a side has won.

*Target*: the marks that a game is played to, or the points of a points game; *score* is in the same. The
winner's score can pass the target; the raw figure is kept. The shake moves one seat clockwise after
every hand, thrown in or not. *Timed*: stopped by the clock or by a cap on hands; the hand that is being
played is finished, then the leader wins.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, overload

from .bids import largest_stake
from .errors import IllegalAction, ImpossibleRecord, ParseError, echo
from .hand import Hand
from .result import HandResult, check_hand_marks
from .rules import Ruleset
from .seats import PerSide, Seat, Side
from .totals import is_open_total, possible_ends


@dataclass(frozen=True, slots=True)
class Game:
    """Start with `Game(rules, first_shaker)`; `record` returns the next state."""

    rules: Ruleset
    first_shaker: Seat | None = None
    """None where it is not known, as in a marks-only record."""
    hands: tuple[HandResult, ...] = ()

    @property
    def shaker(self) -> Seat | None:
        """Who shakes the next hand; None when the game is over or the first shake is not known."""
        if self.first_shaker is None or self.is_over:
            return None
        return self.first_shaker.clockwise()[len(self.hands) % 4]

    @property
    def score(self) -> PerSide:
        """Raw marks or points of both sides."""
        total = PerSide()
        for hand in self.hands:
            total += hand.marks
        return total

    @property
    def winner(self) -> Side | None:
        """None while the game goes on. In points it can turn on who had the last bid."""
        total, passed = PerSide(), False
        for hand in self.hands:
            total += hand.marks
            if min(total.ns, total.ew) < self.rules.target or self.rules.scoring == "marks":
                winner = game_winner(total, self.rules)
            elif passed or self.rules.both_past_target == "higher":
                winner = total.leader
            elif self.rules.both_past_target == "bidding_side":
                winner = hand.declarer.side if hand.declarer else total.leader
            else:
                winner, passed = None, True
            if winner is not None:
                return winner
        return None

    @property
    def is_over(self) -> bool:
        return self.winner is not None

    def record(self, hand: Hand | HandResult) -> Game:
        """Add a closed hand or its result. Raises `IllegalAction`: game_over, wrong_shaker,
        hand_not_over, bidder_needed and those of `check_hand_marks`."""
        result = hand.result() if isinstance(hand, Hand) else hand
        if self.is_over:
            raise IllegalAction("game_over", score=str(self.score))
        expected = self.shaker
        if expected is not None and result.shaker not in (None, expected):
            raise IllegalAction("wrong_shaker", seat=result.shaker, expected=expected)
        check_hand_marks(self.rules, result)
        total = self.score + result.marks
        both_past = self.rules.scoring == "points" and min(total.ns, total.ew) >= self.rules.target
        if both_past and self.rules.both_past_target == "bidding_side" and result.declarer is None:
            raise IllegalAction("bidder_needed", target=self.rules.target)
        return replace(self, hands=(*self.hands, result))

    def time_called(self, drawn: Side | None = None) -> Side | None:
        """The winner when time is called now, between hands; None where a tie stands. `drawn` is the
        side that drew the higher domino. Raises `ImpossibleRecord` as `check_game_score`."""
        score = self.score
        return check_game_score(score.ns, score.ew, self.rules, timed=True, winner=self.winner or drawn)


def game_winner(score: PerSide, rules: Ruleset) -> Side | None:
    """The side that has won at this score, or None while the game goes on, or where both sides of a
    points game have passed the target and the score does not tell."""
    leader = score.leader
    if leader is None or score[leader] < rules.target:
        return None
    if rules.scoring == "points":
        ends = possible_ends(score.ns, score.ew, rules) if score[leader.other] >= rules.target else {leader}
        return next(iter(ends)) if len(ends) == 1 else None
    needed_lead = 2 if rules.win_by_two else 1
    return leader if score[leader] - score[leader.other] >= needed_lead else None


def capped(score: PerSide, rules: Ruleset) -> PerSide:
    """The score as counted where an event caps it at the target."""
    return PerSide(min(score.ns, rules.target), min(score.ew, rules.target))


@overload
def check_game_score(
    ns: int, ew: int, rules: Ruleset, *, timed: Literal[False] = False, winner: Side | None = None
) -> Side: ...


@overload
def check_game_score(
    ns: int, ew: int, rules: Ruleset, *, timed: bool, winner: Side | None = None
) -> Side | None: ...


def check_game_score(
    ns: int, ew: int, rules: Ruleset, *, timed: bool = False, winner: Side | None = None
) -> Side | None:
    """The winner of a game with this final score.

    A game that was not `timed` has reached the target. A timed one may also stand anywhere before:
    the leader has won, and a tie is settled as the rules say: by another hand, by a draw (name the
    `winner`), or it stands and the answer is None. `winner` may be given always, and has to be where
    the score does not tell. Raises `ImpossibleRecord`: score_no_winner, score_short, score_after_end,
    score_too_high, score_unreachable, score_tied, winner_needed, winner_contradicts_score.
    """
    score = PerSide(ns, ew)
    if timed and _is_unfinished(score, rules):
        told = _timed_winner(score, rules, winner)
    elif rules.scoring == "points":
        told = _points_winner(score, rules, winner)
    else:
        told = _marks_winner(score, rules)
    if winner is not None and winner is not told:
        raise ImpossibleRecord("winner_contradicts_score", score=str(score), winner=winner)
    return told


def possible_game_score(ns: int, ew: int, rules: Ruleset, *, timed: bool = False) -> bool:
    """Whether a game can end with this score, whoever has won it."""
    for winner in (None, *Side):
        try:
            check_game_score(ns, ew, rules, timed=timed, winner=winner)
        except ImpossibleRecord:
            continue
        return True
    return False


def largest_winning_marks(loser: int, rules: Ruleset) -> int:
    """The most marks that the winner can have over a loser with these marks: the last state in
    which the game went on, and the largest call that can stand."""
    last_open = rules.target - 1
    if rules.win_by_two:
        last_open = max(last_open, loser + 1)
    return last_open + largest_stake(rules)


def _is_unfinished(score: PerSide, rules: Ruleset) -> bool:
    """Whether a game can stand here and go on."""
    if min(score.ns, score.ew) < 0:
        return False
    if rules.scoring == "points":
        return is_open_total(score.ns, score.ew, rules)
    if rules.win_by_two and min(score.ns, score.ew) >= rules.target - 1:
        return abs(score.ns - score.ew) < 2
    return max(score.ns, score.ew) < rules.target


def _timed_winner(score: PerSide, rules: Ruleset, winner: Side | None) -> Side | None:
    leader = score.leader
    if leader is not None:
        return leader
    if rules.timed_tie == "one_hand":
        raise ImpossibleRecord("score_tied", score=str(score), next="another hand is played")
    if rules.timed_tie == "draw_domino" and winner is None:
        raise ImpossibleRecord("winner_needed", score=str(score))
    return winner if rules.timed_tie == "draw_domino" else None


def _points_winner(score: PerSide, rules: Ruleset, winner: Side | None) -> Side:
    if max(score.ns, score.ew) < rules.target:
        code = "score_no_winner" if score.leader is None or min(score.ns, score.ew) < 0 else "score_short"
        raise ImpossibleRecord(code, score=str(score), target=rules.target)
    ends = possible_ends(score.ns, score.ew, rules)
    if not ends:
        raise ImpossibleRecord("score_unreachable", score=str(score))
    if len(ends) == 1:
        return next(iter(ends))
    if winner is None:
        raise ImpossibleRecord("winner_needed", score=str(score))
    return winner


def _marks_winner(score: PerSide, rules: Ruleset) -> Side:
    leader, best = score.leader, max(score.ns, score.ew)
    if min(score.ns, score.ew) < 0 or leader is None:
        raise ImpossibleRecord("score_no_winner", score=str(score))
    if best < rules.target or game_winner(score, rules) is None:
        code = "score_short" if best < rules.target else "score_no_winner"
        raise ImpossibleRecord(code, score=str(score), target=rules.target)
    if score[leader.other] >= rules.target and not rules.win_by_two:
        raise ImpossibleRecord("score_after_end", score=str(score))
    maximum = largest_winning_marks(score[leader.other], rules)
    if best > maximum:
        raise ImpossibleRecord("score_too_high", score=str(score), maximum=maximum)
    return leader


def parse_score(text: str) -> PerSide:
    """Read "7-4" as the score of NS and EW. Raises `ParseError("bad_score")`."""
    parts = text.strip().split("-") if isinstance(text, str) else []
    if len(parts) != 2 or not all(part.isascii() and part.isdigit() and len(part) <= 3 for part in parts):
        raise ParseError("bad_score", text=echo(text))
    return PerSide(int(parts[0]), int(parts[1]))


def parse_scores(text: str) -> tuple[PerSide, ...]:
    """Read "7-4,5-7,7-3". Raises `ParseError("bad_score")`."""
    if not isinstance(text, str):
        raise ParseError("bad_score", text=echo(text))
    return tuple(parse_score(part) for part in text.split(","))
