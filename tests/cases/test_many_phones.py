"""Case O2: 400 phones on the standings during the finals, one cached page, fresh within seconds of a result."""

import asyncio
import time
from typing import Any

import httpx
import pytest
from django.conf import settings
from prometheus_client import REGISTRY

from tests.support.events import make_tournament
from tests.support.loops import run_apart

PHONES = 400
FRESH = 3.0  # seconds

pytestmark = [pytest.mark.timeout(120), pytest.mark.one_database]


def _everybody(address: str, etag: str = "") -> list[tuple[int, str, int]]:
    """What each phone gets."""
    return run_apart(_ask_all(address, etag))


async def _ask_all(address: str, etag: str) -> list[tuple[int, str, int]]:
    """Status, ETag and length of what each phone gets, all asking at once."""
    limits = httpx.Limits(max_connections=PHONES, max_keepalive_connections=PHONES)
    async with httpx.AsyncClient(limits=limits, timeout=60, trust_env=False) as client:

        async def ask() -> tuple[int, str, int]:
            answer = await client.get(address, headers={"If-None-Match": etag} if etag else {})
            return answer.status_code, answer.headers.get("ETag", ""), len(answer.content)

        return await asyncio.gather(*(ask() for _ in range(PHONES)))


def _asked_the_database() -> float:
    """Requests so far whose answer took a query."""
    return REGISTRY.get_sample_value("seven_marks_request_database_seconds_count") or 0.0


def test_400_phones_read_one_page(live_site: str, monkeypatch: Any) -> None:
    monkeypatch.setattr(settings, "PAGE_PAUSE_SECONDS", 0.5)
    event = make_tournament(8)
    for _ in range(6):
        event.play(event.open_matches()[0].code)
        event.advance()
    address = f"{live_site}/t/{event.slug}/standings/"
    httpx.get(address, timeout=30)
    before = _asked_the_database()

    first = _everybody(address)
    assert {status for status, _, _ in first} == {200}
    assert len(set(first)) == 1  # one page for all
    etag = first[0][1]
    assert etag
    assert {status for status, _, _ in _everybody(address, etag)} == {304}

    event.play(event.open_matches()[0].code)
    event.advance()
    started = time.monotonic()
    while httpx.get(address, headers={"If-None-Match": etag}, timeout=30).status_code == 304:
        assert time.monotonic() - started < FRESH
        time.sleep(0.05)
    time.sleep(0.6)  # longer than two renderings of a page are apart
    after = _everybody(address, etag)
    assert {status for status, _, _ in after} == {200}
    assert {tag for _, tag, _ in after} != {etag}
    assert len(set(after)) == 1

    # 1,200 phones asked; a database that heard of each would be a storm.
    assert _asked_the_database() - before < 3 * PHONES * 0.1
