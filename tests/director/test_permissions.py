"""Who may do what through the pages: every address, for everybody, both ways; and what the manual says of it.

A new address without a row in the table fails.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client

from tests.api.table import build
from tests.director.table import EVERYBODY, HOLDERS, ROWS, TABLE_ROWS, Row, client_of, send
from tests.support.addresses import addresses
from tests.support.events import make_tournament
from tournaments.models import LogEntry

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

MANUAL = Path(__file__).parents[2] / "docs" / "permissions.md"
FAIR_PLAY = "run/<slug:slug>/fair-play/"


def acted(visibility: str, rows: list[Row], names: tuple[str, ...]) -> dict[str, dict[str, Any]]:
    """By row: for whom it did what it should not, or did not do what it should. Nothing stays stored."""
    scene = build(visibility)
    wrong: dict[str, dict[str, Any]] = {}
    for row in rows:
        for name in names:
            cache.clear()
            before = transaction.savepoint()
            row.prepare(scene)
            count = LogEntry.objects.count()
            answer = send(scene, row, name)
            done = LogEntry.objects.count() > count
            transaction.savepoint_rollback(before)
            if not _as_expected(row, name, answer.status_code, done, visibility):
                where = f"{row.method} {row.pattern} ({row.what})"
                wrong.setdefault(where, {})[name] = (answer.status_code, done, answer.get("Location", ""))
    return wrong


def _as_expected(row: Row, name: str, status: int, done: bool, visibility: str) -> bool:
    if name in row.allowed:
        return status == 200 if row.method == "GET" else status == 302 and done
    if done or status >= 500:
        return False
    if row.method == "GET" and status == 200:
        return False
    if visibility == "private" and name == "foreigner" and row.pattern.startswith("run/<slug"):
        return status == 404
    return True


@pytest.mark.parametrize("rows", [ROWS[::3], ROWS[1::3], ROWS[2::3], TABLE_ROWS], ids="abct")
def test_everybody_may_do_what_the_table_says_and_nothing_else(rows: list[Row]) -> None:
    assert acted("public", rows, EVERYBODY) == {}


def test_private_event_is_run_by_its_own_and_not_there_for_others() -> None:
    assert acted("private", [*ROWS, *TABLE_ROWS], ("visitor", "foreigner", "desk", "table")) == {}


def test_every_address_of_the_pages_has_a_row() -> None:
    listed = {one.pattern for prefix in ("run/", "link/") for one in addresses(prefix)}
    opened = {"link/leave/", "link/<str:token>/", "link/<str:token>/qr.svg"}
    assert {row.pattern for row in [*ROWS, *TABLE_ROWS]} == {
        one for one in listed - opened if not one.startswith(FAIR_PLAY)
    }


def test_manual_says_what_the_table_says() -> None:
    heads, *lines = [line for line in MANUAL.read_text().splitlines() if line.startswith("|")]
    names = [one.strip() for one in heads.strip("|").split("|")][1:]
    said: dict[str, set[str]] = {}
    for line in lines[1:]:
        what, *marks = [one.strip() for one in line.strip("|").split("|")]
        said[what] = {name for name, mark in zip(names, marks, strict=True) if mark == "yes"}
    wanted: dict[str, set[str]] = {}
    for row in [*ROWS, *TABLE_ROWS]:
        wanted.setdefault(row.what, set()).update(row.allowed)
    assert said == {what: allowed - {"foreigner"} for what, allowed in wanted.items()}


def test_visitor_signs_in_first_and_comes_back() -> None:
    event = make_tournament(2, visibility="private")
    answer = Client().get(f"/run/{event.slug}/floor/")
    assert (answer.status_code, answer["Location"]) == (
        302,
        f"/accounts/login/?next=/run/{event.slug}/floor/",
    )


def test_match_of_another_event_is_not_there() -> None:
    mine, other = make_tournament(4), make_tournament(8, name="Elsewhere")
    client = client_of(mine.owner)
    assert other.match("M12").code == "M12"
    for path in ("", "play/", "enter/", "forfeit/", "correct/"):
        assert client.get(f"/run/{mine.slug}/matches/M12/{path}").status_code == 404
        assert client.get(f"/run/{other.slug}/matches/M12/{path}").status_code in {403, 404}


def test_link_opens_no_page_of_another_match() -> None:
    scene = build("public")
    for name in HOLDERS:
        client = client_of(scene.callers[name])
        answer = client.post("/link/M2/games/1/", {"ns": 7, "ew": 1})
        assert (answer.status_code, answer["Location"]) == (302, "/link/")
        assert not scene.event.match("M2").game_records.exists()
