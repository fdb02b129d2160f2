"""A game: hands are recorded in turn until a side has the marks to win.

*Target*: the marks a game is played to. The winner's marks can pass it; the raw figure is kept.
The shake moves one seat clockwise after every hand, thrown in or not.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from .bids import largest_stake
from .errors import IllegalAction, ImpossibleRecord, ParseError, echo
from .hand import Hand
from .result import HandResult, check_hand_marks
from .rules import Ruleset
from .seats import PerSide, Seat, Side


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
        """Raw marks of both sides."""
        total = PerSide()
        for hand in self.hands:
            total += hand.marks
        return total

    @property
    def winner(self) -> Side | None:
        return game_winner(self.score, self.rules)

    @property
    def is_over(self) -> bool:
        return self.winner is not None

    def record(self, hand: Hand | HandResult) -> Game:
        """Add a closed hand or its result. Raises `IllegalAction`: game_over, wrong_shaker,
        hand_not_over and those of `check_hand_marks`."""
        result = hand.result() if isinstance(hand, Hand) else hand
        if self.is_over:
            raise IllegalAction("game_over", score=str(self.score))
        expected = self.shaker
        if expected is not None and result.shaker not in (None, expected):
            raise IllegalAction("wrong_shaker", seat=result.shaker, expected=expected)
        check_hand_marks(self.rules, result)
        return replace(self, hands=(*self.hands, result))


def game_winner(score: PerSide, rules: Ruleset) -> Side | None:
    """The side that has won at these marks, or None while the game goes on."""
    leader = score.leader
    if leader is None or score[leader] < rules.target:
        return None
    needed_lead = 2 if rules.win_by_two else 1
    return leader if score[leader] - score[leader.other] >= needed_lead else None


def capped(score: PerSide, rules: Ruleset) -> PerSide:
    """The marks as counted where an event caps them at the target."""
    return PerSide(min(score.ns, rules.target), min(score.ew, rules.target))


def check_game_score(ns: int, ew: int, rules: Ruleset) -> Side:
    """The winner of an untimed game with these final marks. Raises `ImpossibleRecord`:
    score_no_winner, score_short, score_after_end, score_too_high."""
    score = PerSide(ns, ew)
    leader, best = score.leader, max(ns, ew)
    if min(ns, ew) < 0 or leader is None:
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


def possible_game_score(ns: int, ew: int, rules: Ruleset) -> bool:
    """Whether an untimed game can end with these marks."""
    try:
        check_game_score(ns, ew, rules)
    except ImpossibleRecord:
        return False
    return True


def largest_winning_marks(loser: int, rules: Ruleset) -> int:
    """The most marks that the winner can have over a loser with these marks: the last state in
    which the game went on, and the largest call that can stand."""
    last_open = rules.target - 1
    if rules.win_by_two:
        last_open = max(last_open, loser + 1)
    return last_open + largest_stake(rules)


def parse_score(text: str) -> PerSide:
    """Read "7-4" as marks of NS and EW. Raises `ParseError("bad_score")`."""
    parts = text.strip().split("-") if isinstance(text, str) else []
    if len(parts) != 2 or not all(part.isascii() and part.isdigit() and len(part) <= 3 for part in parts):
        raise ParseError("bad_score", text=echo(text))
    return PerSide(int(parts[0]), int(parts[1]))


def parse_scores(text: str) -> tuple[PerSide, ...]:
    """Read "7-4,5-7,7-3". Raises `ParseError("bad_score")`."""
    if not isinstance(text, str):
        raise ParseError("bad_score", text=echo(text))
    return tuple(parse_score(part) for part in text.split(","))
