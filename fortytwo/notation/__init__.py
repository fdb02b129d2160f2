"""Hands, games and matches in writing: 42 notation.

    document = parse(text)              # ParseError("bad_notation") with line and column
    write(document)                     # the one way in which it is written; exact round trip
    check(document)                     # every contradiction, each with its line
    hand_document(WrittenHand(hand))    # match_document(rules, [WrittenGame(...)], ...)

The grammar is in docs/notation.md. A file starts with `42 notation 1`.
"""

from ..records import (
    STRAIGHT,
    HandRecord,
    read_deal,
    read_items,
    read_object,
    read_plays,
    read_rules,
    read_text,
    read_tiles,
    read_trump,
    required,
)
from .build import (
    WrittenGame,
    WrittenHand,
    hand_document,
    level_of,
    match_document,
    record_of,
    result_of,
)
from .check import Problem, check
from .document import HEADER, Document, Line
from .parser import parse
from .structure import Part, parts_of
from .writer import statement_text, write

__all__ = [
    "HEADER",
    "STRAIGHT",
    "Document",
    "HandRecord",
    "Line",
    "Part",
    "Problem",
    "WrittenGame",
    "WrittenHand",
    "check",
    "hand_document",
    "level_of",
    "match_document",
    "parse",
    "parts_of",
    "read_deal",
    "read_items",
    "read_object",
    "read_plays",
    "read_rules",
    "read_text",
    "read_tiles",
    "read_trump",
    "record_of",
    "required",
    "result_of",
    "statement_text",
    "write",
]
