"""Drawing a double elimination from its entries, as a draft: seconds and queries."""

from __future__ import annotations

import time

from tests.bench.figures import Figure
from tests.bench.site import counted, database_name

DATABASES = ("sqlite", "postgresql")
SIZES = (64, 147, 1024)
GOALS = {1024: "<= 2000"}


def measure() -> list[Figure]:
    """Each size once, after a small draw that loads what is loaded once."""
    figures = []
    _draw(8)
    for teams in SIZES:
        milliseconds, queries = _draw(teams)
        name = f"draw of {teams:,} teams, {database_name()}"
        figures += [
            Figure(name, "ms", [milliseconds], GOALS.get(teams, "")),
            Figure(f"{name}: queries", "", [queries]),
        ]
    return figures


def _draw(teams: int) -> tuple[float, int]:
    from tests.pages.event import event
    from tournaments.services.draw import stage_draw

    made = event(teams, name=f"{teams} teams", tables=0, published=False, started=False)
    stage_id = made.stage.pk
    with counted() as queries:
        began = time.perf_counter()
        stage_draw(stage_id=stage_id, actor=made.owner, method="random", seed=1)
        milliseconds = 1000 * (time.perf_counter() - began)
    return milliseconds, len(queries)
