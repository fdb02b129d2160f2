"""Writing 42 notation: the one way in which a document is written.

Every statement is one line with single spaces, a blank line stands before each match, game and hand and
before what ends one, and `parse(write(document)) == document`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

from ..tiles import Tile
from .document import (
    HEADER,
    BestOf,
    Bid,
    Calls,
    ClaimLine,
    Dealt,
    Document,
    FinalLine,
    Named,
    ResultLine,
    Rules,
    RulingLine,
    Scalar,
    ScoreLine,
    Section,
    Shaker,
    SitsOut,
    Statement,
    Tag,
    TrickLine,
)
from .lexer import quoted


def write(document: Document) -> str:
    """The text of a document, ending with a line break."""
    written = [HEADER]
    for line in document.lines:
        if isinstance(line.statement, (Section, ScoreLine, FinalLine)):
            written.append("")
        parts = [] if line.statement is None else [statement_text(line.statement)]
        if line.comment is not None:
            parts.append(f"# {line.comment}".rstrip())
        written.append("  ".join(parts))
    return "\n".join(written) + "\n"


def statement_text(statement: Statement) -> str:
    """One statement as it is written."""
    return " ".join(_WRITERS[type(statement)](statement))


def _section(said: Section) -> Iterable[str]:
    return [said.kind] if said.number is None else [said.kind, str(said.number)]


def _tag(said: Tag) -> Iterable[str]:
    return [said.name, quoted(said.text)]


def _rules(said: Rules) -> Iterable[str]:
    return ["rules", said.preset, *(f"{name}={_scalar(value)}" for name, value in said.switches)]


def _scalar(value: Scalar) -> str:
    if value is None:
        return "none"
    return value if isinstance(value, str) else json.dumps(value)


def _dealt(said: Dealt) -> Iterable[str]:
    return ["deal", str(said.seat), *(["?"] if said.tiles is None else _tiles(said.tiles))]


def _tiles(tiles: Iterable[Tile]) -> list[str]:
    return [str(tile) for tile in tiles]


def _calls(said: Calls) -> Iterable[str]:
    return ["calls", *(f"{seat}:{call}" for seat, call in said.calls)]


def _trick(said: TrickLine) -> Iterable[str]:
    parts = [f"{said.number}.", *(str(play) for play in said.plays)]
    return parts if said.winner is None else [*parts, "=", str(said.winner), str(said.points)]


def _claim(said: ClaimLine) -> Iterable[str]:
    parts = ["claim", str(said.seat)]
    if said.order:
        parts += ["order", *_tiles(said.order)]
    if said.made is not None:
        parts.append("made" if said.made else "set")
    return parts


def _ruling(said: RulingLine) -> Iterable[str]:
    parts = ["ruling", str(said.offence).replace("_", "-")]
    parts += [] if said.seat is None else [str(said.seat)]
    parts.append(str(said.effect).replace("_", "-"))
    parts += [] if said.marks is None else [str(said.marks)]
    parts += [] if said.reason is None else [quoted(said.reason)]
    parts += [] if said.by is None else ["by", quoted(said.by)]
    return parts


def _result(said: ResultLine) -> Iterable[str]:
    parts = ["result"]
    parts += [] if said.outcome is None else [said.outcome]
    parts += [] if said.marks is None else [str(said.marks)]
    parts += [] if said.points is None else ["points", str(said.points)]
    parts += [] if said.tricks is None else ["tricks", str(said.tricks)]
    return parts


def _score(said: ScoreLine) -> Iterable[str]:
    parts = ["score", str(said.score)]
    parts += ["timed"] if said.timed else []
    parts += [] if said.winner is None else ["won", str(said.winner)]
    return parts


_WRITERS: dict[type, Callable[[Any], Iterable[str]]] = {
    Section: _section,
    Tag: _tag,
    Rules: _rules,
    BestOf: lambda said: ["best-of", str(said.games)],
    Shaker: lambda said: ["shaker", str(said.seat)],
    Dealt: _dealt,
    Calls: _calls,
    Bid: lambda said: ["bid", f"{said.seat}:{said.call}"],
    Named: lambda said: ["trump", str(said.trump)],
    SitsOut: lambda said: ["sits-out", str(said.seat)],
    TrickLine: _trick,
    ClaimLine: _claim,
    RulingLine: _ruling,
    ResultLine: _result,
    ScoreLine: _score,
    FinalLine: lambda said: ["final", str(said.games)],
}
