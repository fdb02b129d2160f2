"""D12: hands and matches that took less time than anybody needs, and records that came in batches.

The times are the server's. What is found says that they cannot be times of play, no more: a record that was
written afterwards looks the same, and declaring the entry as copied from paper takes these out.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from statistics import pstdev

from scoring.fairplay.facts import HandFacts, MatchFacts
from scoring.fairplay.types import About, Detector, Finding, Item, Looked, Reason, Scope, Tried

HAND, MATCH, VERSION = "hand-times", "match-times", 1
SECONDS_A_PLAY = 0.4
"""A hand is recorded by hand: nobody lays, sees and taps a tile faster."""
EVEN_GAPS = 0.05
"""Standard deviation, in seconds, below which gaps between tiles are those of a machine."""
FEWEST_GAPS = 7
SHORTEST_MATCH = timedelta(minutes=10)
BATCH_HANDS = 6
BATCH_SPAN = timedelta(minutes=2)
"""Six hands recorded within two minutes were not played within two minutes."""

REASONS = (
    Reason("written_afterwards", Tried.OPEN),
    Reason("sent_after_an_outage", Tried.OPEN),
    Reason("clock_was_set", Tried.OPEN),
)


def look_at_hand(record: HandFacts) -> Looked:
    """Whether the times of the tiles can be times of play."""
    if not record.times_count:
        return Looked(untestable="times_do_not_count")
    times = record.play_times
    if len(times) <= FEWEST_GAPS:
        return Looked(untestable="no_plays" if not times else "too_few_plays")
    gaps = [(after - before).total_seconds() for before, after in pairwise(times)]
    span = (max(times) - min(times)).total_seconds()
    items = _signs(record, gaps, span)
    if not items:
        return Looked()
    return Looked((_of_hand(record, items, span, gaps),))


def _signs(record: HandFacts, gaps: Sequence[float], span: float) -> tuple[Item, ...]:
    found: list[tuple[str, dict[str, float]]] = []
    plays = len(gaps) + 1
    if any(gap < 0 for gap in gaps):
        found.append(("times_run_backwards", {"gap": round(min(gaps), 3)}))
    if span < SECONDS_A_PLAY * plays:
        least = round(SECONDS_A_PLAY * plays, 1)
        found.append(("faster_than_hands", {"seconds": round(span, 2), "plays": plays, "least": least}))
    if pstdev(gaps) < EVEN_GAPS:
        found.append(("gaps_all_alike", {"sd": round(pstdev(gaps), 4), "gaps": len(gaps)}))
    return tuple(Item(code, facts, record.match, record.game, record.number) for code, facts in found)


def _of_hand(record: HandFacts, items: tuple[Item, ...], span: float, gaps: Sequence[float]) -> Finding:
    return Finding(
        detector=HAND,
        version=VERSION,
        subject=f"hand:{record.id}",
        code=items[0].code,
        about=About(record.match_id, hand=record.id),
        facts={**items[0].facts, "game": record.game, "hand": record.number},
        figures=(
            Item("plays", {"value": len(gaps) + 1}),
            Item("seconds", {"value": round(span, 1)}),
            Item("longest_gap", {"value": round(max(gaps), 1)}),
        ),
        toward=items,
        reasons=REASONS,
    )


def look_at_match(record: MatchFacts) -> Looked:
    """Whether the match, and its hands one after the other, could be played in the time they took."""
    if record.simulated:
        return Looked(untestable="simulated")
    if record.from_paper:
        return Looked(untestable="copied_from_paper")
    if record.result.outcome != "played":
        return Looked(untestable="not_played")
    batches = _batches(record)
    began, ended = record.started_at or record.called_at, record.result.entered_at
    short = began is not None and ended - began < SHORTEST_MATCH
    if not batches and not short:
        return Looked(untestable="" if began is not None else "no_begin")
    return Looked((_of_match(record, batches, began, short=short),))


def _batches(record: MatchFacts) -> tuple[Item, ...]:
    """Runs of hands that were recorded faster than they can be played; one item for each run."""
    hands = [
        hand
        for hand in record.hands
        if hand.ended_at is not None and hand.ending != "thrown-in" and hand.marks.total
    ]
    hands.sort(key=lambda hand: (hand.game, hand.number))
    found: list[Item] = []
    start = 0
    while start + BATCH_HANDS <= len(hands):
        end = start + BATCH_HANDS
        if _span(hands[start:end]) > BATCH_SPAN:
            start += 1
            continue
        while end < len(hands) and _span(hands[end - BATCH_HANDS + 1 : end + 1]) <= BATCH_SPAN:
            end += 1
        first, run = hands[start], hands[start:end]
        seconds = round(_span(run).total_seconds(), 1)
        found.append(
            Item(
                "hands_in_a_batch",
                {"hands": len(run), "seconds": seconds},
                record.code,
                first.game,
                first.number,
            )
        )
        start = end
    return tuple(found)


def _span(hands: Sequence[HandFacts]) -> timedelta:
    times = [hand.ended_at for hand in hands if hand.ended_at is not None]
    return max(times) - min(times)


def _of_match(
    record: MatchFacts, batches: tuple[Item, ...], began: datetime | None, *, short: bool
) -> Finding:
    minutes = round((record.result.entered_at - began).total_seconds() / 60, 1) if began else None
    items = list(batches)
    if short and began is not None:
        items.insert(
            0,
            Item(
                "match_too_short",
                {
                    "minutes": minutes,
                    "began": began.isoformat(),
                    "entered": record.result.entered_at.isoformat(),
                },
                record.code,
            ),
        )
    return Finding(
        detector=MATCH,
        version=VERSION,
        subject=f"match:{record.id}",
        code=items[0].code,
        about=About(record.id),
        facts=items[0].facts,
        figures=(
            Item("minutes", {"value": minutes}),
            Item("hands_recorded", {"value": len(record.hands)}),
            Item("batches", {"value": len(batches)}),
        ),
        toward=tuple(items),
        reasons=(*REASONS, Reason("called_late", Tried.OPEN if short else Tried.NO_FIT)),
    )


OF_HAND: Detector[HandFacts] = Detector(
    name=HAND,
    version=VERSION,
    scope=Scope.HAND,
    look=look_at_hand,
    inputs=("the server's time of each tile",),
    null="Tiles are laid and tapped one after the other, at uneven intervals.",
    innocent=tuple(reason.code for reason in REASONS),
)
OF_MATCH: Detector[MatchFacts] = Detector(
    name=MATCH,
    version=VERSION,
    scope=Scope.MATCH,
    look=look_at_match,
    inputs=("when the match began and was entered", "when each hand was recorded"),
    null="A match takes ten minutes and its hands come one by one.",
    innocent=(*(reason.code for reason in REASONS), "called_late"),
)
