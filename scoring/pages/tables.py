"""Tables: which match is at which, table by table and room by room."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from django.db.models import F

from scoring.pages.matches import MatchView, match_views
from scoring.pages.stage import marks_target, public_stage
from tables.enums import TableState
from tables.models import Seating, Table
from tournaments.enums import DrawState
from tournaments.models import Match, Tournament


@dataclass(frozen=True, slots=True)
class TableView:
    """A table with the match that was called to it, or free, reserved or closed. `team` always plays here."""

    number: int
    state: str
    match: MatchView | None
    team: str


@dataclass(frozen=True, slots=True)
class RoomView:
    name: str
    tables: tuple[TableView, ...]


def tables_context(tournament: Tournament) -> dict[str, Any]:
    """Twelve queries for any number of tables."""
    stage = public_stage(tournament)
    rows = list(
        Table.objects.filter(tournament=tournament)
        .select_related("room", "fixed_entry")
        .order_by(F("room__name").asc(nulls_first=True), "number")
    )
    seated = Seating.objects.filter(table__tournament=tournament, freed_at__isnull=True)
    at = dict(seated.filter(match__stage__draw_state=DrawState.PUBLISHED).values_list("table_id", "match_id"))
    matches = Match.objects.filter(pk__in=list(at.values())).select_related("round")
    views = {
        view.id: view
        for view in match_views(tournament.slug, matches, marks_target=marks_target(tournament, stage))
    }
    rooms: dict[str, list[TableView]] = {}
    for row in rows:
        view = TableView(
            number=row.number,
            state=row.state,
            match=views.get(at[row.pk]) if row.pk in at else None,
            team=row.fixed_entry.name if row.fixed_entry else "",
        )
        rooms.setdefault(row.room.name if row.room else "", []).append(view)
    states = Counter(
        "called" if view.match.is_called else "playing"
        for tables in rooms.values()
        for view in tables
        if view.match is not None
    )
    return {
        "rooms": [RoomView(name, tuple(tables)) for name, tables in rooms.items()],
        "playing": states["playing"],
        "called": states["called"],
        "free": sum(
            view.match is None and view.state == TableState.OPEN
            for tables in rooms.values()
            for view in tables
        ),
        "total": len(rows),
        "is_drawn": stage is not None and stage.draw_state == DrawState.PUBLISHED,
    }
