"""What the thread works for: a request or a task. Every log line carries it."""

import re
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields

_READABLE = re.compile(r"[A-Za-z0-9._-]{8,64}")


@dataclass(slots=True)
class Work:
    """Empty texts are not known. `match` is a code where the address holds one, else the match's id."""

    request_id: str = ""
    tournament: str = ""
    match: str = ""
    actor: str = ""
    task: str = ""

    def known(self) -> dict[str, str]:
        """What is known, by name."""
        return {field.name: value for field in fields(self) if (value := getattr(self, field.name))}


_current: ContextVar[Work | None] = ContextVar("work", default=None)


def current() -> Work | None:
    """The work of this thread; None outside of any."""
    return _current.get()


def begin(work: Work) -> None:
    """From now on this thread works for `work`; for signals that have no block to hold."""
    _current.set(work)


def end() -> None:
    """The thread works for nobody."""
    _current.set(None)


@contextmanager
def working(work: Work) -> Iterator[Work]:
    """Work for `work` until the block ends."""
    token = _current.set(work)
    try:
        yield work
    finally:
        _current.reset(token)


def request_id_of(sent: str) -> str:
    """The id that the client or proxy sent; a new one where it sent none, or one that no log should hold."""
    return sent if _READABLE.fullmatch(sent) else uuid.uuid4().hex
