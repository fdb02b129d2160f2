"""Watches what the front answers itself, and says that the process lives without asking anybody."""

import json
import time

from deploy.front import events
from deploy.front.app import Front
from deploy.front.asgi import Message, Receive, Scope, Send, header
from deploy.front.security import security_headers
from deploy.health import metrics
from deploy.health.context import request_id_of
from deploy.health.views import ALIVE

PATH = "/healthz"
REQUEST_ID = b"x-request-id"


class Observed:
    """The front, with an id, a count and a duration for each of its answers; Django's bring their own."""

    def __init__(self, front: Front) -> None:
        self._front = front

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One ASGI connection."""
        if scope["type"] != "http":
            await self._front(scope, receive, send)
        elif scope["path"] == PATH:
            await _tell_alive(scope, send)
        else:
            await _Watched(scope, send).run(self._front, receive)

    def end_streams(self) -> None:
        """End all streams; see `Front.end_streams`."""
        self._front.end_streams()


class _Watched:
    """One request."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self._scope = scope
        self._send = send
        self._is_stream = scope["path"] == events.PATH
        self._is_open = False
        self._started = time.perf_counter()

    async def run(self, front: Front, receive: Receive) -> None:
        try:
            await front(self._scope, receive, self._pass_on)
        finally:
            if self._is_open:
                metrics.open_streams.dec()

    async def _pass_on(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = message["headers"]
            if all(name != REQUEST_ID for name, _ in headers):
                self._count(message["status"])
                identity = request_id_of(header(self._scope, REQUEST_ID)).encode()
                message = {**message, "headers": [*headers, (REQUEST_ID, identity)]}
        await self._send(message)

    def _count(self, status: int) -> None:
        metrics.count_request(
            method=self._scope["method"],
            route=events.PATH if self._is_stream else "front",
            status=status,
            seconds=time.perf_counter() - self._started,
        )
        if self._is_stream and status == 200:
            self._is_open = True
            metrics.open_streams.inc()


async def _tell_alive(scope: Scope, send: Send) -> None:
    body = json.dumps(ALIVE).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        *security_headers(scope),
    ]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})
