"""Reads request bodies: UTF-8 JSON of bounded size and depth, without text that no database or page can hold."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

MAX_DEPTH = 12
MAX_INTEGER = 2**63 - 1


class StrictJSONParser(JSONParser):
    """Django REST framework's parser, but whatever cannot be read is a 400 and never a defect later on.

    The charset parameter is not asked: JSON is UTF-8 (RFC 8259).
    """

    def parse(
        self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        """The value. Raises ParseError."""
        limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE or 0
        body = stream.read(limit + 1)
        if len(body) > limit:
            raise ParseError(f"The body is longer than {limit:,} bytes.")
        try:
            value = json.loads(body.decode(), parse_constant=_refuse_constant)
        except RecursionError:
            raise ParseError(f"The body is nested deeper than {MAX_DEPTH} levels.") from None
        except ValueError as error:
            raise ParseError(f"This is not readable JSON: {error}") from None
        _check(value, MAX_DEPTH)
        return value


def _refuse_constant(text: str) -> None:
    raise ValueError(f"{text} is no number of JSON.")


def _check(value: Any, depth: int) -> None:
    if depth == 0:
        raise ParseError(f"The body is nested deeper than {MAX_DEPTH} levels.")
    if isinstance(value, str):
        _check_text(value)
    elif isinstance(value, dict):
        for key, item in value.items():
            _check_text(key)
            _check(item, depth - 1)
    elif isinstance(value, list):
        for item in value:
            _check(item, depth - 1)
    elif isinstance(value, int):
        if abs(value) > MAX_INTEGER:
            raise ParseError("A number of the body is too large.")
    elif isinstance(value, float) and not math.isfinite(value):
        raise ParseError("A number of the body is too large.")


def _check_text(text: str) -> None:
    if "\x00" in text:
        raise ParseError("A text of the body holds a NUL.")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ParseError("A text of the body holds half a character.") from None
