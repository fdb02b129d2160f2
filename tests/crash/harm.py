"""What may befall a running site: processes killed at awkward moments, told by what its database holds."""

import os
import signal
import sqlite3
import time
from contextlib import closing
from pathlib import Path

from deploy.supervisor import Supervisor

ADVANCE = "tournaments.advance_bracket"


class Harm:
    """Watches the SQLite database of the site in `folder` and kills its processes."""

    def __init__(self, site: Supervisor, folder: Path, slug: str) -> None:
        self._site = site
        self._folder = folder
        self._slug = slug

    @property
    def closed(self) -> int:
        """Matches of the event that are over."""
        return self._count("match.closed_at IS NOT NULL")

    def wait_for(self, closed: int, patience: float = 300.0) -> None:
        """Until so many matches are over."""
        deadline = time.monotonic() + patience
        while self.closed < closed:
            assert time.monotonic() < deadline, f"{self.closed} of {closed} matches are over"
            time.sleep(0.02)

    def kill(self, name: str) -> None:
        """Kill a process as it is; wait until the supervisor has put another in its place."""
        killed = self._site.pids()[name]
        os.kill(killed, signal.SIGKILL)
        self._wait_for_another(name, killed)

    def kill_worker_in_a_task(self, patience: float = 120.0) -> None:
        """Kill the worker in the middle of moving teams on.

        The write lock is taken here while a closed match waits for its advance. Once that message has left
        the queue, the task has begun and waits for the lock: there it dies, and the message with it.
        """
        deadline = time.monotonic() + patience
        while True:
            assert time.monotonic() < deadline, "no advance was caught"
            if not self._pending():
                time.sleep(0.002)
                continue
            with closing(self._connect()) as lock:
                lock.execute("BEGIN IMMEDIATE")
                if self._pending() and self._taken_by_worker():
                    time.sleep(0.5)
                    killed = self._site.pids()["worker"]
                    os.kill(killed, signal.SIGKILL)
                    pending = self._pending()
                    lock.execute("ROLLBACK")
                    assert pending > 0
                    self._wait_for_another("worker", killed)
                    return
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
        query = (
            "SELECT count(*) FROM tournaments_match AS match JOIN tournaments_tournament AS event "
            f"ON event.id = match.tournament_id WHERE event.slug = ? AND {condition}"
        )
        with closing(self._connect()) as connection:
            found: int = connection.execute(query, [self._slug]).fetchone()[0]
            return found

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self._folder / "seven-marks.sqlite3", timeout=20, isolation_level=None)


def _text(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except FileNotFoundError:
        return ""
