"""Short ways to write hands in tests, and hypothesis strategies for whole hands."""

import random

from hypothesis import strategies as st

from fortytwo import SEATS, Call, Deal, Hand, Phase, Ruleset, Seat, Tile, Trump, parse_tiles

STRAIGHT = Ruleset()

EXAMPLE_DEAL = {
    Seat.N: parse_tiles("66 65 64 62 55 33 22"),
    Seat.E: parse_tiles("63 61 54 30 20 11 10"),
    Seat.S: parse_tiles("60 53 50 43 42 41 31"),
    Seat.W: parse_tiles("52 51 44 40 32 21 00"),
}
"""A deal in which the play of `MADE_34` is legal."""

MADE_34 = "66 61 60 00 65 63 50 21 64 20 41 40 55 54 53 52"
"""North bids 34 on sixes; after four tricks it has 34 points."""


def tiles(text):
    return parse_tiles(text)


def call_all(hand, text):
    for word in text.split():
        hand = hand.call(hand.to_act, Call.parse(word))
    return hand


def bid_hand(text, trump, *, shaker=Seat.W, deal=None, rules=STRAIGHT):
    """A hand ready for the lead: the calls in order, then the trump."""
    hand = call_all(Hand.start(rules, shaker, deal), text)
    return hand.name_trump(Trump.parse(trump))


def play_all(hand, text):
    for word in text.split():
        hand = hand.play(hand.turn, Tile.parse(word))
    return hand


def random_hand(rng, rules=STRAIGHT, *, known=True, tiles_played=28):
    """A hand with a bid, played at random as far as asked. The deal is known or hidden afterwards."""
    hand = Hand.start(rules, rng.choice(SEATS), Deal.shuffled(rng))
    while hand.phase is Phase.AUCTION:
        hand = hand.call(hand.to_act, rng.choice(hand.legal_calls()))
    if hand.phase is Phase.THROWN_IN:
        return random_hand(rng, rules, known=known, tiles_played=tiles_played)
    hand = hand.name_trump(rng.choice(hand.legal_trumps()))
    for _ in range(tiles_played):
        hand = hand.play(hand.turn, rng.choice(hand.legal_plays()))
    return hand if known else without_deal(hand)


def without_deal(hand):
    """The same calls and plays, recorded without the deal."""
    again = Hand.start(hand.rules, hand.shaker)
    for seat, call in hand.auction.by_seat():
        again = again.call(seat, call)
    again = again.name_trump(hand.trump)
    for play in hand.plays:
        again = again.play(play.seat, play.tile, play.suit)
    return again


seeds = st.integers(min_value=0, max_value=2**32 - 1).map(random.Random)
