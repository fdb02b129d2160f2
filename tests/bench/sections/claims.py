"""Claims on every line: usual ones by every search that is here, and the worst that hill climbing finds."""

from __future__ import annotations

import random

from fortytwo.solver import CORES, why_pure
from tests.bench import claims
from tests.bench.figures import Figure

DATABASES = ("",)
SECONDS = 10.0


def measure() -> list[Figure]:
    """CPU milliseconds of claims."""
    positions = list(claims.usual(random.Random(claims.SEED)))
    figures = [
        Figure(
            f"claims, {name}: at most {claims.MOST_TRICKS} tricks left",
            "ms",
            [claims.timed(position, name)[0] for position in positions],
            "<= 5",
        )
        for name in CORES
    ]
    worst, _ = claims.climb(random.Random(claims.SEED), SECONDS)
    goal = "" if why_pure() else "<= 1000"
    return [
        *figures,
        Figure("claims: worst of whole deals found", "ms", [claims.timed(worst, None)[0]], goal),
    ]
