"""Both searches for tests: where the compiled one is missing a test of it is skipped, but only if there is no
compiler; a search that could have been built fails."""

import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from fortytwo.solver import CORES, Solver

NAMES = ("compiled", "pure")
ROOT = Path(__file__).resolve().parents[3]

backends = pytest.mark.parametrize("name", NAMES)
"""Gives a test `name`; it asks `search(name)`."""


def search(name, **options):
    """A new solver with this search."""
    need(name)
    return Solver(name, **options)


def both(**options):
    """A solver with each search."""
    return [search(name, **options) for name in NAMES]


def need(name):
    """Skip or fail a test whose search is missing."""
    if name in CORES:
        return
    if _can_be_built():
        pytest.fail("the compiled search is not built from this source: make boot-dev")
    pytest.skip("no compiler for the solver's search")


@cache
def _can_be_built():
    command = [sys.executable, "-m", "fortytwo.solver.build", "--require"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, timeout=110, check=False).returncode == 0
