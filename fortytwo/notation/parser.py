"""Reading 42 notation: text in, a document out, or one error with its line and column.

The grammar is in docs/notation.md; every keyword is one entry of `READERS`. That statements stand in an
order that makes sense is checked by `structure`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeVar

from ..bids import Call
from ..errors import FortyTwoError, ParseError, echo
from ..rulings import Effect, Offence
from ..seats import PerSide, Seat, Side
from ..suits import Trump
from ..tiles import Tile
from ..trick import Play
from .document import (
    HEADER,
    KINDS,
    TAGS,
    BestOf,
    Bid,
    Calls,
    ClaimLine,
    Dealt,
    Document,
    FinalLine,
    Line,
    Named,
    Outcome,
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
from .lexer import MOST_CHARACTERS, Token, Words, check_characters, notation_error, split_line
from .structure import check_structure

T = TypeVar("T")

MOST_NUMBER = 9999
"""The largest number that can be written."""


def parse(text: str) -> Document:
    """Raises `ParseError("bad_notation")` with line and column, columns counted in characters."""
    if len(text) > MOST_CHARACTERS:
        raise notation_error(1, 1, f"the file is longer than {MOST_CHARACTERS} characters")
    lines = []
    has_header = False
    for number, raw in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        written = raw.removesuffix("\r")
        check_characters(written, number)
        words = split_line(written, number)
        if words.tokens and not has_header:
            if " ".join(token.text for token in words.tokens) != HEADER:
                raise notation_error(number, words.tokens[0].column, f"a file starts with {HEADER}")
            has_header = True
            words = Words((), words.comment, words.end)
        if words.tokens or words.comment is not None:
            statement = _Reader(words, number).statement() if words.tokens else None
            lines.append(Line(statement, words.comment, number))
    if not has_header:
        raise notation_error(1, 1, f"a file starts with {HEADER}")
    document = Document(tuple(lines))
    check_structure(document)
    return document


class _Reader:
    """One line, token by token."""

    def __init__(self, words: Words, number: int) -> None:
        self.tokens, self.end, self.number, self.at = words.tokens, words.end, number, 0

    def statement(self) -> Statement:
        first = self.word("a statement")
        read = READERS.get(first.text)
        if read is None and first.text.endswith("."):
            read = _trick
        if read is None:
            raise self.error(first, f"{echo(first.text)!r} is not a statement")
        found = read(self, first)
        if self.at < len(self.tokens):
            left = self.tokens[self.at]
            raise self.error(left, f"nothing more can follow here, not {echo(left.text)!r}")
        return found

    def error(self, token: Token | None, reason: str) -> ParseError:
        return notation_error(self.number, self.end if token is None else token.column, reason)

    def peek(self) -> Token | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def word(self, expected: str) -> Token:
        token = self.peek()
        if token is None or token.is_text:
            raise self.error(token, f"{expected} is missing here")
        self.at += 1
        return token

    def text(self) -> str:
        token = self.peek()
        if token is None or not token.is_text:
            raise self.error(token, "a text in quotes is missing here")
        self.at += 1
        return token.text

    def value(self, expected: str, read: Callable[[str], T]) -> T:
        """The next word, read as the engine reads it."""
        token = self.word(expected)
        return self.read(token, token.text, read)

    def read(self, token: Token, text: str, read: Callable[[str], T]) -> T:
        try:
            return read(text)
        except FortyTwoError as error:
            raise self.error(token, error.message.rstrip(".")) from None

    def accept(self, *words: str) -> str | None:
        """The next word if it is one of these."""
        token = self.peek()
        if token is None or token.is_text or token.text not in words:
            return None
        self.at += 1
        return token.text

    def next_is_text(self) -> bool:
        token = self.peek()
        return token is not None and token.is_text

    def number_of(self, expected: str, least: int = 0) -> int:
        token = self.word(expected)
        return self.integer(token, token.text, expected, least)

    def integer(self, token: Token, text: str, expected: str, least: int = 0) -> int:
        plain = text.isascii() and text.isdigit() and len(text) <= 4 and str(int(text)) == text
        if not plain or int(text) < least:
            raise self.error(token, f"{expected} is a number from {least} to {MOST_NUMBER}")
        return int(text)

    def score(self, expected: str) -> PerSide:
        """Two numbers, NS first."""
        token = self.word(expected)
        ns, dash, ew = token.text.partition("-")
        if not dash:
            raise self.error(token, f"{expected} is written like 7-4")
        return PerSide(self.integer(token, ns, expected), self.integer(token, ew, expected))

    def seated(self, expected: str, read: Callable[[str], T]) -> tuple[Seat, T]:
        """A word like N:34."""
        token = self.word(expected)
        seat, colon, rest = token.text.partition(":")
        if not colon:
            raise self.error(token, f"{expected} is written like N:{echo(token.text)}")
        return self.read(token, seat, _seat), self.read(token, rest, read)

    def tiles(self) -> tuple[Tile, ...]:
        found = []
        while (token := self.peek()) is not None and not token.is_text and token.text[:1].isdigit():
            found.append(self.value("a tile", _tile))
        return tuple(found)


def _seat(text: str) -> Seat:
    if text not in ("N", "E", "S", "W"):
        raise ParseError("bad_seat", text=echo(text))
    return Seat(text)


def _tile(text: str) -> Tile:
    tile = Tile.parse(text)
    if str(tile) != text:
        raise ParseError("bad_tile", text=echo(text))
    return tile


def _call(text: str) -> Call:
    call = Call.parse(text)
    if str(call) != text:
        raise ParseError("bad_call", text=echo(text))
    return call


def _trump(text: str) -> Trump:
    if text not in set(Trump):
        raise ParseError("bad_trump", text=echo(text))
    return Trump(text)


def _section(reader: _Reader, first: Token) -> Section:
    kind = next(kind for kind in KINDS if kind == first.text)
    if kind == "match" or reader.peek() is None:
        return Section(kind)
    return Section(kind, reader.number_of(f"the number of the {kind}", 1))


def _tag(reader: _Reader, first: Token) -> Tag:
    return Tag(first.text, reader.text())


def _rules(reader: _Reader, first: Token) -> Rules:
    name = reader.word("the name of a preset").text
    switches = []
    while (token := reader.peek()) is not None:
        reader.word("a switch")
        switch, sign, value = token.text.partition("=")
        if not sign or not switch or not value:
            raise reader.error(token, "a switch is written like nello=1")
        switches.append((switch, _scalar(value)))
    return Rules(name, tuple(switches))


def _scalar(text: str) -> Scalar:
    words: dict[str, Scalar] = {"true": True, "false": False, "none": None}
    if text in words:
        return words[text]
    is_number = text.isascii() and text.isdigit() and len(text) <= 4 and str(int(text)) == text
    return int(text) if is_number else text


def _best_of(reader: _Reader, first: Token) -> BestOf:
    return BestOf(reader.number_of("the number of games", 1))


def _shaker(reader: _Reader, first: Token) -> Shaker:
    return Shaker(reader.value("a seat", _seat))


def _dealt(reader: _Reader, first: Token) -> Dealt:
    seat = reader.value("a seat", _seat)
    if reader.accept("?"):
        return Dealt(seat, None)
    tiles = reader.tiles()
    if not tiles:
        raise reader.error(reader.peek(), "tiles are missing here; write ? where they are not known")
    return Dealt(seat, tiles)


def _calls(reader: _Reader, first: Token) -> Calls:
    calls = [reader.seated("a call", _call)]
    while reader.peek() is not None:
        calls.append(reader.seated("a call", _call))
    return Calls(tuple(calls))


def _bid(reader: _Reader, first: Token) -> Bid:
    return Bid(*reader.seated("a bid", _call))


def _named(reader: _Reader, first: Token) -> Named:
    return Named(reader.value("a trump", _trump))


def _sits_out(reader: _Reader, first: Token) -> SitsOut:
    return SitsOut(reader.value("a seat", _seat))


def _trick(reader: _Reader, first: Token) -> TrickLine:
    number = reader.integer(first, first.text[:-1], "the number of a trick", 1)
    plays = []
    while (token := reader.peek()) is not None and token.text != "=":
        reader.word("a play")
        play = reader.read(token, token.text, Play.parse)
        if str(play) != token.text:
            raise reader.error(token, f"a play is written like {play}")
        plays.append(play)
    if not plays:
        raise reader.error(reader.peek(), "the plays of the trick are missing here")
    if reader.accept("=") is None:
        return TrickLine(number, tuple(plays))
    winner = reader.value("who took the trick", _seat)
    return TrickLine(number, tuple(plays), winner, reader.number_of("the points of the trick", 1))


def _claim(reader: _Reader, first: Token) -> ClaimLine:
    seat = reader.value("a seat", _seat)
    order: tuple[Tile, ...] = ()
    if reader.accept("order"):
        order = reader.tiles()
        if not order:
            raise reader.error(reader.peek(), "the tiles in their order are missing here")
    word = reader.accept("made", "set")
    return ClaimLine(seat, order, None if word is None else word == "made")


def _ruling(reader: _Reader, first: Token) -> RulingLine:
    offence = _choice(reader, "an offence", {str(item).replace("_", "-"): item for item in Offence})
    seat_word = reader.accept("N", "E", "S", "W")
    effect = _choice(reader, "an effect", {str(item).replace("_", "-"): item for item in Effect})
    marks = None
    token = reader.peek()
    if token is not None and not token.is_text and token.text[:1].isdigit():
        marks = reader.score("the marks")
    reason = reader.text() if reader.next_is_text() else None
    by = reader.text() if reader.accept("by") else None
    return RulingLine(offence, effect, None if seat_word is None else Seat(seat_word), marks, reason, by)


def _choice(reader: _Reader, expected: str, choices: Mapping[str, T]) -> T:
    token = reader.word(expected)
    if token.text not in choices:
        raise reader.error(token, f"{expected} is one of {', '.join(choices)}")
    return choices[token.text]


def _result(reader: _Reader, first: Token) -> ResultLine:
    outcomes: dict[str, Outcome] = {"made": "made", "set": "set", "thrown-in": "thrown-in"}
    word = reader.accept(*outcomes)
    marks = points = tricks = None
    token = reader.peek()
    if token is not None and not token.is_text and token.text[:1].isdigit():
        marks = reader.score("the marks")
    if reader.accept("points"):
        points = reader.score("the points")
    if reader.accept("tricks"):
        tricks = reader.number_of("the tricks of the bidding side")
    if reader.at == 1:
        raise reader.error(reader.peek(), "the result is missing here")
    return ResultLine(None if word is None else outcomes[word], marks, points, tricks)


def _score(reader: _Reader, first: Token) -> ScoreLine:
    score = reader.score("the score")
    timed = reader.accept("timed") is not None
    winner = _choice(reader, "a side", {str(side): side for side in Side}) if reader.accept("won") else None
    return ScoreLine(score, timed, winner)


def _final(reader: _Reader, first: Token) -> FinalLine:
    return FinalLine(reader.score("the games won"))


READERS: Mapping[str, Callable[[_Reader, Token], Statement]] = MappingProxyType(
    {
        **dict.fromkeys(KINDS, _section),
        **dict.fromkeys(TAGS, _tag),
        "rules": _rules,
        "best-of": _best_of,
        "shaker": _shaker,
        "deal": _dealt,
        "calls": _calls,
        "bid": _bid,
        "trump": _named,
        "sits-out": _sits_out,
        "claim": _claim,
        "ruling": _ruling,
        "result": _result,
        "score": _score,
        "final": _final,
    }
)
"""How each statement is read, by its first word; a trick starts with its number and a dot."""
