"""Which searches are used: the compiled ones where they were built from these sources, else pure Python.

There are two of each: `_compiled` for what best play makes of a position, `_lines` for claims.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Protocol

from . import pure
from .numbering import Numbering

SOURCES = tuple(Path(__file__).with_name(name) for name in ("_compiled.pyx", "_lines.pyx"))
SHARED = Path(__file__).with_name("_bits.pxd")


class Core(Protocol):
    """The state of one search: see `pure.Core`."""

    @property
    def nodes(self) -> int: ...

    def set_limit(self, limit: int) -> None: ...

    def load(self, numbers: Numbering, holdings: Sequence[int]) -> None: ...

    def bound(
        self, holdings: Sequence[int], leader: int, table: Sequence[int], lead: int, need: int
    ) -> int: ...


def source_digest() -> str:
    """What a build of the present sources carries."""
    return sha256(b"".join(source.read_bytes() for source in (*SOURCES, SHARED))).hexdigest()[:16]


def backend() -> str:
    """The name of the search that new solvers use: "compiled" or "pure"."""
    return next(iter(CORES))


def why_pure() -> str:
    """Why the compiled search is not used; empty where it is."""
    return _REASON


def new_core(name: str | None = None) -> Core:
    """A search of this name, by default the fastest. Raises `LookupError` for one that is not here."""
    return CORES[name or backend()]()


def _find() -> tuple[Mapping[str, type[Core]], str]:
    try:
        from . import _compiled, _lines
    except ImportError:
        return {pure.NAME: pure.Core}, "it has not been built: python -m fortytwo.solver.build"
    there = all(source.is_file() for source in (*SOURCES, SHARED))
    if there and {_compiled.DIGEST, _lines.DIGEST} != {source_digest()}:
        return {pure.NAME: pure.Core}, "it was built from another source: python -m fortytwo.solver.build"
    return {_compiled.NAME: _compiled.Core, pure.NAME: pure.Core}, ""


CORES, _REASON = _find()
"""The searches that are here, the fastest first."""
