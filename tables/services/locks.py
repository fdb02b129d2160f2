"""The rows that seating locks: Matches by id, then Tables by id; each is read again under its lock."""

from collections.abc import Collection
from uuid import UUID

from django.db.models import QuerySet

from tables.models import Seating, Table
from tournaments.enums import MatchState
from tournaments.errors import NotThere
from tournaments.models import Match


def ready_matches_lock(match_ids: Collection[UUID]) -> list[Match]:
    """Those of the matches that are still ready, locked, with stage and round."""
    matches = Match.objects.select_for_update(no_key=True, of=("self",)).select_related("stage", "round")
    return list(matches.filter(pk__in=match_ids, state=MatchState.READY).order_by("pk"))


def tables_lock(table_ids: Collection[UUID]) -> list[Table]:
    """The tables, locked in the order of their ids; those that are gone are missing."""
    tables = Table.objects.select_for_update(no_key=True, of=("self",)).select_related("tournament")
    return list(tables.filter(pk__in=table_ids).order_by("pk"))


def table_lock(table_id: UUID) -> Table:
    """One table, locked; NotThere when it is gone."""
    tables = tables_lock([table_id])
    if not tables:
        raise NotThere("not_found", "There is no such table.")
    return tables[0]


def open_seatings() -> QuerySet[Seating]:
    """Matches that are at a table now. Read it after the locks: only then is seen what they waited for."""
    return Seating.objects.filter(freed_at__isnull=True).select_related("match", "table")
