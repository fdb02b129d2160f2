"""Requests that Schemathesis makes up from the API's own description, as four different callers.

Whatever is sent, the answer is described: its status, its media type, its headers and its body, and no defect.
A request goes to the WSGI application itself, and what it stored is taken back before the next one.
"""

from __future__ import annotations

import random
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import pytest
import schemathesis
from django.core.cache import cache
from django.core.signals import got_request_exception, request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.generation import GenerationMode
from schemathesis.generation.feedback import NO_FEEDBACK
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.support.full_event import FullSite, make_full_site
from tournaments.api.importing import XLSX

pytestmark = pytest.mark.django_db

Choose = Callable[[list[Any]], Any]


@schemathesis.serializer(XLSX)
def _workbook(context: Any, value: Any) -> bytes:
    """Bytes go out as they are, and what should be a file and is none as its text."""
    return value if isinstance(value, bytes) else str(value).encode(errors="replace")


CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
CALLERS = ["owner", "owner", "owner", "table", "team", "visitor"]
SEATS = ["N", "E", "S", "W"]
TILES = ["6-6", "6-5", "5-5", "4-2", "1-0", "0-0"]
WORDS: dict[str, list[Any]] = {
    "seat": SEATS,
    "shaker": [*SEATS, ""],
    "declarer": [*SEATS, ""],
    "call": ["30", "pass", "42", "84", "35"],
    "bid": ["30", "34", "84", "1m", ""],
    "trump": ["6", "5", "doubles", "no-trump", ""],
    "tile": TILES,
    "scores": ["7-4,7-3", "7-4,5-7,7-3", "7-4", "4-7,3-7"],
    "version": [1, 2],
    "seed": [1, 2, 3, None, 40],
    "marks": [1, 2, 7],
    "points": [30, 42, 20],
    "reason": ["slip", ""],
    "preset": ["online-championship"],
    "time_zone": ["America/Chicago", "UTC"],
    "password": ["correct horse"],
    "minutes": [5, None],
    "side": ["EW", "NS"],
    "NS": [7, 7, 3],
    "EW": [3, 2, 7],
    "desk": [True, False],
}
"""What the fields of a body mostly say where the description only says that they are text or a number."""
LISTS = {
    "tiles": [
        ["6-6", "6-5", "6-4", "6-3", "5-5", "5-0", "1-0"],
        ["6-2", "6-1", "6-0", "5-4", "5-3", "5-2", "5-1"],
    ],
    "numbers": [[30], [31, 32], [1]],
    "players": [["Ann Poe", "Bea Roy"]],
}
"""The same for fields that are lists."""
NAMED = {
    "match": "match_id",
    "table": "table_id",
    "entry": "entry_id",
    "entries": "entry_id",
    "fixed_entry": "entry_id",
    "player": "player_id",
    "leaving": "player_id",
    "username": "username",
    "code": "code",
}
"""Which ids the fields of a body name."""
EITHER = ("games", "scores", "forfeit")
"""Fields of which a body has one."""
MOSTLY = [*[True] * 9, False]


class Client:
    """Sends a case, compares the answer with the description, and takes back what it stored."""

    def __init__(self, site: FullSite) -> None:
        self.site = site
        self.defect: BaseException | None = None
        self.done: set[str] = set()
        """The operations of which a request succeeded."""

    def send(self, case: Any, name: str) -> None:
        """Raise the defect of a 500, or Schemathesis' list of what is not as described."""
        cache.clear()  # tries to sign in are limited
        self.defect = None
        before = transaction.savepoint()
        try:
            credentials = self.site.callers[name].credentials
            answer = case.call(headers={"Authorization": credentials} if credentials else None)
        finally:
            transaction.savepoint_rollback(before)
        if self.defect is not None:
            raise self.defect
        if answer.status_code < 300:
            self.done.add(case.operation.label)
        case.validate_response(answer, checks=CHECKS)

    def on_defect(self, sender: Any, **kwargs: Any) -> None:
        self.defect = sys.exc_info()[1]


@pytest.fixture(scope="module")
def description() -> Any:
    raw = SchemaGenerator().get_schema(request=None, public=True)
    schema = schemathesis.openapi.from_dict(raw)
    schema.app = get_wsgi_application()
    return schema


@pytest.fixture
def client() -> Iterator[Client]:
    client = Client(make_full_site())
    with inside_a_transaction():
        got_request_exception.connect(client.on_defect)
        yield client
        got_request_exception.disconnect(client.on_defect)


@contextmanager
def inside_a_transaction() -> Iterator[None]:
    """The end of a request closes no connection, as under Django's own test client."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield
    for signal in signals:
        signal.connect(close_old_connections)


def fill(case: Any, site: FullSite, choose: Choose) -> Any:
    """The case with things that exist in its path and body, mostly, and mostly of one event."""
    main, *others = site.worlds
    ids = choose([main, main, main, main, *others])
    for name, value in dict(case.path_parameters or {}).items():
        if name in ids and is_such(name, value) and choose(MOSTLY):
            case.path_parameters[name] = choose(ids[name])
    if isinstance(case.body, dict):
        case.body = filled(case.body, ids, choose)
        if len(given := [name for name in EITHER if name in case.body]) > 1 and choose(MOSTLY):
            kept = choose(given)
            case.body = {name: one for name, one in case.body.items() if name not in given or name == kept}
    return case


def filled(body: dict[str, Any], ids: dict[str, list[Any]], choose: Choose) -> dict[str, Any]:
    """The body with words and ids that its fields may well have."""
    words = WORDS | {name: ids[kind] for name, kind in NAMED.items()}
    found = dict(body)
    for name, value in body.items():
        if name in LISTS and isinstance(value, list) and choose(MOSTLY):
            found[name] = choose(LISTS[name])
        elif isinstance(value, list):
            found[name] = [
                filled(one, ids, choose)
                if isinstance(one, dict)
                else choose(words[name])
                if name in words and choose(MOSTLY)
                else one
                for one in value[:8]
            ]
        elif name in words and not isinstance(value, dict) and choose(MOSTLY):
            found[name] = choose(words[name])
    return found


def is_such(name: str, value: Any) -> bool:
    """Is this made-up value of the kind that the parameter has? Others are sent as they are."""
    if not name.endswith("_id"):
        return bool(value) and not isinstance(value, bool)
    try:
        return bool(UUID(str(value)))
    except ValueError:
        return False


def fuzz(client: Client, operation: Any, examples: int, number: int | None = None) -> None:
    """Send made-up requests; the same ones each time, or those of a seed."""

    @settings(
        max_examples=examples,
        derandomize=number is None,
        database=None,
        deadline=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @given(data=st.data(), case=operation.as_strategy(feedback=NO_FEEDBACK))
    def check(data: Any, case: Any) -> None:
        def choose(options: list[Any]) -> Any:
            return options[data.draw(st.integers(0, len(options) - 1))]

        client.send(fill(case, client.site, choose), choose(CALLERS))

    if number is not None:
        check = seed(number)(check)
    check()


def edges(description: Any, operation: Any) -> list[Any]:
    """Requests with the least, the greatest and wrong values of each parameter and field."""
    config = description.config.generation_for(operation=operation, phase="coverage")
    cases = description.iter_coverage_cases(
        operation, generation_modes=list(GenerationMode), generation_config=config
    )
    return [case for case in cases if case.method == operation.method.upper()]


def failures(description: Any, act: Callable[[Any], None]) -> dict[str, str]:
    """By operation: what came out when it was not as described."""
    found = {}
    for result in description.get_all_operations():
        operation = result.ok()
        try:
            act(operation)
        except (Exception, FailureGroup) as error:
            found[operation.label] = "".join(traceback.format_exception_only(error))[:1500]
    return found


def test_made_up_requests_are_answered_as_described(client: Client, description: Any) -> None:
    assert failures(description, lambda operation: fuzz(client, operation, 5)) == {}


def test_edges_of_what_is_described_are_answered_as_described(client: Client, description: Any) -> None:
    def some_edges(operation: Any) -> None:
        rng = random.Random(operation.label)
        cases = edges(description, operation)
        for case in rng.sample(cases, min(5, len(cases))):
            client.send(fill(case, client.site, rng.choice), rng.choice(CALLERS))

    assert failures(description, some_edges) == {}


@pytest.mark.long
@pytest.mark.timeout(900)
def test_five_minutes_of_made_up_requests_are_answered_as_described(client: Client, description: Any) -> None:
    """All edges once, then made-up requests with other seeds until the time is up."""
    until = time.monotonic() + 300
    rng = random.Random(42)

    def all_edges(operation: Any) -> None:
        for case in edges(description, operation):
            client.send(fill(case, client.site, rng.choice), rng.choice(CALLERS))

    found = failures(description, all_edges)
    number = 1
    while time.monotonic() < until:
        found |= failures(description, lambda operation, number=number: fuzz(client, operation, 8, number))
        number += 1
    assert found == {}
    labels = {result.ok().label for result in description.get_all_operations()}
    assert len(client.done) > 0.85 * len(labels), f"hardly a request succeeds: {sorted(labels - client.done)}"
