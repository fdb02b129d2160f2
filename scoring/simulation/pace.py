"""How fast an event is played: real seconds of a match, spread over what happens in it."""

import asyncio
import math
import random
import time
from dataclasses import dataclass

MATCH_SECONDS = 28.0
"""A usual match at speed 1: a field of 147 at 40 tables has its champion after eleven to twelve minutes."""


@dataclass(frozen=True, slots=True)
class Pace:
    """`speed` 2 is twice as fast, infinity does not wait at all."""

    match_seconds: float = MATCH_SECONDS
    speed: float = 1.0

    @classmethod
    def parse_speed(cls, text: str) -> float:
        """Read a number or "max". Raises ValueError."""
        speed = math.inf if text == "max" else float(text)
        if not speed > 0:
            raise ValueError("a speed is a number above 0, or max")
        return speed

    @property
    def waits(self) -> bool:
        return not math.isinf(self.speed)

    @property
    def slowest_match(self) -> float:
        """Seconds after which even a slow match has ended."""
        return 4 * self.match_seconds / self.speed

    async def pause(self, share: float) -> None:
        """Wait for a share of a usual match."""
        if self.waits:
            await asyncio.sleep(share * self.match_seconds / self.speed)

    def clock(self, tempo: float, steps: int) -> "Clock":
        seconds = tempo * self.match_seconds / self.speed if self.waits else 0.0
        return Clock(seconds / max(steps, 1))


class Clock:
    """Spreads steps evenly, with a little unrest; a step that comes late makes no later one late."""

    def __init__(self, seconds_a_step: float) -> None:
        self._step = seconds_a_step
        self._due = time.monotonic()

    async def step(self) -> None:
        """Wait until the next step is due."""
        if not self._step:
            return
        # The unrest is for the eye only: what is played never depends on it.
        self._due += self._step * random.uniform(0.6, 1.4)
        await asyncio.sleep(max(0.0, self._due - time.monotonic()))
