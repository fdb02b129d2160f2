"""Seed orders and bracket positions."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.draw.errors import DrawError
from tournaments.draw.seeding import Drawn, Entrant, bracket_positions, draw_order

ENTRANTS = [
    Entrant("Ada", 1, rating=1500.0),
    Entrant("Ben", 2, seed=7, rating=1700.0),
    Entrant("Cal", 3),
    Entrant("Dot", 4, seed=2),
    Entrant("Eve", 5, rating=1500.0),
]


def test_positions_of_sixteen() -> None:
    assert bracket_positions(16) == (1, 16, 8, 9, 4, 13, 5, 12, 2, 15, 7, 10, 3, 14, 6, 11)


@pytest.mark.parametrize("power", range(1, 11))
def test_positions_keep_the_best_apart_as_long_as_can_be(power: int) -> None:
    places = 1 << power
    line = list(bracket_positions(places))

    assert sorted(line) == list(range(1, places + 1))
    assert line.index(1) < places // 2 <= line.index(2)
    while len(line) > 1:
        pairs = list(zip(line[::2], line[1::2], strict=True))
        assert {sum(pair) for pair in pairs} == {len(line) + 1}
        line = [min(pair) for pair in pairs]


@pytest.mark.parametrize("places", [0, 3, 12, -4])
def test_positions_need_a_power_of_two(places: int) -> None:
    with pytest.raises(ValueError):
        bracket_positions(places)


def test_by_seed_explicit_seeds_come_first_and_the_rest_by_registration() -> None:
    order = draw_order(ENTRANTS, method="seed")

    assert order.entries == ("Dot", "Ben", "Ada", "Cal", "Eve")
    assert order.lines[0] == Drawn(1, "Dot", "seeded", 2, None, None)
    assert [line.reason for line in order.lines] == ["seeded"] * 2 + ["registration"] * 3


def test_by_seed_with_a_random_seed_the_rest_go_by_lot() -> None:
    order = draw_order(ENTRANTS, method="seed", random_seed=42)

    assert order.entries[:2] == ("Dot", "Ben")
    assert [line.reason for line in order.lines] == ["seeded"] * 2 + ["lot"] * 3
    lots = [line.lot for line in order.lines[2:]]
    assert lots == sorted(lots, key=lambda lot: lot or 0.0)


def test_by_rating_highest_first_and_unrated_last() -> None:
    order = draw_order(ENTRANTS, method="rating")

    assert order.entries == ("Ben", "Ada", "Eve", "Cal", "Dot")
    assert [line.reason for line in order.lines] == ["rated"] * 3 + ["registration"] * 2


def test_rating_of_zero_and_below_is_a_rating() -> None:
    field = [Entrant("none", 1), Entrant("minus", 2, rating=-5.0), Entrant("zero", 3, rating=0.0)]

    assert draw_order(field, method="rating").entries == ("zero", "minus", "none")


def test_at_random_the_stored_seed_gives_this_order_for_ever() -> None:
    order = draw_order(ENTRANTS, method="random", random_seed=20260307)

    rng = random.Random(20260307)
    assert {line.entry: line.lot for line in order.lines} == {one.entry: rng.random() for one in ENTRANTS}
    assert order.entries == ("Ben", "Eve", "Ada", "Cal", "Dot")


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    size=st.integers(2, 80),
    seed=st.integers(0, 2**63 - 1),
    shuffle=st.integers(0, 1000),
    method=st.sampled_from(["seed", "rating", "random"]),
)
def test_same_seed_draws_the_same_whatever_order_the_rows_come_in(
    size: int, seed: int, shuffle: int, method: str
) -> None:
    rng = random.Random(shuffle)
    field = [
        Entrant(f"e{n}", n, seed=n if rng.random() < 0.3 else None, rating=rng.choice([None, 1.0, 2.0]))
        for n in range(1, size + 1)
    ]
    mixed = rng.sample(field, size)

    order = draw_order(mixed, method=method, random_seed=seed)

    assert order == draw_order(field, method=method, random_seed=seed)
    assert sorted(order.entries) == sorted(entrant.entry for entrant in field)
    assert [line.number for line in order.lines] == list(range(1, size + 1))


def test_other_seeds_draw_other_orders() -> None:
    field = [Entrant(n, n) for n in range(1, 17)]

    assert len({draw_order(field, method="random", random_seed=seed).entries for seed in range(50)}) == 50


def test_every_place_is_about_equally_likely() -> None:
    field = [Entrant(n, n) for n in range(4)]
    first = [draw_order(field, method="random", random_seed=seed).entries[0] for seed in range(2000)]

    assert all(400 < first.count(n) < 600 for n in range(4))


@pytest.mark.parametrize(
    ("field", "method", "code"),
    [
        ([Entrant("a", 1), Entrant("b", 1)], "seed", "registered_twice"),
        ([Entrant("a", 1, seed=3), Entrant("b", 2, seed=3)], "seed", "seed_twice"),
        ([Entrant("a", 1, seed=0), Entrant("b", 2)], "seed", "seed_not_positive"),
        ([Entrant("a", 1), Entrant("b", 2)], "random", "random_seed_missing"),
    ],
)
def test_bad_fields_are_refused(field: list[Entrant[str]], method: str, code: str) -> None:
    with pytest.raises(DrawError) as refused:
        draw_order(field, method=method)

    assert refused.value.code == code
