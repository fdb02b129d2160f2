"""Celery's beat by a clock that nobody sets.

Celery's own asks the time of day when a task is due: after a laptop's clock was set back by an hour no sweep
would be sent for an hour. The schedule is a few intervals, so nothing of it needs to be kept on disk.
"""

import logging
import time
from typing import Any

from celery.beat import Scheduler, SchedulingError

from deploy import pulse
from deploy.notify import notify

logger = logging.getLogger(__name__)

LONGEST_SLEEP = 5.0  # seconds; also how often a sign of life is left


class SteadyScheduler(Scheduler):
    """Sends each task of the static schedule when its interval has passed since this process last sent it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._due: dict[str, float] = {}
        super().__init__(*args, **kwargs)

    def install_default_entries(self, data: Any) -> None:
        """None: there is no result backend to clean up."""

    def tick(self, **_: Any) -> float:  # type: ignore[override]
        """Send what is due; the seconds until the next look."""
        pulse.touch("beat")
        notify("WATCHDOG=1")
        for name, entry in self.schedule.items():
            now = time.monotonic()
            if now >= self._due.get(name, now):
                interval: Any = entry.schedule
                self._due[name] = now + interval.run_every.total_seconds()
                self._send(entry)
        wait = min(self._due.values(), default=0.0) - time.monotonic()
        return max(0.01, min(wait, LONGEST_SLEEP))

    def _send(self, entry: Any) -> None:
        try:
            self.apply_async(entry, producer=self.producer, advance=False)
        except SchedulingError as error:
            logger.warning("%s", error)
