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

from tournaments.errors import AgainstRules, Unreadable
from tournaments.models import Entry, EntryPlayer, Tournament, folded, searchable

MOST_BYTES = 1_000_000
MOST_UNPACKED = 20_000_000
MOST_LINES = 1024
MOST_NAME = 120
JOINTS = (" & ", " and ", " y ", " / ", "/", "&", "+")
"""What may stand between two partners in one cell, the clearest first."""
HEADS = {"team", "teams", "name", "equipo", "seed", "player 1", "player1", "player 2", "player2", "players"}

OTHER_FILES = (b"%PDF", b"\xd0\xcf\x11\xe0")
"""How a PDF and an old Excel file begin: text enough to be taken for a list."""

Kind = Literal["new", "same", "conflict"]
Problem = Literal[
    "",
    "bad_name",
    "two_players",
    "bad_seed",
    "same_player_twice",
    "team_name_taken",
    "player_taken",
    "seed_taken",
]
"""Why a line is in conflict, for programs."""


@dataclass(frozen=True, slots=True)
class Line:
    """One team as read. `number` is its place in the list, from 1."""

    number: int
    name: str
    players: tuple[str, ...]
    seed: str = ""
    rating: float | None = None


@dataclass(frozen=True, slots=True)
class PlannedLine:
    """A line with what the import would do with it; `why` is empty for a new team, `code` unless in conflict."""

    line: Line
    kind: Kind
    why: str = ""
    code: Problem = ""


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


def lines_of_text(text: str) -> list[Line]:
    """Read pasted or typed lines: 'Team, Player 1, Player 2, seed' with commas, semicolons or tabs."""
    if len(text) > MOST_BYTES:
        raise AgainstRules("too_large", _("This is too much text for a list of teams."), field="text")
    rows = [_cells(line) for line in text.replace("\x00", "").splitlines() if line.strip()]
    return _lines(rows)


def lines_of_file(name: str, content: bytes) -> list[Line]:
    """Read a CSV or XLSX file. Raises Unreadable for anything else, AgainstRules for one that is too large."""
    _require_size(content)
    if content[:2] == b"PK":
        return lines_of_workbook(content)
    if name.lower().endswith((".xls", ".ods", ".pdf", ".numbers", ".docx")) or content[:4] in OTHER_FILES:
        raise Unreadable("bad_file", _("Save it as CSV or XLSX first."), field="file")
    return lines_of_text(_decoded(content))


def lines_of_workbook(content: bytes) -> list[Line]:
    """Read an XLSX file. Raises Unreadable for anything else, AgainstRules for one that is too large."""
    _require_size(content)
    return _lines(_xlsx_rows(content))


def text_of_lines(lines: Iterable[Line]) -> str:
    """The lines as text that `lines_of_text` reads back."""
    return "\n".join("\t".join([line.name, *line.players, line.seed]).rstrip("\t") for line in lines)


def plan_import(tournament: Tournament, lines: Sequence[Line]) -> Plan:
    """What importing these lines would do now. Two queries for any number of lines."""
    known = _Known.of(tournament)
    plan = Plan()
    for line in lines:
        judged = known.judge(line)
        if judged.kind == "new":
            known.add(line.name, line.players, line.seed)
        plan.lines.append(judged)
    return plan


@dataclass(slots=True)
class _Known:
    """Names without accents: teams with their players, who plays where, and the seeds that are taken."""

    exclusive: bool
    teams: dict[str, frozenset[str]] = field(default_factory=dict)
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
        self.teams[searchable(name)] = frozenset(folded(player) for player in players)
        for player in players:
            self.playing[folded(player)] = name
        if seed:
            self.seeds[seed] = name

    def judge(self, line: Line) -> PlannedLine:
        own = frozenset(folded(player) for player in line.players)
        code, why = _wrong(line)
        if not code and self.teams.get(searchable(line.name)) == own:
            return PlannedLine(line, "same", _("entered already"))
        if not code:
            code, why = self._against(line, own)
        return PlannedLine(line, "conflict" if code else "new", why, code)

    def _against(self, line: Line, own: frozenset[str]) -> tuple[Problem, str]:
        """What is wrong with the line beside the teams that are known."""
        if searchable(line.name) in self.teams:
            return "team_name_taken", _("There is a team of this name with other players.")
        if len(own) == 1:
            return "same_player_twice", _("Both players have the same name.")
        for player in line.players if self.exclusive else ():
            team = self.playing.get(folded(player))
            if team is not None:
                facts = {"player": player, "team": team}
                return "player_taken", _("%(player)s plays in %(team)s already.") % facts
        if line.seed in self.seeds:
            taken = {"seed": line.seed, "team": self.seeds[line.seed]}
            return "seed_taken", _("Seed %(seed)s is taken by %(team)s.") % taken
        return "", ""


def _wrong(line: Line) -> tuple[Problem, str]:
    """What is wrong with the line by itself."""
    if not line.name:
        return "bad_name", _("The team has no name.")
    if len(line.players) != 2 or not all(line.players):
        number = sum(bool(player) for player in line.players)
        return "two_players", _("A team has two players; here are %(number)d.") % {"number": number}
    if any(len(name) > MOST_NAME for name in (line.name, *line.players)):
        return "bad_name", _("A name is longer than 120 characters.")
    if line.seed and not _is_seed(line.seed):
        return "bad_seed", _("“%(seed)s” is no seed.") % {"seed": line.seed[:20]}
    return "", ""


def _is_seed(text: str) -> bool:
    # The length first: Python refuses to read a number of thousands of digits.
    return text.isascii() and text.isdigit() and len(text) <= 4 and int(text) > 0


def _require_size(content: bytes) -> None:
    if len(content) > MOST_BYTES:
        raise AgainstRules("too_large", _("The file is larger than 1 MB."), field="file")


def _cells(line: str) -> list[str]:
    """One typed line in cells: tabs before semicolons before commas."""
    delimiter = next((one for one in ("\t", ";") if one in line), ",")
    try:
        row = next(csv.reader([line], delimiter=delimiter, skipinitialspace=True), [])
    except csv.Error as error:
        raise Unreadable("bad_file", _("A line of the list cannot be read."), field="text") from error
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
    # Here, since its import takes every process that reads no workbook a fifth of a second.
    from openpyxl import load_workbook

    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            unpacked = sum(one.file_size for one in archive.infolist())
        if unpacked <= MOST_UNPACKED:
            book = load_workbook(io.BytesIO(content), read_only=True, data_only=True)
            rows = book.worksheets[0].iter_rows(max_row=MOST_LINES + 2, values_only=True)
            found = [[_cell_text(value) for value in row[:12]] for row in rows]
            book.close()
    # A damaged workbook raises whatever zlib, the XML parser or openpyxl stumbles over first.
    except Exception as error:
        raise Unreadable("bad_file", _("This file cannot be read as a workbook."), field="file") from error
    if unpacked > MOST_UNPACKED:
        raise AgainstRules("too_large", _("The workbook is too large when unpacked."), field="file")
    return found


def _cell_text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return " ".join(str(value).split())
