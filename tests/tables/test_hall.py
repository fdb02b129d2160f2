"""Rooms and tables: set up, opened, reserved, fixed for a team."""

from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tables.models import Room, Table
from tables.services.hall import table_update, tables_add
from tests.tables.event import account, make_event
from tournaments.errors import Refusal
from tournaments.models import LogEntry
from tournaments.selectors import revision_numbers
from tournaments.services.entry import entry_withdraw

pytestmark = pytest.mark.django_db


def test_tables_add_takes_the_next_numbers() -> None:
    event = make_event(start=False)
    tables_add(tournament_id=event.id, numbers=[3, 1], room="Annex", actor=event.owner)
    made = tables_add(tournament_id=event.id, count=2, room="Annex", actor=event.owner)
    assert [table.number for table in made] == [4, 5]
    assert list(Table.objects.filter(tournament=event.id).values_list("number", "room__name", "state")) == [
        (number, "Annex", "open") for number in (1, 3, 4, 5)
    ]
    assert Room.objects.filter(tournament=event.id).count() == 1
    assert revision_numbers(event.id, ["tables"])["tables"] >= 2
    newest = LogEntry.objects.filter(tournament=event.id, action="tables.added").latest("at")
    assert newest.facts == {"numbers": [4, 5], "room": "Annex"}


@pytest.mark.parametrize(
    ("wanted", "code", "status"),
    [
        ({"numbers": [2, 7]}, "table_taken", 409),
        ({"numbers": [8, 8]}, "bad_numbers", 422),
        ({"numbers": [0]}, "bad_numbers", 422),
        ({"numbers": [10_000]}, "bad_numbers", 422),
        ({"count": 501}, "bad_count", 422),
        ({}, "bad_count", 422),
        ({"count": -1}, "bad_count", 422),
        ({"count": 1, "room": "x" * 81}, "bad_name", 422),
    ],
)
def test_tables_add_refuses_and_stores_nothing(wanted: dict[str, Any], code: str, status: int) -> None:
    event = make_event(start=False, tables=2)
    with pytest.raises(Refusal) as refusal:
        tables_add(tournament_id=event.id, actor=event.owner, **wanted)
    assert (refusal.value.code, refusal.value.status) == (code, status)
    assert Table.objects.filter(tournament=event.id).count() == 2


def test_tables_add_needs_the_desk() -> None:
    event = make_event(start=False)
    for actor in (account(), event.official("scorer")):
        with pytest.raises(Refusal) as refusal:
            tables_add(tournament_id=event.id, count=1, actor=actor)
        assert refusal.value.code == "role_required"
    assert len(tables_add(tournament_id=event.id, count=1, actor=event.official("desk"))) == 1


def test_tables_add_number_of_queries_does_not_grow(django_assert_num_queries: Any) -> None:
    event = make_event(start=False)
    with CaptureQueriesContext(connection) as one:
        tables_add(tournament_id=event.id, count=1, actor=event.owner)
    with django_assert_num_queries(len(one)):
        tables_add(tournament_id=event.id, count=30, actor=event.owner)


def test_table_update_changes_state_room_and_fixed_team() -> None:
    event = make_event(start=False, tables=1)
    team = event.team(event.match(1), "NS")
    table = table_update(
        table_id=event.table(1).pk, actor=event.owner, state="reserved", room="Hall", fixed_entry=team.pk
    )
    table.refresh_from_db()
    assert (table.state, str(table.room), table.fixed_entry) == ("reserved", "Hall", team)
    table_update(table_id=table.pk, actor=event.owner, fixed_entry=None, room="")
    table.refresh_from_db()
    assert (table.state, table.room, table.fixed_entry) == ("reserved", None, None)


def test_table_update_refuses_a_team_of_another_tournament() -> None:
    event, other = make_event(start=False, tables=1), make_event(start=False)
    stranger = other.team(other.match(1), "NS")
    with pytest.raises(Refusal) as refusal:
        table_update(table_id=event.table(1).pk, actor=event.owner, fixed_entry=stranger.pk)
    assert (refusal.value.code, refusal.value.status) == ("not_found", 404)


def test_table_update_refuses_a_team_fixed_elsewhere_or_out() -> None:
    event = make_event(tables=2)
    team = event.team(event.match(1), "NS")
    gone = event.team(event.match(2), "NS")
    table_update(table_id=event.table(1).pk, actor=event.owner, fixed_entry=team.pk)
    with pytest.raises(Refusal) as refusal:
        table_update(table_id=event.table(2).pk, actor=event.owner, fixed_entry=team.pk)
    assert (refusal.value.code, refusal.value.facts) == ("fixed_elsewhere", {"table": 1})
    entry_withdraw(entry_id=gone.pk, actor=event.owner)
    with pytest.raises(Refusal) as refusal:
        table_update(table_id=event.table(2).pk, actor=event.owner, fixed_entry=gone.pk)
    assert refusal.value.code == "entry_out"


def test_table_update_refuses_an_unknown_state_and_table() -> None:
    event = make_event(start=False, tables=1)
    with pytest.raises(Refusal) as refusal:
        table_update(table_id=event.table(1).pk, actor=event.owner, state="on fire")
    assert refusal.value.code == "unknown_state"
    with pytest.raises(Refusal) as refusal:
        table_update(table_id=UUID(int=1), actor=event.owner, state="open")
    assert refusal.value.code == "not_found"
