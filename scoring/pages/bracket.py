"""The bracket as a drawing: where each cell stands, and the lines from winners to their next match.

Pure geometry over `MatchView`s; every length is in CSS pixels. A *board* is one part of the bracket: winners,
losers or finals (or the only part of a single elimination). *Row* is a line of the tree: a match that no other
match on the board feeds takes a row of its own, every other one stands at the middle of those that feed it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.pages import words
from scoring.pages.matches import MatchView, RoundView
from tournaments.enums import MatchState, Section

CELL_WIDTH = 284
CELL_HEIGHT = 66
MIDDLE = CELL_HEIGHT // 2
HALF_ROW = 16
PITCH = 96
GAP = 52
TAG = 26
FINALS_WIDTH = 246
FINALS_GAP = 34
FINALS_PITCH = 104
FINALS_HEAD = 50
MAP_WIDTH = 170

ABSENT = frozenset({MatchState.LOCKED, MatchState.VOID})
"""States in which a reset match is not on the board."""

WINNERS_IN_FINALS = 2
LOSERS_IN_FINALS = 4


@dataclass(frozen=True, slots=True)
class Cell:
    """A match at its place. `x` and `y` are the upper left corner of the box; its tag stands above."""

    match: MatchView
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Line:
    """A connector from a match to the next one of its winner, as the path of an SVG."""

    source: str
    path: str


@dataclass(frozen=True, slots=True)
class Head:
    """What stands over a round: its name and counts."""

    name: str
    short: str
    key: str
    matches: str
    byes: str
    live: str
    done: str
    x: int = 0
    y: int = 0


@dataclass(slots=True)
class Column:
    """The cells of a round from the top, under their head."""

    head: Head
    x: int
    cells: list[Cell] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Dot:
    """A match in the map of the whole draw."""

    code: str
    x: float
    y: float
    tone: str


@dataclass(frozen=True, slots=True)
class Map:
    """The whole board in small. `dot` is how wide a match is drawn."""

    width: int
    height: int
    dot: float
    dots: tuple[Dot, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """One part of the bracket, ready to be drawn."""

    part: str
    columns: tuple[Column, ...]
    lines: tuple[Line, ...]
    width: int
    height: int
    cell_width: int = CELL_WIDTH
    map: Map | None = None
    reset_line: str = ""
    has_own_heads: bool = False

    @property
    def matches(self) -> int:
        return sum(len(column.cells) for column in self.columns)


def parts_of(matches: Iterable[MatchView]) -> tuple[str, ...]:
    """The parts of a bracket in reading order; one for a single elimination."""
    sections = {match.round.section for match in matches}
    if Section.LOSERS in sections or Section.FINALS in sections:
        return ("winners", "losers", "finals") if Section.LOSERS in sections else ("winners", "finals")
    return ("winners",) if sections else ()


def board(part: str, matches: Sequence[MatchView], byes: dict[str, int]) -> Board:
    """The board of a part. `byes` counts byes by round key."""
    shown = [match for match in matches if _is_shown(match)]
    if part == "finals":
        return _finals(shown, byes)
    sections = {"winners": {Section.WINNERS, Section.THIRD_PLACE}, "losers": {Section.LOSERS}}[part]
    return _tree(part, [match for match in shown if match.round.section in sections], byes)


def heads(matches: Iterable[MatchView], byes: dict[str, int]) -> dict[str, Head]:
    """The head of every round by key."""
    by_round: dict[str, list[MatchView]] = {}
    for match in matches:
        by_round.setdefault(match.round.key, []).append(match)
    return {key: head(group[0].round, group, byes.get(key, 0)) for key, group in by_round.items()}


def head(one: RoundView, matches: Sequence[MatchView], byes: int) -> Head:
    """What stands over one round. Matches that are not played do not count."""
    real = [match for match in matches if not match.is_void]
    live = sum(match.is_live for match in real)
    done = sum(match.is_final for match in real)
    return head_of(one.key, matches=len(real), byes=byes, live=live, done=done)


def head_of(key: str, *, matches: int, byes: int, live: int, done: int) -> Head:
    """The head of a round from its counts."""
    all_done = _("done") if done == matches else ""
    return Head(
        name=words.round_name(key),
        short=words.round_short(key),
        key=key,
        matches=ngettext("%(number)d match", "%(number)d matches", matches) % {"number": matches},
        byes=ngettext("%(number)d bye", "%(number)d byes", byes) % {"number": byes} if byes else "",
        live=_("%(number)d live") % {"number": live} if live else "",
        done=all_done or (_("%(number)d done") % {"number": done} if done else ""),
    )


def _is_shown(match: MatchView) -> bool:
    """A reset match is absent until it is needed."""
    return not (match.is_reset and match.state in ABSENT)


def _rows(matches: Sequence[MatchView]) -> dict[str, float]:
    """The row of each match: leaves in order, parents in the middle of what feeds them."""
    by_code = {match.code: match for match in matches}
    rows: dict[str, float] = {}
    taken = 0

    def place(match: MatchView) -> float:
        nonlocal taken
        if match.code in rows:
            return rows[match.code]
        feeding = [
            by_code[side.source]
            for side in match.sides
            if side.source_kind == "winner" and side.source in by_code
        ]
        if feeding:
            below = [place(one) for one in feeding]
            rows[match.code] = sum(below) / len(below)
        else:
            rows[match.code] = float(taken)
            taken += 1
        return rows[match.code]

    for match in sorted(matches, key=lambda one: (-one.round.order, one.position)):
        place(match)
    return rows


def _tree(part: str, matches: Sequence[MatchView], byes: dict[str, int]) -> Board:
    third = [match for match in matches if match.round.section == Section.THIRD_PLACE]
    main = [match for match in matches if match.round.section != Section.THIRD_PLACE]
    if not main:
        return Board(part, (), (), 0, 0)
    rows = _rows(main)
    rounds = sorted({match.round.order: match.round for match in main}.values(), key=lambda one: one.order)
    columns: dict[str, Column] = {}
    titles = heads(matches, byes)
    for index, one in enumerate(rounds):
        columns[one.key] = Column(titles[one.key], index * (CELL_WIDTH + GAP))
    for match in sorted(main, key=lambda one: rows[one.code]):
        column = columns[match.round.key]
        column.cells.append(Cell(match, column.x, TAG + round(rows[match.code] * PITCH)))
    last = columns[rounds[-1].key]
    for match in third:
        last.cells.append(Cell(match, last.x, last.cells[-1].y + PITCH + TAG))
    cells = {cell.match.code: cell for column in columns.values() for cell in column.cells}
    lowest = max(cell.y for cell in cells.values())
    width = len(columns) * (CELL_WIDTH + GAP) - GAP
    height = lowest + CELL_HEIGHT + 24
    return Board(
        part=part,
        columns=tuple(columns.values()),
        lines=_lines(cells, CELL_WIDTH, GAP),
        width=width,
        height=height,
        map=_map(cells.values(), width, height),
    )


def _lines(cells: dict[str, Cell], width: int, gap: int) -> tuple[Line, ...]:
    """Elbows from the pin of each cell to the row of the next one, which is 16 off its middle."""
    lines = []
    for cell in cells.values():
        for side, offset in zip(cell.match.sides, (-HALF_ROW, HALF_ROW), strict=True):
            source = cells.get(side.source)
            if source is not None and side.source_kind == "winner":
                lines.append(Line(source.match.code, _elbow(source, cell, offset, width, gap)))
    return tuple(lines)


def _elbow(source: Cell, target: Cell, offset: int, width: int, gap: int) -> str:
    start, level = source.x + width, source.y + MIDDLE
    turn, end = target.x - gap // 2, target.y + MIDDLE + offset
    return f"M{start} {level}H{turn}V{end}H{target.x}"


def _map(cells: Iterable[Cell], width: int, height: int) -> Map:
    drawn = list(cells)
    scale_x = (MAP_WIDTH - 24) / max(width, 1)
    tall = min(246, max(70, height * 4 / PITCH + 24))
    scale_y = (tall - 24) / max(height, 1)
    return Map(
        width=MAP_WIDTH,
        height=round(tall),
        dot=round(min(13.0, (CELL_WIDTH + GAP) * scale_x - 2.5), 1),
        dots=tuple(
            Dot(
                cell.match.code,
                round(12 + cell.x * scale_x, 1),
                round(12 + (cell.y + MIDDLE) * scale_y - 1, 1),
                "done" if cell.match.is_final else "live" if cell.match.is_live else "open",
            )
            for cell in drawn
        ),
    )


def _finals(matches: Sequence[MatchView], byes: dict[str, int]) -> Board:
    """The last rounds of both sides above one another, the grand final to their right."""
    titles = heads(matches, byes)
    upper = _last_rounds(matches, Section.WINNERS, WINNERS_IN_FINALS)
    lower = _last_rounds(matches, Section.LOSERS, LOSERS_IN_FINALS)
    finals = sorted(
        (one for one in matches if one.round.section == Section.FINALS), key=lambda one: one.number
    )
    step = FINALS_WIDTH + FINALS_GAP
    columns: list[Column] = []
    ends: list[int] = []
    top = 0
    for group in (upper, lower):
        if not group:
            continue
        rows = _rows([match for one in group for match in one])
        for index, matches_of_round in enumerate(group):
            column = Column(_at(titles[matches_of_round[0].round.key], index * step, top), index * step)
            column.cells = [
                Cell(match, column.x, top + FINALS_HEAD + TAG + round(rows[match.code] * FINALS_PITCH))
                for match in sorted(matches_of_round, key=lambda one: rows[one.code])
            ]
            columns.append(column)
        ends.append(columns[-1].cells[0].y)
        top += FINALS_HEAD + TAG + round(max(rows.values()) * FINALS_PITCH) + CELL_HEIGHT + 26
    x = max(len(upper), len(lower)) * step
    y = max(FINALS_HEAD + TAG, sum(ends) // len(ends)) if ends else FINALS_HEAD + TAG
    for match in finals:
        column = Column(_at(titles[match.round.key], x, y - FINALS_HEAD - TAG), x, [Cell(match, x, y)])
        columns.append(column)
        y += FINALS_HEAD + TAG + CELL_HEIGHT + 22
    cells = {cell.match.code: cell for column in columns for cell in column.cells}
    width = x + FINALS_WIDTH + 32
    height = max((cell.y + CELL_HEIGHT for cell in cells.values()), default=0) + 20
    shown = [cells[match.code] for match in finals if match.code in cells]
    reset_line = ""
    if len(shown) > 1:
        right = x + FINALS_WIDTH
        reset_line = f"M{right + 4} {shown[0].y + MIDDLE}h18V{shown[1].y + MIDDLE}h-18"
    lines = tuple(line for line in _lines(cells, FINALS_WIDTH, FINALS_GAP) if not _is_reset(line, cells))
    return Board(
        part="finals",
        columns=tuple(columns),
        lines=lines,
        width=width,
        height=height,
        cell_width=FINALS_WIDTH,
        reset_line=reset_line,
        has_own_heads=True,
    )


def _is_reset(line: Line, cells: dict[str, Cell]) -> bool:
    """The grand final's way to the reset match is drawn as a bracket on the right instead."""
    return cells[line.source].match.round.section == Section.FINALS


def _last_rounds(matches: Sequence[MatchView], section: str, number: int) -> list[list[MatchView]]:
    by_round: dict[int, list[MatchView]] = {}
    for match in matches:
        if match.round.section == section:
            by_round.setdefault(match.round.order, []).append(match)
    return [by_round[order] for order in sorted(by_round)][-number:]


def _at(one: Head, x: int, y: int) -> Head:
    return Head(one.name, one.short, one.key, one.matches, one.byes, one.live, one.done, x, y)
