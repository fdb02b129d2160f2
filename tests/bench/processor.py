"""How much processor time the site's processes take, which says more than the clock on a machine that is busy."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from deploy.supervisor import Supervisor

TICK = os.sysconf("SC_CLK_TCK")


class Meter:
    """Processor seconds of the web processes, the worker and PostgreSQL since it was made."""

    def __init__(self, site: Supervisor) -> None:
        pids = site.pids()
        self._groups: dict[str, Callable[[], float]] = {
            "web": lambda: sum(seconds(pid) for name, pid in pids.items() if name.startswith("web")),
            "worker": lambda: seconds(pids["worker"]),
        }
        server = _postmaster()
        if server:
            self._groups["PostgreSQL"] = lambda: _with_children(server)
        self._began = {name: ask() for name, ask in self._groups.items()}

    def spent(self) -> dict[str, float]:
        """Seconds by process."""
        return {name: ask() - self._began[name] for name, ask in self._groups.items()}


def seconds(pid: int) -> float:
    """Processor seconds of one process, all its threads."""
    user, system = _stat(pid)[11:13]
    return (int(user) + int(system)) / TICK


def _with_children(pid: int) -> float:
    """A process, its children that live and those that ended."""
    total = sum(int(ticks) for ticks in _stat(pid)[11:15]) / TICK
    for child in children(pid):
        try:
            total += seconds(child)
        except FileNotFoundError:
            continue
    return total


def children(pid: int) -> list[int]:
    """The children of a process, whichever of its threads started them."""
    texts = (path.read_text() for path in Path(f"/proc/{pid}/task").glob("*/children"))
    return [int(word) for text in texts for word in text.split()]


def _postmaster() -> int:
    """The process number of this machine's PostgreSQL; 0 without one."""
    from django.db import connection

    if connection.vendor != "postgresql":
        return 0
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        backend = cursor.fetchone()[0]
    try:
        return int(_stat(backend)[1])
    except FileNotFoundError:
        return 0


def _stat(pid: int) -> list[str]:
    """The fields of /proc/PID/stat from the state on; a name may hold blanks and brackets."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
