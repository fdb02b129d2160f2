"""Placings: champion, runner-up, then by round of exit; teams still in stand first, fewest losses before more."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _

from scoring.pages import words
from scoring.pages.matches import MatchView, TeamView, team_views
from scoring.pages.stage import StageView, public_stage, stage_view
from tournaments.enums import DrawState, StageKind
from tournaments.models import Tournament
from tournaments.selectors.placings import PlacingRow, placing_rows

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%")
"""What makes a spreadsheet read a cell as a formula."""


@dataclass(frozen=True, slots=True)
class PlacingView:
    """One line. `cut` is the sentence of a band above this line, or empty."""

    row: PlacingRow
    team: TeamView
    status: str
    exit_url: str
    cut: str

    @property
    def is_first(self) -> bool:
        return self.row.standing == "champion"


def standings_context(tournament: Tournament) -> dict[str, Any]:
    """Nine queries for any number of teams."""
    stage = public_stage(tournament)
    rows = placing_rows(stage) if stage is not None and stage.draw_state == DrawState.PUBLISHED else []
    teams = team_views(tournament.slug, [row.entry_id for row in rows])
    is_double = stage is not None and stage.kind == StageKind.DOUBLE_ELIMINATION
    lines = []
    before: PlacingRow | None = None
    for row in rows:
        lines.append(
            PlacingView(
                row=row,
                team=teams[row.entry_id],
                status=status_words(row),
                exit_url=reverse("match", args=[tournament.slug, row.exit_match]) if row.exit_match else "",
                cut=_cut(before, row, is_double),
            )
        )
        before = row
    still_in = sum(row.still_in for row in rows)
    return {
        "placings": lines,
        "still_in": still_in,
        "teams_count": len(rows),
        "stage": stage,
        "has_champion": any(row.standing == "champion" for row in rows),
        "is_drawn": bool(rows),
    }


def status_words(row: PlacingRow) -> str:
    """Where a team stands, in words: "Champion", "in, one loss", "out in Losers 5"."""
    if row.standing == "champion":
        return _("Champion")
    if row.standing == "runner-up":
        return _("Runner-up")
    if row.standing == "third":
        return _("Third")
    if row.still_in:
        return _("In, %(losses)s") % {"losses": words.losses_words(row.lost)}
    if row.exit == "third-place":
        return _("Fourth")
    where = words.round_name(row.exit)
    if row.exit_by == "withdrawal":
        return _("Withdrew in %(round)s") % {"round": where}
    if row.exit_by in {"forfeit", "double-forfeit"}:
        return _("Out by forfeit in %(round)s") % {"round": where}
    return _("Out in %(round)s") % {"round": where}


def _cut(before: PlacingRow | None, row: PlacingRow, is_double: bool) -> str:
    """The felt band between those still in and those who are out."""
    if before is None or not before.still_in or row.still_in or row.standing != "out":
        return ""
    if is_double:
        return _("Still in above. Below: out, after two losses.")
    return _("Still in above. Below: out.")


def placings_csv(tournament: Tournament) -> str:
    """The placings as CSV. Nine queries."""
    stage = public_stage(tournament)
    rows = placing_rows(stage) if stage is not None and stage.draw_state == DrawState.PUBLISHED else []
    return _csv(_placing_lines(rows, team_views(tournament.slug, [row.entry_id for row in rows])))


def results_csv(tournament: Tournament) -> str:
    """Every match that is over as CSV. Eleven queries."""
    return _csv(_match_lines(stage_view(tournament)))


def _csv(lines: Iterator[list[object]]) -> str:
    """CSV for spreadsheets: the mark at the start tells them that it is UTF-8."""
    out = io.StringIO()
    out.write("\ufeff")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerows([safe_cell(value) for value in line] for line in lines)
    return out.getvalue()


def _placing_lines(rows: list[PlacingRow], teams: dict[UUID, TeamView]) -> Iterator[list[object]]:
    yield [
        _("Rank"),
        _("Number"),
        _("Team"),
        _("Players"),
        _("Matches won"),
        _("Matches lost"),
        _("Marks for"),
        _("Marks against"),
        _("Standing"),
        _("Last match"),
    ]
    for row in rows:
        yield [
            row.label.removeprefix("="),
            row.number,
            row.name,
            teams[row.entry_id].players,
            row.won,
            row.lost,
            row.marks_for,
            row.marks_against,
            status_words(row),
            row.exit_match,
        ]


def _match_lines(stage: StageView) -> Iterator[list[object]]:
    yield [
        _("Match"),
        _("Round"),
        _("Table"),
        _("North and South"),
        _("East and West"),
        _("Marks by game"),
        _("Games"),
        _("Winner"),
        _("How"),
    ]
    for match in sorted(stage.matches, key=lambda one: one.number):
        if match.is_final:
            yield _match_line(match)


def _match_line(match: MatchView) -> list[object]:
    games = ", ".join(f"{game.ns}–{game.ew}" for game in match.games)
    return [
        match.code,
        match.round.name,
        match.table or "",
        match.ns.name,
        match.ew.name,
        games,
        f"{match.ns.games_won}–{match.ew.games_won}",
        match.winner.name if match.winner else "",
        match.outcome or match.settled,
    ]


def safe_cell(value: object) -> object:
    """A cell that no spreadsheet runs: text that looks like a formula gets an apostrophe before it."""
    if not isinstance(value, str):
        return value
    return (
        f"'{value}"
        if value.lstrip().startswith(FORMULA_STARTS) or value.startswith(FORMULA_STARTS)
        else value
    )
