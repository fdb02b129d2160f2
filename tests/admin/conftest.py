"""Fixtures of the admin: an event of four teams with its owner at the desk."""

import os
from collections.abc import Iterator

import pytest
from django.core.cache import cache

from tests.admin.desk import Desk, staff
from tests.support.events import Event, make_tournament

# The browser's event loop runs in this thread until the session ends, and Django must not mind.
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


@pytest.fixture
def event(db: None) -> Event:
    return make_tournament(4)


@pytest.fixture
def desk(event: Event) -> Desk:
    """The event's owner; no administrator."""
    return staff(event.owner)
