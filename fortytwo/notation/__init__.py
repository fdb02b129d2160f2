"""Hands, games and matches in writing."""

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

__all__ = [
    "STRAIGHT",
    "HandRecord",
    "read_deal",
    "read_items",
    "read_object",
    "read_plays",
    "read_rules",
    "read_text",
    "read_tiles",
    "read_trump",
    "required",
]
