"""Tables and calls through REST."""

from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import include, path
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from rest_framework.test import APIClient

from tables.api.urls import urlpatterns
from tables.services.assignment import tables_assign
from tables.services.hall import table_update
from tests.support.callers import VISITOR, user_caller
from tests.tables.event import Event, account, make_event
from tournaments.actors import Actor
from tournaments.enums import MatchState

pytestmark = pytest.mark.django_db


def client_of(actor: Actor) -> APIClient:
    return user_caller(actor.user).client  # type: ignore[arg-type]


def answer_of(response: Any) -> tuple[int, str]:
    """Status, and the code of a problem."""
    return response.status_code, response.json().get("code", "") if response.status_code >= 400 else ""


@pytest.fixture
def event() -> Event:
    return make_event(teams=4, tables=3)


def test_tables_are_listed_with_who_plays_there(event: Event) -> None:
    team = event.team(event.match(2), "NS")
    table_update(table_id=event.table(3).pk, actor=event.owner, fixed_entry=team.pk, room="Annex")
    tables_assign(tournament_id=event.id)
    response = VISITOR.client.get(f"/api/v1/tournaments/{event.tournament.slug}/tables/")
    body = response.json()
    assert response.status_code == 200
    assert (body["next"], body["previous"]) == (None, None)
    assert body["revision"] > 0
    first, _, third = body["results"]
    match = event.match(1)
    north_south, east_west = event.team(match, "NS"), event.team(match, "EW")
    assert match.called_at is not None
    assert first == {
        "id": str(event.table(1).pk),
        "number": 1,
        "room": "",
        "state": "open",
        "fixed_entry": None,
        "match": {
            "id": str(match.pk),
            "code": "M1",
            "state": "called",
            "called_at": match.called_at.isoformat().replace("+00:00", "Z"),
            "started_at": None,
            "teams": {
                "NS": {"entry": str(north_south.pk), "number": north_south.number, "name": north_south.name},
                "EW": {"entry": str(east_west.pk), "number": east_west.number, "name": east_west.name},
            },
        },
    }
    assert (third["room"], third["fixed_entry"]["entry"], third["match"]["code"]) == (
        "Annex",
        str(team.pk),
        "M2",
    )
    one = VISITOR.client.get(f"/api/v1/tables/{event.table(1).pk}/").json()
    assert one == {"revision": body["revision"], **first}


def test_tables_filter_and_not_modified(event: Event) -> None:
    table_update(table_id=event.table(3).pk, actor=event.owner, state="reserved")
    address = f"/api/v1/tournaments/{event.tournament.slug}/tables/"
    body = VISITOR.client.get(address, {"state": "reserved"}).json()
    assert [row["number"] for row in body["results"]] == [3]
    seen = VISITOR.client.get(address)
    again = VISITOR.client.get(address, headers={"If-None-Match": seen["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    tables_assign(tournament_id=event.id)
    assert VISITOR.client.get(address, headers={"If-None-Match": seen["ETag"]}).status_code == 200


def test_tables_come_in_pages_and_refuse_an_unknown_state(event: Event) -> None:
    address = f"/api/v1/tournaments/{event.tournament.slug}/tables/"
    first = VISITOR.client.get(address, {"page_size": 2}).json()
    assert [row["number"] for row in first["results"]] == [1, 2]
    second = VISITOR.client.get(first["next"]).json()
    assert ([row["number"] for row in second["results"]], second["next"]) == ([3], None)
    assert answer_of(VISITOR.client.get(address, {"state": "gone"})) == (400, "invalid")


def test_description_of_the_api_has_no_warnings() -> None:
    with GENERATOR_STATS.silence():
        GENERATOR_STATS.reset()
        SchemaGenerator(patterns=[path("api/v1/", include(urlpatterns))]).get_schema(public=True)
        said = {
            text for cache in (GENERATOR_STATS._warn_cache, GENERATOR_STATS._error_cache) for text in cache
        }
    assert {text for text in said if "/tables/" in text or "link" in text.lower()} == set()


def test_tables_listed_with_the_same_queries_for_1_and_30_tables() -> None:
    counts = []
    for tables in (1, 30):
        event = make_event(teams=64, tables=tables)
        tables_assign(tournament_id=event.id)
        with CaptureQueriesContext(connection) as queries:
            response = VISITOR.client.get(f"/api/v1/tournaments/{event.tournament.slug}/tables/")
        assert sum(row["match"] is not None for row in response.json()["results"]) == tables
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 6


def test_tables_are_set_up_and_changed(event: Event) -> None:
    client = client_of(event.official("desk"))
    address = f"/api/v1/tournaments/{event.tournament.slug}/tables/"
    made = client.post(address, {"count": 2, "room": "Annex"})
    assert made.status_code == 201
    assert [(row["number"], row["room"], row["state"]) for row in made.json()] == [
        (4, "Annex", "open"),
        (5, "Annex", "open"),
    ]
    assert answer_of(client.post(address, {"numbers": [5]})) == (409, "table_taken")
    assert answer_of(client.post(address, {"count": "many"})) == (400, "invalid")
    table = f"/api/v1/tables/{event.table(5).pk}/"
    team = event.team(event.match(1), "NS")
    changed = client.patch(table, {"state": "closed", "fixed_entry": str(team.pk)})
    assert changed.status_code == 200
    assert (changed.json()["state"], changed.json()["fixed_entry"]["name"]) == ("closed", team.name)
    assert answer_of(client.patch(table, {"state": "gone"})) == (400, "invalid")
    assert client.patch(table, {"fixed_entry": None}).json()["fixed_entry"] is None


def test_post_with_an_idempotency_key_sets_tables_up_once(event: Event) -> None:
    client = client_of(event.owner)
    address = f"/api/v1/tournaments/{event.tournament.slug}/tables/"
    first = client.post(address, {"count": 2}, headers={"Idempotency-Key": "k1"})
    again = client.post(address, {"count": 2}, headers={"Idempotency-Key": "k1"})
    assert first.json() == again.json()
    assert event.tournament.tables.count() == 5


def test_call_start_move_free_reserve(event: Event) -> None:
    client = client_of(event.official("desk"))
    match = event.match(1)
    called = client.post(f"/api/v1/tables/{event.table(2).pk}/call/", {"match": str(match.pk)})
    assert (called.status_code, called.json()["match"]["code"]) == (200, "M1")
    started = client.post(f"/api/v1/matches/{match.pk}/start/")
    assert (started.status_code, started.json()["state"]) == (200, "playing")
    moved = client.post(f"/api/v1/matches/{match.pk}/move/", {"table": str(event.table(3).pk)})
    assert (moved.status_code, moved.json()["number"], moved.json()["match"]["code"]) == (200, 3, "M1")
    assert answer_of(client.post(f"/api/v1/tables/{event.table(3).pk}/free/")) == (409, "match_playing")
    freed = client.post(f"/api/v1/tables/{event.table(2).pk}/free/")
    assert (freed.status_code, freed.json()["match"]) == (200, None)
    reserved = client.post(f"/api/v1/tables/{event.table(2).pk}/reserve/")
    assert (reserved.status_code, reserved.json()["state"]) == (200, "reserved")
    unreadable = client.post(f"/api/v1/tables/{event.table(2).pk}/call/", {"match": "M1"})
    assert answer_of(unreadable) == (400, "invalid")
    missing = client.post(f"/api/v1/tables/{event.table(2).pk}/call/", {"match": str(UUID(int=1))})
    assert answer_of(missing) == (404, "not_found")


def writes(event: Event) -> list[tuple[str, str, dict[str, Any]]]:
    """Every write to tables, calls and links of the event: method, address, body."""
    table, match = event.table(1), event.match(1)
    slug = event.tournament.slug
    return [
        ("post", f"/api/v1/tournaments/{slug}/tables/", {"count": 1}),
        ("patch", f"/api/v1/tables/{table.pk}/", {"state": "closed"}),
        ("post", f"/api/v1/tables/{table.pk}/call/", {"match": str(match.pk)}),
        ("post", f"/api/v1/tables/{table.pk}/free/", {}),
        ("post", f"/api/v1/tables/{table.pk}/reserve/", {}),
        ("post", f"/api/v1/tables/{table.pk}/link/", {}),
        ("post", f"/api/v1/tables/{table.pk}/revoke-link/", {}),
        ("post", f"/api/v1/matches/{match.pk}/start/", {}),
        ("post", f"/api/v1/matches/{match.pk}/move/", {"table": str(table.pk)}),
        ("post", f"/api/v1/matches/{match.pk}/seats/N/link/", {}),
        ("post", f"/api/v1/entries/{event.team(match, 'NS').pk}/link/", {}),
        ("post", f"/api/v1/tournaments/{slug}/links/", {}),
        (
            "post",
            f"/api/v1/matches/{match.pk}/result/confirm-with-code/",
            {"version": 1, "side": "NS", "code": "0000"},
        ),
    ]


@pytest.mark.parametrize("place", range(13))
def test_writes_are_refused_to_strangers_in_both_directions(place: int) -> None:
    """Case P1: neither the official of one event nor a visitor touches the other, private or public."""
    public, private = make_event(tables=1), make_event(tables=1, visibility="private")
    for event, other in ((public, private), (private, public)):
        method, address, body = writes(event)[place]
        nobody = getattr(VISITOR.client, method)(address, body)
        assert answer_of(nobody) == (401, "not_authenticated")
        stranger = getattr(client_of(other.owner), method)(address, body)
        hidden = event is private
        assert stranger.status_code == (404 if hidden else 403)
        assert stranger.json()["code"] in (["not_found"] if hidden else ["role_required", "not_your_match"])
        assert getattr(client_of(account()), method)(address, body).status_code == stranger.status_code
    assert (public.sitting(), private.sitting()) == ({}, {})
    assert public.match(1).state == private.match(1).state == MatchState.READY


@pytest.mark.parametrize("place", [0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11])
def test_writes_of_the_desk_are_refused_to_a_scorer(place: int) -> None:
    event = make_event(tables=1)
    method, address, body = writes(event)[place]
    response = getattr(client_of(event.official("scorer")), method)(address, body)
    assert answer_of(response) == (403, "role_required")


def test_ids_of_another_event_are_not_there(event: Event) -> None:
    """Case P1: path of one event, object of the other."""
    other = make_event(tables=1)
    for owner in (event, other):
        client = client_of(owner.owner)
        stranger = other if owner is event else event
        call = client.post(f"/api/v1/tables/{owner.table(1).pk}/call/", {"match": str(stranger.match(1).pk)})
        assert answer_of(call) == (403, "role_required")
        match_start = client.post(f"/api/v1/matches/{owner.match(1).pk}/start/")
        assert match_start.status_code == 200
        address = f"/api/v1/matches/{owner.match(1).pk}/move/"
        assert answer_of(client.post(address, {"table": str(stranger.table(1).pk)})) == (404, "not_found")
        team = stranger.team(stranger.match(1), "NS")
        fixed = client.patch(f"/api/v1/tables/{owner.table(1).pk}/", {"fixed_entry": str(team.pk)})
        assert answer_of(fixed) == (404, "not_found")
    assert (event.sitting(), other.sitting()) == ({}, {})


def test_private_tables_are_seen_by_officials_only() -> None:
    """Case P2."""
    event = make_event(tables=1, visibility="private")
    addresses = [
        f"/api/v1/tournaments/{event.tournament.slug}/tables/",
        f"/api/v1/tables/{event.table(1).pk}/",
    ]
    for address in addresses:
        for client in (VISITOR.client, client_of(account())):
            assert answer_of(client.get(address)) == (404, "not_found")
        assert client_of(event.official("scorer")).get(address).status_code == 200
