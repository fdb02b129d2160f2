"""Hints to the worker: sent soon after the commit, equal ones once, never at the cost of a request."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction

from tournaments import queue
from tournaments.queue import _Outbox, enqueue

pytestmark = pytest.mark.django_db(transaction=True)

Sent = list[tuple[str, list[str]]]


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Sent:
    """What reaches the broker, by an outbox of the test's own that gathers as the site's does."""
    settings.HINTS_PAUSE_SECONDS = 0.05
    monkeypatch.setattr(queue, "_outbox", _Outbox())
    seen: Sent = []
    monkeypatch.setattr(
        "celery.current_app.send_task", lambda name, args, **_: seen.append((name, args)), raising=False
    )
    return seen


def wait_for(condition: Callable[[], bool]) -> None:
    until = time.monotonic() + 5
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.005)


def test_equal_hints_are_sent_once_after_the_commit(sent: Sent) -> None:
    with transaction.atomic():
        for number in (1, 2, 1, 1):
            enqueue("a.task", number)
        enqueue("another.task", 1)
        time.sleep(0.1)
        assert sent == []
    wait_for(lambda: len(sent) == 3)
    time.sleep(0.15)
    assert sent == [("a.task", ["1"]), ("a.task", ["2"]), ("another.task", ["1"])]


def test_hint_of_a_later_commit_is_sent_again(sent: Sent) -> None:
    enqueue("a.task", 1)
    wait_for(lambda: len(sent) == 1)
    enqueue("a.task", 1)
    wait_for(lambda: len(sent) == 2)


def test_no_hint_of_many_threads_is_lost(sent: Sent) -> None:
    threads = [
        threading.Thread(
            target=lambda start=start: [enqueue("a.task", number) for number in range(start, start + 50)]
        )
        for start in range(0, 400, 50)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wait_for(lambda: len(sent) == 400)
    assert sorted(int(args[0]) for _, args in sent) == list(range(400))


def test_broker_that_is_down_is_left_alone_for_a_while_and_costs_no_request(
    sent: Sent, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tries: list[str] = []

    def hang(name: str, **_: Any) -> None:
        tries.append(name)
        time.sleep(0.3)
        raise ConnectionError

    monkeypatch.setattr("celery.current_app.send_task", hang, raising=False)
    began = time.monotonic()
    for number in range(5):
        enqueue("a.task", number)
    assert time.monotonic() - began < 0.2
    wait_for(lambda: bool(caplog.records))
    time.sleep(0.1)
    assert tries == ["a.task"]
    assert "the sweep will find a.task" in caplog.text
