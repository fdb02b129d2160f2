"""What is free, what is ready, and which tables are kept for whom: the input of the assignment."""

from collections.abc import Collection
from datetime import UTC, datetime
from uuid import UUID

from django.db.models import Exists, Max, OuterRef, Q, QuerySet

from tables.assign import FreeTable, ReadyMatch
from tables.enums import TableState
from tables.models import Hall, Hold, Seating, Table
from tournaments.enums import EntryStatus, Lifecycle, MatchState
from tournaments.models import Entry, Match, Slot, Tournament

LONG_AGO = datetime.min.replace(tzinfo=UTC)
OUT = (EntryStatus.WITHDRAWN, EntryStatus.DISQUALIFIED)


def hall_of(tournament_id: UUID) -> Hall:
    """How the tables are filled; an unsaved row with the defaults where nothing was set. One query."""
    return Hall.objects.filter(tournament=tournament_id).first() or Hall(tournament_id=tournament_id)


def matches_to_seat(tournament_id: UUID | OuterRef) -> QuerySet[Match]:
    """Ready matches that sit nowhere and are not held."""
    seated = Seating.objects.filter(match=OuterRef("pk"), freed_at__isnull=True)
    held = Hold.objects.filter(match=OuterRef("pk"), ended_at__isnull=True)
    return Match.objects.filter(
        ~Exists(seated), ~Exists(held), tournament_id=tournament_id, state=MatchState.READY
    )


def tables_to_fill(tournament_id: UUID | OuterRef) -> QuerySet[Table]:
    """Free tables to which teams are sent: open ones, and reserved ones that are some team's fixed table."""
    used = Seating.objects.filter(table=OuterRef("pk"), freed_at__isnull=True)
    return Table.objects.filter(
        Q(state=TableState.OPEN) | Q(state=TableState.RESERVED, fixed_entry__isnull=False),
        ~Exists(used),
        tournament_id=tournament_id,
    )


def has_work(tournament_id: UUID) -> bool:
    """True when a running tournament calls by itself and has a ready match and a free table. One query."""
    return _with_work().filter(pk=tournament_id).exists()


def tournaments_with_work() -> list[UUID]:
    """Running tournaments that have a ready match and a free table. One query."""
    return list(_with_work().order_by("pk").values_list("pk", flat=True))


def entries_still_in(entry_ids: Collection[UUID]) -> set[UUID]:
    """Those of the entries that have not withdrawn and still have a place in a match. One query."""
    to_come = Slot.objects.filter(entry=OuterRef("pk"), match__advanced_at__isnull=True)
    entries = Entry.objects.filter(Exists(to_come), pk__in=entry_ids).exclude(status__in=OUT)
    return set(entries.values_list("pk", flat=True))


def fixed_tables(tournament_id: UUID) -> dict[UUID, Table]:
    """By entry: the table at which it always plays, while it is in and the table not closed. Two queries."""
    tables = Table.objects.filter(tournament_id=tournament_id, fixed_entry__isnull=False)
    by_entry = {
        table.fixed_entry_id: table
        for table in tables.exclude(state=TableState.CLOSED)
        if table.fixed_entry_id
    }
    staying = entries_still_in(by_entry) if by_entry else set()
    return {entry_id: table for entry_id, table in by_entry.items() if entry_id in staying}


def fixed_table_among(tables: Collection[Table]) -> Table | None:
    """Where a match is played whose teams have these fixed tables: at the lowest number."""
    return min(tables, key=lambda table: table.number, default=None)


def ready_matches(matches: Collection[Match], fixed: dict[UUID, Table]) -> list[ReadyMatch]:
    """The matches with how long their teams have rested. Each needs its stage and round. Two queries."""
    teams: dict[UUID, list[UUID]] = {match.pk: [] for match in matches}
    slots = Slot.objects.filter(match__in=list(teams), entry__isnull=False).order_by("match_id", "side")
    for match_id, entry_id in slots.values_list("match_id", "entry_id"):
        teams[match_id].append(entry_id)
    played = Slot.objects.filter(
        entry__in={entry_id for pair in teams.values() for entry_id in pair},
        match__state=MatchState.CONFIRMED,
    )
    free_since = dict(
        played.order_by()
        .values("entry_id")
        .annotate(at=Max("match__closed_at"))
        .values_list("entry_id", "at")
    )
    ready = []
    for match in matches:
        own = fixed_table_among([fixed[entry_id] for entry_id in teams[match.pk] if entry_id in fixed])
        rests = [free_since[entry_id] for entry_id in teams[match.pk] if entry_id in free_since]
        ready.append(
            ReadyMatch(
                id=match.pk,
                number=match.number,
                round_order=(match.stage.number, match.round.play_order),
                rested_since=max(rests, default=match.ready_at or LONG_AGO),
                fixed_table_id=own.pk if own else None,
            )
        )
    return ready


def free_tables(tables: Collection[Table], fixed: dict[UUID, Table]) -> list[FreeTable]:
    """The tables with whom they are kept for. A reserved table is left out when its team is out. No query."""
    free = []
    for table in tables:
        kept_for = table.fixed_entry_id if table.fixed_entry_id in fixed else None
        if table.state == TableState.OPEN or kept_for is not None:
            free.append(FreeTable(id=table.pk, number=table.number, kept_for=kept_for))
    return free


def _with_work() -> QuerySet[Tournament]:
    ready = matches_to_seat(OuterRef("pk"))
    free = tables_to_fill(OuterRef("pk"))
    by_hand = Hall.objects.filter(tournament=OuterRef("pk"), calls_itself=False)
    return Tournament.objects.filter(Exists(ready), Exists(free), ~Exists(by_hand), state=Lifecycle.RUNNING)
