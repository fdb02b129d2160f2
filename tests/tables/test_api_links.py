"""Links through REST: issuing them, acting by header or cookie, and what each opens."""

import xml.etree.ElementTree as ElementTree
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from tables.addresses import COOKIE
from tables.models import AccessLink
from tables.services.assignment import tables_assign
from tables.services.links import links_issue
from tables.tokens import code_of, token_of
from tests.support.callers import VISITOR, link_caller
from tests.tables.event import Event, account, make_event
from tests.tables.test_api_tables import answer_of, client_of, writes
from tournaments.models import IdempotencyRecord

pytestmark = pytest.mark.django_db


def seated_event(**fields: Any) -> tuple[Event, AccessLink, AccessLink]:
    """An event with both first matches at tables, the link of table 1, and that of the team east and west there."""
    event = make_event(teams=4, tables=2, **fields)
    links = links_issue(tournament_id=event.id, actor=event.owner)
    tables_assign(tournament_id=event.id)
    team = event.team(event.match(1), "EW")
    return event, links[0], next(link for link in links if link.entry == team)


def by_cookie(link: AccessLink, **options: Any) -> APIClient:
    client = APIClient(**options)
    client.cookies[COOKIE] = token_of(link.pk)
    return client


def test_links_are_issued_with_tokens_and_codes() -> None:
    event = make_event(teams=2, tables=1)
    client = client_of(event.official("desk"))
    response = client.post(f"/api/v1/tournaments/{event.tournament.slug}/links/")
    body = response.json()
    assert (response.status_code, response["Cache-Control"]) == (200, "no-store")
    assert [row["table"] for row in body["tables"]] == [1]
    assert [(row["number"], row["name"]) for row in body["teams"]] == [(1, "Team 1"), (2, "Team 2")]
    link = AccessLink.objects.get(kind="team", entry__number=2)
    token = token_of(link.pk)
    assert body["teams"][1] == {
        "kind": "team",
        "table": None,
        "entry": str(link.entry_id),
        "number": 2,
        "name": "Team 2",
        "match": None,
        "seat": "",
        "token": token,
        "url": f"http://testserver/link/{token}/",
        "qr": f"http://testserver/link/{token}/qr.svg",
        "code": code_of(link.pk),
    }
    assert body["tables"][0]["code"] is None


def test_link_address_follows_public_base_url(settings: Any) -> None:
    settings.PUBLIC_BASE_URL = "http://192.168.1.20:8000/"
    event = make_event(teams=2, tables=1)
    row = client_of(event.owner).post(f"/api/v1/tables/{event.table(1).pk}/link/").json()
    assert row["url"] == f"http://192.168.1.20:8000/link/{row['token']}/"


def test_links_issued_with_the_same_queries_for_1_and_30_tables() -> None:
    counts = []
    for teams, tables in ((2, 1), (60, 30)):
        event = make_event(teams=teams, tables=tables)
        client = client_of(event.owner)
        with CaptureQueriesContext(connection) as queries:
            response = client.post(f"/api/v1/tournaments/{event.tournament.slug}/links/")
        assert len(response.json()["tables"]) == tables
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_one_link_is_issued_renewed_and_revoked() -> None:
    event = make_event(teams=2, tables=1)
    client = client_of(event.owner)
    address = f"/api/v1/tables/{event.table(1).pk}"
    first = client.post(f"{address}/link/")
    assert first.status_code == 201
    assert client.post(f"{address}/link/").json() == first.json()
    renewed = client.post(f"{address}/link/", {"renew": True}).json()
    old, new = (f"Link {row['token']}" for row in (first.json(), renewed))
    answers = [
        APIClient().get("/api/v1/link/", headers={"Authorization": one}).status_code for one in (old, new)
    ]
    assert answers == [401, 200]
    assert client.post(f"{address}/revoke-link/").json() == {"revoked": True}
    assert client.post(f"{address}/revoke-link/").json() == {"revoked": False}
    gone = APIClient().get("/api/v1/link/", headers={"Authorization": new})
    assert answer_of(gone) == (401, "link_invalid")
    assert gone["WWW-Authenticate"] == "Link"
    seat = client.post(f"/api/v1/matches/{event.match(1).pk}/seats/N/link/").json()
    assert (seat["match"], seat["seat"], seat["code"]) == ("M1", "N", None)
    assert answer_of(client.post(f"/api/v1/matches/{event.match(1).pk}/seats/Q/link/")) == (422, "bad_seat")
    assert answer_of(client.post(f"/api/v1/entries/{UUID(int=1)}/link/")) == (404, "not_found")


def test_answers_with_tokens_are_not_kept_for_repeats() -> None:
    event = make_event(teams=2, tables=1)
    response = client_of(event.owner).post(
        f"/api/v1/tables/{event.table(1).pk}/link/", headers={"Idempotency-Key": "k"}
    )
    assert response.status_code == 201
    assert not IdempotencyRecord.objects.exists()


@pytest.mark.parametrize("header", ["Link", "Link x", "Link a b", "Link ", "Link é", f"Link {'A' * 44}"])
def test_header_that_is_no_link_is_refused(header: str) -> None:
    client = APIClient()
    response = client.get(
        "/api/v1/tournaments/", headers={"Authorization": header.encode().decode("latin-1")}
    )
    assert answer_of(response) == (401, "link_invalid")


def test_link_tells_what_it_opens() -> None:
    event, table, team = seated_event(visibility="private")
    match = event.match(1)
    body = link_caller(team).client.get("/api/v1/link/").json()
    own = event.team(match, "EW")
    assert (body["kind"], body["tournament"], body["table"], body["side"], body["seat"]) == (
        "team",
        event.tournament.slug,
        1,
        "EW",
        "",
    )
    assert body["entry"] == {"entry": str(own.pk), "number": own.number, "name": own.name}
    assert (body["match"]["id"], body["match"]["code"], body["match"]["state"]) == (
        str(match.pk),
        "M1",
        "called",
    )
    assert body["match"]["seats"]["E"]["name"] == f"First {own.number}"
    assert body["match"]["teams"]["EW"] == body["entry"]
    for client in (link_caller(table).client, by_cookie(table)):
        body = client.get("/api/v1/link/").json()
        assert (body["kind"], body["table"], body["entry"], body["side"]) == ("table", 1, None, "")
        assert body["match"]["code"] == "M1"
    event.play(match, "NS")
    assert link_caller(table).client.get("/api/v1/link/").json()["match"] is None
    assert answer_of(VISITOR.client.get("/api/v1/link/")) == (401, "link_required")
    assert answer_of(client_of(event.owner).get("/api/v1/link/")) == (401, "link_required")


def test_link_opens_its_match_and_nothing_else() -> None:
    """Case P1 for link holders, in both directions."""
    event, table, team = seated_event()
    other, foreign, _ = seated_event()
    private, hidden, _ = seated_event(visibility="private")
    start = "/api/v1/matches/{}/start/".format
    for link in (table, team):
        client = link_caller(link).client
        assert client.post(start(event.match(1).pk)).status_code == 200
        assert answer_of(client.post(start(event.match(2).pk))) == (403, "not_your_match")
        assert answer_of(client.post(start(other.match(1).pk))) == (403, "not_your_match")
        assert answer_of(client.post(start(private.match(1).pk))) == (404, "not_found")
    assert answer_of(link_caller(foreign).client.post(start(event.match(1).pk))) == (403, "not_your_match")
    assert link_caller(hidden).client.post(start(private.match(1).pk)).status_code == 200
    address = f"/api/v1/tournaments/{private.tournament.slug}/tables/"
    assert link_caller(hidden).client.get(address).status_code == 200
    assert link_caller(table).client.get(address).status_code == 404


@pytest.mark.parametrize("place", [0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11])
def test_link_has_no_desk_rights(place: int) -> None:
    event, table, team = seated_event()
    for link in (table, team):
        method, address, body = writes(event)[place]
        response = getattr(link_caller(link).client, method)(address, body)
        assert answer_of(response) == (403, "role_required")


def test_code_confirms_on_the_same_phone() -> None:
    event, table, team = seated_event()
    match = event.match(1)
    client = link_caller(table).client
    result = event.enter(match, "NS", actor=link_caller(table).actor)
    address = f"/api/v1/matches/{match.pk}/result/confirm-with-code/"
    wrong = f"{(int(code_of(team.pk)) + 1) % 10000:04d}"
    body = {"version": result.version, "side": "EW", "code": wrong}
    refused = client.post(address, body)
    assert answer_of(refused) == (403, "code_wrong")
    assert (refused.json()["tries_left"], refused.json()["side"]) == (4, "EW")
    settled = client.post(address, {**body, "code": code_of(team.pk)})
    assert (settled.status_code, settled.json()["state"]) == (200, "confirmed")
    assert settled.json()["settled_way"] == "other-side"


def test_locked_code_says_until_when() -> None:
    event, table, team = seated_event()
    client = link_caller(table).client
    event.enter(event.match(1), "NS", actor=link_caller(table).actor)
    wrong = f"{(int(code_of(team.pk)) + 1) % 10000:04d}"
    address = f"/api/v1/matches/{event.match(1).pk}/result/confirm-with-code/"
    body = {"version": 1, "side": "EW", "code": wrong}
    answers = [client.post(address, body) for _ in range(6)]
    assert [one.status_code for one in answers] == [403] * 4 + [429] * 2
    assert answers[-1].json()["code"] == "code_locked"
    assert answers[-1].json()["locked_until"]
    assert answer_of(client.post(address, {**body, "code": "12"})) == (400, "bad_code")


def test_cookie_needs_the_csrf_token_for_writes() -> None:
    event, table, _ = seated_event()
    start = f"/api/v1/matches/{event.match(1).pk}/start/"
    client = by_cookie(table, enforce_csrf_checks=True)
    assert client.post(start).status_code == 403
    page = client.get("/link/")
    assert page.status_code == 200
    token = page.cookies["csrftoken"].value
    assert client.post(start, headers={"X-CSRFToken": token}).status_code == 200


def test_cookie_of_a_revoked_link_reads_on_and_writes_no_more() -> None:
    event, table, _ = seated_event()
    client = by_cookie(table)
    client_of(event.owner).post(f"/api/v1/tables/{event.table(1).pk}/revoke-link/")
    assert client.get(f"/api/v1/tournaments/{event.tournament.slug}/tables/").status_code == 200
    assert answer_of(client.get("/api/v1/link/")) == (401, "link_required")
    assert answer_of(client.post(f"/api/v1/matches/{event.match(1).pk}/start/")) == (401, "link_invalid")


def test_cookie_beside_an_account() -> None:
    """Somebody who runs events acts as himself; any other account acts by the link that it opened."""
    event, table, _ = seated_event()
    director = by_cookie(table)
    director.force_login(event.owner.user)
    reserve = f"/api/v1/tables/{event.table(2).pk}/reserve/"
    assert director.post(reserve).status_code == 200
    player = by_cookie(table)
    player.force_login(account().user)
    assert answer_of(player.post(reserve)) == (403, "role_required")
    assert player.post(f"/api/v1/matches/{event.match(1).pk}/start/").status_code == 200
    token = client_of(event.owner)
    token.cookies[COOKIE] = token_of(table.pk)
    assert token.post(reserve).status_code == 200


def test_opening_a_link_sets_the_cookie_and_hides_the_token() -> None:
    event, table, _ = seated_event(visibility="private")
    client = Client()
    opened = client.get(f"/link/{token_of(table.pk)}/")
    assert (opened.status_code, opened["Location"]) == (302, "/link/")
    cookie = opened.cookies[COOKIE]
    assert (cookie.value, cookie["httponly"], cookie["samesite"]) == (token_of(table.pk), True, "Lax")
    page = client.get("/link/").content.decode()
    assert "M1" in page
    assert event.team(event.match(1), "EW").name in page
    assert "First 1" in page
    assert token_of(table.pk) not in page
    left = client.post("/link/leave/")
    assert (left.status_code, client.cookies[COOKIE].value) == (302, "")
    assert client.get("/link/").status_code == 404


@pytest.mark.parametrize("token", ["x", "A" * 44, "%00", "é", "<script>"])
def test_page_of_an_unknown_link(token: str) -> None:
    for address in (f"/link/{token}/", f"/link/{token}/qr.svg"):
        response = Client().get(address)
        assert response.status_code == 404
        assert "<script>alert" not in response.content.decode()
        assert COOKIE not in response.cookies


def test_page_shows_the_marks_entered_and_strange_names_safely() -> None:
    event, _, team = seated_event()
    name = '<b onclick="x">O\'Brien & Niño</b> שלום'
    entry = event.team(event.match(1), "EW")
    entry.rename(name)
    entry.save()
    event.enter(event.match(1), "NS")
    client = Client()
    client.cookies[COOKIE] = token_of(team.pk)
    page = client.get("/link/").content.decode()
    assert "&lt;b onclick=" in page
    assert "<b onclick" not in page
    assert '<td class="won">7</td>' in page
    assert "<td>4</td>" in page


def test_page_of_a_table_where_nobody_plays() -> None:
    event = make_event(teams=2, tables=1, start=False)
    link = links_issue(tournament_id=event.id, actor=event.owner)[0]
    client = Client()
    client.cookies[COOKIE] = token_of(link.pk)
    page = client.get("/link/")
    assert page.status_code == 200
    assert "No match is at this table." in page.content.decode()


def test_qr_code_is_a_picture_of_the_address() -> None:
    _, table, _ = seated_event()
    response = Client().get(f"/link/{token_of(table.pk)}/qr.svg")
    assert (response.status_code, response["Content-Type"]) == (200, "image/svg+xml")
    picture = ElementTree.fromstring(response.content)
    assert picture.tag == "{http://www.w3.org/2000/svg}svg"
