"""Calls by hand: call, move, start, free."""

from functools import partial
from typing import Any
from uuid import UUID

import pytest

from tables.models import Seating
from tables.services.assignment import tables_assign
from tables.services.calls import match_call, match_move, match_start, table_free
from tables.services.hall import table_update
from tests.tables.event import Event, account, holder, make_event
from tests.tables.threads import at_once
from tournaments.actors import Actor
from tournaments.enums import MatchState
from tournaments.errors import Refusal
from tournaments.models import LogEntry, Match
from tournaments.selectors import revision_numbers

pytestmark = pytest.mark.django_db


def refusal_of(act: Any, **arguments: Any) -> tuple[str, int]:
    """Code and status with which the service refuses."""
    with pytest.raises(Refusal) as refusal:
        act(**arguments)
    return refusal.value.code, refusal.value.status


@pytest.fixture
def event() -> Event:
    return make_event(teams=8, tables=4)


def test_call_puts_a_ready_match_at_a_table_once(event: Event) -> None:
    desk = event.official("desk")
    table_update(table_id=event.table(4).pk, actor=desk, state="reserved")
    first = match_call(match_id=event.match(2).pk, table_id=event.table(4).pk, actor=desk)
    again = match_call(match_id=event.match(2).pk, table_id=event.table(4).pk, actor=desk)
    assert first == again
    assert event.sitting() == {2: 4}
    assert event.match(2).state == MatchState.CALLED
    log = LogEntry.objects.get(tournament=event.id, action="match.called")
    assert (log.actor_label, log.facts) == (desk.label, {"table": 4})


def test_call_refuses_what_cannot_be(event: Event) -> None:
    one, two, late = event.match(1), event.match(2), event.match(5)
    match_call(match_id=one.pk, table_id=event.table(1).pk, actor=event.owner)
    table_update(table_id=event.table(3).pk, actor=event.owner, state="closed")

    def call(match: Match, table: int) -> tuple[str, int]:
        return refusal_of(match_call, match_id=match.pk, table_id=event.table(table).pk, actor=event.owner)

    assert call(two, 1) == ("table_busy", 409)
    assert call(one, 2) == ("match_seated", 409)
    assert call(two, 3) == ("table_closed", 409)
    assert call(late, 2) == ("teams_unknown", 409)
    event.play(two, "NS")
    assert call(two, 2) == ("already_confirmed", 409)
    assert event.sitting() == {1: 1}


def test_call_honours_fixed_tables(event: Event) -> None:
    one, two = event.match(1), event.match(2)
    team = event.team(one, "EW")
    table_update(table_id=event.table(2).pk, actor=event.owner, fixed_entry=team.pk)
    call = {"actor": event.owner, "match_id": one.pk, "table_id": event.table(1).pk}
    assert refusal_of(match_call, **call) == ("fixed_elsewhere", 409)
    call = {"actor": event.owner, "match_id": two.pk, "table_id": event.table(2).pk}
    assert refusal_of(match_call, **call) == ("table_kept", 409)
    match_call(match_id=one.pk, table_id=event.table(2).pk, actor=event.owner)
    assert event.sitting() == {1: 2}


def test_call_refuses_a_table_of_another_tournament(event: Event) -> None:
    """Case P1."""
    other = make_event(teams=4, tables=1)
    call = {"match_id": event.match(1).pk, "table_id": other.table(1).pk}
    assert refusal_of(match_call, actor=event.owner, **call) == ("not_found", 404)
    assert refusal_of(match_call, actor=other.owner, **call) == ("role_required", 403)
    call = {"match_id": event.match(1).pk, "table_id": UUID(int=1)}
    assert refusal_of(match_call, actor=event.owner, **call) == ("not_found", 404)


def test_call_before_the_start_is_refused() -> None:
    event = make_event(teams=4, tables=1, start=False)
    call = {"match_id": event.match(1).pk, "table_id": event.table(1).pk, "actor": event.owner}
    assert refusal_of(match_call, **call) == ("not_running", 409)
    assert refusal_of(match_start, match_id=event.match(1).pk, actor=event.owner) == ("not_running", 409)


@pytest.mark.parametrize("act", ["call", "move", "free"])
def test_calls_need_the_desk(event: Event, act: str) -> None:
    match, table = event.match(1), event.table(1)
    acts = {
        "call": (match_call, {"match_id": match.pk, "table_id": table.pk}),
        "move": (match_move, {"match_id": match.pk, "table_id": table.pk}),
        "free": (table_free, {"table_id": table.pk}),
    }
    service, arguments = acts[act]
    for actor in (account(), event.official("scorer"), make_event(teams=2).owner):
        assert refusal_of(service, actor=actor, **arguments) == ("role_required", 403)


def test_move_takes_the_match_with_it(event: Event) -> None:
    match = event.match(1)
    tables_assign(tournament_id=event.id)
    match_start(match_id=match.pk, actor=event.owner)
    event.play(event.match(4), "NS")
    first = match_move(match_id=match.pk, table_id=event.table(4).pk, actor=event.owner)
    again = match_move(match_id=match.pk, table_id=event.table(4).pk, actor=event.owner)
    assert first == again
    assert event.sitting() == {1: 4, 2: 2, 3: 3}
    assert event.match(1).state == MatchState.PLAYING
    assert Seating.objects.filter(match=match).count() == 2
    busy = {"match_id": match.pk, "table_id": event.table(2).pk, "actor": event.owner}
    assert refusal_of(match_move, **busy) == ("table_busy", 409)


def test_move_seats_a_match_under_way_without_a_table(event: Event) -> None:
    match = event.match(1)
    move = {"match_id": match.pk, "table_id": event.table(1).pk, "actor": event.owner}
    assert refusal_of(match_move, **move) == ("not_called", 409)
    match_start(match_id=match.pk, actor=event.owner)
    match_move(**move)
    assert event.sitting() == {1: 1}
    assert event.match(1).state == MatchState.PLAYING


def test_start_by_whoever_may_score_and_again(event: Event, table_actor: Any) -> None:
    tables_assign(tournament_id=event.id)
    match = event.match(1)
    actor: Actor = table_actor(event, 1)
    before = revision_numbers(event.id, ["tables", "match:M1"])
    started = match_start(match_id=match.pk, actor=actor)
    assert started.state == MatchState.PLAYING
    after = revision_numbers(event.id, ["tables", "match:M1"])
    assert all(after[part] == before[part] + 1 for part in before)
    again = match_start(match_id=match.pk, actor=actor)
    assert again.started_at == started.started_at
    assert revision_numbers(event.id, ["tables", "match:M1"]) == after
    other = {"match_id": event.match(2).pk, "actor": actor}
    assert refusal_of(match_start, **other) == ("not_your_match", 403)
    event.enter(match, "NS")
    assert match_start(match_id=match.pk, actor=actor).state == MatchState.ENTERED
    waiting = {"match_id": event.match(5).pk, "actor": event.owner}
    assert refusal_of(match_start, **waiting) == ("teams_unknown", 409)


def test_free_sends_a_called_match_back(event: Event) -> None:
    tables_assign(tournament_id=event.id)
    table = event.table(1)
    table_update(table_id=table.pk, actor=event.owner, state="reserved")
    table_free(table_id=table.pk, actor=event.owner)
    match = event.match(1)
    assert (match.state, match.called_at) == (MatchState.READY, None)
    assert event.sitting() == {2: 2, 3: 3, 4: 4}
    logged = LogEntry.objects.filter(tournament=event.id, action="table.freed").count()
    table_free(table_id=table.pk, actor=event.owner)
    assert LogEntry.objects.filter(tournament=event.id, action="table.freed").count() == logged == 1


def test_free_refuses_while_playing_and_lets_an_entered_match_wait(event: Event, table_actor: Any) -> None:
    tables_assign(tournament_id=event.id)
    match, table = event.match(1), event.table(1)
    match_start(match_id=match.pk, actor=event.owner)
    assert refusal_of(table_free, table_id=table.pk, actor=event.owner) == ("match_playing", 409)
    event.enter(match, "NS")
    table_free(table_id=table.pk, actor=event.owner)
    assert event.match(1).state == MatchState.ENTERED
    assert 1 not in event.sitting()
    assert table_actor(event, 1).match_id is None


@pytest.mark.django_db(transaction=True)
def test_two_officials_at_once_call_one_match_to_a_table() -> None:
    for _ in range(4):
        event = make_event(teams=8, tables=1)
        table = event.table(1)
        acts = [
            partial(match_call, match_id=event.match(number).pk, table_id=table.pk, actor=event.owner)
            for number in (1, 2, 3)
        ]
        answers = at_once(*acts, partial(tables_assign, tournament_id=event.id))
        codes = [answer.code for answer in answers if isinstance(answer, Refusal)]
        assert len(codes) >= 2
        assert set(codes) <= {"table_busy", "match_seated"}
        assert not [one for one in answers if isinstance(one, Exception) and not isinstance(one, Refusal)]
        assert list(event.sitting().values()) == [1]


@pytest.fixture
def table_actor() -> Any:
    """The holder of a table's link."""
    from tables.enums import LinkKind
    from tables.services.links import LinkTarget, link_issue

    def make(event: Event, number: int) -> Actor:
        target = LinkTarget(LinkKind.TABLE, event.table(number).pk)
        return holder(link_issue(target=target, actor=event.owner))

    return make
