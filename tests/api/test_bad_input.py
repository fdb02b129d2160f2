"""Whatever is sent, the answer is a coded refusal, never a defect, and nothing of a refused request is stored."""

from __future__ import annotations

import base64
import itertools
import json
from typing import Any

import pytest
from django.apps import apps
from django.core.cache import cache
from django.db import transaction
from rest_framework.test import APIClient

from scoring.models import RefusedAttempt
from tests.api.table import ROWS, Row, Scene, build
from tests.support.callers import VISITOR
from tests.support.events import account, make_tournament
from tournaments.models import IdempotencyRecord, Tournament

pytestmark = pytest.mark.django_db

WRITES = [row for row in ROWS if row.method != "GET"]
JUNK: list[Any] = [
    None,
    "",
    "x" * 5000,
    -1,
    0,
    1.5,
    10**18,
    2**63,
    10**40,
    True,
    [],
    [[1], {"a": None}],
    {},
    {"a": {"b": []}},
    "NaN",
    "-Infinity",
    "٣",
    "６-４",
    "half \ud83d",
    "nul\x00",
    "' OR 1=1 --",
    "../../etc/passwd",
    "0001-01-01T00:00:00+14:00",
    "\u202e\u2066",
]
BODIES: list[tuple[bytes, str]] = [
    *(
        (body, "application/json")
        for body in (
            b"",
            b"null",
            b"[]",
            b'"text"',
            b"7",
            b"{",
            b"{} trailing",
            b'{"a": 1}{"b": 2}',
            b"\xff\xfe{\x00}\x00",
            b'\xef\xbb\xbf{"a": 1}',
            b'{"a": NaN}',
            b'{"a": 1e999}',
            b'{"a": "\\ud800"}',
            b'{"\\u0000": 1}',
            b'{"\\ud800": 1}',
            b'{"a": ' + b"9" * 5000 + b"}",
            b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
            b'{"a": ' + b"[" * 900 + b"]" * 900 + b"}",
            b"[" * 60_000,
        )
    ),
    (b"a=1&b=2", "application/x-www-form-urlencoded"),
    (b"<a/>", "text/xml"),
    (b"{}", "text/plain"),
    *(
        (b'{"a": 1}', f"application/json; charset={name}")
        for name in ("zlib", "bz2", "rot13", "base64", "utf-16", "no-such", "idna", "undefined")
    ),
]
READABLE = {200, 201, 400, 401, 403, 404, 409, 415, 422, 429}


def stored() -> list[Any]:
    """Every stored row but those that keep refusals and answers."""
    models = [
        model
        for label in ("tournaments", "tables", "scoring", "auth")
        for model in apps.get_app_config(label).get_models()
        if model not in {RefusedAttempt, IdempotencyRecord}
    ]
    return [list(model._default_manager.order_by("pk").values()) for model in models]


def best_caller(scene: Scene, row: Row) -> Any:
    """Somebody who may do it, so that nothing is refused for the caller's sake."""
    name = next(one for one in ("owner", "team", "seat") if one in row.allowed)
    return scene.callers[name].client


def check(scene: Scene, row: Row, answer: Any, sent: Any) -> None:
    assert answer.status_code in READABLE, (row.pattern, sent, answer.status_code)
    if answer.status_code >= 400:
        assert answer["Content-Type"] == "application/problem+json", (row.pattern, sent)
        body = json.loads(answer.content)
        assert {"type", "title", "status", "code", "detail"} <= set(body)


def by_name(row: Row) -> str:
    return f"{row.method} {row.pattern} {'/'.join(row.values.values())}".strip()


@pytest.mark.parametrize("half", [0, 1])
def test_wrong_values_in_every_field_of_every_write(half: int) -> None:
    """Each field of each body in turn holds something that is no value for it."""
    scene = build("public")
    for row in WRITES[half::2]:
        outer = transaction.savepoint()
        row.prepare(scene)
        body = row.body(scene) if callable(row.body) else row.body
        path, client, before = scene.path_of(row), best_caller(scene, row), stored()
        act = getattr(client, row.method.lower())
        for field, junk in itertools.product(body, JUNK):
            cache.clear()
            inner = transaction.savepoint()
            text = json.dumps({**body, field: junk})
            answer = act(path, text, content_type="application/json")
            check(scene, row, answer, (field, junk))
            if answer.status_code < 400:
                transaction.savepoint_rollback(inner)
            else:
                transaction.savepoint_commit(inner)
        assert stored() == before, row.pattern
        transaction.savepoint_rollback(outer)


@pytest.mark.parametrize("half", [0, 1])
def test_bodies_that_are_no_json_object_in_every_write(half: int) -> None:
    scene = build("public")
    for number, row in list(enumerate(WRITES))[half::2]:
        outer = transaction.savepoint()
        row.prepare(scene)
        path, client, before = scene.path_of(row), best_caller(scene, row), stored()
        # Every write meets those that are JSON, and each of the others in turn.
        for body, content_type in [*BODIES[:6], *BODIES[6 + number % 4 :: 4]]:
            cache.clear()
            inner = transaction.savepoint()
            answer = client.generic(row.method, path, body, content_type=content_type)
            check(scene, row, answer, (body[:40], content_type))
            if answer.status_code < 400:
                transaction.savepoint_rollback(inner)
            else:
                transaction.savepoint_commit(inner)
        assert stored() == before, row.pattern
        transaction.savepoint_rollback(outer)


FREE_FIELDS = [
    ("PATCH", "", "rules"),
    ("PATCH", "", "starts_at"),
    ("PATCH", "", "time_zone"),
    ("PATCH", "", "auto_confirm_minutes"),
    ("PATCH", "", "visibility"),
    ("PATCH", "stages/1/", "rules"),
    ("PATCH", "stages/1/", "best_of_by_round"),
    ("PATCH", "stages/1/", "kind"),
    ("PATCH", "entries/{entry}/", "seed"),
    ("PATCH", "entries/{entry}/", "rating"),
    ("PATCH", "entries/{entry}/", "name"),
    ("POST", "stages/1/draw/", "seed"),
    ("POST", "stages/1/draw/", "method"),
    ("POST", "tables/", "numbers"),
    ("POST", "tables/", "count"),
]


@pytest.mark.parametrize(("method", "part", "name"), FREE_FIELDS)
def test_wrong_values_in_optional_fields(method: str, part: str, name: str) -> None:
    event = make_tournament(2, published=False)
    path = event.path + part.format(entry=event.entry_of("T1").pk)
    client = event.owner.client
    shapes = list(JUNK)
    if name in {"rules", "best_of_by_round"}:
        shapes += [{key: junk} for key in ("winners-1", "opening_limit") for junk in JUNK]
    if name == "numbers":
        shapes += [[junk] for junk in JUNK]
    for number, junk in enumerate(shapes):
        before = stored()
        inner = transaction.savepoint()
        answer = client.generic(
            method,
            path,
            json.dumps({name: junk}),
            content_type="application/json",
            HTTP_IDEMPOTENCY_KEY=f"{number}",
        )
        assert answer.status_code in READABLE, (path, name, junk)
        if answer.status_code < 400:
            assert client.get(event.path).status_code == 200, (name, junk)
            assert client.get(f"{event.path}entries/").status_code == 200, (name, junk)
            transaction.savepoint_rollback(inner)
        else:
            transaction.savepoint_commit(inner)
            assert stored() == before, (path, name, junk)


QUERIES = {
    "tournaments/": ["state", "visibility", "cursor", "page_size", "format"],
    "players/": ["search", "cursor", "page_size"],
    "teams/": ["search", "cursor"],
    "{slug}entries/": ["status", "seed", "cursor", "page_size"],
    "{slug}matches/": ["round", "stage", "team", "state", "cursor"],
    "{slug}log/": ["action", "match", "entry", "actor_kind", "cursor"],
    "{slug}tables/": ["number", "state", "room", "cursor"],
    "{slug}bracket/": ["stage", "draft"],
    "{slug}standings/": ["stage"],
    "{slug}messages/": ["all", "cursor", "page_size"],
    "{slug}invitations/": ["cursor", "page_size"],
    "{slug}holds/": ["cursor", "page_size"],
    "{slug}judge-calls/": ["open", "cursor", "page_size"],
    "{slug}findings/": ["state", "detector", "cursor"],
}


def cursors() -> list[str]:
    """Cursors that were never given out."""
    positions = [
        "p=abc",
        "p=%00",
        "p=2026-13-45",
        "o=-5",
        "o=99999999999999999999",
        "r=7&p=1e9",
        "p=" + "9" * 400,
    ]
    return [base64.b64encode(one.encode()).decode() for one in positions] + ["%%%", "====", "é"]


@pytest.mark.parametrize("part", QUERIES)
def test_wrong_values_in_every_query_parameter(part: str) -> None:
    event = make_tournament(2)
    path = "/api/v1/" + part.format(slug=f"tournaments/{event.slug}/")
    client = event.owner.client
    texts = ["", "abc", "-1", "0", "9" * 40, "1e9", "NaN", "\x00", "٣", "x" * 3000, "[]", "%"]
    for name in QUERIES[part]:
        for text in cursors() if name == "cursor" else texts:
            answer = client.get(path, {name: text})
            assert answer.status_code in {200, 400, 404}, (name, text, answer.status_code)


def test_cursor_that_was_not_given_out_is_refused() -> None:
    event = make_tournament(2)

    for cursor in cursors()[:3]:
        answer = VISITOR.client.get(f"{event.path}entries/", {"cursor": cursor})
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


@pytest.mark.parametrize(
    "path",
    [
        "tournaments/{slug}/stages/99999999999999999999999999/",
        "tournaments/{slug}/stages/0/",
        "tournaments/{slug}/bracket/?stage=99999999999999999999999",
        "matches/{match}/games/99999999999999999999999999/hands/1/",
        "matches/{match}/games/1/hands/99999999999999999999999999/",
        "matches/00000000-0000-0000-0000-000000000000/",
        "hands/00000000-0000-0000-0000-000000000000/",
        "hands/00000000-0000-0000-0000-000000000000/deal/",
        "players/00000000-0000-0000-0000-000000000000/",
        "tables/00000000-0000-0000-0000-000000000000/",
        "tournaments/no-such-event/",
        "no/such/address/",
    ],
)
def test_addresses_of_nothing_are_not_there(path: str) -> None:
    event = make_tournament(2)
    values = {"slug": event.slug, "match": event.match("M1").pk}

    answer = event.owner.client.get("/api/v1/" + path.format(**values))

    assert answer.status_code == 404


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("games/99999999999999999999999999/", {"NS": 7, "EW": 1}),
        ("games/0/", {"NS": 7, "EW": 1}),
        ("games/1/hands/99999999999999999999999999/", {"level": "marks", "winner": "NS", "marks": 1}),
        ("games/1/hands/0/", {"level": "marks", "winner": "NS", "marks": 1}),
        ("games/99999999999999999999/hands/1/", {"level": "full", "shaker": "N"}),
    ],
)
def test_numbers_out_of_all_order_are_a_conflict(path: str, body: dict[str, Any]) -> None:
    event = make_tournament(2)

    answer = event.owner.client.put(f"/api/v1/matches/{event.match('M1').pk}/{path}", body)

    assert answer.status_code == 409
    assert answer.json()["code"] in {"game_out_of_order", "hand_out_of_order"}


@pytest.mark.parametrize("seat", ["X", "NS", "%00", "%F0%9F%81%AB", "n%2F", "١"])
def test_seats_of_nobody_cannot_be_read(seat: str) -> None:
    event = make_tournament(2)
    match = event.match("M1")
    client = event.owner.client
    hand = client.put(
        f"/api/v1/matches/{match.pk}/games/1/hands/1/", {"level": "full", "shaker": "N"}
    ).json()["id"]

    for answer in (
        client.put(f"/api/v1/hands/{hand}/deal/{seat}/", {"tiles": []}),
        client.get(f"/api/v1/hands/{hand}/?as={seat}"),
        client.post(f"/api/v1/matches/{match.pk}/seats/{seat}/link/"),
    ):
        assert answer.status_code in {400, 404, 422}


def test_body_of_megabytes_is_refused_with_and_without_a_key() -> None:
    event = make_tournament(2)
    body = json.dumps({"reason": "x" * 3_000_000})
    path = f"{event.path}entries/{event.entry_of('T1').pk}/withdraw/"

    for headers in ({}, {"HTTP_IDEMPOTENCY_KEY": "k"}):
        answer = event.owner.client.post(path, body, content_type="application/json", **headers)
        assert answer.status_code in {400, 413}
        assert answer["Content-Type"] == "application/problem+json"
    assert event.entry_of("T1").status == "entered"


@pytest.mark.parametrize("method", ["DELETE", "PUT", "TRACE", "HEAD", "OPTIONS", "NONSENSE"])
def test_other_methods_are_answered_without_a_defect(method: str) -> None:
    event = make_tournament(2)

    answer = event.owner.client.generic(method, event.path)

    assert answer.status_code in {200, 405}


@pytest.mark.parametrize(
    "accept", ["text/html", "application/xml", "*/*", "nonsense", "application/json;q=x"]
)
def test_any_accept_header_gets_an_answer(accept: str) -> None:
    event = make_tournament(2)

    answer = VISITOR.client.get(event.path, HTTP_ACCEPT=accept)

    assert answer.status_code in {200, 406}


@pytest.mark.parametrize(
    "header",
    [
        "Token",
        "Token a b",
        "Token é",
        "Token \x00",
        "Link",
        "Link a b",
        "Link é",
        "Link " + "A" * 44,
        "Basic YTpi",
        "x",
    ],
)
def test_credentials_that_are_none_are_refused(header: str) -> None:
    event = make_tournament(2)
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=header)

    answer = client.patch(event.path, {"venue": "KC Hall"})

    assert answer.status_code == 401
    assert answer["Content-Type"] == "application/problem+json"


def test_names_of_nothing_are_refused_when_officials_are_named() -> None:
    event = make_tournament(2)
    for username in ("", "no such account", "\x00", "x" * 151):
        answer = event.owner.client.post(f"{event.path}officials/", {"username": username, "role": "desk"})
        assert answer.status_code in {400, 404}


def test_fields_that_nobody_asked_for_change_nothing() -> None:
    """Owner, state, slug and the like are not to be set by a request."""
    event = make_tournament(2)
    body = {"state": "archived", "slug": "mine", "champion": "T1", "id": "1", "created_at": "2000-01-01"}

    answer = event.owner.client.patch(event.path, body)
    made = account().client.post("/api/v1/tournaments/", {"name": "Mine", **body})

    assert answer.status_code == 200
    assert made.status_code == 201
    assert list(Tournament.objects.order_by("pk").values_list("slug", "state")) == [
        (event.slug, "running"),
        ("mine", "draft"),
    ]


@pytest.mark.parametrize(
    "values",
    [
        {"seed": 10**18},
        {"seed": 2**31},
        {"seed": 0},
        {"rating": "NaN"},
        {"rating": "Infinity"},
        {"rating": "1e999"},
    ],
)
def test_numbers_that_no_column_or_page_can_hold_are_refused(values: dict[str, Any]) -> None:
    event = make_tournament(2, published=False)
    client = event.owner.client
    entry = event.entry_of("T1")
    team = {"name": "New", "players": ["Ann", "Bea"]}

    for answer in (
        client.patch(f"{event.path}entries/{entry.pk}/", values),
        client.post(f"{event.path}entries/", {**team, **values}),
        client.post(f"{event.path}entries/import/", {"entries": [{**team, **values}]}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert client.get(f"{event.path}entries/").status_code == 200
    assert event.tournament.entries.count() == 2
