"""How late two teams that met in the winners' bracket can meet again in the losers' bracket."""

from __future__ import annotations

import random

import pytest

from tests.tournaments.draw.naive import earliest_rematches, play
from tournaments.draw import double_elimination
from tournaments.draw.plan import LoserOf, Plan


def straight(winners_round: int, position: int, bits: int) -> int:
    """Everybody drops on its own height: the order to be better than."""
    return position


def halving(number: int) -> int:
    """How often a number can be halved."""
    return (number & -number).bit_length() - 1


def early_rematches(plan: Plan, *, events: int) -> int:
    """Rematches in the losers' bracket before its last two rounds, counted over some events."""
    last = max(one.number for one in plan.rounds if one.section == "losers")
    found = 0
    for seed in range(events):
        met: set[frozenset[int]] = set()
        for number, a, b, _ in sorted(play(plan, random.Random(seed)).matches):
            match = plan.match(number)
            if match.section == "losers" and match.round_number < last - 1:
                found += frozenset((a, b)) in met
            met.add(frozenset((a, b)))
    return found


def test_beaten_in_round_two_does_not_meet_its_first_victim_at_once() -> None:
    plan = double_elimination.build(8)
    losers_2 = [match for match in plan.matches if (match.section, match.round_number) == ("losers", 2)]

    # M5 is M1 v M2, whose losers meet in M7; its own loser drops to the winner of M8.
    assert [tuple(map(str, match.sources)) for match in losers_2] == [("L6", "W7"), ("L5", "W8")]


@pytest.mark.parametrize("power", range(2, 11))
def test_full_field_keeps_rematches_off_as_long_as_stated(power: int) -> None:
    """Rounds an odd number apart drop into opposite halves, two apart into other quarters, and so on."""
    plan = double_elimination.build(1 << power)

    for (match, later), meeting in earliest_rematches(plan).items():
        r, s = plan.match(match).round_number, plan.match(later).round_number
        places_left = power - s
        parts = halving(s - r)
        if parts < places_left:
            assert meeting == 2 * (power - parts) - 3
        else:
            assert meeting == 2 * s - 2, "only where its losers' round has too few places to go apart"


@pytest.mark.parametrize("size", [*range(5, 130), 147, 300, 600, 1000, 1024])
def test_neighbouring_rounds_meet_again_in_the_last_two_losers_rounds_only(size: int) -> None:
    plan = double_elimination.build(size)
    last = max(one.number for one in plan.rounds if one.section == "losers")

    for (match, later), meeting in earliest_rematches(plan).items():
        if plan.match(later).round_number == plan.match(match).round_number + 1:
            assert meeting >= last - 1


@pytest.mark.parametrize("size", [*range(4, 130), 147, 256, 1000])
def test_crosswise_is_never_earlier_on_average_than_straight(size: int) -> None:
    crossed = earliest_rematches(double_elimination.build(size))
    naive = earliest_rematches(double_elimination.build(size, drop=straight))

    assert crossed.keys() == naive.keys()
    assert sum(crossed.values()) >= sum(naive.values())
    assert min(crossed.values()) >= min(naive.values())
    if size >= 8:
        assert sum(crossed.values()) > sum(naive.values())


@pytest.mark.parametrize("power", range(3, 9))
def test_straight_drop_would_meet_again_at_once(power: int) -> None:
    """The control: without crossing, the first match after the drop can be a rematch."""
    plan = double_elimination.build(1 << power, drop=straight)

    assert {
        meeting - (2 * plan.match(later).round_number - 2)
        for (_, later), meeting in earliest_rematches(plan).items()
    } == {0}


def test_played_out_with_random_winners_rematches_are_rare_and_late() -> None:
    """64 teams, 40 events: fewer than one early rematch in two events, against more than ten in each."""
    crossed = double_elimination.build(64)
    naive = double_elimination.build(64, drop=straight)

    assert early_rematches(crossed, events=40) < 20
    assert early_rematches(naive, events=40) > 400


@pytest.mark.parametrize("power", range(1, 11))
def test_crosswise_is_a_permutation_and_round_two_is_reversed(power: int) -> None:
    for winners_round in range(2, power + 1):
        bits = power - winners_round
        places = [double_elimination.crosswise(winners_round, place, bits) for place in range(1 << bits)]
        assert sorted(places) == list(range(1 << bits))
        if winners_round == 2:
            assert places == list(reversed(range(1 << bits)))


def test_dropping_team_is_side_a_of_its_losers_match() -> None:
    plan = double_elimination.build(64)

    for match in plan.matches:
        if match.section == "losers" and match.round_number % 2 == 0:
            assert [isinstance(source, LoserOf) for source in match.sources] == [True, False]
