"""Single elimination: one loss and a team is out.

Top seeds get the byes, all of them in round 1. The whole bracket is the section `winners`; a match for third
place between the losers of the semi-finals is numbered just before the final, so that both can be played
side by side.
"""

from __future__ import annotations

from functools import lru_cache

from tournaments.draw.builder import PlanBuilder
from tournaments.draw.errors import DrawError
from tournaments.draw.plan import Plan, check_size

THIRD_PLACE_MINIMUM = 4

_LAST_KEYS = {1: "final", 2: "semifinals", 4: "quarterfinals"}


@lru_cache(maxsize=64)
def build(size: int, *, third_place: bool = False) -> Plan:
    """The plan for this many teams.

    Raises DrawError `size_out_of_range`, and `third_place_needs_four` where fewer than two semi-finals are
    played.
    """
    check_size(size)
    if third_place and size < THIRD_PLACE_MINIMUM:
        raise DrawError(
            "third_place_needs_four",
            f"A match for third place needs two semi-finals, that is at least {THIRD_PLACE_MINIMUM} teams.",
            size=size,
            minimum=THIRD_PLACE_MINIMUM,
        )
    builder = PlanBuilder("single-elimination", size)
    line = builder.seeded_line()
    while len(line) > 2:
        key = _LAST_KEYS.get(len(line) // 2, f"round-{builder.next_number('winners')}")
        line, losers = builder.add_round("winners", key, line)
    if third_place:
        builder.add_round("third-place", "third-place", losers)
    builder.add_round("winners", "final", line, final=True)
    return builder.plan()
