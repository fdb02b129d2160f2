"""Tiles over HTTP, one request each, as a phone at the table sends them: in mid-hand, and the one that ends a hand.

One scorer and four, each with matches of its own. The tiles of each hand are chosen beforehand by the engine.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fortytwo import Deal, Hand, Phase, Seat
from tests.bench.client import Connection, request, timed, together
from tests.bench.figures import Figure
from tests.bench.processor import Meter
from tests.bench.site import count_of, database_name, serving, table_links

if TYPE_CHECKING:
    from deploy.supervisor import Supervisor
    from scoring import models
    from tests.pages.event import Event
    from tournaments.models import Match

DATABASES = ("sqlite", "postgresql")
SCORERS = (1, 4)
HANDS = 20  # in each run; each is the first hand of a match
SEED = 42
GOALS = {("PostgreSQL", 4): ">= 150"}
MOST_QUERIES = "<= 12"
MOST_AT_THE_END = "<= 25"


@dataclass(frozen=True)
class Record:
    """One hand that is open for its first tile: the requests of mid-hand, and the one that ends it."""

    middle: list[bytes]
    last: bytes


@dataclass
class Seen:
    """Milliseconds of the requests."""

    middle: list[float] = field(default_factory=list)
    last: list[float] = field(default_factory=list)


def measure() -> list[Figure]:
    """Queries of a tile, then both numbers of scorers."""
    from tests.pages.event import event

    hands = HANDS * len(SCORERS)
    made = event(2 * hands + 4, name="Plays", tables=hands + 2)
    records = [_opened(made, match, number) for number, match in enumerate(made.live())]
    figures = [*_queries(records.pop()), _ending_queries()]
    with serving() as site:
        _warm_up(site.local_url, records.pop())
        for scorers in SCORERS:
            figures += _run(site, scorers, records[:HANDS])
            del records[:HANDS]
    return figures


def _opened(event: Event, match: Match, number: int) -> Record:
    """Deal, bid and name trump by the services; plan the tiles until the hand is over."""
    from scoring.services.hand import HandEntry, hand_put
    from scoring.services.play import call_put, trump_put
    from tournaments.rulesets import match_rules

    chance = random.Random(SEED + number)
    hand = Hand.start(match_rules(match), Seat("W"), Deal.shuffled(chance))
    row, _ = hand_put(
        match_id=match.pk,
        game_number=1,
        number=1,
        entry=HandEntry(level="full", shaker="W"),
        actor=event.owner,
    )
    for seq, call in enumerate(("30", "pass", "pass", "pass"), start=1):
        seat = hand.to_act
        call_put(hand_id=row.pk, seq=seq, seat=str(seat), call=call, actor=event.owner)
        hand = hand.call(seat, next(one for one in hand.legal_calls() if str(one) == call))
    trump = chance.choice(hand.legal_trumps())
    trump_put(hand_id=row.pk, trump=str(trump), actor=event.owner)
    return _planned(row, hand.name_trump(trump), table_links(event)[match.pk], chance)


def _planned(row: models.Hand, hand: Hand, auth: str, chance: random.Random) -> Record:
    sent: list[bytes] = []
    while hand.phase is Phase.PLAY:
        seat, tile = hand.to_act, chance.choice(hand.legal_plays())
        path = f"/api/v1/hands/{row.pk}/plays/{len(sent) + 1}/"
        sent.append(request("PUT", path, auth=auth, body={"seat": str(seat), "tile": str(tile)}))
        hand = hand.play(seat, tile)
    return Record(sent[:-1], sent[-1])


def _queries(record: Record) -> list[Figure]:
    """Statements of one tile, authentication counted, by the same requests in this process."""
    middle = [count_of(message) for message in record.middle]
    name = f"queries, {database_name()}"
    return [
        Figure(f"{name}: a tile in mid-hand", "", [max(middle)], MOST_QUERIES),
        Figure(f"{name}: a tile that ends a hand", "", [count_of(record.last)], MOST_AT_THE_END),
    ]


def _ending_queries() -> Figure:
    """Statements of the tile that ends the hand, the game and the match."""
    from tests.pages.event import event

    made = event(
        2, name="One hand", tables=1, kind="single-elimination", stage={"best_of": 1}, rules={"target": 1}
    )
    record = _opened(made, made.live()[0], 0)
    for message in record.middle:
        count_of(message)
    name = f"queries, {database_name()}: a tile that ends a match"
    return Figure(name, "", [count_of(record.last)], MOST_AT_THE_END)


def _warm_up(url: str, record: Record) -> None:
    with Connection(url) as connection:
        for message in (*record.middle, record.last):
            connection.good(message)


def _run(site: Supervisor, scorers: int, records: list[Record]) -> list[Figure]:
    seen, meter = Seen(), Meter(site)
    spent = together(site.local_url, [_work(records[place::scorers], seen) for place in range(scorers)])
    count = len(seen.middle) + len(seen.last)
    name = f"tiles, {database_name()}, {'1 scorer' if scorers == 1 else f'{scorers} scorers'}"
    return [
        Figure(f"{name}: recorded", "/s", [count / spent], GOALS.get((database_name(), scorers), "")),
        Figure(f"{name}: one in mid-hand", "ms", seen.middle),
        Figure(f"{name}: one that ends a hand", "ms", seen.last),
        *(
            Figure(f"{name}: processor, {process}", "ms", [1000 * taken / count])
            for process, taken in meter.spent().items()
        ),
    ]


def _work(records: list[Record], seen: Seen) -> Iterator[Callable[[Connection], None]]:
    for record in records:
        for message in record.middle:
            yield lambda connection, message=message: timed(connection, message, seen.middle)
        yield lambda connection, record=record: timed(connection, record.last, seen.last)
