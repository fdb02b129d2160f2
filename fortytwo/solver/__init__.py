"""Exact double-dummy values, worlds that a player cannot rule out, and bots that play by them.

    solver = Solver()                              # one for each thread; Solver("pure", limit=10**6)
    position = Position.start(deal, Trump.FIVES, Seat.E)    # or Position.of(hand)
    solver.points(position)                        # PerSide: both sides at the end, best play by all
    solver.reaches(position, Side.EW, 34)          # only whether; much quicker
    solver.values(position)                        # {Play: points of the side in turn}
    solver.makes(hand), solver.outcomes(hand)      # is the bid made, and after each play; nello and sevens too
    par_table(deal, rules)                         # every leader by every trump
    backend(), why_pure()                          # which search: "compiled" or "pure"

Raises `NotSolvable` where a question has no answer, and `SearchLimit` where the limit of work is met.
"""

from .backend import CORES, backend, why_pure
from .limits import NO_LIMIT, SearchLimit
from .position import NotSolvable, Position
from .solver import Solver

__all__ = [
    "CORES",
    "NO_LIMIT",
    "NotSolvable",
    "Position",
    "SearchLimit",
    "Solver",
    "backend",
    "why_pure",
]
