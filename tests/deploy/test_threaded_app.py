"""A WSGI application behind the event loop: what it is asked, what comes back, whole or piece by piece."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import httpx
import pytest

from deploy.front.asgi import Receive, Scope, Send
from deploy.front.wsgi import SMALL, ThreadedApp
from tests.serving import running

Environ = dict[str, Any]


class Site:
    """What `running` wants of a front, over a WSGI application."""

    def __init__(self, app: Callable[..., Iterable[bytes]]) -> None:
        self.django = ThreadedApp(app, threads=2)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            while True:
                kind = (await receive())["type"]
                await send({"type": f"{kind}.complete"})
                if kind == "lifespan.shutdown":
                    return
        await self.django(scope, receive, send)

    def end_streams(self) -> None:
        self.django.executor.shutdown(wait=False)


def echo(environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Says what it was asked, with a digest of the body."""
    body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or -1))
    digest = hashlib.sha256(body).hexdigest()
    start_response("201 Created", [("X-Seen", digest), ("X-Seen", str(len(body)))])
    return [f"{environ['REQUEST_METHOD']} {environ['PATH_INFO']}?{environ['QUERY_STRING']}".encode()]


@pytest.mark.parametrize("size", [0, 10, 70_000, SMALL, SMALL + 1, 5 * SMALL])
def test_request_and_answer_go_through_whole(size: int) -> None:
    body = bytes(number % 251 for number in range(size))
    with running(Site(echo)) as site:  # type: ignore[arg-type]
        answer = httpx.put(f"{site.url}/a/b?c=d", content=body)
        chunked = httpx.put(f"{site.url}/a/b", content=(body[:size], body[size:]))
    assert (answer.status_code, answer.text) == (201, "PUT /a/b?c=d")
    assert answer.headers.get_list("X-Seen") == [hashlib.sha256(body).hexdigest(), str(size)]
    assert chunked.headers.get_list("X-Seen") == answer.headers.get_list("X-Seen")


@pytest.mark.parametrize("piece", [1, 4096, SMALL // 2 + 1, SMALL])
@pytest.mark.parametrize("pieces", [0, 1, 2, 5])
def test_answers_of_any_size_come_whole_and_are_closed_once(piece: int, pieces: int) -> None:
    closed: list[str] = []

    class Answer:
        def __iter__(self) -> Iterator[bytes]:
            return (bytes([number]) * piece for number in range(pieces))

        def close(self) -> None:
            closed.append(threading.current_thread().name)

    def app(environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        start_response("200 OK", [("Content-Length", str(piece * pieces))])
        return Answer()  # type: ignore[return-value]

    with running(Site(app)) as site:  # type: ignore[arg-type]
        answer = httpx.get(site.url)
    assert answer.content == b"".join(bytes([number]) * piece for number in range(pieces))
    assert len(closed) == 1
    assert closed[0].startswith("WSGI")


def test_large_answer_is_not_gathered_in_memory() -> None:
    made: list[int] = []

    def app(environ: Environ, start_response: Callable[..., Any]) -> Iterator[bytes]:
        start_response("200 OK", [])
        for number in range(200):
            made.append(number)
            yield b"x" * SMALL

    with (
        running(Site(app)) as site,  # type: ignore[arg-type]
        httpx.stream("GET", site.url) as answer,
    ):
        received = answer.iter_raw()
        size = len(next(received))
        assert len(made) < 100
        size += sum(map(len, received))
    assert (len(made), size) == (200, 200 * SMALL)


def test_application_that_fails_is_answered_with_500_and_the_next_request_is_served() -> None:
    def app(environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        if environ["PATH_INFO"] == "/bad":
            raise ValueError("a defect")
        start_response("204 No Content", [])
        return []

    with running(Site(app)) as site:  # type: ignore[arg-type]
        statuses = [httpx.get(f"{site.url}{path}").status_code for path in ("/good", "/bad", "/good")]
    assert statuses == [204, 500, 204]
