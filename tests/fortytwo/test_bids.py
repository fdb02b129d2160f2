from collections import Counter

import pytest

from fortytwo import PASS, SEATS, Auction, Call, IllegalAction, ParseError, Ruleset, Seat, largest_stake
from tests.fortytwo import naive
from tests.fortytwo.helpers import STRAIGHT


def auction(text, rules=STRAIGHT, shaker=Seat.W):
    state = Auction(rules, shaker)
    for word in text.split():
        state = state.call(state.to_act, Call.parse(word))
    return state


def all_auctions(rules):
    found = [Auction(rules, Seat.W)]
    for _ in SEATS:
        found = [state.call(state.to_act, call) for state in found for call in state.legal_calls()]
    return found


def test_call_text_round_trips():
    for text in ("pass", *map(str, range(1, 43)), "84", *(f"{n}m" for n in range(3, 43))):
        call = Call.parse(text)
        assert str(call) == text
        assert eval(repr(call)) == call
    assert Call.parse("1m") == Call.parse("42") == Call.of_marks(1)
    assert Call.parse(" 2M ") == Call.parse("84") == Call.of_marks(2)
    assert Call.of_points(30) == Call.parse("30")
    assert PASS.stake == 0


@pytest.mark.parametrize(
    "text", ["", "0", "43", "83", "126", "0m", "43m", "-30", "30.0", "m", "9" * 5000, None, 30]
)
def test_call_parse_refuses_what_is_no_call(text):
    with pytest.raises(ParseError) as caught:
        Call.parse(text)
    assert caught.value.code == "bad_call"


@pytest.mark.parametrize("make", [Call.of_points, Call.of_marks])
@pytest.mark.parametrize("number", [0, 43, 10**30, "30", True])
def test_call_numbers_out_of_range_are_refused(make, number):
    with pytest.raises(ParseError) as caught:
        make(number)
    assert caught.value.code == "bad_call"


def test_points_needed_and_marks_at_stake():
    table = {
        text: (Call.parse(text).needed, Call.parse(text).stake) for text in ("30", "41", "42", "84", "3m")
    }
    assert table == {"30": (30, 1), "41": (41, 1), "42": (42, 1), "84": (42, 2), "3m": (42, 3)}


@pytest.mark.parametrize("forced", [False, True])
def test_legal_auctions_equal_the_published_counts(forced):
    rules = Ruleset(all_pass="force_30") if forced else STRAIGHT
    found = all_auctions(rules)
    assert len(found) == (3213 if forced else 3214)
    finals = Counter(str(state.bid) for state in found)
    assert (finals["30"], finals["41"], finals["42"], finals["84"]) == (4, 455, 560, 680)
    assert (finals["3m"], finals["4m"], finals["5m"], finals["6m"]) == (136, 17, 1, 0)
    assert finals["None"] == (0 if forced else 1)
    assert {tuple(map(str, state.calls)) for state in found} == set(naive.auctions(forced))


@pytest.mark.parametrize(
    ("calls", "call", "code"),
    [
        ("30 35", "3m", "call_too_high"),
        ("84 3m", "30", "call_not_higher"),
        ("42", "1m", "call_not_higher"),
        ("34", "34", "call_not_higher"),
        ("34", "33", "call_not_higher"),
        ("", "29", "bid_below_minimum"),
        ("", "3m", "call_too_high"),
        ("42", "3m", "call_too_high"),
        ("42", "41", "call_not_higher"),
    ],
)
def test_illegal_calls_are_refused_with_their_code(calls, call, code):
    state = auction(calls)
    with pytest.raises(IllegalAction) as caught:
        state.call(state.to_act, Call.parse(call))
    assert caught.value.code == code
    assert Call.parse(call) not in state.legal_calls()


def test_84_may_open_and_partner_may_be_overbid():
    assert auction("84 pass pass pass").bid == Call.parse("84")
    state = auction("30 pass 31 pass")
    assert (state.declarer, state.bid) == (Seat.S, Call.parse("31"))


def test_auction_of_the_sixth_seed_example():
    state = auction("30 31 pass 34")
    assert (state.declarer, str(state.bid), state.is_over, state.to_act) == (Seat.W, "34", True, None)
    assert state.by_seat() == tuple(zip("NESW", state.calls, strict=True))


def test_auction_of_the_straight_guide():
    state = auction("30 pass 32 pass")
    assert (state.declarer, str(state.bid)) == (Seat.S, "32")


def test_calls_out_of_turn_and_after_the_end_are_refused():
    with pytest.raises(IllegalAction) as caught:
        auction("30").call(Seat.N, PASS)
    assert (caught.value.code, caught.value.facts) == ("out_of_turn", {"seat": "N", "expected": "E"})
    with pytest.raises(IllegalAction) as caught:
        auction("30 pass pass pass").call(Seat.N, PASS)
    assert caught.value.code == "auction_over"
    assert auction("30 pass pass pass").legal_calls() == ()


def test_all_pass_is_thrown_in_or_forces_the_shaker():
    state = auction("pass pass pass pass")
    assert (state.thrown_in, state.declarer, state.bid) == (True, None, None)
    for value, lowest in (("force_30", "30"), ("force_31", "31"), ("force_42", "42")):
        forced = auction("pass pass pass", Ruleset(all_pass=value))
        assert str(forced.legal_calls()[0]) == lowest
        with pytest.raises(IllegalAction) as caught:
            forced.call(Seat.W, PASS)
        assert (caught.value.code, caught.value.facts["minimum"]) == ("must_bid", lowest)
    forced = auction("pass pass pass", Ruleset(all_pass="force_31"))
    with pytest.raises(IllegalAction) as caught:
        forced.call(Seat.W, Call.parse("30"))
    assert caught.value.code == "bid_below_minimum"
    assert auction("pass 30 pass pass", Ruleset(all_pass="force_30")).bid == Call.parse("30")


def test_forced_shaker_never_bids_below_the_lowest_bid():
    state = auction("pass pass pass", Ruleset(all_pass="force_30", lowest_bid=35))
    assert str(state.legal_calls()[0]) == "35"


def test_limits_of_opening_and_raise():
    opening = auction("30", Ruleset(opening_limit=3))
    assert [str(call) for call in opening.legal_calls()[-3:]] == ["42", "84", "3m"]
    raised = auction("42", Ruleset(raise_limit=2))
    assert [str(call) for call in raised.legal_calls()] == ["pass", "84", "3m"]
    unlimited = auction("42m", Ruleset(opening_limit=None))
    assert unlimited.legal_calls() == (PASS,)
    with pytest.raises(IllegalAction) as caught:
        auction("pass", Ruleset(lowest_bid=20)).call(Seat.E, Call.parse("19"))
    assert caught.value.code == "bid_below_minimum"


def test_largest_stake_is_computed_from_the_auction():
    assert largest_stake(STRAIGHT) == 5
    assert largest_stake(Ruleset(raise_limit=2)) == 8
    assert largest_stake(Ruleset(opening_limit=3)) == 6
    assert largest_stake(Ruleset(opening_limit=None)) == 42
