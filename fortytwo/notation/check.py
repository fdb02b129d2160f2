"""Re-playing a document: everything in it that contradicts the rules, or the rest of the document.

Each contradiction is a `Problem` with the line that says it; a document without problems is *sound*. A hand
that cannot go on is left at its first illegal call or play, and the check goes on with the next one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

from ..claims import recorded_claim
from ..errors import Fact, FortyTwoError, IllegalAction
from ..game import Game, check_game_score
from ..hand import Hand
from ..irregularities import Finding, Renege
from ..match import Match
from ..result import HandResult
from ..rules import Ruleset
from ..seats import PerSide, Side
from .build import level_of, record_of, result_of, ruled_marks
from .document import (
    BestOf,
    Calls,
    ClaimLine,
    Document,
    FinalLine,
    Named,
    ResultLine,
    RulingLine,
    ScoreLine,
    Shaker,
    SitsOut,
    TrickLine,
)
from .structure import Part, parts_of

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong, and the line that says it; `game` and `hand` are numbers where it is in one."""

    line: int
    code: str
    message: str
    facts: tuple[tuple[str, Fact], ...] = ()
    game: int | None = None
    hand: int | None = None

    def to_json(self) -> dict[str, object]:
        where = {"line": self.line, "game": self.game, "hand": self.hand}
        return {**where, "code": self.code, **dict(self.facts), "message": self.message}


def check(document: Document, rules: Ruleset | None = None) -> tuple[Problem, ...]:
    """Every contradiction, in the order of the file; `rules` hold where it says none. Games or hands
    that stand alone are numbered from the first one's number."""
    found: list[Problem] = []
    number = 0
    for part in parts_of(document, rules):
        number = number + 1 if number else part.number or 1
        found += _CHECKS[part.kind](part, number)
    return tuple(found)


def _match(part: Part, number: int) -> Iterator[Problem]:
    best_of, final = part.said(BestOf), part.said(FinalLine)
    match: Match | None = None
    try:
        match = Match(part.rules, 1 if best_of is None else best_of.games)
    except IllegalAction as error:
        yield _problem(part.line_of(BestOf), error)
    for at, game in enumerate(part.parts, 1):
        yield from _game(game, at)
        score = game.said(ScoreLine)
        if match is not None and best_of is not None and score is not None:
            try:
                match = match.record(score.score, timed=score.timed, winner=score.winner)
            except FortyTwoError as error:
                # What is wrong with the score alone was said already.
                if error.code == "match_decided":
                    yield _problem(game.line, error, game=at)
                match = None
    if final is not None and match is not None and best_of is not None and match.wins != final.games:
        differs = IllegalAction("games_won_differ", games=str(final.games), expected=str(match.wins))
        yield _problem(part.line_of(FinalLine), differs)


def _game(part: Part, number: int) -> Iterator[Problem]:
    yield from (replace(problem, game=number) for problem in _in_game(part, number))


def _in_game(part: Part, number: int) -> Iterator[Problem]:
    yield from _numbered(part, number)
    shaker, score = part.said(Shaker), part.said(ScoreLine)
    game: Game | None = Game(part.rules, None if shaker is None else shaker.seat)
    extra = PerSide()
    for ruling in part.every(RulingLine):
        extra += ruling.marks or PerSide()
    for at, hand in enumerate(part.parts, 1):
        found: list[Problem] = []
        result = _hand_result(hand, at, found)
        yield from found
        if result is None or game is None:
            game = None
            continue
        if game.first_shaker is None and result.shaker is not None:
            first = result.shaker.clockwise()[-(at - 1) % 4]
            game = replace(game, first_shaker=first)
        try:
            game = game.record(result)
        except IllegalAction as error:
            yield _problem(hand.line, error, hand=at)
            game = None
    if score is not None:
        total = game.score + extra if game is not None and part.parts else None
        yield from _score(part, score, total, None if game is None else game.winner)


def _score(part: Part, said: ScoreLine, total: PerSide | None, winner: Side | None) -> Iterator[Problem]:
    line = part.line_of(ScoreLine)
    if total is not None and total != said.score:
        yield _problem(line, IllegalAction("score_differs", score=str(said.score), expected=str(total)))
    try:
        known = said.winner or winner
        check_game_score(said.score.ns, said.score.ew, part.rules, timed=said.timed, winner=known)
    except FortyTwoError as error:
        yield _problem(line, error)


def _hand(part: Part, number: int) -> Iterator[Problem]:
    found: list[Problem] = []
    _hand_result(part, number, found)
    yield from found


def _hand_result(part: Part, number: int, found: list[Problem]) -> HandResult | None:
    """What the hand gave, None where it is not over or cannot be followed; adds the problems."""
    problems = list(_numbered(part, number))
    result = None
    if level_of(part) == "full":
        result = _replayed(part, problems)
    else:
        try:
            result = result_of(part)
        except FortyTwoError as error:
            problems.append(_problem(part.line_of(ResultLine), error))
    found += [replace(problem, hand=number) for problem in problems]
    marks = ruled_marks(part)
    return result if result is None or marks is None else replace(result, marks=marks)


def _replayed(part: Part, problems: list[Problem]) -> HandResult | None:
    hand = _Replay(part, problems).run()
    if hand is None:
        return None
    for finding in hand.verify().findings:
        facts = {name: _fact(value) for name, value in finding.to_json().items()}
        facts.pop("message")
        code = str(facts.pop("code"))
        problems.append(Problem(_line_of(part, finding), code, str(finding), tuple(facts.items())))
    said = part.said(ResultLine)
    ruled = ruled_marks(part)
    if not hand.is_closed:
        if said is not None and ruled is None:
            problems.append(_problem(part.line_of(ResultLine), IllegalAction("hand_not_over")))
        return None if ruled is None else HandResult(ruled, hand.shaker, hand.declarer)
    if said is not None:
        problems += _result(part, said, hand, ruled)
    return hand.result()


def _result(part: Part, said: ResultLine, hand: Hand, ruled: PerSide | None) -> Iterator[Problem]:
    """Where the written result differs from what was played."""
    line = part.line_of(ResultLine)
    made = {True: "made", False: "set", None: "thrown-in" if hand.auction.thrown_in else None}[hand.made]
    marks = hand.marks if ruled is None else ruled
    tricks = None if hand.declarer is None else hand.tricks_taken[hand.declarer.side]
    for what, written, played in (
        ("outcome", said.outcome, made),
        ("marks", said.marks, marks),
        ("points", said.points, hand.points),
        ("tricks", said.tricks, tricks),
    ):
        if written is not None and written != played and not (what == "outcome" and ruled is not None):
            error = IllegalAction("result_differs", what=what, said=str(written), expected=str(played))
            yield _problem(line, error)


class _Replay:
    """A hand part in full play, step by step."""

    def __init__(self, part: Part, problems: list[Problem]) -> None:
        self.part, self.problems = part, problems

    def run(self) -> Hand | None:
        """The hand after everything that could be followed, None where nothing could."""
        part = self.part
        record = self.at(part.line, record_of, part)
        if record is None:
            return None
        hand: Hand | None = Hand.start(record.rules, record.shaker, record.deal)
        for seat, call in record.calls:
            hand = self.at(part.line_of(Calls), hand.call, seat, call) if hand else None
        if hand and record.trump is not None:
            hand = self.at(part.line_of(Named), hand.name_trump, record.trump)
        for line in part.lines:
            if hand and isinstance(line.statement, SitsOut):
                self.sits_out(line.number, hand, line.statement)
            if hand and isinstance(line.statement, TrickLine):
                hand = self.trick(line.number, hand, line.statement)
            if hand and isinstance(line.statement, ClaimLine):
                said = line.statement
                hand = self.at(line.number, recorded_claim, hand, said.seat, said.order, said.made)
        return hand

    def at(self, line: int, move: Callable[..., T], *args: object) -> T | None:
        """A step, or None and a problem."""
        try:
            return move(*args)
        except FortyTwoError as error:
            self.problems.append(_problem(line, error))
            return None

    def sits_out(self, line: int, hand: Hand, said: SitsOut) -> None:
        expected = hand.contract.sits_out if hand.contract else None
        if expected is not said.seat:
            self.problems.append(
                _problem(line, IllegalAction("sits_out_differs", seat=said.seat, expected=expected))
            )

    def trick(self, line: int, hand: Hand, said: TrickLine) -> Hand | None:
        if hand.table:
            self.problems.append(_problem(line, IllegalAction("trick_open", seat=hand.turn)))
            return None
        after: Hand | None = hand
        for play in said.plays:
            after = self.at(line, after.play, play.seat, play.tile, play.suit) if after else None
        if after is None:
            return None
        closed = len(after.tricks) > len(hand.tricks)
        taken = (after.tricks[-1].winner, after.tricks[-1].points) if closed else (None, None)
        if said.winner is not None and (said.winner, said.points) != taken:
            error = IllegalAction(
                "trick_differs",
                said=f"{said.winner} {said.points}",
                expected=f"{taken[0]} {taken[1]}" if closed else "nobody yet",
            )
            self.problems.append(_problem(line, error))
        return after


def _line_of(part: Part, finding: Finding) -> int:
    if not isinstance(finding, Renege):
        return part.line_of(Calls)
    tricks = [line for line in part.lines if isinstance(line.statement, TrickLine)]
    return tricks[finding.trick - 1].number


def _numbered(part: Part, number: int) -> Iterator[Problem]:
    if part.number not in (None, number):
        error = IllegalAction("number_differs", kind=part.kind, number=part.number, expected=number)
        yield _problem(part.line, error)


def _problem(line: int, error: FortyTwoError, game: int | None = None, hand: int | None = None) -> Problem:
    return Problem(line, error.code, error.message, tuple(error.facts.items()), game, hand)


def _fact(value: object) -> Fact:
    return value if isinstance(value, (str, int, bool)) or value is None else str(value)


_CHECKS: dict[str, Callable[[Part, int], Iterator[Problem]]] = {
    "match": _match,
    "game": _game,
    "hand": _hand,
}
