"""Fixtures of the browser tests: the whole site, with pages that may be rendered again at once."""

import os
from collections.abc import Iterator

import pytest
from django.core.cache import cache

# The browser's event loop runs in this thread until the session ends, and Django must not mind, not even
# while it empties the database after the last fixture of a test is gone.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "1")


@pytest.fixture(autouse=True)
def _fresh_pages() -> Iterator[None]:
    """Empty cache before and after each test."""
    cache.clear()
    yield
    cache.clear()


@pytest.fixture(scope="session")
def base_url() -> str:
    """Pages are opened by their whole address. Stands in for a plugin's fixture that pytest warns about."""
    return ""
