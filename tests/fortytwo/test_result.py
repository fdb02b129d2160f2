import pickle

import pytest

from fortytwo import (
    Call,
    HandResult,
    IllegalAction,
    ImpossibleRecord,
    PerSide,
    Ruleset,
    Seat,
    Side,
    Trump,
    bid_level_hand,
    check_hand_marks,
    marks_only_hand,
    points_are_reachable,
    thrown_in_hand,
)
from tests.fortytwo.helpers import STRAIGHT


def record(bid="34", declarer=Seat.N, trump=Trump.FIVES, rules=STRAIGHT, **said):
    return bid_level_hand(rules, declarer=declarer, bid=Call.parse(bid), trump=trump, **said)


def refused(**said):
    with pytest.raises(ImpossibleRecord) as caught:
        record(**said)
    assert caught.value.code == "hand_impossible"
    return [(item.field, item.error.code) for item in caught.value.fields]


@pytest.mark.parametrize(
    ("said", "marks", "made"),
    [
        ({"points": 36}, PerSide(1, 0), True),
        ({"points": 33}, PerSide(0, 1), False),
        ({"bid": "32", "declarer": Seat.S, "points": 30}, PerSide(0, 1), False),
        ({"bid": "32", "declarer": Seat.S, "points": 32}, PerSide(1, 0), True),
        ({"points": 0}, PerSide(0, 1), False),
        ({"points": 36, "made": True}, PerSide(1, 0), True),
        ({"made": False}, PerSide(0, 1), False),
        ({"bid": "84", "made": True}, PerSide(2, 0), True),
        ({"bid": "84", "declarer": Seat.W, "points": 41}, PerSide(2, 0), False),
        ({"bid": "84", "tricks": 7}, PerSide(2, 0), True),
        ({"bid": "84", "tricks": 6}, PerSide(0, 2), False),
        ({"bid": "3m", "points": 42, "tricks": 7, "made": True}, PerSide(3, 0), True),
        ({"points": PerSide(34, 2)}, PerSide(1, 0), True),
        ({"points": PerSide(16, 11)}, PerSide(0, 1), False),
        ({"bid": "30", "tricks": 0}, PerSide(0, 1), False),
        ({"points": 36, "marks": PerSide(1, 0)}, PerSide(1, 0), True),
        ({"points": 36, "tricks": 6}, PerSide(1, 0), True),
        ({"points": 36, "shaker": Seat.W}, PerSide(1, 0), True),
        ({"trump": None, "trump_required": False, "made": True}, PerSide(1, 0), True),
    ],
)
def test_bid_level_hand_gives_marks(said, marks, made):
    result = record(**said)
    assert (result.marks, result.made) == (marks, made)


def test_bid_level_hand_keeps_what_was_recorded():
    assert record(points=36, shaker=Seat.W) == HandResult(
        PerSide(1, 0), Seat.W, Seat.N, Call.parse("34"), Trump.FIVES, True, PerSide(36, 6)
    )


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({"bid": "31", "points": 43}, [("points", "points_out_of_range")]),
        ({"points": -1}, [("points", "points_out_of_range")]),
        ({"points": PerSide(34, 43)}, [("points", "points_out_of_range")]),
        ({"points": PerSide(34, 9)}, [("points", "points_sum_impossible")]),
        ({"points": PerSide(18, 9)}, [("points", "points_unreachable")]),
        ({"points": PerSide(18, 6)}, [("points", "points_not_settled")]),
        ({"bid": "84", "made": True, "tricks": 6}, [("made", "made_contradicts_tricks")]),
        ({"bid": "84", "made": True, "points": 41}, [("made", "made_contradicts_points")]),
        ({"bid": "84", "made": False, "tricks": 7}, [("made", "made_contradicts_tricks")]),
        ({"made": True, "points": 33}, [("made", "made_contradicts_points")]),
        ({"made": False, "points": 34}, [("made", "made_contradicts_points")]),
        ({"made": True, "tricks": 0}, [("made", "made_contradicts_tricks")]),
        ({"bid": "29", "points": 36}, [("bid", "bid_below_minimum")]),
        ({"bid": "pass", "points": 36}, [("bid", "bid_is_pass")]),
        ({"bid": "6m", "made": True}, [("bid", "bid_cannot_stand")]),
        ({"bid": "3m", "made": True, "shaker": Seat.W}, [("bid", "bid_cannot_stand")]),
        ({"trump": None, "made": True}, [("trump", "trump_missing")]),
        ({}, [("made", "outcome_missing")]),
        ({"tricks": 4}, [("made", "outcome_missing")]),
        ({"made": True, "tricks": 8}, [("tricks", "tricks_out_of_range")]),
        ({"points": 36, "tricks": 5}, [("tricks", "tricks_contradict_points")]),
        ({"made": True, "marks": PerSide(1, 1)}, [("marks", "both_sides_made")]),
        ({"made": True, "marks": PerSide(0, 1)}, [("marks", "marks_contradict")]),
        (
            {"bid": "29", "trump": None, "points": 43, "tricks": 9},
            [
                ("bid", "bid_below_minimum"),
                ("trump", "trump_missing"),
                ("points", "points_out_of_range"),
                ("tricks", "tricks_out_of_range"),
            ],
        ),
    ],
)
def test_impossible_hands_are_refused_field_by_field(said, expected):
    assert refused(**said) == expected


def test_trump_that_is_not_offered_is_refused_at_bid_level():
    rules = Ruleset(follow_me="marks_only")
    assert refused(rules=rules, trump=Trump.FOLLOW_ME, made=True) == [("trump", "trump_not_offered")]
    assert refused(rules=rules, trump=Trump.FOLLOW_ME, made=True, bid="pass") == [("bid", "bid_is_pass")]


def test_refusal_is_readable_and_survives_pickling():
    with pytest.raises(ImpossibleRecord) as caught:
        record(bid="31", points=43)
    assert caught.value.message == "This hand cannot have happened: A side takes 0 to 42 points, not 43."
    assert caught.value.to_json()["fields"] == [
        {
            "field": "points",
            "code": "points_out_of_range",
            "points": 43,
            "message": "A side takes 0 to 42 points, not 43.",
        }
    ]
    assert pickle.loads(pickle.dumps(caught.value)).fields[0].field == "points"


def test_reachable_points():
    assert points_are_reachable(PerSide(18, 6))
    assert not points_are_reachable(PerSide(18, 9))
    assert all(points_are_reachable(PerSide(n, 42 - n)) for n in range(43))


def test_thrown_in_and_marks_only_hands():
    assert thrown_in_hand(STRAIGHT, Seat.W) == HandResult(PerSide(), Seat.W)
    assert marks_only_hand(STRAIGHT, Side.EW, 2) == HandResult(PerSide(0, 2))
    forced = Ruleset(all_pass="force_30")
    cases = [
        (lambda: thrown_in_hand(forced), "hand_without_marks"),
        (lambda: marks_only_hand(forced, Side.NS, 0), "hand_without_marks"),
        (lambda: marks_only_hand(STRAIGHT, Side.NS, 6), "marks_out_of_range"),
        (lambda: marks_only_hand(STRAIGHT, Side.NS, -1), "marks_out_of_range"),
        (lambda: check_hand_marks(STRAIGHT, HandResult(PerSide(1, 1))), "marks_both_sides"),
    ]
    for make, code in cases:
        with pytest.raises(IllegalAction) as caught:
            make()
        assert caught.value.code == code
