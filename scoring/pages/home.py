"""Now: what is on at the tables, what comes next, the latest results; before play, who is here and when it starts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Case, Count, F, When

from scoring.pages.forecast import Ahead, forecast
from scoring.pages.live import Feature, feature_table
from scoring.pages.matches import LIVE_STATES, ON_THE_TABLE, MatchView, TeamView, match_views, team_views
from scoring.pages.stage import marks_target, public_stage
from scoring.pages.standings import status_words
from scoring.pages.words import best_of_words, kind_words
from tables.enums import TableState
from tables.models import Table
from tournaments.draw.seeding import bracket_positions
from tournaments.enums import DrawState, EntryStatus, Lifecycle, MatchState, ResultState, SlotState
from tournaments.models import Entry, Match, Result, Slot, Stage, Tournament
from tournaments.selectors.placings import PlacingRow, placing_rows

CARDS = 8
NEXT = 5
LATEST = 6
PLACES = 8
SAMPLE = 40  # finished matches whose length is looked at


@dataclass(frozen=True, slots=True)
class Next:
    """A match to come and when it is likely to be called; None where that cannot be said."""

    match: MatchView
    at: datetime | None


@dataclass(frozen=True, slots=True)
class Counts:
    """The three figures in the head."""

    teams: int
    here: int
    playing: int
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class PlaceLine:
    """One of the first places, once there is a champion."""

    row: PlacingRow
    team: TeamView
    status: str


@dataclass(frozen=True, slots=True)
class Progress:
    """All open matches of a stage in brief: enough to say what comes next, and when."""

    next_ids: tuple[UUID, ...]
    times: dict[UUID, datetime]


def home_context(tournament: Tournament, now: datetime) -> dict[str, Any]:
    """Everything on the page. At most 42 queries, however large the field."""
    stage = public_stage(tournament)
    drawn = stage is not None and stage.draw_state == DrawState.PUBLISHED
    counts = _counts(tournament, stage if drawn else None)
    context: dict[str, Any] = {"counts": counts, "stage": stage, "is_drawn": drawn, "format": _format(stage)}
    if not drawn or stage is None:
        return {**context, "phase": "before"}
    context["byes"] = _first_byes(counts.teams)
    target = marks_target(tournament, stage)
    if tournament.champion_id is not None:
        context |= _finished(tournament, stage, target)
    ahead = progress(tournament, stage, now)
    live = list(
        Match.objects.filter(stage=stage, state__in=LIVE_STATES)
        .select_related("round")
        .annotate(is_called=Case(When(state=MatchState.CALLED, then=1), default=0))
        .order_by("is_called", "-round__play_order", "called_at", "number")[:CARDS]
    )
    upcoming = list(Match.objects.filter(pk__in=ahead.next_ids[:NEXT]).select_related("round"))
    latest = list(
        Match.objects.filter(stage=stage, state=MatchState.CONFIRMED)
        .select_related("round")
        .order_by("-closed_at", "-number")[:LATEST]
    )
    views = {
        view.id: view
        for view in match_views(tournament.slug, [*live, *upcoming, *latest], marks_target=target)
    }
    order = {match_id: place for place, match_id in enumerate(ahead.next_ids)}
    context |= {
        "live": [views[match.pk] for match in live],
        "up_next": [
            Next(views[match.pk], ahead.times.get(match.pk))
            for match in sorted(upcoming, key=lambda one: order[one.pk])
        ],
        "latest": [views[match.pk] for match in latest],
        "feature": feature_table(tournament, stage),
    }
    started = bool(live or latest)
    finished = tournament.champion_id is not None or tournament.state in {
        Lifecycle.FINISHED,
        Lifecycle.ARCHIVED,
    }
    context["phase"] = "finished" if finished else "running" if started else "drawn"
    return context


def progress(tournament: Tournament, stage: Stage, now: datetime) -> Progress:
    """What comes next, soonest first, with the times at which it is likely to be called. Four queries."""
    rows = list(
        Match.objects.filter(stage=stage)
        .exclude(state__in=[MatchState.CONFIRMED, MatchState.VOID, MatchState.LOCKED])
        .values_list("pk", "number", "state", "called_at", "ready_at", "round__play_order")
    )
    slots = Slot.objects.filter(match__in=[row[0] for row in rows])
    sources: dict[UUID, list[int]] = {}
    known: Counter[UUID] = Counter()
    for match_id, state, source in slots.values_list("match_id", "state", "source_match__number"):
        known[match_id] += state == SlotState.FILLED
        if state == SlotState.OPEN and source is not None:
            sources.setdefault(match_id, []).append(source)
    tables = Table.objects.filter(tournament=tournament, state=TableState.OPEN).count()
    lengths = (
        Match.objects.filter(
            stage=stage, state=MatchState.CONFIRMED, called_at__isnull=False, closed_at__isnull=False
        )
        .order_by("-closed_at")
        .values_list("called_at", "closed_at")[:SAMPLE]
    )
    took = [(closed - called).total_seconds() for called, closed in lengths if called and closed]
    ready = {row[0]: row[4].timestamp() if row[4] else 0.0 for row in rows}
    in_order = sorted(rows, key=lambda row: (row[2] != MatchState.READY, row[5], ready[row[0]], row[1]))
    calls = forecast(
        [
            Ahead(
                key=number,
                order=place,
                started=called.timestamp() if state in LIVE_STATES and called else None,
                after=tuple(sources.get(match_id, ())),
            )
            for place, (match_id, number, state, called, _ready, _order) in enumerate(in_order)
        ],
        took=took,
        tables=tables,
        now=now.timestamp(),
    )
    times = {row[0]: _whole_minute(calls[row[1]]) for row in rows if row[1] in calls}
    to_come = [row for row in in_order if row[2] in {MatchState.READY, MatchState.WAITING} and known[row[0]]]
    to_come.sort(key=lambda row: calls.get(row[1], 0.0))
    return Progress(tuple(row[0] for row in to_come), times)


def _whole_minute(seconds: float) -> datetime:
    moment = datetime.fromtimestamp(seconds, UTC) + timedelta(seconds=30)
    return moment.replace(second=0, microsecond=0)


def _counts(tournament: Tournament, stage: Stage | None) -> Counts:
    statuses = Counter(
        dict(
            Entry.objects.filter(tournament=tournament)
            .order_by()
            .values_list("status")
            .annotate(number=Count("pk"))
        )
    )
    out = statuses[EntryStatus.DISQUALIFIED] + statuses[EntryStatus.WITHDRAWN]
    teams = sum(statuses.values())
    states: Counter[str] = Counter()
    if stage is not None:
        states.update(
            dict(
                Match.objects.filter(stage=stage).order_by().values_list("state").annotate(number=Count("pk"))
            )
        )
    else:
        teams -= out
    return Counts(
        teams=teams,
        here=statuses[EntryStatus.CHECKED_IN],
        playing=sum(states[state] for state in ON_THE_TABLE),
        done=states[MatchState.CONFIRMED],
        total=sum(states.values()) - states[MatchState.VOID] - states[MatchState.LOCKED],
    )


def _format(stage: Stage | None) -> dict[str, str]:
    if stage is None:
        return {}
    return {"kind": kind_words(stage.kind), "best_of": best_of_words(stage.best_of)}


def _first_byes(teams: int) -> int:
    """Byes in the first round of a field of this size."""
    return len(bracket_positions(1 << (teams - 1).bit_length())) - teams if teams > 1 else 0


def _finished(tournament: Tournament, stage: Stage, target: int) -> dict[str, Any]:
    """The champion, whom it beat in the last match, that match's marks, and the first places."""
    champion_id = tournament.champion_id
    assert champion_id is not None
    last = (
        Result.objects.filter(
            match__tournament=tournament, state=ResultState.CONFIRMED, match__slots__entry=champion_id
        )
        .select_related("match__round")
        .order_by(F("match__closed_at").desc(nulls_last=True), "-match__number")
        .first()
    )
    final = match_views(tournament.slug, [last.match], marks_target=target)[0] if last else None
    rows = placing_rows(stage)[:PLACES]
    teams = team_views(tournament.slug, {champion_id, *(row.entry_id for row in rows)})
    return {
        "champion": teams[champion_id],
        "final": final,
        "places": [PlaceLine(row, teams[row.entry_id], status_words(row)) for row in rows],
    }


__all__ = ["Counts", "Feature", "Next", "home_context", "progress"]
