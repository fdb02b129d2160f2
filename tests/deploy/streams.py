"""A stand-in poll, a front on a real uvicorn in a thread, and a reader of server-sent events."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid5

import httpx

from deploy.front.app import Front
from deploy.front.asgi import Receive, Scope, Send
from tests.serving import Running, running

SPACE = UUID("00000000-0000-0000-0000-000000000042")


@dataclass(frozen=True)
class Changed:
    """A change as the database would tell it."""

    slug: str
    part: str
    number: int
    visibility: str = "public"
    changed_at: datetime = field(default_factory=lambda: datetime.now(UTC))

    @property
    def tournament_id(self) -> UUID:
        return uuid5(SPACE, self.slug.removeprefix("renamed-"))


class Rows:
    """The revision rows of a pretended database."""

    def __init__(self, *rows: Changed) -> None:
        self.rows = list(rows)
        self.polls: list[datetime] = []
        self.broken = False

    def add(
        self, slug: str, part: str, number: int, *, late: float = 0, visibility: str = "public"
    ) -> Changed:
        """Store a row; `late` seconds before now is its time of change."""
        row = Changed(slug, part, number, visibility, datetime.now(UTC) - timedelta(seconds=late))
        self.rows.append(row)
        return row

    def poll(self, moment: datetime) -> list[Changed]:
        """As `revisions_since`: the newest row of each part, oldest first."""
        self.polls.append(moment)
        if self.broken:
            raise ConnectionError("the database is away")
        newest = {(row.slug, row.part): row for row in self.rows}
        return sorted(
            (row for row in newest.values() if row.changed_at >= moment), key=lambda row: row.changed_at
        )


async def everybody(scope: Scope, slug: str) -> bool:
    """Lets all follow what exists."""
    return slug != "unknown"


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Stands in for Django: tells what it was handed."""
    told = {
        "query": scope["query_string"].decode("ascii"),
        "headers": [name.decode() for name, _ in scope["headers"]],
    }
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": json.dumps(told).encode()})


@contextmanager
def served(rows: Rows, **options: Any) -> Iterator[Running]:
    """Serve a front over `rows` until the block ends."""
    front = Front(
        **{
            "django": echo,
            "poll": rows.poll,
            "check": lambda sources: {},
            "may_follow": everybody,
            "max_streams": 50,
            "interval": 0.02,
            "heartbeat": 0.2,
            **options,
        }
    )
    with running(front) as site:
        yield site


class Stream:
    """Reads one event stream."""

    def __init__(self, response: httpx.Response) -> None:
        self.response = response
        self._blocks = self._read()

    def _read(self) -> Iterator[dict[str, str]]:
        block: dict[str, str] = {}
        for line in self.response.iter_lines():
            if line:
                name, _, value = line.partition(": ")
                block[name] = value
            else:
                yield block
                block = {}

    def block(self) -> dict[str, str]:
        """The next block, comments included (under an empty name)."""
        return next(self._blocks)

    def event(self) -> tuple[str, Any]:
        """The next event's name and data."""
        block = self.block()
        while "event" not in block:
            block = self.block()
        return block["event"], json.loads(block["data"])

    def rest(self) -> list[dict[str, str]]:
        """What comes until the stream ends."""
        return list(self._blocks)


@contextmanager
def follow(site: str, slug: str, *, query: str = "", **headers: str) -> Iterator[Stream]:
    """Open a stream and read its first block, which asks for a pause and sets the id."""
    url = f"{site}/api/v1/events/?tournament={slug}{query}"
    with httpx.stream("GET", url, headers=headers, timeout=5) as response:
        assert response.status_code == 200
        yield Stream(response)
