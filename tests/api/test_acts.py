"""What officials and tables do through REST beside play: holds, judges, messages, invitations, the field."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tables.services.assignment import tables_assign
from tables.services.hall import tables_add
from tests.api.table import build, unentered, with_a_bye
from tests.support.callers import VISITOR
from tests.support.events import Event, account, make_tournament
from tournaments.models import IdempotencyRecord

pytestmark = pytest.mark.django_db


def answer_of(response: Any) -> tuple[int, str]:
    """Status, and the code of a problem."""
    return response.status_code, response.json().get("code", "") if response.status_code >= 400 else ""


def seeds_of(event: Event) -> list[tuple[str, int | None]]:
    return list(event.tournament.entries.order_by("number").values_list("name", "seed"))


def test_held_match_is_called_only_once_it_is_released() -> None:
    event = make_tournament(4)
    client, first = event.owner.client, event.match("M1")
    tables_add(tournament_id=event.tournament.pk, count=2, actor=event.owner.actor)

    held = client.post(f"/api/v1/matches/{first.pk}/hold/", {"reason": "on the road"})
    again = client.post(f"/api/v1/matches/{first.pk}/hold/")
    listed = client.get(f"{event.path}holds/").json()["results"]
    tables_assign(tournament_id=event.tournament.pk)

    assert (held.status_code, held.json()["match"], held.json()["reason"]) == (
        200,
        {"id": str(first.pk), "code": "M1"},
        "on the road",
    )
    assert again.json() == held.json() == listed[0]
    assert event.states()["M1"] == "ready"
    assert client.post(f"/api/v1/matches/{first.pk}/release/").json() == {"released": True}
    assert client.post(f"/api/v1/matches/{first.pk}/release/").json() == {"released": False}
    assert client.get(f"{event.path}holds/").json()["results"] == []
    tables_assign(tournament_id=event.tournament.pk)
    assert event.states()["M1"] == "called"
    assert answer_of(client.post(f"/api/v1/matches/{first.pk}/hold/")) == (409, "match_called")


def test_judge_is_asked_for_once_and_the_desk_or_the_same_link_answers() -> None:
    event = make_tournament(4)
    table = event.table_link(event.match("M1"))
    path = f"/api/v1/matches/{event.match('M1').pk}/judge-calls/"

    asked = table.client.post(path, {"note": "a renege?"})
    again = table.client.post(path, {"note": "hurry"})
    call = asked.json()

    assert (asked.status_code, call["kind"], call["note"], call["answered_at"]) == (
        201,
        "asked",
        "a renege?",
        None,
    )
    assert again.json() == call
    assert table.client.get(path).json()["results"] == [call]
    assert event.owner.client.get(f"{event.path}judge-calls/?open=1").json()["results"] == [call]
    stranger = event.table_link(event.match("M2"))
    answer = f"/api/v1/judge-calls/{call['id']}/answer/"
    assert answer_of(stranger.client.post(answer)) == (403, "role_required")
    assert answer_of(stranger.client.get(path)) == (403, "not_your_match")
    answered = table.client.post(answer).json()
    assert answered["answered_at"] is not None
    assert event.owner.client.post(answer).json() == answered
    assert event.owner.client.get(f"{event.path}judge-calls/?open=true").json()["results"] == []
    assert event.owner.client.get(f"{event.path}judge-calls/?open=false").json()["results"] == [answered]


def test_free_tables_wait_for_the_desk_once_that_is_said() -> None:
    event = make_tournament(4)
    tables_add(tournament_id=event.tournament.pk, count=2, actor=event.owner.actor)
    path = f"{event.path}hall/"

    changed = event.owner.client.patch(path, {"calls_itself": False, "missing_minutes": 12})

    assert changed.json() == {"calls_itself": False, "missing_minutes": 12}
    assert event.owner.client.get(path).json() == {
        **changed.json(),
        "revision": event.owner.client.get(path).json()["revision"],
    }
    assert tables_assign(tournament_id=event.tournament.pk) == []
    assert answer_of(event.owner.client.patch(path, {"missing_minutes": 0})) == (400, "invalid")
    assert event.owner.client.patch(path, {"calls_itself": True}).json()["missing_minutes"] == 12
    assert len(tables_assign(tournament_id=event.tournament.pk)) == 2


def test_message_is_seen_by_everybody_until_it_is_ended() -> None:
    event = make_tournament(2)
    client, path = event.official("desk").client, f"{event.path}messages/"

    made = client.post(path, {"text": "  Lunch   at noon ", "minutes": 30})
    again = client.post(path, {"text": "Lunch at noon"})
    shown = VISITOR.client.get(path)

    assert (made.status_code, made.json()["text"]) == (201, "Lunch at noon")
    assert again.json() == made.json()
    assert shown.json()["results"] == [made.json()]
    ended = client.post(f"{path}{made.json()['id']}/end/").json()
    assert ended["ended_at"] is not None
    assert client.post(f"{path}{made.json()['id']}/end/").json() == ended
    fresh = VISITOR.client.get(path, HTTP_IF_NONE_MATCH=shown["ETag"])
    assert (fresh.status_code, fresh.json()["results"]) == (200, [])
    assert VISITOR.client.get(path, HTTP_IF_NONE_MATCH=fresh["ETag"]).status_code == 304
    assert client.get(f"{path}?all=1").json()["results"] == [ended]
    assert answer_of(event.official("scorer").client.get(f"{path}?all=1")) == (403, "role_required")
    assert answer_of(VISITOR.client.get(f"{path}?all=1")) == (401, "not_authenticated")


def test_message_of_another_event_is_not_there() -> None:
    mine, other = make_tournament(2), make_tournament(2, name="Elsewhere")
    made = other.owner.client.post(f"{other.path}messages/", {"text": "Lunch"}).json()

    refused = mine.owner.client.post(f"{mine.path}messages/{made['id']}/end/")

    assert answer_of(refused) == (404, "not_found")
    assert VISITOR.client.get(f"{other.path}messages/").json()["results"] == [made]


def test_invitation_makes_its_opener_an_official_once() -> None:
    event = make_tournament(2)
    path = f"{event.path}invitations/"
    made = event.owner.client.post(path, {"role": "desk", "note": "Ruth"}, HTTP_IDEMPOTENCY_KEY="k")
    ruth = account("ruth")
    browser = Client()
    assert ruth.user is not None
    browser.force_login(ruth.user)

    opened = browser.post(made.json()["url"])

    assert (made.status_code, made["Cache-Control"], opened.status_code) == (201, "no-store", 302)
    assert not IdempotencyRecord.objects.exists()
    assert {"username": "ruth", "role": "desk"} in event.owner.client.get(f"{event.path}officials/").json()
    assert event.owner.client.get(path).json()["results"] == []
    assert event.owner.client.post(f"{path}{made.json()['id']}/revoke/").json() == {"revoked": False}


def test_invitation_that_was_taken_back_opens_nothing() -> None:
    event = make_tournament(2)
    path = f"{event.path}invitations/"
    made = event.owner.client.post(path, {"role": "desk"}).json()

    assert event.owner.client.get(path).json()["results"] == [made]
    assert event.owner.client.post(f"{path}{made['id']}/revoke/").json() == {"revoked": True}
    assert event.owner.client.post(f"{path}{made['id']}/revoke/").json() == {"revoked": False}
    assert event.owner.client.get(path).json()["results"] == []
    assert Client().get(made["url"]).status_code == 410


def test_director_is_not_told_the_address_that_makes_an_owner() -> None:
    event = make_tournament(2)
    director, path = event.official("director").client, f"{event.path}invitations/"
    top = event.owner.client.post(path, {"role": "owner"}).json()
    desk = director.post(path, {"role": "desk"}).json()

    listed = {one["id"]: one["url"] for one in director.get(path).json()["results"]}

    assert listed == {top["id"]: None, desk["id"]: desk["url"]}
    assert answer_of(director.post(path, {"role": "director"})) == (403, "role_required")
    assert answer_of(director.post(f"{path}{top['id']}/revoke/")) == (403, "role_required")
    assert [one["url"] for one in event.owner.client.get(path).json()["results"]] == [
        desk["url"],
        top["url"],
    ]


def test_office_is_taken_away_once_and_one_owner_stays() -> None:
    event = make_tournament(2)
    desk, owner = event.official("desk"), event.owner
    assert desk.user is not None
    assert owner.user is not None
    path = f"{event.path}officials/{desk.user.username}/"

    assert owner.client.delete(path).json() == {"removed": 1}
    assert owner.client.delete(path).json() == {"removed": 0}
    assert owner.client.delete(f"{event.path}officials/a%00b/").json() == {"removed": 0}
    assert answer_of(desk.client.post(f"{event.path}tables/", {"count": 1})) == (403, "role_required")
    last = owner.client.delete(f"{event.path}officials/{owner.user.username}/")
    assert answer_of(last) == (409, "last_owner")


def test_two_teams_change_seeds_in_one_act() -> None:
    event = make_tournament(3, published=False)
    ids = {name: str(event.entry_of(name).pk) for name in ("T1", "T2", "T3")}
    path = f"{event.path}seeds/"

    swapped = event.owner.client.put(
        path, {"seeds": [{"entry": ids["T1"], "seed": 2}, {"entry": ids["T2"], "seed": 1}]}
    )
    taken = event.owner.client.put(path, {"seeds": [{"entry": ids["T1"], "seed": 3}]})
    twice = event.owner.client.put(path, {"seeds": [{"entry": ids["T1"], "seed": one} for one in (5, 6)]})

    assert swapped.json() == {"changed": 2}
    assert seeds_of(event) == [("T1", 2), ("T2", 1), ("T3", 3)]
    assert answer_of(taken) == (409, "seed_taken")
    assert answer_of(twice) == (400, "invalid")
    assert event.owner.client.put(path, {"seeds": [{"entry": ids["T1"], "seed": None}]}).json() == {
        "changed": 1
    }
    assert seeds_of(event) == [("T1", None), ("T2", 1), ("T3", 3)]


def test_teams_are_taken_off_the_list_before_play_only() -> None:
    scene = build("public")
    event = scene.event
    path, ids = f"{event.path}entries/remove/", [str(event.entry_of(name).pk) for name in ("T1", "T2")]

    refused = event.owner.client.post(path, {"entries": ids})
    unentered(scene)
    done = event.owner.client.post(path, {"entries": ids})

    assert answer_of(refused) == (409, "play_started")
    assert done.json() == {"removed": 2}
    assert [name for name, _ in seeds_of(event)] == ["T3", "T4"]


def test_late_team_meets_whoever_had_the_bye() -> None:
    scene = build("public")
    with_a_bye(scene)
    event, body = scene.event, {"name": "Late ones", "players": ["Ann", "Bea"]}

    made = event.owner.client.post(f"{event.path}stages/1/late-entries/", body)
    full = event.owner.client.post(
        f"{event.path}stages/1/late-entries/", {"name": "Later", "players": ["C", "D"]}
    )

    assert (made.status_code, made.json()["name"], made.json()["status"]) == (
        201,
        "Late ones",
        "checked-in",
    )
    assert event.teams()["M1"] == ["T1", "Late ones"]
    assert answer_of(full) == (409, "no_bye")


def test_link_of_a_team_that_was_taken_back_opens_nothing() -> None:
    event = make_tournament(4)
    match = event.match("M1")
    team, seat = event.side_links(match)["NS"], event.seat_links(match)["N"]
    owner = event.owner.client

    for path in (f"entries/{event.entry(match, 'NS').pk}", f"matches/{match.pk}/seats/N"):
        assert owner.post(f"/api/v1/{path}/revoke-link/").json() == {"revoked": True}
        assert owner.post(f"/api/v1/{path}/revoke-link/").json() == {"revoked": False}

    for caller in (team, seat):
        assert answer_of(caller.client.get("/api/v1/link/")) == (401, "link_invalid")


def test_undo_that_names_something_older_takes_nothing_back() -> None:
    event = make_tournament(2, kind="single-elimination")
    path = f"/api/v1/matches/{event.match('M1').pk}/"
    client = event.owner.client
    client.put(f"{path}games/1/", {"NS": 7, "EW": 2})
    client.put(f"{path}games/2/hands/1/", {"level": "marks", "winner": "NS", "marks": 1})

    older = client.post(f"{path}undo/", {"game": 1})
    nameless = client.post(f"{path}undo/", {"hand": 1})
    newest = client.post(f"{path}undo/", {"game": 2, "hand": 1})
    twice = client.post(f"{path}undo/", {"game": 2, "hand": 1})

    assert answer_of(older) == (409, "not_the_newest")
    assert answer_of(nameless) == (400, "invalid")
    assert newest.json()["undone"] == "hand"
    assert answer_of(twice) == (409, "not_the_newest")
    assert client.post(f"{path}undo/", {"game": 1}).json()["undone"] == "game"


def test_preview_of_a_correction_says_what_the_correction_does() -> None:
    event = make_tournament(4)
    event.play("M1")
    event.advance()
    path = f"/api/v1/matches/{event.match('M1').pk}/result/correct/"
    body = {"scores": "4-7,3-7", "reason": "sides were swapped"}
    before = event.teams()

    preview = event.owner.client.post(f"{path}?preview=1", body)

    changes = {
        (one["match"], one["side"]): (one["before"], one["after"]) for one in preview.json()["changes"]
    }
    assert (preview.json()["preview"], event.teams()) == (True, before)
    assert event.owner.client.post(path, body).status_code == 200
    after = event.teams()
    found = {
        (code, side): (before[code][place], after[code][place])
        for code in before
        for place, side in enumerate(("NS", "EW"))
        if before[code][place] != after[code][place]
    }
    assert changes == found != {}


def test_bid_level_hand_without_its_trump_is_recorded_when_that_is_said() -> None:
    event = make_tournament(2, kind="single-elimination")
    path = f"/api/v1/matches/{event.match('M1').pk}/games/1/hands/1/"
    body = {"level": "bid", "shaker": "W", "declarer": "N", "bid": "30", "made": True}

    refused = event.owner.client.put(path, body)
    done = event.owner.client.put(path, {**body, "trump_unrecorded": True})

    assert answer_of(refused) == (422, "hand_impossible")
    assert (done.status_code, done.json()["trump"], done.json()["marks"]) == (201, "", {"NS": 1, "EW": 0})
    assert event.owner.client.put(path, {**body, "trump_unrecorded": True}).status_code == 200


@pytest.mark.parametrize(
    "body",
    [
        {"level": "marks", "winner": "NS", "marks": 1},
        {"level": "bid", "shaker": "W", "declarer": "N", "bid": "30", "trump": "6", "made": True},
    ],
)
def test_nothing_more_is_offered_of_a_hand_recorded_in_one_step(body: dict[str, Any]) -> None:
    event = make_tournament(2, kind="single-elimination")
    hand = event.owner.client.put(f"/api/v1/matches/{event.match('M1').pk}/games/1/hands/1/", body).json()

    answer = event.owner.client.get(f"/api/v1/hands/{hand['id']}/legal/")

    assert (answer.status_code, answer.json()) == (
        200,
        {"phase": "settled", "to_act": None, "calls": [], "trumps": [], "plays": []},
    )


@pytest.mark.parametrize("path", ["/api/v1/no/such/address/", "/api/v1/tournaments/a b/", "/api/nothing"])
def test_address_that_nothing_answers_is_a_problem_in_the_api_and_a_page_elsewhere(path: str) -> None:
    answer = VISITOR.client.get(path)

    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")
    assert answer.json()["code"] == "not_found"
    assert VISITOR.client.get("/no/such/page/")["Content-Type"].startswith("text/html")


def changed(before: dict[str, list[str | None]], after: dict[str, list[str | None]]) -> set[tuple[str, str]]:
    """The places of which something else is known now."""
    return {
        (code, side)
        for code in before
        for place, side in enumerate(("NS", "EW"))
        if before[code][place] != after[code][place]
    }


@pytest.mark.parametrize("act", ["withdraw", "disqualify"])
@pytest.mark.parametrize("played", [0, 1, 3, 5])
@pytest.mark.parametrize("kind", ["single-elimination", "double-elimination"])
def test_preview_of_a_departure_says_what_the_departure_does(kind: str, played: int, act: str) -> None:
    """For whichever team leaves, whether it plays, waits, or is out already."""
    for number in range(1, 7):
        event = make_tournament(6, kind=kind)
        for _ in range(played):
            if open_now := event.open_matches():
                event.play(open_now[0].code)
                event.advance()
        path = f"{event.path}entries/{event.entry_of(f'T{number}').pk}/{act}/"
        before, states = event.teams(), event.states()

        preview = event.owner.client.post(f"{path}?preview=1", {"reason": "sick"})

        assert (preview.status_code, preview.json()["preview"]) == (200, True)
        assert (event.teams(), event.states(), event.entry_of(f"T{number}").status) == (
            before,
            states,
            "entered",
        )
        assert event.owner.client.post(path, {"reason": "sick"}).status_code == 200
        event.advance()
        said = {(one["match"], one["side"]) for one in preview.json()["changes"]}
        assert said == changed(before, event.teams()), f"T{number}"


def test_preview_of_a_departure_is_for_whoever_may_do_it() -> None:
    event = make_tournament(4)
    path = f"{event.path}entries/{event.entry_of('T1').pk}/"
    scorer, desk, director = (event.official(role).client for role in ("scorer", "desk", "director"))

    answers = {
        (name, act): answer_of(client.post(f"{path}{act}/?preview=1"))
        for name, client in (("visitor", VISITOR.client), ("scorer", scorer), ("desk", desk))
        for act in ("withdraw", "disqualify")
    }

    refused = (403, "role_required")
    assert answers == {
        ("visitor", "withdraw"): (401, "not_authenticated"),
        ("visitor", "disqualify"): (401, "not_authenticated"),
        ("scorer", "withdraw"): refused,
        ("scorer", "disqualify"): refused,
        ("desk", "withdraw"): (200, ""),
        ("desk", "disqualify"): refused,
    }
    assert director.post(f"{path}disqualify/?preview=true").status_code == 200
    assert event.entry_of("T1").status == "entered"
    assert event.log_of("entry.withdrawn") == []


@pytest.mark.parametrize("act", ["check-in", "check-out", "reinstate", "substitute"])
def test_act_without_a_preview_is_not_done_instead(act: str) -> None:
    event = make_tournament(4)
    entry = event.entry_of("T1")
    body = {"leaving": str(entry.members.get(position=1).player_id), "name": "Ruth"}

    refused = event.owner.client.post(f"{event.path}entries/{entry.pk}/{act}/?preview=1", body)

    assert answer_of(refused) == (400, "no_preview")
    assert answer_of(event.owner.client.post(f"{event.path}entries/{entry.pk}/dance/?preview=1")) == (
        404,
        "not_found",
    )
    assert event.entry_of("T1").status == "entered"
    assert entry.members.count() == 2
