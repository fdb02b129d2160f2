"""One line of 42 notation as words and texts, each with its column (1, 2, ...).

A *text* stands in double quotes; in it a backslash and a quote are written with a backslash before them,
a line break as `\\n`, and a character that may not stand in a file as `\\u` and four hexadecimal digits.
A comment goes from `#` to the end of the line.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from ..errors import ParseError

MOST_CHARACTERS = 1_000_000
"""The longest file that is read."""

ESCAPES = {'"': '"', "\\": "\\", "n": "\n"}
SPACES = " \t"
HEXADECIMAL = "0123456789abcdef"


@dataclass(frozen=True, slots=True)
class Token:
    text: str
    column: int
    is_text: bool = False


@dataclass(frozen=True, slots=True)
class Words:
    """The tokens of a line and its comment; `end` is the column after the last token."""

    tokens: tuple[Token, ...]
    comment: str | None
    end: int


def split_line(line: str, number: int) -> Words:
    """Raises `ParseError("bad_notation")`."""
    tokens: list[Token] = []
    at = 0
    while at < len(line):
        character = line[at]
        if character in SPACES:
            at += 1
        elif character == "#":
            return Words(tuple(tokens), line[at + 1 :].strip(SPACES), at + 1)
        elif character == '"':
            text, after = _text(line, at, number)
            tokens.append(Token(text, at + 1, is_text=True))
            if line[after : after + 1] not in ("", " ", "\t", "#"):
                raise notation_error(number, after + 1, "a space is missing after the text")
            at = after
        else:
            after = at
            while after < len(line) and line[after] not in ' \t#"':
                after += 1
            tokens.append(Token(line[at:after], at + 1))
            at = after
    return Words(tuple(tokens), None, len(line) + 1)


def quoted(text: str) -> str:
    """A text as it is written."""
    for plain, escaped in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n")):
        text = text.replace(plain, escaped)
    if not text.isprintable():
        text = "".join(f"\\u{ord(one):04x}" if _is_refused(one) or one == "\t" else one for one in text)
    return f'"{text}"'


def check_characters(line: str, number: int) -> None:
    """No control characters and line breaks of other kinds: they do not survive being shown or sent."""
    if line.isprintable():
        return
    for at, character in enumerate(line):
        if _is_refused(character):
            raise notation_error(number, at + 1, f"the character U+{ord(character):04X} cannot stand here")


def _is_refused(character: str) -> bool:
    return character != "\t" and unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp")


def notation_error(line: int, column: int, reason: str) -> ParseError:
    return ParseError("bad_notation", line=line, column=column, reason=reason)


def _text(line: str, start: int, number: int) -> tuple[str, int]:
    """A text in quotes that starts here, and where it ends."""
    found: list[str] = []
    at = start + 1
    while at < len(line):
        character = line[at]
        if character == '"':
            return "".join(found), at + 1
        if character == "\\":
            at += 1
            escaped = line[at : at + 1]
            digits = line[at + 1 : at + 5]
            if escaped == "u" and len(digits) == 4 and all(one in HEXADECIMAL for one in digits):
                character = chr(int(digits, 16))
                at += 4
            elif escaped in ESCAPES:
                character = ESCAPES[escaped]
            else:
                raise notation_error(
                    number, at, "only a quote, a backslash, n or uXXXX can follow a backslash"
                )
        found.append(character)
        at += 1
    raise notation_error(number, start + 1, "a text that starts here is not closed by a quote")
