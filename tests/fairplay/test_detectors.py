"""The other rule detectors, each by what it finds, what it leaves alone and what it cannot test."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import Any

import pytest

import fortytwo
from fortytwo import Hand, PerSide, Ruleset
from scoring.fairplay import claims, durations, entries, registry, score, specials, twins, two_tables
from scoring.fairplay.facts import Claim, HandFacts, TeamFacts, Twin, Work
from scoring.fairplay.types import Looked, Scope, Tried
from tests.fairplay import records
from tests.fairplay.matches import at, changed, event, game, hand, match, result, settled, seven_hands
from tests.fortytwo.helpers import bid_hand, play_all


def codes(looked: Looked) -> list[str]:
    return [finding.code for finding in looked.findings]


def items(looked: Looked) -> list[tuple[str, dict[str, Any]]]:
    return [(item.code, dict(item.facts)) for finding in looked.findings for item in finding.toward]


# ---- The registry ----------------------------------------------------------------------------


def test_registry_names_inputs_null_and_innocent_reasons_of_every_detector() -> None:
    names = [detector.name for detector in registry.DETECTORS]
    assert len(names) == len(set(names))
    for detector in registry.DETECTORS:
        assert detector.inputs, detector.name
        assert detector.null.endswith("."), detector.name
        assert detector.innocent, detector.name
        assert len(detector.name) <= 40
    assert registry.versions(Scope.HAND) == "contradiction.1 special.1 hand-score.1 claim.1 hand-times.1"
    assert len(registry.versions(*Scope)) <= 255


def test_reasons_of_findings_are_those_that_the_registry_names() -> None:
    short = match(started_at=at(35))
    for finding in durations.look_at_match(short).findings:
        innocent = registry.BY_NAME[finding.detector].innocent
        assert {reason.code for reason in finding.reasons} <= set(innocent)


# ---- D10: marks and results ------------------------------------------------------------------


def full(**more: Any) -> HandFacts:
    record = play_all(bid_hand("34 pass pass pass", "6"), "66 61 60 00 65 63 50 21 64 20 41 40 55 54 53 52")
    return records.facts(record, **more)


def bid_level(**more: Any) -> HandFacts:
    fields: dict[str, Any] = {
        "level": "bid",
        "declarer": "N",
        "bid": "34",
        "trump": "6",
        "ending": "made",
        "points": PerSide(36, 6),
        "shaker": "W",
    }
    return hand(1, 1, 1, 0, 5, **{**fields, **more})


def test_hand_that_follows_from_its_record_is_left_alone() -> None:
    for record in (full(), bid_level(), bid_level(points=None), bid_level(trump=""), hand(1, 1, 2, 0, 5)):
        assert score.look_at_hand(record) == Looked()


@pytest.mark.parametrize(
    ("record", "code", "expected"),
    [
        (full(marks=PerSide(0, 1)), "hand_differs", [("marks", "0-1", "1-0")]),
        (full(ending="set"), "hand_differs", [("ending", "set", "made")]),
        (full(trump="5", bid="42"), "hand_differs", [("bid", "42", "34"), ("trump", "5", "6")]),
        (full(points=PerSide(30, 0)), "hand_differs", [("points", "30-0", "34-0")]),
        (bid_level(marks=PerSide(2, 0)), "hand_differs", [("marks", "2-0", "1-0")]),
    ],
)
def test_hand_that_differs_from_its_record_is_found_field_by_field(
    record: HandFacts, code: str, expected: list[tuple[str, str, str]]
) -> None:
    looked = score.look_at_hand(record)
    assert codes(looked) == [code]
    assert [(facts["field"], facts["stored"], facts["worked_out"]) for _, facts in items(looked)] == expected


@pytest.mark.parametrize(
    ("record", "field"),
    [
        (bid_level(points=PerSide(43, 0)), "points"),
        (bid_level(points=PerSide(30, 12)), "made"),
        (bid_level(bid="3m"), "bid"),
        (bid_level(ending=""), None),
        (hand(1, 1, 1, 1, 5), ""),
        (hand(1, 1, 6, 0, 5), ""),
        (hand(1, 1, 0, 0, 5, level="bid", ending="thrown-in", rules=Ruleset(all_pass="force_30")), ""),
    ],
)
def test_hand_that_cannot_have_happened_is_found_with_its_field(record: HandFacts, field: str | None) -> None:
    looked = score.look_at_hand(record)
    if field is None:
        assert codes(looked) == ["hand_differs"]  # points say that it was made
        return
    assert codes(looked) == ["hand_impossible"]
    assert field in [facts["field"] for _, facts in items(looked)]


def test_match_whose_result_follows_from_its_games_is_left_alone() -> None:
    games = (seven_hands(1, [5, 8, 11, 14, 17, 20, 23]), game(2, "7-3"))
    assert score.look_at_match(match(result=result("7-0,7-3"), games=games)) == Looked()
    assert score.look_at_match(match()).untestable == "no_games"


def test_result_that_differs_from_the_games_recorded_is_found() -> None:
    one = match(result=result("7-4,7-3", way="desk", reason="sheet"), games=(game(1, "7-5"), game(2, "7-3")))
    looked = score.look_at_match(one)
    assert codes(looked) == ["result_differs"]
    assert items(looked) == [("differs", {"field": "result", "stored": "7-4", "worked_out": "7-5"})]
    assert [item.code for item in looked.findings[0].away] == ["settled_with_reason"]


def test_result_of_fewer_games_than_recorded_is_found() -> None:
    one = match(result=result("7-4,7-3"), games=(game(1, "7-4"), game(2, "3-7"), game(3, "7-3")))
    told = [(facts["stored"], facts["worked_out"]) for _, facts in items(score.look_at_match(one))]
    assert told == [("7-3", "3-7"), ("", "7-3")]


def test_result_that_contradicts_itself_is_found() -> None:
    for wrong in ({"winner": "EW"}, {"wins": PerSide(2, 1)}, {"marks": PerSide(14, 9)}):
        assert codes(score.look_at_match(match(result=result(**wrong)))) == ["result_differs"]
    impossible = changed(result(), games=(PerSide(7, 7), PerSide(7, 3)))
    assert "engine_refuses" in dict(items(score.look_at_match(match(result=impossible))))


def test_game_that_is_not_the_sum_of_its_hands_is_found() -> None:
    games = (changed(seven_hands(1, [5, 8, 11, 14, 17, 20, 23]), marks=PerSide(7, 1)), game(2, "7-3"))
    looked = score.look_at_match(match(result=result("7-1,7-3"), games=games))
    assert codes(looked) == ["game_differs"]
    assert items(looked) == [("differs", {"field": "marks", "stored": "7-1", "worked_out": "7-0"})]


def test_hands_recorded_after_the_match_was_settled_are_found() -> None:
    games = (seven_hands(1, [5, 8, 11, 14, 17, 20, 45]), game(2, "7-3"))
    looked = score.look_at_match(match(result=result("7-0,7-3"), games=games))
    assert codes(looked) == ["recorded_after_the_end"]


# ---- D11: who enters -------------------------------------------------------------------------


def test_player_who_enters_or_settles_is_found_and_others_are_not() -> None:
    assert entries.look_for_players(match()).untestable == "no_accounts_of_players"
    assert entries.look_for_players(match(playing={"99": "NS"})) == Looked()
    entered = entries.look_for_players(match(playing={"7": "NS"}))
    both = entries.look_for_players(match(playing={"7": "NS", "8": "EW"}))
    assert codes(entered) == ["player_entered"]
    assert sorted(codes(both)) == ["player_entered", "player_settled"]
    assert {finding.subject for finding in both.findings} == {
        "match:id-M1:account:7",
        "match:id-M1:account:8",
    }


def test_player_who_kept_score_is_found() -> None:
    games = (game(1, "7-0", [hand(1, 1, 7, 0, 9, account="5")]),)
    looked = entries.look_for_players(match(playing={"5": "EW"}, games=games))
    assert items(looked) == [("kept_score", {"hands": 1})]


def test_account_that_settles_its_own_entry_is_found_unless_the_desk_says_so() -> None:
    own = result(settled_by="7")
    assert codes(entries.look_for_own(match(result=own))) == ["settled_own_entry"]
    assert entries.look_for_own(match()) == Looked()
    assert entries.look_for_own(match(result=changed(own, way="desk"))) == Looked()
    by_link = result(entered_by="", settled_by="", way="other-side")
    assert entries.look_for_own(match(result=by_link)) == Looked()


def test_desk_settlements_are_listed_with_their_reason_but_not_copied_ones() -> None:
    desk = result(way="desk", settled_by="7", reason="paper slip")
    looked = entries.look_at_desk(match(result=desk))
    assert codes(looked) == ["desk_settled"]
    assert looked.findings[0].facts["reason"] == "paper slip"
    assert codes(entries.look_at_desk(match(result=changed(desk, outcome="forfeit")))) == ["desk_forfeit"]
    assert entries.look_at_desk(match(result=desk, from_paper=True)).untestable == "copied_from_paper"
    assert entries.look_at_desk(match()) == Looked()


def team(*matches: Any) -> TeamFacts:
    return TeamFacts("e1", 1, tuple(matches))


def test_one_account_for_every_match_of_a_team_is_found() -> None:
    own = [settled("M1", "7", "7"), settled("M3", "7", "7")]
    others = [*own, settled("M2", "8", "9"), settled("M4", "", "")]
    looked = entries.look_for_one_scorer(event(match(), teams=(team(*own),), others=others))
    assert codes(looked) == ["one_scorer_for_team"]
    assert [item.match for item in looked.findings[0].toward] == ["M1", "M3"]


def test_account_that_does_the_desk_for_all_or_not_every_match_is_left_alone() -> None:
    own = [settled("M1", "7", "7"), settled("M3", "7", "7")]
    for_all = [*own, settled("M2", "7", "7"), settled("M4", "7", "7"), settled("M5", "8", "9")]
    assert entries.look_for_one_scorer(event(match(), teams=(team(*own),), others=for_all)) == Looked()
    for other in (settled("M3", "7", "8"), settled("M3", "8", "7"), settled("M3", "", "7")):
        mixed = team(own[0], other)
        assert entries.look_for_one_scorer(event(match(), teams=(mixed,), others=[*own])) == Looked()
    assert entries.look_for_one_scorer(event(match(), teams=(team(own[0]),), others=own)) == Looked()


# ---- D12: times ------------------------------------------------------------------------------


def timed(gaps: list[float], **more: Any) -> HandFacts:
    times = [at(5)]
    for gap in gaps:
        times.append(times[-1] + timedelta(seconds=gap))
    return full(play_times=tuple(times), **more)


HUMAN = [3.1, 0.9, 4.2, 7.7, 1.2, 2.0, 5.5, 1.1, 9.3, 2.2, 1.8, 3.0, 2.4, 6.1, 1.6]


def test_hand_at_human_pace_is_left_alone() -> None:
    assert durations.look_at_hand(timed(HUMAN)) == Looked()
    assert durations.look_at_hand(full()).untestable == "no_plays"
    assert durations.look_at_hand(timed([1.0] * 5)).untestable == "too_few_plays"


@pytest.mark.parametrize(
    ("gaps", "code"),
    [
        ([0.1, 0.3] * 7, "faster_than_hands"),
        ([2.0] * 15, "gaps_all_alike"),
        ([*HUMAN[:-1], -4.0], "times_run_backwards"),
        ([0.0] * 15, "faster_than_hands"),
    ],
)
def test_times_that_cannot_be_play_are_found(gaps: list[float], code: str) -> None:
    looked = durations.look_at_hand(timed(gaps))
    assert codes(looked) == [code]
    assert all(reason.tried is Tried.OPEN for reason in looked.findings[0].reasons)
    assert durations.look_at_hand(timed(gaps, times_count=False)).untestable == "times_do_not_count"


def test_match_under_ten_minutes_is_found_unless_it_is_simulated_or_copied() -> None:
    short = match(started_at=at(33))
    assert codes(durations.look_at_match(short)) == ["match_too_short"]
    assert durations.look_at_match(match()) == Looked()
    assert durations.look_at_match(changed(short, simulated=True)).untestable == "simulated"
    assert durations.look_at_match(changed(short, from_paper=True)).untestable == "copied_from_paper"
    unknown = changed(short, started_at=None, called_at=None)
    assert durations.look_at_match(unknown).untestable == "no_begin"
    forfeit = changed(short, result=result(outcome="forfeit"))
    assert durations.look_at_match(forfeit).untestable == "not_played"


def test_twelve_hands_in_three_minutes_are_one_batch() -> None:
    games = (
        seven_hands(1, [10 + step / 4 for step in range(7)]),
        seven_hands(2, [11.75 + step / 4 for step in range(7)]),
    )
    looked = durations.look_at_match(match(result=result("7-0,7-0"), games=games))
    assert items(looked) == [("hands_in_a_batch", {"hands": 14, "seconds": 195.0})]


def test_hands_every_two_minutes_are_no_batch() -> None:
    games = (seven_hands(1, [5, 7, 9, 11, 13, 15, 17]),)
    assert durations.look_at_match(match(games=games)) == Looked()


# ---- D9 and the lists of hands ---------------------------------------------------------------


def test_deal_print_is_that_of_the_holdings_whoever_held_them() -> None:
    rng = random.Random(3)
    truth = records.honest(rng, to_the_end=True)
    same = records.without_deal(truth)  # played out, so the deal follows
    other = records.honest(rng, to_the_end=True)
    assert twins.deal_print(truth) == twins.deal_print(same) != twins.deal_print(other)
    assert twins.deal_print(records.without_deal(records.honest(rng, to_the_end=False))) == ""
    holdings = {seat.left: truth.deal.holding(seat) for seat in fortytwo.SEATS}
    turned = records.play_out(
        bid_hand("30 pass pass pass", "6", deal=holdings), random.Random(1), to_the_end=True
    )
    assert twins.deal_print(turned) == twins.deal_print(truth)


def test_lists_of_hands_have_a_print_only_where_they_say_enough() -> None:
    marks = [hand(1, number, 1, 0, number) for number in range(1, 28)]
    bids = [changed(bid_level(), number=number) for number in range(1, 7)]
    assert twins.hands_print(marks) == ""
    assert twins.hands_print([*marks, marks[0]]) != ""
    assert twins.hands_print(bids[:5]) == ""
    assert twins.hands_print(bids) != twins.hands_print([*bids[:5], changed(bids[5], trump="5")])


def test_twins_are_found_once_from_either_side() -> None:
    here = event(match("M1"), twins=(Twin("deal", "id-M2", "M2", 2, 3, "h", 1, 4),))
    there = event(match("M2"), twins=(Twin("deal", "id-M1", "M1", 1, 4, "k", 2, 3),))
    first, second = twins.look_for_deals(here), twins.look_for_deals(there)
    assert codes(first) == codes(second) == ["deal_twice"]
    assert first.findings[0].key == second.findings[0].key
    assert first.findings[0].fingerprint == second.findings[0].fingerprint


# ---- One account at two tables ---------------------------------------------------------------


def work(code: str, *spans: tuple[float, float], level: str = "full") -> Work:
    return Work(
        "7",
        f"id-{code}",
        code,
        tuple((at(begin), at(end), level, 1, number) for number, (begin, end) in enumerate(spans, start=1)),
    )


def tables(here: Work, *others: Work, **more: Any) -> Looked:
    return two_tables.look(event(match("M1", **more), here=(here,), elsewhere=others))


def test_two_hands_in_full_play_at_one_time_are_found() -> None:
    looked = tables(work("M1", (0, 6), (6, 12)), work("M2", (3, 5)))
    assert codes(looked) == ["two_hands_at_once"]
    assert looked.findings[0].subject == "account:7:id-M1:id-M2"
    assert tables(work("M2", (3, 5)), work("M1", (0, 6), (6, 12))).findings[0].key == looked.findings[0].key


def test_two_tables_in_turns_are_found_from_three_changes_on() -> None:
    one = work("M1", (1, 1), (5, 5), level="bid")
    assert codes(tables(one, work("M2", (3, 3), (7, 7), level="bid"))) == ["two_tables_in_turns"]
    assert tables(one, work("M2", (3, 3), level="bid")) == Looked()
    assert tables(one, work("M2", (7, 7), (8, 8), level="bid")) == Looked()
    assert two_tables.look(event(match())).untestable == "recorded_by_links"
    assert tables(one, work("M2", (3, 3), (7, 7)), from_paper=True).untestable == "times_do_not_count"


# ---- Claims and specials ---------------------------------------------------------------------


def brute_is_certain(position: Hand, *, made: bool) -> bool:
    if position.made is not None:
        return position.made is made
    assert position.turn is not None
    return all(
        brute_is_certain(position.play(position.turn, tile), made=made) for tile in position.legal_plays()
    )


def test_claims_are_certain_where_every_line_ends_alike() -> None:
    rng = random.Random(9)
    seen = set()
    for _ in range(60):
        truth = records.honest(rng, to_the_end=True)
        after = 4 * rng.randrange(4, 6)
        position = claims._position(truth, after)
        if position.made is not None:
            continue
        made = rng.random() < 0.5
        looked = claims.look(records.facts(truth, claim=Claim(after, made)))
        certain = brute_is_certain(position, made=made)
        assert looked.untestable == ""
        assert codes(looked) == ([] if certain else ["claim_not_certain"])
        seen.add(certain)
    assert seen == {True, False}


def test_hands_without_a_claim_or_with_too_many_tiles_are_not_testable() -> None:
    rng = random.Random(1)
    truth = records.honest(rng, to_the_end=True)
    assert claims.look(records.facts(truth)).untestable == "no_claims_recorded"
    early = records.without_deal(records.honest(rng, to_the_end=False))
    assert claims.look(records.facts(early, claim=Claim(4, True))).untestable == "holdings_unknown"


def test_plunge_without_its_doubles_is_found_once_the_hand_is_known() -> None:
    rules = Ruleset(all_pass="force_30", plunge=True)
    hidden = Hand.start(rules, fortytwo.Seat.W).call(fortytwo.Seat.N, fortytwo.Call.parse("plunge4"))
    record = records.facts(hidden)
    assert specials.look(record) == Looked()
    tiles = fortytwo.parse_tiles("66 65 64 62 55 33 21")
    looked = specials.look(records.facts(hidden.with_holding(fortytwo.Seat.N, tiles)))
    assert codes(looked) == ["doubles_missing"]
    assert (looked.findings[0].facts["held"], looked.findings[0].facts["needed"]) == (3, 4)
