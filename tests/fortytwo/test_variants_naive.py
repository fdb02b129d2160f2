"""Random hands of every contract family: the engine, its bulk path and its front equal the naive one."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fortytwo import (
    SEATS,
    TILES,
    Auction,
    BulkHand,
    Call,
    Deal,
    Hand,
    HandRecord,
    IllegalAction,
    Phase,
    Ruleset,
    Seat,
    Tile,
    Trump,
    replay_many,
    trick_rules,
)
from fortytwo.requests import hand_answer
from fortytwo.tiles import INDEX
from tests.fortytwo import naive_variants
from tests.fortytwo.helpers import seeds, without_deal

SETS = {
    "nello": {"nello": 1},
    "nello, doubles high": {"nello": 2, "nello_doubles": "high"},
    "nello, doubles low": {"nello": 1, "nello_doubles": "low"},
    "nello, doubles reversed": {"nello": 1, "nello_doubles": "own_suit_reversed"},
    "nello as called": {"nello": 1, "nello_doubles": "as_called"},
    "nello when forced": {"all_pass": "force_30", "forced_special": "nello"},
    "plunge": {"plunge": True, "raise_limit": 2},
    "splash": {"splash": 2, "plunge": True, "all_pass": "force_30"},
    "sevens": {"sevens": 1},
    "sevens when forced": {"all_pass": "force_31", "forced_special": "sevens"},
    "follow me low": {"follow_me_doubles": "low"},
    "follow me own suit": {"follow_me_doubles": "own_suit"},
    "follow me reversed": {"follow_me_doubles": "own_suit_reversed"},
    "follow me as called": {"follow_me_doubles": "as_called", "follow_me": "marks_only"},
    "follow the number": {"doubles_trump": "must_follow_number"},
    "small end": {"small_end_opening": True},
    "points": {"scoring": "points", "nello": 1, "sevens": 1},
    "points, bid only": {"scoring": "points", "set_scores": "bid_only", "plunge": True},
}


def special_hand(rng, switches, tiles_played=28):
    """A random hand, more often than not in a contract that only these switches allow."""
    rules = Ruleset.from_switches(switches)
    hand = Hand.start(rules, rng.choice(SEATS), Deal.shuffled(rng))
    while hand.phase is Phase.AUCTION:
        offered = hand.legal_calls()
        liked = [call for call in offered if call.partner_leads or str(call) in ("42", "84")]
        if switches.get("forced_special") and Call.parse("pass") in offered:
            liked = [Call.parse("pass")]
        hand = hand.call(hand.to_act, rng.choice(liked if liked and rng.random() < 0.6 else offered))
    if hand.phase is Phase.THROWN_IN:
        return special_hand(rng, switches, tiles_played)
    offered = hand.legal_trumps()
    liked = [trump for trump in offered if "-" in trump or trump in ("nello", "sevens", "doubles")]
    hand = hand.name_trump(rng.choice(liked if liked and rng.random() < 0.7 else offered))
    while hand.turn is not None and len(hand.plays) < tiles_played:
        tile = rng.choice(hand.legal_plays())
        small = hand.contract.tricks.lead_as(INDEX[tile], tile.low) if not hand.plays else None
        declared = small is not None and rules.small_end_opening and rng.random() < 0.8
        hand = hand.play(hand.turn, tile, tile.low if declared else None)
    return hand


def as_text(hand):
    return {
        "deal": {str(seat): [str(tile) for tile in hand.deal.holding(seat)] for seat in SEATS},
        "shaker": str(hand.shaker),
        "calls": [str(call) for call in hand.auction.calls],
        "named": str(hand.trump),
        "tiles": [play.what for play in hand.plays],
    }


@pytest.mark.parametrize("name", SETS)
@settings(max_examples=25, deadline=None)
@given(rng=seeds)
def test_hands_of_every_family_equal_the_naive_engine(name, rng):
    switches = SETS[name]
    hand = special_hand(rng, switches)
    expected = naive_variants.hand(**as_text(hand), switches=switches)
    assert hand_answer(hand) == expected
    assert hand_answer(without_deal(hand)) == expected
    assert without_deal(hand).findings == ()
    record = HandRecord.of(hand)
    assert HandRecord.from_json(json.loads(json.dumps(record.to_json()))).replay() == hand
    order = [play.led if place == 0 else INDEX[play.tile] for place, play in enumerate(hand.plays)]
    (bulk,) = replay_many([BulkHand(hand.contract, hand.deal, order)], hand.rules)
    assert ({"NS": bulk.ns, "EW": bulk.ew}, bulk.made, bulk.settled_after) == (
        expected["points"],
        expected["made"],
        expected["settled_after"],
    )


@pytest.mark.parametrize("name", SETS)
@settings(max_examples=10, deadline=None)
@given(rng=seeds)
def test_offers_of_every_family_equal_the_naive_engine_at_every_turn(name, rng):
    switches = SETS[name]
    whole = special_hand(rng, switches)
    state = Hand.start(whole.rules, whole.shaker, whole.deal)
    for seat, call in whole.auction.by_seat():
        doubles = sum(tile.is_double for tile in state.holding(seat))
        said = [str(made) for made in state.auction.calls]
        expected = naive_variants.calls_open(said, switches, doubles)
        assert sorted(map(str, state.legal_calls())) == sorted(expected)
        state = state.call(seat, call)
    forced = "throw_in" not in switches.get("all_pass", "throw_in") and state.bid == state.auction.calls[3]
    forced = forced and all(call.is_pass for call in state.auction.calls[:3])
    offered = naive_variants.offered(str(state.bid), switches, forced)
    assert sorted(map(str, state.legal_trumps())) == sorted(offered)
    state = state.name_trump(whole.trump)
    rules = naive_variants.tricks_of(str(whole.trump), switches)
    for play in whole.plays:
        lead = state.table[0].what if state.table else None
        held = [str(tile) for tile in state.holding(state.turn)]
        assert [str(tile) for tile in state.legal_plays()] == rules.legal(held, lead)
        state = state.play(play.seat, play.tile, play.suit)
    assert state == whole


@settings(max_examples=40, deadline=None)
@given(seeds, st.sampled_from(sorted(SETS)))
def test_wild_records_of_every_family_show_each_renege(rng, name):
    """Tiles played without any regard to suits, recorded without the deal."""
    whole = special_hand(rng, SETS[name])
    state = without_deal(special_start(whole))
    order = {seat: list(whole.deal.holding(seat)) for seat in SEATS}
    rules = naive_variants.tricks_of(str(whole.trump), SETS[name])
    broken = []
    while state.turn is not None:
        seat = state.turn
        tile = rng.choice(order[seat])
        lead = state.table[0].what if state.table else None
        if str(tile) not in rules.legal([str(held) for held in order[seat]], lead):
            broken.append((seat, len(state.tricks) + 1, tile))
        order[seat].remove(tile)
        state = state.play(seat, tile)
    assert [(found.seat, found.trick, found.played) for found in state.findings] == broken


def special_start(hand):
    """The hand before its first tile."""
    start = Hand.start(hand.rules, hand.shaker, hand.deal)
    for seat, call in hand.auction.by_seat():
        start = start.call(seat, call)
    return start.name_trump(hand.trump)


@pytest.mark.parametrize("named", [str(trump) for trump in Trump])
def test_every_two_tile_trick_equals_the_naive_variants(named):
    for switches in ({}, {"nello_doubles": "low", "follow_me_doubles": "own_suit"}):
        rules = naive_variants.tricks_of(named, switches)
        table = trick_rules(Trump.parse(named), Ruleset.from_switches(switches))
        for led in TILES:
            for lead, number in leads(table, led):
                for tile in TILES:
                    if tile is led:
                        continue
                    plays = [("N", lead), ("E", str(tile))]
                    assert (table.winner([number, tile.index]) == 1) == (rules.winner(plays) == "E")


def leads(table, led):
    """A tile as text and number, led in each way in which it can be."""
    yield str(led), led.index
    if table.lead_as(led.index, led.low) not in (None, led.index):
        yield f"{led}/{led.low}", table.lead_as(led.index, led.low)


def all_auctions(rules):
    found = [Auction(rules, Seat.W)]
    for _ in SEATS:
        found = [state.call(state.to_act, call) for state in found for call in state.legal_calls()]
    return {tuple(map(str, state.calls)) for state in found}


@pytest.mark.parametrize(
    "switches",
    [
        {"plunge": True, "lowest_bid": 39},
        {"splash": 2, "plunge": True, "lowest_bid": 40, "all_pass": "force_31"},
        {"splash": 3, "raise_limit": 2, "lowest_bid": 40},
        {"plunge": True, "opening_limit": 3, "lowest_bid": 41},
    ],
)
def test_auctions_with_specials_equal_the_naive_ones(switches):
    naive = [()]
    for _ in range(4):
        naive = [(*calls, call) for calls in naive for call in naive_variants.calls_open(calls, switches)]
    assert all_auctions(Ruleset.from_switches(switches)) == set(naive)


def test_a_tile_of_no_suit_led_cannot_be_declared():
    for trump in ("3", "doubles", "follow-me", "sevens"):
        table = trick_rules(Trump.parse(trump), Ruleset())
        for tile in TILES:
            other = next(pip for pip in range(7) if pip not in (tile.high, tile.low, 3))
            assert table.lead_as(tile.index, other) is None
    with pytest.raises(IllegalAction) as caught:
        special_hand_on_small_end().play(Seat.N, Tile.parse("64"), 5)
    assert caught.value.code == "lead_suit_refused"


def special_hand_on_small_end():
    hand = Hand.start(Ruleset(small_end_opening=True), Seat.W)
    for word in ("30", "pass", "pass", "pass"):
        hand = hand.call(hand.to_act, Call.parse(word))
    return hand.name_trump(Trump.ONES)
