"""Hands recorded as marks and at bid level: sent twice, sent differently, impossible, taken back."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.models import Game, Hand, RefusedAttempt
from tests.support.doors import DONE, Answer, Door
from tests.support.events import Event, make_tournament
from tournaments.models import LogEntry, Match

pytestmark = pytest.mark.django_db

BID = {"level": "bid", "declarer": "E", "bid": "34", "trump": "5", "points": 36}


def one_match() -> tuple[Event, Match]:
    event = make_tournament(2, kind="single-elimination")
    return event, event.match("M1")


def stored(match: Match) -> list[tuple[Any, ...]]:
    """The hands that stand: game, number, level, declarer, bid, trump, ending, points and marks."""
    rows = Hand.objects.filter(game__match=match).exclude(state="void").order_by("game__number", "number")
    return list(
        rows.values_list(
            "game__number",
            "number",
            "level",
            "declarer",
            "bid",
            "trump",
            "ending",
            "points_ns",
            "points_ew",
            "marks_ns",
            "marks_ew",
        )
    )


def refused_attempts(match: Match) -> list[str]:
    return list(RefusedAttempt.objects.filter(match=match).order_by("at").values_list("code", flat=True))


def test_hand_sent_again_is_one_hand_and_other_data_for_it_is_a_conflict(door: Door) -> None:
    event, match = one_match()
    for _ in range(3):
        assert door.hand(event.owner, match, 1, 1, **BID) == DONE
    for change in ({"declarer": "S"}, {"bid": "35"}, {"trump": "6"}, {"points": 37}, {"level": "marks"}):
        other = {**BID, **change}
        if change == {"level": "marks"}:
            other = {"level": "marks", "winner": "EW", "marks": 1}
        refused = door.hand(event.owner, match, 1, 1, **other)
        assert refused == Answer(409, "hand_differs")
        facts = refused.facts["stored"]
        assert (facts["declarer"], facts["bid"], facts["trump"], facts["marks"]) == (
            "E",
            "34",
            "5",
            {"NS": 0, "EW": 1},
        )

    assert stored(match) == [(1, 1, "bid", "E", "34", "5", "made", 6, 36, 0, 1)]
    assert LogEntry.objects.filter(match=match, action="hand.recorded").count() == 1
    assert Game.objects.get(match=match).marks_ew == 1


def test_two_phones_enter_the_same_hand_differently_and_the_first_stays(door: Door) -> None:
    event, match = one_match()
    table, seat = event.table_link(match), event.side_links(match)["EW"]
    assert door.hand(table, match, 1, 1, level="marks", winner="NS", marks=1) == DONE

    refused = door.hand(seat, match, 1, 1, level="marks", winner="EW", marks=1)

    assert (refused, refused.facts["stored"]["marks"]) == (
        Answer(409, "hand_differs"),
        {"NS": 1, "EW": 0},
    )
    assert [row[-2:] for row in stored(match)] == [(1, 0)]


@pytest.mark.parametrize(
    ("change", "field", "code"),
    [
        ({"bid": "31", "points": 43}, "points", "points_out_of_range"),
        ({"bid": "84", "points": 40, "made": True}, "made", "made_contradicts_points"),
        ({"bid": "84", "points": None, "tricks": 6, "made": True}, "made", "made_contradicts_tricks"),
        ({"made": False}, "made", "made_contradicts_points"),
        ({"trump": ""}, "trump", "trump_missing"),
        ({"bid": "pass"}, "bid", "bid_is_pass"),
        ({"bid": "29"}, "bid", "bid_below_minimum"),
        ({"bid": "43"}, None, "bad_call"),
        ({"bid": "4m", "declarer": "E"}, "bid", "bid_cannot_stand"),
        ({"points": None}, "made", "outcome_missing"),
        ({"points": 34, "tricks": 0}, "tricks", "tricks_contradict_points"),
        ({"points": 1, "tricks": 9}, "tricks", "tricks_out_of_range"),
        ({"marks": 2, "winner": "EW"}, "marks", "marks_contradict"),
        ({"marks": 1, "winner": "NS"}, "marks", "marks_contradict"),
        ({"declarer": ""}, "declarer", "declarer_missing"),
        ({"bid": ""}, "bid", "bid_missing"),
        ({"marks": 1}, "winner", "winner_missing"),
        ({"trump": "7"}, None, "bad_trump"),
        ({"declarer": "X"}, None, "bad_seat"),
        ({"shaker": "9"}, None, "bad_seat"),
    ],
)
def test_impossible_hands_are_refused_field_by_field(
    door: Door, change: dict[str, Any], field: str | None, code: str
) -> None:
    event, match = one_match()

    refused = door.hand(event.owner, match, 1, 1, **{**BID, "shaker": "N", **change})

    if code.startswith("bad_"):
        assert (refused, stored(match), refused_attempts(match)) == (Answer(400, code), [], [])
        return
    assert refused.status == 422
    fields = refused.facts.get("fields")
    if fields is not None:
        assert [(one["field"], one["code"]) for one in fields] == [(field, code)]
    else:
        assert (refused.facts["field"], refused.code) == (field, code)
    assert (stored(match), Game.objects.count(), event.match("M1").state) == ([], 0, "ready")
    assert len(refused_attempts(match)) == 1


def test_every_wrong_field_of_a_hand_is_named_at_once(door: Door) -> None:
    event, match = one_match()

    refused = door.hand(
        event.owner, match, 1, 1, level="bid", declarer="E", bid="pass", trump="", points=43, tricks=8
    )

    assert refused == Answer(422, "hand_impossible")
    assert [(one["field"], one["code"]) for one in refused.facts["fields"]] == [
        ("bid", "bid_is_pass"),
        ("trump", "trump_missing"),
        ("points", "points_out_of_range"),
        ("tricks", "tricks_out_of_range"),
    ]


def test_zero_is_a_value(door: Door) -> None:
    event, match = one_match()

    assert door.hand(event.owner, match, 1, 1, **{**BID, "trump": "0", "points": 0, "tricks": 0}) == DONE

    assert stored(match) == [(1, 1, "bid", "E", "34", "0", "set", 42, 0, 1, 0)]


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        ({"winner": "NS", "marks": 6}, "marks_out_of_range"),
        ({"winner": "NS", "marks": 0}, None),
        ({"winner": "NS"}, "winner_missing"),
        ({"marks": 1}, "winner_missing"),
        ({}, "winner_missing"),
        ({"winner": "NS", "marks": 5}, None),
        ({"thrown_in": True}, None),
    ],
)
def test_marks_of_a_hand(door: Door, entry: dict[str, Any], code: str | None) -> None:
    event, match = one_match()

    answer = door.hand(event.owner, match, 1, 1, level="marks", **entry)

    assert answer == (DONE if code is None else Answer(422, code))
    assert len(stored(match)) == (code is None)


def test_thrown_in_hand_gives_nothing_and_is_refused_where_the_shaker_must_bid(door: Door) -> None:
    event, match = one_match()
    forced = make_tournament(2, kind="single-elimination", rules={"all_pass": "force_30"})
    assert door.hand(event.owner, match, 1, 1, level="bid", thrown_in=True, shaker="W") == DONE
    assert door.hand(event.owner, match, 1, 2, level="bid", thrown_in=True) == DONE
    assert [(row[6], row[-2:]) for row in stored(match)] == [("thrown-in", (0, 0))] * 2
    assert list(Hand.objects.order_by("number").values_list("shaker", flat=True)) == ["W", "N"]

    refused = door.hand(forced.owner, forced.match("M1"), 1, 1, level="marks", thrown_in=True)

    assert refused == Answer(422, "hand_without_marks")


def test_hands_come_in_order_and_the_shake_goes_round(door: Door) -> None:
    event, match = one_match()
    marks = {"level": "marks", "winner": "NS", "marks": 1}
    assert door.hand(event.owner, match, 1, 2, **marks) == Answer(409, "hand_out_of_order")
    assert door.hand(event.owner, match, 2, 1, **marks) == Answer(409, "game_out_of_order")
    assert door.hand(event.owner, match, 1, 1, **marks) == DONE
    assert door.hand(event.owner, match, 1, 2, **marks, shaker="S") == DONE
    assert door.hand(event.owner, match, 1, 4, **marks) == Answer(409, "hand_out_of_order")
    refused = door.hand(event.owner, match, 1, 3, **marks, shaker="N")
    assert (refused, refused.facts["expected"]) == (Answer(422, "wrong_shaker"), "W")
    assert door.hand(event.owner, match, 1, 3, **marks, shaker="W") == DONE
    assert Game.objects.get(match=match).first_shaker == "E"


def test_hands_become_games_and_games_a_result_that_waits_for_confirmation(door: Door) -> None:
    event, match = one_match()
    scores = [("NS", 5), ("EW", 1), ("NS", 2), ("NS", 4), ("NS", 1), ("NS", 2)]
    game, number = 1, 0
    for winner, marks in scores:
        number += 1
        assert door.hand(event.owner, match, game, number, level="marks", winner=winner, marks=marks) == DONE
        if Game.objects.get(match=match, number=game).state == "closed":
            game, number = game + 1, 0

    (result,) = match.results.all()
    assert (result.games, result.state) == ([{"NS": 7, "EW": 1}, {"NS": 7, "EW": 0}], "entered")
    assert event.match("M1").state == "entered"
    assert door.hand(event.owner, match, 2, 4, level="marks", winner="NS", marks=1) == Answer(
        409, "result_stored"
    )
    assert door.advance(event) == DONE
    assert event.fresh().champion is None


def test_hand_past_the_target_keeps_its_raw_marks(door: Door) -> None:
    event, match = one_match()
    assert door.hand(event.owner, match, 1, 1, level="marks", winner="EW", marks=5) == DONE
    assert door.hand(event.owner, match, 1, 2, level="marks", winner="EW", marks=1) == DONE
    assert door.hand(event.owner, match, 1, 3, level="marks", winner="EW", marks=3) == DONE
    assert door.hand(event.owner, match, 1, 4, level="marks", winner="EW", marks=1) == Answer(
        409, "game_over"
    )

    game = Game.objects.get(match=match)
    assert (game.marks_ns, game.marks_ew, game.state, game.winner_side) == (0, 9, "closed", "EW")


def test_undo_takes_back_the_newest_record_and_the_result_made_of_it(door: Door) -> None:
    event, match = one_match()
    scorer = event.official("scorer")
    assert door.undo(scorer, match) == Answer(409, "nothing_to_undo")
    assert door.game(scorer, match, 1, 7, 5) == DONE
    assert door.hand(scorer, match, 2, 1, level="marks", winner="NS", marks=5) == DONE
    assert door.hand(scorer, match, 2, 2, level="marks", winner="NS", marks=2) == DONE
    assert event.match("M1").state == "entered"

    assert door.undo(scorer, match) == DONE
    assert (event.match("M1").state, [row[:2] for row in stored(match)]) == ("playing", [(2, 1)])
    assert list(match.results.values_list("state", flat=True)) == ["taken-back"]
    assert door.hand(scorer, match, 2, 2, level="marks", winner="EW", marks=3) == DONE
    game = Game.objects.get(match=match, number=2)
    assert (game.marks_ns, game.marks_ew, game.state) == (5, 3, "live")

    for _ in range(2):
        assert door.undo(scorer, match) == DONE
    assert stored(match) == []
    assert Hand.objects.filter(state="void").count() == 3
    assert door.undo(scorer, match) == DONE
    assert not Game.objects.filter(state="closed").exists()
    assert door.undo(scorer, match) == Answer(409, "nothing_to_undo")
    undone = event.log_of("record.undone")
    assert [(one["what"], one["game"], one["hand"]) for one in undone] == [
        ("hand", 2, 2),
        ("hand", 2, 2),
        ("hand", 2, 1),
        ("game", 1, None),
    ]
    assert door.game(scorer, match, 1, 3, 7) == DONE
    assert door.hand(scorer, match, 2, 1, level="marks", winner="EW", marks=5) == DONE
    assert door.game(scorer, match, 3, 3, 7) == Answer(409, "game_out_of_order")
    assert door.hand(scorer, match, 2, 2, level="marks", winner="EW", marks=2) == DONE
    assert match.results.latest("version").games == [{"NS": 3, "EW": 7}, {"NS": 0, "EW": 7}]


def test_game_whose_hands_were_all_taken_back_can_be_entered_as_a_whole(door: Door) -> None:
    event, match = one_match()
    assert door.hand(event.owner, match, 1, 1, level="marks", winner="NS", marks=1) == DONE
    assert door.game(event.owner, match, 1, 7, 4) == Answer(409, "game_differs")
    assert door.undo(event.owner, match) == DONE

    assert door.game(event.owner, match, 1, 7, 4) == DONE

    assert list(Game.objects.values_list("number", "marks_ns", "marks_ew", "state", "whole")) == [
        (1, 7, 4, "closed", True)
    ]


def test_undo_stops_where_the_result_counts(door: Door) -> None:
    event, match = one_match()
    event.play("M1")

    assert door.undo(event.owner, match) == Answer(409, "already_confirmed")
    assert door.hand(event.owner, match, 1, 1, level="marks", winner="NS", marks=1) == Answer(
        409, "already_confirmed"
    )
    assert door.game(event.owner, match, 1, 7, 1) == Answer(409, "already_confirmed")


def test_undo_by_a_side_does_not_touch_the_entry_of_another(door: Door) -> None:
    event, match = one_match()
    sides = event.side_links(match)
    for number in (1, 2):
        assert door.game(sides["NS"], match, number, 7, 5) == DONE

    assert door.undo(sides["EW"], match) == Answer(403, "not_your_entry")

    assert (event.match("M1").state, Game.objects.count()) == ("entered", 2)
