"""Who shakes first: at random, or by drawing tiles, high domino shakes.

The rule applies anew to every game of a match; inside a game the shake rotates. Draws are kept, so
that they can be shown and re-made from the same `random.Random`.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from .errors import IllegalAction
from .rules import Ruleset
from .seats import SEATS, Seat, Side
from .tiles import TILES, Tile


@dataclass(frozen=True, slots=True)
class ShakeDraw:
    """The first shaker, and each round of drawing that led there: who drew which tile. Seats that
    tie on pips draw again; at random there is nothing to show."""

    shaker: Seat
    rounds: tuple[tuple[tuple[Seat, Tile], ...], ...] = ()


def first_shake(
    rules: Ruleset, rng: random.Random, *, game: int = 1, lost_last: Side | None = None
) -> ShakeDraw:
    """Choose the first shaker of game `game` (1, 2, ...) of a match.

    `lost_last` is the side that lost the game before, needed where the losers draw.
    """
    if game > 1 and rules.later_first_shake == "losing_side_draws":
        if lost_last is None:
            raise IllegalAction("losing_side_needed")
        return _draw(rng, lost_last.seats)
    if rules.first_shake == "high_domino":
        return _draw(rng, SEATS)
    return ShakeDraw(rng.choice(SEATS))


def _draw(rng: random.Random, seats: tuple[Seat, ...]) -> ShakeDraw:
    rounds = []
    while len(seats) > 1:
        drawn = tuple(zip(seats, rng.sample(TILES, len(seats)), strict=True))
        rounds.append(drawn)
        best = max(tile.pips for _, tile in drawn)
        seats = tuple(seat for seat, tile in drawn if tile.pips == best)
    return ShakeDraw(seats[0], tuple(rounds))
