"""The client outlives a server that dies, is busy or answers late, and tells wanted refusals from others."""

import json
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import httpx
import pytest

from scoring.simulation import client
from scoring.simulation.client import Answer, Api, RefusedError, ServerLostError
from tests.support.loops import run_apart

T = TypeVar("T")
Reply = httpx.Response | Exception


def reply(status: int, **body: Any) -> httpx.Response:
    return httpx.Response(status, json=body)


def ask(
    replies: list[Reply], what: Callable[[Api], Awaitable[T]], patience: float = 5.0
) -> tuple[T, list[httpx.Request], Api]:
    """What `what` returns from a server with these replies, and the requests that were sent."""
    sent: list[httpx.Request] = []

    def serve(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        found = replies[min(len(sent), len(replies)) - 1]
        if isinstance(found, Exception):
            raise found
        return found

    async def run() -> tuple[T, list[httpx.Request], Api]:
        async with Api("http://hall", patience=patience, transport=httpx.MockTransport(serve)) as api:
            return await what(api), sent, api

    return run_apart(run())


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "PAUSES", (0.001,))


def test_lost_and_busy_answers_are_asked_for_again() -> None:
    lost = httpx.ConnectError("refused")
    replies: list[Reply] = [lost, httpx.ReadError("reset"), reply(503, code="busy"), reply(200, ok=1)]
    answer, sent, api = ask(replies, lambda api: api.put("matches/1/result/", {"a": 1}, auth="Link x"))
    assert (answer.status, answer.body) == (200, {"ok": 1})
    assert [json.loads(request.content) for request in sent] == [{"a": 1}] * 4
    assert {request.headers["Authorization"] for request in sent} == {"Link x"}
    assert dict(api.figures.repeated) == {"ConnectError": 1, "ReadError": 1, "503": 1}
    assert len(api.figures.writes) == 2


def test_repeated_post_keeps_its_key_until_the_first_one_died() -> None:
    replies: list[Reply] = [*[reply(409, code="request_running")] * client.KEYLESS_AFTER, reply(200)]
    answer, sent, _ = ask(replies, lambda api: api.post("start/", auth="Token t", key="k"))
    assert answer.ok
    assert [request.headers.get("Idempotency-Key") for request in sent] == ["k"] * 4 + [None]


def test_post_that_must_not_be_done_twice_never_loses_its_key() -> None:
    replies: list[Reply] = [*[reply(409, code="request_running")] * 9, reply(201)]
    _, sent, _ = ask(replies, lambda api: api.post("tournaments/", auth="Token t", key="k", repeatable=False))
    assert {request.headers.get("Idempotency-Key") for request in sent} == {"k"}


def test_other_conflicts_are_final() -> None:
    answer, sent, _ = ask([reply(409, code="game_differs")], lambda api: api.put("x/", {}, auth=""))
    assert (answer.code, len(sent)) == ("game_differs", 1)


def test_defect_is_given_up_after_some_tries() -> None:
    answer, sent, _ = ask([reply(500)], lambda api: api.get("x/"))
    assert (answer.status, len(sent)) == (500, client.DEFECTS)


def test_server_that_never_answers_is_lost() -> None:
    with pytest.raises(ServerLostError, match="No answer from http://hall"):
        ask([httpx.ConnectError("refused")], lambda api: api.get("x/"), patience=0.05)


def test_wrong_try_has_to_be_refused() -> None:
    answer, _, api = ask(
        [reply(422, code="must_follow")], lambda api: api.wrong("PUT", "plays/3/", {}, auth="")
    )
    assert answer.status == 422
    assert dict(api.figures.refused) == {"must_follow": 1}
    with pytest.raises(RefusedError, match="was not refused as tile_played: 422 must_follow"):
        ask(
            [reply(422, code="must_follow")],
            lambda api: api.wrong("PUT", "plays/3/", {}, auth="", code="tile_played"),
        )
    with pytest.raises(RefusedError, match="was taken though it is wrong"):
        ask([reply(200)], lambda api: api.wrong("PUT", "plays/3/", {}, auth=""))


def test_refusal_of_what_is_right_says_why() -> None:
    async def expect(api: Api) -> Answer:
        return api.expect("M3 games/1/", await api.put("x/", {}, auth=""))

    with pytest.raises(RefusedError, match="M3 games/1/: 409 game_differs Other marks are stored"):
        ask([reply(409, code="game_differs", detail="Other marks are stored.")], expect)
