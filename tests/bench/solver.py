"""`python -m tests.bench.solver [deals]` measures the solver, every search that is here, in one run.

CPU milliseconds over random deals under the nine trumps from the first lead: the exact value, and whether
34 points are made; each with an empty table. The ratio is of the medians of both searches.
"""

import random
import sys
import time

from fortytwo import Deal, Seat, Side
from fortytwo.solver import CORES, Position, Solver, why_pure
from fortytwo.suits import PLAIN_TRUMPS

DEALS = 200
SEED = 42
MADE_AT = 34


def main(deals=DEALS):
    """Print a line for each search, then how much faster the compiled one is."""
    spent = {name: ([], []) for name in CORES}
    solvers = {name: Solver(name) for name in CORES}
    for position in positions(deals):
        for name, solver in solvers.items():
            exact, made = spent[name]
            exact.append(timed(solver, lambda solver, at: solver.points(at), position))
            made.append(timed(solver, lambda solver, at: solver.reaches(at, Side.NS, MADE_AT), position))
    for name, (exact, made) in spent.items():
        print(f"solver, {name}: exact {figures(exact)}; made at {MADE_AT} {figures(made)}")
    if why_pure():
        print(f"solver: no compiled search, {why_pure()}")
        return
    for place, what in enumerate(("exact", f"made at {MADE_AT}")):
        pure, compiled = spent["pure"][place], spent["compiled"][place]
        print(
            f"solver: compiled is {median(pure) / median(compiled):.0f}x faster, {what}"
            f" ({sum(pure) / sum(compiled):.0f}x over all)"
        )


def positions(deals):
    chance = random.Random(SEED)
    for _ in range(deals):
        deal = Deal.shuffled(chance)
        for trump in PLAIN_TRUMPS:
            yield Position.start(deal, trump, Seat.N)


def timed(solver, question, position):
    solver.forget()
    started = time.process_time()
    question(solver, position)
    return 1000 * (time.process_time() - started)


def figures(spent):
    ordered = sorted(spent)
    return (
        f"median {median(spent):.2f} ms, p95 {ordered[int(0.95 * len(ordered))]:.2f}, worst {ordered[-1]:.1f}"
    )


def median(spent):
    return sorted(spent)[len(spent) // 2]


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
