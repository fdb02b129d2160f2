"""D1: a record that says a seat had no tile of a suit and then shows one in its hand.

The innocent errors of recording are tried before anything is said, and all that survive are listed. Two
tiles written the other way round explain about half of all true reneges as well: so what is found is "the
record contradicts itself", and at most "no such error explains it".
"""

from __future__ import annotations

from collections.abc import Sequence

import fortytwo
from fortytwo import SEATS
from fortytwo.goals import HAND_POINTS
from fortytwo.irregularities import Renege
from fortytwo.rulings import Irregularity, rule_on
from scoring.fairplay.explanations import KINDS, Change, in_part, spots_of, surviving
from scoring.fairplay.facts import HandFacts
from scoring.fairplay.replay import Line
from scoring.fairplay.types import About, Detector, Fact, Finding, Item, Looked, Reason, Scope, Tried

NAME, VERSION = "contradiction", 1
WAYS_SHOWN = 12
"""Ways of one kind that are kept; how many there are in all is kept too."""


def look(record: HandFacts) -> Looked:
    """The contradictions of one hand in full play."""
    hand = record.played
    if hand is None:
        return Looked(untestable="no_plays" if record.level != "full" else "record_refused")
    line = Line.of(hand)
    if line is None or not line.tiles:
        return Looked(untestable="" if hand.auction.thrown_in else "no_plays")
    reneges = line.reneges()
    if not reneges:
        return Looked()
    return Looked((_finding(record, hand, line, reneges),))


def _finding(record: HandFacts, hand: fortytwo.Hand, line: Line, reneges: Sequence[Renege]) -> Finding:
    forced = hand.auction.was_forced
    found = surviving(line, record.rules, forced=forced)
    partly = in_part(line, record.rules, forced=forced) if len(reneges) > 1 and not found else ()
    explained = _explained(line, found, partly)
    effect = _effect(record, hand, line, reneges)
    unexplained = [renege for renege, kinds in zip(reneges, explained, strict=True) if not kinds]
    first = (unexplained or list(reneges))[0]
    return Finding(
        detector=NAME,
        version=VERSION,
        subject=f"hand:{record.id}",
        code="possible_renege" if unexplained else "record_contradicts",
        about=About(record.match_id, hand=record.id),
        facts={**_renege_facts(line, first), "count": len(reneges)},
        figures=_figures(hand, line, reneges, found),
        toward=tuple(
            Item(
                "shown_void_then_held",
                {**_renege_facts(line, renege), "explained_by": list(kinds)},
                record.match,
                record.game,
                record.number,
            )
            for renege, kinds in zip(reneges, explained, strict=True)
        )
        + tuple(item for item in effect if item.code != "could_not_change"),
        away=(
            *(item for item in effect if item.code == "could_not_change"),
            *_consistent(record, line, reneges),
        ),
        reasons=tuple(_reason(kind, line, found, [change for change, _ in partly]) for kind in KINDS),
    )


def _explained(
    line: Line, found: Sequence[Change], partly: Sequence[tuple[Change, frozenset[int]]]
) -> list[tuple[str, ...]]:
    """For each contradiction the kinds of error that explain it."""
    everywhere = {change.kind for change in found}
    explained = []
    for spot in spots_of(line):
        here = everywhere | {change.kind for change, plays in partly if spot.play in plays}
        explained.append(tuple(kind for kind in KINDS if kind in here))
    return explained


def _renege_facts(line: Line, renege: Renege) -> dict[str, Fact]:
    return {
        "seat": str(renege.seat),
        "trick": renege.trick,
        "led": str(renege.led),
        "suit": line.contract.tricks.suit_name(line.led((renege.trick - 1) * line.size)),
        "played": str(renege.played),
        "proof": str(renege.proof),
        "proof_trick": renege.proof_trick or 0,
    }


def _figures(
    hand: fortytwo.Hand, line: Line, reneges: Sequence[Renege], found: Sequence[Change]
) -> tuple[Item, ...]:
    known = sum(len(hand.deal.holding(seat) or ()) for seat in SEATS if hand.deal.holding(seat))
    seen = max(known, len(line.tiles))
    return (
        Item("contradictions", {"value": len(reneges)}),
        Item("tiles_seen", {"value": seen, "of": 28}),
        Item("errors_that_fit", {"value": len({change.kind for change in found}), "of": len(KINDS)}),
        Item("points_after", {"value": _points_after(line, reneges)}),
    )


def _points_after(line: Line, reneges: Sequence[Renege]) -> int:
    """Points that the side took from the first trick in doubt on: the most that could have changed."""
    renege = reneges[0]
    return line.taken_from(renege.trick - 1)[renege.seat.side]


def _effect(
    record: HandFacts, hand: fortytwo.Hand, line: Line, reneges: Sequence[Renege]
) -> tuple[Item, ...]:
    """What was scored, and what the hand could have given at most if the tile had been played."""
    renege, contract = reneges[0], line.contract
    side, at_stake = renege.seat.side, _points_after(line, reneges)
    if hand.made is None or contract.goal.needed is None or record.rules.scoring != "marks":
        return ()
    gained = contract.side is side if hand.made else contract.side is not side
    margin = _margin(hand, line)
    could_change = gained and at_stake >= margin
    facts: dict[str, Fact] = {
        "side": str(side),
        "margin": margin,
        "at_stake": at_stake,
        "trick": renege.trick,
    }
    where = (record.match, record.game, record.number)
    code = "could_have_changed" if could_change else "could_not_change"
    ruled = rule_on(record.rules, Irregularity.of(renege), contract).marks
    if ruled is None:
        return (Item(code, facts, *where),)
    by_rule: dict[str, Fact] = {"scored": str(record.marks), "by_rule": str(ruled)}
    return (Item(code, facts, *where), Item("rule_would_give", by_rule, *where))


def _margin(hand: fortytwo.Hand, line: Line) -> int:
    """How many points fewer for the side that took the hand would have turned it."""
    contract = line.contract
    ours, theirs = hand.points[contract.side], hand.points[contract.side.other]
    needed = contract.goal.needed or 0
    return ours - needed + 1 if hand.made else theirs - (HAND_POINTS - needed)


def _consistent(record: HandFacts, line: Line, reneges: Sequence[Renege]) -> tuple[Item, ...]:
    """How often the same seat did not follow and nothing later spoke against it."""
    items = []
    for seat in dict.fromkeys(renege.seat for renege in reneges):
        doubted = {renege.played for renege in reneges if renege.seat is seat}
        others = sum(
            1
            for place, (at, tile) in enumerate(zip(line.seats, line.tiles, strict=True))
            if at == seat.number
            and place % line.size
            and line.contract.tricks.denied_mask(line.led(place), tile)
            and fortytwo.TILES[tile] not in doubted
        )
        items.append(
            Item(
                "other_voids_hold",
                {"seat": str(seat), "count": others},
                record.match,
                record.game,
                record.number,
            )
        )
    return tuple(items)


def _reason(kind: str, line: Line, found: Sequence[Change], partly: Sequence[Change]) -> Reason:
    ways = [change for change in found if change.kind == kind]
    part = [change for change in partly if change.kind == kind]
    facts: dict[str, Fact] = {"ways": len(ways), "in_part": len(part)}
    shown = tuple(Item(kind, change.facts) for change in (ways or part)[:WAYS_SHOWN])
    if kind == "tile_typo" and not ways and not part and _all_tiles_seen(line):
        facts["all_seen"] = True
    return Reason(kind, Tried.FITS if ways else Tried.NO_FIT, facts, shown)


def _all_tiles_seen(line: Line) -> bool:
    return len(line.tiles) == len(fortytwo.TILES)


DETECTOR: Detector[HandFacts] = Detector(
    name=NAME,
    version=VERSION,
    scope=Scope.HAND,
    look=look,
    inputs=("plays with seats", "trump", "tiles turned up, where they were entered"),
    null="A seat that did not follow had no tile of the suit led, so none turns up later.",
    innocent=KINDS,
)
