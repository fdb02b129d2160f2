"""Pages rendered at most once per revision, and at most twice a second, however many people ask.

A cached body is impersonal: what concerns one reader (the own team) is added in the browser. One slot is
kept per page and language; it holds the newest rendering with its ETag. A reader who asks while a newer
revision is less than half a second old may get the one before it; its ETag and `data-rev` say so.
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

PAUSE = 0.5  # seconds between two renderings of one page
KEPT = 3600  # seconds that a page nobody asks for stays


@dataclass(frozen=True, slots=True)
class Rendered:
    """A page as it was rendered. `at` is in seconds of the wall clock, shared by all processes."""

    etag: str
    body: str
    at: float


def respond(
    request: HttpRequest, *, key: str, version: str, private: bool, render: Callable[[], str]
) -> HttpResponse:
    """Answer with the page, or with 304 when the browser has it. `render` runs only when nothing fits."""
    language = get_language() or settings.LANGUAGE_CODE
    etag = f'"{_short(key)}-{version}-{language}-{"private" if private else "open"}-{design_version()}"'
    if _has(request, etag):
        return _finish(HttpResponseNotModified(), etag, private)
    slot = f"page:{key}:{language}:{'private' if private else 'open'}"
    page: Rendered | None = cache.get(slot)
    if page is None or (page.etag != etag and time.time() - page.at >= PAUSE):
        page = Rendered(etag, render(), time.time())
        cache.set(slot, page, KEPT)
    if _has(request, page.etag):
        return _finish(HttpResponseNotModified(), page.etag, private)
    return _finish(HttpResponse(page.body), page.etag, private)


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
        ("tournaments", "templatetags/*.py"),
    ):
        for path in sorted((base / folder).glob(pattern)):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:8]
