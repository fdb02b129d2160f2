"""D9, the deals: the same deal twice in one event, and the same list of hands in two matches.

There are 472,518,347,558,400 deals, so two alike are one deal recorded twice, or dealt twice on purpose. A
list of hands is compared where it says enough: see `bits`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import fortytwo
from fortytwo.deal import Holdings
from scoring.fairplay.facts import EventFacts, HandFacts, Twin
from scoring.fairplay.types import About, Detector, Finding, Item, Looked, Reason, Scope, Tried

DEAL, HANDS, VERSION = "same-deal", "same-hands", 1
BITS = {"marks": 1, "bid": 5, "full": 20}
"""About how much a hand of each level says: how unlikely it is to be the same by chance, as a power of two."""
ENOUGH_BITS = 28
"""Among 32,000 pairs of matches two lists that say so much agree by chance once in 8,000 events."""


def deal_print(hand: fortytwo.Hand) -> str:
    """A text that is the same for the same four holdings, whoever held them; empty where not all are known."""
    masks = known_holdings(hand)
    if None in masks:
        return ""
    text = ",".join(str(mask) for mask in sorted(mask for mask in masks if mask is not None))
    return hashlib.sha256(f"deal:{text}".encode()).hexdigest()


def known_holdings(hand: fortytwo.Hand) -> Holdings:
    """The holdings as dealt, also those that follow from a hand played to the last tile."""
    return hand.reveal().masks if hand.is_closed else hand.deal.masks


def hands_print(hands: Sequence[HandFacts]) -> str:
    """A text that is the same for the same hands in the same order; empty where they say too little."""
    if bits(hands) < ENOUGH_BITS:
        return ""
    text = "\n".join(_line(hand) for hand in hands)
    return hashlib.sha256(f"hands:{text}".encode()).hexdigest()


def bits(hands: Sequence[HandFacts]) -> int:
    """How much a list of hands says."""
    return sum(BITS[hand.level] for hand in hands if hand.marks.total)


def _line(hand: HandFacts) -> str:
    plays = " ".join(str(play.tile) for play in hand.played.plays) if hand.played else ""
    said = (hand.declarer, hand.bid, hand.trump, hand.ending, str(hand.points or ""), str(hand.marks), plays)
    return f"{hand.game}|" + "|".join(said)


def look_for_deals(record: EventFacts) -> Looked:
    """Hands of this match whose deal was dealt elsewhere too."""
    return Looked(tuple(_finding(record, twin) for twin in record.twins if twin.kind == "deal"))


def look_for_hands(record: EventFacts) -> Looked:
    """Other matches with the same list of hands."""
    if bits(record.match.hands) < ENOUGH_BITS:
        return Looked(untestable="too_few_hands" if record.match.hands else "no_hands")
    return Looked(tuple(_finding(record, twin) for twin in record.twins if twin.kind == "hands"))


def _finding(record: EventFacts, twin: Twin) -> Finding:
    match = record.match
    own = (match.code, twin.own_game, twin.own_hand, match.id)
    other = (twin.match, twin.game, twin.hand, twin.match_id)
    first, second = sorted((own, other))
    is_deal = twin.kind == "deal"
    subject = ":".join(f"{one[3]}:{one[1]}.{one[2]}" for one in (first, second))
    where = tuple(Item("same_here", {}, one[0], one[1], one[2]) for one in (first, second))
    return Finding(
        detector=DEAL if is_deal else HANDS,
        version=VERSION,
        subject=subject,
        code="deal_twice" if is_deal else "hands_twice",
        about=About(
            match.id, hand=twin.own_hand_id if is_deal else "", other=_other(match.id, twin.match_id)
        ),
        facts={"first": first[0], "second": second[0]},
        figures=() if is_deal else (Item("hands_recorded", {"value": len(match.hands)}),),
        toward=where,
        reasons=(
            Reason("recorded_into_wrong_match", Tried.OPEN),
            Reason("recorded_twice", Tried.OPEN),
            Reason("dealt_alike_on_purpose", Tried.OPEN)
            if is_deal
            else Reason("copied_as_practice", Tried.OPEN),
        ),
    )


def _other(own: str, other: str) -> str:
    return "" if own == other else other


DEALS: Detector[EventFacts] = Detector(
    name=DEAL,
    version=VERSION,
    scope=Scope.EVENT,
    look=look_for_deals,
    inputs=("all 28 tiles of a hand by seat",),
    null="No deal comes twice: among 10,000 hands the chance is one in ten million.",
    innocent=("recorded_into_wrong_match", "recorded_twice", "dealt_alike_on_purpose"),
)
HAND_LISTS: Detector[EventFacts] = Detector(
    name=HANDS,
    version=VERSION,
    scope=Scope.EVENT,
    look=look_for_hands,
    inputs=("hands with bids, or a long list of marks",),
    null="No two matches have the same hands in the same order.",
    innocent=("recorded_into_wrong_match", "recorded_twice", "copied_as_practice"),
)
