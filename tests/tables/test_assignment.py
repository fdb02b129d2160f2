"""Assignment with the database: who is called where, once, and what frees a table."""

import threading
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from tables import tasks
from tables.enums import LinkKind
from tables.models import AccessLink, SeatAssignment, Seating, Table
from tables.selectors.hall import tournaments_with_work
from tables.services import locks
from tables.services.assignment import tables_assign
from tables.services.calls import match_start
from tables.services.hall import table_update, tables_add
from tables.services.links import LinkTarget, link_issue
from tests.tables.event import SCORE, make_event
from tests.tables.threads import at_once
from tournaments.enums import MatchState, SettledWay, StageKind
from tournaments.models import EntryPlayer, LogEntry, Match
from tournaments.selectors import revision_numbers
from tournaments.services.correction import result_correct
from tournaments.services.entry import entry_substitute, entry_withdraw
from tournaments.services.locks import match_lock
from tournaments.services.result import match_forfeit, result_settle_locked


@pytest.mark.django_db
def test_assign_calls_ready_matches_to_free_tables() -> None:
    event = make_event(teams=8, tables=3)
    before = revision_numbers(event.id, ["home", "bracket", "tables", "match:M1", "match:M4"])
    made = tables_assign(tournament_id=event.id)
    assert len(made) == 3
    assert event.sitting() == {1: 1, 2: 2, 3: 3}
    first, last = event.match(1), event.match(4)
    assert (first.state, last.state) == (MatchState.CALLED, MatchState.READY)
    assert first.called_at == made[0].called_at
    after = revision_numbers(event.id, list(before))
    assert {part for part in before if after[part] > before[part]} == {
        "home",
        "bracket",
        "tables",
        "match:M1",
    }
    rows = LogEntry.objects.filter(tournament=event.id, action="match.called").order_by("match__number")
    assert [(row.actor_kind, row.match and row.match.number, row.facts) for row in rows] == [
        ("system", number, {"table": number}) for number in (1, 2, 3)
    ]


@pytest.mark.django_db
def test_assign_seats_partners_opposite_each_other() -> None:
    event = make_event(teams=4, tables=2)
    tables_assign(tournament_id=event.id)
    match = event.match(1)
    north_south, east_west = event.team(match, "NS"), event.team(match, "EW")
    players = {seat.seat: seat.player.name for seat in SeatAssignment.objects.filter(match=match)}
    assert players == {
        "N": f"First {north_south.number}",
        "S": f"Second {north_south.number}",
        "E": f"First {east_west.number}",
        "W": f"Second {east_west.number}",
    }


@pytest.mark.django_db
def test_assign_twice_is_once() -> None:
    event = make_event(teams=4, tables=4)
    assert len(tables_assign(tournament_id=event.id)) == 2
    assert tables_assign(tournament_id=event.id) == []
    assert Seating.objects.filter(match__tournament=event.id).count() == 2


@pytest.mark.django_db
def test_assign_waits_for_the_start(django_assert_num_queries: Any) -> None:
    event = make_event(teams=4, tables=2, start=False)
    with django_assert_num_queries(1):
        assert tables_assign(tournament_id=event.id) == []


@pytest.mark.django_db
def test_assign_skips_reserved_and_closed_tables() -> None:
    event = make_event(teams=8, tables=3)
    table_update(table_id=event.table(1).pk, actor=event.owner, state="reserved")
    table_update(table_id=event.table(2).pk, actor=event.owner, state="closed")
    tables_assign(tournament_id=event.id)
    assert event.sitting() == {1: 3}


@pytest.mark.django_db
def test_assign_longest_rested_teams_get_the_freed_table() -> None:
    """Case V1: more ready matches than tables; the pair that sat longest goes first, not the lowest number."""
    event = make_event(teams=8, tables=1, kind=StageKind.SINGLE_ELIMINATION)
    for number in (3, 4, 1, 2):
        event.play(event.match(number), "NS")
    ready = Match.objects.filter(tournament=event.id, state=MatchState.READY).order_by("number")
    assert [match.number for match in ready] == [5, 6]
    late, early = event.match(5), event.match(6)
    assert {slot.source_match.number for slot in early.slots.all() if slot.source_match} == {3, 4}
    Match.objects.filter(pk=early.pk).update(ready_at=late.ready_at)
    tables_assign(tournament_id=event.id)
    assert event.sitting() == {6: 1}


@pytest.mark.django_db
def test_assign_fixed_table_holds_all_day() -> None:
    """Case V3: the team's match waits for its table, nobody else gets it, until the team is out."""
    event = make_event(teams=4, tables=3)
    team = event.team(event.match(2), "NS")
    table_update(table_id=event.table(1).pk, actor=event.owner, fixed_entry=team.pk)
    tables_assign(tournament_id=event.id)
    assert event.sitting() == {1: 2, 2: 1}
    event.play(event.match(2), "NS")
    assert event.sitting() == {1: 2}
    tables_add(tournament_id=event.id, count=1, actor=event.owner)
    event.play(event.match(1), "NS")
    tables_assign(tournament_id=event.id)
    assert event.sitting() == {3: 1}


@pytest.mark.django_db
def test_assign_fixed_table_is_free_for_all_once_its_team_is_out() -> None:
    event = make_event(teams=4, tables=1)
    team = event.team(event.match(1), "EW")
    table_update(table_id=event.table(1).pk, actor=event.owner, fixed_entry=team.pk)
    event.play(event.match(1), "NS")
    tables_assign(tournament_id=event.id)
    assert event.sitting() == {2: 1}


@pytest.mark.django_db
@pytest.mark.parametrize(("state", "sitting"), [("reserved", {1: 1, 2: 2}), ("closed", {1: 2})])
def test_assign_fixed_table_reserved_or_closed(state: str, sitting: dict[int, int]) -> None:
    event = make_event(teams=4, tables=2)
    team = event.team(event.match(1), "NS")
    table_update(table_id=event.table(1).pk, actor=event.owner, fixed_entry=team.pk, state=state)
    tables_assign(tournament_id=event.id)
    assert event.sitting() == sitting


@pytest.mark.django_db
def test_closed_match_frees_its_table_in_the_same_transaction() -> None:
    event = make_event(teams=4, tables=2)
    tables_assign(tournament_id=event.id)
    result = event.enter(event.match(1), "NS")
    assert event.sitting() == {1: 1, 2: 2}
    with transaction.atomic():
        match = match_lock(result.match_id)
        result_settle_locked(match, result, way=SettledWay.OFFICIAL, actor=event.owner)
        assert event.sitting() == {2: 2}
        transaction.set_rollback(True)
    assert event.sitting() == {1: 1, 2: 2}
    match_forfeit(match_id=event.match(2).pk, side="NS", actor=event.owner, reason="not here")
    assert event.sitting() == {1: 1}


@pytest.mark.django_db
def test_withdrawal_frees_the_table() -> None:
    """Case B2: a team withdraws while it plays; the table is given to others."""
    event = make_event(teams=8, tables=1)
    tables_assign(tournament_id=event.id)
    match_start(match_id=event.match(1).pk, actor=event.owner)
    entry_withdraw(entry_id=event.team(event.match(1), "EW").pk, actor=event.owner)
    tables_assign(tournament_id=event.id)
    assert event.sitting() == {2: 1}


@pytest.mark.django_db(transaction=True)
def test_ready_and_closed_matches_send_the_task_on_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[str, list[str]]] = []
    monkeypatch.setattr(
        "celery.current_app.send_task", lambda name, args, **_: sent.append((name, args)), raising=False
    )
    event = make_event(teams=4, tables=2)
    task = ("tables.assign_tables", [str(event.id)])
    assert task in sent
    tables_assign(tournament_id=event.id)
    sent.clear()
    event.play(event.match(1), "NS")
    assert sent.count(task) == 1
    event.play(event.match(2), "NS")
    assert sent.count(task) == 3  # two tables freed, and the final is ready


@pytest.mark.django_db
def test_sweep_finds_what_was_lost(django_assert_num_queries: Any) -> None:
    event, idle = make_event(teams=4, tables=1), make_event(teams=4, tables=1, start=False)
    assert tournaments_with_work() == [event.id]
    tasks.sweep_assignments()
    assert (event.sitting(), idle.sitting()) == ({1: 1}, {})
    with django_assert_num_queries(2):
        tasks.sweep_assignments()
    tables_add(tournament_id=event.id, count=1, actor=event.owner)
    tasks.assign_tables(str(event.id))
    assert event.sitting() == {1: 1, 2: 2}


@pytest.mark.django_db
def test_sweep_frees_a_table_whose_match_is_not_there() -> None:
    """A seating that no act ends would keep its table and its match for ever."""
    event = make_event(teams=4, tables=1)
    tables_assign(tournament_id=event.id)
    Match.objects.filter(pk=event.match(1).pk).update(state=MatchState.READY, called_at=None)
    before = revision_numbers(event.id, ["tables"])["tables"]
    tasks.sweep_assignments()
    assert event.sitting() == {1: 1}
    assert event.match(1).state == MatchState.CALLED
    assert Seating.objects.filter(match=event.match(1)).count() == 2
    assert revision_numbers(event.id, ["tables"])["tables"] == before + 2


@pytest.mark.django_db
def test_corrected_semifinal_calls_the_final_anew() -> None:
    """Case A1: the final was called with the wrong team; nobody of it keeps a seat, a link or the table."""
    event = make_event(teams=4, tables=1)
    for number in (1, 2):
        event.play(event.match(number), "NS")
    tables_assign(tournament_id=event.id)
    final = event.match(3)
    links = {
        seat: link_issue(target=LinkTarget(LinkKind.SEAT, final.pk, seat), actor=event.owner) for seat in "NE"
    }
    wrong, right = event.team(final, "EW"), event.team(event.match(2), "EW")
    result_correct(match_id=event.match(2).pk, actor=event.owner, reason="misread", games=SCORE["EW"])
    assert event.sitting() == {}
    assert event.team(event.match(3), "EW") == right
    seats = SeatAssignment.objects.filter(match=final).order_by("seat")
    first = event.team(final, "NS").number
    assert [(one.seat, one.player.name) for one in seats] == [
        ("N", f"First {first}"),
        ("S", f"Second {first}"),
    ]
    revoked = {
        seat: AccessLink.objects.get(pk=link.pk).revoked_at is not None for seat, link in links.items()
    }
    assert revoked == {"N": False, "E": True}
    tables_assign(tournament_id=event.id)
    assert event.sitting() == {3: 1}
    names = {one.seat: one.player.name for one in seats.all()}
    assert (names["E"], names["W"]) == (f"First {right.number}", f"Second {right.number}")
    assert wrong != right


@pytest.mark.django_db
def test_substitute_sits_where_his_predecessor_sat() -> None:
    event = make_event(teams=4, tables=2)
    tables_assign(tournament_id=event.id)
    match = event.match(1)
    team = event.team(match, "EW")
    leaving = EntryPlayer.objects.get(entry=team, position=2)
    entry_substitute(entry_id=team.pk, leaving=leaving.player_id, name="Helper", actor=event.owner)
    SeatAssignment.objects.filter(match=match, seat="N").update(player=F("player"))
    swapped = dict(SeatAssignment.objects.filter(match=match, seat__in="NS").values_list("seat", "player_id"))
    SeatAssignment.objects.filter(match=match, seat="N").update(player=swapped["S"])
    SeatAssignment.objects.filter(match=match, seat="S").update(player=swapped["N"])
    match_start(match_id=match.pk, actor=event.owner)
    names = {seat.seat: seat.player.name for seat in SeatAssignment.objects.filter(match=match)}
    own = event.team(match, "NS").number
    assert names == {
        "N": f"Second {own}",
        "S": f"First {own}",
        "E": f"First {team.number}",
        "W": "Helper",
    }


@pytest.mark.django_db
def test_assign_reads_with_a_constant_number_of_queries() -> None:
    """Each call writes its log entry and its match's revision; all else is the same for 1 and for 30 tables."""
    one, many = make_event(teams=64, tables=1), make_event(teams=64, tables=30)
    counts = []
    for event in (one, many):
        with CaptureQueriesContext(connection) as queries:
            tables_assign(tournament_id=event.id)
        own = ("tournaments_logentry", "tournaments_revision")
        counts.append(sum(not any(name in query["sql"] for name in own) for query in queries))
    assert len(many.sitting()) == 30
    assert counts[0] == counts[1]


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_call_each_match_once() -> None:
    for _ in range(5):
        event = make_event(teams=16, tables=5)
        answers = at_once(*[lambda: tables_assign(tournament_id=event.id)] * 4)  # noqa: B023
        assert sum(len(made) for made in answers if isinstance(made, list)) == 5
        assert not [answer for answer in answers if isinstance(answer, Exception)]
        assert event.sitting() == {number: number for number in range(1, 6)}


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_without_the_locks_clash(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: with the locks off both workers see the same free tables, and only the constraint is left."""
    both_read = threading.Barrier(2)

    def unlocked(ids: Any) -> list[Table]:
        tables = list(Table.objects.filter(pk__in=ids).order_by("pk"))
        both_read.wait(timeout=10)
        return tables

    monkeypatch.setattr(
        locks,
        "ready_matches_lock",
        lambda ids: list(Match.objects.filter(pk__in=ids).select_related("stage", "round")),
    )
    monkeypatch.setattr(locks, "tables_lock", unlocked)
    event = make_event(teams=16, tables=5, start=True)
    answers = at_once(*[lambda: tables_assign(tournament_id=event.id)] * 2)
    assert any(isinstance(answer, IntegrityError) for answer in answers)
