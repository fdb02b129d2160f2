"""Sees which parts of which tournaments changed: one query every half second for the whole process.

A change is a part's new revision. Transactions commit out of order, so each poll looks five seconds back and
what was seen before is dropped by its number.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Protocol, TypeVar
from uuid import UUID

from django.db import connections

logger = logging.getLogger(__name__)

T = TypeVar("T")

INTERVAL = 0.5  # seconds between two polls
OVERLAP = timedelta(seconds=5)
MEMORY = timedelta(hours=6)  # how long a browser may sleep and still hear just what it missed
OPEN = {"public", "unlisted"}
SLOWEST = 10.0  # seconds between two polls while the database is away


class Change(Protocol):
    """One part's revision, as `tournaments.selectors.revisions_since` gives it."""

    @property
    def tournament_id(self) -> UUID: ...
    @property
    def slug(self) -> str: ...
    @property
    def visibility(self) -> str: ...
    @property
    def part(self) -> str: ...
    @property
    def number(self) -> int: ...
    @property
    def changed_at(self) -> datetime: ...


Poll = Callable[[datetime], Sequence[Change]]
Tell = Callable[[str, list[Change]], None]


@dataclass(slots=True)
class Followed:
    """What is known of one tournament: its address, who may see it, and its parts that changed lately."""

    slug: str
    visibility: str
    parts: dict[str, Change] = field(default_factory=dict)


class Watcher:
    """Polls in a thread of its own and calls `tell(slug, changes)` and `hide(slug)` in the event loop.

    `hide` is called when a tournament's address or visibility changes, so that its followers are asked again
    who they are.
    """

    def __init__(
        self, poll: Poll, *, tell: Tell, hide: Callable[[str], None], interval: float = INTERVAL
    ) -> None:
        self._poll = poll
        self._tell = tell
        self._hide = hide
        self._interval = interval
        self._followed: dict[UUID, Followed] = {}
        self._newest = datetime.now(UTC) - MEMORY
        self._task: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="revisions")
        self.remembers_since = self._newest

    def start(self) -> None:
        """Begin to poll, in the running event loop. Calling it again does nothing."""
        if self._task is None:
            self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Stop polling and close the thread's database connection."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None
        await asyncio.get_running_loop().run_in_executor(self._thread, connections.close_all)
        self._thread.shutdown()

    def is_open(self, slug: str) -> bool:
        """Whether everybody may follow the tournament, as last seen; False where nothing changed lately."""
        return any(known.slug == slug and known.visibility in OPEN for known in self._followed.values())

    def changes_since(self, slug: str, moment: datetime) -> list[Change]:
        """Parts of the tournament that changed since `moment`, late commits included; from memory."""
        since = moment - OVERLAP
        return [
            change
            for known in self._followed.values()
            if known.slug == slug
            for change in known.parts.values()
            if change.changed_at >= since
        ]

    async def _run(self) -> None:
        pause = self._interval
        while True:
            try:
                await self.look()
            except Exception as error:
                if pause == self._interval:
                    logger.warning("Live pages wait: revisions cannot be read (%s).", error)
                pause = min(pause * 2, SLOWEST)
            else:
                pause = self._interval
            await asyncio.sleep(pause)

    async def look(self) -> None:
        """Poll once and tell what is new."""
        # A clock that was ahead for a while must not blind us: never look from later than now.
        moment = min(self._newest, datetime.now(UTC)) - OVERLAP
        changes = await self.in_thread(lambda: self._poll(moment))
        fresh: dict[str, list[Change]] = {}
        for change in changes:
            if self._is_news(change):
                fresh.setdefault(change.slug, []).append(change)
        for slug, news in fresh.items():
            self._tell(slug, news)
        self._forget()

    async def in_thread(self, read: Callable[[], T]) -> T:
        """What `read` returns, in the watcher's thread and by its one connection."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, _read_or_reconnect, read)

    def _is_news(self, change: Change) -> bool:
        known = self._followed.setdefault(change.tournament_id, Followed(change.slug, change.visibility))
        if (known.slug, known.visibility) != (change.slug, change.visibility):
            self._hide(known.slug)
            known.slug, known.visibility = change.slug, change.visibility
        before = known.parts.get(change.part)
        if before is not None and before.number >= change.number:
            return False
        known.parts[change.part] = change
        self._newest = max(self._newest, change.changed_at)
        return True

    def _forget(self) -> None:
        """Drop what is older than the memory; once in a while is enough."""
        horizon = datetime.now(UTC) - MEMORY
        if horizon - self.remembers_since < MEMORY / 12:
            return
        for known in self._followed.values():
            known.parts = {name: part for name, part in known.parts.items() if part.changed_at >= horizon}
        self._followed = {key: known for key, known in self._followed.items() if known.parts}
        self.remembers_since = horizon


def _read_or_reconnect(read: Callable[[], T]) -> T:
    """Read on the thread's connection, which is kept; after an error the next read gets a new one."""
    try:
        return read()
    except Exception:
        connections.close_all()
        raise
