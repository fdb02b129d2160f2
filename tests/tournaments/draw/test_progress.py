"""How far the rounds are, and which are current."""

from __future__ import annotations

from tests.tournaments.draw.test_advance import NOBODY, A
from tournaments.draw import double_elimination, single_elimination
from tournaments.draw.advance import derive
from tournaments.draw.progress import RoundProgress, current_rounds, progress


def test_round_of_three_byes_and_one_match_is_done_after_that_match() -> None:
    plan = single_elimination.build(5)
    before = derive(plan, range(1, 6), {})
    after = derive(plan, range(1, 6), {1: A})

    assert [one.key for one in current_rounds(plan, before)] == ["quarterfinals"]
    assert [one.key for one in current_rounds(plan, after)] == ["semifinals"]
    assert progress(plan, after)[0] == RoundProgress(
        plan.rounds[0], waiting=0, ready=0, decided=1, byes=3, void=0, not_needed=0
    )


def test_byes_that_come_in_play_count_as_done() -> None:
    plan = double_elimination.build(4)
    state = derive(plan, range(1, 5), {1: NOBODY, 2: A})

    assert [(one.round.key, one.byes, one.is_done) for one in progress(plan, state)] == [
        ("winners-semifinals", 0, True),
        ("winners-final", 1, True),
        ("losers-1", 1, True),
        ("losers-final", 1, True),
        ("grand-final", 0, False),
        ("reset", 0, False),
    ]


def test_current_rounds_are_one_for_each_section() -> None:
    plan = double_elimination.build(8)
    state = derive(plan, range(1, 9), {1: A, 2: A, 3: A, 4: A})

    assert [one.key for one in current_rounds(plan, state)] == [
        "winners-semifinals",
        "losers-1",
        "grand-final",
    ]


def test_finished_bracket_has_no_current_round() -> None:
    plan = double_elimination.build(2)
    state = derive(plan, [1, 2], {1: A, 2: A})

    assert current_rounds(plan, state) == ()
    assert progress(plan, state)[-1].not_needed == 1
