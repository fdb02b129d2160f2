"""What a hand gave, and the check of a hand that was recorded at bid level only.

*Reachable* points are those that some tricks and some count tiles give: each trick is 1 and the five
count tiles lie in the tricks of one side, of the other, or are still out. *Whole* points are those of
all seven tricks. *Marks* of a hand are what it gives towards the game, so points in a points game.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product

from .bids import Call, largest_stake, winning_bids
from .contract import contract_scoring, legal_trumps, promise, trick_size
from .errors import FieldError, FortyTwoError, IllegalAction, ImpossibleRecord
from .goals import HAND_POINTS, HAND_TRICKS
from .rules import Ruleset
from .seats import SEATS, PerSide, Seat, Side
from .suits import Trump
from .tiles import COUNT, HOLDING_SIZE, TILES
from .totals import hand_scores


@dataclass(frozen=True, slots=True)
class HandResult:
    """Marks of one hand, and what else is known of it; nothing but marks in a marks-only record.
    `points` are both sides' at the end of play, where they were recorded."""

    marks: PerSide
    shaker: Seat | None = None
    declarer: Seat | None = None
    bid: Call | None = None
    trump: Trump | None = None
    made: bool | None = None
    points: PerSide | None = None

    @property
    def thrown_in(self) -> bool:
        return self.marks.total == 0


@dataclass(frozen=True, slots=True)
class _Claims:
    """What a recorder says about a hand."""

    rules: Ruleset
    declarer: Seat
    bid: Call
    trump: Trump | None
    made: bool | None
    points: PerSide | None
    points_are_whole: bool
    tricks: int | None
    marks: PerSide | None
    shaker: Seat | None
    trump_required: bool

    @property
    def side(self) -> Side:
        return self.declarer.side

    @property
    def may_be_forced(self) -> bool:
        """Whether the declarer can be a shaker who had to bid."""
        return self.rules.forced_minimum is not None and self.shaker in (None, self.declarer)


def bid_level_hand(
    rules: Ruleset,
    *,
    declarer: Seat,
    bid: Call,
    trump: Trump | None = None,
    made: bool | None = None,
    points: int | PerSide | None = None,
    tricks: int | None = None,
    marks: PerSide | None = None,
    shaker: Seat | None = None,
    trump_required: bool = True,
) -> HandResult:
    """The result of a hand of which bidder, bid and outcome were recorded.

    `points` as a number are the bidding side's over all seven tricks, so the defence has the rest
    (unless a seat sat out); give both sides' where play stopped early. `made` may be left out where
    points or tricks tell. `tricks` are the bidding side's; `marks`, if given, are checked against what
    the hand gives. Raises `ImpossibleRecord` with one coded error per field that cannot be right.
    0 is a value.
    """
    both = _both_points(declarer.side, trump, points)
    said = _Claims(
        rules,
        declarer,
        bid,
        trump,
        made,
        both,
        isinstance(points, int) or _may_be_whole(both, trick_size(trump)),
        tricks,
        marks,
        shaker,
        trump_required,
    )
    errors = [*_bid_errors(said), *_trump_errors(said), *_points_errors(said), *_tricks_errors(said)]
    outcome = made
    if not errors:
        outcome, errors = _outcome(said)
    given = PerSide()
    if not errors and outcome is not None:
        given, errors = _score(said, outcome)
    if errors or outcome is None:
        raise ImpossibleRecord.of_fields(tuple(errors))
    if isinstance(points, int) and trick_size(trump) < len(SEATS):
        both = None
    return HandResult(given, shaker, declarer, bid, trump, outcome, both)


def thrown_in_hand(rules: Ruleset, shaker: Seat | None = None) -> HandResult:
    """A hand in which everyone passed. Raises `IllegalAction` where the shaker must bid."""
    if rules.forced_minimum is not None:
        raise IllegalAction("hand_without_marks")
    return HandResult(PerSide(), shaker)


def marks_only_hand(rules: Ruleset, side: Side, marks: int, shaker: Seat | None = None) -> HandResult:
    """A hand of which only the marks were recorded."""
    result = HandResult(PerSide.of(side, marks), shaker)
    check_hand_marks(rules, result)
    return result


def check_hand_marks(rules: Ruleset, result: HandResult) -> None:
    """Raises `IllegalAction`: marks_both_sides, marks_out_of_range, hand_without_marks, in a points game
    hand_score_impossible."""
    if rules.scoring == "points":
        if result.marks not in hand_scores(rules):
            raise IllegalAction("hand_score_impossible", score=str(result.marks))
        return
    low, high = sorted((result.marks.ns, result.marks.ew))
    maximum = largest_stake(rules)
    if low > 0:
        raise IllegalAction("marks_both_sides")
    if low < 0 or high > maximum:
        raise IllegalAction("marks_out_of_range", marks=low if low < 0 else high, maximum=maximum)
    if high == 0 and rules.forced_minimum is not None:
        raise IllegalAction("hand_without_marks")


def points_are_reachable(points: PerSide, size: int = len(SEATS)) -> bool:
    """Whether play can stand at these points, the hand whole or not, in tricks of this size."""
    return (points.ns, points.ew) in _reachable_points(size)


@cache
def _reachable(size: int) -> frozenset[tuple[int, int, int, int]]:
    """Every (tricks, points) of one side with (tricks, points) of the other, in tricks of this size."""
    aside = len(TILES) - size * HOLDING_SIZE
    count = [value for value in COUNT if value]
    found = set()
    for ours, theirs in product(range(HAND_TRICKS + 1), repeat=2):
        out = HAND_TRICKS - ours - theirs
        if out < 0:
            continue
        for owners in product(range(3), repeat=len(count)):
            room = (size * ours, size * theirs, size * out + aside)
            if all(owners.count(who) <= room[who] for who in range(3)):
                taken = [sum(v for v, o in zip(count, owners, strict=True) if o == who) for who in (0, 1)]
                found.add((ours, ours + taken[0], theirs, theirs + taken[1]))
    return frozenset(found)


@cache
def _reachable_points(size: int) -> frozenset[tuple[int, int]]:
    return frozenset((ours, theirs) for _, ours, _, theirs in _reachable(size))


@cache
def _may_be_whole(points: PerSide | None, size: int) -> bool:
    """Whether seven tricks can give these points, NS as one side and EW as the other."""
    rows = _reachable(size)
    return points is not None and any(
        row[1] == points.ns and row[3] == points.ew and row[0] + row[2] == HAND_TRICKS for row in rows
    )


def _both_points(side: Side, trump: Trump | None, points: int | PerSide | None) -> PerSide | None:
    if not isinstance(points, int):
        return points
    theirs = HAND_POINTS - points if trick_size(trump) == len(SEATS) else 0
    return PerSide.of(side, points) + PerSide.of(side.other, theirs)


def _bid_errors(said: _Claims) -> list[FieldError]:
    bid, rules = said.bid, said.rules
    if bid.is_pass:
        return [_field("bid", IllegalAction("bid_is_pass"))]
    if bid.kind == "points" and bid.value < rules.lowest_bid:
        return [_field("bid", IllegalAction("bid_below_minimum", call=bid, minimum=rules.lowest_bid))]
    possible = winning_bids(rules)
    places = range(len(SEATS))
    if said.shaker is not None:
        place = said.shaker.left.clockwise().index(said.declarer)
        places = range(place, place + 1)
    if not any((place, bid) in possible for place in places):
        return [_field("bid", IllegalAction("bid_cannot_stand", bid=bid, seat=said.declarer))]
    return []


def _trump_errors(said: _Claims) -> list[FieldError]:
    if said.trump is None:
        return [_field("trump", IllegalAction("trump_missing"))] if said.trump_required else []
    offered = legal_trumps(said.rules, said.bid, forced=said.may_be_forced)
    if not said.bid.is_pass and said.trump not in offered:
        return [_field("trump", IllegalAction("trump_not_offered", trump=said.trump, bid=said.bid))]
    return []


def _points_errors(said: _Claims) -> list[FieldError]:
    points = said.points
    if points is None:
        return []
    for value in (points[said.side], points[said.side.other]):
        if not 0 <= value <= HAND_POINTS:
            return [_field("points", IllegalAction("points_out_of_range", points=value))]
    if points.total > HAND_POINTS:
        return [_field("points", IllegalAction("points_sum_impossible", total=points.total))]
    if not points_are_reachable(points, trick_size(said.trump)):
        return [_field("points", IllegalAction("points_unreachable", points=str(points)))]
    return []


def _tricks_errors(said: _Claims) -> list[FieldError]:
    tricks = said.tricks
    if tricks is None:
        return []
    if not 0 <= tricks <= HAND_TRICKS:
        return [_field("tricks", IllegalAction("tricks_out_of_range", tricks=tricks))]
    if said.points is not None and not _points_errors(said):
        ours, theirs = said.points[said.side], said.points[said.side.other]
        rows = _reachable(trick_size(said.trump))
        if not any(row[:2] == (tricks, ours) and row[3] == theirs for row in rows):
            return [_field("tricks", IllegalAction("tricks_contradict_points", tricks=tricks, points=ours))]
    return []


def _outcome(said: _Claims) -> tuple[bool | None, list[FieldError]]:
    """Made or set, as far as points and tricks tell, and where `made` says otherwise."""
    bid, points = said.bid, said.points
    outcome = said.made
    if points is not None:
        told = _told_by_points(said, points)
        if told is None:
            return None, [_field("points", IllegalAction("points_not_settled", points=str(points)))]
        if outcome not in (None, told):
            facts = {"bid": bid, "points": points[said.side], "outcome": _word(told)}
            return None, [_field("made", IllegalAction("made_contradicts_points", **facts))]
        outcome = told
    if said.tricks is not None:
        told = _told_by_tricks(said, said.tricks)
        if told is not None and outcome not in (None, told):
            facts = {"bid": bid, "tricks": said.tricks, "outcome": _word(told)}
            return None, [_field("made", IllegalAction("made_contradicts_tricks", **facts))]
        outcome = told if outcome is None else outcome
    if outcome is None:
        return None, [_field("made", IllegalAction("outcome_missing"))]
    return outcome, []


def _told_by_points(said: _Claims, points: PerSide) -> bool | None:
    ours = min(points[said.side], 1)
    theirs = HAND_TRICKS - ours if said.points_are_whole else 0
    # A side has points when it has a trick; how many is not known and not asked.
    tricks = PerSide.of(said.side, ours) + PerSide.of(said.side.other, theirs)
    return promise(said.bid, said.trump).outcome(said.side, points, tricks)


def _told_by_tricks(said: _Claims, ours: int) -> bool | None:
    """Made or set where every play with this many tricks agrees, else None."""
    side, goal = said.side, promise(said.bid, said.trump)
    tricks = PerSide.of(side, ours) + PerSide.of(side.other, HAND_TRICKS - ours)
    told = {
        goal.outcome(side, PerSide.of(side, row[1]) + PerSide.of(side.other, row[3]), tricks)
        for row in _reachable(trick_size(said.trump))
        if row[0] == ours and row[2] == HAND_TRICKS - ours
    }
    return told.pop() if len(told) == 1 else None


def _score(said: _Claims, made: bool) -> tuple[PerSide, list[FieldError]]:
    """What the hand gives, and where `points` or `marks` do not allow it."""
    scoring = contract_scoring(said.rules, said.trump)
    if scoring.needs_points(said.bid, made) and not (said.points and said.points_are_whole):
        return PerSide(), [_field("points", IllegalAction("points_missing"))]
    given = scoring.score(said.side, said.bid, made, said.points or PerSide())
    if said.marks in (None, given):
        return given, []
    assert said.marks is not None
    if min(said.marks.ns, said.marks.ew) > 0 and min(given.ns, given.ew) == 0:
        return given, [_field("marks", IllegalAction("both_sides_made"))]
    error = IllegalAction("marks_contradict", marks=str(said.marks), expected=str(given))
    return given, [_field("marks", error)]


def _word(made: bool) -> str:
    return "made" if made else "set"


def _field(name: str, error: FortyTwoError) -> FieldError:
    return FieldError(name, error)
