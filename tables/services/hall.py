"""The hall itself: rooms, tables, which of them are open, which team always plays where, who calls."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Max

from tables.enums import TableState
from tables.models import Hall, Room, Table
from tables.selectors.hall import hall_of
from tables.services import locks
from tournaments.actors import Actor
from tournaments.enums import Role
from tournaments.errors import AgainstRules, Conflict, NotThere
from tournaments.models import Entry, Tournament
from tournaments.permissions import require_role
from tournaments.queue import enqueue
from tournaments.services.locks import tournament_lock
from tournaments.services.log import log_add, revisions_bump

MOST_AT_ONCE = 500
HIGHEST_NUMBER = 9999
CHANGEABLE = ("state", "fixed_entry", "room")


def tables_add(
    *, tournament_id: UUID, actor: Actor, count: int = 0, numbers: Sequence[int] = (), room: str = ""
) -> list[Table]:
    """Set up tables, all or none: `numbers`, or the next `count` numbers. `room` is made when it is new.

    Needs the desk's role. Raises AgainstRules for impossible numbers, Conflict for one that is taken.
    The number of queries does not grow with the number of tables.
    """
    with transaction.atomic(durable=True):
        tournament = tournament_lock(tournament_id)
        require_role(actor, tournament, Role.DESK)
        chosen = _numbers(tournament, count, numbers)
        place = _room(tournament, room)
        tables = Table.objects.bulk_create(
            Table(tournament=tournament, room=place, number=number) for number in chosen
        )
        log_add("tables.added", actor=actor, tournament_id=tournament.pk, numbers=chosen, room=room)
        enqueue("tables.assign_tables", tournament.pk)
        revisions_bump(tournament.pk, "tables")
        return tables


def table_update(*, table_id: UUID, actor: Actor, **changes: Any) -> Table:
    """Change a table's `state`, its `fixed_entry` (an id or None) or its `room` (a name).

    Holds for the next match: whoever sits there stays. Needs the desk's role. Raises NotThere for an entry
    of another tournament, Conflict for one that is out or that always plays at another table.
    """
    with transaction.atomic(durable=True):
        table = locks.table_lock(table_id)
        require_role(actor, table.tournament, Role.DESK)
        if "state" in changes:
            table.state = _state(changes["state"])
        if "room" in changes:
            table.room = _room(table.tournament, str(changes["room"] or ""))
        if "fixed_entry" in changes:
            table.fixed_entry = _fixed_entry(table, changes["fixed_entry"])
        changed = [key for key in CHANGEABLE if key in changes]
        table.save(update_fields=changed)
        log_add(
            "table.changed",
            actor=actor,
            tournament_id=table.tournament_id,
            table=table.number,
            changes={key: str(changes[key]) if changes[key] else None for key in changed},
        )
        enqueue("tables.assign_tables", table.tournament_id)
        revisions_bump(table.tournament_id, "tables")
        return table


def hall_update(
    *, tournament_id: UUID, actor: Actor, calls_itself: bool | None = None, missing_minutes: int | None = None
) -> Hall:
    """Say whether free tables get the next match by themselves, and after how long a missing team may forfeit.

    Needs the desk's role. The same again changes nothing.
    """
    if missing_minutes is not None and not 1 <= missing_minutes <= 240:
        raise AgainstRules("bad_minutes", "Wait 1 to 240 minutes for a team.", field="missing_minutes")
    with transaction.atomic(durable=True):
        tournament = tournament_lock(tournament_id)
        require_role(actor, tournament, Role.DESK)
        hall = hall_of(tournament.pk)
        before = hall.calls_itself, hall.missing_minutes
        if calls_itself is not None:
            hall.calls_itself = calls_itself
        if missing_minutes is not None:
            hall.missing_minutes = missing_minutes
        if (hall.calls_itself, hall.missing_minutes) == before:
            return hall
        Hall.objects.update_or_create(
            tournament=tournament,
            defaults={"calls_itself": hall.calls_itself, "missing_minutes": hall.missing_minutes},
        )
        log_add(
            "hall.changed",
            actor=actor,
            tournament_id=tournament.pk,
            calls_itself=hall.calls_itself,
            missing_minutes=hall.missing_minutes,
        )
        enqueue("tables.assign_tables", tournament.pk)
        revisions_bump(tournament.pk, "tables")
        return hall


def _numbers(tournament: Tournament, count: int, numbers: Sequence[int]) -> list[int]:
    taken = Table.objects.filter(tournament=tournament)
    if not numbers:
        last = taken.aggregate(last=Max("number"))["last"] or 0
        numbers = range(last + 1, last + 1 + count)
    if not 1 <= len(numbers) <= MOST_AT_ONCE:
        raise AgainstRules("bad_count", f"Set up 1 to {MOST_AT_ONCE} tables at once.", field="count")
    if len(set(numbers)) < len(numbers) or not all(1 <= number <= HIGHEST_NUMBER for number in numbers):
        raise AgainstRules(
            "bad_numbers", f"Tables have different numbers from 1 to {HIGHEST_NUMBER}.", field="numbers"
        )
    clash = taken.filter(number__in=list(numbers)).order_by("number").first()
    if clash is not None:
        raise Conflict("table_taken", f"There is already a table {clash.number}.", table=clash.number)
    return sorted(numbers)


def _room(tournament: Tournament, name: str) -> Room | None:
    """The room of that name, made when it is new; None for no name."""
    name = name.strip()
    if not name:
        return None
    if len(name) > 80 or "\x00" in name:
        raise AgainstRules("bad_name", "The name of a room has at most 80 characters.", field="room")
    return Room.objects.get_or_create(tournament=tournament, name=name)[0]


def _state(value: str) -> TableState:
    if value not in TableState.values:
        raise AgainstRules("unknown_state", f"Choose {', '.join(TableState.values)}.", field="state")
    return TableState(value)


def _fixed_entry(table: Table, entry_id: UUID | None) -> Entry | None:
    if entry_id is None:
        return None
    entry = Entry.objects.filter(pk=entry_id, tournament=table.tournament_id).first()
    if entry is None:
        raise NotThere("not_found", "There is no such team in this tournament.", field="fixed_entry")
    if entry.is_out:
        raise Conflict("entry_out", f"{entry.name} has withdrawn.", status=entry.status)
    other = Table.objects.filter(fixed_entry=entry).exclude(pk=table.pk).first()
    if other is not None:
        raise Conflict(
            "fixed_elsewhere", f"{entry.name} always plays at table {other.number}.", table=other.number
        )
    return entry
