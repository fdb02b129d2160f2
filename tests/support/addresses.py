"""Every address of the site as its URL conf lists them, filled in for one recorded match."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

NOTHING = {"uuid": "00000000-0000-7000-8000-000000000000", "int": "999999", "match_code": "999999"}
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


@dataclass(frozen=True)
class Address:
    """A pattern such as `api/v1/hands/<uuid:hand_id>/` with the methods that it answers."""

    pattern: str
    methods: tuple[str, ...]

    def path(self, values: Mapping[str, Any]) -> str:
        """The path with its parameters filled in; one that is not known names nothing."""

        def fill(found: re.Match[str]) -> str:
            kind, name = found[1] or "str", found[2]
            value = str(values.get(name, NOTHING.get(kind, "nothing")))
            return f"M{value}" if kind == "match_code" else value

        return "/" + re.sub(r"<(?:(\w+):)?(\w+)>", fill, self.pattern)


def addresses(prefix: str) -> list[Address]:
    """The addresses that begin with `prefix`, in the order of the URL conf."""
    found = []
    for pattern, view in _walk(get_resolver(), ""):
        if pattern.startswith(prefix):
            view_class = getattr(view, "view_class", None) or getattr(view, "cls", None)
            names = view_class.http_method_names if view_class else ["get"]
            methods = tuple(
                one
                for one in METHODS
                if one.lower() in names and (view_class is None or hasattr(view_class, one.lower()))
            )
            found.append(Address(pattern, methods))
    return found


def _walk(resolver: URLResolver, before: str) -> Iterator[tuple[str, Any]]:
    for one in resolver.url_patterns:
        pattern = before + str(one.pattern)
        if isinstance(one, URLResolver):
            if not pattern.startswith("admin"):
                yield from _walk(one, pattern)
        elif isinstance(one, URLPattern):
            yield pattern, one.callback
