"""Shows how an event goes: one line that changes on a terminal, a plain line now and then elsewhere."""

import statistics
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Protocol

from scoring.simulation.client import Figures

PLAIN_EVERY = 10.0  # seconds between plain lines
LINE_EVERY = 0.25  # seconds between changes of the line
WIDTH = 118


class Out(Protocol):
    """Where lines are written."""

    def write(self, text: str, /) -> object: ...
    def flush(self) -> object: ...
    def isatty(self) -> bool: ...


@dataclass(slots=True)
class Standing:
    """How far the event is. `states` counts matches by state, `at_work` those that are being said now."""

    states: Counter[str] = field(default_factory=Counter)
    rounds: tuple[str, ...] = ()
    at_work: int = 0
    desk: int = 0

    @property
    def closed(self) -> int:
        return self.states["confirmed"] + self.states["void"]

    @property
    def total(self) -> int:
        return sum(self.states.values())


class Progress:
    """Writes to `out`; quiet when it is None."""

    def __init__(self, out: Out | None) -> None:
        self._out = out
        self._live = bool(out and out.isatty())
        self._shown_at = 0.0
        self._drawn = False
        self.begin()

    def begin(self) -> None:
        """Count the time from now."""
        self._started = time.monotonic()
        self._shown: tuple[float, int] = (self._started, 0)
        self._rate = 0.0

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._started

    def say(self, text: str) -> None:
        """A line that stays."""
        if self._out is not None:
            self._clear()
            self._out.write(text + "\n")
            self._out.flush()

    def show(self, standing: Standing, figures: Figures) -> None:
        """The state of now, as often as it is worth looking at."""
        now = time.monotonic()
        if self._out is None or now - self._shown_at < (LINE_EVERY if self._live else PLAIN_EVERY):
            return
        self._shown_at = now
        text = self._line(standing, figures, now)
        if self._live:
            self._out.write("\r" + text[:WIDTH].ljust(WIDTH))
            self._drawn = True
        else:
            self._out.write(text + "\n")
        self._out.flush()

    def _line(self, standing: Standing, figures: Figures, now: float) -> str:
        since, count = self._shown
        if now - since >= 2:
            self._rate = (len(figures.writes) - count) / (now - since)
            self._shown = (now, len(figures.writes))
        parts = [
            f"{clock(self.seconds)}  {standing.closed} of {standing.total} matches",
            ", ".join(standing.rounds[:3]) or "no round on",
            f"{standing.at_work} being played",
            f"{self._rate:.0f} writes/s",
            f"{figures.refused.total()} refused",
        ]
        if standing.states["disputed"]:
            parts.insert(3, f"{standing.states['disputed']} disputed")
        return " · ".join(parts)

    def _clear(self) -> None:
        if self._drawn and self._out is not None:
            self._out.write("\r" + " " * WIDTH + "\r")
            self._drawn = False


def clock(seconds: float) -> str:
    """Minutes and seconds, such as 11:05."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


def latencies(times: list[float]) -> str:
    """Median, 95th percentile and worst in milliseconds."""
    if not times:
        return "none"
    ordered = sorted(times)
    p95 = ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))]
    median = statistics.median(ordered)
    return f"median {median * 1000:.0f} ms, p95 {p95 * 1000:.0f} ms, slowest {ordered[-1] * 1000:.0f} ms"


def counted(counter: Counter[str]) -> str:
    """'must_follow 3, out_of_turn 2', most frequent first."""
    return ", ".join(
        f"{name} {count}" for name, count in sorted(counter.items(), key=lambda i: (-i[1], i[0]))
    )
