"""The hosted shape as its units start it: two web and two worker processes behind the proxy play an event."""

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import psycopg
import pytest

from scoring.simulation.export import export_text
from scoring.simulation.plans import Habits, Mix
from tests.deploy.hosted import HostedSite
from tests.deploy.streams import follow
from tests.e2e.simulating import AT_MOST, site_export, wait_until
from tests.services.missing import ServiceMissingError
from tests.services.redis import Redis
from tests.serving import ROOT, manage, own_data
from tests.simulation.paper import paper_export

SLUG = "hosted-open"
pytestmark = [
    pytest.mark.long,
    pytest.mark.postgres,
    pytest.mark.redis,
    pytest.mark.timeout(900),
]


@pytest.fixture
def site(tmp_path: Path, redis_server: Redis) -> Iterator[HostedSite]:
    with own_data(tmp_path) as environment:
        try:
            site = HostedSite(tmp_path, database=environment["DATABASE_URL"], broker=redis_server.url)
        except ServiceMissingError as error:
            pytest.skip(str(error))
        try:
            site.start()
            yield site
        finally:
            site.stop()


def test_event_is_played_behind_the_proxy_while_processes_die(site: HostedSite, tmp_path: Path) -> None:
    log = (tmp_path / "simulation.log").open("wb")
    simulation = subprocess.Popen(
        [
            *(sys.executable, "manage.py", "simulate_tournament", "--base-url", site.url),
            *("--name", "Hosted Open", "--teams", "16", "--tables", "6", "--best-of", "1", "--seed", "16"),
            *("--mix", "70,22,8", "--speed", "1", "--pace", "2", "--export", str(tmp_path / "export.json")),
        ],
        cwd=ROOT,
        env={**site.environment, "PATH": "/usr/bin:/bin"},
        stdout=log,
        stderr=subprocess.STDOUT,
    )
    try:
        wait_until(lambda: _closed(site) >= 5, 120)
        site.kill("web-1")
        site.kill("worker-1")
        wait_until(lambda: _closed(site) >= 14, 120)
        site.kill("web-2")
        site.kill("worker-2")
        assert simulation.wait(AT_MOST) == 0, (tmp_path / "simulation.log").read_text()
    finally:
        simulation.kill()
        log.close()
    paper = export_text(paper_export(16, Habits(16, mix=Mix(70, 22, 8)), best_of=1))
    assert (tmp_path / "export.json").read_text() == paper
    assert site_export(site.environment, SLUG) == paper

    _stream_passes_unbuffered(site)
    _programs_are_told(site)
    _lines_can_be_followed(site)
    assert "(proved: " in manage(site.environment, "backup")


def _stream_passes_unbuffered(site: HostedSite) -> None:
    """A change reaches a browser behind the proxy as soon as one that asks a web process itself."""
    with follow(site.url, SLUG, **{"Accept-Encoding": "gzip"}) as stream:
        assert stream.response.headers["Content-Type"].startswith("text/event-stream")
        assert "Content-Encoding" not in stream.response.headers
        assert stream.event()[0] == "revision"  # what changed in the last minute, told at once
        with psycopg.connect(site.environment["DATABASE_URL"], autocommit=True) as database:
            database.execute(
                "UPDATE tournaments_revision SET number = number + 1, changed_at = now() "
                "FROM tournaments_tournament AS event WHERE event.id = tournament_id AND part = 'home' "
                "AND event.slug = %s",
                [SLUG],
            )
        started = time.monotonic()
        name, data = stream.event()
        assert time.monotonic() - started < 1.5
        assert (name, set(data["parts"])) == ("revision", {"home"})


def _programs_are_told(site: HostedSite) -> None:
    direct = f"http://127.0.0.1:{site.ports['web-1']}"
    assert httpx.get(f"{site.url}/readyz").json()["status"] == "ready"
    assert httpx.get(f"{site.url}/metrics").status_code == 404
    figures = httpx.get(f"{direct}/metrics").text
    assert "seven_marks_database_up 1.0" in figures
    assert "seven_marks_requests_total" in figures
    asked = httpx.get(f"{direct}/metrics", headers={"X-Forwarded-For": "192.0.2.7"})
    assert asked.status_code == 401
    page = httpx.get(f"{site.url}/t/{SLUG}/", headers={"Accept-Encoding": "gzip"})
    assert (page.status_code, page.headers["Content-Encoding"]) == (200, "gzip")
    for name in ("worker-1", "worker-2", "beat"):
        assert site.notified[name] == {"READY=1", "WATCHDOG=1"}


def _lines_can_be_followed(site: HostedSite) -> None:
    """What a task did is found by the id of the request that asked for it."""
    asked = {line["request_id"] for name in ("web-1", "web-2") for line in site.log(name) if "route" in line}
    done = {
        line["request_id"]
        for name in ("worker-1", "worker-2")
        for line in site.log(name)
        if line.get("task") == "tournaments.advance_bracket" and "request_id" in line
    }
    assert done & asked
    assert not [line for line in site.log("web-1") + site.log("web-2") if line["level"] == "ERROR"]


def _closed(site: HostedSite) -> int:
    with psycopg.connect(site.environment["DATABASE_URL"]) as database:
        row = database.execute(
            "SELECT count(*) FROM tournaments_match WHERE closed_at IS NOT NULL"
        ).fetchone()
    return int(row[0]) if row else 0
