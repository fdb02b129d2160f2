"""Fixtures of the page tests: nothing rests in the cache from one test to the next."""

import pytest
from django.core.cache import cache


@pytest.fixture(autouse=True)
def _fresh_pages(settings, monkeypatch):  # type: ignore[no-untyped-def]
    """Empty cache, and pages that may be rendered again at once."""
    settings.PAGE_PAUSE_SECONDS = 0
    cache.clear()
    yield
    cache.clear()
