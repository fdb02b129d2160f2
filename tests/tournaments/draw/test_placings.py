"""Champion, runner-up, third, shared places, teams still in."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.draw.event import random_event
from tests.tournaments.draw.test_advance import KINDS, NOBODY, A, B, build
from tournaments.draw import double_elimination, single_elimination
from tournaments.draw.advance import derive
from tournaments.draw.placings import EntryFacts, Exit, Placing, entry_facts, placings
from tournaments.draw.plan import Plan
from tournaments.draw.state import Result


def table(
    plan: Plan, results: dict[int, Result[int]], withdrawn: tuple[int, ...] = (), **policy: str
) -> list[tuple[str, int, str]]:
    entries = range(1, plan.size + 1)
    state = derive(plan, entries, results, withdrawn)
    lines = placings(entry_facts(plan, state, entries), **policy)  # type: ignore[arg-type]
    return [(line.label, line.entry, line.standing) for line in lines]


def favourites(plan: Plan) -> dict[int, Result[int]]:
    """The better seed always wins."""
    results: dict[int, Result[int]] = {}
    entries = range(1, plan.size + 1)
    while ready := derive(plan, entries, results).ready:
        for now in ready:
            assert now.a.entry is not None
            assert now.b.entry is not None
            results[now.number] = A if now.a.entry < now.b.entry else B
    return results


def test_single_elimination_shares_places_by_round() -> None:
    plan = single_elimination.build(8)

    assert table(plan, favourites(plan)) == [
        ("1", 1, "champion"),
        ("2", 2, "runner-up"),
        ("=3", 3, "out"),
        ("=3", 4, "out"),
        ("=5", 5, "out"),
        ("=5", 6, "out"),
        ("=5", 7, "out"),
        ("=5", 8, "out"),
    ]


def test_third_place_match_decides_three_and_four() -> None:
    plan = single_elimination.build(8, third_place=True)

    assert table(plan, favourites(plan))[:5] == [
        ("1", 1, "champion"),
        ("2", 2, "runner-up"),
        ("3", 3, "third"),
        ("4", 4, "out"),
        ("=5", 5, "out"),
    ]


def test_double_elimination_ranks_by_losers_round() -> None:
    plan = double_elimination.build(16)

    assert [label for label, _, _ in table(plan, favourites(plan))] == (
        ["1", "2", "3", "4", "=5", "=5", "=7", "=7"] + ["=9"] * 4 + ["=13"] * 4
    )
    assert [entry for _, entry, _ in table(plan, favourites(plan))][:4] == [1, 2, 3, 4]


def test_147_teams_when_the_reset_match_decides() -> None:
    plan = double_elimination.build(147)
    results = favourites(plan) | {292: B, 293: B}

    lines = table(plan, results)

    assert [(label, entry) for label, entry, _ in lines[:3]] == [("1", 2), ("2", 1), ("3", 3)]
    shared = Counter(label for label, _, _ in lines)
    assert (shared["=129"], shared["=97"], shared["=65"]) == (19, 32, 32)  # out in Losers 1, 2 and 3


def test_before_the_first_result_everybody_is_still_in() -> None:
    assert {(label, standing) for label, _, standing in table(double_elimination.build(8), {})} == {
        ("=1", "still-in")
    }


def test_teams_still_in_stand_by_losses_above_those_who_are_out() -> None:
    plan = double_elimination.build(4)

    assert table(plan, {1: A, 2: A, 4: A}) == [
        ("=1", 1, "still-in"),
        ("=1", 2, "still-in"),
        ("3", 4, "still-in"),
        ("4", 3, "out"),
    ]


def test_loser_of_the_first_grand_final_is_still_in_until_the_reset() -> None:
    plan = double_elimination.build(2)

    assert table(plan, {1: A, 2: B}) == [("=1", 1, "still-in"), ("=1", 2, "still-in")]
    assert table(plan, {1: A, 2: B, 3: B}) == [("1", 2, "champion"), ("2", 1, "runner-up")]
    assert table(plan, {1: A, 2: A}) == [("1", 1, "champion"), ("2", 2, "runner-up")]


def test_single_final_leaves_a_runner_up_with_one_loss() -> None:
    plan = double_elimination.build(3, grand_final_reset=False)
    entries = range(1, 4)
    state = derive(plan, entries, {1: A, 2: A, 3: A, 4: B})

    facts = {one.entry: one for one in entry_facts(plan, state, entries)}

    assert [(facts[n].losses, facts[n].is_champion) for n in (1, 2, 3)] == [(1, False), (1, True), (2, False)]


def test_third_place_may_be_known_before_the_final() -> None:
    plan = single_elimination.build(4, third_place=True)

    assert table(plan, {1: A, 2: A, 3: A}) == [
        ("=1", 1, "still-in"),
        ("=1", 2, "still-in"),
        ("3", 4, "third"),
        ("4", 3, "out"),
    ]


def test_final_may_be_known_before_third_place() -> None:
    plan = single_elimination.build(4, third_place=True)

    assert table(plan, {1: A, 2: A, 4: A}) == [
        ("1", 1, "champion"),
        ("2", 2, "runner-up"),
        ("=3", 3, "still-in"),
        ("=3", 4, "still-in"),
    ]


def test_double_forfeited_semifinal_leaves_second_place_empty_or_moves_up() -> None:
    plan = single_elimination.build(4)
    results = {1: NOBODY, 2: A}

    assert table(plan, results) == [
        ("1", 2, "champion"),
        ("=3", 1, "out"),
        ("=3", 3, "out"),
        ("=3", 4, "out"),
    ]
    assert [label for label, _, _ in table(plan, results, empty_second="move-up")] == ["1", "=2", "=2", "=2"]


def test_double_forfeited_final_leaves_the_title_vacant() -> None:
    plan = single_elimination.build(4)

    assert table(plan, {1: A, 2: A, 3: NOBODY}) == [
        ("=2", 1, "runner-up"),
        ("=2", 2, "runner-up"),
        ("=4", 3, "out"),
        ("=4", 4, "out"),
    ]


def test_nobody_in_the_final_leaves_both_places_empty() -> None:
    plan = single_elimination.build(4)

    assert [label for label, _, _ in table(plan, {1: NOBODY, 2: NOBODY})] == ["=3"] * 4
    assert [label for label, _, _ in table(plan, {1: NOBODY, 2: NOBODY}, empty_second="move-up")] == [
        "=2"
    ] * 4


def test_withdrawn_team_is_out_in_the_round_it_stood_in() -> None:
    plan = single_elimination.build(8)
    results = {1: A, 2: A, 3: A}

    waiting = table(plan, results, (2,))  # M6 still waits for the winner of M4
    done = table(plan, {**results, 4: A}, (2,))

    assert ("5", 2, "out") in waiting
    assert ("4", 2, "out") in done
    assert waiting[0] == ("=1", 1, "still-in")


def test_withdrawn_finalist_waiting_stands_below_those_still_in() -> None:
    plan = single_elimination.build(4)

    assert table(plan, {1: A}, (1,)) == [
        ("=1", 2, "still-in"),
        ("=1", 3, "still-in"),
        ("3", 1, "out"),
        ("4", 4, "out"),
    ]


def test_marks_are_carried_raw_and_break_no_tie() -> None:
    plan = single_elimination.build(4)
    entries = range(1, 5)
    state = derive(plan, entries, {1: A, 2: A, 3: A})

    lines = placings(entry_facts(plan, state, entries, {3: (21, 14), 4: (3, 14)}))

    assert lines[2:] == (
        Placing(
            3, True, "out", EntryFacts(3, 1, Exit(1, "winners", 1, 2, "lost"), marks_for=21, marks_against=14)
        ),
        Placing(
            3, True, "out", EntryFacts(4, 1, Exit(1, "winners", 1, 1, "lost"), marks_for=3, marks_against=14)
        ),
    )


def test_no_entries_have_no_placings() -> None:
    assert placings([]) == ()


@pytest.mark.parametrize("policy", ["leave-empty", "move-up"])
@settings(max_examples=100, deadline=None, derandomize=True)
@given(kind=KINDS, size=st.integers(2, 20), seed=st.integers(0, 10**6), trouble=st.floats(0, 1))
def test_every_entry_is_placed_once_at_every_moment(
    policy: str, kind: str, size: int, seed: int, trouble: float
) -> None:
    event = random_event(build(kind, size), random.Random(seed), trouble)

    for state in event.states:
        facts = entry_facts(event.plan, state, event.entries)
        lines = placings(facts, empty_second=policy)  # type: ignore[arg-type]
        assert sorted(line.entry for line in lines) == list(event.entries)
        ranks = [line.rank for line in lines]
        counts = Counter(ranks)
        assert ranks == sorted(ranks)
        assert all(line.is_shared == (counts[line.rank] > 1) for line in lines)
        for rank, following in zip(sorted(counts), sorted(counts)[1:], strict=False):
            assert following - rank - counts[rank] in ({0, 1} if rank == 1 else {0})
        champions = [line.entry for line in lines if line.standing == "champion"]
        assert champions == ([] if state.champion is None else [state.champion])
        for one in facts:
            assert one.losses <= 2
            assert not (one.withdrawn and one.exit is None and not one.is_champion and not one.is_third)
    done = placings(entry_facts(event.plan, event.states[-1], event.entries))
    assert not [line for line in done if line.standing == "still-in"]


@settings(max_examples=60, deadline=None, derandomize=True)
@given(kind=KINDS, size=st.integers(4, 32), seed=st.integers(0, 10**6))
def test_without_trouble_places_follow_losses_and_exits(kind: str, size: int, seed: int) -> None:
    event = random_event(build(kind, size), random.Random(seed), 0.0)
    facts = entry_facts(event.plan, event.states[-1], event.entries)
    lines = placings(facts)

    assert [line.rank for line in lines[:2]] == [1, 2]
    assert [line.standing for line in lines[:2]] == ["champion", "runner-up"]
    assert lines[-1].rank <= size
    if kind == "reset":
        assert [line.rank for line in lines[:3]] == [1, 2, 3]
        assert {line.facts.losses for line in lines[1:]} == {2}
        assert lines[0].facts.losses <= 1
