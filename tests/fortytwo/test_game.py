import random

import pytest

from fortytwo import (
    SEATS,
    Game,
    Hand,
    HandResult,
    IllegalAction,
    ImpossibleRecord,
    Match,
    ParseError,
    PerSide,
    Ruleset,
    Seat,
    ShakeDraw,
    Side,
    capped,
    check_game_score,
    first_shake,
    game_winner,
    largest_winning_marks,
    match_of,
    parse_scores,
    possible_game_score,
)
from tests.fortytwo.helpers import EXAMPLE_DEAL, MADE_34, STRAIGHT, bid_hand, call_all, play_all

TWO_AHEAD = Ruleset(win_by_two=True)


def marks(text):
    """ "N1 E2 -" as hand results: a side's letter and its marks, or a hand thrown in."""
    table = {"N": Side.NS, "E": Side.EW}
    return [
        HandResult(PerSide()) if word == "-" else HandResult(PerSide.of(table[word[0]], int(word[1:])))
        for word in text.split()
    ]


def game_of(text, rules=STRAIGHT, first=Seat.N):
    game = Game(rules, first)
    for hand in marks(text):
        game = game.record(hand)
    return game


def code_of(kind, make, *args):
    with pytest.raises(kind) as caught:
        make(*args)
    return caught.value.code


def test_shake_rotates_after_every_hand_thrown_in_or_not():
    shakers = [game_of(text).shaker for text in ("", "N1", "N1 -", "N1 - E2", "N1 - E2 -")]
    assert shakers == [Seat.N, Seat.E, Seat.S, Seat.W, Seat.N]
    assert Game(STRAIGHT).shaker is None


def test_game_ends_at_seven_marks_and_keeps_the_raw_figure():
    game = game_of("N2 N2 N2 E5 E1")
    assert (game.score, game.winner, game.is_over) == (PerSide(6, 6), None, False)
    over = game.record(HandResult(PerSide(3, 0)))
    assert (over.score, over.winner, over.shaker) == (PerSide(9, 6), Side.NS, None)
    assert capped(over.score, STRAIGHT) == PerSide(7, 6)
    assert code_of(IllegalAction, over.record, HandResult(PerSide(1, 0))) == "game_over"


def test_game_records_closed_hands_of_the_right_shaker():
    hand = play_all(bid_hand("34 pass pass pass", "6", deal=EXAMPLE_DEAL), MADE_34)
    game = Game(STRAIGHT, Seat.W).record(hand)
    assert (game.score, game.shaker, game.hands[0].declarer) == (PerSide(1, 0), Seat.N, Seat.N)
    thrown = call_all(Hand.start(STRAIGHT, Seat.N), "pass pass pass pass")
    assert (game.record(thrown).score, game.record(thrown).shaker) == (PerSide(1, 0), Seat.E)
    assert code_of(IllegalAction, game.record, hand) == "wrong_shaker"
    assert code_of(IllegalAction, game.record, Hand.start(STRAIGHT, Seat.N)) == "hand_not_over"
    assert code_of(IllegalAction, game.record, HandResult(PerSide(6, 0))) == "marks_out_of_range"


def test_win_by_two_goes_on_at_seven_six():
    game = game_of("N5 N1 E5 E1 N1", TWO_AHEAD)
    assert (game.score, game.winner) == (PerSide(7, 6), None)
    assert game_winner(PerSide(8, 6), TWO_AHEAD) is Side.NS
    assert game_winner(PerSide(7, 7), TWO_AHEAD) is None


@pytest.mark.parametrize(
    ("score", "rules", "code"),
    [
        ((7, 0), STRAIGHT, None),
        ((7, 6), STRAIGHT, None),
        ((11, 6), STRAIGHT, None),
        ((4, 9), STRAIGHT, None),
        ((12, 6), STRAIGHT, "score_too_high"),
        ((7, 7), STRAIGHT, "score_no_winner"),
        ((7, -1), STRAIGHT, "score_no_winner"),
        ((6, 5), STRAIGHT, "score_short"),
        ((0, 0), STRAIGHT, "score_no_winner"),
        ((9, 7), STRAIGHT, "score_after_end"),
        ((7, 6), TWO_AHEAD, "score_no_winner"),
        ((8, 6), TWO_AHEAD, None),
        ((9, 7), TWO_AHEAD, None),
        ((7, 5), TWO_AHEAD, None),
        ((13, 7), TWO_AHEAD, None),
        ((14, 7), TWO_AHEAD, "score_too_high"),
        ((8, 0), Ruleset(target=3), "score_too_high"),
        ((14, 6), Ruleset(raise_limit=2), None),
        ((13, 6), Ruleset(plunge=True), None),
        ((14, 6), Ruleset(plunge=True), "score_too_high"),
    ],
)
def test_final_marks_of_a_game(score, rules, code):
    assert possible_game_score(*score, rules) == (code is None)
    if code is not None:
        assert code_of(ImpossibleRecord, check_game_score, *score, rules) == code
    else:
        assert check_game_score(*score, rules) is (Side.NS if score[0] > score[1] else Side.EW)


@pytest.mark.parametrize(
    "rules", [STRAIGHT, TWO_AHEAD, Ruleset(target=3), Ruleset(target=4, win_by_two=True)]
)
def test_possible_scores_are_those_that_some_game_reaches(rules):
    """Every game played out mark by mark, with every number of marks a hand can give."""
    limit = 12
    open_scores, reached = {(0, 0)}, set()
    while open_scores:
        ns, ew = open_scores.pop()
        for stake in range(1, 6):
            for score in ((ns + stake, ew), (ns, ew + stake)):
                if game_winner(PerSide(*score), rules):
                    reached.add(score)
                elif max(score) <= limit + 5:
                    open_scores.add(score)
    for ns in range(limit + 1):
        for ew in range(limit + 1):
            assert possible_game_score(ns, ew, rules) == ((ns, ew) in reached), (ns, ew)


def test_largest_winning_marks_follow_the_auction():
    assert largest_winning_marks(0, STRAIGHT) == 11
    assert largest_winning_marks(9, TWO_AHEAD) == 15


def test_scores_are_read_from_text():
    assert parse_scores("7-4,5-7, 7-3") == (PerSide(7, 4), PerSide(5, 7), PerSide(7, 3))
    for text in ("", "7", "7-4,", "7-4;5-7", "7--4", "a-b", "7-4-1", "1000-1", "²-1", None):
        assert code_of(ParseError, parse_scores, text) == "bad_score"


def test_match_is_decided_by_the_majority():
    match = match_of(STRAIGHT, 3, parse_scores("7-4"))
    assert (match.winner, match.wins, match.next_game(), match.needed) == (None, PerSide(1, 0), 2, 2)
    assert code_of(ImpossibleRecord, match.final) == "match_not_decided"
    decided = match.record(PerSide(7, 5))
    assert (decided.final(), decided.is_decided, decided.marks) == (Side.NS, True, PerSide(14, 9))
    assert code_of(IllegalAction, decided.next_game) == "match_decided"
    assert code_of(IllegalAction, decided.record, PerSide(7, 0)) == "match_decided"


def test_match_at_one_all_is_no_final():
    match = match_of(STRAIGHT, 3, parse_scores("7-4,5-7"))
    assert (match.is_decided, match.lost_last) == (False, Side.NS)
    assert code_of(ImpossibleRecord, match.final) == "match_not_decided"
    assert match.record(game_of("N2 N5")).final() is Side.NS


def test_match_refuses_impossible_games_and_lengths():
    assert Match(STRAIGHT, 1).lost_last is None
    assert code_of(ImpossibleRecord, Match(STRAIGHT, 3).record, game_of("N2")) == "score_short"
    assert Match(STRAIGHT, 3, (PerSide(3, 3),)).wins == PerSide()
    for count in (0, 2, -1, 101, "3", True):
        assert code_of(IllegalAction, Match, STRAIGHT, count) == "bad_best_of"


def test_first_shake_at_random_is_fair_and_repeatable():
    rng = random.Random(1)
    seen = [first_shake(STRAIGHT, rng).shaker for _ in range(400)]
    assert {seat: 70 < seen.count(seat) < 130 for seat in SEATS} == dict.fromkeys(SEATS, True)
    assert first_shake(STRAIGHT, random.Random(9)) == first_shake(STRAIGHT, random.Random(9))
    assert first_shake(STRAIGHT, random.Random(9)).rounds == ()


def test_high_domino_shakes_and_ties_draw_again():
    rules = Ruleset(first_shake="high_domino")
    draws = [first_shake(rules, random.Random(seed)) for seed in range(200)]
    assert {draw.shaker for draw in draws} == set(SEATS)
    assert any(len(draw.rounds) > 1 for draw in draws)
    for draw in draws:
        assert isinstance(draw, ShakeDraw)
        assert [seat for seat, _ in draw.rounds[0]] == list(SEATS)
        last = sorted(draw.rounds[-1], key=lambda drawn: drawn[1].pips)
        assert last[-1][0] is draw.shaker
        assert last[-1][1].pips > last[-2][1].pips


def test_losing_side_draws_from_game_two_on():
    rules = Ruleset(first_shake="high_domino", later_first_shake="losing_side_draws")
    assert len(first_shake(rules, random.Random(1)).rounds[0]) == 4
    later = {first_shake(rules, random.Random(seed), game=2, lost_last=Side.EW).shaker for seed in range(50)}
    assert later == {Seat.E, Seat.W}
    with pytest.raises(IllegalAction) as caught:
        first_shake(rules, random.Random(1), game=2)
    assert caught.value.code == "losing_side_needed"
