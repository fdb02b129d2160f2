"""The solver equals best play by trying everything, on random positions of up to four tricks."""

import random

import pytest

from fortytwo import Side
from fortytwo.solver.tricks import keeps_clear
from tests.fortytwo.naive import ORDER
from tests.fortytwo.solver.minimax import Minimax
from tests.fortytwo.solver.positions import NELLOS, draw, lead_forms
from tests.fortytwo.solver.searches import backends, search


def check(drawn, solver, rng):
    minimax = Minimax(drawn.named, drawn.switches)
    told = values(minimax, drawn)
    seat = minimax.turn(drawn.leader, drawn.table)
    best = max(told.values()) if seat in "NS" else min(told.values())
    position = drawn.position()
    points = solver.points(position)
    assert points.ns == best, drawn
    mine = {play.what: value for play, value in solver.values(position).items()}
    ours = {tile: value if seat in "NS" else points.total - value for tile, value in told.items()}
    assert mine == ours, drawn
    needed = rng.randint(-1, 43)
    assert solver.reaches(position, Side.NS, needed) == (points.ns >= needed), drawn
    assert solver.reaches(position, Side.EW, needed) == (points.ew >= needed), drawn


def values(minimax, drawn):
    found = minimax.values(drawn.held, drawn.leader, drawn.table)
    if drawn.small_end:
        at = ORDER.index(drawn.leader)
        for tile in drawn.held[at]:
            for lead in lead_forms(drawn.named, tile)[1:]:
                left = tuple(other for other in drawn.held[at] if other != tile)
                held = (*drawn.held[:at], left, *drawn.held[at + 1 :])
                found[lead] = minimax.value(held, drawn.leader, ((drawn.leader, lead),))
    return found


def compare(solver, seed, count):
    rng = random.Random(seed)
    for _ in range(count):
        check(draw(rng), solver, rng)


@backends
def test_solver_random_positions(name):
    compare(search(name), 1, 250)


@pytest.mark.long
@pytest.mark.timeout(900)
@backends
def test_solver_many_random_positions(name):
    compare(search(name), 2, 5000)


def test_nello_random_positions():
    rng = random.Random(3)
    for _ in range(300):
        drawn = draw(rng, NELLOS)
        minimax = Minimax(drawn.named, drawn.switches, drawn.out, drawn.declarer)
        declarer = next(seat for seat in drawn.position().seats if seat == drawn.declarer)
        clear = keeps_clear(drawn.position(), declarer, every_trick=False)
        assert clear == minimax.value(drawn.held, drawn.leader, drawn.table), drawn
