"""Reading lists of teams: pasted or typed lines, CSV and XLSX; and what an import would do.

A *line* is one team: its name, two players, and a seed that may be missing. A *plan* says of each line
whether it is new, the same as a team that is entered already, or in conflict, and why.
"""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from django.utils.translation import gettext as _
from openpyxl import load_workbook
from openpyxl.utils.exceptions import InvalidFileException

from tournaments.errors import AgainstRules, Unreadable
from tournaments.models import Entry, EntryPlayer, Tournament, searchable
from tournaments.services.entry import NewEntry

MOST_BYTES = 1_000_000
MOST_UNPACKED = 20_000_000
MOST_LINES = 1024
MOST_NAME = 120
JOINTS = (" & ", " and ", " y ", " / ", "/", "&", "+")
"""What may stand between two partners in one cell, the clearest first."""
HEADS = {"team", "teams", "name", "equipo", "seed", "player 1", "player1", "player 2", "player2", "players"}

Kind = Literal["new", "same", "conflict"]


@dataclass(frozen=True, slots=True)
class Line:
    """One team as read. `number` is its place in the list, from 1."""

    number: int
    name: str
    players: tuple[str, ...]
    seed: str = ""


@dataclass(frozen=True, slots=True)
class PlannedLine:
    """A line with what the import would do with it; `why` is empty for a new team."""

    line: Line
    kind: Kind
    why: str = ""


@dataclass(slots=True)
class Plan:
    """Every line in order."""

    lines: list[PlannedLine] = field(default_factory=list)

    def of(self, kind: Kind) -> list[PlannedLine]:
        return [line for line in self.lines if line.kind == kind]

    @property
    def new(self) -> list[PlannedLine]:
        return self.of("new")

    @property
    def same(self) -> list[PlannedLine]:
        return self.of("same")

    @property
    def conflicts(self) -> list[PlannedLine]:
        return self.of("conflict")

    @property
    def in_order(self) -> list[PlannedLine]:
        """As a page shows them: conflicts first, so that none is overlooked in a long list."""
        return [*self.conflicts, *self.new, *self.same]

    @property
    def entries(self) -> list[NewEntry]:
        """What `entries_add` takes: the new teams."""
        return [
            NewEntry(
                name=one.line.name,
                players=list(one.line.players),
                seed=int(one.line.seed) if one.line.seed else None,
            )
            for one in self.new
        ]


def lines_of_text(text: str) -> list[Line]:
    """Read pasted or typed lines: 'Team, Player 1, Player 2, seed' with commas, semicolons or tabs."""
    if len(text) > MOST_BYTES:
        raise AgainstRules("too_large", _("This is too much text for a list of teams."), field="text")
    rows = [_cells(line) for line in text.replace("\x00", "").splitlines() if line.strip()]
    return _lines(rows)


def lines_of_file(name: str, content: bytes) -> list[Line]:
    """Read a CSV or XLSX file. Raises Unreadable for anything else, AgainstRules for one that is too large."""
    if len(content) > MOST_BYTES:
        raise AgainstRules("too_large", _("The file is larger than 1 MB."), field="file")
    if content[:2] == b"PK":
        return _lines(_xlsx_rows(content))
    if name.lower().endswith((".xls", ".ods", ".pdf", ".numbers", ".docx")):
        raise Unreadable("bad_file", _("Save it as CSV or XLSX first."), field="file")
    return lines_of_text(_decoded(content))


def text_of_lines(lines: Iterable[Line]) -> str:
    """The lines as text that `lines_of_text` reads back."""
    return "\n".join("\t".join([line.name, *line.players, line.seed]).rstrip("\t") for line in lines)


def plan_import(tournament: Tournament, lines: Sequence[Line]) -> Plan:
    """What importing these lines would do now. Two queries for any number of lines."""
    known = _Known.of(tournament)
    plan = Plan()
    for line in lines:
        kind, why = known.judge(line)
        if kind == "new":
            known.add(line.name, line.players, line.seed)
        plan.lines.append(PlannedLine(line, kind, why))
    return plan


@dataclass(slots=True)
class _Known:
    """Names without accents: teams with their players, who plays where, and the seeds that are taken."""

    exclusive: bool
    teams: dict[str, frozenset[str]] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    playing: dict[str, str] = field(default_factory=dict)
    seeds: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, tournament: Tournament) -> _Known:
        known = cls(tournament.players_exclusive)
        players: dict[object, list[str]] = {}
        members = EntryPlayer.objects.filter(tournament=tournament, until__isnull=True).order_by("position")
        for entry_id, name in members.values_list("entry_id", "player__name"):
            players.setdefault(entry_id, []).append(name)
        for entry in Entry.objects.filter(tournament=tournament):
            seed = str(entry.seed) if entry.seed else ""
            known.add(entry.name, players.get(entry.pk, []), seed)
        return known

    def add(self, name: str, players: Iterable[str], seed: str) -> None:
        self.teams[searchable(name)] = frozenset(searchable(player) for player in players)
        self.names[searchable(name)] = name
        for player in players:
            self.playing[searchable(player)] = name
        if seed:
            self.seeds[seed] = name

    def judge(self, line: Line) -> tuple[Kind, str]:
        wrong = _wrong(line)
        if wrong:
            return "conflict", wrong
        own = frozenset(searchable(player) for player in line.players)
        stored = self.teams.get(searchable(line.name))
        if stored == own:
            return "same", _("entered already")
        if stored is not None:
            return "conflict", _("There is a team of this name with other players.")
        if len(own) == 1:
            return "conflict", _("Both players have the same name.")
        if self.exclusive:
            for player in line.players:
                team = self.playing.get(searchable(player))
                if team is not None:
                    return "conflict", _("%(player)s plays in %(team)s already.") % {
                        "player": player,
                        "team": team,
                    }
        if line.seed in self.seeds:
            return "conflict", _("Seed %(seed)s is taken by %(team)s.") % {
                "seed": line.seed,
                "team": self.seeds[line.seed],
            }
        return "new", ""


def _wrong(line: Line) -> str:
    """What is wrong with the line by itself."""
    if not line.name:
        return _("The team has no name.")
    if len(line.players) != 2 or not all(line.players):
        return _("A team has two players; here are %(number)d.") % {
            "number": sum(bool(player) for player in line.players)
        }
    if any(len(name) > MOST_NAME for name in (line.name, *line.players)):
        return _("A name is longer than 120 characters.")
    if line.seed and not (line.seed.isascii() and line.seed.isdigit() and 0 < int(line.seed) <= 9999):
        return _("“%(seed)s” is no seed.") % {"seed": line.seed[:20]}
    return ""


def _cells(line: str) -> list[str]:
    """One typed line in cells: tabs before semicolons before commas."""
    delimiter = next((one for one in ("\t", ";") if one in line), ",")
    row = next(csv.reader([line], delimiter=delimiter, skipinitialspace=True), [])
    return [cell.strip() for cell in row]


def _lines(rows: Sequence[Sequence[str]]) -> list[Line]:
    kept = [row for row in rows if any(row)]
    order = _order(kept[0]) if kept else None
    if order is not None:
        kept = [[row[at] if at is not None and at < len(row) else "" for at in order] for row in kept[1:]]
    if len(kept) > MOST_LINES:
        raise AgainstRules("too_many", _("At most %(number)d teams at once.") % {"number": MOST_LINES})
    return [_line(number, row) for number, row in enumerate(kept, start=1)]


def _order(head: Sequence[str]) -> list[int | None] | None:
    """Where team, both players and seed stand by a line of titles; None when it is no line of titles."""
    titles = [searchable(cell).strip() for cell in head]
    if sum(title in HEADS for title in titles) < 2:
        return None
    team = next((at for at, title in enumerate(titles) if title in {"team", "teams", "name", "equipo"}), None)
    players = [at for at, title in enumerate(titles) if title.startswith("player")]
    seed = next((at for at, title in enumerate(titles) if title == "seed"), None)
    first = players[0] if players else None
    second = players[1] if len(players) > 1 else None
    return [team, first, second, seed]


def _line(number: int, row: Sequence[str]) -> Line:
    cells = [cell.strip() for cell in row]
    while cells and not cells[-1]:
        cells.pop()
    seed = ""
    if len(cells) > 2 and cells[-1].isascii() and cells[-1].isdigit():
        seed = cells.pop().lstrip("0")
    name, players = (cells[0] if cells else ""), cells[1:]
    if len(players) == 1:
        players = _pair(players[0])
    elif not players:
        players = _pair(name)
        players = players if len(players) == 2 else []
    return Line(number, name, tuple(players), seed)


def _pair(text: str) -> list[str]:
    """Two partners in one cell: 'June Hollis & Ray Dominguez'."""
    for joint in JOINTS:
        first, found, second = text.partition(joint)
        if found and first.strip() and second.strip():
            return [first.strip(), second.strip()]
    return [text.strip()] if text.strip() else []


def _decoded(content: bytes) -> str:
    for encoding in ("utf-8-sig", "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8"):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    return content.decode("cp1252", errors="replace")


def _xlsx_rows(content: bytes) -> list[list[str]]:
    """The first sheet of a workbook as text. A number without fraction loses its '.0'."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if sum(one.file_size for one in archive.infolist()) > MOST_UNPACKED:
                raise AgainstRules("too_large", _("The workbook is too large when unpacked."), field="file")
        book = load_workbook(io.BytesIO(content), read_only=True, data_only=True)
        sheet = book.worksheets[0]
        rows = [
            [_cell_text(value) for value in row[:12]]
            for row in sheet.iter_rows(max_row=MOST_LINES + 2, values_only=True)
        ]
        book.close()
    except (InvalidFileException, zipfile.BadZipFile, KeyError, IndexError, ValueError, OSError) as error:
        raise Unreadable("bad_file", _("This file cannot be read as a workbook."), field="file") from error
    return rows


def _cell_text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return " ".join(str(value).split())
