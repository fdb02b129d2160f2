"""Public pages of 147 teams: rendered, and read by many as they stand (200) and as browsers know them (304).

Idle, and while five results a second come in at the desk, each of which changes the pages that are read.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.bench import wrk
from tests.bench.client import Connection, timed
from tests.bench.figures import Figure
from tests.bench.sections.results import Job, jobs, wait_for_bracket
from tests.bench.site import serving

if TYPE_CHECKING:
    from tests.pages.event import Event

DATABASES = ("postgresql",)
TEAMS = 147
PAGES = ("bracket", "standings")
SECONDS = 3
RESULTS = 5.0  # a second
RENDERED = 7  # times
GOALS = {False: 1500, True: 5000}
"""Answers a second that are wanted: whole pages, and 304."""


@dataclass
class Seen:
    """What became of the results that came in: milliseconds of each request, and how long they took together."""

    times: list[float] = field(default_factory=list)
    seconds: float = 0.0


def measure() -> list[Figure]:
    """Each page each way."""
    from tests.pages.event import event, play, record_live

    made = play(event(TEAMS, name="Pages", tables=40), 60)
    record_live(made)
    figures = [_rendered(made, page) for page in PAGES]
    with serving() as site:
        url = site.local_url
        _warm_up(url, made)
        figures += _read(url, made, "idle", share=1.0)
        seen = Seen()
        with _results_coming_in(url, made, seen):
            figures += _read(url, made, f"{RESULTS:.0f} results/s", share=0.5)
    figures += [
        Figure("pages: results that came in meanwhile", "/s", [len(seen.times) / seen.seconds]),
        Figure("pages: request that enters and settles one", "ms", seen.times),
    ]
    return figures


def path_of(event: Event, page: str) -> str:
    """The address of a page of the event."""
    return f"/t/{event.slug}/{page}/"


def _rendered(event: Event, page: str) -> Figure:
    from django.core.cache import cache
    from django.test import Client

    client, times = Client(), []
    for _ in range(RENDERED):
        cache.clear()
        began = time.perf_counter()
        answer = client.get(path_of(event, page), headers={"host": "127.0.0.1"})
        times.append(1000 * (time.perf_counter() - began))
        if answer.status_code != 200:
            raise AssertionError(answer.content)
    size = len(answer.content) / 1024
    return Figure(f"pages: {page} rendered ({size:.0f} kB)", "ms", times[1:])


def _warm_up(url: str, event: Event) -> None:
    with Connection(url) as connection:
        job = jobs(event)[0]
        connection.good(job.desk)
    wait_for_bracket([job])
    for page in PAGES:
        wrk.read(f"{url}{path_of(event, page)}", seconds=1)


def _read(url: str, event: Event, how: str, *, share: float) -> list[Figure]:
    figures, client = [], 0.0
    for page in PAGES:
        for conditional, goal in GOALS.items():
            load = wrk.read(f"{url}{path_of(event, page)}", seconds=SECONDS, conditional=conditional)
            wanted, other = (load.unchanged, load.ok) if conditional else (load.ok, load.unchanged)
            if load.bad or (how == "idle" and other > wrk.CONNECTIONS):
                raise AssertionError(f"{page}: {load}")
            client = max(client, load.client)
            name = f"pages: {page}, {'304' if conditional else 'unchanged 200'}, {how}"
            figures += [
                Figure(name, "/s", [wanted / load.seconds], f">= {share * goal:.0f}"),
                Figure(f"{name}: latency, p95", "ms", [load.p95]),
            ]
    figures.append(Figure(f"pages: processor that the reading client took, {how}", "%", [100 * client]))
    return figures


@contextmanager
def _results_coming_in(url: str, event: Event, seen: Seen) -> Iterator[None]:
    """Results at an even pace until the block ends; the block fails when one is refused."""
    stop, errors = threading.Event(), list[BaseException]()

    def work() -> None:
        try:
            _feed(url, event, seen, stop)
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
    if errors:
        raise errors[0]


def _feed(url: str, event: Event, seen: Seen, stop: threading.Event) -> None:
    from django.db import connection as database

    began = time.monotonic()
    todo: list[Job] = []
    with Connection(url) as connection:
        while not stop.wait(max(0.0, began + len(seen.times) / RESULTS - time.monotonic())):
            todo = todo or jobs(event)
            if not todo:
                raise AssertionError("there are no more matches to play")
            timed(connection, todo.pop(0).desk, seen.times)
    seen.seconds = time.monotonic() - began
    database.close()
