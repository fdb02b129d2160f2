"""`GET /api/v1/events/?tournament=<slug>`: server-sent events that name the parts that changed.

A browser that comes back sends the last id it saw (`Last-Event-ID`, or `?since=`), a time in milliseconds,
and hears which parts changed since. An event says no more than a part's name and revision; what the part
shows is fetched from addresses that check again who asks.
"""

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs

from deploy.front.asgi import Receive, Scope, Send, header
from deploy.front.security import host_is_allowed, security_headers, send_problem
from deploy.front.watcher import Change, Watcher

logger = logging.getLogger(__name__)

PATH = "/api/v1/events/"
HEARTBEAT = 15.0  # seconds of silence before a comment keeps proxies awake
RETRY = 2000  # milliseconds a browser waits before it comes back
PATIENCE = 20.0  # seconds that one write may take
WAITING = 32  # events that may wait for a slow listener
FRESH = timedelta(seconds=60)  # how old a page may be that comes without an id
PRIVATE_STREAM = 300.0  # seconds until a follower of a private tournament is asked again who it is

MayFollow = Callable[[Scope, str], Awaitable[bool]]


class Listener:
    """One open stream: bytes to send, or None to end it."""

    __slots__ = ("_queue",)

    def __init__(self) -> None:
        self._queue: asyncio.Queue[bytes | None] = asyncio.Queue(WAITING)

    def put(self, message: bytes) -> bool:
        """False when it is too slow to take more; it is ended then, and comes back for what it missed."""
        try:
            self._queue.put_nowait(message)
        except asyncio.QueueFull:
            self.end()
            return False
        return True

    def end(self) -> None:
        """End the stream now, whatever waits."""
        while not self._queue.empty():
            self._queue.get_nowait()
        self._queue.put_nowait(None)

    async def next(self, patience: float) -> bytes | None:
        """The next message; TimeoutError after `patience` seconds."""
        async with asyncio.timeout(patience):
            return await self._queue.get()


class EventStreams:
    """All open streams of the process."""

    def __init__(self, *, may_follow: MayFollow, limit: int, heartbeat: float = HEARTBEAT) -> None:
        self._may_follow = may_follow
        self._limit = limit
        self._heartbeat = heartbeat
        self._listeners: dict[str, set[Listener]] = {}
        self._open = 0
        self._ended = False

    def __len__(self) -> int:
        return self._open

    def tell(self, slug: str, changes: list[Change]) -> None:
        """Send the changes to everyone who follows the tournament."""
        listeners = self._listeners.get(slug)
        if listeners:
            message = render(slug, changes)
            for listener in [listener for listener in listeners if not listener.put(message)]:
                listeners.discard(listener)

    def hide(self, slug: str) -> None:
        """End the tournament's streams; who may follow it is asked again when they come back."""
        for listener in self._listeners.pop(slug, set()):
            listener.end()

    def end(self) -> None:
        """End every stream, and each that comes later: the process is about to stop."""
        self._ended = True
        for slug in list(self._listeners):
            self.hide(slug)

    async def __call__(self, scope: Scope, receive: Receive, send: Send, watcher: Watcher) -> None:
        """Answer one request for a stream."""
        if not host_is_allowed(scope):
            await send_problem(scope, send, 400, "bad_host", "This site has another address.")
            return
        if scope["method"] != "GET":
            await send_problem(scope, send, 405, "method_not_allowed", "Use GET.", [(b"allow", b"GET")])
            return
        query = parse_qs(scope["query_string"].decode("latin-1"))
        slug = query.get("tournament", [""])[0]
        try:
            since = _moment(header(scope, b"last-event-id") or query.get("since", [""])[0])
        except ValueError:
            detail = "Last-Event-ID and since are milliseconds since 1970."
            await send_problem(scope, send, 400, "bad_event_id", detail)
            return
        if self._open >= self._limit or self._ended:
            detail = "Too many pages are open; this one will be live again soon."
            retry = [(b"retry-after", b"5")]
            await send_problem(scope, send, 503, "too_many_streams", detail, retry)
            return
        self._open += 1
        try:
            try:
                allowed = watcher.is_open(slug) or (bool(slug) and await self._may_follow(scope, slug))
            except Exception:
                logger.exception("Nobody can be asked who may follow %s.", slug)
                detail = "The database is away; this page will be live again soon."
                await send_problem(scope, send, 503, "unavailable", detail)
                return
            if allowed:
                await self._stream(scope, receive, send, watcher, slug, since)
            else:
                await send_problem(scope, send, 404, "not_found", "There is no such tournament.")
        finally:
            self._open -= 1

    async def _stream(
        self, scope: Scope, receive: Receive, send: Send, watcher: Watcher, slug: str, since: datetime
    ) -> None:
        listener = Listener()
        # Listening begins before memory is read: a change in between is told twice, never lost.
        self._listeners.setdefault(slug, set()).add(listener)
        gone = asyncio.create_task(_end_when_gone(receive, listener))
        try:
            await _start(scope, send)
            await _write(send, f"retry: {RETRY}\nid: {_milliseconds(datetime.now(UTC))}\n\n".encode())
            missed = watcher.changes_since(slug, since)
            if since < watcher.remembers_since:
                await _write(send, render_reset(slug))
            elif missed:
                await _write(send, render(slug, missed))
            await self._pump(send, listener, private=not watcher.is_open(slug))
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        except TimeoutError:
            logger.info("A stream of %s was given up: its reader does not read.", slug)
        finally:
            gone.cancel()
            followers = self._listeners.get(slug, set())
            followers.discard(listener)
            if not followers:
                self._listeners.pop(slug, None)

    async def _pump(self, send: Send, listener: Listener, *, private: bool) -> None:
        """Send what comes until the stream ends."""
        ends_at = time.monotonic() + PRIVATE_STREAM if private else float("inf")
        while not self._ended and time.monotonic() < ends_at:
            try:
                message = await listener.next(self._heartbeat)
            except TimeoutError:
                message = b": still here\n\n"
            if message is None:
                return
            await _write(send, message)


def render(slug: str, changes: Sequence[Change]) -> bytes:
    """The event for some changes of one tournament; its id is the newest change's time in milliseconds."""
    newest = max(change.changed_at for change in changes)
    data = {"tournament": slug, "parts": {change.part: change.number for change in changes}}
    return f"id: {_milliseconds(newest)}\nevent: revision\ndata: {_json(data)}\n\n".encode()


def render_reset(slug: str) -> bytes:
    """The event for a browser that slept longer than we remember: fetch every part again."""
    now = _milliseconds(datetime.now(UTC))
    return f"id: {now}\nevent: reset\ndata: {_json({'tournament': slug})}\n\n".encode()


async def _start(scope: Scope, send: Send) -> None:
    headers = [
        (b"content-type", b"text/event-stream; charset=utf-8"),
        (b"cache-control", b"no-store"),
        (b"x-accel-buffering", b"no"),
        *security_headers(scope),
    ]
    await send({"type": "http.response.start", "status": 200, "headers": headers})


async def _write(send: Send, message: bytes) -> None:
    async with asyncio.timeout(PATIENCE):
        await send({"type": "http.response.body", "body": message, "more_body": True})


async def _end_when_gone(receive: Receive, listener: Listener) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    listener.end()


def _moment(text: str) -> datetime:
    """The time that an id names; without one, the time of a page that was just loaded. ValueError else."""
    if not text:
        return datetime.now(UTC) - FRESH
    if not (text.isascii() and text.isdigit() and len(text) <= 14):
        raise ValueError(text)
    return datetime.fromtimestamp(int(text) / 1000, UTC)


def _milliseconds(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)


def _json(data: object) -> str:
    return json.dumps(data, separators=(",", ":"))
