"""The published bracket on paper: sixteen first matches a page, then the rounds that bring the pages together."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _later

from scoring.pages.bracket import CELL_HEIGHT, PITCH, Board, Cell, board, parts_of
from scoring.pages.matches import MatchView, SideView
from scoring.pages.stage import stage_view
from scoring.paper.press import press
from tournaments.models import Tournament

ROWS = 16
"""Lines of the tree that one page holds."""

TITLES = {"winners": _later("Winners"), "losers": _later("Losers"), "finals": _later("Finals")}


def bracket_pdf(tournament: Tournament, *, paper: str, now: datetime) -> bytes | None:
    """The bracket as it stands `now`; None while no draw is published."""
    stage = stage_view(tournament)
    if not stage.matches:
        return None
    local = now.astimezone(ZoneInfo(tournament.time_zone))
    boards = [
        _page(title, one)
        for part in parts_of(stage.matches)
        for title, one in pages(part, stage.matches, stage.byes)
    ]
    data = {
        "title": f"{tournament.name}: {_('Bracket')}",
        "event": tournament.name,
        "stamp": _("as of %(time)s") % {"time": f"{local:%-d %b %Y, %-I:%M %p}"},
        "boards": boards,
    }
    return press("bracket", paper, data)


def pages(part: str, matches: Sequence[MatchView], byes: dict[str, int]) -> list[tuple[str, Board]]:
    """The boards of one part with their titles. A tree of more lines than a page holds is cut into equal branches
    and the rounds in which they meet; every match is on exactly one page."""
    whole = board(part, matches, byes)
    if not whole.columns:
        return []
    lines = (max(cell.y for column in whole.columns for cell in column.cells) // PITCH) + 1
    if part == "finals" or lines <= ROWS:
        return [(str(TITLES[part]), whole)]
    branches = -(-lines // ROWS)
    groups: list[list[MatchView]] = [[] for _branch in range(branches)]
    meeting: list[MatchView] = []
    for column in whole.columns:
        for cell in column.cells:
            branch = min(branches - 1, int(cell.y // (ROWS * PITCH)))
            fits = len(column.cells) >= branches
            (groups[branch] if fits else meeting).append(cell.match)
    numbered = [group for group in groups if group]
    titled = [
        (f"{TITLES[part]}, {_('%(number)d of %(all)d') % {'number': number, 'all': len(numbered)}}", group)
        for number, group in enumerate(numbered, start=1)
    ]
    if meeting:
        titled.append((f"{TITLES[part]}, {_('last rounds')}", meeting))
    return [(title, board(part, group, byes)) for title, group in titled]


def _page(title: str, one: Board) -> dict[str, Any]:
    heads = [
        {"name": column.head.name, "x": column.head.x or column.x, "y": column.head.y - 14}
        for column in one.columns
    ]
    return {
        "title": title,
        "width": one.width,
        "height": one.height,
        "cell": [one.cell_width, CELL_HEIGHT],
        "lines": _lines(one),
        "heads": heads,
        "cells": [_cell(cell) for column in one.columns for cell in column.cells],
    }


def _lines(one: Board) -> str:
    paths = [line.path for line in one.lines] + ([one.reset_line] if one.reset_line else [])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{one.width}" height="{one.height}" '
        f'viewBox="0 0 {one.width} {one.height}"><path d="{" ".join(paths)}" fill="none" stroke="#555" '
        'stroke-width="1.6"/></svg>'
    )


def _cell(cell: Cell) -> dict[str, Any]:
    match = cell.match
    drops = _("loser of %(match)s drops in") % {"match": match.drops_in} if match.drops_in else ""
    return {
        "code": match.code,
        "tag": match.outcome or drops,
        "x": cell.x,
        "y": cell.y,
        "sides": [_side(match, side) for side in match.sides],
    }


def _side(match: MatchView, side: SideView) -> dict[str, Any]:
    return {
        "name": side.name,
        "known": side.team is not None,
        "seed": str(side.team.seed or "") if side.team else "",
        "won": side.won,
        "lost": side.lost,
        "marks": " ".join(str(mark.marks) for mark in side.cells),
        "games": str(side.games_won) if match.is_final else "",
    }
