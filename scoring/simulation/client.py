"""A client of the REST API that outlives a server which is killed and started again.

Every request may be sent twice: PUTs name their place, POSTs carry an Idempotency-Key. So a lost
connection, a busy database (503) and a first request that is still running (409) are simply tried again.
"""

import asyncio
import json
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import httpx

BASE = "/api/v1/"
PATIENCE = 120.0  # seconds without any answer after which the server counts as lost
PAUSES = (0.05, 0.1, 0.2, 0.5, 1.0)  # seconds before the next try
DEFECTS = 3  # answers of 500 to one request after which it is given up
KEYLESS_AFTER = 4  # tries after which a POST that is harmless to repeat goes without its key


class SimulationError(Exception):
    """The event cannot be played to its end; the text says why."""


class ServerLostError(SimulationError):
    """Nobody answers at the address."""


class RefusedError(SimulationError):
    """The server refused what should have been taken, or took what should have been refused."""

    def __init__(self, what: str, answer: "Answer") -> None:
        super().__init__(f"{what}: {answer.status} {answer.code} {answer.detail}".rstrip())
        self.answer = answer


@dataclass(frozen=True, slots=True)
class Answer:
    """A final answer: the server's last word on the request."""

    status: int
    body: dict[str, Any]
    etag: str = ""

    @property
    def ok(self) -> bool:
        return self.status < 400

    @property
    def code(self) -> str:
        return str(self.body.get("code", "")) if not self.ok else ""

    @property
    def detail(self) -> str:
        fields = self.body.get("fields")
        return f"{self.body.get('detail', '')} {json.dumps(fields) if fields else ''}".strip()


@dataclass(slots=True)
class Figures:
    """What was measured. Latencies are in seconds, of answered requests only."""

    writes: list[float] = field(default_factory=list)
    reads: list[float] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    """Wrong tries by the code with which they were refused."""
    unexpected: Counter[str] = field(default_factory=Counter)
    """Refusals of what should have been taken."""
    repeated: Counter[str] = field(default_factory=Counter)
    """Requests sent again, by the reason."""


class Api:
    """Use as `async with Api(url) as api`; `auth` is the whole header, "Token ..." or "Link ..."."""

    def __init__(
        self,
        base_url: str,
        *,
        connections: int = 8,
        patience: float = PATIENCE,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self.figures = Figures()
        self._patience = patience
        self._answered_at = time.monotonic()
        self._room = asyncio.Semaphore(connections)
        self._http = httpx.AsyncClient(
            base_url=base_url.rstrip("/"),
            transport=transport,
            timeout=httpx.Timeout(40.0, connect=5.0),
            limits=httpx.Limits(max_connections=connections, max_keepalive_connections=connections),
            trust_env=False,
        )

    async def __aenter__(self) -> "Api":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.aclose()

    async def get(self, path: str, *, auth: str = "", etag: str = "") -> Answer:
        """The answer, whose status is 304 when `etag` still stands."""
        return await self._send("GET", path, auth=auth, headers={"If-None-Match": etag} if etag else {})

    async def put(self, path: str, body: Any, *, auth: str) -> Answer:
        return await self._send("PUT", path, auth=auth, body=body)

    async def post(
        self, path: str, body: Any = None, *, auth: str, key: str, repeatable: bool = True
    ) -> Answer:
        """`repeatable` says that doing it twice is harmless even without the key."""
        return await self._send("POST", path, auth=auth, body=body or {}, key=key, repeatable=repeatable)

    async def wrong(self, method: str, path: str, body: Any, *, auth: str, code: str = "") -> Answer:
        """Try what must be refused, by the rules with `code` where it is given.

        Raises RefusedError when it is taken or when the rules refuse it for another reason. A conflict is a
        good answer too: what is right was stored before an answer was lost.
        """
        answer = await self._send(method, path, auth=auth, body=body)
        if answer.ok:
            raise RefusedError(f"{method} {path} was taken though it is wrong", answer)
        if code and answer.status == 422 and answer.code != code:
            raise RefusedError(f"{method} {path} was not refused as {code}", answer)
        self.figures.refused[answer.code] += 1
        return answer

    def expect(self, what: str, answer: Answer, *also: str) -> Answer:
        """The answer when it is good or a refusal with one of the codes in `also`; RefusedError else."""
        if not answer.ok and answer.code not in also:
            self.figures.unexpected[answer.code or str(answer.status)] += 1
            raise RefusedError(what, answer)
        return answer

    async def _send(
        self,
        method: str,
        path: str,
        *,
        auth: str,
        body: Any = None,
        key: str = "",
        repeatable: bool = False,
        headers: dict[str, str] | None = None,
    ) -> Answer:
        defects = running = tries = 0
        while True:
            head = {**(headers or {}), **({"Authorization": auth} if auth else {})}
            if key and not (repeatable and running >= KEYLESS_AFTER):
                head["Idempotency-Key"] = key
            try:
                answer = await self._once(method, path, body, head)
            except httpx.TransportError as error:
                again = type(error).__name__
                if time.monotonic() - self._answered_at > self._patience:
                    raise ServerLostError(
                        f"No answer from {self._http.base_url} for {self._patience:.0f} s ({again})."
                    ) from error
            else:
                again = _why_again(answer)
                running += answer.code == "request_running"
                defects += answer.status == 500
                if not again or defects >= DEFECTS:
                    return answer
            self.figures.repeated[again] += 1
            await asyncio.sleep(PAUSES[min(tries, len(PAUSES) - 1)])
            tries += 1

    async def _once(self, method: str, path: str, body: Any, headers: dict[str, str]) -> Answer:
        async with self._room:
            started = time.monotonic()
            response = await self._http.request(method, BASE + path, json=body, headers=headers)
        self._answered_at = time.monotonic()
        times = self.figures.reads if method == "GET" else self.figures.writes
        times.append(self._answered_at - started)
        return Answer(response.status_code, _json(response), response.headers.get("ETag", ""))


def _why_again(answer: Answer) -> str:
    """Why the request is to be sent again, "" when the answer is final."""
    if answer.status in (500, 502, 503, 504):
        return str(answer.status)
    return answer.code if answer.code == "request_running" else ""


def _json(response: httpx.Response) -> dict[str, Any]:
    try:
        found = response.json()
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {"items": found}
