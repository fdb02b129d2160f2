"""Who may do what: every method of every address of the API, for everybody, in public and private events.

A new address without a row in the table fails.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from django.core.cache import cache
from django.db import transaction
from rest_framework.test import APIClient

from tests.api.table import EVERYBODY, FOREIGN, ROWS, TILES, Row, build, send
from tests.support.addresses import addresses
from tests.support.events import make_tournament

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def check(visibility: str, rows: list[Row], names: Sequence[str]) -> dict[str, dict[str, int]]:
    """By row: who of `names` gets another answer than that of the row, with it. Nothing stays stored."""
    scene = build(visibility)
    wrong: dict[str, dict[str, int]] = {}
    for row in rows:
        outer = transaction.savepoint()
        row.prepare(scene)
        for name in names:
            cache.clear()  # tries to sign in are limited
            inner = transaction.savepoint()
            answer = send(scene, row, scene.callers[name])
            transaction.savepoint_rollback(inner)
            if not as_expected(row, name, visibility, answer):
                where = f"{row.method} {row.pattern} {dict(row.values)}"
                wrong.setdefault(where, {})[name] = answer.status_code
        transaction.savepoint_rollback(outer)
    return wrong


def as_expected(row: Row, name: str, visibility: str, answer: Any) -> bool:
    status = answer.status_code
    if visibility == "private":
        if row.pattern == "players/<uuid:player_id>/":
            return bool(status == 404)  # players are those of public events
        if name == "visitor":
            return status in ({404} if name in row.allowed else {401, 404})
        if name in FOREIGN:
            return bool(status == 404)
    if name in row.allowed:
        return bool(status < 300)
    expected = 401 if name in {"visitor", *row.unlinked} else row.refused
    return status == expected and answer["Content-Type"] == "application/problem+json"


def test_every_address_has_a_row() -> None:
    listed = {
        (method, one.pattern.removeprefix("api/v1/"))
        for one in addresses("api/v1/")
        for method in one.methods
    }
    assert {(row.method, row.pattern) for row in ROWS} == listed


@pytest.mark.parametrize("third", range(3))
def test_everybody_gets_what_the_table_says_in_a_public_event(third: int) -> None:
    assert check("public", ROWS[third::3], EVERYBODY) == {}


def test_private_event_is_not_there_for_strangers_and_the_same_for_its_own() -> None:
    names = ("visitor", *FOREIGN, "desk", "team")
    assert check("private", [row for row in ROWS if row.private], names) == {}


def test_objects_of_another_event_are_not_there_under_ones_own() -> None:
    mine, other = make_tournament(4), make_tournament(4, name="Elsewhere")
    entry = other.entry_of("T1")
    client = mine.owner.client

    answers = [
        client.get(f"{mine.path}entries/{entry.pk}/"),
        client.patch(f"{mine.path}entries/{entry.pk}/", {"name": "Taken over"}),
        client.post(f"{mine.path}entries/{entry.pk}/withdraw/"),
        client.post(f"{mine.path}entries/{entry.pk}/disqualify/"),
    ]

    assert [answer.status_code for answer in answers] == [404] * 4
    entry.refresh_from_db()
    assert (entry.name, entry.status) == ("T1", "entered")


def test_link_scores_the_match_it_opens_and_no_other() -> None:
    event = make_tournament(4)
    first, second = event.match("M1"), event.match("M2")
    sides = event.side_links(first)
    links = [event.table_link(first), sides["NS"], sides["EW"], *event.seat_links(first).values()]
    for link in links:
        for path, body in (
            ("result/", {"scores": "7-4,7-3"}),
            ("games/1/", {"NS": 7, "EW": 1}),
            ("games/1/hands/1/", {"level": "marks", "winner": "NS", "marks": 1}),
        ):
            refused = link.client.put(f"/api/v1/matches/{second.pk}/{path}", body)
            assert (refused.status_code, refused.json()["code"]) == (403, "not_your_match")
    assert not second.game_records.exists()
    assert not second.results.exists()


def test_seat_link_records_its_own_seat_only() -> None:
    event = make_tournament(2, kind="single-elimination")
    match = event.match("M1")
    seats = event.seat_links(match)
    opened = event.owner.client.put(
        f"/api/v1/matches/{match.pk}/games/1/hands/1/", {"level": "full", "shaker": "W"}
    )
    path = f"/api/v1/hands/{opened.json()['id']}/"

    for answer in (
        seats["E"].client.put(f"{path}calls/1/", {"seat": "N", "call": "30"}),
        seats["E"].client.put(f"{path}deal/N/", {"tiles": TILES}),
        seats["E"].client.put(f"{path}plays/1/", {"seat": "N", "tile": "6-6"}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (403, "not_your_seat")
    for seq, seat in enumerate("NESW", start=1):
        body = {"seat": seat, "call": "30" if seat == "N" else "pass"}
        assert seats[seat].client.put(f"{path}calls/{seq}/", body).status_code == 201
    assert seats["E"].client.put(f"{path}trump/", {"trump": "6"}).json()["code"] == "not_your_seat"
    assert seats["N"].client.put(f"{path}trump/", {"trump": "6"}).status_code == 201


def test_revoked_link_opens_nothing() -> None:
    event = make_tournament(2, kind="single-elimination")
    table = event.table_link(event.match("M1"))
    assert table.link is not None
    path = f"/api/v1/tables/{table.link.table_id}/revoke-link/"

    assert event.owner.client.post(path).json() == {"revoked": True}

    for answer in (
        table.client.get("/api/v1/link/"),
        table.client.get(event.path),
        table.client.put(f"/api/v1/matches/{event.match('M1').pk}/games/1/", {"NS": 7, "EW": 1}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (401, "link_invalid")


def test_account_that_was_switched_off_is_nobody() -> None:
    event = make_tournament(2)
    event.owner.user.is_active = False
    event.owner.user.save()

    answer = event.owner.client.patch(event.path, {"venue": "KC Hall"})

    assert answer.status_code == 401


def test_session_writes_need_the_csrf_token() -> None:
    event = make_tournament(2)
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(event.owner.user)

    refused = client.patch(event.path, {"venue": "KC Hall"})

    assert (refused.status_code, event.fresh().venue) == (403, "")
    assert client.get(f"{event.path}log/").status_code == 200
