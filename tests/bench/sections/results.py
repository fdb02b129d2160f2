"""Results over HTTP, each with its whole cascade: entered and settled at the desk in one request, or entered by one
side and confirmed by the other.

A result counts once the answer that settles it is there. The worker moves the bracket on meanwhile, on the same
processors. Every size plays the same number of matches: many small events one after the other, or one round of a
large one. Nothing may be lost: at the end each match has exactly one settled result and the bracket has moved on.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from uuid import UUID

from tests.bench.client import Connection, request, timed, together
from tests.bench.figures import Figure
from tests.bench.processor import Meter
from tests.bench.site import account_token, count_of, database_name, serving, team_links

if TYPE_CHECKING:
    from deploy.supervisor import Supervisor
    from tests.pages.event import Event

DATABASES = ("postgresql",)
SIZES = (16, 256, 1024)
SCORERS = (1, 4)
BY_SIDES = 256
MATCHES = 120  # in each run
TABLES = 40
PATIENCE = 60.0  # seconds that the bracket gets to move on
GAMES = [{"NS": 7, "EW": 4}, {"NS": 7, "EW": 3}]
GOAL = ">= 75"


@dataclass(frozen=True)
class Job:
    """One match: the requests that enter and settle its result, ready to be sent."""

    match: UUID
    desk: bytes
    enter: bytes
    confirm: bytes


@dataclass
class Seen:
    """Milliseconds of the requests of one run."""

    enter: list[float] = field(default_factory=list)
    settle: list[float] = field(default_factory=list)


def measure() -> list[Figure]:
    """At the desk every size with one scorer and with four; by the two sides one size."""
    runs = [(teams, scorers, True) for teams in SIZES for scorers in SCORERS]
    runs += [(BY_SIDES, scorers, False) for scorers in SCORERS]
    matches = Counter({teams: MATCHES * sum(run[0] == teams for run in runs) for teams in SIZES})
    todo = {teams: [jobs(made) for made in _events(teams, number)] for teams, number in matches.items()}
    figures = _queries(jobs(_events(16, 3)[0]))
    with serving() as site:
        warm_up(site.local_url, jobs(_events(8, 1)[0]))
        for teams, scorers, at_desk in runs:
            figures += _run(site, teams, scorers, at_desk, todo[teams])
    return figures


def warm_up(url: str, todo: list[Job]) -> None:
    """A result each way and what the worker does with it, so that what is measured finds everything loaded."""
    with Connection(url) as connection:
        connection.good(todo[0].desk)
        connection.good(todo[1].enter)
        connection.good(todo[1].confirm)
    wait_for_bracket(todo[:2])


def jobs(event: Event) -> list[Job]:
    """The matches of the event that can be played now, in order."""
    from tournaments.enums import OPEN_FOR_RESULT
    from tournaments.models import Match

    links = team_links(event)
    owner = account_token(event.owner)
    matches = Match.objects.filter(tournament=event.tournament, state__in=OPEN_FOR_RESULT)
    return [
        _job(match.pk, owner, {slot.side: links[slot.entry_id] for slot in match.slots.all()})
        for match in matches.order_by("number").prefetch_related("slots")
    ]


def _job(match: UUID, owner: str, side: dict[str, str]) -> Job:
    path = f"/api/v1/matches/{match}/result/"
    desk = {"games": GAMES, "desk": True, "reason": "paper slip"}
    key = f"confirm-{match}"
    return Job(
        match,
        request("PUT", path, auth=owner, body=desk),
        request("PUT", path, auth=side["NS"], body={"games": GAMES}),
        request("POST", f"{path}confirm/", auth=side["EW"], body={"version": 1}, Idempotency_Key=key),
    )


def _events(teams: int, matches: int) -> list[Event]:
    """Events of this size, as many as have `matches` in their first rounds together."""
    from tests.pages.event import event

    return [
        event(teams, name=f"{teams} teams {number}", tables=min(TABLES, teams // 2))
        for number in range(-(-matches // (teams // 2)))
    ]


def _run(site: Supervisor, teams: int, scorers: int, at_desk: bool, todo: list[list[Job]]) -> list[Figure]:
    """The scorers share the matches of each event, one event after the other; takes them off `todo`."""
    done: list[Job] = []
    while len(done) < MATCHES:
        event, size = todo[0], MATCHES - len(done)
        done += event[:size]
        del event[:size]
        if not event:
            todo.pop(0)
    seen, meter = Seen(), Meter(site)
    spent = together(site.local_url, [_work(done[place::scorers], at_desk, seen) for place in range(scorers)])
    behind = wait_for_bracket(done)
    _require_all(done)
    who = "1 scorer" if scorers == 1 else f"{scorers} scorers"
    name = f"results of {teams:,} teams, {'desk' if at_desk else 'two sides'}, {who}"
    goal = GOAL if at_desk and scorers == 4 else ""
    return [
        Figure(f"{name}: entered and settled", "/s", [len(done) / spent], goal),
        Figure(f"{name}: request that enters", "ms", seen.enter),
        Figure(f"{name}: request that settles", "ms", seen.settle),
        Figure(f"{name}: bracket moved on after the last", "ms", [behind]),
        *(
            Figure(f"{name}: processor, {process}", "ms", [1000 * taken / len(done)])
            for process, taken in meter.spent().items()
        ),
    ]


def _work(todo: list[Job], at_desk: bool, seen: Seen) -> Iterator[Callable[[Connection], None]]:
    for job in todo:
        if at_desk:
            yield lambda connection, job=job: timed(connection, job.desk, seen.settle)
            continue
        yield lambda connection, job=job: timed(connection, job.enter, seen.enter)
        yield lambda connection, job=job: timed(connection, job.confirm, seen.settle)


def wait_for_bracket(done: list[Job]) -> float:
    """Milliseconds until the teams of these matches have moved on; AssertionError when that takes too long."""
    from tournaments.models import Match

    began = time.perf_counter()
    while Match.objects.filter(pk__in=[job.match for job in done], advanced_at__isnull=True).exists():
        if time.perf_counter() - began > PATIENCE:
            raise AssertionError("the bracket did not move on")
        time.sleep(0.005)
    return 1000 * (time.perf_counter() - began)


def _require_all(done: list[Job]) -> None:
    """AssertionError unless each match has its one settled result."""
    from tournaments.models import Result

    played = [job.match for job in done]
    settled = Result.objects.filter(match__in=played, state="confirmed", games_ns=2, games_ew=0)
    if (settled.count(), Result.objects.filter(match__in=played).count()) != (len(played), len(played)):
        raise AssertionError("results were lost")


def _queries(todo: list[Job]) -> list[Figure]:
    """Statements of each request, authentication counted, by the same requests in this process."""
    name = f"queries, {database_name()}"
    return [
        Figure(f"{name}: enter and settle at the desk", "", [count_of(todo[0].desk)], "<= 25"),
        Figure(f"{name}: enter as one side", "", [count_of(todo[1].enter)], "<= 25"),
        Figure(f"{name}: settle as the other, with its key", "", [count_of(todo[1].confirm)], "<= 25"),
    ]
