"""Teams: the list to find one's own in, and a team's page: which table, when, whom next, and its way so far."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from django.db.models import Q, QuerySet
from django.http import Http404
from django.utils.translation import gettext as _

from scoring.pages import words
from scoring.pages.home import progress
from scoring.pages.matches import LIVE_STATES, MatchView, SideView, TeamView, Way, match_views, team_views
from scoring.pages.stage import marks_target, public_stage
from scoring.pages.standings import status_words
from tournaments.enums import DrawState, EntryStatus, MatchState
from tournaments.models import Bye, Entry, EntryPlayer, Match, Stage, Tournament, searchable
from tournaments.selectors.placings import PlacingRow, placing_rows

UNBROKEN = "\u2060"  # keeps the two halves of a score on one line

Step = Literal["bye", "won", "lost", "now", "next", "waiting", "out"]


@dataclass(frozen=True, slots=True)
class TeamLine:
    """A team in the list, with where it stands once the draw is out."""

    team: TeamView
    status: str
    is_in: bool
    is_here: bool


@dataclass(frozen=True, slots=True)
class WayStep:
    """One step of a team's way. `kind` chooses the sign."""

    kind: Step
    title: str
    text: str
    url: str
    code: str = ""


@dataclass(frozen=True, slots=True)
class Member:
    """One of the two partners."""

    id: UUID
    name: str
    is_substitute: bool


@dataclass(frozen=True, slots=True)
class TeamPage:
    """All that is said of a team. `match` is the one it plays or waits for; `at` when it is likely to be called."""

    team: TeamView
    members: tuple[Member, ...]
    status: str
    is_here: bool
    rank: str
    match: MatchView | None
    side: SideView | None
    other: SideView | None
    at: datetime | None
    win: Way | None
    win_at: datetime | None
    win_against: str
    lose: Way | None
    way: tuple[WayStep, ...]
    won: int
    lost: int
    is_out: bool
    is_champion: bool
    codes: tuple[str, ...]

    @property
    def is_at_table(self) -> bool:
        return self.match is not None and self.match.state in LIVE_STATES


def teams_context(tournament: Tournament, query: str = "") -> dict[str, Any]:
    """The list, filtered by a name without accents. Ten queries for any number of teams."""
    stage = public_stage(tournament)
    drawn = stage is not None and stage.draw_state == DrawState.PUBLISHED
    placed = {row.entry_id: row for row in placing_rows(stage)} if stage is not None and drawn else {}
    entries = _found(tournament, query)
    views = team_views(tournament.slug, [entry.pk for entry in entries])
    return {
        "lines": [
            TeamLine(
                team=views[entry.pk],
                status=_status(entry, placed.get(entry.pk)),
                is_in=entry.pk in placed
                and (placed[entry.pk].still_in or placed[entry.pk].standing == "champion"),
                is_here=entry.status == EntryStatus.CHECKED_IN,
            )
            for entry in entries
        ],
        "query": query,
        "is_drawn": drawn,
    }


def _found(tournament: Tournament, query: str) -> list[Entry]:
    entries: QuerySet[Entry] = Entry.objects.filter(tournament=tournament)
    wanted = searchable(query.strip())
    if wanted:
        by_player = EntryPlayer.objects.filter(
            tournament=tournament, until__isnull=True, player__search_name__contains=wanted
        )
        match = Q(search_name__contains=wanted) | Q(pk__in=by_player.values("entry"))
        if wanted.isdigit():
            match |= Q(number=int(wanted[:6]))
        entries = entries.filter(match)
    return list(entries.order_by("number"))


def _status(entry: Entry, row: PlacingRow | None) -> str:
    if row is not None:
        return status_words(row)
    return {
        EntryStatus.CHECKED_IN: _("Here"),
        EntryStatus.WITHDRAWN: _("Withdrawn"),
        EntryStatus.DISQUALIFIED: _("Disqualified"),
    }.get(EntryStatus(entry.status), _("Entered"))


def entry_of(tournament_id: UUID, number: int) -> Entry:
    """The entry with this number; Http404 when there is none. One query."""
    entry = Entry.objects.filter(tournament=tournament_id, number=number).first()
    if entry is None:
        raise Http404
    return entry


def codes_of(entry: Entry) -> list[str]:
    """Codes of the matches a team is in, as far as the draw is published. One query."""
    numbers = Match.objects.filter(slots__entry=entry, stage__draw_state=DrawState.PUBLISHED).values_list(
        "number", flat=True
    )
    return [f"M{number}" for number in sorted(numbers)]


def team_page(tournament: Tournament, entry: Entry, now: datetime) -> TeamPage:
    """A team's page. At most 26 queries, however long its way."""
    stage = public_stage(tournament)
    drawn = stage is not None and stage.draw_state == DrawState.PUBLISHED
    matches = _matches(tournament, entry, stage) if drawn and stage is not None else []
    members = tuple(
        Member(member.player_id, member.player.name, member.substitute)
        for member in EntryPlayer.objects.filter(entry=entry, until__isnull=True)
        .select_related("player")
        .order_by("position")
    )
    open_matches = [
        match
        for match in matches
        if not match.is_final and not match.is_void and match.state != MatchState.LOCKED
    ]
    current = open_matches[0] if open_matches else None
    times: dict[UUID, datetime] = {}
    win_match: MatchView | None = None
    if current is not None and stage is not None:
        times = progress(tournament, stage, now).times
        win_match = _next_of(tournament, current, stage)
    row = _placing(stage, entry) if drawn and current is None else None
    side, other = _sides(current, entry) if current else (None, None)
    waits = current is not None
    is_champion = tournament.champion_id == entry.pk
    team = team_views(tournament.slug, [entry.pk])[entry.pk]
    return TeamPage(
        team=team,
        members=members,
        status=_status(entry, row),
        is_here=entry.status == EntryStatus.CHECKED_IN,
        rank=row.label if row is not None and not row.still_in else "",
        match=current,
        side=side,
        other=other,
        at=times.get(current.id) if current and current.state not in LIVE_STATES else None,
        win=current.winner_way if current else None,
        win_at=times.get(win_match.id) if win_match else None,
        win_against=_other_label(win_match, current.code) if win_match and current else "",
        lose=current.loser_way if current else None,
        way=tuple(_way(entry, stage, matches, times, row)) if drawn else (),
        won=sum(_won(match, entry) for match in matches),
        lost=sum(match.is_final and not _won(match, entry) for match in matches),
        is_out=drawn and not waits and not is_champion and not (row is not None and row.still_in),
        is_champion=is_champion,
        codes=tuple(match.code for match in matches),
    )


def _matches(tournament: Tournament, entry: Entry, stage: Stage) -> list[MatchView]:
    rows = (
        Match.objects.filter(slots__entry=entry, stage__draw_state=DrawState.PUBLISHED)
        .select_related("round")
        .order_by("stage__number", "round__play_order", "number")
    )
    return match_views(tournament.slug, rows, marks_target=marks_target(tournament, stage))


def _next_of(tournament: Tournament, current: MatchView, stage: Stage) -> MatchView | None:
    """The match that the winner of the current one goes to."""
    if current.winner_way is None:
        return None
    row = Match.objects.filter(tournament=tournament, number=int(current.winner_way.code[1:])).select_related(
        "round"
    )
    views = match_views(tournament.slug, row, marks_target=marks_target(tournament, stage))
    return views[0] if views else None


def _other_label(match: MatchView, code: str) -> str:
    """Whom the winner of `code` would meet there: a team, or "Winner of M125"."""
    other = next((side for side in match.sides if side.source != code or side.source_kind != "winner"), None)
    return other.name if other else ""


def _placing(stage: Stage | None, entry: Entry) -> PlacingRow | None:
    if stage is None:
        return None
    return next((row for row in placing_rows(stage) if row.entry_id == entry.pk), None)


def _sides(match: MatchView, entry: Entry) -> tuple[SideView, SideView]:
    """The team's own half first."""
    own = match.ns if match.ns.team is not None and match.ns.team.id == entry.pk else match.ew
    return own, match.ew if own is match.ns else match.ns


def _won(match: MatchView, entry: Entry) -> bool:
    return match.is_final and _sides(match, entry)[0].won


def _way(
    entry: Entry,
    stage: Stage | None,
    matches: list[MatchView],
    times: dict[UUID, datetime],
    row: PlacingRow | None,
) -> list[WayStep]:
    """The steps in order of play: byes, matches played, the one being played, what comes then."""
    steps: list[tuple[int, WayStep]] = []
    byes = Bye.objects.filter(stage=stage, entry=entry).select_related("round")
    for bye in byes:
        text = words.round_name(bye.round.key)
        steps.append((bye.round.play_order, WayStep("bye", _("Bye"), text, "")))
    for match in matches:
        if not match.is_void and match.state != MatchState.LOCKED:
            steps.append((match.round.order, _step(match, entry, times)))
    ordered = [step for _order, step in sorted(steps, key=lambda one: one[0])]
    if row is not None and not row.still_in:
        title = _("Place %(rank)s") % {"rank": row.label}
        ordered.append(WayStep("out", title, status_words(row), ""))
    return ordered


def _step(match: MatchView, entry: Entry, times: dict[UUID, datetime]) -> WayStep:
    own, other = _sides(match, entry)
    text = [match.code, match.round.name]
    if match.is_final:
        title = _("Beat %(team)s") if own.won else _("Lost to %(team)s")
        marks = [f"{game.marks(own.side)}–{UNBROKEN}{game.marks(other.side)}" for game in match.games]
        if not other.team:
            title = _("Went on")
        detail = match.outcome or ", ".join(marks)
        return WayStep(
            "won" if own.won else "lost",
            title % {"team": other.name} if other.team else title,
            " · ".join([*text, detail] if detail else text),
            match.url,
            match.code,
        )
    if match.state in LIVE_STATES:
        if match.table:
            text.append(_("table %(number)d") % {"number": match.table})
        text.append(match.word.lower())
        title = _("Called: v %(team)s") if match.is_called else _("Now v %(team)s")
        return WayStep("now", title % {"team": other.name}, " · ".join(text), match.url, match.code)
    return WayStep(
        "next", _("Next v %(team)s") % {"team": other.name}, " · ".join(text), match.url, match.code
    )
