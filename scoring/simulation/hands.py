"""Random hands that could have been played: bids with a reason, the long suit as trump, then legal tiles."""

import random

import fortytwo
from fortytwo import Call, Hand, Phase, Ruleset, Seat, Tile, Trump, trick_rules
from fortytwo.tiles import INDEX

HIGHEST_BID = {2: "30", 3: "31", 4: "34", 5: "39", 6: "42", 7: "84"}
"""How far a seat bids, by the length of the longest suit that could be trumps."""
BID_CHANCE = {2: 0.1, 3: 0.4}
"""Chance of a bid within that limit; longer suits always bid."""
BOLD = 0.06
"""How often a seat with a long suit bids marks, whatever the limit says."""
LEAD_TRUMPS = 0.8
"""How often the bidding side leads trumps while it has some."""


def random_hand(rules: Ruleset, shaker: Seat, rng: random.Random) -> Hand:
    """A hand played to its last tile with all holdings known, or thrown in."""
    hand = Hand.start(rules, shaker, fortytwo.Deal.shuffled(rng))
    while hand.phase is Phase.AUCTION and hand.to_act is not None:
        hand = hand.call(hand.to_act, _call(hand, hand.to_act, rng))
    if hand.phase is Phase.THROWN_IN or hand.declarer is None:
        return hand
    offered = hand.legal_trumps()
    longest = _longest(rules, hand.holding(hand.declarer) or (), offered)
    hand = hand.name_trump(rng.choice(longest))
    while hand.turn is not None:
        hand = hand.play(hand.turn, _tile(hand, hand.turn, rng))
    return hand


def _call(hand: Hand, seat: Seat, rng: random.Random) -> Call:
    offered = hand.legal_calls()
    holding = hand.holding(seat) or ()
    length = max(_length(hand.rules, holding, trump) for trump in Trump)
    limit = Call.parse(HIGHEST_BID.get(length, "pass"))
    marks = [call for call in offered if call.is_marks]
    if length > 3 and marks and rng.random() < BOLD:
        return rng.choice(marks)
    bids = [call for call in offered if not call.is_pass and call.rank <= limit.rank]
    if not bids or rng.random() >= BID_CHANCE.get(length, 1.0):
        return offered[0]
    # Mostly the next higher call; now and then a leap.
    return bids[min(int(rng.expovariate(0.7)), len(bids) - 1)]


def _longest(rules: Ruleset, holding: tuple[Tile, ...], offered: tuple[Trump, ...]) -> list[Trump]:
    lengths = {trump: _length(rules, holding, trump) for trump in offered}
    return [trump for trump in offered if lengths[trump] == max(lengths.values())]


def _length(rules: Ruleset, holding: tuple[Tile, ...], trump: Trump) -> int:
    return sum(_is_trump(rules, tile, trump) for tile in holding)


def _is_trump(rules: Ruleset, tile: Tile, trump: Trump) -> bool:
    return trick_rules(trump, rules).suit_name(INDEX[tile]) == "trumps"


def _tile(hand: Hand, seat: Seat, rng: random.Random) -> Tile:
    legal = hand.legal_plays()
    contract = hand.contract
    leads = not hand.table
    if contract and leads and seat.side is contract.side and rng.random() < LEAD_TRUMPS:
        trumps = [tile for tile in legal if _is_trump(hand.rules, tile, contract.trump)]
        if trumps:
            return trumps[0]
    return rng.choice(legal)
