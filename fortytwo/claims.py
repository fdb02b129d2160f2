"""Claims: the seat on lead says how the rest of a hand will end.

Three *meanings*, and the rule set says which is in force:
*every line*: accepted only if every legal continuation of all seats gives the same result, whichever way
that is (in a points game: the same two totals); else refused without penalty.
*claimer knowledge*: the same in every layout that the claimer cannot exclude, so that neither answer tells
it anything about hidden tiles.
*stated order*: the claimer plays its tiles in the order that it names, as far as following suit lets it,
everyone else anything legal; accepted if its side takes every trick, and one line that loses a trick
forfeits the hand.

Everything is exact. A claim that needs more than `work` plays to be tried, by default what takes about a
second, is *undecided*, never refused. Known holdings are searched by the compiled search where it was built.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from .claim_lines import WORK, Asked, known_search
from .claim_search import HiddenWorld, Line, OutOfWork, Search
from .contract import NOTHING
from .errors import IllegalAction
from .goals import HAND_TRICKS
from .hand import Claimed, Hand
from .position import Knowledge, Position, between_tricks
from .seats import SEATS, PerSide, Seat, Side
from .suits import SMALL_END
from .tiles import TILES, Tile
from .trick import Play


class Meaning(StrEnum):
    """What a claim says; the values are those of the switch `claim`."""

    EVERY_LINE = "every_line"
    STATED_ORDER = "stated_order"
    CLAIMER_KNOWLEDGE = "claimer_knowledge"


class Verdict(StrEnum):
    ACCEPTED = "accepted"
    REFUSED = "refused"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimAnswer:
    """`made` and `marks` are the result of an accepted claim, and of a wrong one that `forfeits` the hand;
    `points` the final points where they are fixed. `lines` are the evidence of a refusal: lines of play
    with different results, or one that loses a trick. They show tiles, so they are not for players."""

    meaning: Meaning
    seat: Seat
    verdict: Verdict
    made: bool | None = None
    marks: PerSide | None = None
    points: PerSide | None = None
    lines: tuple[tuple[Play, ...], ...] = ()
    work: int = 0

    @property
    def is_accepted(self) -> bool:
        return self.verdict is Verdict.ACCEPTED

    @property
    def forfeits(self) -> bool:
        """A wrong claim that loses the hand."""
        return self.verdict is Verdict.REFUSED and self.marks is not None

    def close(self, hand: Hand, order: Sequence[Tile] = ()) -> Hand:
        """The hand as this claim ends it. Raises `IllegalAction`: claim_refused, claim_undecided and
        those of `Hand.end_by_claim`."""
        if self.made is None or self.marks is None:
            if self.verdict is Verdict.UNDECIDED:
                raise IllegalAction("claim_undecided")
            raise IllegalAction("claim_refused")
        return hand.end_by_claim(Claimed(self.seat, self.made, self.marks, tuple(order)))

    def to_json(self) -> dict[str, object]:
        """The answer without its lines."""
        return {
            "meaning": str(self.meaning),
            "seat": str(self.seat),
            "verdict": str(self.verdict),
            "accepted": self.is_accepted,
            "made": self.made,
            "marks": None if self.marks is None else self.marks.to_json(),
            "points": None if self.points is None else self.points.to_json(),
            "forfeits": self.forfeits,
        }


def claim(
    hand: Hand,
    seat: Seat,
    order: Sequence[Tile] = (),
    *,
    work: int | None = None,
    backend: str | None = None,
) -> ClaimAnswer:
    """A claim by the rules of the hand; `order` where they ask for it, `backend` as for solvers. Raises
    `IllegalAction`: claim_off, claim_not_on_lead, claim_order_wrong and those of `Position.of`."""
    if hand.rules.claim == "off":
        raise IllegalAction("claim_off")
    _, leader = between_tricks(hand)
    if seat is not leader:
        raise IllegalAction("claim_not_on_lead", seat=seat, expected=leader)
    meaning = Meaning(hand.rules.claim)
    if meaning is Meaning.CLAIMER_KNOWLEDGE:
        return claim_by_knowledge(Knowledge.of(hand, seat), work=work)
    position = Position.of(hand)
    if meaning is Meaning.EVERY_LINE:
        return claim_every_line(position, work=work, backend=backend)
    return claim_in_order(position, order, work=work, backend=backend)


def recorded_claim(
    hand: Hand, seat: Seat, order: Sequence[Tile] = (), made: bool | None = None, *, work: int | None = None
) -> Hand:
    """The hand as it was ended by a claim at the table. Where the claim can be checked it is; where tiles
    are not known, or it is too much work, the recorded outcome stands. Raises `IllegalAction` as `claim`
    and `ClaimAnswer.close`, and claim_contradicts, points_missing."""
    try:
        answer = claim(hand, seat, order, work=work)
    except IllegalAction as error:
        if error.code != "deal_unknown" or made is None:
            raise
    else:
        if answer.verdict is not Verdict.UNDECIDED or made is None:
            if made not in (None, answer.made) and answer.made is not None:
                raise IllegalAction("claim_contradicts", outcome="made" if answer.made else "set")
            return answer.close(hand, order)
    contract, _ = between_tricks(hand)
    if contract.scoring.needs_points(contract.bid, made):
        raise IllegalAction("points_missing")
    return hand.end_by_claim(Claimed(seat, made, contract.marks(made), tuple(order)))


def claim_every_line(
    position: Position, *, work: int | None = None, backend: str | None = None
) -> ClaimAnswer:
    """The claim of the seat on lead that every line gives the same result."""
    search = known_search(position, work=work, backend=backend)
    return _same_result(Meaning.EVERY_LINE, search, position)


def claim_by_knowledge(known: Knowledge, *, work: int | None = None) -> ClaimAnswer:
    """The claim of the seat on lead that every line of every layout gives the same result."""
    most = WORK if work is None else work
    search = Search(HiddenWorld(known), known.contract, work=most, first_lead=known.first_lead)
    return _same_result(Meaning.CLAIMER_KNOWLEDGE, search, known)


def claim_in_order(
    position: Position, order: Sequence[Tile], *, work: int | None = None, backend: str | None = None
) -> ClaimAnswer:
    """The claim of the seat on lead that its side takes all the rest if it plays in this order."""
    seat, contract = position.leader, position.contract
    side, held = seat.side, position.held[seat.number]
    if len(order) != held.bit_count() or sum({tile.mask for tile in order}) != held:
        raise IllegalAction("claim_order_wrong", seat=seat, count=held.bit_count())
    search = known_search(position, order, work=work, backend=backend)
    given, left = search.work, search.world.left(search.world.start)
    answer = _Answer(Meaning.STATED_ORDER, seat)
    try:
        loses = search.reaches(1 - _number(side), seat.number, 1)
    except OutOfWork:
        return answer.give(Verdict.UNDECIDED, work=given)
    if loses:
        lost = contract.side is not side
        marks = PerSide.of(side.other, contract.scoring.stake(contract.bid))
        lines = (_plays(search.line),)
        return answer.give(Verdict.REFUSED, made=lost, marks=marks, lines=lines, work=given - search.work)
    points = position.points + PerSide.of(side, left)
    tricks = position.tricks + PerSide.of(side, HAND_TRICKS - position.tricks.total)
    made = contract.outcome(points, tricks)
    assert made is not None, "seven tricks settle every hand"
    marks = contract.marks(made, points)
    return answer.give(Verdict.ACCEPTED, made=made, marks=marks, points=points, work=given - search.work)


class _Answer(NamedTuple):
    """The start of every answer to one claim."""

    meaning: Meaning
    seat: Seat

    def give(
        self,
        verdict: Verdict,
        *,
        work: int,
        made: bool | None = None,
        marks: PerSide | None = None,
        points: PerSide | None = None,
        lines: tuple[tuple[Play, ...], ...] = (),
    ) -> ClaimAnswer:
        return ClaimAnswer(
            meaning=self.meaning,
            seat=self.seat,
            verdict=verdict,
            made=made,
            marks=marks,
            points=points,
            lines=lines,
            work=work,
        )


def _same_result(meaning: Meaning, search: Asked, where: Position | Knowledge) -> ClaimAnswer:
    """Whether the search finds one result only."""
    answer, given = _Answer(meaning, where.leader), search.work
    try:
        found = _result(search, where)
    except OutOfWork:
        return answer.give(Verdict.UNDECIDED, work=given)
    used = given - search.work
    if isinstance(found, tuple):
        return answer.give(Verdict.REFUSED, lines=found, work=used)
    marks = where.contract.marks(found.made, found.points or NOTHING)
    return answer.give(Verdict.ACCEPTED, made=found.made, marks=marks, points=found.points, work=used)


@dataclass(frozen=True, slots=True)
class _Result:
    made: bool
    points: PerSide | None


def _result(search: Asked, where: Position | Knowledge) -> _Result | tuple[tuple[Play, ...], ...]:
    """The one result of all lines, or lines with different ones. Raises `OutOfWork`."""
    contract, leader = where.contract, where.leader.number
    goal, side = contract.goal, _number(contract.side)
    left = search.world.left(search.world.start)
    taken = (where.points if goal.count else where.tricks)[contract.side]
    need = goal.limit - taken
    can_reach = search.reaches(side, leader, need)
    reaching = _plays(search.line)
    if can_reach and search.reaches(1 - side, leader, left - need + 1):
        return (reaching, _plays(search.line))
    made = goal.reached is can_reach
    if not contract.scoring.needs_points(contract.bid, made):
        return _Result(made, None)
    return _fixed_points(search, where, made, left)


def _fixed_points(
    search: Asked, where: Position | Knowledge, made: bool, left: int
) -> _Result | tuple[tuple[Play, ...], ...]:
    """The final points if all lines agree on them."""
    side, leader = _number(where.contract.side), where.leader.number
    low, high = 0, left
    while low < high:
        middle = (low + high + 1) // 2
        if search.reaches(side, leader, middle):
            low = middle
        else:
            high = middle - 1
    search.reaches(side, leader, low)
    most = _plays(search.line)
    if search.reaches(1 - side, leader, left - low + 1):
        return (most, _plays(search.line))
    mine = where.contract.side
    return _Result(made, where.points + PerSide.of(mine, low) + PerSide.of(mine.other, left - low))


def _number(side: Side) -> int:
    return 0 if side is Side.NS else 1


def _plays(line: Line) -> tuple[Play, ...]:
    plays = []
    for seat, led in reversed(line):
        tile = TILES[led % SMALL_END]
        plays.append(Play(SEATS[seat], tile, None if led < SMALL_END else tile.low))
    return tuple(plays)
