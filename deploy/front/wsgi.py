"""Django's WSGI application behind the event loop, in a pool of threads.

A request goes to its thread whole and its answer comes back whole: one way there and one back, where a2wsgi goes
back and forth for each piece. Large bodies and large answers still go piece by piece.
"""

import asyncio
import contextvars
import io
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any

from a2wsgi.wsgi import WSGIMiddleware, build_environ

from deploy.front.asgi import Headers, Message, Receive, Scope, Send, header

SMALL = 2**20  # bytes of a body or an answer that is handed over whole

App = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


class ThreadedApp:
    """The application as ASGI. `executor` is its pool of threads."""

    def __init__(self, app: App, *, threads: int) -> None:
        self._app = app
        self._piecewise = WSGIMiddleware(app, workers=threads)  # type: ignore[arg-type]
        self.executor = self._piecewise.executor

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if not _is_small(scope):
            await self._piecewise(scope, receive, send)  # type: ignore[arg-type]
            return
        body = await _read(receive)
        if body is None:
            return
        environ: dict[str, Any] = build_environ(scope, io.BytesIO(body))  # type: ignore[arg-type,assignment]
        loop = asyncio.get_running_loop()
        call = contextvars.copy_context().run
        for message in await loop.run_in_executor(self.executor, call, self._answer, environ, loop, send):
            await send(message)

    def _answer(
        self, environ: dict[str, Any], loop: asyncio.AbstractEventLoop, send: Send
    ) -> tuple[Message, ...]:
        """The messages of the answer; none where it is large and was sent from here, piece by piece."""
        started: list[Message] = []

        def start_response(status: str, headers: list[tuple[str, str]], exc_info: object = None) -> None:
            started[:] = [_start(status, headers)]

        iterable = self._app(environ, start_response)
        try:
            pieces = iter(iterable)
            first = _gather(pieces)
            if len(first) < SMALL:
                return started[0], _body(first, more=False)
            whole = chain([started[0], _body(first)], map(_body, pieces), [_body(b"", more=False)])
            for message in whole:
                asyncio.run_coroutine_threadsafe(_send(send, message), loop).result()
            return ()
        finally:
            close = getattr(iterable, "close", None)
            if close is not None:
                close()


def _is_small(scope: Scope) -> bool:
    """Whether the request says that its body is small, or has none."""
    length = header(scope, b"content-length")
    if length:
        return length.isascii() and length.isdigit() and int(length) <= SMALL
    return not header(scope, b"transfer-encoding")


async def _read(receive: Receive) -> bytes | None:
    """The body; None when the client went away before its end."""
    pieces = []
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        pieces.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(pieces)


def _gather(pieces: Iterator[bytes]) -> bytes:
    """The next pieces together: all of them, or as many as make a large answer."""
    found, size = [], 0
    for piece in pieces:
        found.append(piece)
        size += len(piece)
        if size >= SMALL:
            break
    return b"".join(found)


def _start(status: str, headers: list[tuple[str, str]]) -> Message:
    sent: Headers = [
        (name.strip().lower().encode("latin-1"), value.strip().encode("latin-1")) for name, value in headers
    ]
    return {"type": "http.response.start", "status": int(status.split(" ", 1)[0]), "headers": sent}


def _body(piece: bytes, more: bool = True) -> Message:
    return {"type": "http.response.body", "body": piece, "more_body": more}


async def _send(send: Send, message: Message) -> None:
    await send(message)
