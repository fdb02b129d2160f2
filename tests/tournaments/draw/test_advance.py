"""Walking a bracket: results, byes, forfeits, withdrawals, the reset match."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.draw.event import Event, random_event, walk
from tests.tournaments.draw.naive import play
from tournaments.draw import double_elimination, single_elimination
from tournaments.draw.advance import changes, derive, fillings, initial_fillings
from tournaments.draw.errors import DrawError
from tournaments.draw.plan import Place, Plan
from tournaments.draw.state import Cause, Change, Filling, MatchState, Result, Slot

A: Result[int] = Result("played", "a")
B: Result[int] = Result("played", "b")
NOBODY: Result[int] = Result("double-forfeit", None)


def build(kind: str, size: int) -> Plan:
    if kind == "single":
        return single_elimination.build(size)
    if kind == "third":
        return single_elimination.build(max(size, 4), third_place=True)
    return double_elimination.build(size, grand_final_reset=kind == "reset")


KINDS = st.sampled_from(["single", "third", "reset", "one-final"])


@pytest.mark.parametrize("size", [*range(2, 65), 127, 128, 129, 147, 513, 1024])
@pytest.mark.parametrize("kind", ["single", "third", "reset", "one-final"])
def test_derived_bracket_agrees_with_the_naive_player(kind: str, size: int) -> None:
    plan = build(kind, size)
    for favourite in (0.5, 1.0, 0.0):
        played = play(plan, random.Random(size), favourite)

        state = derive(plan, range(1, plan.size + 1), played.results())

        assert state.champion == played.champion
        assert state.is_finished
        assert not state.stale
        for number, a, b, won in played.matches:
            now = state.match(number)
            assert (now.a.entry, now.b.entry, now.winning_entry) == (a, b, won)
        unplayed = {now.number for now in state.matches} - {number for number, *_ in played.matches}
        assert {state.match(number).status for number in unplayed} <= {"not-needed"}


@settings(max_examples=150, deadline=None, derandomize=True)
@given(kind=KINDS, size=st.integers(2, 24), seed=st.integers(0, 10**6), trouble=st.floats(0, 1))
def test_trouble_never_sticks_and_never_changes_what_was_settled(
    kind: str, size: int, seed: int, trouble: float
) -> None:
    event = random_event(build(kind, size), random.Random(seed), trouble)

    last = event.states[-1]
    assert last.is_finished
    assert not last.stale
    for before, after in zip(event.states, event.states[1:], strict=False):
        for place, slot in before.slots.items():
            assert slot.status == "open" or slot == after.slots[place]
    if last.champion is not None:
        title = [now for now in last.matches if now.winning_entry == last.champion][-1]
        assert title.number in {event.plan.final.number, event.plan.matches[-1].number}


@settings(max_examples=100, deadline=None, derandomize=True)
@given(kind=KINDS, size=st.integers(2, 16), seed=st.integers(0, 10**6), trouble=st.floats(0, 0.7))
def test_any_order_of_single_steps_gives_the_derived_bracket(
    kind: str, size: int, seed: int, trouble: float
) -> None:
    rng = random.Random(seed)
    event = random_event(build(kind, size), rng, trouble)

    for _ in range(2):
        assert walk(event, rng) == dict(event.states[-1].slots)


@settings(max_examples=80, deadline=None, derandomize=True)
@given(kind=KINDS, size=st.integers(2, 16), seed=st.integers(0, 10**6), trouble=st.floats(0, 0.7))
def test_any_order_of_confirmation_gives_the_same_bracket(
    kind: str, size: int, seed: int, trouble: float
) -> None:
    rng = random.Random(seed)
    event = random_event(build(kind, size), rng, trouble)
    again = Event(event.plan, withdrawn=event.withdrawn)
    waiting = dict(event.results)
    stored: dict[Place, Slot[int]] = {}

    while waiting:
        state = again.derive()
        playable = [n for n in waiting if state.match(n).a.entry and state.match(n).b.entry]
        number = rng.choice(playable or list(waiting))
        again.results[number] = waiting.pop(number)
        stored.update({change.place: change.after for change in changes(stored, again.derive())})

    assert again.derive() == event.states[-1]
    stored.update({change.place: change.after for change in changes(stored, again.derive())})
    assert stored == {p: s for p, s in event.states[-1].slots.items() if s != Slot() or p in stored}


@settings(max_examples=60, deadline=None, derandomize=True)
@given(kind=KINDS, size=st.integers(2, 16), seed=st.integers(0, 10**6))
def test_correcting_a_result_equals_having_entered_it_right(kind: str, size: int, seed: int) -> None:
    rng = random.Random(seed)
    event = random_event(build(kind, size), rng, 0.2)
    if not event.results:
        return
    before = event.derive()
    number = rng.choice(list(event.results))
    old = event.results[number]
    flipped = {"a": "b", "b": "a", None: "a"}[old.winner]
    event.results[number] = Result("played", flipped, between=old.between)

    corrected = event.derive()
    fresh = {n: r for n, r in event.results.items() if not corrected.match(n).result_is_stale}

    assert derive(event.plan, event.entries, fresh, event.withdrawn).slots == corrected.slots
    event.results[number] = old
    assert event.derive() == before


def test_bye_teams_are_named_in_round_two_before_round_one_is_played() -> None:
    plan = double_elimination.build(147)

    state = derive(plan, range(1, 148), {})

    passed = {bye.into: bye.source for bye in plan.byes if bye.section == "winners"}
    assert len(passed) == 109
    for place, source in passed.items():
        assert state.slots[place] == Slot("filled", source.number, Cause(None, "draw"))  # type: ignore[union-attr]
    assert [f.slot for f in initial_fillings(plan, range(1, 148))] == [
        state.slots[plan.entry_place(seed)] for seed in range(1, 148)
    ]


def test_finishing_a_second_round_match_touches_exactly_one_next_match() -> None:
    plan = single_elimination.build(8)
    before = derive(plan, range(1, 9), {1: A, 2: A, 3: A, 4: A})
    after = derive(plan, range(1, 9), {1: A, 2: A, 3: A, 4: A, 5: B})

    assert changes(before.slots, after) == (
        Change(Place(7, "a"), Slot(), Slot("filled", 4, Cause(5, "won"))),
    )
    assert fillings(plan, after.match(5)) == (Filling(7, "a", 4, Cause(5, "won")),)
    assert fillings(plan, after.match(6)) == ()


@pytest.mark.parametrize("size", [11, 13])
@pytest.mark.parametrize("seed", range(5))
def test_eleven_and_thirteen_teams_play_through(size: int, seed: int) -> None:
    event = random_event(double_elimination.build(size), random.Random(seed), 0.0)

    assert len(event.results) in {2 * size - 2, 2 * size - 1}
    assert {now.status for now in event.states[-1].matches} <= {"decided", "not-needed"}


def test_double_forfeit_in_a_semifinal_gives_the_other_finalist_the_title() -> None:
    plan = single_elimination.build(4)

    state = derive(plan, range(1, 5), {1: NOBODY, 2: B})

    nobody: Slot[int] = Slot("empty", None, Cause(1, "double-forfeit"))
    assert state.match(3) == MatchState(3, nobody, Slot("filled", 3, Cause(2, "won")), "bye", winner="b")
    assert (state.champion, state.is_finished) == (3, True)


def test_double_forfeit_in_round_one_gives_byes_in_both_brackets() -> None:
    plan = double_elimination.build(4)

    state = derive(plan, range(1, 5), {1: NOBODY, 2: A})

    # M3 winners' final, M4 losers 1, M5 losers' final, M6 grand final
    assert [(now.status, now.winning_entry) for now in state.matches[2:]] == [
        ("bye", 2),
        ("bye", 3),
        ("bye", 3),
        ("ready", None),
        ("waiting", None),
    ]
    assert state.slots[Place(5, "a")] == Slot("empty", None, Cause(3, "bye"))


def test_double_forfeited_final_leaves_the_title_vacant() -> None:
    state = derive(single_elimination.build(2), ["x", "y"], {1: Result("double-forfeit", None)})

    assert (state.champion, state.is_finished) == (None, True)


def test_third_place_match_may_end_before_the_final() -> None:
    plan = single_elimination.build(4, third_place=True)

    state = derive(plan, range(1, 5), {1: A, 2: A, 3: B})

    assert (state.match(3).winning_entry, state.match(4).status) == (3, "ready")
    assert (state.champion, state.is_finished) == (None, False)


@pytest.mark.parametrize(
    ("grand_final", "reset", "champion"),
    [
        (None, "waiting", None),
        (A, "not-needed", 1),
        (B, "ready", None),
        (Result("forfeit", "b"), "ready", None),
        (Result("forfeit", "b", loser_goes_on=False), "not-needed", 2),
        (Result("withdrawal", "b"), "not-needed", 2),
        (Result("withdrawal", "a"), "not-needed", 1),
        (NOBODY, "not-needed", None),
    ],
)
def test_reset_match_is_needed_only_when_both_have_one_loss(
    grand_final: Result[int] | None, reset: str, champion: int | None
) -> None:
    plan = double_elimination.build(3)
    results = {1: A, 2: A, 3: A}  # 1 is unbeaten, 2 comes back from the losers' bracket
    if grand_final is not None:
        results[4] = grand_final

    state = derive(plan, [1, 2, 3], results)

    assert (state.match(5).status, state.champion) == (reset, champion)
    assert state.is_finished == (reset == "not-needed")


def test_reset_match_keeps_its_sides_and_comes_and_goes_with_a_correction() -> None:
    plan = double_elimination.build(2)
    first = derive(plan, [1, 2], {1: A, 2: B})
    assert (first.match(3).a.entry, first.match(3).b.entry, first.match(3).status) == (1, 2, "ready")
    assert derive(plan, [1, 2], {1: A, 2: B, 3: A}).champion == 1

    corrected = derive(plan, [1, 2], {1: A, 2: A, 3: A})

    assert (corrected.champion, corrected.match(3).status, corrected.match(3).result_is_stale) == (
        1,
        "not-needed",
        True,
    )
    assert corrected.match(3).a == Slot("empty", None, Cause(2, "not-needed"))
    assert derive(plan, [1, 2], {1: A, 2: B}) == first


def test_withdrawn_team_gives_a_walkover_and_takes_no_losers_place() -> None:
    plan = double_elimination.build(4)

    state = derive(plan, range(1, 5), {}, [4])

    assert state.match(1) == MatchState(
        1,
        Slot("filled", 1, Cause(None, "draw")),
        Slot("filled", 4, Cause(None, "draw")),
        "decided",
        "withdrawal",
        "a",
        automatic=True,
    )
    assert fillings(plan, state.match(1)) == (
        Filling(3, "a", 1, Cause(1, "withdrawal")),
        Filling(4, "a", None, Cause(1, "withdrawal")),
    )


def test_withdrawal_after_a_loss_gives_a_walkover_in_the_losers_bracket() -> None:
    plan = double_elimination.build(4)

    state = derive(plan, range(1, 5), {1: A, 2: A}, [4])

    assert state.match(4).losing_entry == 4
    assert (state.match(4).automatic, state.match(4).winning_entry) == (True, 3)
    assert state.match(5).b == Slot("filled", 3, Cause(4, "withdrawal"))


def test_withdrawal_after_wins_keeps_them() -> None:
    plan = single_elimination.build(4)

    state = derive(plan, range(1, 5), {1: A, 2: A}, [1])

    assert state.match(1).winning_entry == 1
    assert state.champion == 2


def test_of_two_withdrawn_teams_the_first_gives_way_and_what_followed_stands() -> None:
    plan = single_elimination.build(8)
    played = {3: A, 4: A, 5: A}

    state = derive(plan, range(1, 9), {2: A, **played}, [8, 1])

    assert (state.match(1).winning_entry, state.match(5).winning_entry) == (1, 1)
    assert not state.stale
    assert derive(plan, range(1, 9), {2: A, **played}, [8]).match(1) == state.match(1)


def test_title_is_not_won_by_withdrawn_teams_without_a_result() -> None:
    plan = single_elimination.build(4)

    both = derive(plan, range(1, 5), {1: A, 2: A}, [1, 2])
    alone = derive(plan, range(1, 5), {1: A, 2: NOBODY}, [1])
    everybody = derive(double_elimination.build(5), range(1, 6), {}, [5, 4, 3, 2, 1])

    assert (both.champion, both.is_finished, both.match(3).winner) == (None, True, None)
    assert (alone.champion, alone.is_finished, alone.match(3).status) == (None, True, "void")
    assert (everybody.champion, everybody.is_finished) == (None, True)


def test_result_for_other_teams_is_stale() -> None:
    plan = single_elimination.build(4)
    final = Result("played", "a", between=(1, 2))

    state = derive(plan, range(1, 5), {1: B, 2: A, 3: final})

    assert [now.number for now in state.stale] == [3]
    assert (state.match(3).status, state.champion) == ("ready", None)
    assert derive(plan, range(1, 5), {1: A, 2: A, 3: final}).champion == 1


def test_result_for_an_unknown_team_or_a_bye_is_stale() -> None:
    plan = single_elimination.build(4)

    unknown = derive(plan, range(1, 5), {1: A, 3: A})
    bye = derive(plan, range(1, 5), {1: A, 2: NOBODY, 3: B})

    assert (unknown.match(3).status, unknown.match(3).result_is_stale) == ("waiting", True)
    assert (bye.match(3).status, bye.match(3).result_is_stale, bye.champion) == ("bye", True, 1)


@pytest.mark.parametrize(("outcome", "winner"), [("played", None), ("double-forfeit", "a")])
def test_result_that_contradicts_itself_is_refused(outcome: str, winner: str | None) -> None:
    with pytest.raises(ValueError):
        Result(outcome, winner)  # type: ignore[arg-type]


@pytest.mark.parametrize("entries", [[1, 2, 3], [1, 2, 3, 3], [1, 2, 3, 4, 5]])
def test_entries_that_do_not_fit_the_plan_are_refused(entries: list[int]) -> None:
    with pytest.raises(DrawError) as refused:
        derive(single_elimination.build(4), entries, {})

    assert refused.value.code == "entries_do_not_fit"


def test_largest_bracket_is_derived_in_well_under_a_second() -> None:
    plan = double_elimination.build(1024)
    results = play(plan, random.Random(1)).results()
    took = []
    for _ in range(7):
        start = time.process_time()
        state = derive(plan, range(1, 1025), results)
        took.append(time.process_time() - start)

    assert state.champion is not None
    assert min(took) < 0.2
