"""Fixtures of the table page: nothing rests in the cache from one test to the next."""

import pytest
from django.core.cache import cache


@pytest.fixture(autouse=True)
def _fresh_cache():  # type: ignore[no-untyped-def]
    """Tries to sign in are limited, and pages are kept for a moment."""
    cache.clear()
    yield
    cache.clear()
