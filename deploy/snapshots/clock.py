"""Takes a snapshot each minute while the site runs."""

import threading
from collections.abc import Callable
from pathlib import Path

from django.conf import settings

from deploy.snapshots.errors import SnapshotError
from deploy.snapshots.store import rotate, take

INTERVAL = 60.0


class SnapshotClock:
    """While entered, a thread keeps SNAPSHOT_DIR fresh. A failure is reported in one line when it begins, and
    so is its end; the site goes on."""

    def __init__(
        self, report: Callable[[str], object], *, folder: Path | None = None, interval: float = INTERVAL
    ) -> None:
        self._report = report
        self._folder = folder or Path(settings.SNAPSHOT_DIR)
        self._interval = interval
        self._stop = threading.Event()
        self._failing = False
        self._thread = threading.Thread(target=self._run, name="snapshots", daemon=True)

    def __enter__(self) -> "SnapshotClock":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join(10)

    def _run(self) -> None:
        while not self._stop.wait(self._interval):
            try:
                take(self._folder)
                rotate(self._folder)
            except (SnapshotError, OSError) as error:
                if not self._failing:
                    self._report(f"Snapshots fail: {error}")
                self._failing = True
            else:
                if self._failing:
                    self._report("Snapshots work again.")
                self._failing = False
