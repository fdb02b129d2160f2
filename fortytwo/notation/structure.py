"""The parts of a document: its match, games and hands, and that every statement stands where it may.

A file holds one match with its games, or games alone, or hands alone. Rules hold for what is below them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeVar

from ..errors import FortyTwoError
from ..presets import preset
from ..rules import Ruleset
from .document import (
    BestOf,
    Bid,
    Calls,
    ClaimLine,
    Dealt,
    Document,
    FinalLine,
    Kind,
    Line,
    Named,
    ResultLine,
    Rules,
    RulingLine,
    ScoreLine,
    Section,
    Shaker,
    SitsOut,
    Statement,
    Tag,
    TrickLine,
)
from .lexer import notation_error

S = TypeVar("S")

ORDER: Mapping[Kind, tuple[tuple[type[Statement], ...], ...]] = MappingProxyType(
    {
        "match": ((Tag, Rules), (BestOf,), (FinalLine,)),
        "game": ((Tag, Rules), (Shaker,), (RulingLine,), (ScoreLine,)),
        "hand": (
            (Tag, Rules),
            (Shaker,),
            (Dealt,),
            (Calls, Bid),
            (Named,),
            (SitsOut,),
            (TrickLine, ClaimLine),
            (RulingLine,),
            (ResultLine,),
        ),
    }
)
"""What may stand in a section, in this order; statements of one group in any order."""

AFTER_PARTS = (FinalLine, ScoreLine)
"""These stand after the parts of their section."""
MANY = (Tag, Dealt, TrickLine, RulingLine)


@dataclass(slots=True)
class Part:
    """A section with its statements and the parts in it; `line` is where it starts."""

    kind: Kind
    line: int
    number: int | None
    rules: Ruleset
    lines: list[Line] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)

    def every(self, kind: type[S]) -> tuple[S, ...]:
        """Every statement of a kind."""
        return tuple(line.statement for line in self.lines if isinstance(line.statement, kind))

    def said(self, kind: type[S]) -> S | None:
        """The first statement of a kind."""
        return next(iter(self.every(kind)), None)

    def line_of(self, kind: type[object]) -> int:
        """The line of the first statement of a kind, of the section where there is none."""
        return next((line.number for line in self.lines if isinstance(line.statement, kind)), self.line)


def parts_of(document: Document, rules: Ruleset | None = None) -> tuple[Part, ...]:
    """The sections that are in no other; `rules` hold where the file says none, by default straight 42.

    Raises `ParseError("bad_notation")`.
    """
    top: list[Part] = []
    open_parts: list[Part] = []
    for line in document.lines:
        if line.statement is None:
            continue
        if isinstance(line.statement, Section):
            _open(top, open_parts, line, line.statement, rules or Ruleset())
            continue
        if not open_parts:
            raise notation_error(line.number, 1, "a file goes on with match, game or hand")
        if isinstance(line.statement, AFTER_PARTS):
            _close_for(open_parts, line.statement)
        _add(open_parts[-1], line)
    return tuple(top)


def check_structure(document: Document) -> None:
    """Raises `ParseError("bad_notation")` for a statement out of its place."""
    for part in parts_of(document):
        _check(part)


def _open(top: list[Part], open_parts: list[Part], line: Line, section: Section, default: Ruleset) -> None:
    while open_parts and _level(open_parts[-1].kind) >= _level(section.kind):
        open_parts.pop()
    outer = open_parts[-1] if open_parts else None
    if outer is None and top and (section.kind == "match" or top[0].kind != section.kind):
        raise notation_error(line.number, 1, f"a {section.kind} cannot follow here")
    if outer is not None and _level(section.kind) != _level(outer.kind) + 1:
        raise notation_error(line.number, 1, f"a {section.kind} stands in a game, not in a {outer.kind}")
    if outer is not None and any(isinstance(said.statement, AFTER_PARTS) for said in outer.lines):
        raise notation_error(line.number, 1, f"the {outer.kind} has its result already")
    rules = default if outer is None else outer.rules
    part = Part(section.kind, line.number, section.number, rules)
    (top if outer is None else outer.parts).append(part)
    open_parts.append(part)


def _close_for(open_parts: list[Part], said: Statement) -> None:
    """A result of a game or match ends the parts in it."""
    kind = "match" if isinstance(said, FinalLine) else "game"
    if any(part.kind == kind for part in open_parts):
        while open_parts[-1].kind != kind:
            open_parts.pop()


def _add(part: Part, line: Line) -> None:
    if isinstance(line.statement, Rules):
        part.rules = _ruleset(line.statement, line.number)
    part.lines.append(line)


def _ruleset(said: Rules, number: int) -> Ruleset:
    try:
        return Ruleset.from_switches({**preset(said.preset).switches, **dict(said.switches)})
    except FortyTwoError as error:
        raise notation_error(number, 1, error.message.rstrip(".")) from None


def _check(part: Part) -> None:
    groups = ORDER[part.kind]
    reached = 0
    seen: set[object] = set()
    for line in part.lines:
        said = line.statement
        place = next((at for at, group in enumerate(groups) if isinstance(said, group)), None)
        if place is None:
            raise notation_error(line.number, 1, f"this cannot stand in a {part.kind}")
        if place < reached:
            raise notation_error(line.number, 1, "this stands too late; the order is in the grammar")
        reached = place
        if _once(said) in seen:
            raise notation_error(line.number, 1, "this was said before")
        seen.add(_once(said))
    if part.kind == "hand":
        _check_hand(part)
    for inner in part.parts:
        _check(inner)


def _once(said: Statement | None) -> object:
    """What may be said once only."""
    if isinstance(said, Tag):
        return (Tag, said.name)
    if isinstance(said, Dealt):
        return (Dealt, said.seat)
    return said if isinstance(said, MANY) else type(said)


def _check_hand(part: Part) -> None:
    calls = part.said(Calls)
    if calls is not None and part.said(Bid) is not None:
        raise notation_error(part.line_of(Bid), 1, "the calls say the bid already")
    for kind in (TrickLine, ClaimLine):
        if calls is None and part.said(kind) is not None:
            raise notation_error(part.line_of(kind), 1, "tricks and claims need the calls of the hand")
    if calls is not None and part.said(Shaker) is None:
        raise notation_error(part.line_of(Calls), 1, "calls need the shaker of the hand before them")
    _check_tricks(part.lines)


def _check_tricks(lines: Iterable[Line]) -> None:
    """Tricks are numbered in order."""
    number = 0
    for line in lines:
        if isinstance(line.statement, TrickLine):
            number += 1
            if line.statement.number != number:
                raise notation_error(line.number, 1, f"trick {number} comes next")


def _level(kind: Kind) -> int:
    return ("match", "game", "hand").index(kind)
