"""Whole hands tile by tile through REST: they agree with the naive rules, and nothing illegal is stored."""

from __future__ import annotations

import random
from typing import Any

import pytest

import fortytwo
from scoring.models import Game, Hand, Play, RefusedAttempt
from scoring.record import engine_hand, hand_rows
from tests.fortytwo import naive
from tests.support.callers import Caller
from tests.support.doors import DONE, Answer, Door
from tests.support.events import Event, make_tournament
from tests.support.hands import SEATS, Script, play_on, random_script, record, shown_as_naive
from tournaments.models import LogEntry, Match, Revision

pytestmark = pytest.mark.django_db

KNOWN = ["NESW", "", "NE", "W", "NES", "SW"]
"""Whose tiles are entered: all, none, or some."""


def check_random_hands(seed: int, hands: int) -> None:
    """Random hands in one endless game; the marks of the game are the sum of the naive ones."""
    rng = random.Random(seed)
    event = make_tournament(2, kind="single-elimination", rules={"target": 1000})
    match = event.match("M1")
    recorder = rng.choice([event.official("scorer"), event.table_link(match), event.side_links(match)["EW"]])
    total = {"NS": 0, "EW": 0}
    for number in range(1, hands + 1):
        script = random_script(rng, SEATS[(seed + number) % 4])
        known = KNOWN[(seed + number) % len(KNOWN)]
        shown = record(recorder.client, match, 1, number, script, rng, known=known)
        expected = script.answer()
        assert shown_as_naive(shown) == expected
        row = Hand.objects.get(pk=shown["id"])
        assert ({"NS": row.points_ns, "EW": row.points_ew}, row.tricks_to_settle, row.ending) == (
            expected["points"],
            expected["settled_after"],
            "made" if expected["made"] else "set",
        )
        assert {"NS": row.marks_ns, "EW": row.marks_ew} == expected["marks"]
        total = {side: total[side] + expected["marks"][side] for side in total}
    game = Game.objects.get(match=match)
    assert {"NS": game.marks_ns, "EW": game.marks_ew} == total


@pytest.mark.parametrize("seed", range(4))
def test_random_hands_agree_with_the_naive_rules(seed: int) -> None:
    check_random_hands(seed, 5)


@pytest.mark.long
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("seed", range(4, 200))
def test_many_random_hands_agree_with_the_naive_rules(seed: int) -> None:
    check_random_hands(seed, 5)


def opened(
    event: Event, match: Match, script: Script, *, who: Caller | None = None, known: str = SEATS
) -> str:
    """A hand of the script up to its trump; its id."""
    client = (who or event.owner).client
    deal = {seat: script.deal[seat] for seat in known}
    body = {"level": "full", "shaker": script.shaker, "deal": deal}
    answer = client.put(f"/api/v1/matches/{match.pk}/games/1/hands/1/", body)
    assert answer.status_code == 201
    hand_id = answer.json()["id"]
    for place, call in enumerate(script.calls, start=1):
        seat = SEATS[(SEATS.index(script.shaker) + place) % 4]
        client.put(f"/api/v1/hands/{hand_id}/calls/{place}/", {"seat": seat, "call": call})
    client.put(f"/api/v1/hands/{hand_id}/trump/", {"trump": script.trump})
    return str(hand_id)


def one_match() -> tuple[Event, Match]:
    event = make_tournament(2, kind="single-elimination")
    return event, event.match("M1")


def script_of(seed: int, calls: list[str] | None = None) -> Script:
    """A random hand, bid as given by the seats in turn."""
    rng = random.Random(seed)
    while True:
        script = random_script(rng, "W")
        if calls is None or script.calls == calls:
            return script


SHORT = ["pass", "pass", "pass", "84"]
"""A bid that is set by the first trick lost, so hands end early."""


def short_script() -> Script:
    script = random_script(random.Random(5), "W")
    script.calls = SHORT
    script.tiles, script.seats = [], []
    play_on(script, random.Random(5))
    return script


def test_play_sent_again_is_harmless_and_another_one_is_a_conflict(door: Door) -> None:
    event, match = one_match()
    script = script_of(1)
    hand_id = opened(event, match, script)
    seat, tile = script.seats[0], script.tiles[0]
    for _ in range(3):
        assert door.play(event.owner, hand_id, 1, seat, tile) == DONE

    other = next(one for one in script.deal[seat] if one != tile)
    refused = door.play(event.owner, hand_id, 1, seat, other)
    early = door.play(event.owner, hand_id, 3, script.seats[2], script.tiles[2])

    assert (refused, refused.facts["stored"]) == (
        Answer(409, "play_differs"),
        {"seq": 1, "seat": seat, "tile": tile},
    )
    assert (early, early.facts["expected"]) == (Answer(409, "play_out_of_order"), 2)
    assert door.play(event.owner, hand_id, 0, seat, tile) == Answer(409, "play_out_of_order")
    assert list(Play.objects.values_list("seq", "seat", "tile")) == [(1, seat, tile)]
    assert LogEntry.objects.filter(action="play.recorded").count() == 1
    assert RefusedAttempt.objects.count() == 0


def test_same_tile_in_another_spelling_is_the_same_play(door: Door) -> None:
    event, match = one_match()
    script = script_of(2)
    hand_id = opened(event, match, script)
    tile = script.tiles[0]

    assert door.play(event.owner, hand_id, 1, script.seats[0], f"{tile[2]}{tile[0]}") == DONE
    assert door.play(event.owner, hand_id, 1, script.seats[0].lower(), tile).status in {200, 400}
    assert Play.objects.get().tile == tile


def test_calls_and_trump_are_as_safe_to_repeat(door: Door) -> None:
    event, match = one_match()
    answer = event.owner.client.put(
        f"/api/v1/matches/{match.pk}/games/1/hands/1/", {"level": "full", "shaker": "W"}
    )
    hand_id = answer.json()["id"]
    assert door.play(event.owner, hand_id, 1, "N", "6-6") == Answer(422, "auction_open")
    assert door.trump(event.owner, hand_id, "6") == Answer(422, "auction_open")
    for _ in range(2):
        assert door.call(event.owner, hand_id, 1, "N", "31") == DONE
    differs = door.call(event.owner, hand_id, 1, "N", "32")
    assert (differs, differs.facts["stored"]) == (
        Answer(409, "call_differs"),
        {"seq": 1, "seat": "N", "call": "31"},
    )
    assert door.call(event.owner, hand_id, 3, "S", "32") == Answer(409, "call_out_of_order")
    assert door.call(event.owner, hand_id, 2, "E", "31") == Answer(422, "call_not_higher")
    assert door.call(event.owner, hand_id, 2, "S", "32") == Answer(422, "out_of_turn")
    assert door.call(event.owner, hand_id, 2, "E", "3m") == Answer(422, "call_too_high")
    for seq, (seat, call) in enumerate([("E", "pass"), ("S", "2m"), ("W", "pass")], start=2):
        assert door.call(event.owner, hand_id, seq, seat, call) == DONE
    assert door.call(event.owner, hand_id, 4, "W", "pass") == DONE
    assert door.call(event.owner, hand_id, 5, "N", "3m") == Answer(422, "auction_over")
    assert door.play(event.owner, hand_id, 1, "S", "6-6") == Answer(422, "trump_not_named")
    for _ in range(2):
        assert door.trump(event.owner, hand_id, "doubles") == DONE
    trump = door.trump(event.owner, hand_id, "5")
    assert (trump, trump.facts["stored"]) == (Answer(409, "trump_differs"), {"trump": "doubles"})
    assert door.trump(event.owner, hand_id, "7") == Answer(400, "bad_trump")
    assert door.call(event.owner, hand_id, 6, "N", "blue") == Answer(400, "bad_call")
    assert door.play(event.owner, hand_id, 1, "Q", "6-6") == Answer(400, "bad_seat")
    assert door.play(event.owner, hand_id, 1, "S", "7-6") == Answer(400, "bad_tile")
    codes = RefusedAttempt.objects.order_by("at").values_list("code", flat=True)
    assert list(codes) == [
        "auction_open",
        "auction_open",
        "call_not_higher",
        "out_of_turn",
        "call_too_high",
        "auction_over",
        "trump_not_named",
    ]
    row = Hand.objects.get()
    assert (row.declarer, row.bid, row.trump, row.state) == ("S", "84", "doubles", "live")


def test_all_pass_closes_the_hand_without_marks(door: Door) -> None:
    event, match = one_match()
    answer = event.owner.client.put(
        f"/api/v1/matches/{match.pk}/games/1/hands/1/", {"level": "full", "shaker": "W"}
    )
    hand_id = answer.json()["id"]
    for seq, seat in enumerate("NESW", start=1):
        assert door.call(event.owner, hand_id, seq, seat, "pass") == DONE

    row = Hand.objects.get()
    assert (row.state, row.ending, row.marks_ns, row.marks_ew, row.shaker) == (
        "closed",
        "thrown-in",
        0,
        0,
        "W",
    )
    assert door.trump(event.owner, hand_id, "5").status == 422
    assert door.hand(event.owner, match, 1, 2, level="full") == DONE
    assert Hand.objects.get(number=2).shaker == "N"


def test_tiles_after_the_end_are_taken_until_the_match_is_settled_and_change_no_marks(door: Door) -> None:
    event, match = one_match()
    script = short_script()
    settled = script.answer()["settled_after"]
    hand_id = opened(event, match, script)
    last = 4 * settled
    for played in range(last):
        assert Hand.objects.get().state == "live"
        assert door.play(event.owner, hand_id, played + 1, script.seats[played], script.tiles[played]) == DONE
    row = Hand.objects.get()
    assert (row.state, row.tricks_to_settle) == ("closed", settled)
    marks, ended = (row.marks_ns, row.marks_ew), row.ended_at
    assert settled < 7

    assert door.play(event.owner, hand_id, last + 1, script.seats[last], script.tiles[last]) == DONE
    wrong = door.play(event.owner, hand_id, last + 2, script.seats[last], script.tiles[last + 1])
    assert wrong == Answer(422, "out_of_turn")
    row.refresh_from_db()
    game = Game.objects.get()
    assert (row.state, (row.marks_ns, row.marks_ew), row.ended_at) == ("closed", marks, ended)
    assert (game.marks_ns, game.marks_ew) == marks
    match_forfeited = door.forfeit(event.owner, match, "NS")
    assert match_forfeited == DONE
    late = door.play(event.owner, hand_id, last + 2, script.seats[last + 1], script.tiles[last + 1])
    assert late == Answer(409, "already_confirmed")
    assert Play.objects.count() == last + 1


def test_deal_may_come_at_any_time_and_has_to_fit_the_record(door: Door) -> None:
    event, match = one_match()
    script = script_of(3)
    hand_id = opened(event, match, script, known="")
    for played in range(4):
        assert door.play(event.owner, hand_id, played + 1, script.seats[played], script.tiles[played]) == DONE
    first = script.seats[0]
    right = script.deal[first]
    foreign = script.tiles[1]

    assert door.deal(event.owner, hand_id, first, right[:6]) == Answer(422, "holding_size")
    assert door.deal(event.owner, hand_id, first, [*right[:6], right[0]]) == Answer(422, "tile_twice")
    without_played = [tile for tile in right if tile != script.tiles[0]]
    unseen = next(
        tile for seat in SEATS if seat != first for tile in script.deal[seat] if tile not in script.tiles[:4]
    )
    assert door.deal(event.owner, hand_id, first, [*without_played, unseen]) == Answer(422, "played_not_held")
    swapped = [*(tile for tile in right if tile == script.tiles[0]), foreign]
    swapped += [tile for tile in right if tile not in swapped][:5]
    assert door.deal(event.owner, hand_id, first, swapped) == Answer(422, "tile_played_by_other")
    for _ in range(2):
        assert door.deal(event.owner, hand_id, first, right) == DONE
    other = [tile for tile in right if tile != right[-1]]
    assert door.deal(event.owner, hand_id, first, [*other, unseen]).status in {409, 422}
    assert door.deal(event.owner, hand_id, "X", right) == Answer(400, "bad_seat")
    held = Hand.objects.get().holdings.values_list("seat", "tiles")
    assert [(seat, set(tiles.split())) for seat, tiles in held] == [(first, set(right))]


def test_stored_rows_fold_to_the_same_hand_again() -> None:
    event, match = one_match()
    script = script_of(4)
    record(event.owner.client, match, 1, 1, script, random.Random(4), tries=0)

    engine = engine_hand(hand_rows(Hand.objects.get()), fortytwo.Ruleset())

    assert [str(play) for play in engine.plays] == [
        f"{seat}:{tile}" for seat, tile in zip(script.seats, script.tiles, strict=True)
    ]
    assert engine.points.to_json() == script.answer()["points"]
    assert engine.verify().ok


def test_play_bumps_its_match_alone_and_the_end_of_a_hand_what_shows_marks() -> None:
    event, match = one_match()
    script = short_script()
    hand_id = opened(event, match, script)
    client = event.owner.client

    def revisions() -> dict[str, int]:
        return dict(Revision.objects.filter(tournament=event.tournament).values_list("part", "number"))

    last = 4 * script.answer()["settled_after"]
    changed: list[set[str]] = []
    for played in range(last):
        before = revisions()
        body = {"seat": script.seats[played], "tile": script.tiles[played]}
        client.put(f"/api/v1/hands/{hand_id}/plays/{played + 1}/", body)
        changed.append({part for part, number in revisions().items() if number != before.get(part, 0)})
    assert changed == [{"match:M1"}] * (last - 1) + [{"match:M1", "home", "bracket", "tables"}]


def test_offers_are_those_of_the_naive_rules() -> None:
    event, match = one_match()
    script = script_of(6)
    hand_id = opened(event, match, script)
    client = event.owner.client
    held = {seat: list(tiles) for seat, tiles in script.deal.items()}
    table: list[str] = []
    for played in range(4 * script.answer()["settled_after"]):
        seat = script.seats[played]
        offers = client.get(f"/api/v1/hands/{hand_id}/legal/").json()
        expected = naive.legal(held[seat], table[0] if table else None, script.trump)
        assert (offers["to_act"], sorted(offers["plays"])) == (seat, sorted(expected))
        tile = script.tiles[played]
        client.put(f"/api/v1/hands/{hand_id}/plays/{played + 1}/", {"seat": seat, "tile": tile})
        held[seat].remove(tile)
        table = [] if len(table) == 3 else [*table, tile]


def test_hand_of_another_level_takes_no_tiles(door: Door) -> None:
    event, match = one_match()
    assert door.hand(event.owner, match, 1, 1, level="marks", winner="NS", marks=1) == DONE
    hand_id = Hand.objects.get().pk

    for answer in (
        door.call(event.owner, hand_id, 1, "N", "30"),
        door.trump(event.owner, hand_id, "5"),
        door.play(event.owner, hand_id, 1, "N", "6-6"),
    ):
        assert answer == Answer(409, "not_full_play")


def test_hand_taken_back_is_gone_and_its_number_is_used_again(door: Door) -> None:
    event, match = one_match()
    script = script_of(7)
    hand_id = opened(event, match, script)
    assert door.play(event.owner, hand_id, 1, script.seats[0], script.tiles[0]) == DONE

    assert door.undo(event.owner, match) == DONE

    assert event.owner.client.get(f"/api/v1/hands/{hand_id}/").status_code == 404
    gone: Any = door.play(event.owner, hand_id, 2, script.seats[1], script.tiles[1])
    assert gone.status == 404
    assert door.hand(event.owner, match, 1, 1, level="full", shaker="S") == DONE
    assert list(Hand.objects.order_by("pk").values_list("number", "state", "shaker")) == [
        (1, "void", "W"),
        (1, "live", "S"),
    ]
    assert Play.objects.filter(hand=hand_id).count() == 1
