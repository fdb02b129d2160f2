"""Lists of teams through REST: lines, CSV, workbooks and JSON are looked at, entered whole, or refused whole."""

from __future__ import annotations

import io
import json
import random
import subprocess
import sys
from typing import Any

import pytest
from openpyxl import Workbook

from tests.support.callers import VISITOR, Caller
from tests.support.events import Event, make_tournament
from tournaments.api.importing import CSV, LINES, XLSX
from tournaments.models import Entry, Player, Team

pytestmark = pytest.mark.django_db

ROWS = [("Shakers", "June Hollis", "Ray Dominguez", None), ("Tin Roof", "Clara Dawes", "Otis Tuttle", 3)]
TEXT = "Shakers, June Hollis, Ray Dominguez\nTin Roof, Clara Dawes, Otis Tuttle, 3\n"


def workbook(rows: list[Any]) -> bytes:
    book = Workbook()
    for row in rows:
        book.active.append(list(row))
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def as_json(rows: list[Any], **more: Any) -> bytes:
    entries = [{"name": name, "players": [one, two], "seed": seed} for name, one, two, seed in rows]
    return json.dumps({"entries": entries, **more}).encode()


FORMS = [
    pytest.param(TEXT.encode(), LINES, id="lines"),
    pytest.param(TEXT.encode("utf-16"), f"{CSV}; charset=utf-16", id="csv"),
    pytest.param(
        workbook([["Team", "Player 1", "Player 2", "Seed"], *ROWS]),
        XLSX,
        id="workbook",
    ),
    pytest.param(as_json(ROWS), "application/json", id="json"),
]


@pytest.fixture
def event() -> Event:
    return make_tournament(0, published=False)


def send(
    event: Event, body: str | bytes, form: str = CSV, query: str = "", who: Caller | None = None, **more: Any
) -> Any:
    client = (who or event.owner).client
    return client.generic("POST", f"{event.path}entries/import/{query}", body, content_type=form, **more)


def stored() -> list[tuple[str, int | None, list[str]]]:
    """Name, seed and players of every team, in order."""
    return [
        (
            entry.name,
            entry.seed,
            list(entry.members.order_by("position").values_list("player__name", flat=True)),
        )
        for entry in Entry.objects.order_by("number")
    ]


def nothing_stored() -> bool:
    return not (Entry.objects.exists() or Player.objects.exists() or Team.objects.exists())


@pytest.mark.parametrize(("body", "form"), FORMS)
def test_list_of_any_form_is_looked_at_then_entered_once(event: Event, body: bytes, form: str) -> None:
    looked = send(event, body, form, "?dry_run=1")

    assert (looked.status_code, nothing_stored()) == (200, True)
    assert looked.json() == {
        "dry_run": True,
        "new": 2,
        "same": 0,
        "conflicts": 0,
        "lines": [
            {"number": at, "name": name, "players": [one, two], "kind": "new", "code": "", "why": ""}
            for at, (name, one, two, _) in enumerate(ROWS, start=1)
        ],
    }
    made = send(event, body, form)
    again = send(event, body, form)
    assert (made.status_code, [row["name"] for row in made.json()]) == (201, ["Shakers", "Tin Roof"])
    assert (again.status_code, again.json()) == (201, [])
    assert stored() == [(name, seed, [one, two]) for name, one, two, seed in ROWS]
    assert event.log_of("entries.added") == [{"numbers": [1, 2]}]
    after = send(event, body, form, "?dry_run=1").json()
    assert (after["new"], after["same"]) == (0, 2)
    assert {line["kind"] for line in after["lines"]} == {"same"}


def test_teams_that_are_there_are_passed_over_and_the_rest_entered(event: Event) -> None:
    send(event, TEXT)

    made = send(event, f"{TEXT}Late Bloomers; Ann Poe; Bea Roy; 4")

    assert [row["name"] for row in made.json()] == ["Late Bloomers"]
    assert [name for name, _, _ in stored()] == ["Shakers", "Tin Roof", "Late Bloomers"]


@pytest.mark.parametrize(
    ("line", "status", "code"),
    [
        ("Shakers, June Hollis, Somebody", 409, "team_name_taken"),
        ("New, June Hollis, Ann", 409, "player_taken"),
        ("New, Bea, Cal, 3", 409, "seed_taken"),
        ("Twins, Bea, Bea", 422, "same_player_twice"),
        ("Short, Only", 422, "two_players"),
        (", Gil, Hal", 422, "bad_name"),
        (f"{'x' * 121}, Gil, Hal", 422, "bad_name"),
        ("New, Bea, Cal, 99999", 422, "bad_seed"),
        (f"New, Bea, Cal, {'9' * 5000}", 422, "bad_seed"),
    ],
)
def test_line_in_conflict_refuses_the_whole_list(event: Event, line: str, status: int, code: str) -> None:
    send(event, TEXT)
    before = stored()
    text = f"Fresh, Eve, Flo\n{line}\n"

    looked = send(event, text, query="?dry_run=1").json()
    refused = send(event, text)

    assert (looked["new"], looked["conflicts"], looked["lines"][1]["code"]) == (1, 1, code)
    body = refused.json()
    assert (refused.status_code, body["code"], body["line"]) == (status, code, 1)
    name = looked["lines"][1]["name"]
    assert body["lines"] == [{"number": 2, "name": name, "code": code, "why": looked["lines"][1]["why"]}]
    assert body["detail"] == f"Line 2: {looked['lines'][1]['why']}"
    assert stored() == before
    assert Player.objects.count() == 4


def test_refusal_names_every_line_in_conflict(event: Event) -> None:
    refused = send(event, "Solo, One\nFresh, Eve, Flo\nfresh, Gil, Hal\nFresh, Eve, Flo")

    assert [(one["number"], one["code"]) for one in refused.json()["lines"]] == [
        (1, "two_players"),
        (3, "team_name_taken"),
    ]
    assert nothing_stored()


def test_json_keeps_ratings_and_its_own_dry_run(event: Event) -> None:
    entry = {"name": "Shakers", "players": ["June", "Ray"], "rating": 1512.5}

    looked = send(event, json.dumps({"entries": [entry], "dry_run": True}), "application/json")
    asked = send(event, json.dumps({"entries": [entry]}), "application/json", "?dry_run=true")

    assert looked.json() == asked.json()
    assert nothing_stored()
    made = send(event, json.dumps({"entries": [entry]}), "application/json").json()
    assert (made[0]["rating"], made[0]["seed"]) == (1512.5, None)


def test_players_of_two_teams_are_no_conflict_where_that_is_allowed() -> None:
    event = make_tournament(0, published=False, players_exclusive=False)

    made = send(event, "One, Ann, Bea\nTwo, Ann, Cal")

    assert (made.status_code, len(stored())) == (201, 2)


@pytest.mark.parametrize(
    ("body", "form", "status", "code"),
    [
        (b"", CSV, 400, "no_teams"),
        (b"\n \n", LINES, 400, "no_teams"),
        (b"Team,Player 1,Player 2\n", CSV, 400, "no_teams"),
        (b"", XLSX, 400, "no_teams"),
        (workbook([]), XLSX, 400, "no_teams"),
        (as_json([]), "application/json", 400, "no_teams"),
        (b'{"lines": [1]}', "application/json", 400, "invalid"),
        (TEXT.encode(), XLSX, 400, "bad_file"),
        (b"PK\x03\x04 broken", XLSX, 400, "bad_file"),
        (b"PK\x03\x04 broken", CSV, 400, "bad_file"),
        (b"%PDF-1.7", CSV, 400, "bad_file"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", CSV, 400, "bad_file"),
        (b'"' + b"x" * 200_000, CSV, 400, "bad_file"),
        (b"x" * 1_000_001, CSV, 422, "too_large"),
        (b"PK" * 500_001, XLSX, 422, "too_large"),
        (b"x" * 5_000_000, LINES, 422, "too_large"),
        (b"A,B,C\n" * 1025, CSV, 422, "too_many"),
        (as_json([("A", "B", "C", None)] * 1025), "application/json", 400, "invalid"),
        (TEXT.encode(), "application/xml", 415, "unsupported_media_type"),
        (TEXT.encode(), "multipart/form-data; boundary=x", 415, "unsupported_media_type"),
    ],
)
def test_body_that_is_no_list_of_teams_is_refused_with_a_code(
    event: Event, body: bytes, form: str, status: int, code: str
) -> None:
    for query in ("", "?dry_run=1"):
        refused = send(event, body, form, query)
        assert (refused.status_code, refused.json()["code"]) == (status, code)
        assert refused["Content-Type"] == "application/problem+json"
    assert nothing_stored()


def test_damaged_workbook_is_read_or_refused_and_never_a_defect(event: Event) -> None:
    whole, rng = workbook(ROWS), random.Random(42)
    for _ in range(150):
        body = bytearray(whole)
        for _ in range(rng.choice([1, 3, 20])):
            body[rng.randrange(2, len(body))] = rng.randrange(256)
        answer = send(event, bytes(body), XLSX, "?dry_run=1")
        assert answer.status_code in {200, 400, 422}, answer.content
    assert nothing_stored()


@pytest.mark.parametrize("query", ["", "?dry_run=1"])
def test_list_is_the_desk_s_before_anything_of_it_is_read(event: Event, query: str) -> None:
    scorer, desk = event.official("scorer"), event.official("desk")

    for body in (TEXT, "PK broken", ""):
        for who, status, code in ((VISITOR, 401, "not_authenticated"), (scorer, 403, "role_required")):
            refused = send(event, body, query=query, who=who)
            assert (refused.status_code, refused.json()["code"]) == (status, code)
    assert nothing_stored()
    assert send(event, TEXT, query=query, who=desk).status_code == (200 if query else 201)


def test_list_comes_too_late_once_the_event_runs() -> None:
    event = make_tournament(4)

    refused = send(event, TEXT)

    assert (refused.status_code, refused.json()["code"]) == (409, "entries_closed")
    assert Entry.objects.count() == 4


def test_list_sent_again_under_its_key_gets_the_same_answer(event: Event) -> None:
    first, again = (send(event, TEXT, headers={"Idempotency-Key": "k"}) for _ in range(2))

    other = send(event, f"{TEXT}Late, Ann, Bea", headers={"Idempotency-Key": "k"})

    assert (first.status_code, again.content) == (201, first.content)
    assert (other.status_code, other.json()["code"]) == (409, "idempotency_key_reused")
    assert len(stored()) == 2


def test_reader_of_workbooks_is_loaded_only_to_read_one() -> None:
    code = (
        "import os, sys, django\n"
        "os.environ['DJANGO_SETTINGS_MODULE'] = 'deploy.settings.test'\n"
        "django.setup()\n"
        "import deploy.urls\n"
        "print('openpyxl' in sys.modules)"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "False"
