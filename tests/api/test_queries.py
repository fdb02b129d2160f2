"""How many queries an answer takes: the same for one item and for thirty, and pinned for the writes of play."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.models import Finding
from tables.models import Hold, JudgeCall
from tests.support.callers import VISITOR, Caller
from tests.support.events import GAMES, Event, games, make_tournament, new_entries
from tests.support.hands import SEATS
from tournaments.services.entry import entries_add

pytestmark = pytest.mark.django_db

KINDS = ("SELECT", "INSERT", "UPDATE", "DELETE")


def queries(act: Callable[[], Any]) -> int:
    """Statements that read or write; savepoints are left out, since tests alone have them."""
    with CaptureQueriesContext(connection) as captured:
        answer = act()
    assert answer.status_code < 300, answer.content
    return sum(query["sql"].startswith(KINDS) for query in captured)


def event_of(size: int) -> Event:
    """An event in which there is `size` of everything that is listed."""
    event = make_tournament(max(size, 2), published=False, running=False)
    client = event.owner.client
    client.post(f"{event.path}tables/", {"count": size})
    client.post(f"{event.path}stages/1/draw/")
    client.post(f"{event.path}stages/1/publish/")
    client.post(f"{event.path}start/")
    for number in range(size - 1):
        make_tournament(0, published=False, name=f"Other {number}")
    match = event.matches("ready")[0]
    for number in range(1, size + 1):
        client.put(f"/api/v1/matches/{match.pk}/games/1/hands/{number}/", {"level": "bid", "thrown_in": True})
        client.post(f"{event.path}messages/", {"text": f"Message {number}"})
        client.post(f"{event.path}invitations/", {"role": "desk"})
        with_case(event, number)
    fill_floor(event, size)
    return event


def fill_floor(event: Event, size: int) -> None:
    """`size` calls for a judge at one match, and as many matches held back."""
    match = event.matches("ready", "playing")[0]
    JudgeCall.objects.bulk_create(JudgeCall(match=match, called_label=f"table {one}") for one in range(size))
    held = event.matches()[:size]
    Hold.objects.bulk_create(Hold(match=one, held_label="desk") for one in held)


def with_case(event: Event, number: int) -> None:
    """Case `number` of fair play."""
    match = event.matches()[0]
    Finding.objects.create(
        tournament=event.tournament,
        number=number,
        detector="clock",
        version=1,
        tier="C",
        subject=f"{match.pk} {number}",
        code="record_impossible",
        match=match,
        body={"facts": {}, "figures": [], "toward": [], "away": [], "reasons": []},
        fingerprint=f"{number:064}",
    )


LISTS = [
    ("/api/v1/tournaments/", "visitor", 1),
    ("/api/v1/players/", "visitor", 1),
    ("/api/v1/teams/", "visitor", 1),
    ("{path}entries/", "visitor", 3),
    ("{path}matches/", "visitor", 3),
    ("{path}bracket/", "visitor", 8),
    ("{path}standings/", "visitor", 9),
    ("{path}tables/", "visitor", 4),
    ("{path}officials/", "owner", 4),
    ("{path}invitations/", "owner", 5),
    ("{path}messages/", "visitor", 3),
    ("{path}messages/?all=1", "owner", 5),
    ("{path}holds/", "owner", 5),
    ("{path}judge-calls/", "owner", 5),
    ("{path}findings/", "owner", 4),
    ("/api/v1/matches/{match}/judge-calls/", "owner", 5),
    ("{path}log/", "owner", 4),
    ("/api/v1/matches/{match}/", "visitor", 4),
    ("/api/v1/matches/{match}/games/", "visitor", 4),
    ("/api/v1/matches/{match}/result/", "visitor", 3),
]


def test_lists_take_the_same_number_of_queries_for_one_item_and_for_thirty() -> None:
    counted: list[dict[str, int]] = []
    for size in (1, 30):
        event = event_of(size)
        match = event.matches("ready", "playing")[0].pk
        callers: dict[str, Caller] = {"visitor": VISITOR, "owner": event.owner}
        counts = {}
        for pattern, name, _ in LISTS:
            path = pattern.format(path=event.path, match=match)
            client = callers[name].client
            counts[pattern] = queries(lambda client=client, path=path: client.get(path))
        counted.append(counts)
    assert counted[0] == counted[1] == {pattern: number for pattern, _, number in LISTS}


def test_unchanged_part_is_answered_with_few_queries() -> None:
    event = make_tournament(4)
    client = VISITOR.client
    for part, number in (("", 2), ("bracket/", 3), ("standings/", 3), ("tables/", 2)):
        etag = client.get(f"{event.path}{part}")["ETag"]
        with CaptureQueriesContext(connection) as captured:
            answer = client.get(f"{event.path}{part}", HTTP_IF_NONE_MATCH=etag)
        assert (answer.status_code, len(captured)) == (304, number), part


def test_entering_and_drawing_hardly_take_more_queries_for_a_large_field() -> None:
    """Rows are inserted in batches, and SQLite takes 999 values in one statement."""
    counts = []
    for teams in (8, 120):
        event = make_tournament(0, published=False)
        client = event.owner.client
        body = {"entries": new_entries(teams)}
        counts.append(
            [
                queries(
                    lambda client=client, event=event, body=body: client.post(
                        f"{event.path}entries/import/", body
                    )
                ),
                *(
                    queries(
                        lambda client=client, event=event, act=act: client.post(
                            f"{event.path}stages/1/{act}/"
                        )
                    )
                    for act in ("draw", "publish")
                ),
            ]
        )
    assert counts[0][2] == counts[1][2]
    assert [more - few < 12 for few, more in zip(*counts, strict=True)] == [True] * 3


def test_advance_takes_the_same_number_of_queries_in_any_field() -> None:
    counts = []
    for teams in (8, 64):
        event = make_tournament(teams)
        event.play("M1")
        path = f"{event.path}stages/1/advance/"
        counts.append(queries(lambda event=event, path=path: event.owner.client.post(path)))
    assert counts[0] == counts[1] == 15


def open_hand(event: Event, who: Caller) -> str:
    """A hand up to its trump: north bids 84 on sixes, so the first trick that it loses ends the hand."""
    client = who.client
    match = event.match("M1")
    opened = client.put(f"/api/v1/matches/{match.pk}/games/1/hands/1/", {"level": "full", "shaker": "W"})
    path = f"/api/v1/hands/{opened.json()['id']}/"
    for seq, (seat, call) in enumerate(zip("NESW", ["84", "pass", "pass", "pass"], strict=True), start=1):
        assert client.put(f"{path}calls/{seq}/", {"seat": seat, "call": call}).status_code == 201
    assert client.put(f"{path}trump/", {"trump": "6"}).status_code == 201
    return path


@pytest.mark.parametrize(("who", "middle", "last"), [("table", 9, 17), ("owner", 10, 18)])
def test_one_play_and_the_play_that_ends_a_match(who: str, middle: int, last: int) -> None:
    event = make_tournament(2, kind="single-elimination", stage={"best_of": 1}, rules={"target": 2})
    caller = event.table_link(event.match("M1")) if who == "table" else event.owner
    path = open_hand(event, caller)
    client = caller.client
    counts = []
    for seq, (seat, tile) in enumerate(zip(SEATS, ["6-0", "6-6", "1-0", "2-0"], strict=True), start=1):
        body = {"seat": seat, "tile": tile}
        counts.append(queries(lambda seq=seq, body=body: client.put(f"{path}plays/{seq}/", body)))
    again = queries(lambda: client.put(f"{path}plays/4/", {"seat": "W", "tile": "2-0"}))

    assert event.match("M1").state == "entered"
    assert counts[1:] == [middle, middle, last]
    assert again < middle


def test_results_take_few_queries_with_authentication_counted() -> None:
    event = make_tournament(8)
    first, second = event.match("M2"), event.match("M3")
    sides = event.side_links(first)
    desk = {"games": games(GAMES["NS"]), "desk": True, "reason": "paper slip"}
    counts = [
        queries(lambda: sides["NS"].client.put(f"/api/v1/matches/{first.pk}/result/", {"scores": "7-4,7-3"})),
        queries(
            lambda: sides["EW"].client.post(
                f"/api/v1/matches/{first.pk}/result/confirm/",
                {"version": 1},
                headers={"Idempotency-Key": "1"},
            )
        ),
        queries(lambda: event.owner.client.put(f"/api/v1/matches/{second.pk}/result/", desk)),
    ]
    assert (event.match("M2").state, event.match("M3").state) == ("confirmed", "confirmed")
    assert counts == [10, 12, 9]


def test_more_results_are_moved_on_with_hardly_more_queries() -> None:
    counts = []
    for played in (1, 6):
        event = make_tournament(64)
        for match in event.open_matches()[:played]:
            event.play(match.code)
        path = f"{event.path}stages/1/advance/"
        counts.append(queries(lambda event=event, path=path: event.owner.client.post(path)))
    assert counts == [15, 16]


def test_team_is_entered_among_hundreds_with_the_same_number_of_queries() -> None:
    counts = []
    for teams in (2, 300):
        event = make_tournament(0, published=False)
        entries_add(tournament_id=event.tournament.pk, entries=new_entries(teams), actor=event.owner.actor)
        body = {"name": "One more", "players": ["Ann", "Bea"]}
        counts.append(
            queries(lambda event=event, body=body: event.owner.client.post(f"{event.path}entries/", body))
        )
    assert counts[0] == counts[1]
