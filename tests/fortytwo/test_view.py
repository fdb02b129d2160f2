"""Nothing that a reader may not see is in any form of a view."""

import json
import re

from hypothesis import given, settings
from hypothesis import strategies as st

from fortytwo import SEATS, TILES, Hand, Ruleset, Seat, Tile
from fortytwo.view import HandView
from tests.fortytwo.helpers import (
    EXAMPLE_DEAL,
    MADE_34,
    STRAIGHT,
    bid_hand,
    call_all,
    play_all,
    random_hand,
    seeds,
)


def tiles_in(text):
    """Every tile that a text shows, in any form in which a tile can be written."""
    found = {Tile.parse(pair) for pair in re.findall(r"(?<![\d-])[0-6]-[0-6](?![\d-])", text)}
    return found | {
        Tile.of(int(high), int(low)) for high, low in re.findall(r"high=([0-6]), low=([0-6])", text)
    }


def score_texts(view):
    """Points and marks also look like tiles; they are numbers here, so they cannot."""
    return [str(view), repr(view), json.dumps(view.to_json())]


@settings(max_examples=60, deadline=None)
@given(seeds, st.integers(min_value=0, max_value=27), st.sampled_from([*SEATS, None]), st.booleans())
def test_view_shows_only_played_tiles_and_the_readers_own(rng, played, reader, known):
    hand = random_hand(rng, tiles_played=played, known=known)
    allowed = {play.tile for play in hand.plays}
    if reader is not None and known:
        allowed |= set(hand.holding(reader))
    view = hand.view_for(reader)
    for text in score_texts(view):
        assert tiles_in(text) == allowed
    assert tiles_in(repr(hand) + str(hand)) == {play.tile for play in hand.plays}


def test_tile_finder_of_this_test_sees_every_form():
    text = " ".join([f"{TILES[0]}", repr(TILES[27]), "Tile(high=6, low=4)", '["5-1"]'])
    assert tiles_in(text) == {TILES[0], TILES[27], Tile.parse("64"), Tile.parse("51")}


def test_view_of_a_closed_hand_still_hides_what_was_not_played():
    hand = play_all(bid_hand("34 pass pass pass", "6", deal=EXAMPLE_DEAL), MADE_34)
    assert hand.is_closed
    view = hand.view_for(None)
    assert view.holding is None
    assert tiles_in(repr(view)) == {play.tile for play in hand.plays}
    assert hand.view_for(Seat.W).holding == hand.holding(Seat.W)


def test_findings_are_in_no_view():
    hand = play_all(bid_hand("30 pass pass pass", "6"), "66 54 60 00")
    hand = hand.with_holding(Seat.E, EXAMPLE_DEAL[Seat.E])
    assert hand.findings[0].proof == Tile.parse("63")
    assert Tile.parse("63") not in tiles_in(json.dumps(hand.view_for(None).to_json()))


def test_legal_plays_are_shown_to_the_seat_in_turn_only():
    hand = play_all(bid_hand("34 pass pass pass", "6", deal=EXAMPLE_DEAL), "66")
    assert hand.view_for(Seat.E).legal_plays == hand.legal_plays()
    for reader in (Seat.N, Seat.S, Seat.W, None):
        assert hand.view_for(reader).legal_plays is None
    unknown = play_all(bid_hand("34 pass pass pass", "6", deal={Seat.S: EXAMPLE_DEAL[Seat.S]}), "66")
    assert unknown.view_for(Seat.E).legal_plays is None


def test_view_as_json():
    hand = play_all(bid_hand("34 pass pass pass", "6", deal=EXAMPLE_DEAL), "66 61 60 00 65")
    view = hand.view_for(Seat.E)
    assert isinstance(view, HandView)
    assert view.to_json() == {
        "seat": "E",
        "shaker": "W",
        "phase": "play",
        "calls": [
            {"seat": "N", "call": "34"},
            {"seat": "E", "call": "pass"},
            {"seat": "S", "call": "pass"},
            {"seat": "W", "call": "pass"},
        ],
        "legal_calls": [],
        "declarer": "N",
        "bid": "34",
        "trump": "6",
        "tricks": [{"plays": ["N:6-6", "E:6-1", "S:6-0", "W:0-0"], "winner": "N", "points": 1}],
        "table": ["N:6-5"],
        "to_act": "E",
        "points": {"NS": 1, "EW": 0},
        "made": None,
        "marks": {"NS": 0, "EW": 0},
        "settled_after": None,
        "tricks_in_view": None,
        "holding": ["6-3", "5-4", "3-0", "2-0", "1-1", "1-0"],
        "legal_plays": ["6-3"],
        "stated": [],
        "sits_out": None,
        "needed": 34,
        "claimed_by": None,
    }


def test_auction_view_shows_legal_calls_to_everybody():
    view = call_all(Hand.start(STRAIGHT, Seat.W, EXAMPLE_DEAL), "84").view_for(None)
    assert [str(call) for call in view.legal_calls] == ["pass", "3m"]
    assert (view.to_act, view.bid, view.declarer) == (Seat.E, None, None)


def test_tricks_in_view_follow_the_rule():
    def in_view(rule, bid):
        return (
            bid_hand(f"{bid} pass pass pass", "6", rules=Ruleset(tricks_in_view=rule))
            .view_for(None)
            .tricks_in_view
        )

    table = [in_view(rule, bid) for rule in ("by_bid", "all", "latest") for bid in ("30", "42")]
    assert table == [None, 1, None, None, 1, 1]
