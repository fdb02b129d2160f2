"""Public pages as Django answered them, given out again by the event loop for as long as they are true.

While pages are asked for, one query each half second says which of them still have their version; a page is good
for a second from the moment at which it was last known to be true, and after that it is looked at before it is
given out. A page that changed is fetched from Django by the first reader who asks, while the others get what they
had, for the rest of its second; then they wait for the new one. Pages of a tournament that became private are
forgotten at once. Whatever is not a plain request for a public page goes to Django.
"""

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection, Hashable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple, Protocol
from urllib.parse import parse_qsl

from django.conf import settings
from django.http import HttpRequest, parse_cookie
from django.utils.translation import get_language_from_request

from deploy.front.asgi import Application, Headers, Message, Receive, Scope, Send
from deploy.front.security import host_is_allowed, is_secure, without_ambiguity

logger = logging.getLogger(__name__)

NOTE = "seven_marks.page"  # where in the scope Django's pages find whom to tell what they are made of
FOLDER = "/t/"
INTERVAL = 0.5  # seconds after which a page that is asked for is looked at again
GOOD = 1.0  # seconds that a page is good for once it was known to be true
GRACE = 0.2  # seconds that an earlier rendering stays good once its successor may be made
PATIENCE = 5.0  # seconds that readers wait for one of them who asks Django
MOST_BYTES = 32 * 2**20
LARGEST = 4 * 2**20
PARAMETERS = frozenset({"part", "fragment", "page", "hand"})
SINGLE = frozenset({b"host", b"cookie", b"accept-language"})
DJANGOS = frozenset({b"authorization", b"content-length", b"transfer-encoding", b"range", b"expect"})
OWN_EACH_TIME = frozenset({b"x-request-id", b"date"})


class Note(Protocol):
    """What an answer is made of, as `scoring.pages.cache` tells it."""

    @property
    def source(self) -> Hashable: ...
    @property
    def version(self) -> str: ...
    @property
    def etag(self) -> str: ...
    @property
    def is_newest(self) -> bool: ...
    @property
    def until(self) -> float: ...


Check = Callable[[Collection[Any]], Mapping[Any, str]]
InThread = Callable[[Callable[[], Mapping[Any, str]]], Awaitable[Mapping[Any, str]]]


class Key(NamedTuple):
    """What answers differ by, besides what the reader has already."""

    path: str
    query: bytes
    language: str
    secure: bool


class Answer(NamedTuple):
    """The two messages of an answer."""

    start: Message
    body: Message

    @property
    def size(self) -> int:
        return len(self.body["body"]) + 1000


@dataclass(slots=True)
class Page:
    """One version of a page: Django's answers with it (200) and without (304). Times are of the monotonic clock."""

    note: Note
    true_at: float
    """When it was last known to be true: the start of the request or of the check that said so."""
    ask_at: float = float("inf")
    """From when on a newer one is to be asked for."""
    answers: dict[int, Answer] = field(default_factory=dict)
    is_wanted: bool = True

    @property
    def size(self) -> int:
        return sum(answer.size for answer in self.answers.values())

    def is_good(self, arrived: float) -> bool:
        """Whether a request that arrived then may have it: it is never older than a second before."""
        if self.note.is_newest:
            return arrived < self.true_at + GOOD
        return time.monotonic() < self.ask_at + GRACE


class Pages:
    """The pages that this process keeps, in the memory of at most `MOST_BYTES`.

    `check` tells the versions of those sources that are public; it runs by `in_thread`.
    """

    def __init__(
        self, django: Application, *, check: Check, in_thread: InThread, interval: float = INTERVAL
    ) -> None:
        self._django = django
        self._check = check
        self._in_thread = in_thread
        self._interval = interval
        self._kept: OrderedDict[Key, Page] = OrderedDict()
        self._bytes = 0
        self._asking: dict[tuple[Key, int], asyncio.Event] = {}
        self._looking: asyncio.Task[None] | None = None
        self._is_blind = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer from memory, or hand the request to Django."""
        read = _read(scope)
        if read is None:
            await self._django(without_ambiguity(scope), receive, send)
            return
        key, known = read
        arrived = time.monotonic()
        answer = (
            self._find(key, known, arrived)
            or await self._confirmed(key, known, arrived)
            or await self._awaited(key, known, arrived)
            or await self._confirmed(key, known, arrived)  # the one who asked may have waited for long
        )
        if answer is None:
            await self._ask(key, known, scope, receive, send)
        else:
            await send(answer.start)
            await send(answer.body)

    def stop(self) -> None:
        """Look no more. Calling it again does nothing."""
        if self._looking is not None:
            self._looking.cancel()

    def _find(self, key: Key, known: str, arrived: float) -> Answer | None:
        """The answer in memory, while it is good and nobody has to ask for a newer one."""
        page = self._kept.get(key)
        if page is None:
            return None
        status = _status(page, known)
        answer = page.answers.get(status)
        if answer is None or not page.is_good(arrived):
            return None
        now = time.monotonic()
        if now >= page.ask_at and (key, status) not in self._asking:
            return None
        page.is_wanted = True
        self._kept.move_to_end(key)
        if now > page.true_at + self._interval:
            self._look_soon()
        return answer

    async def _confirmed(self, key: Key, known: str, arrived: float) -> Answer | None:
        """What lay in memory for long, once it is known to be true still."""
        for _ in range(2):  # a look that is under way may have left this page out
            page = self._kept.get(key)
            if page is None or page.is_good(arrived) or page.ask_at < float("inf"):
                return None
            page.is_wanted = True
            await asyncio.wait({self._look_soon()}, timeout=PATIENCE)
            if answer := self._find(key, known, arrived):
                return answer
        return None

    async def _awaited(self, key: Key, known: str, arrived: float) -> Answer | None:
        """What another reader gets from Django who asks the same now; None where nobody does or nothing came."""
        asked = self._asking.get((key, _status(self._kept.get(key), known)))
        if asked is None:
            return None
        try:
            async with asyncio.timeout(PATIENCE):
                await asked.wait()
        except TimeoutError:
            return None
        return self._find(key, known, arrived)

    async def _ask(self, key: Key, known: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request to Django, and keep the answer where it is one for everybody."""
        place = key, _status(self._kept.get(key), known)
        mine = self._asking.setdefault(place, asyncio.Event())
        notes: list[Note] = []
        copy = _Copy(send)
        asked_at = time.monotonic()
        try:
            await self._django({**without_ambiguity(scope), NOTE: notes.append}, receive, copy)
            if len(notes) == 1 and (answer := copy.answer(notes[0])) is not None:
                self._keep(key, notes[0], asked_at, answer)
        finally:
            if self._asking.get(place) is mine:
                del self._asking[place]
            mine.set()

    def _keep(self, key: Key, note: Note, asked_at: float, answer: Answer) -> None:
        """Put the answer beside the others of its version, or in place of an earlier one."""
        before = self._kept.pop(key, None)
        page = _page(note, asked_at)
        if before is not None:
            self._bytes -= before.size
            if (before.note.version, before.note.etag) == (note.version, note.etag):
                page.answers = before.answers
            elif before.note.is_newest and before.true_at > asked_at:
                page = before  # somebody who asked later was answered sooner
        if page is not before:
            page.answers[answer.start["status"]] = answer
        self._kept[key] = page
        self._bytes += page.size
        while self._bytes > MOST_BYTES:
            self._bytes -= self._kept.popitem(last=False)[1].size

    def _look_soon(self) -> "asyncio.Task[None]":
        """The look that is under way, or a new one."""
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look_or_warn())
        return self._looking

    async def _look_or_warn(self) -> None:
        try:
            await self.look()
        except Exception as error:
            if not self._is_blind:
                logger.warning("Pages are asked of Django each time: %s.", error)
            self._is_blind = True
        else:
            self._is_blind = False

    async def look(self) -> None:
        """Ask which of the pages that were wanted since the last time are true still."""
        wanted = {key: page for key, page in self._kept.items() if page.is_wanted}
        for page in wanted.values():
            page.is_wanted = False
        sources = {page.note.source for page in wanted.values()}
        began = time.monotonic()
        versions = await self._in_thread(lambda: self._check(sources))
        for key, page in wanted.items():
            if self._kept.get(key) is not page:
                continue
            version = versions.get(page.note.source)
            if version is None:
                self._bytes -= self._kept.pop(key).size
            elif version != page.note.version:
                page.ask_at = min(page.ask_at, began)
            else:
                page.true_at = max(page.true_at, began)


class _Copy:
    """Passes an answer on to the browser and remembers it."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._start: Message | None = None
        self._chunks: list[bytes] = []
        self._is_whole = False
        self._size = 0

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._start = message
        elif message["type"] == "http.response.body":
            self._size += len(message.get("body", b""))
            if self._size <= LARGEST:
                self._chunks.append(message.get("body", b""))
            self._is_whole = not message.get("more_body", False)
        await self._send(message)

    def answer(self, note: Note) -> Answer | None:
        """The answer, where it is whole and one that everybody may have."""
        start = self._start
        if start is None or not self._is_whole or self._size > LARGEST or start["status"] not in {200, 304}:
            return None
        headers: Headers = [(name, value) for name, value in start["headers"] if name not in OWN_EACH_TIME]
        said = dict(headers)
        if said.get(b"etag") != note.etag.encode() or said.get(b"cache-control") != b"no-cache":
            return None
        if b"set-cookie" in said:
            return None
        body = {"type": "http.response.body", "body": b"".join(self._chunks)}
        return Answer({**start, "headers": headers}, body)


def _page(note: Note, asked_at: float) -> Page:
    if note.is_newest:
        return Page(note, asked_at)
    return Page(note, asked_at, time.monotonic() + min(max(note.until - time.time(), 0.0), GOOD))


def _status(page: Page | None, known: str) -> int:
    """304 where the reader knows the page that is kept; as Django compares it."""
    if page is None or not known:
        return 200
    return 304 if any(one.strip().removeprefix("W/") == page.note.etag for one in known.split(",")) else 200


def _read(scope: Scope) -> tuple[Key, str] | None:
    """What is asked for, and the ETags that the reader has; None for what only Django answers."""
    if scope["method"] != "GET" or not scope["path"].startswith(FOLDER) or scope.get("root_path"):
        return None
    found: dict[bytes, bytes] = {}
    known = ""
    for name, value in scope["headers"]:
        if name == b"if-none-match":
            known = f"{known},{value.decode('latin-1')}"
        elif name in SINGLE:
            if name in found:
                return None
            found[name] = value
        elif name in DJANGOS:
            return None
    cookies = found.get(b"cookie", b"").decode("latin-1")
    if settings.SESSION_COOKIE_NAME in cookies or not _is_plain(scope["query_string"]):
        return None
    if not host_is_allowed(scope):
        return None
    chosen = cookies if settings.LANGUAGE_COOKIE_NAME in cookies else ""
    language = _language(chosen, found.get(b"accept-language", b"").decode("latin-1"))
    return Key(scope["path"], scope["query_string"], language, is_secure(scope)), known


@lru_cache(maxsize=1000)
def _is_plain(query: bytes) -> bool:
    """Whether the query names each of a few parameters at most once, shortly: others need not be kept."""
    if len(query) > 100:
        return False
    names = [name for name, _ in parse_qsl(query.decode("latin-1"), keep_blank_values=True)]
    return len(set(names)) == len(names) and PARAMETERS.issuperset(names)


@lru_cache(maxsize=1000)
def _language(cookies: str, accepted: str) -> str:
    """The language in which Django would answer."""
    request = HttpRequest()
    request.COOKIES = parse_cookie(cookies)
    request.META["HTTP_ACCEPT_LANGUAGE"] = accepted
    return get_language_from_request(request)
