"""Tells the supervisor that the worker still takes work: a file that is touched after each task.

A worker can live and take nothing: one that loses its broker in the middle of an acknowledgement never comes
back by itself. Beat sends sweeps every ten seconds, so a worker that ends no task for long is such a one.
"""

import os
from pathlib import Path
from typing import Any

from celery.signals import task_postrun

VARIABLE = "WORKER_PULSE"


@task_postrun.connect
def beat(**_: Any) -> None:
    """Touch the file that the supervisor named; without one there is nobody to tell."""
    if path := os.environ.get(VARIABLE):
        Path(path).touch()
