"""Sends tasks by name once the transaction has committed. Rows are the outbox; a message is only a hint.

A thread sends them, so that no request waits for the broker, and equal ones once: many results in the same moment
ask for one advance of their bracket.
"""

import atexit
import logging
import threading
import time
from contextvars import Context, copy_context
from typing import Any

from celery import current_app
from django.conf import settings
from django.db import transaction

logger = logging.getLogger(__name__)

GATHERED = 0.05  # seconds in which equal hints become one, where HINTS_PAUSE_SECONDS is not set
PAUSE_SECONDS = 5.0

Hint = tuple[str, tuple[str, ...]]


def enqueue(task: str, *args: Any) -> None:
    """Send `task` by name on commit, some hundredths of a second later.

    A broker that is down is logged and left to the sweep, and so is a hint that is lost with its process. After a
    failure nothing is tried for five seconds.
    """
    hint = task, tuple(str(arg) for arg in args)
    transaction.on_commit(lambda: _outbox.put(hint), robust=True)


class _Outbox:
    """Hints on their way to the broker, in the order in which they were first given."""

    def __init__(self) -> None:
        self._waiting: dict[Hint, Context] = {}
        self._lock = threading.Lock()
        self._filled = threading.Event()
        self._thread: threading.Thread | None = None
        self._silent_until = 0.0

    def put(self, hint: Hint) -> None:
        """Send it soon; at once where the settings say that nothing is gathered."""
        pause = float(getattr(settings, "HINTS_PAUSE_SECONDS", GATHERED))
        if not pause:
            self._send(hint)
            return
        with self._lock:
            self._waiting.setdefault(hint, copy_context())  # which request asked for it first
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, args=(pause,), name="hints", daemon=True)
                self._thread.start()
                atexit.register(self.flush)
        self._filled.set()

    def flush(self) -> None:
        """Send what waits, in this thread."""
        self._filled.clear()
        with self._lock:
            hints, self._waiting = self._waiting, {}
        for hint, context in hints.items():
            context.run(self._send, hint)

    def _run(self, pause: float) -> None:
        while True:
            self._filled.wait()
            time.sleep(pause)
            self.flush()

    def _send(self, hint: Hint) -> None:
        if time.monotonic() < self._silent_until:
            return
        task, args = hint
        try:
            current_app.send_task(task, args=list(args), retry=False)
        except Exception as error:
            self._silent_until = time.monotonic() + PAUSE_SECONDS
            logger.warning("The broker is away (%s); the sweep will find %s.", type(error).__name__, task)


_outbox = _Outbox()
