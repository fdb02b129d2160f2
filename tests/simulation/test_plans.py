"""Plans of matches: the same for the same seed and code, possible by the rules, with the promised mixture."""

from collections import Counter
from dataclasses import replace

import pytest

import fortytwo
from fortytwo import Call, Hand, PerSide, Seat, Tile, Trump
from scoring.simulation.dice import dice
from scoring.simulation.hands import random_hand
from scoring.simulation.plans import (
    FullPlan,
    Habits,
    HandPlan,
    Level,
    MatchPlan,
    Mix,
    Settling,
    Slip,
    Way,
    plan_match,
)
from tests.fortytwo import naive

CODES = [f"M{number}" for number in range(1, 101)]
SHORT = fortytwo.Ruleset(target=2)
"""Games to two marks, so that a plan is made quickly."""
FULL = Habits(seed=5, rules=SHORT, mix=Mix(0, 0, 100))


def plans(habits: Habits, best_of: int = 3, count: int = 100) -> list[MatchPlan]:
    return [plan_match(habits, code, best_of) for code in CODES[:count]]


def full_hands(habits: Habits = FULL, count: int = 8) -> list[HandPlan]:
    return [hand for plan in plans(habits, 3, count) for game in plan.games for hand in game.hands]


def test_plan_follows_from_seed_and_code_alone() -> None:
    habits = Habits(seed=3, rules=SHORT, mix=Mix(30, 40, 30), disputes=0.3, slips=0.5)
    forwards = {code: plan_match(habits, code, 3) for code in CODES[:20]}
    backwards = {code: plan_match(habits, code, 3) for code in reversed(CODES[:20])}
    assert forwards == backwards
    assert plan_match(replace(habits, seed=4), "M1", 3) != forwards["M1"]
    assert len({str(plan.result) for plan in forwards.values()}) > 10


def test_result_does_not_depend_on_what_else_happens() -> None:
    habits = Habits(rules=SHORT, disputes=0, slips=0)
    quiet = [plan.result for plan in plans(habits, count=40)]
    noisy = [plan.result for plan in plans(replace(habits, disputes=1, slips=1), count=40)]
    by_hand = [plan_match(habits, code, 3, hand_by_hand=True).result for code in CODES[:40]]
    assert quiet == noisy == by_hand


@pytest.mark.parametrize("best_of", [1, 3, 5])
@pytest.mark.parametrize("preset", [name for name, one in fortytwo.PRESETS.items() if one.is_playable])
def test_games_decide_the_match_under_every_preset(preset: str, best_of: int) -> None:
    rules = fortytwo.preset(preset).ruleset()
    for plan in plans(Habits(seed=2, rules=rules, mix=Mix(60, 20, 20)), best_of, 10):
        match = fortytwo.match_of(rules, best_of, [game.score for game in plan.games])
        assert match.final() == plan.winner
        for game in plan.games:
            assert not game.hands or game.score == sum((h.marks for h in game.hands), start=PerSide())


def test_mix_is_kept() -> None:
    rng = dice(1, "mix")
    levels = Counter(Mix(85, 10, 5).draw(rng) for _ in range(2000))
    assert {level: round(count / 20) for level, count in levels.items()} == {
        Level.MARKS: pytest.approx(85, abs=3),
        Level.BID: pytest.approx(10, abs=3),
        Level.FULL: pytest.approx(5, abs=3),
    }
    assert {plan.way for plan in plans(Habits(rules=SHORT, mix=Mix(100, 0, 0)))} == set(Way)
    assert {plan.way for plan in plans(Habits(rules=SHORT, mix=Mix(0, 50, 50)), 1, 20)} == {Way.HANDS}


def test_unreadable_mix_is_refused() -> None:
    assert Mix.parse(" 85, 10,5") == Mix(85, 10, 5)
    for text in ("", "85,10", "85,10,5,0", "85,10,6", "a,b,c", "-5,100,5"):
        with pytest.raises(ValueError, match=r"."):
            Mix.parse(text)


def test_disputes_hold_two_possible_results_or_an_objection() -> None:
    disputed = plans(Habits(seed=9, mix=Mix(100, 0, 0), disputes=1), count=60)
    assert {plan.settling for plan in disputed} == {Settling.OBJECTION, Settling.RIVAL}
    rivals = [plan for plan in disputed if plan.settling is Settling.RIVAL]
    assert any(plan.first_is_wrong for plan in rivals)
    for plan in rivals:
        assert list(plan.rival) != plan.result
        scores = [PerSide(game["NS"], game["EW"]) for game in plan.rival]
        assert fortytwo.match_of(fortytwo.Ruleset(), 3, scores).final() == plan.winner
        assert plan.first_entry == (list(plan.rival) if plan.first_is_wrong else plan.result)


def test_wrong_code_is_tried_only_where_the_right_one_follows() -> None:
    tried = plans(Habits(seed=2, rules=SHORT, mix=Mix(100, 0, 0), disputes=0.2, slips=1))
    assert {plan.slip for plan in tried} == set(Slip)
    assert {plan.settling for plan in tried if plan.slip is Slip.WRONG_CODE} == {Settling.CODE}
    assert {plan.way for plan in tried if plan.settling is Settling.CODE} <= {Way.HANDS, Way.GAMES, Way.TABLE}


def test_full_play_agrees_with_the_second_implementation() -> None:
    for number in range(60):
        rng = dice(11, "hand", number)
        hand = random_hand(fortytwo.Ruleset(), rng.choice(fortytwo.SEATS), rng)
        calls = [str(call) for _, call in hand.auction.by_seat()]
        if hand.declarer is None:
            assert naive.declarer(str(hand.shaker), calls) is None
            continue
        deal = {str(seat): [str(tile) for tile in hand.deal.holding(seat) or ()] for seat in fortytwo.SEATS}
        told = naive.hand(
            deal, str(hand.shaker), calls, str(hand.trump), [str(play.tile) for play in hand.plays]
        )
        assert told["marks"] == hand.marks.to_json()
        assert told["points"] == hand.points.to_json()
        assert told["settled_after"] == hand.settled_after


def test_full_play_is_legal_whatever_is_known() -> None:
    """A record that knows what the server is told, when it is told, takes every call and tile."""
    known_seats = Counter[int]()
    for hand in full_hands():
        record, full = opened(hand)
        known_seats[sum(mask is not None for mask in record.deal.masks)] += 1
        for number, call in enumerate(full.calls, start=1):
            if number in full.bad_calls:
                with pytest.raises(fortytwo.IllegalAction) as refused:
                    called(record, full.bad_calls[number].body)
                assert refused.value.code == full.bad_calls[number].code
            record = called(record, call)
        if full.trump:
            record = record.name_trump(Trump.parse(full.trump))
        for number, play in enumerate(full.plays, start=1):
            if number in full.bad_plays:
                with pytest.raises(fortytwo.IllegalAction) as refused:
                    played(record, full.bad_plays[number].body)
                assert refused.value.code == full.bad_plays[number].code
            assert record.is_closed == (number > full.closed_after)
            record = played(record, play)
        for seat, tiles in full.turned_up:
            record = record.with_holding(Seat(seat), [Tile.parse(tile) for tile in tiles])
        assert record.is_closed
        assert record.marks == hand.marks
        assert record.points == full.points
        assert record.verify().ok
    assert set(known_seats) >= {0, 4}


def test_something_illegal_is_tried_in_some_hands() -> None:
    codes = Counter(
        attempt.code
        for hand in full_hands(count=30)
        if hand.full
        for attempt in [*hand.full.bad_plays.values(), *hand.full.bad_calls.values()]
    )
    assert set(codes) >= {"must_follow", "out_of_turn", "tile_played"}


def test_bid_level_bodies_are_possible_hands() -> None:
    habits = Habits(seed=8, rules=SHORT, mix=Mix(0, 100, 0))
    for plan in plans(habits, 3, 20):
        for game in plan.games:
            for hand in game.hands:
                body = hand.body
                if body.get("thrown_in"):
                    assert hand.marks == PerSide()
                    continue
                result = fortytwo.bid_level_hand(
                    habits.rules,
                    declarer=Seat(body["declarer"]),
                    bid=Call.parse(body["bid"]),
                    trump=Trump.parse(body["trump"]),
                    made=body.get("made"),
                    points=body.get("points"),
                    shaker=Seat(body["shaker"]),
                )
                assert result.marks == hand.marks


def opened(hand: HandPlan) -> tuple[Hand, FullPlan]:
    """The record as it is opened, with the tiles that are told before the first call."""
    assert hand.full is not None
    record = Hand.start(SHORT, Seat(hand.body["shaker"]))
    for seat, tiles in [*hand.body.get("deal", {}).items(), *hand.full.deal]:
        record = record.with_holding(Seat(seat), [Tile.parse(tile) for tile in tiles])
    return record, hand.full


def called(record: Hand, body: dict[str, str]) -> Hand:
    return record.call(Seat(body["seat"]), Call.parse(body["call"]))


def played(record: Hand, body: dict[str, str]) -> Hand:
    return record.play(Seat(body["seat"]), Tile.parse(body["tile"]))


def test_special_contracts_occur_where_the_rules_have_them() -> None:
    def named(preset: str) -> Counter[str]:
        rules = fortytwo.preset(preset).ruleset()
        found = Counter[str]()
        for plan in plans(Habits(seed=3, rules=rules, mix=Mix(0, 50, 50)), 1, 12):
            for hand in (hand for game in plan.games for hand in game.hands):
                calls = [call["call"] for call in hand.full.calls] if hand.full else []
                found["forced"] += calls[:3] == ["pass"] * 3 and calls[3:] not in ([], ["pass"])
                for text in (*calls, hand.body.get("bid", ""), hand.body.get("trump", "")):
                    found[text.rstrip("0123456789")] += 1
                found[hand.full.trump if hand.full else ""] += 1
        return found

    timpson, lechner, guide = named("timpson"), named("lechner-house"), named("straight-guide")
    assert timpson["plunge"] > 0 < timpson["forced"]
    assert lechner["plunge"] > 0 < lechner["splash"]
    assert len([text for text in lechner if text.startswith("nello-")]) > 1
    assert guide["forced"] > 0
    assert not [text for text in (*timpson, *guide) if text.startswith(("nello", "splash"))]
    assert guide["plunge"] == 0
