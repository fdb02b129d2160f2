"""Watches every task of the worker: its log lines name the request that asked for it."""

import logging
import time
from typing import Any

from celery.signals import before_task_publish, task_postrun, task_prerun

from deploy.health.context import Work, begin, current, end
from deploy.health.logs import TASKS

logger = logging.getLogger(TASKS)

HEADER = "asked_by"
_started: dict[str, float] = {}


@before_task_publish.connect
def _asked(headers: dict[str, Any] | None = None, **_: Any) -> None:
    work = current()
    if work is not None and headers is not None:
        headers[HEADER] = work.request_id


@task_prerun.connect
def _begun(task_id: str = "", task: Any = None, **_: Any) -> None:
    request = task.request
    # A worker hands the headers of a message as attributes; a task that is run in place has them as a dict.
    asked_by = getattr(request, HEADER, None) or (request.headers or {}).get(HEADER)
    begin(Work(request_id=str(asked_by or ""), task=task.name))
    _started[task_id] = time.perf_counter()


@task_postrun.connect
def _ended(task_id: str = "", task: Any = None, state: str | None = None, **_: Any) -> None:
    seconds = time.perf_counter() - _started.pop(task_id, time.perf_counter())
    logger.info(
        "%s %s in %.0f ms",
        task.name,
        state or "ended",
        seconds * 1000,
        extra={"state": state or "", "duration_ms": round(seconds * 1000, 1)},
    )
    end()
