"""House rules in records: bids out of turn that stand, special contracts at bid level."""

import pytest

from fortytwo import (
    PASS,
    Auction,
    Call,
    Hand,
    HandRecord,
    IllegalAction,
    PerSide,
    Ruleset,
    Seat,
    Trump,
    bid_level_hand,
)
from fortytwo.errors import ImpossibleRecord
from fortytwo.view import HandView
from tests.fortytwo.helpers import EXAMPLE_DEAL, call_all

NELLO = Ruleset(nello=1)
PLUNGE = Ruleset(plunge=True)
STANDS = Ruleset(bid_out_of_turn="stands_no_raise")


def refusal(move, *args, **named):
    with pytest.raises(IllegalAction) as caught:
        move(*args, **named)
    return caught.value.code


# Bids out of turn that stand.


def test_bid_out_of_turn_stands_and_is_entered_in_its_turn():
    auction = Auction(STANDS, Seat.W).call(Seat.S, Call.parse("32"))
    assert (auction.to_act, auction.calls) == (Seat.N, ())
    auction = auction.call(Seat.N, Call.parse("30")).call(Seat.E, Call.parse("31"))
    assert [str(call) for call in auction.calls] == ["30", "31", "32"]
    assert auction.call(Seat.W, PASS).declarer is Seat.S


def test_bid_out_of_turn_that_is_reached_becomes_a_pass():
    auction = Auction(STANDS, Seat.W).call(Seat.E, Call.parse("32")).call(Seat.N, Call.parse("33"))
    assert auction.calls == (Call.parse("33"), PASS)
    assert refusal(auction.call, Seat.E, Call.parse("34")) == "called_already"


def test_out_of_turn_calls_are_checked():
    start_ = Auction(STANDS, Seat.W)
    assert refusal(start_.call, Seat.S, Call.parse("3m")) == "call_too_high"
    said = start_.call(Seat.S, Call.parse("30"))
    assert refusal(said.call, Seat.S, Call.parse("31")) == "called_already"
    assert refusal(said.call(Seat.N, PASS).call, Seat.N, Call.parse("31")) == "called_already"
    assert refusal(Auction(Ruleset(), Seat.W).call, Seat.S, PASS) == "out_of_turn"


def test_forced_shaker_bids_although_it_stated_a_pass():
    rules = Ruleset(bid_out_of_turn="stands_no_raise", all_pass="force_30")
    auction = Auction(rules, Seat.W).call(Seat.W, PASS)
    for seat in (Seat.N, Seat.E, Seat.S):
        auction = auction.call(seat, PASS)
    assert auction.to_act is Seat.W
    auction = auction.call(Seat.W, Call.parse("30"))
    again = Auction(rules, Seat.W)
    for seat, call in auction.as_said():
        again = again.call(seat, call)
    assert again == auction


def test_stated_calls_are_shown_and_recorded_in_the_order_said():
    hand = Hand.start(STANDS, Seat.W, EXAMPLE_DEAL).call(Seat.S, Call.parse("34"))
    view = hand.view_for(None)
    assert isinstance(view, HandView)
    assert view.to_json()["stated"] == [{"seat": "S", "call": "34"}]
    hand = call_all(hand, "pass 30 pass").name_trump(Trump.SIXES)
    assert [f"{seat}:{call}" for seat, call in hand.auction.as_said()] == ["S:34", "N:pass", "E:30", "W:pass"]
    while hand.turn is not None:
        hand = hand.play(hand.turn, hand.legal_plays()[0])
    assert HandRecord.of(hand).replay() == hand


# Special contracts at bid level.


@pytest.mark.parametrize(
    ("said", "marks", "made"),
    [
        ({"tricks": 0}, PerSide(1, 0), True),
        ({"tricks": 1}, PerSide(0, 1), False),
        ({"points": 0}, PerSide(1, 0), True),
        ({"points": 6}, PerSide(0, 1), False),
        ({"made": True}, PerSide(1, 0), True),
        ({"points": PerSide(0, 17), "made": True}, PerSide(1, 0), True),
        ({"points": PerSide(0, 42)}, PerSide(1, 0), True),
    ],
)
def test_nello_at_bid_level(said, marks, made):
    result = bid_level_hand(NELLO, declarer=Seat.N, bid=Call.parse("42"), trump=Trump.NELLO, **said)
    assert (result.marks, result.made) == (marks, made)
    assert result.points == (said["points"] if isinstance(said.get("points"), PerSide) else None)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({"points": PerSide(0, 18)}, ("points", "points_not_settled")),
        ({"points": 0, "made": False}, ("made", "made_contradicts_points")),
        ({"tricks": 1, "made": True}, ("made", "made_contradicts_tricks")),
        ({"points": 43}, ("points", "points_out_of_range")),
    ],
)
def test_impossible_nello_at_bid_level(said, expected):
    with pytest.raises(ImpossibleRecord) as caught:
        bid_level_hand(NELLO, declarer=Seat.N, bid=Call.parse("42"), trump=Trump.NELLO, **said)
    assert [(item.field, item.error.code) for item in caught.value.fields] == [expected]


def test_plunge_and_forced_nello_at_bid_level():
    plunged = bid_level_hand(PLUNGE, declarer=Seat.E, bid=Call.parse("plunge4"), trump=Trump.SIXES, made=True)
    assert plunged.marks == PerSide(0, 4)
    rules = Ruleset(all_pass="force_30", forced_special="nello")
    forced = {"declarer": Seat.W, "bid": Call.parse("30"), "trump": Trump.NELLO, "made": False}
    assert bid_level_hand(rules, **forced).marks == PerSide(1, 0)
    assert bid_level_hand(rules, **forced, shaker=Seat.W).marks == PerSide(1, 0)
    with pytest.raises(ImpossibleRecord) as caught:
        bid_level_hand(rules, **forced, shaker=Seat.N)
    assert caught.value.fields[0].error.code == "trump_not_offered"
