"""Signs of life of the worker and of beat: files in `var/pulse/` that are touched as they work.

A process can live and do nothing: a worker that loses its broker in the middle of an acknowledgement never
comes back by itself. Beat sends sweeps every ten seconds, so a worker that ends no task for long is such a
one. The supervisor starts it again; under systemd its watchdog does, which hears of each sign.

A file holds the time by its process's clock, beside the time of change by the file system's: the two differ
where clocks do.
"""

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from celery.signals import beat_init, task_postrun, worker_ready
from django.conf import settings

from deploy.notify import notify

NAME = "PULSE_NAME"
"""The environment variable that tells two workers of one site apart: `worker` (the default), `worker-2`..."""


def folder() -> Path:
    """Where the signs are."""
    return Path(settings.VAR_DIR) / "pulse"


def touch(name: str) -> None:
    """Leave a sign. A disk that is full or cannot be written takes none, which is a sign too."""
    path = folder() / name
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "r+" if path.exists() else "w") as file:
            file.write(f"{time.time():018.6f}")  # always as long as the one it replaces
        os.utime(path)


def age(name: str) -> float | None:
    """Seconds since the sign, never below 0; None for one that was never left."""
    try:
        touched = (folder() / name).stat().st_mtime
    except OSError:
        return None
    return max(0.0, time.time() - touched)


def youngest_age(kind: str) -> float | None:
    """The age of the newest sign of that kind of process: of `worker`, `worker-2`... together."""
    ages = [found for path in folder().glob(f"{kind}*") if (found := age(path.name)) is not None]
    return min(ages, default=None)


def skew(name: str) -> float | None:
    """Seconds by which the process's clock is ahead of the file system's; None where that is not known."""
    path = folder() / name
    try:
        return float(path.read_text()) - path.stat().st_mtime
    except (OSError, ValueError):
        return None


@task_postrun.connect
def _task_ended(task: Any = None, state: str | None = None, **_: Any) -> None:
    touch(os.environ.get(NAME, "worker"))
    if task is not None and state == "SUCCESS" and task.name in settings.SWEEPS_WATCHED:
        touch(f"task-{task.name}")
    notify("WATCHDOG=1")


@worker_ready.connect
@beat_init.connect
def _ready(**_: Any) -> None:
    notify("READY=1")
