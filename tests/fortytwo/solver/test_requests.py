"""The operations solve, par and bench: shapes of answers, coded refusals."""

import pytest

from fortytwo import IllegalAction, ParseError
from fortytwo.solver.requests import bench, par, solve
from tests.fortytwo.solver.published import DEAL, PAR, TRUMPS

AT_FOURS = {"trump": "4", "leader": "N", "deal": DEAL}


def test_solve_gives_the_points_of_the_leaders_side():
    assert solve({"trump": "4", "leader": "E", "deal": DEAL}) == {"points": 0}
    assert solve(AT_FOURS) == {"points": 42}


def test_solve_with_bid_and_moves():
    answer = solve({**AT_FOURS, "trump": "0", "bid": "35", "moves": True})
    assert answer["points"] == 34
    assert answer["made"] is False
    assert set(answer["moves"]) == {"6-4", "6-1", "6-0", "4-3", "4-1", "3-2", "1-1"}
    assert max(answer["moves"].values()) == 34


def test_solve_after_some_tricks():
    played = [["N:4-1", "E:2-0", "S:4-4", "W:3-0"], ["S:4-2", "W:1-0"]]
    answer = solve({**AT_FOURS, "tricks_so_far": played, "to_play": "N", "moves": True})
    assert answer["points"] == 42
    assert set(answer["moves"]) == {"6-4", "4-3"}
    flat = [text for trick in played for text in trick]
    texts = " ".join(text[2:] for text in flat)
    for form in (flat, texts, [" ".join(trick) for trick in played]):
        assert solve({**AT_FOURS, "tricks_so_far": form}) == {"points": 42}


def test_solve_at_the_end_of_a_hand():
    played = best_line()
    answer = solve({**AT_FOURS, "tricks_so_far": played, "moves": True, "bid": "84"})
    assert answer == {"points": 42, "made": True, "moves": {}}


def best_line():
    """A line of best play to the last tile."""
    played = []
    while len(played) < 28:
        moves = solve({**AT_FOURS, "tricks_so_far": played, "moves": True})["moves"]
        played.append(max(moves, key=lambda tile: (moves[tile], tile)))
    return played


def test_solve_nello_and_sevens():
    assert solve({**AT_FOURS, "trump": "nello"}) == {"made": False}
    assert solve({**AT_FOURS, "trump": "sevens"}) == {"made": True}
    answer = solve({**AT_FOURS, "trump": "nello-low", "moves": True})
    assert set(answer["moves"].values()) == {False}


def test_solve_under_house_rules():
    number = solve({**AT_FOURS, "trump": "doubles", "rules": {"doubles_trump": "must_follow_number"}})
    assert number["points"] in range(43)
    assert solve({**AT_FOURS, "trump": "doubles"}) == {"points": 31}


@pytest.mark.parametrize(
    ("change", "kind", "code"),
    [
        ({"deal": {"N": DEAL["N"]}}, ParseError, "bad_field"),
        ({"trump": "7"}, ParseError, "bad_trump"),
        ({"leader": "X"}, ParseError, "bad_seat"),
        ({"moves": 1}, ParseError, "bad_field"),
        ({"bid": "pass"}, IllegalAction, "bid_is_pass"),
        ({"bid": "29.5"}, ParseError, "bad_call"),
        ({"tricks_so_far": ["6-5"]}, IllegalAction, "tile_not_held"),
        ({"tricks_so_far": ["4-1", "E:6-5", "4-4", "3-0"], "to_play": "E"}, IllegalAction, "out_of_turn"),
        ({"tricks_so_far": ["4-1", "S:4-4"]}, IllegalAction, "out_of_turn"),
        ({"tricks_so_far": ["4-1", "E:6-5", "S:3-1"]}, IllegalAction, "must_follow"),
        ({"tricks_so_far": 7}, ParseError, "bad_field"),
        ({"rules": {"nope": 1}}, ParseError, "unknown_switch"),
    ],
)
def test_solve_refusals(change, kind, code):
    with pytest.raises(kind) as caught:
        solve({**AT_FOURS, **change})
    assert caught.value.code == code


def test_missing_fields():
    for field in AT_FOURS:
        with pytest.raises(ParseError) as caught:
            solve({name: value for name, value in AT_FOURS.items() if name != field})
        assert caught.value.code == "missing_field"


def test_par_of_the_published_deal():
    answer = par({"deal": DEAL})
    assert set(answer) == {"par"}
    assert {seat: tuple(row[trump] for trump in TRUMPS) for seat, row in answer["par"].items()} == PAR
    special = par({"deal": DEAL, "rules": {"nello": 1, "sevens": 1}})["special"]
    assert special["N"] == {"nello": False, "sevens": True}


def test_par_needs_the_whole_deal():
    with pytest.raises(ParseError) as caught:
        par({"deal": {"N": DEAL["N"], "E": DEAL["E"]}})
    assert caught.value.facts["field"] == "deal"


def test_bench_measures_by_the_clock_it_is_given():
    ticks = iter(range(10_000))
    answer = bench({"deals": 1, "seed": 7}, clock=lambda: next(ticks) / 1000)
    assert answer["solves"] == 9
    assert answer["exact_ms"] == {"median": 1.0, "p95": 1.0}
    assert answer["made_at_34_ms"] == {"median": 1.0, "p95": 1.0}
    with pytest.raises(ParseError):
        bench({"deals": 0})
