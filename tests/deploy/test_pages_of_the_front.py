"""How the front keeps pages, over a Django that is pretended: who asks, who waits, and for how long a page is good."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any

from deploy.front import pages
from deploy.front.asgi import Message, Receive, Scope, Send
from deploy.front.pages import NOTE, Pages
from tests.support.loops import run_apart


@dataclass(frozen=True)
class Made:
    """What an answer says it is made of."""

    source: str
    version: str
    etag: str
    is_newest: bool = True
    until: float = 0.0


@dataclass
class Django:
    """Answers each path with its version; `old` is given out while its successor rests."""

    versions: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    asked: list[str] = field(default_factory=list)
    extra: list[tuple[bytes, bytes]] = field(default_factory=list)
    resting: tuple[str, float] | None = None
    size: int = 10

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"]
        self.asked.append(path)
        version = self.versions.get(path, "")
        await asyncio.sleep(self.delay)
        if not version:
            await send({"type": "http.response.start", "status": 404, "headers": []})
            await send({"type": "http.response.body", "body": b"no"})
            return
        shown = self.resting[0] if self.resting else version
        etag = f'"{shown}"'
        scope[NOTE](
            Made(path, version, etag, not self.resting, time.time() + self.resting[1])
            if self.resting
            else Made(path, version, etag)
        )
        headers = [(b"etag", etag.encode()), (b"cache-control", b"no-cache"), *self.extra]
        known = dict(scope["headers"]).get(b"if-none-match", b"").decode() == etag
        body = b"" if known else shown.encode().ljust(self.size)
        start = {"type": "http.response.start", "status": 304 if known else 200, "headers": headers}
        await send(start)
        await send({"type": "http.response.body", "body": body, "more_body": True})
        await send({"type": "http.response.body", "body": b""})

    def check(self, sources: Collection[Any]) -> Mapping[Any, str]:
        return {source: self.versions[source] for source in sources if source in self.versions}


class Site:
    """Pages over a pretended Django, in one event loop."""

    def __init__(
        self, django: Django, *, check: Callable[..., Any] | None = None, interval: float = 60
    ) -> None:
        async def in_thread(read: Callable[[], Mapping[Any, str]]) -> Mapping[Any, str]:
            return read()

        self.django = django
        self.pages = Pages(django, check=check or django.check, in_thread=in_thread, interval=interval)

    async def get(self, path: str, known: str = "") -> tuple[int, str]:
        """Status and text of an answer."""
        got: list[Message] = []

        async def send(message: Message) -> None:
            got.append(message)

        headers = [(b"host", b"localhost"), *([(b"if-none-match", known.encode())] if known else [])]
        scope = {"method": "GET", "path": path, "query_string": b"", "headers": headers, "scheme": "http"}
        await self.pages(scope, _nothing, send)
        body = b"".join(message["body"] for message in got[1:]).decode().strip()
        return int(got[0]["status"]), body


async def _nothing() -> Message:
    return {"type": "http.request", "body": b""}


def run(act: Callable[[], Coroutine[Any, Any, None]]) -> None:
    run_apart(act())


def test_readers_wait_for_the_one_who_asks() -> None:
    async def act() -> None:
        site = Site(Django({"/t/a/": "one"}, delay=0.05))
        answers = await asyncio.gather(*(site.get("/t/a/") for _ in range(50)))
        assert set(answers) == {(200, "one")}
        assert site.django.asked == ["/t/a/"]
        assert await site.get("/t/a/", '"one"') == (304, "")
        assert await site.get("/t/a/", '"one"') == (304, "")
        assert len(site.django.asked) == 2
        site.pages.stop()

    run(act)


def test_readers_of_what_cannot_be_kept_ask_each_for_themselves() -> None:
    async def act() -> None:
        site = Site(Django(delay=0.02))
        assert set(await asyncio.gather(*(site.get("/t/private/") for _ in range(5)))) == {(404, "no")}
        assert len(site.django.asked) == 5
        for extra in ((b"set-cookie", b"a=b"), (b"cache-control", b"private, no-cache")):
            site.django.versions["/t/a/"], site.django.extra = "one", [extra]
            before = len(site.django.asked)
            await site.get("/t/a/")
            await site.get("/t/a/")
            assert len(site.django.asked) == before + 2

    run(act)


def test_page_that_changed_is_asked_for_once_while_others_get_what_they_had() -> None:
    async def act() -> None:
        site = Site(Django({"/t/a/": "one"}))
        await site.get("/t/a/")
        site.django.versions["/t/a/"], site.django.delay = "two", 0.05
        assert await site.get("/t/a/") == (200, "one")
        await site.pages.look()
        answers = await asyncio.gather(*(site.get("/t/a/") for _ in range(20)))
        assert sorted(answers) == [*[(200, "one")] * 19, (200, "two")]
        assert await site.get("/t/a/") == (200, "two")
        assert len(site.django.asked) == 2
        site.pages.stop()

    run(act)


def test_page_that_nobody_could_check_is_good_for_a_second(monkeypatch: Any) -> None:
    monkeypatch.setattr(pages, "GOOD", 0.1)

    def broken(sources: Collection[Any]) -> Mapping[Any, str]:
        raise ConnectionError("the database is away")

    async def act() -> None:
        site = Site(Django({"/t/a/": "one"}), check=broken, interval=0.02)
        await site.get("/t/a/")
        site.django.versions["/t/a/"] = "two"
        assert await site.get("/t/a/") == (200, "one")
        await asyncio.sleep(0.12)
        assert await site.get("/t/a/") == (200, "two")
        site.pages.stop()

    run(act)


def test_page_that_stays_is_good_as_long_as_it_is_checked(monkeypatch: Any) -> None:
    monkeypatch.setattr(pages, "GOOD", 0.2)

    async def act() -> None:
        site = Site(Django({"/t/a/": "one"}), interval=0.05)
        until = time.monotonic() + 0.7
        while time.monotonic() < until:
            assert await site.get("/t/a/") == (200, "one")
            await asyncio.sleep(0.01)
        assert len(site.django.asked) == 1
        site.pages.stop()

    run(act)


def test_page_that_lay_for_long_is_looked_at_before_it_is_given_out(monkeypatch: Any) -> None:
    monkeypatch.setattr(pages, "GOOD", 0.05)

    async def act() -> None:
        site = Site(Django({"/t/a/": "one"}))
        await site.get("/t/a/")
        await asyncio.sleep(0.1)
        assert await site.get("/t/a/") == (200, "one")
        assert len(site.django.asked) == 1
        site.django.versions["/t/a/"] = "two"
        await asyncio.sleep(0.1)
        assert await site.get("/t/a/") == (200, "two")

    run(act)


def test_slow_django_is_asked_once_by_readers_who_come_one_after_the_other(monkeypatch: Any) -> None:
    monkeypatch.setattr(pages, "GOOD", 0.05)

    async def act() -> None:
        site = Site(Django({"/t/a/": "one"}, delay=0.3))

        async def later(seconds: float) -> tuple[int, str]:
            await asyncio.sleep(seconds)
            return await site.get("/t/a/")

        answers = await asyncio.gather(*(later(number / 50) for number in range(30)))
        assert set(answers) == {(200, "one")}
        assert len(site.django.asked) == 1

    run(act)


def test_page_of_a_tournament_that_became_private_is_forgotten_at_once() -> None:
    async def act() -> None:
        site = Site(Django({"/t/a/": "one"}))
        await site.get("/t/a/")
        site.django.versions.clear()
        await site.pages.look()
        assert await site.get("/t/a/") == (404, "no")
        site.pages.stop()

    run(act)


def test_earlier_rendering_is_kept_until_its_successor_may_be_made(monkeypatch: Any) -> None:
    monkeypatch.setattr(pages, "GRACE", 0.0)

    async def act() -> None:
        site = Site(Django({"/t/a/": "two"}, resting=("one", 0.1)))
        assert [await site.get("/t/a/") for _ in range(3)] == [(200, "one")] * 3
        assert len(site.django.asked) == 1
        await asyncio.sleep(0.12)
        site.django.resting = None
        assert [await site.get("/t/a/") for _ in range(3)] == [(200, "two")] * 3
        assert len(site.django.asked) == 2
        site.pages.stop()

    run(act)


def test_memory_is_bounded_and_what_was_asked_for_last_stays(monkeypatch: Any) -> None:
    monkeypatch.setattr(pages, "MOST_BYTES", 20_000)

    async def act() -> None:
        names = [f"/t/{number}/" for number in range(10)]
        site = Site(Django(dict.fromkeys(names, "one"), size=4_000))
        for name in names:
            await site.get(name)
        await site.get(names[-1])
        await site.get(names[-2])
        assert len(site.django.asked) == 10
        await site.get(names[0])
        assert len(site.django.asked) == 11
        site.pages.stop()

    run(act)
