"""Pages rendered at most once per revision, and at most twice a second, however many people ask. One that takes
long rests longer: rendering takes no more than a fifth of a processor, as far as readers still see what is true
within about a second.

A cached body is impersonal: what concerns one reader (the own team) is added in the browser. One slot is
kept per page and language; it holds the newest rendering with its ETag. A reader who asks during that rest gets
the rendering before; its ETag and `data-revs` say so, and the browser asks again.

A server in front of Django may give an answer to others too: it is told what the answer is made of.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language

from scoring.pages.state import Source

PAUSE = 0.5  # seconds at least between two renderings of one page, where PAGE_PAUSE_SECONDS is not set
SHARE = 4  # a page that takes long to render rests this many times as long
CLAIMED = 10  # seconds after which a rendering that never ended is forgotten
LONGEST = 0.7  # seconds that a page may rest at most: readers see what is true within about a second
KEPT = 3600  # seconds that a page nobody asks for stays
FRONT = "seven_marks.page"
"""The key of the ASGI scope under which a server in front leaves a function that takes a `Note`."""


@dataclass(frozen=True, slots=True)
class Note:
    """What an answer is made of. It is newest only where it is not an earlier rendering whose successor rests
    until `until`, in seconds of the wall clock."""

    source: Source
    version: str
    etag: str
    is_newest: bool
    until: float


@dataclass(frozen=True, slots=True)
class Rendered:
    """A page as it was rendered. `until` is when it may be rendered again, in seconds of the wall clock that all
    processes share."""

    etag: str
    body: str
    until: float


def respond(
    request: HttpRequest,
    *,
    key: str,
    version: str,
    private: bool,
    render: Callable[[], str],
    source: Source | None = None,
) -> HttpResponse:
    """Answer with the page, or with 304 when the browser has it. `render` runs only when nothing fits.

    With `source` the version is that of `open_versions`, and a server in front may repeat a public answer.
    """
    language = get_language() or settings.LANGUAGE_CODE
    etag = f'"{_short(key)}-{version}-{language}-{"private" if private else "open"}-{design_version()}"'
    if _has(request, etag):
        _tell_front(request, source, version, etag, private)
        return _finish(HttpResponseNotModified(), etag, private)
    slot = f"page:{key}:{language}:{'private' if private else 'open'}"
    page: Rendered | None = cache.get(slot)
    if page is None or (page.etag != etag and not time.time() < page.until <= time.time() + LONGEST):
        page = _rendered(slot, etag, page, render)
    is_newest = page.etag == etag
    _tell_front(request, source, version, page.etag, private, until=0.0 if is_newest else page.until)
    if _has(request, page.etag):
        return _finish(HttpResponseNotModified(), page.etag, private)
    return _finish(HttpResponse(page.body), page.etag, private)


def _tell_front(
    request: HttpRequest, source: Source | None, version: str, etag: str, private: bool, until: float = 0.0
) -> None:
    """Leave a note for the server in front, where there is one and the answer is for everybody."""
    take = request.META.get("asgi.scope", {}).get(FRONT)
    if take is not None and source is not None and not private:
        take(Note(source, version, etag, not until, until))


def _rendered(slot: str, etag: str, before: Rendered | None, render: Callable[[], str]) -> Rendered:
    """The page rendered anew; the one before while somebody else is rendering it already."""
    making = f"{slot}:making"
    is_mine = cache.add(making, True, CLAIMED)
    if before is not None and not is_mine:
        return before
    try:
        began = time.time()
        body = render()
        ended = time.time()
        page = Rendered(etag, body, ended + _pause(ended - began))
        cache.set(slot, page, KEPT)
    finally:
        if is_mine:
            cache.delete(making)
    return page


def _pause(took: float) -> float:
    """How long a page that took so long to render rests; 0 where the settings say that nothing rests."""
    least = float(getattr(settings, "PAGE_PAUSE_SECONDS", PAUSE))
    return min(LONGEST, max(least - took, SHARE * took)) if least else 0.0


def _has(request: HttpRequest, etag: str) -> bool:
    """Whether If-None-Match names the ETag; a proxy may have weakened it."""
    sent = request.headers.get("If-None-Match", "")
    return any(one.strip().removeprefix("W/") == etag for one in sent.split(","))


def _finish(response: HttpResponse, etag: str, private: bool) -> HttpResponse:
    response.headers["ETag"] = etag
    response.headers["Cache-Control"] = "private, no-cache" if private else "no-cache"
    patch_vary_headers(response, ["Accept-Language", "Cookie"])
    return response


def _short(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()[:12]


@lru_cache(maxsize=1)
def design_version() -> str:
    """Changes with the templates and code of the pages, so that an upgrade reaches every browser."""
    base = Path(settings.BASE_DIR)
    digest = hashlib.sha256()
    for folder, pattern in (
        ("templates", "**/*.html"),
        ("scoring/pages", "*.py"),
        ("fortytwo", "*.py"),
        ("tournaments", "templatetags/*.py"),
    ):
        for path in sorted((base / folder).glob(pattern)):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:8]
