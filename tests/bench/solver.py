"""`python -m tests.bench.solver [deals]` measures the solver, every search that is here, in one run.

CPU milliseconds over random deals under the nine trumps from the first lead: the exact value, and whether
34 points are made; each with an empty table. The ratio is of the medians of both searches.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator

from fortytwo import Deal, Seat, Side
from fortytwo.solver import CORES, Position, Solver, why_pure
from fortytwo.suits import PLAIN_TRUMPS

DEALS = 200
SEED = 42
MADE_AT = 34

Question = Callable[[Solver, Position], object]
QUESTIONS: dict[str, Question] = {
    "exact": lambda solver, at: solver.points(at),
    f"made at {MADE_AT}": lambda solver, at: solver.reaches(at, Side.NS, MADE_AT),
}


def main(deals: int = DEALS) -> None:
    """Print a line for each search, then how much faster the compiled one is."""
    spent = measure(deals)
    for name, questions in spent.items():
        print(
            f"solver, {name}: " + "; ".join(f"{what} {figures(times)}" for what, times in questions.items())
        )
    if why_pure():
        print(f"solver: no compiled search, {why_pure()}")
        return
    for what in QUESTIONS:
        pure, compiled = spent["pure"][what], spent["compiled"][what]
        ratio = statistics.median(pure) / statistics.median(compiled)
        print(f"solver: compiled is {ratio:.0f}x faster, {what} ({sum(pure) / sum(compiled):.0f}x over all)")


def measure(deals: int) -> dict[str, dict[str, list[float]]]:
    """Milliseconds by search and question; both searches are asked about each position in turn."""
    solvers = {name: Solver(name) for name in CORES}
    spent: dict[str, dict[str, list[float]]] = {name: {what: [] for what in QUESTIONS} for name in CORES}
    for position in positions(deals):
        for name, solver in solvers.items():
            for what, question in QUESTIONS.items():
                spent[name][what].append(timed(solver, question, position))
    return spent


def positions(deals: int) -> Iterator[Position]:
    chance = random.Random(SEED)
    for _ in range(deals):
        deal = Deal.shuffled(chance)
        for trump in PLAIN_TRUMPS:
            yield Position.start(deal, trump, Seat.N)


def timed(solver: Solver, question: Question, position: Position) -> float:
    solver.forget()
    started = time.process_time()
    question(solver, position)
    return 1000 * (time.process_time() - started)


def figures(times: list[float]) -> str:
    ordered = sorted(times)
    return (
        f"median {statistics.median(times):.2f} ms, p95 {ordered[int(0.95 * len(ordered))]:.2f}, "
        f"worst {ordered[-1]:.1f}"
    )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
