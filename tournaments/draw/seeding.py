"""Who gets which number in the draw, and where that number stands in the bracket.

Terms
-----
seed order  the entries from number 1 (best placed) to the last; a bracket is drawn from it alone.
lot         the number in [0, 1) that an entry draws from the stored random seed. The smaller lot goes first.
            Lots are dealt in order of registration, so the same entries and seed give the same lots,
            whatever order the rows came in.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, Literal, TypeAlias, TypeVar

from tournaments.draw.errors import DrawError

E = TypeVar("E")

Method: TypeAlias = Literal["seed", "rating", "random"]
Reason: TypeAlias = Literal["seeded", "rated", "lot", "registration"]


@dataclass(frozen=True, slots=True)
class Entrant(Generic[E]):
    """An entry as the draw sees it. `registered` is its place in the order of registration and is unique."""

    entry: E
    registered: int
    seed: int | None = None
    rating: float | None = None


@dataclass(frozen=True, slots=True)
class Drawn(Generic[E]):
    """One line of the seed order: the number, the entry, and what decided it.

    `reason` is `seeded` (a seed given by the director), `rated`, `lot`, or `registration`; `lot` is filled in
    whenever lots were drawn, as it parts equal ratings too.
    """

    number: int
    entry: E
    reason: Reason
    seed: int | None
    rating: float | None
    lot: float | None


@dataclass(frozen=True, slots=True)
class SeedOrder(Generic[E]):
    """A seed order that can be made again from what it holds, and explained line by line."""

    method: Method
    random_seed: int | None
    lines: tuple[Drawn[E], ...]

    @property
    def entries(self) -> tuple[E, ...]:
        """The entries in order: seed n is `entries[n - 1]`."""
        return tuple(line.entry for line in self.lines)


def draw_order(
    entrants: Iterable[Entrant[E]], *, method: Method = "seed", random_seed: int | None = None
) -> SeedOrder[E]:
    """Order the entries for the draw.

    `seed`: explicit seeds first, smallest first (gaps are allowed), then the rest. `rating`: highest first,
    then the unrated. `random`: by lot alone. What is left open goes by lot when there is a random seed, else
    by registration. Raises DrawError `registered_twice`, `seed_twice`, `seed_not_positive`,
    `random_seed_missing`.
    """
    field = sorted(entrants, key=lambda entrant: entrant.registered)
    _check(field, method, random_seed)
    rng = None if random_seed is None else random.Random(random_seed)
    # random() is the one method whose sequence Python promises to keep between versions.
    lots = [None if rng is None else rng.random() for _ in field]
    lines = [_line(entrant, lot, method) for entrant, lot in zip(field, lots, strict=True)]
    lines.sort(key=lambda line: 0.0 if line.lot is None else line.lot)
    if method == "seed":
        lines.sort(key=lambda line: (line.reason != "seeded", line.seed if line.reason == "seeded" else 0))
    elif method == "rating":
        lines.sort(key=lambda line: (line.rating is None, -(line.rating or 0.0)))
    numbered = tuple(
        Drawn(number, line.entry, line.reason, line.seed, line.rating, line.lot)
        for number, line in enumerate(lines, start=1)
    )
    return SeedOrder(method, random_seed, numbered)


def bracket_positions(places: int) -> tuple[int, ...]:
    """The seed at each place of a full bracket, from the top: 1 meets the last, 1 and 2 are in opposite
    halves.

    Every round, if the better seed always wins, pairs the best left with the last left. `places` is a power
    of two.
    """
    if places < 1 or places & (places - 1):
        raise ValueError(f"a full bracket has a power of two places, not {places}")
    line = [1]
    while len(line) < places:
        total = 2 * len(line) + 1
        line = [seed for better in line for seed in (better, total - better)]
    return tuple(line)


def _check(field: list[Entrant[E]], method: Method, random_seed: int | None) -> None:
    for before, after in pairwise(field):
        if before.registered == after.registered:
            raise DrawError(
                "registered_twice",
                f"Two entries share number {after.registered} in the order of registration.",
                registered=after.registered,
            )
    if method == "random" and random_seed is None:
        raise DrawError("random_seed_missing", "A draw by lot needs a stored random seed.")
    if method != "seed":
        return
    seen: set[int] = set()
    for seed in (entrant.seed for entrant in field if entrant.seed is not None):
        if seed < 1:
            raise DrawError("seed_not_positive", f"A seed counts from 1; {seed} is not one.", seed=seed)
        if seed in seen:
            raise DrawError("seed_twice", f"Two entries have seed {seed}.", seed=seed)
        seen.add(seed)


def _line(entrant: Entrant[E], lot: float | None, method: Method) -> Drawn[E]:
    reason: Reason = "registration" if lot is None else "lot"
    if method == "seed" and entrant.seed is not None:
        reason = "seeded"
    elif method == "rating" and entrant.rating is not None:
        reason = "rated"
    return Drawn(0, entrant.entry, reason, entrant.seed, entrant.rating, lot)
