"""Memory of each process of `manage.py run`, as a laptop runs it: once started, and after some pages and results."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import deploy
from deploy.processes import free_port, start_child, stop_child, wait_for_port
from tests.bench.client import Connection, request
from tests.bench.figures import Figure
from tests.bench.processor import children
from tests.bench.sections.results import jobs, wait_for_bracket
from tests.bench.site import resident_mb

if TYPE_CHECKING:
    from tests.pages.event import Event

DATABASES = ("sqlite",)
TEAMS = 147
RESULTS = 20
PATHS = ("", "bracket/", "standings/", "tables/", "teams/", "results/", "rules/")
CALM = 3.0  # seconds without change after which all of a process is loaded
PATIENCE = 120.0


def measure() -> list[Figure]:
    """Megabytes in use by process."""
    from tests.pages.event import event, play

    made = play(event(TEAMS, name="Memory", tables=40), 60)
    with _site() as (pid, url):
        _wait_for_worker(pid)
        started = _memory(pid)
        _use(url, made)
        used = _memory(pid)
    return [
        Figure(f"memory of {name}, {when}", "MB", [megabytes])
        for when, seen in (("started", started), ("used", used))
        for name, megabytes in seen.items()
    ]


@contextmanager
def _site() -> Iterator[tuple[int, str]]:
    """`manage.py run`, until the block ends; its process number and address."""
    port = free_port()
    root = Path(deploy.__file__).resolve().parent.parent
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "deploy.settings.embedded"}
    log = Path(os.environ["SEVEN_MARKS_VAR"]) / "run.log"
    with log.open("wb") as output:
        child = start_child(
            [sys.executable, "manage.py", "run", "--port", str(port)],
            env=environment,
            cwd=root,
            output=output,
        )
    try:
        if not wait_for_port("127.0.0.1", port, child=child, patience=60):
            raise AssertionError(log.read_text())
        yield child.pid, f"http://127.0.0.1:{port}"
    finally:
        stop_child(child)


def _wait_for_worker(pid: int) -> None:
    """Return once all processes are there and have calmed down."""
    until = time.monotonic() + PATIENCE
    before: dict[str, float] = {}
    while len(now := _memory(pid)) < 5 or any(abs(now[name] - before.get(name, 0)) > 1 for name in now):
        if time.monotonic() > until:
            raise AssertionError("the processes of the site do not start")
        before = now
        time.sleep(CALM)


def _use(url: str, event: Event) -> None:
    """Look at every page and play some matches."""
    todo = jobs(event)[:RESULTS]
    with Connection(url) as connection:
        for path in PATHS:
            connection.good(request("GET", f"/t/{event.slug}/{path}"))
        for job in todo:
            connection.good(job.desk)
        wait_for_bracket(todo)
        for path in PATHS:
            connection.good(request("GET", f"/t/{event.slug}/{path}"))


def _memory(pid: int) -> dict[str, float]:
    seen = {name: resident_mb(one) for name, one in _named(pid).items()}
    return {**seen, "all together": sum(seen.values())}


def _named(pid: int) -> dict[str, int]:
    """The processes of the site by what they do."""
    names = {"supervisor": pid}
    for child in children(pid):
        command = Path(f"/proc/{child}/cmdline").read_bytes().decode().replace("\0", " ")
        found = re.search(r"deploy\.serve|(?<= )worker(?= )|(?<= )beat(?= )", command)
        if found is not None:
            names[{"deploy.serve": "web"}.get(found[0], found[0])] = child
    return names
