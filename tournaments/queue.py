"""Sends tasks by name once the transaction has committed. Rows are the outbox; a message is only a hint."""

import logging
import time
from typing import Any

from celery import current_app
from django.db import transaction

logger = logging.getLogger(__name__)

PAUSE_SECONDS = 5.0
_silent_until = 0.0


def enqueue(task: str, *args: Any) -> None:
    """Send `task` by name on commit. A broker that is down is logged and left to the sweep.

    After a failure nothing is tried for five seconds, so that a dead broker costs one request a
    second's time-out and not each of them.
    """
    transaction.on_commit(lambda: _send(task, args), robust=True)


def _send(task: str, args: tuple[Any, ...]) -> None:
    global _silent_until
    if time.monotonic() < _silent_until:
        return
    try:
        current_app.send_task(task, args=[str(arg) for arg in args], retry=False)
    except Exception as error:
        _silent_until = time.monotonic() + PAUSE_SECONDS
        logger.warning("The broker is away (%s); the sweep will find %s.", type(error).__name__, task)
