"""What a file in 42 notation says, line by line: statements as values, and the document that they make.

*Level* of a hand: `marks` (what it gave), `bid` (bidder, bid, trump and outcome) or `full` (every call and
tile). Statements hold what was written, whether it is right or not; `check` says what is wrong with it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from ..bids import Call
from ..rulings import Effect, Offence
from ..seats import PerSide, Seat, Side
from ..suits import Trump
from ..tiles import Tile
from ..trick import Play

VERSION = 1
HEADER = f"42 notation {VERSION}"

Kind = Literal["match", "game", "hand"]
KINDS: tuple[Kind, ...] = ("match", "game", "hand")

TAGS = (
    "event",
    "site",
    "date",
    "round",
    "table",
    "ns",
    "ew",
    "north",
    "east",
    "south",
    "west",
    "recorder",
    "note",
)
"""What a tag can be about; its value is free text."""

Outcome = Literal["made", "set", "thrown-in"]

Scalar: TypeAlias = "str | int | bool | None"


@dataclass(frozen=True, slots=True)
class Section:
    """The start of a match, game or hand; games and hands may have a number."""

    kind: Kind
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Tag:
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Rules:
    """A preset, and switches that differ from it. It holds for what is below it."""

    preset: str
    switches: tuple[tuple[str, Scalar], ...] = ()


@dataclass(frozen=True, slots=True)
class BestOf:
    games: int


@dataclass(frozen=True, slots=True)
class Shaker:
    """Who shakes the hand; above the first hand of a game, who shakes first."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Dealt:
    """The seven tiles of a seat, None where they are not known."""

    seat: Seat
    tiles: tuple[Tile, ...] | None


@dataclass(frozen=True, slots=True)
class Calls:
    """Every call in the order in which it was said."""

    calls: tuple[tuple[Seat, Call], ...]


@dataclass(frozen=True, slots=True)
class Bid:
    """The bid that won, in a record without the other calls."""

    seat: Seat
    call: Call


@dataclass(frozen=True, slots=True)
class Named:
    """The trump, or what else was named."""

    trump: Trump


@dataclass(frozen=True, slots=True)
class SitsOut:
    seat: Seat


@dataclass(frozen=True, slots=True)
class TrickLine:
    """A trick; the last one may be open. Who took it and its points may be noted."""

    number: int
    plays: tuple[Play, ...]
    winner: Seat | None = None
    points: int | None = None


@dataclass(frozen=True, slots=True)
class ClaimLine:
    """A claim that ended the hand, with the order of tiles that was stated, and what it gave."""

    seat: Seat
    order: tuple[Tile, ...] = ()
    made: bool | None = None


@dataclass(frozen=True, slots=True)
class RulingLine:
    """A ruling on the hand, or on the game; `marks` is what the hand gives by it."""

    offence: Offence
    effect: Effect
    seat: Seat | None = None
    marks: PerSide | None = None
    reason: str | None = None
    by: str | None = None


@dataclass(frozen=True, slots=True)
class ResultLine:
    """What a hand gave: marks, or points in a points game; points and tricks as far as recorded."""

    outcome: Outcome | None = None
    marks: PerSide | None = None
    points: PerSide | None = None
    tricks: int | None = None


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """The final score of a game; `winner` where the score does not tell."""

    score: PerSide
    timed: bool = False
    winner: Side | None = None


@dataclass(frozen=True, slots=True)
class FinalLine:
    """Games won in a match."""

    games: PerSide


Statement: TypeAlias = (
    "Section | Tag | Rules | BestOf | Shaker | Dealt | Calls | Bid | Named | SitsOut | TrickLine"
    " | ClaimLine | RulingLine | ResultLine | ScoreLine | FinalLine"
)


@dataclass(frozen=True, slots=True)
class Line:
    """One line: a statement, a comment, or both. `number` is its place in the file it was read from."""

    statement: Statement | None = None
    comment: str | None = None
    number: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Document:
    """A whole file without its header. Two documents are equal if they say the same."""

    lines: tuple[Line, ...]

    @property
    def statements(self) -> tuple[Statement, ...]:
        return tuple(line.statement for line in self.lines if line.statement is not None)
