"""About when the matches to come will be called: a simple run of the rest of the bracket over the tables.

Pure: times come in as seconds. A match takes what matches of this event took so far; without any yet, nothing
is forecast, since a made-up time is worse than none.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import median

ENOUGH = 3  # matches that must be over before a forecast is made


@dataclass(frozen=True, slots=True)
class Ahead:
    """A match that is not over. `started` is when it was called, None while it waits; `after` its sources."""

    key: int
    order: int
    started: float | None
    after: tuple[int, ...]


def forecast(
    matches: Iterable[Ahead], *, took: Iterable[float], tables: int, now: float
) -> Mapping[int, float]:
    """The time at which each waiting match is likely to be called. Empty where it cannot be said."""
    lengths = list(took)
    if len(lengths) < ENOUGH or tables < 1:
        return {}
    length = median(lengths)
    ends: dict[int, float] = {}
    waiting: list[Ahead] = []
    busy: list[float] = []
    for match in matches:
        if match.started is None:
            waiting.append(match)
        else:
            ends[match.key] = max(now, match.started + length)
            busy.append(ends[match.key])
    free = [now] * max(0, tables - len(busy)) + busy
    heapq.heapify(free)
    calls: dict[int, float] = {}
    for match in sorted(waiting, key=lambda one: (one.order, one.key)):
        ready = max([now, *(ends.get(source, now) for source in match.after)])
        call = max(ready, heapq.heappop(free))
        calls[match.key] = call
        ends[match.key] = call + length
        heapq.heappush(free, ends[match.key])
    return calls
