"""Exact double-dummy values, worlds that a player cannot rule out, and bots that play by them.

    solver = Solver()                              # one for each thread; Solver("pure", limit=10**6)
    position = Position.start(deal, Trump.FIVES, Seat.E)    # or Position.of(hand); .play(tile)
    solver.points(position)                        # PerSide: both sides at the end, best play by all
    solver.reaches(position, Side.EW, 34)          # only whether; much quicker
    solver.values(position)                        # {Play: points of the side in turn}
    solver.makes(hand), solver.outcomes(hand)      # is the bid made, and after each play; nello and sevens too
    par_table(deal, rules)                         # every leader by every trump; special_table for nello, sevens
    backend(), why_pure()                          # which search: "compiled" or "pure"

    worlds = Worlds(Knowledge.of(hand.view_for(seat), rules))   # what the seat cannot rule out
    worlds.count, worlds.draw(rng), worlds.draws(rng, 20, weight), worlds.deal(world)
    bot = Novice(rules, rng)                       # or Club, or Expert(rules, rng, worlds=12)
    bot.call(view), bot.name_trump(view), bot.play(view)

Raises `NotSolvable` where a question has no answer, `SearchLimit` where the limit of work is met, and
`NoWorld` where what is known contradicts itself.
"""

from .backend import CORES, backend, why_pure
from .bots import Bot, Club, Novice
from .expert import Expert
from .limits import NO_LIMIT, SearchLimit
from .par import par_table, special_table
from .position import NotSolvable, Position
from .solver import Solver
from .worlds import Knowledge, NoWorld, Worlds

__all__ = [
    "CORES",
    "NO_LIMIT",
    "Bot",
    "Club",
    "Expert",
    "Knowledge",
    "NoWorld",
    "NotSolvable",
    "Novice",
    "Position",
    "SearchLimit",
    "Solver",
    "Worlds",
    "backend",
    "par_table",
    "special_table",
    "why_pure",
]
