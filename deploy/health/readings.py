"""How the site is right now, as figures; probes, metrics, the box and the doctor all read these."""

import shutil
import threading
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connections
from django.db.models import Count, Min
from django.utils import timezone

from deploy import pulse
from deploy.snapshots import SnapshotError, latest
from deploy.snapshots.store import taken_at

FRESH = 2.0  # seconds for which readings are kept: probes are open to everybody


@dataclass(frozen=True, slots=True)
class Readings:
    """Ages are in seconds, never below 0; None is not known, because it never happened or cannot be read."""

    database: str
    """Why the database does not answer; empty when it does."""
    waiting: int | None
    """Closed matches whose teams have not been moved on, in all tournaments."""
    queue_age: float | None
    """How long the oldest of them has waited; 0 when none waits."""
    sweep_age: float | None
    """Since every sweep of ten seconds has run."""
    worker_age: float | None
    beat_age: float | None
    snapshot_age: float | None
    disk_free: int | None
    """Bytes left on the disk of the data folder."""


_lock = threading.Lock()
_kept: tuple[float, Readings] | None = None


def read() -> Readings:
    """Readings that are at most two seconds old. Two queries when they are taken anew."""
    global _kept
    with _lock:
        if _kept is None or time.monotonic() - _kept[0] > FRESH:
            _kept = (time.monotonic(), take())
        return _kept[1]


def take() -> Readings:
    """Readings of this moment. Two queries."""
    database = _database()
    waiting, queue_age = (None, None) if database else _queue()
    return Readings(
        database=database,
        waiting=waiting,
        queue_age=queue_age,
        sweep_age=_sweep_age(),
        worker_age=pulse.youngest_age("worker"),
        beat_age=pulse.youngest_age("beat"),
        snapshot_age=_snapshot_age(),
        disk_free=disk_free(Path(settings.VAR_DIR)),
    )


def disk_free(folder: Path) -> int | None:
    """Bytes left there; None where the folder is not."""
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return None


def _database() -> str:
    """Why it does not answer; empty when it does."""
    try:
        with connections["default"].cursor() as cursor:
            cursor.execute("SELECT 1")
    except (DatabaseError, OSError) as error:
        return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")
    return ""


def _queue() -> tuple[int | None, float | None]:
    from tournaments.models import Match

    try:
        row = Match.objects.filter(closed_at__isnull=False, advanced_at__isnull=True).aggregate(
            waiting=Count("pk"), oldest=Min("closed_at")
        )
    except (DatabaseError, OSError):  # it went away meanwhile, or has not been migrated
        return None, None
    age = (timezone.now() - row["oldest"]).total_seconds() if row["oldest"] else 0.0
    return row["waiting"], max(0.0, age)


def _sweep_age() -> float | None:
    """The age of the sweep that has been silent longest; None when one was never seen."""
    ages = [pulse.age(f"task-{task}") for task in settings.SWEEPS_WATCHED]
    known = [age for age in ages if age is not None]
    return max(known) if len(known) == len(ages) else None


def _snapshot_age() -> float | None:
    try:
        taken = taken_at(latest(Path(settings.SNAPSHOT_DIR)))
    except (SnapshotError, OSError):
        return None
    return max(0.0, (datetime.now(UTC) - taken).total_seconds()) if taken else None
