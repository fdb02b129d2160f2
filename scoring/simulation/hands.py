"""Random hands that could have been played: bids with a reason, the long suit as trump, then legal tiles.

Where the rules have them, doubles make a seat plunge or splash, and a low holding makes it bid for nello.
"""

import random

import fortytwo
from fortytwo import Call, Hand, Phase, Ruleset, Seat, Tile, Trump, trick_rules
from fortytwo.contract import trick_size
from fortytwo.tiles import INDEX

HIGHEST_BID = {2: "30", 3: "31", 4: "34", 5: "39", 6: "42", 7: "84"}
"""How far a seat bids, by the length of the longest suit that could be trumps."""
BID_CHANCE = {2: 0.1, 3: 0.4}
"""Chance of a bid within that limit; longer suits always bid."""
BOLD = 0.06
"""How often a seat with a long suit bids marks, whatever the limit says."""
LEAD_TRUMPS = 0.8
"""How often the bidding side leads trumps while it has some."""
SPECIAL_CHANCE = {"plunge": 0.8, "splash": 0.2}
"""How often a seat that holds the doubles calls it."""
LOW_PIPS = 32
"""A holding with so few pips takes hardly a trick."""
NELLO_CHANCE = 0.7
"""How often a seat with a low holding bids for nello."""


def random_hand(rules: Ruleset, shaker: Seat, rng: random.Random) -> Hand:
    """A hand played to its last tile with all holdings known, or thrown in."""
    hand = Hand.start(rules, shaker, fortytwo.Deal.shuffled(rng))
    while hand.phase is Phase.AUCTION and hand.to_act is not None:
        hand = hand.call(hand.to_act, _call(hand, hand.to_act, rng))
    if hand.phase is Phase.THROWN_IN or hand.declarer is None:
        return hand
    hand = hand.name_trump(_trump(hand, rng))
    while hand.turn is not None:
        hand = hand.play(hand.turn, _tile(hand, hand.turn, rng))
    return hand


def _call(hand: Hand, seat: Seat, rng: random.Random) -> Call:
    offered = hand.legal_calls()
    holding = hand.holding(seat) or ()
    if (special := _special(hand.rules, offered, holding, rng)) is not None:
        return special
    length = max(_length(hand.rules, holding, trump) for trump in Trump)
    limit = Call.parse(HIGHEST_BID.get(length, "pass"))
    marks = [call for call in offered if call.is_marks and not call.partner_leads]
    if length > 3 and marks and rng.random() < BOLD:
        return rng.choice(marks)
    bids = [call for call in offered if not call.is_pass and call.rank <= limit.rank]
    if not bids or rng.random() >= BID_CHANCE.get(length, 1.0):
        return offered[0]
    # Mostly the next higher call; now and then a leap.
    return bids[min(int(rng.expovariate(0.7)), len(bids) - 1)]


def _special(
    rules: Ruleset, offered: tuple[Call, ...], holding: tuple[Tile, ...], rng: random.Random
) -> Call | None:
    """A plunge, a splash or a bid for nello, where the rules and the holding let the seat make it."""
    for call in offered:
        if call.partner_leads and rng.random() < SPECIAL_CHANCE[call.kind]:
            return call
    if rules.nello is None or not _is_low(holding) or rng.random() >= NELLO_CHANCE:
        return None
    marks = [call for call in offered if call.is_marks and not call.partner_leads]
    return next((call for call in marks if call.value >= rules.nello), None)


def _trump(hand: Hand, rng: random.Random) -> Trump:
    """What the seat to act names: nello with a low holding, else its longest suit."""
    offered = hand.legal_trumps()
    holding = hand.holding(hand.to_act) if hand.to_act else None
    nellos = [trump for trump in offered if _is_nello(trump)]
    if nellos and _is_low(holding or ()):
        return rng.choice(nellos)
    return rng.choice(_longest(hand.rules, holding or (), offered))


def _is_nello(trump: Trump) -> bool:
    return trick_size(trump) < len(fortytwo.SEATS)


def _is_low(holding: tuple[Tile, ...]) -> bool:
    return sum(tile.high + tile.low for tile in holding) <= LOW_PIPS


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
    if contract and _is_nello(contract.trump) and seat is contract.declarer:
        return max(legal, key=lambda tile: contract.tricks.beaters(INDEX[tile]).bit_count())
    if contract and leads and seat.side is contract.side and rng.random() < LEAD_TRUMPS:
        trumps = [tile for tile in legal if _is_trump(hand.rules, tile, contract.trump)]
        if trumps:
            return trumps[0]
    return rng.choice(legal)
