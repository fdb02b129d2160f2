"""Games in points to a total, and games that the clock stopped."""

import pytest

from fortytwo import (
    Call,
    Game,
    HandResult,
    IllegalAction,
    ImpossibleRecord,
    Match,
    PerSide,
    Ruleset,
    Seat,
    Side,
    Trump,
    bid_level_hand,
    check_game_score,
    check_hand_marks,
    game_winner,
    marks_only_hand,
    match_of,
    possible_game_score,
)
from fortytwo.totals import hand_scores, is_open_total, possible_ends
from tests.fortytwo.helpers import EXAMPLE_DEAL, MADE_34, STRAIGHT, bid_hand, play_all

POINTS = Ruleset(scoring="points")
BID_ONLY = Ruleset(scoring="points", set_scores="bid_only")
HIGHER = Ruleset(scoring="points", both_past_target="higher")
PLAY_ON = Ruleset(scoring="points", both_past_target="play_on")
SHORT = Ruleset(scoring="points", target=45)


def code_of(kind, make, *args, **named):
    with pytest.raises(kind) as caught:
        make(*args, **named)
    return caught.value.code


def record(rules, bid, trump="5", declarer=Seat.N, **said):
    named = Trump.parse(trump)
    return bid_level_hand(rules, declarer=declarer, bid=Call.parse(bid), trump=named, **said).marks


def hands_of(text, rules):
    """ "N:30-12 E:0-84": the bidder and what both sides score."""
    game = Game(rules)
    for word in text.split():
        bidder, _, score = word.partition(":")
        ns, ew = map(int, score.split("-"))
        game = game.record(HandResult(PerSide(ns, ew), declarer=Seat(bidder)))
    return game


def test_hand_in_points_is_settled_when_both_totals_are_fixed():
    hand = play_all(bid_hand("34 pass pass pass", "6", deal=EXAMPLE_DEAL, rules=POINTS), MADE_34)
    assert (hand.points, hand.made, hand.is_closed, hand.marks) == (PerSide(34, 0), None, False, PerSide())
    while hand.turn is not None:
        hand = hand.play(hand.turn, hand.legal_plays()[0])
    assert (hand.made, hand.settled_after, hand.marks) == (True, 7, hand.points)


def test_set_hand_in_points_is_settled_at_once_where_only_the_bid_counts():
    plays = "55 51 32 52 54 65 10 50"
    hand = play_all(bid_hand("38 pass pass pass", "5", rules=BID_ONLY), plays)
    assert (hand.made, hand.settled_after, hand.marks) == (False, 2, PerSide(0, 38))
    hand = play_all(bid_hand("38 pass pass pass", "5", rules=POINTS), plays)
    assert (hand.made, hand.settled_after, hand.marks) == (None, None, PerSide())


@pytest.mark.parametrize(
    ("rules", "bid", "said", "marks"),
    [
        (POINTS, "34", {"points": 36}, PerSide(36, 6)),
        (POINTS, "34", {"points": 30}, PerSide(0, 46)),
        (BID_ONLY, "34", {"points": 30}, PerSide(0, 34)),
        (BID_ONLY, "34", {"made": False}, PerSide(0, 34)),
        (POINTS, "42", {"made": True}, PerSide(42, 0)),
        (POINTS, "84", {"made": True}, PerSide(84, 0)),
        (POINTS, "84", {"points": 41}, PerSide(0, 85)),
        (BID_ONLY, "84", {"points": 41}, PerSide(0, 84)),
        (POINTS, "34", {"points": 36, "marks": PerSide(36, 6)}, PerSide(36, 6)),
    ],
)
def test_hand_in_points_scores_what_the_guide_says(rules, bid, said, marks):
    assert record(rules, bid, **said) == marks


def test_nello_and_sevens_in_points():
    rules = Ruleset(scoring="points", nello=1, sevens=1)
    assert record(rules, "84", "nello", made=True) == PerSide(84, 0)
    assert record(rules, "42", "nello", tricks=1) == PerSide(0, 42)
    assert record(rules, "42", "sevens", points=41) == PerSide(0, 43)
    hand = play_all(bid_hand("42 pass pass pass", "nello", rules=rules), "66 60 61")
    assert (hand.made, hand.marks) == (False, PerSide(0, 42))


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"made": True}, "points_missing"),
        ({"points": PerSide(34, 2)}, "points_missing"),
        ({"points": 36, "marks": PerSide(36, 0)}, "marks_contradict"),
        ({"points": 30, "marks": PerSide(30, 12)}, "both_sides_made"),
    ],
)
def test_hand_in_points_needs_whole_points(said, code):
    with pytest.raises(ImpossibleRecord) as caught:
        record(POINTS, "34", **said)
    assert caught.value.fields[0].error.code == code


def test_scores_that_no_hand_gives_are_refused():
    check_hand_marks(POINTS, HandResult(PerSide(30, 12)))
    check_hand_marks(POINTS, HandResult(PerSide()))
    assert marks_only_hand(POINTS, Side.EW, 84).marks == PerSide(0, 84)
    for score in (PerSide(30, 13), PerSide(29, 13), PerSide(7, 0), PerSide(0, 42 * 5 + 43)):
        assert code_of(IllegalAction, check_hand_marks, POINTS, HandResult(score)) == "hand_score_impossible"
    forced = Ruleset(scoring="points", all_pass="force_30")
    assert PerSide() not in hand_scores(forced)
    with_sevens = Ruleset(scoring="points", all_pass="force_30", forced_special="sevens")
    assert PerSide(42, 0) in hand_scores(with_sevens)


def test_game_in_points_goes_to_its_target():
    game = hands_of("N:42-0 N:84-0 E:84-0 N:30-12", POINTS)
    assert (game.score, game.winner) == (PerSide(240, 12), None)
    assert hands_of("N:42-0 N:84-0 E:84-0 N:30-12 E:7-35", POINTS).winner is None
    won = hands_of("N:42-0 N:84-0 E:84-0 N:30-12 E:12-30", POINTS)
    assert (won.score, won.winner) == (PerSide(252, 42), Side.NS)
    assert code_of(IllegalAction, won.record, HandResult(PerSide(42, 0))) == "game_over"


def near(rules, *last):
    """A game at 240-222, then these hands: bidder, NS, EW."""
    game = hands_of("N:84-0 N:84-0 N:42-0 N:30-12 E:0-84 E:0-84 E:0-42", rules)
    assert game.score == PerSide(240, 222)
    for bidder, ns, ew in last:
        game = game.record(HandResult(PerSide(ns, ew), declarer=bidder))
    return game


def test_both_past_the_target_is_won_as_the_rules_say():
    level = (Seat.E, 12, 30)
    assert near(POINTS, level).winner is Side.EW
    assert near(HIGHER, level).winner is None
    assert near(HIGHER, level, (Seat.N, 30, 12)).winner is Side.NS
    assert near(PLAY_ON, level).winner is None
    assert near(PLAY_ON, level, (Seat.E, 10, 32)).winner is Side.EW
    higher = (Seat.E, 11, 31)
    assert near(HIGHER, higher).winner is Side.EW
    assert near(PLAY_ON, higher).winner is None
    assert near(PLAY_ON, higher, (Seat.N, 32, 10)).winner is Side.NS


def test_bidder_must_be_known_when_both_pass_the_target():
    unknown = HandResult(PerSide(11, 31))
    assert code_of(IllegalAction, near(POINTS).record, unknown) == "bidder_needed"
    assert Game(POINTS, None, (*near(POINTS).hands, unknown)).winner is Side.EW
    assert near(HIGHER).record(unknown).winner is Side.EW


@pytest.mark.parametrize(
    ("score", "rules", "winner", "expected"),
    [
        ((252, 42), POINTS, None, Side.NS),
        ((42, 252), POINTS, Side.EW, Side.EW),
        ((252, 42), POINTS, Side.EW, "winner_contradicts_score"),
        ((240, 42), POINTS, None, "score_short"),
        ((100, 100), POINTS, None, "score_no_winner"),
        ((-1, 250), POINTS, None, "score_unreachable"),
        ((2000, 0), POINTS, None, "score_unreachable"),
        ((252, 260), POINTS, None, "winner_needed"),
        ((252, 260), POINTS, Side.NS, Side.NS),
        ((252, 260), HIGHER, None, Side.EW),
        ((252, 252), HIGHER, None, "score_unreachable"),
        ((252, 260), PLAY_ON, None, "score_unreachable"),
        ((300, 270), PLAY_ON, None, Side.NS),
        ((45, 0), SHORT, None, Side.NS),
        ((1, 45), SHORT, None, "score_unreachable"),
        ((42, 45), SHORT, None, Side.EW),
    ],
)
def test_final_scores_of_games_in_points(score, rules, winner, expected):
    if isinstance(expected, Side):
        assert check_game_score(*score, rules, winner=winner) is expected
        assert possible_game_score(*score, rules)
    else:
        assert code_of(ImpossibleRecord, check_game_score, *score, rules, winner=winner) == expected


@pytest.mark.parametrize("rule", ["bidding_side", "higher", "play_on"])
def test_final_scores_in_points_are_those_that_some_game_reaches(rule):
    """Every game to 50 played out hand by hand."""
    rules = Ruleset(scoring="points", target=50, lowest_bid=39, both_past_target=rule)
    steps = [(bidder, *pair) for bidder, pair in bidder_scores()]
    ends, queue, seen = set(), [(0, 0, False)], {(0, 0, False)}
    while queue:
        ns, ew, passed = queue.pop()
        for bidder, one, other in steps:
            a, b = ns + one, ew + other
            ahead = None if a == b else Side.NS if a > b else Side.EW
            both = min(a, b) >= 50
            if max(a, b) < 50:
                state, winner = (a, b, False), None
            elif not both:
                state, winner = None, ahead
            elif rule == "bidding_side":
                state, winner = None, bidder
            else:
                state, winner = (a, b, True), ahead if rule == "higher" or passed else None
            if winner is not None:
                ends.add((a, b, winner))
            elif state not in seen and a + b < 2 * LIMIT:
                seen.add(state)
                queue.append(state)
    for ns in range(LIMIT):
        for ew in range(ns % 5, LIMIT, 5):
            told = {(ns, ew, side) for side in possible_ends(ns, ew, rules)}
            assert told == {end for side in Side if (end := (ns, ew, side)) in ends}, (ns, ew)
            assert is_open_total(ns, ew, rules) == ((ns, ew, False) in seen), (ns, ew)


LIMIT = 110


def bidder_scores():
    """What a hand can give, written from the guide for bids of 39 to 41 and 1 to 5 marks."""
    found = set()
    for bid in (39, 40, 41):
        found |= {(ours, 42 - ours) for ours in range(bid, 43)}
        found |= {(0, bid + theirs) for theirs in range(43 - bid, 43)}
    for marks in range(1, 6):
        found.add((42 * marks, 0))
        found |= {(0, 42 * marks + theirs) for theirs in range(1, 43)}
    return {(Side.NS, pair) for pair in found} | {(Side.EW, pair[::-1]) for pair in found}


def test_match_in_points_keeps_who_won_each_game():
    match = match_of(HIGHER, 3, [PerSide(252, 42), PerSide(12, 250)])
    assert (match.wins, match.is_decided) == (PerSide(1, 1), False)
    match = Match(POINTS, 1).record(PerSide(252, 260), winner=Side.NS)
    assert (match.final(), match.lost_last) == (Side.NS, Side.EW)
    assert game_winner(PerSide(252, 260), POINTS) is None
    assert game_winner(PerSide(252, 260), HIGHER) is Side.EW
    assert Match(POINTS, 3).record(near(POINTS, (Seat.E, 12, 30))).wins == PerSide(0, 1)


# Time.


@pytest.mark.parametrize(
    ("score", "rules", "winner", "expected"),
    [
        ((5, 3), STRAIGHT, None, Side.NS),
        ((0, 1), STRAIGHT, None, Side.EW),
        ((7, 4), STRAIGHT, None, Side.NS),
        ((11, 6), STRAIGHT, None, Side.NS),
        ((12, 6), STRAIGHT, None, "score_too_high"),
        ((-1, 6), STRAIGHT, None, "score_no_winner"),
        ((5, 3), STRAIGHT, Side.EW, "winner_contradicts_score"),
        ((5, 5), STRAIGHT, None, "score_tied"),
        ((5, 5), Ruleset(timed_tie="draw_domino"), None, "winner_needed"),
        ((5, 5), Ruleset(timed_tie="draw_domino"), Side.EW, Side.EW),
        ((5, 5), Ruleset(timed_tie="stands"), None, None),
        ((5, 5), Ruleset(timed_tie="stands"), Side.EW, "winner_contradicts_score"),
        ((7, 6), Ruleset(win_by_two=True), None, Side.NS),
        ((9, 9), Ruleset(win_by_two=True, timed_tie="stands"), None, None),
        ((9, 6), Ruleset(win_by_two=True), None, Side.NS),
        ((9, 7), Ruleset(win_by_two=True), None, Side.NS),
        ((120, 60), POINTS, None, Side.NS),
        ((1, 2), POINTS, None, "score_short"),
    ],
)
def test_timed_scores(score, rules, winner, expected):
    if isinstance(expected, str) and not isinstance(expected, Side):
        found = code_of(ImpossibleRecord, check_game_score, *score, rules, timed=True, winner=winner)
        assert found == expected
    else:
        assert check_game_score(*score, rules, timed=True, winner=winner) is expected
        assert possible_game_score(*score, rules, timed=True)


def test_untimed_scores_are_as_before_when_a_winner_is_named():
    assert check_game_score(7, 4, STRAIGHT, winner=Side.NS) is Side.NS
    assert code_of(ImpossibleRecord, check_game_score, 7, 4, STRAIGHT, winner=Side.EW) == (
        "winner_contradicts_score"
    )
    assert not possible_game_score(5, 5, STRAIGHT, timed=True)


def test_match_with_a_timed_game_and_a_tie_that_stands():
    rules = Ruleset(timed_tie="stands")
    match = Match(rules, 3).record(PerSide(5, 3), timed=True).record(PerSide(4, 4), timed=True)
    assert (match.wins, match.winners, match.lost_last) == (PerSide(1, 0), (Side.NS, None), None)
    assert match.record(PerSide(7, 0)).final() is Side.NS


def test_time_called_in_a_game():
    game = Game(STRAIGHT).record(HandResult(PerSide(2, 0)))
    assert game.time_called() is Side.NS
    level = game.record(HandResult(PerSide(0, 2)))
    assert code_of(ImpossibleRecord, level.time_called) == "score_tied"
    drawn = Game(Ruleset(timed_tie="draw_domino"), None, level.hands)
    assert drawn.time_called(Side.EW) is Side.EW
