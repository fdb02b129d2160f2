"""The pure assignment: who is called to which table."""

import random
from datetime import UTC, datetime, timedelta
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from tables.assign import FreeTable, Pair, ReadyMatch, assign

NINE = datetime(2026, 3, 7, 9, 0, tzinfo=UTC)


def table(number: int, kept_for: int | None = None) -> FreeTable:
    return FreeTable(UUID(int=1000 + number), number, UUID(int=kept_for) if kept_for else None)


def match(number: int, minute: int = 0, order: int = 1, fixed: int | None = None) -> ReadyMatch:
    fixed_id = UUID(int=1000 + fixed) if fixed else None
    return ReadyMatch(UUID(int=2000 + number), number, (1, order), NINE + timedelta(minutes=minute), fixed_id)


def calls(pairs: list[Pair]) -> list[tuple[int, int]]:
    """(match number, table number) of each pair."""
    return [(pair.match_id.int - 2000, pair.table_id.int - 1000) for pair in pairs]


def test_assign_longest_rested_match_gets_the_free_table() -> None:
    waiting = [match(1, minute=30), match(2, minute=10), match(3, minute=20)]
    assert calls(assign(waiting, [table(7)])) == [(2, 7)]


def test_assign_forty_matches_to_thirty_tables() -> None:
    waiting = [match(number, minute=100 - number) for number in range(1, 41)]
    pairs = calls(assign(waiting, [table(number) for number in range(1, 31)]))
    assert pairs == [(41 - place, place) for place in range(1, 31)]


def test_assign_equal_rest_earlier_round_first_then_number() -> None:
    waiting = [match(9, order=2), match(5, order=1), match(4, order=1)]
    assert calls(assign(waiting, [table(1), table(2), table(3)])) == [(4, 1), (5, 2), (9, 3)]


def test_assign_fixed_table_waits_while_it_is_taken() -> None:
    assert calls(assign([match(1, fixed=1), match(2, minute=5)], [table(2)])) == [(2, 2)]


def test_assign_fixed_table_goes_to_its_team_though_others_rested_longer() -> None:
    waiting = [match(1, minute=5, fixed=1), match(2)]
    assert calls(assign(waiting, [table(1, kept_for=77), table(2)])) == [(2, 2), (1, 1)]


def test_assign_kept_table_stays_empty_without_its_team() -> None:
    assert calls(assign([match(1), match(2)], [table(1, kept_for=77), table(2)])) == [(1, 2)]


def test_assign_fixed_table_twice_goes_to_one_match() -> None:
    assert calls(assign([match(1, fixed=1), match(2, fixed=1)], [table(1), table(2)])) == [(1, 1)]


def test_assign_nothing_to_nothing() -> None:
    assert assign([], [table(1)]) == []
    assert assign([match(1)], []) == []


matches_drawn = st.lists(
    st.tuples(st.integers(0, 9), st.integers(1, 4), st.none() | st.integers(1, 12)), max_size=25
).map(lambda rows: [match(number, *row) for number, row in enumerate(rows, start=1)])
tables_drawn = st.lists(
    st.tuples(st.integers(1, 12), st.none() | st.integers(50, 60)), unique_by=lambda row: row[0], max_size=12
).map(lambda rows: [table(*row) for row in rows])


@given(matches_drawn, tables_drawn, st.randoms(use_true_random=False))
def test_assign_properties(waiting: list[ReadyMatch], free: list[FreeTable], chance: random.Random) -> None:
    pairs = assign(waiting, free)
    match_of = {one.id: one for one in waiting}
    table_of = {one.id: one for one in free}
    wanted = {one.fixed_table_id for one in waiting}
    called = [match_of[pair.match_id] for pair in pairs]
    used = [table_of[pair.table_id] for pair in pairs]

    assert len({one.id for one in called}) == len(called)
    assert len({one.id for one in used}) == len(used)
    for one, place in zip(called, used, strict=True):
        if one.fixed_table_id is None:
            assert place.kept_for is None
            assert place.id not in wanted
        else:
            assert one.fixed_table_id == place.id

    def order(one: ReadyMatch) -> tuple[datetime, tuple[int, int], int]:
        return one.rested_since, one.round_order, one.number

    left = [one for one in waiting if one not in called]
    shared = [one for one in called if one.fixed_table_id is None]
    waiting_for_any = [one for one in left if one.fixed_table_id is None]
    assert [order(one) for one in called] == sorted(order(one) for one in called)
    if shared and waiting_for_any:
        assert max(map(order, shared)) < min(map(order, waiting_for_any))
    if waiting_for_any:
        assert all(one in used for one in free if one.kept_for is None and one.id not in wanted)

    for pile in (waiting, free):
        chance.shuffle(pile)
    assert assign(waiting, free) == pairs
