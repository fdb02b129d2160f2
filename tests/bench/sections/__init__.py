"""What can be measured: one module a section, with `DATABASES` and `measure() -> list[Figure]` for one round."""

from importlib import import_module
from types import ModuleType

SECTIONS = ("engine", "solver", "claims", "draw", "results", "plays", "pages", "fanout", "memory")


def section(name: str) -> ModuleType:
    """The module of a section."""
    return import_module(f"tests.bench.sections.{name}")
