"""The floor board: every table with its state, what needs somebody, and what comes up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Max
from django.utils.translation import gettext as _

from scoring.director.selectors.needs import Need, needs_of
from scoring.pages.home import progress
from scoring.pages.matches import MatchView, match_views
from scoring.pages.stage import marks_target, public_stage
from tables.enums import JudgeCallKind, TableState
from tables.models import Hall, Hold, JudgeCall, Seating, Table
from tables.selectors.hall import hall_of
from tournaments.enums import DrawState, MatchState
from tournaments.models import Match, Slot, Tournament

LATE_SECONDS = 60
COMING_UP = 6
STATES = ("playing", "called", "confirm", "dispute", "late", "free")


@dataclass(frozen=True, slots=True)
class Tile:
    """One table on the board. `deadline` is when a missing team may forfeit; `since` counts the minutes."""

    id: UUID
    number: int
    state: str
    word: str
    match: MatchView | None
    team: str
    is_fixed: bool
    has_judge: bool
    big: str
    small: str
    deadline: datetime | None
    since: datetime | None

    @property
    def is_free(self) -> bool:
        return self.match is None

    @property
    def spoken(self) -> str:
        """The tile in one sentence."""
        head = _("Table %(number)d, %(state)s") % {"number": self.number, "state": self.word.lower()}
        return f"{head}: {self.match.spoken}" if self.match else head


@dataclass(frozen=True, slots=True)
class Count:
    """A filter above the grid."""

    key: str
    word: str
    number: int
    sign: str


@dataclass(frozen=True, slots=True)
class Coming:
    """A match to come: how long its teams have rested, and about when it is called."""

    match: MatchView
    rested: int | None
    at: datetime | None
    is_held: bool


@dataclass(frozen=True, slots=True)
class Board:
    tiles: list[Tile]
    counts: list[Count]
    needs: list[Need]
    coming: list[Coming]
    ready: list[MatchView]
    hall: Hall
    last_at: datetime | None


def floor_context(tournament: Tournament, *, chosen: int | None, show: str, now: datetime) -> dict[str, Any]:
    """The whole board. At most 32 queries for any number of tables and matches."""
    board = board_of(tournament, now)
    tile = next((one for one in board.tiles if one.number == chosen), None)
    return {
        "board": board,
        "chosen": tile,
        "show": show if show in STATES else "",
        "free_tables": [one for one in board.tiles if one.is_free and one.state == "free"],
        "now": now,
    }


def board_of(tournament: Tournament, now: datetime) -> Board:
    """Everything on the board, read at once."""
    stage = public_stage(tournament)
    drawn = stage is not None and stage.draw_state == DrawState.PUBLISHED
    hall = hall_of(tournament.pk)
    rows = list(Table.objects.filter(tournament=tournament).select_related("fixed_entry").order_by("number"))
    seated = Seating.objects.filter(table__tournament=tournament, freed_at__isnull=True)
    at = dict(seated.values_list("table_id", "match_id"))
    ahead = progress(tournament, stage, now) if drawn and stage is not None else None
    next_ids = list(ahead.next_ids[:COMING_UP]) if ahead else []
    wanted = Match.objects.filter(tournament=tournament).select_related("round")
    open_states = [MatchState.READY, MatchState.ENTERED, MatchState.DISPUTED]
    calls = list(
        JudgeCall.objects.filter(match__tournament=tournament, answered_at__isnull=True).order_by("called_at")
    )
    shown = [*at.values(), *next_ids, *(call.match_id for call in calls)]
    matches = [
        *wanted.filter(state__in=open_states),
        *wanted.filter(pk__in=shown).exclude(state__in=open_states),
    ]
    target = marks_target(tournament, stage) if stage else 7
    views = {view.id: view for view in match_views(tournament.slug, matches, marks_target=target)}
    asked = {call.match_id: call for call in calls}
    tiles = [
        _tile(row, views.get(at[row.pk]) if row.pk in at else None, asked, hall, now, matches) for row in rows
    ]
    held = set(
        Hold.objects.filter(match__tournament=tournament, ended_at__isnull=True).values_list(
            "match_id", flat=True
        )
    )
    rests = _rests([views[pk] for pk in next_ids if pk in views])
    times = ahead.times if ahead else {}
    return Board(
        tiles=tiles,
        counts=_counts(tiles),
        needs=needs_of(tournament.slug, views, tiles, calls, matches, now),
        coming=[
            Coming(views[pk], _minutes(rests.get(pk), now), times.get(pk), pk in held)
            for pk in next_ids
            if pk in views
        ],
        ready=[
            views[match.pk]
            for match in sorted(matches, key=lambda one: one.number)
            if match.state == MatchState.READY
        ],
        hall=hall,
        last_at=max(times.values(), default=None),
    )


def _tile(
    row: Table,
    match: MatchView | None,
    asked: Mapping[UUID, JudgeCall],
    hall: Hall,
    now: datetime,
    matches: Sequence[Match],
) -> Tile:
    call = asked.get(match.id) if match is not None else None
    differs = call is not None and call.kind == JudgeCallKind.DIFFERS
    state, deadline = ("dispute", None) if differs else _state(row, match, hall, now)
    big, small = _figures(state, match)
    entered = next((one.entered_at for one in matches if match is not None and one.pk == match.id), None)
    since = None
    if match is not None:
        since = entered if state in {"confirm", "dispute"} else match.started_at or match.called_at
    if differs and call is not None:
        since = call.called_at
    return Tile(
        id=row.pk,
        number=row.number,
        state=state,
        word=_word(state, row),
        match=match,
        team=row.fixed_entry.name if row.fixed_entry else "",
        is_fixed=row.fixed_entry_id is not None,
        has_judge=call is not None and not differs,
        big=big,
        small=small,
        deadline=deadline,
        since=since,
    )


def _state(row: Table, match: MatchView | None, hall: Hall, now: datetime) -> tuple[str, datetime | None]:
    if match is None:
        return ("free" if row.state == TableState.OPEN else str(row.state)), None
    if match.state == MatchState.CALLED and match.called_at is not None:
        deadline = match.called_at + timedelta(minutes=hall.missing_minutes)
        return ("late" if (deadline - now).total_seconds() <= LATE_SECONDS else "called"), deadline
    return {
        MatchState.ENTERED: "confirm",
        MatchState.DISPUTED: "dispute",
    }.get(MatchState(match.state), "playing"), None


def _word(state: str, row: Table) -> str:
    words = {
        "playing": _("Playing"),
        "called": _("Called"),
        "confirm": _("Confirm"),
        "dispute": _("Dispute"),
        "late": _("Late"),
        "free": _("Free"),
    }
    return words.get(state) or str(row.get_state_display())


def _figures(state: str, match: MatchView | None) -> tuple[str, str]:
    """The large figure and the small one beside it: marks and game, or marks and games won."""
    if match is None or state in {"called", "late"}:
        return "", ""
    if state == "confirm" and match.games:
        last = match.games[-1]
        return f"{last.ns}–{last.ew}", f"{match.ns.games_won}–{match.ew.games_won}"
    ns, ew = match.ns.marks or 0, match.ew.marks or 0
    return f"{ns}–{ew}", _("G%(number)d") % {"number": match.game}


def _counts(tiles: Sequence[Tile]) -> list[Count]:
    states = Counter(tile.state for tile in tiles)
    words = {
        "playing": (_("playing"), "play"),
        "called": (_("called"), "bell"),
        "confirm": (_("to confirm"), "ticks"),
        "dispute": (_("dispute"), "diamond"),
        "late": (_("late"), "hourglass"),
        "free": (_("free"), "ring"),
    }
    return [Count(key, words[key][0], states[key], words[key][1]) for key in STATES]


def _rests(views: Sequence[MatchView]) -> Mapping[UUID, datetime]:
    """Since when the later of a match's known teams has rested. One query."""
    teams = {side.team.id: view.id for view in views for side in view.sides if side.team}
    rows = (
        Slot.objects.filter(entry__in=list(teams), match__state=MatchState.CONFIRMED)
        .order_by()
        .values("entry_id")
        .annotate(at=Max("match__closed_at"))
        .values_list("entry_id", "at")
    )
    found: dict[UUID, datetime] = {}
    for entry_id, at in rows:
        if at is not None:
            match_id = teams[entry_id]
            found[match_id] = max(found.get(match_id, at), at)
    return found


def _minutes(since: datetime | None, now: datetime) -> int | None:
    return None if since is None else max(0, int((now - since).total_seconds() // 60))
