"""Random full hands: the engine, its bulk path and its front equal the naive engine."""

import random

import pytest
from hypothesis import given, settings

from fortytwo import (
    SEATS,
    BulkHand,
    Deal,
    HandRecord,
    IllegalAction,
    Ruleset,
    make_contract,
    replay_fast,
    replay_many,
)
from fortytwo.requests import hand_answer
from fortytwo.tiles import INDEX, TILES
from tests.fortytwo import naive
from tests.fortytwo.helpers import STRAIGHT, random_hand, seeds, without_deal

MUST_FOLLOW_NUMBER = Ruleset(doubles_trump="must_follow_number")


def as_text(hand):
    """The parts of a hand in the words of the naive engine."""
    return {
        "deal": {str(seat): [str(tile) for tile in hand.deal.holding(seat)] for seat in SEATS},
        "shaker": str(hand.shaker),
        "calls": [str(call) for call in hand.auction.calls],
        "trump": str(hand.trump),
        "tiles": [str(play.tile) for play in hand.plays],
    }


def indexes(hand):
    return [INDEX[play.tile] for play in hand.plays]


@settings(max_examples=150, deadline=None)
@given(seeds)
def test_whole_hands_equal_the_naive_engine(rng):
    hand = random_hand(rng)
    expected = naive.hand(**as_text(hand))
    assert hand_answer(hand) == expected
    assert hand_answer(without_deal(hand)) == expected
    fast = replay_fast(hand.contract, hand.deal, indexes(hand), STRAIGHT)
    assert {"NS": fast.ns, "EW": fast.ew} == expected["points"]
    assert (fast.made, fast.settled_after) == (expected["made"], expected["settled_after"])
    assert ["NESW"[winner] for winner in fast.winners] == [trick["winner"] for trick in expected["tricks"]]


@settings(max_examples=100, deadline=None)
@given(seeds)
def test_legal_plays_equal_the_naive_engine_at_every_turn(rng):
    whole = random_hand(rng)
    state = HandRecord(whole.rules, whole.shaker, whole.deal, whole.auction.by_seat(), whole.trump).replay()
    for play in whole.plays:
        led = str(state.table[0].tile) if state.table else None
        held = [str(tile) for tile in state.holding(state.turn)]
        assert [str(tile) for tile in state.legal_plays()] == naive.legal(held, led, str(state.trump))
        state = state.play(play.seat, play.tile)
    assert state == whole


@settings(max_examples=150, deadline=None)
@given(seeds)
def test_one_play_swapped_is_refused_at_the_same_tile_everywhere(rng):
    hand = random_hand(rng)
    order = indexes(hand)
    one, other = rng.sample(range(28), 2)
    order[one], order[other] = order[other], order[one]
    words = as_text(hand)
    words["tiles"] = [str(TILES[index]) for index in order]
    leader, _ = naive.declarer(words["shaker"], words["calls"])
    expected = naive.play_out(words["deal"], leader, words["trump"], words["tiles"])
    (fast,) = replay_many([BulkHand(hand.contract, hand.deal, order)], STRAIGHT)
    if isinstance(expected, list):
        assert ["NESW"[winner] for winner in fast.winners] == [winner for winner, _ in expected]
        return
    record = HandRecord.of(hand)
    plays = tuple((None, TILES[index]) for index in order)
    with pytest.raises(IllegalAction) as caught:
        HandRecord(record.rules, record.shaker, record.deal, record.calls, record.trump, plays).replay()
    assert (caught.value.facts["number"], caught.value.code) == (expected, fast.code)


@settings(max_examples=30, deadline=None)
@given(seeds)
def test_bulk_path_falls_back_to_hand_for_unusual_hands(rng):
    hand = random_hand(rng, MUST_FOLLOW_NUMBER)
    whole = BulkHand(hand.contract, hand.deal, indexes(hand))
    unknown = BulkHand(hand.contract, Deal(), indexes(hand))
    early = BulkHand(hand.contract, hand.deal, indexes(hand)[:8])
    wrong = BulkHand(hand.contract, hand.deal, [indexes(hand)[0]] * 28)
    answers = list(replay_many([whole, unknown, early, wrong], MUST_FOLLOW_NUMBER))
    assert answers[0] == answers[1]
    assert (answers[0].ns, answers[0].ew, answers[0].made) == (hand.points.ns, hand.points.ew, hand.made)
    assert answers[2].winners == answers[0].winners[:2]
    assert answers[3].code == "tile_played"


def test_contracts_are_equal_values():
    hand = random_hand(random.Random(3))
    assert make_contract(STRAIGHT, hand.declarer, hand.bid, hand.trump) == hand.contract
