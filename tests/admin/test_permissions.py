"""Who may do what in the admin: every list, page and act, for everybody, both ways; and what the manual says.

An act or a model without a row in the table fails.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.contrib.admin import site
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.urls import reverse

from tests.admin.desk import Desk, listing, page, said, staff
from tests.admin.table import (
    ACTS,
    ADMINISTRATORS_ONLY,
    LISTS,
    RECORDS,
    ActRow,
    RecordRow,
    acts_of_the_admin,
    row_of,
)
from tests.api.table import Scene, build
from tests.director.table import NEW, SCORER
from tests.support.events import make_tournament
from tournaments.models import Entry, LogEntry, Official, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

MANUAL = Path(__file__).parents[2] / "docs" / "permissions.md"
OFFICIALS = ("scorer", "desk", "director", "owner")
STAFF = ("foreigner", *OFFICIALS)


def with_staff(visibility: str) -> tuple[Scene, dict[str, Client]]:
    """The scene, and a browser of everybody who has an account, all with the staff mark; and a visitor's."""
    scene = build(visibility)
    clients = {name: staff(scene.callers[name]).client for name in STAFF}
    return scene, {"visitor": Client(), **clients}


@pytest.mark.parametrize("visibility", ["public", "private"])
def test_lists_and_pages_show_what_the_office_allows(visibility: str) -> None:
    scene, clients = with_staff(visibility)
    wrong = []
    for row in LISTS:
        before = transaction.savepoint()
        row.prepare(scene)
        record = row_of(scene, row.model)
        assert record is not None, row
        for name, client in clients.items():
            answer = client.get(listing(row.model))
            seen = answer.status_code == 200 and record.pk in {
                one.pk for one in answer.context["cl"].result_list
            }
            opened = client.get(page(record)).status_code == 200
            if (seen, opened) != ((name in row.allowed,) * 2):
                wrong.append((row.model.__name__, name, answer.status_code, seen, opened))
        transaction.savepoint_rollback(before)
    assert wrong == []


def acted(visibility: str, rows: list[ActRow], names: tuple[str, ...]) -> dict[str, Any]:
    """By row: for whom it did what it should not, or did not do what it should. Nothing stays stored."""
    scene, clients = with_staff(visibility)
    wrong: dict[str, Any] = {}
    for row in rows:
        outer = transaction.savepoint()
        row.prepare(scene)
        record = row_of(scene, row.model)
        body = row.body(scene) if callable(row.body) else row.body
        for name in names:
            cache.clear()
            inner = transaction.savepoint()
            count = LogEntry.objects.count()
            answer = clients[name].post(page(record, row.act), {"sure": "yes", **body})
            done = LogEntry.objects.count() > count
            transaction.savepoint_rollback(inner)
            expected = answer.status_code == 302 and done if name in row.allowed else not done
            if not expected or answer.status_code >= 500:
                where = f"{row.model.__name__} {row.act} ({row.what})"
                wrong.setdefault(where, {})[name] = (answer.status_code, done)
        transaction.savepoint_rollback(outer)
    return wrong


@pytest.mark.parametrize("rows", [ACTS[::4], ACTS[1::4], ACTS[2::4], ACTS[3::4]], ids="abcd")
def test_everybody_does_what_the_table_says_and_nothing_else(rows: list[ActRow]) -> None:
    assert acted("public", rows, ("visitor", *STAFF)) == {}


def test_private_event_is_run_by_its_own() -> None:
    assert acted("private", ACTS, ("foreigner", "desk")) == {}


def test_strangers_find_nothing_at_the_acts() -> None:
    """Case P1: an account with the staff mark and the address of another event's record."""
    scene, clients = with_staff("public")
    for row in ACTS:
        record = row_of(scene, row.model)
        if record is not None:
            assert clients["foreigner"].get(page(record, row.act)).status_code == 404
            assert clients["foreigner"].post(page(record, row.act), {"sure": "yes"}).status_code == 404
            assert clients["visitor"].get(page(record, row.act)).status_code == 302


@pytest.mark.parametrize("row", RECORDS, ids=lambda row: row.body.get("way", row.body.get("what")))
def test_officials_record_and_nobody_else(row: RecordRow) -> None:
    scene, clients = with_staff("public")
    row.prepare(scene)
    args = [scene.match.pk]
    if row.hand:
        args.append(scene.match.game_records.get().hands.get().pk)
    path = reverse(f"admin:tournaments_match_record{'_hand' if row.hand else ''}", args=args)
    for name, client in clients.items():
        count = LogEntry.objects.count()
        before = transaction.savepoint()
        opened = client.get(path).status_code
        answer = client.post(path, row.body)
        done = LogEntry.objects.count() > count
        transaction.savepoint_rollback(before)
        expected = (200, 302, True) if name in SCORER else (302 if name == "visitor" else 404,) * 2 + (False,)
        assert (opened, answer.status_code, done) == expected, name


def test_office_without_the_staff_mark_opens_nothing() -> None:
    scene = build("public")
    client = Client()
    client.force_login(scene.event.owner.user)  # type: ignore[arg-type]
    for path in ("/admin/", listing(Entry), page(scene.match), page(scene.match, "forfeit")):
        answer = client.get(path)
        assert (answer.status_code, answer["Location"].split("?")[0]) == (302, "/admin/login/")


def test_staff_without_an_office_may_make_an_event_and_sees_no_other() -> None:
    scene, _clients = with_staff("public")
    desk = staff(scene.callers["foreigner"])
    Official.objects.filter(user=scene.callers["foreigner"].user).delete()
    assert [desk.get(listing(model)).status_code for model in (Tournament, Entry)] == [200, 403]
    made = desk.client.post("/admin/tournaments/tournament/add/", NEW, follow=True)
    assert said(made) == ["Renamed is made."]
    assert [one.name for one in desk.get(listing(Tournament)).context["cl"].result_list] == ["Renamed"]


def test_draft_is_seen_by_directors_only() -> None:
    """Case P2: a draw that is not out yet."""
    event = make_tournament(4, published=False, running=False)
    Desk(staff(event.owner).client).act(event.tournament, "draw", method="seed")
    assert event.stage.draw_state == "draft"
    for role, seen in (("scorer", 0), ("desk", 0), ("director", 7)):
        client = staff(event.official(role)).client
        for model in ("match", "slot", "round"):
            found = client.get(f"/admin/tournaments/{model}/").context["cl"].result_count
            assert bool(found) == bool(seen), (role, model)
        assert (client.get(page(event.match("M1"))).status_code == 200) == bool(seen)


def test_action_of_a_list_reaches_no_other_event(desk: Desk) -> None:
    other = make_tournament(4, name="Elsewhere")
    desk.many(list(Entry.objects.filter(tournament=other.tournament)), "check-in", sure="yes")
    assert not Entry.objects.filter(status="checked-in").exists()


def test_every_act_and_every_model_has_a_row() -> None:
    assert {(row.model, row.act) for row in ACTS} == acts_of_the_admin()
    ours = {one for one in site._registry if one._meta.app_label in {"tournaments", "tables", "scoring"}}
    assert {row.model for row in LISTS} == ours - ADMINISTRATORS_ONLY


def test_manual_says_the_same_as_the_table() -> None:
    heads, *lines = [line for line in MANUAL.read_text().splitlines() if line.startswith("|")]
    names = [one.strip() for one in heads.strip("|").split("|")][1:]
    manual: dict[str, set[str]] = {}
    for line in lines[1:]:
        what, *marks = [one.strip() for one in line.strip("|").split("|")]
        manual[what] = {name for name, mark in zip(names, marks, strict=True) if mark == "yes"}
    for row in (*LISTS, *ACTS):
        assert manual[row.what] & set(OFFICIALS) == set(row.allowed), row.what
    for record in RECORDS:
        assert manual[record.what] & set(OFFICIALS) == set(SCORER)
    assert set(User.objects.values_list("is_staff", flat=True)) <= {False}
