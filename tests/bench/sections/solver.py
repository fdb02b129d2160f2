"""The exact solver, every search that is here, over the same random deals."""

from __future__ import annotations

import statistics

from fortytwo.solver import why_pure
from tests.bench import solver
from tests.bench.figures import Figure

DATABASES = ("",)
DEALS = 20


def measure() -> list[Figure]:
    """CPU milliseconds of each search from an empty table, and how many times the compiled one is faster."""
    spent = solver.measure(DEALS)
    figures = [
        Figure(f"solver, {name}: {what}", "ms", times)
        for name, questions in spent.items()
        for what, times in questions.items()
    ]
    if why_pure():
        return figures
    return figures + [
        Figure(
            f"solver, compiled is faster: {what}", "x", [statistics.median(times) / statistics.median(fast)]
        )
        for (what, times), fast in zip(spent["pure"].items(), spent["compiled"].values(), strict=True)
    ]
