"""What programs are told of the site: probes, figures, log lines, ids of requests."""

import json
import logging
import logging.config
import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from django.conf import settings
from django.db import OperationalError, connection
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

from deploy import celery_app, pulse
from deploy.asgi import make_application
from deploy.health.asgi import Observed
from deploy.health.logs import WorkFilter, logging_config
from tests.deploy.streams import follow
from tests.serving import running
from tests.support.events import make_tournament
from tournaments.models import Match
from tournaments.tasks import advance_bracket

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every question is asked anew."""
    monkeypatch.setattr("deploy.health.readings.FRESH", -1.0)
    monkeypatch.setattr("deploy.health.probes._is_migrated", False)


@pytest.fixture
def _worker() -> None:
    """A worker that has just done its rounds."""
    for name in ("worker", "beat", *(f"task-{task}" for task in settings.SWEEPS_WATCHED)):
        pulse.touch(name)


def _ready(client: Client) -> tuple[int, str, dict[str, str]]:
    answer = client.get("/readyz")
    body = answer.json()
    return (
        answer.status_code,
        body["status"],
        {name: check["status"] for name, check in body["checks"].items()},
    )


def _away(*_: Any) -> Any:
    raise OperationalError("connection to server at 10.0.0.7 failed")


def _figures(text: str) -> dict[str, float]:
    """Samples by name and labels."""
    return {
        " ".join(
            [sample.name, *(f"{key}={value}" for key, value in sorted(sample.labels.items()))]
        ): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_alive_asks_nobody(client: Client, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        answer = client.get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"status": "alive"})


@pytest.mark.usefixtures("_worker")
def test_ready_when_all_is_well(client: Client) -> None:
    ok = {"database": "ok", "migrations": "ok", "broker": "ok", "worker": "ok"}
    assert _ready(client) == (200, "ready", ok)


@pytest.mark.usefixtures("_worker")
def test_unready_without_database_and_says_no_address(client: Client) -> None:
    with connection.execute_wrapper(_away):
        answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["status"] == "unready"
    assert answer.json()["checks"]["database"] == {
        "status": "failed",
        "detail": "The database does not answer.",
    }
    assert "10.0.0.7" not in answer.content.decode()


@pytest.mark.usefixtures("_worker")
def test_unready_until_migrations_are_applied(client: Client) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'scoring'")
    status, word, checks = _ready(client)
    assert (status, word, checks["migrations"], checks["database"]) == (503, "unready", "failed", "ok")


@pytest.mark.usefixtures("_worker")
def test_degraded_while_the_broker_is_away(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(celery_app.conf, "broker_url", "redis://127.0.0.1:1/0")
    status, word, checks = _ready(client)
    assert (status, word, checks["broker"]) == (200, "degraded", "degraded")


def test_degraded_without_a_worker(client: Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setattr(settings, "VAR_DIR", tmp_path)
    status, word, checks = _ready(client)
    assert (status, word, checks["worker"]) == (200, "degraded", "degraded")


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({"REMOTE_ADDR": "127.0.0.1"}, 200),
        ({"REMOTE_ADDR": "::1"}, 200),
        ({"REMOTE_ADDR": "192.0.2.7"}, 401),
        ({"REMOTE_ADDR": ""}, 401),
        ({"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": "192.0.2.7"}, 401),
        ({"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": "127.0.0.1"}, 401),
        ({"REMOTE_ADDR": "192.0.2.7", "HTTP_AUTHORIZATION": "Bearer the-token"}, 200),
        ({"REMOTE_ADDR": "192.0.2.7", "HTTP_AUTHORIZATION": "Bearer another"}, 401),
        ({"REMOTE_ADDR": "192.0.2.7", "HTTP_AUTHORIZATION": "Token the-token"}, 401),
        ({"REMOTE_ADDR": "192.0.2.7", "HTTP_AUTHORIZATION": "Bearer é"}, 401),
    ],
)
def test_figures_are_for_this_machine_and_for_bearers(
    client: Client, monkeypatch: pytest.MonkeyPatch, asked: dict[str, str], status: int
) -> None:
    monkeypatch.setattr(settings, "METRICS_TOKEN", "the-token")
    answer = client.get("/metrics", **asked)
    assert answer.status_code == status
    assert (b"seven_marks_" in answer.content) == (status == 200)


def test_no_token_lets_nobody_in(client: Client) -> None:
    answer = client.get("/metrics", REMOTE_ADDR="192.0.2.7", HTTP_AUTHORIZATION="Bearer ")
    assert (answer.status_code, answer["WWW-Authenticate"]) == (401, 'Bearer realm="metrics"')


@pytest.mark.usefixtures("_worker")
def test_figures_count_requests_refusals_and_what_waits(client: Client) -> None:
    event = make_tournament(4)
    before = _figures(client.get("/metrics").content.decode())
    client.get("/api/v1/tournaments/none/")
    client.get(f"{event.path}bracket/")
    event.play("M1")
    Match.objects.filter(closed_at__isnull=False).update(closed_at="2026-03-07T09:00Z")
    after = _figures(client.get("/metrics").content.decode())

    def grown(name: str) -> float:
        return after[name] - before.get(name, 0)

    route = "route=/api/v1/tournaments/<slug:slug>/"
    assert grown(f"seven_marks_requests_total method=GET {route} status=404") == 1
    assert grown(f"seven_marks_requests_total method=GET {route}bracket/ status=200") == 1
    assert grown(f"seven_marks_request_seconds_count {route}bracket/") == 1
    assert grown("seven_marks_refusals_total code=not_found status=404") == 1
    assert grown("seven_marks_request_database_seconds_count") >= 2
    assert (before["seven_marks_queue_waiting"], after["seven_marks_queue_waiting"]) == (0, 1)
    assert before["seven_marks_queue_age_seconds"] == 0
    assert after["seven_marks_queue_age_seconds"] > 3600
    assert after["seven_marks_sweep_age_seconds"] < 5
    assert after["seven_marks_database_up"] == 1
    assert after["seven_marks_disk_free_bytes"] > 0
    assert ("seven_marks_database_pool_wait_seconds_total" in after) == (connection.vendor == "postgresql")


def test_unknown_methods_are_one_figure(client: Client) -> None:
    for method in ("BREW", "WHEN"):
        client.generic(method, "/healthz")
    text = client.get("/metrics").content.decode()
    assert 'method="other"' in text
    assert "BREW" not in text


@pytest.mark.parametrize(
    ("sent", "kept"), [("abc-DEF_1.23", True), ("short", False), ("x" * 65, False), ("a b c d e f g", False)]
)
def test_request_id_of_the_client_is_kept_where_it_is_harmless(client: Client, sent: str, kept: bool) -> None:
    answer = client.get("/api/v1/tournaments/none/", headers={"X-Request-ID": sent})
    assert (answer["X-Request-ID"] == sent) is kept
    assert re.fullmatch(r"[A-Za-z0-9._-]{8,64}", answer["X-Request-ID"])
    assert "request_id" not in answer.json()


def test_busy_database_is_a_problem_with_the_id(client: Client) -> None:
    with connection.execute_wrapper(_away):
        answer = client.get("/api/v1/tournaments/none/")
    assert (answer.status_code, answer.json()["code"]) == (503, "busy")
    assert answer.json()["request_id"] == answer["X-Request-ID"]


def test_defect_of_the_api_is_a_problem_with_the_id(client: Client) -> None:
    client.raise_request_exception = False
    with connection.execute_wrapper(lambda *_: 1 / 0):
        answer = client.get("/api/v1/tournaments/none/")
    assert (answer.status_code, answer["Content-Type"]) == (500, "application/problem+json")
    assert answer.json()["code"] == "defect"
    assert answer.json()["request_id"] == answer["X-Request-ID"]


def test_page_without_database_asks_to_come_again(client: Client) -> None:
    client.raise_request_exception = False
    with connection.execute_wrapper(_away):
        answer = client.get("/t/none/bracket/")
    assert (answer.status_code, answer["Retry-After"]) == (503, "1")


def test_answer_that_cannot_be_kept_for_a_repeat_is_no_defect() -> None:
    """The database goes away after the act, when its answer is stored under the key of the request."""
    client = make_tournament(0, published=False).owner.client
    client.raise_request_exception = False

    def away_for_keys(execute: Any, sql: str, *rest: Any) -> Any:
        if sql.startswith("UPDATE") and "idempotency" in sql:
            raise OperationalError("gone")
        return execute(sql, *rest)

    with connection.execute_wrapper(away_for_keys):
        answer = client.post("/api/v1/tournaments/", {"name": "Open"}, headers={"Idempotency-Key": "once"})
    assert (answer.status_code, answer.json()["code"]) == (503, "busy")


@pytest.fixture
def lines() -> Iterator[Any]:
    """Log lines as the hosted site writes them."""
    made: list[dict[str, Any]] = []
    config = logging_config(as_json=True, level="INFO")
    formatter = logging.config.DictConfigurator(config).configure_formatter(config["formatters"]["line"])

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            made.append(json.loads(formatter.format(record)))

    handler = Kept()
    handler.addFilter(WorkFilter())
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    yield made
    root.removeHandler(handler)
    root.setLevel(level)


def test_line_of_a_request_names_event_match_actor_and_id(
    client: Client, lines: list[dict[str, Any]]
) -> None:
    event = make_tournament(4)
    match = event.open_matches()[0]
    lines.clear()
    answer = event.owner.client.get(f"/api/v1/matches/{match.pk}/")
    page = client.get(f"/t/{event.slug}/matches/{match.code}/")
    assert (answer.status_code, page.status_code) == (200, 200)
    told = [line for line in lines if line["logger"] == "seven_marks.requests"]
    assert [(line["match"], line["status"], line["level"]) for line in told] == [
        (str(match.pk), 200, "INFO"),
        (match.code, 200, "INFO"),
    ]
    assert (told[0]["actor"], told[1]["tournament"]) == ("account", event.slug)
    assert told[0]["request_id"] == answer["X-Request-ID"]
    assert told[0]["route"] == "/api/v1/matches/<uuid:match_id>/"
    assert told[0]["queries"] > 0
    assert told[0]["duration_ms"] >= told[0]["database_ms"] > 0


def test_secret_of_a_link_is_in_no_line(client: Client, lines: list[dict[str, Any]]) -> None:
    client.raise_request_exception = False
    client.get("/link/a-secret-of-a-table/")
    with connection.execute_wrapper(lambda *_: 1 / 0):
        assert client.get("/link/a-secret-of-a-table/").status_code in {404, 500}
    assert lines
    assert "a-secret" not in json.dumps(lines)


def test_task_names_the_request_that_asked_for_it(lines: list[dict[str, Any]]) -> None:
    event = make_tournament(2)
    advance_bracket.apply([str(event.stage.pk)], headers={"asked_by": "request-42"})
    line = next(line for line in lines if line["logger"] == "seven_marks.tasks")
    assert (line["request_id"], line["task"], line["state"]) == (
        "request-42",
        "tournaments.advance_bracket",
        "SUCCESS",
    )


@pytest.mark.django_db(transaction=True)
def test_front_is_watched_and_lives_without_a_database(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
    event = make_tournament(4)
    front = make_application()
    with running(Observed(front)) as site:
        assert httpx.get(f"{site.url}/healthz").json() == {"status": "alive"}
        with follow(site.url, event.slug) as stream:
            assert re.fullmatch(r"[0-9a-f]{32}", stream.response.headers["X-Request-ID"])
            figures = _figures(httpx.get(f"{site.url}/metrics").text)
            assert figures["seven_marks_open_streams"] == 1
            name = "seven_marks_requests_total method=GET route=/api/v1/events/ status=200"
            assert figures[name] >= 1
        answer = httpx.get(f"{site.url}/readyz", headers={"X-Request-ID": "from-the-proxy"})
        assert answer.headers.get_list("X-Request-ID") == ["from-the-proxy"]
    front.django.executor.shutdown()  # type: ignore[attr-defined]
