"""Event streams: what a browser hears, when a stream ends, and who may open one."""

import socket
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime

import httpx
import pytest

from deploy.front.asgi import Scope
from deploy.front.events import WAITING, Listener
from tests.deploy.streams import Rows, follow, served


def _ago(seconds: float) -> str:
    return str(int((datetime.now(UTC).timestamp() - seconds) * 1000))


def test_stream_names_the_changed_parts() -> None:
    rows = Rows()
    with served(rows) as site, follow(site.url, "open") as stream:
        first = stream.block()
        assert first["retry"] == "2000"
        assert first["id"].isdigit()
        rows.rows += [
            rows.add("open", "home", 12),
            rows.add("other", "home", 99),
            rows.add("open", "match:M12", 4),
        ]
        heard: dict[str, int] = {}
        while len(heard) < 2:
            name, data = stream.event()
            assert name == "revision"
            assert data["tournament"] == "open"
            heard |= data["parts"]
    assert heard == {"home": 12, "match:M12": 4}


def test_stream_carries_the_headers_of_the_site() -> None:
    with served(Rows()) as site, follow(site.url, "open") as stream:
        headers = stream.response.headers
    assert headers["content-type"] == "text/event-stream; charset=utf-8"
    assert headers["cache-control"] == "no-store"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"


def test_event_id_is_the_newest_time_of_change() -> None:
    rows = Rows()
    with served(rows) as site, follow(site.url, "open") as stream:
        stream.block()
        row = rows.add("open", "home", 1)
        block = stream.block()
        while "event" not in block:
            block = stream.block()
    assert block["id"] == str(int(row.changed_at.timestamp() * 1000))


def test_change_that_commits_late_is_heard_once() -> None:
    rows = Rows()
    with served(rows) as site, follow(site.url, "open") as stream:
        rows.add("open", "home", 1)
        assert stream.event()[1]["parts"] == {"home": 1}
        rows.add("open", "tables", 7, late=3)
        assert stream.event()[1]["parts"] == {"tables": 7}
        rows.add("open", "bracket", 2)
        assert stream.event()[1]["parts"] == {"bracket": 2}


def test_silence_is_filled_with_comments() -> None:
    with served(Rows()) as site, follow(site.url, "open") as stream:
        stream.block()
        assert stream.block() == {"": "still here"}


@pytest.mark.parametrize("how", ["header", "query"])
def test_returning_browser_hears_what_it_missed(how: str) -> None:
    rows = Rows()
    rows.add("open", "home", 3, late=100)
    rows.add("open", "bracket", 5, late=30)
    rows.add("other", "bracket", 6, late=30)
    with served(rows) as site:
        time.sleep(0.2)
        query, headers = ("", {"Last-Event-ID": _ago(60)}) if how == "header" else (f"&since={_ago(60)}", {})
        with follow(site.url, "open", query=query, **headers) as stream:
            assert stream.event() == ("revision", {"tournament": "open", "parts": {"bracket": 5}})


def test_page_without_an_id_hears_the_last_minute() -> None:
    rows = Rows()
    rows.add("open", "home", 3, late=200)
    rows.add("open", "bracket", 5, late=10)
    with served(rows) as site, follow(site.url, "open") as stream:
        assert stream.event()[1]["parts"].get("bracket") == 5


def test_browser_that_slept_too_long_is_told_to_fetch_everything() -> None:
    with served(Rows()) as site, follow(site.url, "open", query=f"&since={_ago(86400)}") as stream:
        assert stream.event() == ("reset", {"tournament": "open"})


@pytest.mark.parametrize("since", ["yesterday", "-1", "9" * 30, "1e3", "٣"])
def test_unreadable_id_is_refused(since: str) -> None:
    with served(Rows()) as site:
        answer = httpx.get(f"{site.url}/api/v1/events/", params={"tournament": "open", "since": since})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_event_id")


@pytest.mark.parametrize("query", ["", "?tournament=", "?tournament=unknown"])
def test_unknown_tournament_is_not_found(query: str) -> None:
    with served(Rows()) as site:
        answer = httpx.get(f"{site.url}/api/v1/events/{query}")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_other_methods_are_refused() -> None:
    with served(Rows()) as site:
        answer = httpx.post(f"{site.url}/api/v1/events/?tournament=open")
    assert (answer.status_code, answer.json()["code"], answer.headers["allow"]) == (
        405,
        "method_not_allowed",
        "GET",
    )


def test_foreign_host_is_refused() -> None:
    with served(Rows()) as site:
        answer = httpx.get(f"{site.url}/api/v1/events/?tournament=open", headers={"Host": "evil.example"})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_host")


def test_streams_beyond_the_limit_are_refused_and_places_come_back() -> None:
    with served(Rows(), max_streams=1) as site:
        with follow(site.url, "open") as stream:
            stream.block()
            answer = httpx.get(f"{site.url}/api/v1/events/?tournament=open")
            assert (answer.status_code, answer.json()["code"]) == (503, "too_many_streams")
        _wait_until(lambda: len(site.front.streams) == 0)
        with follow(site.url, "open") as stream:
            assert stream.block()["retry"] == "2000"


def test_followers_are_asked_again_when_a_tournament_turns_private() -> None:
    rows = Rows()
    allowed = {"yes": True}

    async def may_follow(scope: Scope, slug: str) -> bool:
        return allowed["yes"]

    with served(rows, may_follow=may_follow) as site:
        with follow(site.url, "open") as stream:
            rows.add("open", "home", 1)
            assert stream.event()[1]["parts"] == {"home": 1}
            allowed["yes"] = False
            rows.add("open", "home", 2, visibility="private")
            assert [block for block in stream.rest() if "event" in block] == []
        answer = httpx.get(f"{site.url}/api/v1/events/?tournament=open")
    assert answer.status_code == 404


def test_open_tournament_needs_no_database_to_be_followed() -> None:
    rows = Rows()
    rows.add("open", "home", 1)

    async def broken(scope: Scope, slug: str) -> bool:
        raise AssertionError

    with served(rows, may_follow=broken) as site:
        _wait_until(lambda: len(rows.polls) > 1)
        with follow(site.url, "open") as stream:
            assert stream.block()["retry"] == "2000"


def test_streams_live_through_a_database_that_is_away() -> None:
    rows = Rows()
    with served(rows) as site, follow(site.url, "open") as stream:
        stream.block()
        rows.broken = True
        polls = len(rows.polls)
        _wait_until(lambda: len(rows.polls) > polls + 1)
        rows.add("open", "home", 1)
        rows.broken = False
        assert stream.event()[1]["parts"] == {"home": 1}


def test_database_that_is_away_refuses_unknown_followers_for_now() -> None:
    async def broken(scope: Scope, slug: str) -> bool:
        raise ConnectionError

    with served(Rows(), may_follow=broken) as site:
        answer = httpx.get(f"{site.url}/api/v1/events/?tournament=open")
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")


def test_clock_that_was_ahead_does_not_hide_changes() -> None:
    rows = Rows()
    rows.add("open", "home", 1, late=-3600)
    with served(rows) as site, follow(site.url, "open") as stream:
        while stream.event()[1]["parts"].get("home") != 1:
            pass
        rows.add("open", "bracket", 1)
        assert stream.event()[1]["parts"]["bracket"] == 1


def test_server_stops_at_once_though_streams_are_open() -> None:
    with served(Rows(), heartbeat=60) as site, follow(site.url, "open") as stream:
        stream.block()
        started = time.monotonic()
        site.server.should_exit = True
        assert stream.rest() == []
        site.thread.join(5)
        assert not site.thread.is_alive()
        assert time.monotonic() - started < 1.5


def test_browser_that_leaves_frees_its_place() -> None:
    with served(Rows(), heartbeat=60) as site:
        with follow(site.url, "open") as stream:
            stream.block()
            assert len(site.front.streams) == 1
        _wait_until(lambda: len(site.front.streams) == 0)


def test_listener_that_does_not_read_is_ended() -> None:
    listener = Listener()
    assert [listener.put(b"x") for _ in range(WAITING + 1)] == [True] * WAITING + [False]


def test_hundreds_of_streams_hear_the_same_change() -> None:
    rows = Rows()
    with served(rows, max_streams=400, heartbeat=60) as site:
        address = site.url.removeprefix("http://").split(":")
        request = b"GET /api/v1/events/?tournament=open HTTP/1.1\r\nHost: localhost\r\n\r\n"
        sockets = []
        for _ in range(300):
            sockets.append(socket.create_connection((address[0], int(address[1])), timeout=10))
            sockets[-1].sendall(request)
        _wait_until(lambda: len(site.front.streams) == 300)
        rows.add("open", "home", 8)
        for connection in sockets:
            heard = b""
            while b'"home":8' not in heard:
                piece = connection.recv(4096)
                assert piece
                heard += piece
            connection.close()
        assert threading.active_count() < 30


def test_everything_else_goes_to_django_without_ambiguous_headers() -> None:
    with served(Rows()) as site:
        answer = httpx.get(f"{site.url}/x?q=%C3%A9", headers={"X_Forwarded_For": "me", "X-Real": "1"})
    assert answer.json()["query"] == "q=%C3%A9"
    assert "x-real" in answer.json()["headers"]
    assert "x_forwarded_for" not in answer.json()["headers"]


def _wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 5
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)
