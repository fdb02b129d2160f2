"""*Record hand*: marks, bid level and tile by tile; refusals beside their field, with what was typed kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse

from scoring.models import Call, Game, Hand, Holding, Play, RefusedAttempt
from scoring.services.deal import deal_put
from scoring.services.hand import HandEntry, hand_put
from scoring.services.play import call_put, play_put, trump_put
from tests.admin.desk import Desk, errors, refusals, said, staff
from tests.admin.hall import SWEEP, TILES
from tests.director.table import client_of
from tests.support.events import Event, make_tournament
from tournaments.models import Match, Result

pytestmark = pytest.mark.django_db


def hands(match: Match) -> list[tuple[Any, ...]]:
    rows = Hand.objects.filter(game__match=match).exclude(state="void").order_by("game__number", "number")
    return list(
        rows.values_list(
            "level", "shaker", "declarer", "bid", "trump", "ending", "marks_ns", "marks_ew", "points_ns"
        )
    )


def test_hand_is_recorded_as_marks_and_a_game_as_a_whole(event: Event, desk: Desk) -> None:
    match = event.match("M1")
    assert said(desk.record(match, "marks", 1, 1, winner="EW", marks=2)) == ["Hand 1 is recorded."]
    assert hands(match) == [("marks", "", "", "", "", "", 0, 2, None)]
    refused = desk.record(match, "game", 1, 2, ns=7, ew=2)
    assert refusals(refused) == [("game_differs", "Game 1 is already recorded. Take it back to change it.")]
    assert said(desk.act(match, "undo")) == ["The last hand of M1 is taken back."]
    assert said(desk.record(match, "game", 1, 1, ns=7, ew=2)) == ["Game 1 is recorded."]
    assert Game.objects.get().whole
    assert said(desk.act(match, "undo")) == ["The last game of M1 is taken back."]


def test_hand_is_recorded_at_bid_level(event: Event, desk: Desk) -> None:
    match = event.match("M1")
    page = desk.record(match, "bid", 1, 1, shaker="W", bid="84", declarer="N", how="made", trump="5")
    assert "Who shakes first" not in page.content.decode()
    desk.record(match, "bid", 1, 2, bid="31", declarer="S", how="set")
    desk.record(match, "bid", 1, 3, bid="30", declarer="E", points=33, trump="follow-me")
    desk.record(match, "bid", 1, 4, how="passed")
    assert hands(match) == [
        ("bid", "W", "N", "84", "5", "made", 2, 0, None),
        ("bid", "N", "S", "31", "", "set", 0, 1, None),
        ("bid", "E", "E", "30", "follow-me", "made", 0, 1, 9),
        ("bid", "S", "", "", "", "thrown-in", 0, 0, None),
    ]


def test_match_ends_with_its_last_hand_and_waits_for_a_word(event: Event, desk: Desk) -> None:
    match = event.match("M1")
    desk.record(match, "game", 1, 1, ns=7, ew=2)
    for hand in range(1, 4):
        desk.record(match, "bid", 2, hand, bid="84", declarer="N", how="made")
    page = desk.record(match, "bid", 2, 4, bid="42", declarer="N", how="made")
    assert "The match has a result that waits" in page.content.decode()
    assert event.match("M1").state == "entered"
    again = desk.record(match, "bid", 2, 5, bid="30", declarer="N", how="made")
    assert [code for code, _text in refusals(again)][:1] == []
    assert said(desk.act(match, "settle", version=1, reason="seen at the table"))[0].startswith(
        "M1 is final."
    )
    assert Result.objects.get().settled_way == "desk"


@pytest.mark.parametrize(
    ("fields", "field", "code", "text"),
    [
        ({"bid": "29"}, "bid", "bid_below_minimum", "29 is too low; the lowest bid is 30."),
        ({"bid": "hello"}, "bid", "bad_call", None),
        ({"bid": ""}, "bid", "bid_missing", "The bid is missing."),
        ({"declarer": ""}, "declarer", "declarer_missing", "The declarer is missing."),
        ({"declarer": "Q"}, "declarer", "bad_seat", "'Q' is not a seat; seats are N, E, S and W."),
        ({"how": ""}, "how", "outcome_missing", None),
        ({"points": 43}, "points", "points_out_of_range", "A side takes 0 to 42 points, not 43."),
        ({"points": 20}, "how", "made_contradicts_points", None),
        ({"bid": "84", "points": 41}, "how", "made_contradicts_points", None),
        ({"trump": "9"}, "trump", "bad_trump", None),
        ({"trump": "nello"}, "trump", "trump_not_offered", None),
    ],
)
def test_impossible_hand_is_refused_beside_its_field_and_what_was_typed_stays(
    event: Event, desk: Desk, fields: dict[str, Any], field: str, code: str, text: str | None
) -> None:
    """Case D7."""
    body = {"bid": "30", "declarer": "N", "how": "made", "trump": "5", "shaker": "W", **fields}
    answer = desk.record(event.match("M1"), "bid", 1, 1, **body)
    form = answer.context["form"]
    assert answer.status_code in {400, 422}
    assert [(name, one.code) for name, found in form.errors.as_data().items() for one in found] == [
        (field, code)
    ]
    assert text is None or errors(answer) == {field: [text]}
    assert {name: str(form[name].value() or "") for name in body} == {
        name: str(value) for name, value in body.items()
    }
    assert not Hand.objects.exists()


def test_refused_hand_is_kept_as_an_attempt(event: Event, desk: Desk) -> None:
    desk.record(event.match("M1"), "bid", 1, 1, bid="29", declarer="N", how="made")
    assert RefusedAttempt.objects.get().code == "hand_impossible"


def test_wrong_shaker_is_named_beside_its_field(event: Event, desk: Desk) -> None:
    desk.record(event.match("M1"), "full", 1, 1, shaker="")
    answer = desk.record(event.match("M1"), "full", 1, 1, shaker="")
    assert errors(answer) == {"shaker": ["Say who shakes this hand."]}


def test_hand_that_differs_from_the_stored_one_overwrites_nothing(event: Event, desk: Desk) -> None:
    """Case D2: somebody else entered the hand meanwhile; the same one again changes nothing."""
    match = event.match("M1")
    entry = {"bid": "84", "declarer": "N", "how": "made"}
    desk.record(match, "bid", 1, 1, **entry)
    assert said(desk.record(match, "bid", 1, 1, **entry)) == ["Hand 1 is recorded."]
    answer = desk.record(match, "bid", 1, 1, bid="84", declarer="S", how="set")
    assert (answer.status_code, refusals(answer)[0][0]) == (409, "hand_differs")
    assert "84 by North, made" in answer.content.decode()
    assert len(hands(match)) == 1


def test_full_hand_is_recorded_tile_by_tile(event: Event, desk: Desk) -> None:
    match = event.match("M1")
    page = desk.record(match, "full", 1, 1, shaker="W", tiles_N=" ".join(TILES["N"]))
    hand = Hand.objects.get()
    assert page.context["full"].phase == "auction"
    assert Holding.objects.get().seat == "N"
    assert desk.tile(match, hand, "tiles", seat="E", tiles=", ".join(TILES["E"])).status_code == 200
    for seq, (seat, call) in enumerate(zip("NESW", ["42", "pass", "pass", "pass"], strict=True), start=1):
        page = desk.tile(match, hand, "call", seq=seq, seat=seat, call=call)
    page = desk.tile(match, hand, "trump", trump="6")
    assert [cell.tile for cell in page.context["full"].groups[0].cells] == TILES["N"]
    for seq, (seat, tile) in enumerate(SWEEP, start=1):
        page = desk.tile(match, hand, "play", seq=seq, seat=seat, tile=tile)
    assert page.context["full"].phase == "complete"
    assert (Call.objects.count(), Play.objects.count()) == (4, 28)
    assert hands(match) == [("full", "W", "N", "42", "6", "made", 1, 0, 42)]
    assert "To the next hand" in page.content.decode()
    assert (
        "Game 1, hand 2"
        in desk.get(reverse("admin:tournaments_match_record", args=[match.pk])).content.decode()
    )


def test_what_may_be_played_comes_first_and_what_is_typed_wrong_stays(event: Event, desk: Desk) -> None:
    match, hand = _bid_on_sixes(event)
    page = desk.tile(match, hand, "play", seq=1, seat="N", tile="6-4")
    groups = page.context["full"].groups
    assert [group.kind for group in groups] == ["follows", "other", "gone"]
    assert [cell.tile for cell in groups[0].cells] == ["6-6", "6-5", "6-3", "6-2", "6-1", "6-0"]
    wrong = desk.tile(match, hand, "play", seq=2, seat="E", tile="6-4")
    assert wrong.status_code == 422
    assert refusals(wrong) == [("tile_played", "The tile 6-4 has been played already.")]
    assert 'value="6-4" maxlength' in wrong.content.decode()
    unread = desk.tile(match, hand, "play", seq=2, seat="E", tile="7-9")
    assert (unread.status_code, refusals(unread)[0][0]) == (400, "bad_tile")
    assert Play.objects.count() == 1


def test_tiles_of_a_seat_are_checked_beside_their_field(event: Event, desk: Desk) -> None:
    match = event.match("M1")
    for tiles, code in (
        ("6-6 6-5", "holding_size"),
        ("6-6 6-6 6-5 6-4 6-3 6-2 6-1", "tile_twice"),
        ("x", "bad_tile"),
    ):
        answer = desk.record(match, "full", 1, 1, shaker="W", tiles_S=tiles)
        form = answer.context["form"]
        assert [(name, one.code) for name, found in form.errors.as_data().items() for one in found] == [
            ("tiles_S", code)
        ]
        assert form["tiles_S"].value() == tiles
    _match, hand = _bid_on_sixes(event)
    desk.tile(match, hand, "tiles", seat="N", tiles=" ".join(TILES["N"]))
    twice = desk.tile(match, hand, "tiles", seat="E", tiles=" ".join(["6-6", *TILES["E"][:6]]))
    assert refusals(twice)[0][0] == "tile_dealt_twice"


def _bid_on_sixes(event: Event, known: bool = False) -> tuple[Match, Hand]:
    match, actor = event.match("M1"), event.owner.actor
    hand, _ = hand_put(
        match_id=match.pk, game_number=1, number=1, entry=HandEntry(level="full", shaker="W"), actor=actor
    )
    for seat in TILES if known else ():
        deal_put(hand_id=hand.pk, seat=seat, tiles=TILES[seat], actor=actor)
    for seq, (seat, call) in enumerate(zip("NESW", ["31", "pass", "pass", "pass"], strict=True), start=1):
        call_put(hand_id=hand.pk, seq=seq, seat=seat, call=call, actor=actor)
    trump_put(hand_id=hand.pk, trump="6", actor=actor)
    return match, hand


# ---- The same refusal through every door -------------------------------------------------------

Told = tuple[str, str]
"""Code and sentence."""


class Rest:
    def __init__(self, event: Event) -> None:
        self.client = event.owner.client

    def _told(self, answer: Any) -> Told:
        return answer.json()["code"], answer.json()["detail"]

    def call(self, hand: Hand, seq: int, seat: str, call: str) -> Told:
        path = f"/api/v1/hands/{hand.pk}/calls/{seq}/"
        return self._told(self.client.put(path, {"seat": seat, "call": call}))

    def trump(self, hand: Hand, trump: str) -> Told:
        return self._told(self.client.put(f"/api/v1/hands/{hand.pk}/trump/", {"trump": trump}))

    def play(self, hand: Hand, seq: int, seat: str, tile: str) -> Told:
        path = f"/api/v1/hands/{hand.pk}/plays/{seq}/"
        return self._told(self.client.put(path, {"seat": seat, "tile": tile}))

    def bid(self, match: Match, bid: str) -> Told:
        body = {
            "level": "bid",
            "declarer": "E",
            "bid": bid,
            "made": True,
            "trump_unrecorded": True,
            "shaker": "W",
        }
        return self._told(self.client.put(f"/api/v1/matches/{match.pk}/games/1/hands/1/", body))

    def marks(self, match: Match, marks: int) -> Told:
        body = {"level": "marks", "winner": "NS", "marks": marks}
        return self._told(self.client.put(f"/api/v1/matches/{match.pk}/games/1/hands/1/", body))

    def game(self, match: Match, ns: int, ew: int) -> Told:
        return self._told(self.client.put(f"/api/v1/matches/{match.pk}/games/1/", {"NS": ns, "EW": ew}))


class TablePage:
    def __init__(self, event: Event) -> None:
        self.client = client_of(event.owner)
        self.path = f"/run/{event.slug}/matches/M1/play/"

    def _told(self, tail: str, body: dict[str, Any]) -> Told:
        (code, text), *_more = refusals(self.client.post(self.path + tail, body))
        return code, text

    def call(self, hand: Hand, seq: int, seat: str, call: str) -> Told:
        return self._told(f"hands/{hand.pk}/calls/{seq}/", {"seat": seat, "call": call})

    def trump(self, hand: Hand, trump: str) -> Told:
        return self._told(f"hands/{hand.pk}/trump/", {"trump": trump})

    def play(self, hand: Hand, seq: int, seat: str, tile: str) -> Told:
        code, text = self._told(f"hands/{hand.pk}/plays/{seq}/", {"seat": seat, "tile": tile})
        return code, text.removesuffix("was not recorded.").strip().removesuffix(tile).strip()

    def bid(self, match: Match, bid: str) -> Told:
        return self._told("games/1/hands/1/", {"bid": bid, "seat": "E", "how": "made", "shaker": "W"})

    def marks(self, match: Match, marks: int) -> Told:
        return self._told("games/1/hands/1/", {"level": "marks", "winner": "NS", "marks": marks})

    def game(self, match: Match, ns: int, ew: int) -> Told:
        return self._told("games/1/", {"ns": ns, "ew": ew})


class Admin:
    def __init__(self, event: Event) -> None:
        self.desk, self.match = staff(event.owner), event.match("M1")

    def call(self, hand: Hand, seq: int, seat: str, call: str) -> Told:
        return refusals(self.desk.tile(self.match, hand, "call", seq=seq, seat=seat, call=call))[0]

    def trump(self, hand: Hand, trump: str) -> Told:
        return refusals(self.desk.tile(self.match, hand, "trump", trump=trump))[0]

    def play(self, hand: Hand, seq: int, seat: str, tile: str) -> Told:
        return refusals(self.desk.tile(self.match, hand, "play", seq=seq, seat=seat, tile=tile))[0]

    def bid(self, match: Match, bid: str) -> Told:
        return refusals(self.desk.record(match, "bid", 1, 1, bid=bid, declarer="E", how="made", shaker="W"))[
            0
        ]

    def marks(self, match: Match, marks: int) -> Told:
        return refusals(self.desk.record(match, "marks", 1, 1, winner="NS", marks=marks))[0]

    def game(self, match: Match, ns: int, ew: int) -> Told:
        return refusals(self.desk.record(match, "game", 1, 1, ns=ns, ew=ew))[0]


Door = Rest | TablePage | Admin


def _open_hand(event: Event) -> Hand:
    match = event.match("M1")
    entry = HandEntry(level="full", shaker="W")
    hand, _ = hand_put(match_id=match.pk, game_number=1, number=1, entry=entry, actor=event.owner.actor)
    call_put(hand_id=hand.pk, seq=1, seat="N", call="31", actor=event.owner.actor)
    return hand


def _low_call(door: Door, event: Event) -> Told:
    return door.call(_open_hand(event), 2, "E", "30")


def _unread_call(door: Door, event: Event) -> Told:
    return door.call(_open_hand(event), 2, "E", "1234")


def _trump_of_another_game(door: Door, event: Event) -> Told:
    hand = _open_hand(event)
    for seq, seat in enumerate("ESW", start=2):
        call_put(hand_id=hand.pk, seq=seq, seat=seat, call="pass", actor=event.owner.actor)
    return door.trump(hand, "nello")


def _tile_twice(door: Door, event: Event) -> Told:
    _match, hand = _bid_on_sixes(event)
    play_put(hand_id=hand.pk, seq=1, seat="N", tile="6-6", actor=event.owner.actor)
    return door.play(hand, 2, "E", "6-6")


def _tile_that_does_not_follow(door: Door, event: Event) -> Told:
    _match, hand = _bid_on_sixes(event, known=True)
    for seq, (seat, tile) in enumerate([("N", "6-6"), ("E", "5-5"), ("S", "4-3"), ("W", "3-0")], start=1):
        play_put(hand_id=hand.pk, seq=seq, seat=seat, tile=tile, actor=event.owner.actor)
    return door.play(hand, 5, "N", "5-4")


def _tile_out_of_turn(door: Door, event: Event) -> Told:
    return door.play(_bid_on_sixes(event)[1], 1, "S", "6-6")


WRONG: dict[str, tuple[str, Callable[[Door, Event], Told]]] = {
    "a tile that was played": ("tile_played", _tile_twice),
    "a tile that is not held": ("tile_not_held", _tile_that_does_not_follow),
    "a tile out of turn": ("out_of_turn", _tile_out_of_turn),
    "a low bid": ("call_not_higher", _low_call),
    "a bid nobody can read": ("bad_call", _unread_call),
    "a trump that is not offered": ("trump_not_offered", _trump_of_another_game),
    "a bid that cannot stand": ("hand_impossible", lambda door, event: door.bid(event.match("M1"), "4m")),
    "too many marks for a hand": ("marks_out_of_range", lambda door, event: door.marks(event.match("M1"), 9)),
    "a wrong total": ("score_no_winner", lambda door, event: door.game(event.match("M1"), 7, 7)),
    "a total that is short": ("score_short", lambda door, event: door.game(event.match("M1"), 6, 3)),
    "a total beyond the end": ("score_too_high", lambda door, event: door.game(event.match("M1"), 19, 3)),
}


@pytest.mark.parametrize("what", WRONG)
def test_every_door_refuses_with_the_same_code_and_sentence(what: str) -> None:
    """REST, the table page's form and the admin, for the same official."""
    code, wrong = WRONG[what]
    told = {}
    for door in (Rest, TablePage, Admin):
        event = make_tournament(4)
        told[door.__name__] = wrong(door(event), event)
    assert len(set(told.values())) == 1, told
    assert told["Admin"][0] == code
