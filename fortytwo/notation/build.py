"""From engine values to documents, and from the hands of a document to engine values.

`hand_lines` writes a hand of any level; `match_document` a whole match. `record_of` and `result_of` read a
hand part back: the record of a hand in full play, or the result of one at bid or marks level.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from ..deal import UNKNOWN_DEAL, Deal
from ..hand import Hand
from ..presets import PRESETS
from ..records import HandRecord, RecordedClaim
from ..result import HandResult, bid_level_hand, check_hand_marks, thrown_in_hand
from ..rules import Ruleset
from ..seats import SEATS, PerSide, Seat, Side
from ..trick import Play
from .document import (
    BestOf,
    Bid,
    Calls,
    ClaimLine,
    Dealt,
    Document,
    FinalLine,
    Line,
    Named,
    Outcome,
    ResultLine,
    Rules,
    RulingLine,
    ScoreLine,
    Section,
    Shaker,
    SitsOut,
    Statement,
    Tag,
    TrickLine,
)
from .structure import Part

Level = Literal["full", "bid", "marks"]


@dataclass(frozen=True, slots=True)
class WrittenHand:
    """A hand as it is to be written, with the rulings on it and tags; `number` counts in its game. The
    deal of a hand in progress is never written, that of a closed one unless `show_deal` is off."""

    hand: Hand | HandResult
    number: int | None = None
    show_deal: bool = True
    rulings: tuple[RulingLine, ...] = ()
    tags: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WrittenGame:
    """A game as it is to be written; `score` None while it goes on."""

    hands: tuple[WrittenHand, ...] = ()
    first_shaker: Seat | None = None
    score: PerSide | None = None
    timed: bool = False
    winner: Side | None = None
    rulings: tuple[RulingLine, ...] = ()


def hand_document(written: WrittenHand, rules: Ruleset | None = None) -> Document:
    """A file with one hand; `rules` where the hand is only a result."""
    of_hand = written.hand.rules if isinstance(written.hand, Hand) else rules
    return _document(_hand_statements(written, of_hand))


def match_document(
    rules: Ruleset,
    games: Sequence[WrittenGame],
    *,
    best_of: int | None = None,
    tags: Mapping[str, str] | None = None,
    won: PerSide | None = None,
) -> Document:
    """A file with a match; `won` are the games won once it is decided."""
    said: list[Statement] = [Section("match"), *_tags(tags or {}), rules_line(rules)]
    said += [] if best_of is None else [BestOf(best_of)]
    for number, game in enumerate(games, 1):
        said.append(Section("game", number))
        said += [] if game.first_shaker is None else [Shaker(game.first_shaker)]
        said += game.rulings
        for hand in game.hands:
            said += _hand_statements(hand, None)
        if game.score is not None:
            said.append(ScoreLine(game.score, game.timed, game.winner))
    said += [] if won is None else [FinalLine(won)]
    return _document(said)


def rules_line(rules: Ruleset) -> Rules:
    """The rule set by a preset of that name, else as what differs from the default."""
    for name, preset in PRESETS.items():
        if preset.ruleset() == rules:
            return Rules(name)
    return Rules(next(iter(PRESETS)), tuple(rules.differences().items()))


def level_of(part: Part) -> Level:
    """How much a hand part says."""
    if part.said(Calls) is not None:
        return "full"
    return "bid" if part.said(Bid) is not None else "marks"


def record_of(part: Part) -> HandRecord:
    """The record of a hand part with calls. Raises `IllegalAction` for a deal that cannot be."""
    calls, named, shaker = part.said(Calls), part.said(Named), part.said(Shaker)
    assert calls is not None, "asked of hands in full play only"
    assert shaker is not None, "check_structure"
    plays = plays_of(part)
    return HandRecord(
        part.rules,
        shaker.seat,
        Deal.of({line.seat: line.tiles for line in part.every(Dealt)}),
        calls.calls,
        None if named is None else named.trump,
        tuple((play.seat, play.tile) for play in plays),
        plays[0].suit if plays else None,
        _claim_of(part),
    )


def result_of(part: Part) -> HandResult | None:
    """What a hand part without calls gave, as it says itself; None where it does not say.

    Raises `IllegalAction` and `ImpossibleRecord` for what cannot have happened.
    """
    said, bid, named, shaker = part.said(ResultLine), part.said(Bid), part.said(Named), part.said(Shaker)
    if said is None:
        return None
    seat, ruled = shaker.seat if shaker else None, ruled_marks(part)
    if said.outcome == "thrown-in":
        return thrown_in_hand(part.rules, seat)
    if bid is None:
        result = HandResult(said.marks or PerSide(), seat, points=said.points)
        if ruled is None:
            check_hand_marks(part.rules, result)
        return result
    return bid_level_hand(
        part.rules,
        declarer=bid.seat,
        bid=bid.call,
        trump=named.trump if named else None,
        made=None if said.outcome is None else said.outcome == "made",
        points=said.points,
        tricks=said.tricks,
        marks=said.marks if ruled is None else None,
        shaker=seat,
        trump_required=False,
    )


def plays_of(part: Part) -> tuple[Play, ...]:
    """Every play of a hand part, in order."""
    return tuple(play for trick in part.every(TrickLine) for play in trick.plays)


def ruled_marks(part: Part) -> PerSide | None:
    """What the rulings on a hand make it give; the last one that says it."""
    marks = [ruling.marks for ruling in part.every(RulingLine) if ruling.marks is not None]
    return marks[-1] if marks else None


def _claim_of(part: Part) -> RecordedClaim | None:
    played = 0
    for line in part.lines:
        said = line.statement
        if isinstance(said, TrickLine):
            played += len(said.plays)
        elif isinstance(said, ClaimLine):
            return RecordedClaim(said.seat, played, said.made, said.order)
    return None


def _document(statements: Iterable[Statement]) -> Document:
    return Document(tuple(Line(statement) for statement in statements))


def _tags(tags: Mapping[str, str]) -> list[Statement]:
    return [Tag(name, text) for name, text in tags.items()]


def _hand_statements(written: WrittenHand, rules: Ruleset | None) -> list[Statement]:
    """`rules` are written where nothing above says them."""
    said: list[Statement] = [Section("hand", written.number), *_tags(written.tags)]
    said += [] if rules is None else [rules_line(rules)]
    if isinstance(written.hand, Hand):
        said += _full(written.hand, show_deal=written.show_deal)
        result = _full_result(written.hand)
    else:
        said += _short(written.hand)
        result = _short_result(written.hand)
    marks = [ruling.marks for ruling in written.rulings if ruling.marks is not None]
    if marks:
        result = replace(result or ResultLine(), marks=marks[-1])
    return [*said, *written.rulings, *([] if result is None else [result])]


def _full(hand: Hand, *, show_deal: bool) -> list[Statement]:
    """A hand in full play, as far as it went."""
    said: list[Statement] = [Shaker(hand.shaker)]
    shown = hand.deal if show_deal and hand.is_closed else UNKNOWN_DEAL
    said += [Dealt(seat, shown.holding(seat)) for seat in SEATS]
    calls = hand.auction.as_said()
    said += [Calls(calls)] if calls else []
    if hand.contract is None:
        return said
    said.append(Named(hand.contract.trump))
    out = hand.contract.sits_out
    said += [] if out is None else [SitsOut(out)]
    claim, size = RecordedClaim.of(hand), hand.contract.size
    for start in range(0, len(hand.plays) + 1, size):
        if claim is not None and claim.after == start:
            said.append(ClaimLine(claim.seat, claim.order, claim.made))
        if start < len(hand.plays):
            said.append(_trick(hand, start // size, hand.plays[start : start + size]))
    return said


def _full_result(hand: Hand) -> ResultLine | None:
    if not hand.is_closed:
        return None
    if hand.auction.thrown_in:
        return ResultLine("thrown-in")
    return ResultLine(_outcome(hand.made), hand.marks, hand.points)


def _trick(hand: Hand, at: int, plays: tuple[Play, ...]) -> TrickLine:
    if at == len(hand.tricks):
        return TrickLine(at + 1, plays)
    return TrickLine(at + 1, plays, hand.tricks[at].winner, hand.tricks[at].points)


def _short(result: HandResult) -> list[Statement]:
    """A hand at bid level or with marks only."""
    said: list[Statement] = [] if result.shaker is None else [Shaker(result.shaker)]
    if result.declarer is not None and result.bid is not None:
        said.append(Bid(result.declarer, result.bid))
        said += [] if result.trump is None else [Named(result.trump)]
    return said


def _short_result(result: HandResult) -> ResultLine:
    if result.thrown_in:
        return ResultLine("thrown-in")
    return ResultLine(_outcome(result.made), result.marks, result.points)


def _outcome(made: bool | None) -> Outcome | None:
    return None if made is None else "made" if made else "set"
