"""A tournament's own life, its stages and draws, its officials."""

from __future__ import annotations

from typing import Any

import pytest

from fortytwo.presets import PRESETS
from fortytwo.rules import NOT_BUILT
from tests.support.callers import VISITOR
from tests.support.doors import DONE, Answer, Door
from tests.support.events import account, make_tournament, new_entries
from tournaments.enums import Lifecycle
from tournaments.models import LogEntry, Match, Official, Tournament
from tournaments.selectors import canonical_export
from tournaments.services.tournament import MOVES

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("move", MOVES)
@pytest.mark.parametrize("state", Lifecycle.values)
def test_every_move_from_every_state(door: Door, state: str, move: str) -> None:
    """The written table: allowed moves change the state once, repeated ones nothing, all others are refused."""
    event = make_tournament(2, running=False)
    if move == "finish":
        event.play_all()
    Tournament.objects.filter(pk=event.tournament.pk).update(state=state)
    allowed, target = MOVES[move]

    answer = door.move(event.owner, event, move)

    if state == target or state in allowed:
        assert (answer, event.fresh().state) == (DONE, target)
        assert door.move(event.owner, event, move) == DONE
        assert len(event.log_of(f"tournament.{move}")) == (state != target)
    else:
        assert (answer, answer.facts["state"], event.fresh().state) == (
            Answer(409, "move_not_allowed"),
            state,
            state,
        )


def test_start_needs_a_published_draw(door: Door) -> None:
    event = make_tournament(4, published=False)
    assert door.move(event.owner, event, "start") == Answer(409, "draw_not_published")
    assert door.draw(event.owner, event) == DONE
    assert door.move(event.owner, event, "start") == Answer(409, "draw_not_published")
    assert door.publish(event.owner, event) == DONE
    assert door.move(event.owner, event, "start") == DONE
    assert event.fresh().state == "running"


def test_finish_names_the_matches_that_are_open(door: Door) -> None:
    event = make_tournament(4, kind="single-elimination")
    event.play("M1")
    assert door.enter(event.owner, event.match("M2"), "7-4,7-3") == DONE
    event.advance()

    refused = door.move(event.owner, event, "finish")

    assert (refused, refused.facts["affected"]) == (Answer(409, "matches_open"), ["M2", "M3"])
    assert event.fresh().state == "running"


@pytest.mark.parametrize("method", ["seed", "rating", "random"])
def test_same_seed_draws_the_same_bracket_again(door: Door, method: str) -> None:
    event = make_tournament(0, published=False)
    entries = [{**entry, "rating": 1500 + entry["seed"] % 3, "seed": None} for entry in new_entries(13)]
    assert door.add_entries(event.owner, event, entries) == DONE

    def drawn(seed: int | None) -> dict[str, Any]:
        assert door.draw(event.owner, event, method, seed) == DONE
        return event.teams()

    first = drawn(42)
    assert event.stage.draw_seed == 42
    other = drawn(43)
    by_itself = drawn(None)
    chosen = event.stage.draw_seed
    assert drawn(42) == first
    assert drawn(chosen) == by_itself
    assert first != other
    assert Match.objects.filter(tournament=event.tournament).count() == 2 * 13 - 1


def test_draft_is_seen_by_the_desk_only_until_it_is_published(door: Door) -> None:
    event = make_tournament(4, published=False)
    assert door.publish(event.owner, event) == Answer(409, "not_drawn")
    assert door.draw(event.owner, event) == DONE
    match = event.match("M1")

    shown = VISITOR.client.get(f"{event.path}bracket/").json()
    assert (shown["draw_state"], shown["rounds"], shown["current_rounds"]) == ("none", [], [])
    assert VISITOR.client.get(f"{event.path}matches/").json()["results"] == []
    assert VISITOR.client.get(f"/api/v1/matches/{match.pk}/").status_code == 404
    assert VISITOR.client.get(f"{event.path}standings/").json()["placings"] == []
    scorer, desk = event.official("scorer"), event.official("desk")
    assert VISITOR.client.get(f"{event.path}bracket/", {"draft": 1}).status_code == 401
    assert scorer.client.get(f"{event.path}bracket/", {"draft": 1}).status_code == 403
    draft = desk.client.get(f"{event.path}bracket/", {"draft": 1}).json()
    assert draft["draw_state"] == "draft"
    assert {side["name"] for side in draft["rounds"][0]["matches"][0]["sides"]} == {"T1", "T4"}
    assert door.enter(event.owner, match, "7-4,7-3") == Answer(409, "teams_unknown")

    assert door.publish(event.owner, event) == DONE
    assert door.publish(event.owner, event) == DONE
    assert door.draw(event.owner, event) == Answer(409, "draw_published")
    assert event.states() == dict(
        zip([f"M{n}" for n in range(1, 8)], ["ready"] * 2 + ["waiting"] * 4 + ["locked"], strict=True)
    )


def test_changed_options_throw_a_draft_away() -> None:
    """A draft that was drawn by other options is never published."""
    event = make_tournament(5, published=False)
    client = event.owner.client
    client.post(f"{event.path}stages/1/draw/")
    assert {match.best_of for match in event.matches()} == {3}

    changed = client.patch(
        f"{event.path}stages/1/", {"kind": "single-elimination", "best_of": 5, "third_place": True}
    )

    assert (changed.status_code, changed.json()["draw_state"]) == (200, "none")
    assert event.matches() == []
    assert client.post(f"{event.path}stages/1/publish/").json()["code"] == "not_drawn"
    client.post(f"{event.path}stages/1/draw/")
    client.post(f"{event.path}stages/1/publish/")
    assert (len(event.matches()), {match.best_of for match in event.matches()}) == (5, {5})
    refused = client.patch(f"{event.path}stages/1/", {"best_of": 1})
    assert (refused.status_code, refused.json()["code"]) == (409, "draw_published")


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"best_of": 2}, "best_of_odd"),
        ({"best_of_by_round": {"winners-1": 4}}, "best_of_odd"),
        ({"rules": {"all_pass": "sing"}}, "bad_switch_value"),
        ({"rules": {"no_such_switch": True}}, "unknown_switch"),
        *(({"rules": {name: values[0]}}, "switch_not_built") for name, values in list(NOT_BUILT.items())[:1]),
        ({"rules": {"opening_limit": [2]}}, "bad_switch_value"),
        ({"rules": {"target": 10**6}}, "bad_switch_value"),
        ({"rules": {"nul\x00": 1}}, None),
    ],
)
def test_stage_options_that_cannot_be_played_are_refused(options: dict[str, Any], code: str | None) -> None:
    event = make_tournament(4, published=False)
    before = event.stage.rules, event.stage.best_of, event.stage.best_of_by_round

    for answer in (
        event.owner.client.patch(f"{event.path}stages/1/", options),
        account().client.post("/api/v1/tournaments/", {"name": "New one", "stage": options}),
    ):
        assert answer.status_code in {400, 422}
        assert code in (None, answer.json()["code"])
    assert (event.stage.rules, event.stage.best_of, event.stage.best_of_by_round) == before
    assert Tournament.objects.count() == 1


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"rules": {"all_pass": "sing"}}, "bad_switch_value"),
        ({"rules": {"no_such_switch": True}}, "unknown_switch"),
        *(
            ({"preset": name}, "switch_not_built")
            for name, preset in PRESETS.items()
            if not preset.is_playable
        ),
        ({"preset": "no-such-preset"}, "unknown_preset"),
        ({"time_zone": "Texas/Hallettsville"}, "unknown_time_zone"),
        ({"time_zone": "America"}, "unknown_time_zone"),
        ({"time_zone": "../etc/passwd"}, "unknown_time_zone"),
        ({"time_zone": "/etc/passwd"}, "unknown_time_zone"),
    ],
)
def test_tournament_fields_that_cannot_be_used_are_refused(fields: dict[str, Any], code: str) -> None:
    event = make_tournament(0, published=False)

    for answer in (
        event.owner.client.patch(event.path, fields),
        event.owner.client.post("/api/v1/tournaments/", {"name": "New one", **fields}),
    ):
        assert answer.status_code in {400, 422}
        assert answer.json()["code"] == code
    assert (event.fresh().rules, event.fresh().preset, event.fresh().time_zone) == (
        {},
        "online-championship",
        "America/Chicago",
    )


def test_rules_are_fixed_once_play_has_started() -> None:
    event = make_tournament(2)
    client = event.owner.client

    refused = client.patch(event.path, {"rules": {"all_pass": "force_30"}})

    assert (refused.status_code, refused.json()["code"]) == (409, "rules_fixed")
    assert client.patch(event.path, {"rules": {}, "venue": "KC Hall"}).status_code == 200
    assert (event.fresh().rules, event.fresh().venue) == ({}, "KC Hall")


def test_teams_are_entered_before_the_start_only(door: Door) -> None:
    event = make_tournament(2)

    refused = door.add_entries(event.owner, event, new_entries(3)[2:])

    assert refused == Answer(409, "entries_closed")
    assert event.tournament.entries.count() == 2


def test_published_draw_is_reset_until_something_is_entered() -> None:
    event = make_tournament(4, kind="single-elimination")
    client = event.owner.client
    table = event.table_link(event.match("M2"))

    assert client.post(f"{event.path}stages/1/reset/").status_code == 200
    assert (event.matches(), event.stage.draw_state) == ([], "none")
    kept = [row.action for row in LogEntry.objects.filter(tournament=event.tournament).order_by("at", "pk")]
    assert "match.called" in kept
    assert kept[-1] == "draw.reset"
    assert table.client.get("/api/v1/link/").json()["match"] is None

    client.post(f"{event.path}stages/1/draw/")
    client.post(f"{event.path}stages/1/publish/")
    client.put(f"/api/v1/matches/{event.match('M1').pk}/games/1/", {"NS": 7, "EW": 1})
    refused = client.post(f"{event.path}stages/1/reset/")
    assert (refused.status_code, refused.json()["code"], refused.json()["affected"]) == (
        409,
        "draw_has_play",
        ["M1"],
    )


def test_checked_in_teams_are_drawn_and_others_are_left_out(door: Door) -> None:
    event = make_tournament(5, published=False)
    client = event.owner.client
    for name in ("T1", "T3", "T4"):
        path = f"{event.path}entries/{event.entry_of(name).pk}/"
        assert client.post(f"{path}check-in/").json()["status"] == "checked-in"
        assert client.post(f"{path}check-in/").json()["status"] == "checked-in"
    client.post(f"{event.path}entries/{event.entry_of('T4').pk}/check-out/")
    assert door.draw(event.owner, event) == DONE
    assert {name for pair in event.teams().values() for name in pair if name} == {"T1", "T3"}
    assert len(event.log_of("entry.checked-in")) == 3


def test_withdrawal_is_taken_back_while_the_place_is_there() -> None:
    event = make_tournament(4, kind="single-elimination")
    client = event.owner.client
    one = f"{event.path}entries/{event.entry_of('T1').pk}/"
    assert client.post(f"{one}withdraw/").json()["status"] == "withdrawn"
    assert client.post(f"{one}check-in/").json()["code"] == "entry_out"

    refused = client.post(f"{one}reinstate/")

    assert (refused.status_code, refused.json()["code"]) == (409, "place_gone")
    early = make_tournament(4, published=False)
    entry = early.entry_of("T2")
    path = f"{early.path}entries/{entry.pk}/"
    before = canonical_export(early.fresh())
    assert early.owner.client.post(f"{path}disqualify/", {"reason": "mixed up"}).status_code == 200
    assert early.owner.client.post(f"{path}reinstate/").json()["status"] == "entered"
    assert canonical_export(early.fresh()) == before


def test_player_is_in_one_team_of_an_event() -> None:
    event = make_tournament(2, kind="single-elimination")
    client = event.owner.client
    one, two = event.entry_of("T1"), event.entry_of("T2")
    leaving, taken = one.members.first().player_id, two.members.first().player_id
    path = f"{event.path}entries/{one.pk}/substitute/"

    refused = client.post(path, {"leaving": leaving, "player": taken})

    assert (refused.status_code, refused.json()["code"]) == (409, "player_taken")
    assert [row.until for row in one.members.all()] == [None, None]
    gone = client.post(path, {"leaving": taken, "name": "Nobody"})
    assert (gone.status_code, gone.json()["code"]) == (404, "not_a_partner")


def test_officials_name_only_those_below_them() -> None:
    event = make_tournament(0, published=False)
    director, desk = event.official("director"), event.official("desk")
    other = account()

    def name(who: Any, whom: Any, role: str) -> int:
        body = {"username": whom.user.username, "role": role}
        return who.client.post(f"{event.path}officials/", body).status_code

    assert name(director, other, "scorer") == 200
    assert name(director, other, "desk") == 200
    assert name(director, other, "director") == 403
    assert name(director, director, "owner") == 403
    assert name(director, event.owner, "scorer") == 403
    assert name(desk, other, "scorer") == 403
    assert name(event.owner, other, "director") == 200
    assert name(director, other, "desk") == 403
    assert name(event.owner, event.owner, "desk") == 409
    assert name(event.owner, other, "owner") == 200
    assert name(event.owner, event.owner, "desk") == 200
    rows = Official.objects.filter(tournament=event.tournament)
    assert dict(rows.values_list("user__username", "role")) == {
        event.owner.user.username: "desk",
        director.user.username: "director",
        desk.user.username: "desk",
        other.user.username: "owner",
    }
