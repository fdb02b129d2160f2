"""Load and faults: whatever befalls the site, the event ends as the untroubled one does, to the byte.

Each fault is a run of its own, on SQLite with a broker of files and on PostgreSQL with Redis. `faults.py` says
how to play them smaller.
"""

import os
import re
import time
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path

import pytest

from scoring.simulation.plans import Mix
from tests.crash.clock import Clock, NoCompilerError
from tests.crash.faults import DAY_TEAMS, ON_POSTGRESQL, TEAMS, grounds
from tests.crash.harm import Harm
from tests.crash.slow_path import slow_path
from tests.crash.small_disk import small_disk
from tests.services.postgresql import PostgreSQL

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]


@pytest.mark.database
def test_processes_killed(tmp_path: Path) -> None:
    """Worker, web and beat, one by one, in the middle of a task, and all at once: the worker five times."""

    def kill(harm: Harm, matches: int) -> None:
        for share, victims in (
            (0.06, ["worker"]),
            (0.16, ["web"]),
            (0.25, []),
            (0.32, ["worker"]),
            (0.4, ["beat"]),
            (0.5, ["worker", "beat"]),
            (0.65, ["web"]),
            (0.8, ["web", "worker", "beat"]),
        ):
            harm.wait_for(int(matches * share))
            if victims:
                harm.kill(*victims)
            else:
                harm.kill_worker_in_a_task()

    with grounds(tmp_path) as site:
        site.play(kill, best_of=3)


@pytest.mark.database
def test_two_web_and_two_worker_processes(tmp_path: Path) -> None:
    """They share port and queue; each of them dies once."""

    def kill(harm: Harm, matches: int) -> None:
        for share, victims in (
            (0.1, ["web-2"]),
            (0.3, ["worker"]),
            (0.5, ["web", "worker-2"]),
            (0.7, ["web-2", "worker"]),
        ):
            harm.wait_for(int(matches * share))
            harm.kill(*victims)

    with grounds(tmp_path, web_processes=2, worker_processes=2) as site:
        site.play(kill)


@pytest.mark.database
def test_broker_killed(tmp_path: Path) -> None:
    """Redis dies and comes back with what it had; a broker of files loses its folder with every message in it."""

    def lose(harm: Harm, matches: int) -> None:
        for share in (0.15, 0.5, 0.75):
            harm.wait_for(int(matches * share))
            if site.redis is not None:
                site.redis.kill()
                time.sleep(8)
                site.redis.start()
            else:
                queue = site.folder / "broker" / "queue"
                lost = queue.with_name(f"lost-{share}")
                queue.rename(lost)
                time.sleep(8)
                queue.mkdir(exist_ok=True)  # a process that started meanwhile made it

    with grounds(tmp_path) as site:
        site.play(lose)


@pytest.mark.database
def test_disk_full(tmp_path: Path) -> None:
    """The disk with the database has no block left for a while, twice. What cannot be stored is refused."""

    def fill(harm: Harm, matches: int) -> None:
        for share in (0.2, 0.6):
            harm.wait_for(int(matches * share))
            disk.fill()
            for _ in range(8):
                time.sleep(1)
                disk.fill()
            disk.clear()
            if cluster is not None:
                cluster.revive()

    with ExitStack() as stack:
        try:
            disk = stack.enter_context(small_disk(300 if ON_POSTGRESQL else 48))
        except OSError:
            pytest.skip("needs the right to mount a small disk")
        cluster = None
        if ON_POSTGRESQL:
            cluster = PostgreSQL(place=disk.folder)
            stack.callback(cluster.stop)
            cluster.start()
        folder = tmp_path / "site" if cluster else disk.folder
        site = stack.enter_context(grounds(folder, database=cluster.url if cluster else ""))
        said = site.play(fill)
    assert _busy(said)


@pytest.mark.database
def test_clock_jumps(tmp_path: Path) -> None:
    """The machine's clock is set ahead, back, far ahead, and right again; that of the database's server stays."""
    try:
        clock = Clock(tmp_path)
    except NoCompilerError:
        pytest.skip("no compiler for a clock that can be set")

    def jump(harm: Harm, matches: int) -> None:
        for share, hours in ((0.15, 2), (0.35, -1), (0.55, 24 * 30), (0.75, 0)):
            harm.wait_for(int(matches * share))
            clock.set(timedelta(hours=hours))
            if hours < 0:  # what is lost now must be found although the last sweep is still to come
                time.sleep(1)
                harm.kill_worker_in_a_task()

    with grounds(tmp_path / "site", **clock.environment) as site:
        site.play(jump)


@pytest.mark.database
def test_database_answers_slowly(tmp_path: Path) -> None:
    """Each answer late, then none for longer than anybody waits, then every connection broken.

    On SQLite somebody else holds the write lock, at last for longer than the 20 s that writers wait.
    """

    def hold(harm: Harm, matches: int) -> None:
        for share, seconds in ((0.1, 3.0), (0.3, 8.0), (0.5, 3.0), (0.7, 24.0)):
            harm.wait_for(int(matches * share))
            with harm.writes_held():
                time.sleep(seconds)

    if not ON_POSTGRESQL:
        with grounds(tmp_path) as site:
            said = site.play(hold)
        assert _busy(said)
        return

    def delay(harm: Harm, matches: int) -> None:
        path.delay = 0.004
        harm.wait_for(int(matches * 0.2))
        with path.blocked():
            time.sleep(8)
        harm.wait_for(int(matches * 0.4))
        path.cut()
        harm.wait_for(int(matches * 0.6))
        with path.blocked():
            time.sleep(20)
            path.cut()
        path.delay = 0.001

    with (
        slow_path(os.environ["DATABASE_URL"]) as path,
        grounds(tmp_path, through=path.around) as site,
    ):
        said = site.play(delay)
    assert _busy(said)


@pytest.mark.postgres
def test_a_day_of_marks_only(tmp_path: Path) -> None:
    """The largest event that halls know, entered as marks, with two of each process and one death."""

    def kill(harm: Harm, matches: int) -> None:
        harm.wait_for(matches // 3)
        harm.kill("worker")

    with grounds(tmp_path, web_processes=2, worker_processes=2) as site:
        site.play(kill, teams=DAY_TEAMS, mix=Mix(100, 0, 0))


@pytest.mark.database
def test_untroubled_run(tmp_path: Path) -> None:
    """What all others are compared with, at their size."""
    with grounds(tmp_path) as site:
        said = site.play(lambda harm, matches: None)
    assert f"{TEAMS} teams" in said


def _busy(said: str) -> int:
    """How often the event was told that the database is busy and nothing was stored: that the harm was felt."""
    found = re.search(r"Sent again: .*\b503 (\d+)", said)
    return int(found[1]) if found else 0
