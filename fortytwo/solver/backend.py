"""Which search is used: the compiled one where it was built from this source, else pure Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Protocol

from . import pure
from .numbering import Numbering

SOURCE = Path(__file__).with_name("_compiled.pyx")


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
    """What a build of the present source carries."""
    return sha256(SOURCE.read_bytes()).hexdigest()[:16]


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
        from . import _compiled
    except ImportError:
        return {pure.NAME: pure.Core}, "it has not been built: python -m fortytwo.solver.build"
    if SOURCE.is_file() and source_digest() != _compiled.DIGEST:
        return {pure.NAME: pure.Core}, "it was built from another source: python -m fortytwo.solver.build"
    return {_compiled.NAME: _compiled.Core, pure.NAME: pure.Core}, ""


CORES, _REASON = _find()
"""The searches that are here, the fastest first."""
