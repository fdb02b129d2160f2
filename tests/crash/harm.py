"""What may befall a running site: processes killed at awkward moments, told by what its database holds."""

import os
import signal
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import psycopg

from deploy.supervisor import Supervisor

ADVANCE = "tournaments.advance_bracket"
EVENT = "JOIN tournaments_tournament AS event ON event.id = {table}.tournament_id WHERE event.slug = {slug}"


class Harm:
    """Watches the database of a site, whose data are in `folder` or at `database`, and kills its processes.

    Waiting ends with a failure once the event, asked by `goes_on`, is played no more.
    """

    def __init__(
        self,
        site: Supervisor,
        folder: Path,
        slug: str,
        *,
        database: str = "",
        goes_on: Callable[[], bool] = lambda: True,
    ) -> None:
        self._site = site
        self._folder = folder
        self._slug = slug
        self._database = database
        self._goes_on = goes_on

    @property
    def closed(self) -> int:
        """Matches of the event that are over."""
        return self._count("match.closed_at IS NOT NULL")

    @property
    def matches(self) -> int:
        """Matches of the event that have been drawn; 0 before."""
        return self._count("match.state <> 'void'")

    def wait_for(self, closed: int, patience: float = 600.0) -> None:
        """Until so many matches are over."""
        deadline = time.monotonic() + patience
        while self.closed < closed:
            assert time.monotonic() < deadline, f"{self.closed} of {closed} matches are over"
            assert self._goes_on(), "the event has ended before"
            time.sleep(0.02)

    def kill(self, *names: str) -> None:
        """Kill processes as they are, at once; wait until the supervisor has put others in their places."""
        pids = self._site.pids()
        killed = {name: pids[name] for name in names}
        for pid in killed.values():
            os.kill(pid, signal.SIGKILL)
        for name, pid in killed.items():
            self._wait_for_another(name, pid)

    def kill_worker_in_a_task(self, patience: float = 120.0) -> None:
        """Kill the worker in the middle of moving teams on, and the message with it."""
        deadline = time.monotonic() + patience
        while True:
            assert time.monotonic() < deadline, "no advance was caught"
            if not self._pending():
                time.sleep(0.002)
            elif self._database:
                if self._killed_waiting_for_row():
                    return
            elif self._killed_waiting_for_file():
                return

    def _killed_waiting_for_file(self) -> bool:
        """SQLite's write lock is taken here while a closed match waits for its advance. Once that message has
        left the queue, the task has begun and waits for the lock: there it dies."""
        with closing(self._connect()) as lock:
            lock.execute("BEGIN IMMEDIATE")
            if not (self._pending() and self._taken_by_worker()):
                lock.execute("ROLLBACK")
                time.sleep(0.2)  # others want it too
                return False
            time.sleep(0.5)
            killed = self._site.pids()["worker"]
            os.kill(killed, signal.SIGKILL)
            pending = self._pending()
            lock.execute("ROLLBACK")
        assert pending > 0
        self._wait_for_another("worker", killed)
        return True

    def _killed_waiting_for_row(self) -> bool:
        """The same on PostgreSQL, where the task waits for the row of its stage."""
        with (
            psycopg.connect(self._database) as lock,
            psycopg.connect(self._database, autocommit=True) as watch,
        ):
            lock.execute(
                f"SELECT stage.id FROM tournaments_stage AS stage {EVENT} FOR UPDATE OF stage".format(
                    table="stage", slug="%s"
                ),
                [self._slug],
            )
            if not self._pending():  # it moved on while the lock was waited for
                return False
            for _ in range(40):
                row = watch.execute(
                    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
                    "AND wait_event_type = 'Lock' AND query LIKE '%tournaments_stage%'"
                ).fetchone()
                if row != (0,):
                    break
                time.sleep(0.05)
            else:
                return False
            killed = self._site.pids()["worker"]
            os.kill(killed, signal.SIGKILL)
            assert self._pending() > 0
        self._wait_for_another("worker", killed)
        return True

    @contextmanager
    def writes_held(self) -> Iterator[None]:
        """Nothing can be written to the SQLite database until the block ends."""
        with closing(self._connect()) as lock:
            lock.execute("BEGIN IMMEDIATE")
            yield
            lock.execute("ROLLBACK")

    def _pending(self) -> int:
        return self._count("match.closed_at IS NOT NULL AND match.advanced_at IS NULL")

    def _taken_by_worker(self) -> bool:
        """No message about an advance waits in the queue any more. False when it stays there for a second."""
        for _ in range(20):
            time.sleep(0.05)
            if not any(ADVANCE in _text(path) for path in (self._folder / "broker" / "queue").iterdir()):
                return True
        return False

    def _wait_for_another(self, name: str, killed: int) -> None:
        while self._site.pids().get(name) in (None, killed):
            time.sleep(0.02)

    def _count(self, condition: str) -> int:
        query = f"SELECT count(*) FROM tournaments_match AS match {EVENT} AND {condition}"
        row: Any
        if self._database:
            with psycopg.connect(self._database) as server:
                row = server.execute(query.format(table="match", slug="%s"), [self._slug]).fetchone()
        else:
            with closing(self._connect()) as connection:
                row = connection.execute(query.format(table="match", slug="?"), [self._slug]).fetchone()
        return int(row[0])

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self._folder / "seven-marks.sqlite3", timeout=20, isolation_level=None)


def _text(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except FileNotFoundError:
        return ""
