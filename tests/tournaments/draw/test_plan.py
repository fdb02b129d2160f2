"""The shape of the plans: every size, both kinds."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tests.tournaments.draw.naive import play
from tournaments.draw import double_elimination, single_elimination
from tournaments.draw.errors import DrawError
from tournaments.draw.plan import (
    LoserOf,
    Place,
    Plan,
    PlannedMatch,
    PlannedRound,
    Seed,
    WinnerOf,
    parse_source,
)

SMALL = range(2, 65)
LARGE = [
    65,
    80,
    96,
    97,
    127,
    128,
    129,
    147,
    192,
    193,
    255,
    256,
    257,
    500,
    511,
    512,
    513,
    769,
    1000,
    1023,
    1024,
]
SIZES = [*SMALL, *LARGE]


def full(size: int) -> int:
    return 1 << (size - 1).bit_length()


def variants(size: int) -> list[Plan]:
    plans = [
        single_elimination.build(size),
        double_elimination.build(size),
        double_elimination.build(size, grand_final_reset=False),
    ]
    if size >= 4:
        plans.append(single_elimination.build(size, third_place=True))
    return plans


@pytest.mark.parametrize("size", SIZES)
def test_match_count_is_what_the_losses_require(size: int) -> None:
    single, double, one_final, *third = variants(size)

    assert len(single.matches) == size - 1
    assert len(double.matches) == 2 * size - 1
    assert len(one_final.matches) == 2 * size - 2
    assert [len(plan.matches) for plan in third] == ([size] if size >= 4 else [])


@pytest.mark.parametrize("size", SIZES)
def test_every_source_feeds_one_place_and_none_is_lost(size: int) -> None:
    for plan in variants(size):
        sources = Counter(source for match in plan.matches for source in match.sources)
        assert set(sources.values()) == {1}
        assert {s.number for s in sources if isinstance(s, Seed)} == set(range(1, size + 1))
        last = plan.matches[-1].number
        winners = {s.match for s in sources if isinstance(s, WinnerOf)}
        third = {match.number for match in plan.matches if match.is_third_place}
        assert winners == set(range(1, last)) - third
        losers = {s.match for s in sources if isinstance(s, LoserOf)}
        expected = {m.number for m in plan.matches if m.section == "winners"}
        if plan.kind == "single-elimination":
            expected = {
                s.match
                for m in plan.matches
                if m.is_third_place
                for s in m.sources
                if not isinstance(s, Seed)
            }
        elif plan.reset is not None:
            expected.add(plan.final.number)
        assert losers == expected


@pytest.mark.parametrize("size", SIZES)
def test_labels_and_feeds_say_the_same(size: int) -> None:
    for plan in variants(size):
        for match in plan.matches:
            for side, source in zip(("a", "b"), match.sources, strict=True):
                here = Place(match.number, side)
                if isinstance(source, Seed):
                    assert plan.entry_place(source.number) == here
                elif isinstance(source, WinnerOf):
                    assert plan.feeds(source.match).winner == here
                else:
                    assert plan.feeds(source.match).loser == here


@pytest.mark.parametrize("size", SIZES)
def test_numbers_run_in_the_order_of_rounds_and_from_the_top(size: int) -> None:
    for plan in variants(size):
        keys = [(plan.round_of(match).play_order, match.position) for match in plan.matches]
        assert keys == sorted(keys)
        assert [one.play_order for one in plan.rounds] == list(range(1, len(plan.rounds) + 1))
        assert len({one.key for one in plan.rounds}) == len(plan.rounds)
        for match in plan.matches:
            for source in match.sources:
                if not isinstance(source, Seed):
                    assert (
                        plan.round_of(plan.match(source.match)).play_order < plan.round_of(match).play_order
                    )


@pytest.mark.parametrize("size", SIZES)
def test_rounds_count_their_matches_and_byes(size: int) -> None:
    for plan in variants(size):
        for one in plan.rounds:
            matches, byes = plan.matches_in(one), plan.byes_in(one)
            assert (len(matches), len(byes)) == (one.matches, one.byes)
            assert one.matches > 0
            positions = [part.position for part in (*matches, *byes)]
            assert len(set(positions)) == len(positions)
            assert max(positions) < one.places
        assert sum(one.matches for one in plan.rounds) == len(plan.matches)
        assert sum(one.byes for one in plan.rounds) == len(plan.byes)
        for section in ("winners", "losers", "finals"):
            numbers = [one.number for one in plan.rounds if one.section == section]
            assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize("size", SIZES)
def test_winners_byes_go_to_the_top_seeds_in_round_one_only(size: int) -> None:
    for plan in variants(size):
        byes = [bye for bye in plan.byes if bye.section == "winners"]
        assert {bye.source for bye in byes} == {Seed(n) for n in range(1, full(size) - size + 1)}
        assert {bye.round_number for bye in byes} <= {1}
        first = {match.position for match in plan.matches_in(plan.rounds[0])}
        passed = {bye.position for bye in byes}
        assert first | passed == set(range(full(size) // 2)), "a bye met a bye"
        assert not first & passed


@pytest.mark.parametrize("size", SIZES)
def test_bye_names_the_place_where_its_team_plays_next(size: int) -> None:
    for plan in variants(size):
        for bye in plan.byes:
            match = plan.match(bye.into.match)
            assert match.sources[0 if bye.into.side == "a" else 1] == bye.source
            assert plan.round_of(match).play_order > plan.round_of(bye).play_order


@pytest.mark.parametrize("size", [2, 4, 8, 16, 32, 64, 128, 1024])
def test_full_field_has_no_byes(size: int) -> None:
    assert [plan.byes for plan in variants(size)] == [()] * len(variants(size))


@pytest.mark.parametrize("size", SIZES)
def test_no_team_has_two_byes_in_the_losers_bracket(size: int) -> None:
    plan = double_elimination.build(size)
    byes = Counter(bye.source for bye in plan.byes if bye.section == "losers")
    assert set(byes.values()) <= {1}


@pytest.mark.parametrize("size", SIZES)
def test_playing_it_out_leaves_one_champion(size: int) -> None:
    for plan in variants(size):
        for favourite in (0.5, 1.0, 0.0):
            played = play(plan, random.Random(size), favourite)
            losses = Counter(played.losses)
            others = [n for team, n in losses.items() if team != played.champion]
            if plan.kind == "single-elimination":
                assert losses[played.champion] == 0
                third = plan.third_place is not None
                assert Counter(others) == (Counter({1: size - 2, 2: 1}) if third else Counter({1: size - 1}))
            elif plan.reset is not None:
                assert losses[played.champion] <= 1
                assert set(others) == {2}
            else:
                assert losses[played.champion] <= 1
                assert sorted(others)[1:] == [2] * (size - 2)
                assert sorted(others)[0] == 2 - losses[played.champion]


def test_twelve_teams_leave_four_byes() -> None:
    plan = single_elimination.build(12)

    assert plan.rounds[0] == PlannedRound("winners", 1, 1, "round-1", 4, 4, 8)
    assert [str(bye.source) for bye in plan.byes] == ["S1", "S4", "S2", "S3"]
    assert [one.byes for one in plan.rounds] == [4, 0, 0, 0]


def test_147_teams_are_drawn_as_pictured() -> None:
    plan = double_elimination.build(147)
    spans = [
        (one.key, one.matches, one.byes, plan.matches_in(one)[0].code, plan.matches_in(one)[-1].code)
        for one in plan.rounds
    ]

    assert spans == [
        ("winners-1", 19, 109, "M1", "M19"),
        ("winners-2", 64, 0, "M20", "M83"),
        ("losers-1", 19, 45, "M84", "M102"),
        ("winners-3", 32, 0, "M103", "M134"),
        ("losers-2", 32, 0, "M135", "M166"),
        ("losers-3", 32, 0, "M167", "M198"),
        ("winners-4", 16, 0, "M199", "M214"),
        ("losers-4", 16, 0, "M215", "M230"),
        ("losers-5", 16, 0, "M231", "M246"),
        ("winners-5", 8, 0, "M247", "M254"),
        ("losers-6", 8, 0, "M255", "M262"),
        ("losers-7", 8, 0, "M263", "M270"),
        ("winners-6", 4, 0, "M271", "M274"),
        ("losers-8", 4, 0, "M275", "M278"),
        ("losers-9", 4, 0, "M279", "M282"),
        ("winners-semifinals", 2, 0, "M283", "M284"),
        ("losers-10", 2, 0, "M285", "M286"),
        ("losers-11", 2, 0, "M287", "M288"),
        ("winners-final", 1, 0, "M289", "M289"),
        ("losers-12", 1, 0, "M290", "M290"),
        ("losers-final", 1, 0, "M291", "M291"),
        ("grand-final", 1, 0, "M292", "M292"),
        ("reset", 1, 0, "M293", "M293"),
    ]


@pytest.mark.parametrize(
    ("number", "sources"),
    [
        (14, "S119 S138"),
        (64, "S10 W14"),
        (66, "S23 S106"),
        (68, "S3 W15"),
        (91, "L59 L8"),
        (92, "L55 L9"),
        (126, "W66 W67"),
        (147, "W91 L58"),
        (210, "W125 W126"),
        (291, "L289 W290"),
        (292, "W289 W291"),
        (293, "L292 W292"),
    ],
)
def test_147_teams_meet_as_pictured(number: int, sources: str) -> None:
    match = double_elimination.build(147).match(number)

    assert " ".join(map(str, match.sources)) == sources


def test_two_teams_double_elimination() -> None:
    plan = double_elimination.build(2)

    assert [(m.code, plan.round_of(m).key, *map(str, m.sources)) for m in plan.matches] == [
        ("M1", "winners-final", "S1", "S2"),
        ("M2", "grand-final", "W1", "L1"),
        ("M3", "reset", "L2", "W2"),
    ]


def test_three_teams_double_elimination() -> None:
    plan = double_elimination.build(3)

    assert [(m.code, plan.round_of(m).key, *map(str, m.sources)) for m in plan.matches] == [
        ("M1", "winners-semifinals", "S2", "S3"),
        ("M2", "winners-final", "S1", "W1"),
        ("M3", "losers-final", "L2", "L1"),
        ("M4", "grand-final", "W2", "W3"),
        ("M5", "reset", "L4", "W4"),
    ]
    assert [str(bye.source) for bye in plan.byes] == ["S1"]


def test_third_place_match_stands_beside_the_final() -> None:
    plan = single_elimination.build(6, third_place=True)

    assert plan.third_place == PlannedMatch(
        number=5,
        section="third-place",
        round_number=1,
        position=0,
        sources=(LoserOf(3), LoserOf(4)),
        is_third_place=True,
    )
    assert plan.final == PlannedMatch(6, "winners", 3, 0, (WinnerOf(3), WinnerOf(4)), is_final=True)
    assert [one.key for one in plan.rounds] == ["quarterfinals", "semifinals", "third-place", "final"]


@pytest.mark.parametrize("size", [2, 3])
def test_third_place_match_is_refused_below_four_teams(size: int) -> None:
    with pytest.raises(DrawError) as refused:
        single_elimination.build(size, third_place=True)

    assert (refused.value.code, refused.value.facts) == (
        "third_place_needs_four",
        {"size": size, "minimum": 4},
    )


@pytest.mark.parametrize("size", [-1, 0, 1, 1025])
def test_size_out_of_range_is_refused(size: int) -> None:
    for build in (single_elimination.build, double_elimination.build):
        with pytest.raises(DrawError) as refused:
            build(size)
        assert refused.value.code == "size_out_of_range"


@pytest.mark.parametrize("text", ["S1", "W12", "L1023"])
def test_source_reads_back(text: str) -> None:
    assert str(parse_source(text)) == text


@pytest.mark.parametrize("text", ["", "S0", "X3", "W", "w3", "L-1", "S1 ", "S٣"])
def test_unreadable_source_is_refused(text: str) -> None:
    with pytest.raises(DrawError) as refused:
        parse_source(text)

    assert (refused.value.code, refused.value.facts) == ("source_unreadable", {"text": text})


def test_plan_that_does_not_hang_together_is_refused() -> None:
    one = PlannedRound("winners", 1, 1, "final", 1, 0, 1)
    first = PlannedMatch(1, "winners", 1, 0, (Seed(1), Seed(2)))
    second = PlannedMatch(2, "winners", 1, 0, (Seed(3), WinnerOf(1)))
    twice = PlannedMatch(3, "winners", 1, 0, (WinnerOf(1), WinnerOf(2)))
    early = PlannedMatch(1, "winners", 1, 0, (Seed(1), WinnerOf(1)))
    short = PlannedMatch(1, "winners", 1, 0, (Seed(1), Seed(3)))
    numbered_wrong = PlannedMatch(2, "winners", 1, 0, (Seed(1), Seed(2)))

    for size, matches, fault in [
        (3, (first, second, twice), "W1 feeds two places"),
        (2, (early,), "M1 is fed by W1"),
        (2, (short,), "every seed"),
        (2, (numbered_wrong,), "has the number 2"),
    ]:
        with pytest.raises(ValueError, match=fault):
            Plan("single-elimination", size, (one,), matches, ())


def test_unknown_match_is_a_key_error() -> None:
    plan = single_elimination.build(4)

    for number in (0, 4):
        with pytest.raises(KeyError):
            plan.match(number)
        with pytest.raises(KeyError):
            plan.feeds(number)
