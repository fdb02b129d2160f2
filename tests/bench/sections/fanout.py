"""Event streams: how soon a change reaches 500 and 5,000 open browsers, and what each of them costs in memory.

One web process holds them all. The listener is one loop over raw sockets, so that reading thousands of answers is
not what is measured.
"""

from __future__ import annotations

import select
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from urllib.parse import urlsplit
from uuid import UUID

from tests.bench.client import request
from tests.bench.figures import Figure
from tests.bench.site import database_name, resident_mb, serving

DATABASES = ("postgresql",)
LISTENERS = (500, 5000)
CHANGES = 5
PATIENCE = 30.0
GOAL = "<= 1500"
OPENED, CHANGED = b"retry:", b"event: revision"


def measure() -> list[Figure]:
    """Both numbers of listeners, each on a site of its own, since memory is not given back at once."""
    return [figure for count in LISTENERS for figure in _measure(count)]


def _measure(count: int) -> list[Figure]:
    from tests.pages.event import event

    made = event(8, name=f"{count} listeners", tables=4)
    name = f"{count:,} listeners, {database_name()}"
    with serving(web_processes=1) as site:
        before = resident_mb(site.pids()["web"])
        with _listening(site.local_url, made.slug, count) as listeners:
            taken = resident_mb(site.pids()["web"]) - before
            delays = [
                delay for number in range(CHANGES) for delay in _change(made.tournament.pk, listeners, number)
            ]
    return [
        Figure(f"{name}: a change is heard", "ms", delays, GOAL),
        Figure(f"{name}: it is heard by the last", "ms", [max(delays[n::CHANGES]) for n in range(CHANGES)]),
        Figure(f"{name}: memory of each", "kB", [1024 * taken / count]),
    ]


@contextmanager
def _listening(url: str, slug: str, count: int) -> Iterator[list[socket.socket]]:
    """So many open streams, each past its first message."""
    place = urlsplit(url)
    message = request("GET", f"/api/v1/events/?tournament={slug}")
    with ExitStack() as opened:
        listeners = []
        for _ in range(count):
            listener = opened.enter_context(
                socket.create_connection((place.hostname or "", place.port or 80))
            )
            listener.sendall(message)
            listeners.append(listener)
            if len(listeners) % 100 == 0:  # no more than the queue of the socket holds
                _heard(listeners[-100:], OPENED)
        yield listeners


def _change(tournament_id: UUID, listeners: list[socket.socket], number: int) -> list[float]:
    """Change a part; milliseconds after the commit at which each listener heard of it."""
    from django.db import transaction

    from tournaments.services.log import revisions_bump

    time.sleep(0.6 + number * 0.13)  # at another moment between two looks of the server each time
    _drain(listeners)
    with transaction.atomic():
        revisions_bump(tournament_id, "home", "bracket")
    began = time.perf_counter()
    return [1000 * (at - began) for at in _heard(listeners, CHANGED)]


def _heard(listeners: list[socket.socket], what: bytes) -> list[float]:
    """When each listener has read `what`; AssertionError when one does not for long."""
    waiting = {listener.fileno(): listener for listener in listeners}
    heard: list[float] = []
    until = time.perf_counter() + PATIENCE
    with select.epoll() as poll:
        for descriptor in waiting:
            poll.register(descriptor, select.EPOLLIN)
        while waiting:
            if time.perf_counter() > until:
                raise AssertionError(f"{len(waiting)} of {len(listeners)} listeners heard nothing")
            for descriptor, _ in poll.poll(1.0):
                data = waiting[descriptor].recv(65_536)
                if not data:
                    raise AssertionError("the server ended a stream")
                if what in data:
                    heard.append(time.perf_counter())
                    poll.unregister(descriptor)
                    del waiting[descriptor]
    return heard


def _drain(listeners: list[socket.socket]) -> None:
    """Read what lies there still."""
    for listener in listeners:
        listener.setblocking(False)
        try:
            while listener.recv(65_536):
                pass
        except BlockingIOError:
            pass
        listener.setblocking(True)
