"""Hands that a claim ended, and the requests about claims and counts."""

import json

import pytest

from fortytwo import (
    Claimed,
    Game,
    Hand,
    HandRecord,
    IllegalAction,
    ParseError,
    PerSide,
    Phase,
    RecordedClaim,
    Ruleset,
    Seat,
    Tile,
    Verdict,
    claim,
    parse_tiles,
    recorded_claim,
)
from fortytwo.__main__ import main
from fortytwo.requests import answer, answer_line
from tests.fortytwo.helpers import EXAMPLE_DEAL, MADE_34, bid_hand, play_all

P13 = {
    "op": "claim",
    "trump": "6",
    "leader": "N",
    "deal": {"N": "66 11", "E": "65 40", "S": "20 30", "W": "50 42"},
    "bid": "42",
}


def hand_after(tricks, rules=None, deal=EXAMPLE_DEAL, bid="34"):
    hand = bid_hand(f"{bid} pass pass pass", "6", deal=deal, rules=rules or Ruleset())
    return play_all(hand, MADE_34[: 12 * tricks])


def refusal(move, *args, **named):
    with pytest.raises(IllegalAction) as caught:
        move(*args, **named)
    return caught.value.code


def test_accepted_claim_closes_the_hand_with_its_result():
    hand = hand_after(2)
    closed = claim(hand, Seat.N).close(hand)
    assert (closed.phase, closed.is_closed, closed.to_act, closed.made) == (Phase.SETTLED, True, None, True)
    assert (closed.settled_after, closed.marks, closed.points) == (2, PerSide(1, 0), PerSide(7, 0))
    assert closed.claimed == Claimed(Seat.N, True, PerSide(1, 0))
    assert Game(hand.rules, Seat.W).record(closed).score == PerSide(1, 0)
    assert closed.view_for(None).to_json()["claimed_by"] == "N"
    assert refusal(closed.end_by_claim, closed.claimed) == "hand_not_in_play"


def test_tiles_played_on_after_a_claim_change_nothing():
    hand = hand_after(2, Ruleset(early_end="play_all"))
    closed = claim(hand, Seat.N).close(hand)
    after = play_all(closed, MADE_34[24:])
    assert (after.marks, after.settled_after, after.phase) == (PerSide(1, 0), 2, Phase.SETTLED)
    while after.turn is not None:
        after = after.play(after.turn, after.legal_plays()[0])
    assert (after.marks, after.phase, after.claimed) == (PerSide(1, 0), Phase.COMPLETE, closed.claimed)
    assert HandRecord.of(after).replay() == after


def test_refused_and_undecided_claims_do_not_close_a_hand():
    hand = hand_after(1)
    assert refusal(claim(hand, Seat.N).close, hand) == "claim_refused"
    assert refusal(claim(hand, Seat.N, work=3).close, hand) == "claim_undecided"
    assert claim(hand, Seat.N, work=3).verdict is Verdict.UNDECIDED


def test_wrong_stated_order_loses_the_hand():
    rules = Ruleset(claim="stated_order")
    hand = hand_after(1, rules)
    order = parse_tiles("62 65 64 55 33 22")
    answer_ = claim(hand, Seat.N, order)
    assert (answer_.forfeits, answer_.lines[0][0].tile) == (True, Tile.parse("62"))
    lost = answer_.close(hand, order)
    assert (lost.made, lost.marks, lost.claimed.order) == (False, PerSide(0, 1), order)
    assert HandRecord.of(lost).replay() == lost


def test_claim_in_a_points_game_scores_both_totals():
    rules = Ruleset(scoring="points")
    hand = hand_after(2, rules)
    closed = claim(hand, Seat.N).close(hand)
    assert (closed.marks, closed.points) == (PerSide(42, 0), PerSide(7, 0))


def test_record_with_a_claim_round_trips_and_is_checked():
    hand = hand_after(2)
    closed = claim(hand, Seat.N).close(hand)
    record = HandRecord.of(closed)
    assert record.claim == RecordedClaim(Seat.N, 8, True)
    assert record.to_json()["claim"] == {"seat": "N", "after": 8, "made": True, "order": []}
    again = HandRecord.from_json(json.loads(json.dumps(record.to_json())))
    assert (again, again.replay()) == (record, closed)
    unsaid = HandRecord.from_json({**record.to_json(), "claim": {"seat": "N"}})
    assert unsaid.replay() == closed
    answered = answer({"op": "hand", **record.to_json()})
    assert (answered["claimed_by"], answered["marks"]) == ("N", {"NS": 1, "EW": 0})


def test_claims_of_a_table_are_taken_as_recorded_where_tiles_are_not_known():
    hand = hand_after(2, deal=None)
    closed = recorded_claim(hand, Seat.N, made=False)
    assert (closed.made, closed.marks, closed.is_closed) == (False, PerSide(0, 1), True)
    assert HandRecord.of(closed).replay() == closed
    assert refusal(recorded_claim, hand, Seat.N) == "deal_unknown"
    points = hand_after(2, Ruleset(scoring="points"), deal=None)
    assert refusal(recorded_claim, points, Seat.N, made=True) == "points_missing"
    marks = hand_after(2, Ruleset(scoring="points"), deal=None, bid="42")
    assert recorded_claim(marks, Seat.N, made=True).marks == PerSide(42, 0)


def test_recorded_claim_that_contradicts_the_tiles_is_refused():
    hand = hand_after(2)
    assert recorded_claim(hand, Seat.N, made=True).made
    assert refusal(recorded_claim, hand, Seat.N, made=False) == "claim_contradicts"
    assert refusal(recorded_claim, hand_after(1), Seat.N, made=True) == "claim_refused"
    assert refusal(recorded_claim, hand, Seat.E, made=True) == "claim_not_on_lead"
    lost = hand_after(1, Ruleset(claim="stated_order"))
    order = parse_tiles("62 65 64 55 33 22")
    assert refusal(recorded_claim, lost, Seat.N, order, made=True) == "claim_contradicts"


def test_claim_that_is_too_much_work_is_taken_as_recorded():
    hand = hand_after(1)
    assert recorded_claim(hand, Seat.N, made=True, work=3).made
    assert refusal(recorded_claim, hand, Seat.N, work=3) == "claim_undecided"


def test_claim_before_the_first_tile_is_kept_in_the_record():
    deal = {
        Seat.N: parse_tiles("66 65 64 63 62 61 60"),
        Seat.E: parse_tiles("55 54 53 52 51 50 44"),
        Seat.S: parse_tiles("43 42 41 40 33 32 31"),
    }
    hand = bid_hand("84 pass pass pass", "6", deal=deal)
    closed = claim(hand, Seat.N).close(hand)
    assert (closed.marks, closed.settled_after) == (PerSide(2, 0), 0)
    assert HandRecord.of(closed).replay() == closed


def code(request):
    return answer_line(json.dumps(request).encode())["error"]["code"]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"claim": []}, ParseError),
        ({"claim": {"seat": "N", "after": 99}}, ParseError),
        ({"claim": {"seat": "N", "after": True}}, ParseError),
        ({"claim": {"seat": "N", "made": "yes"}}, ParseError),
        ({"claim": {}}, ParseError),
    ],
)
def test_unreadable_claims_in_a_record(changes, expected):
    record = HandRecord.of(claim(hand_after(2), Seat.N).close(hand_after(2))).to_json()
    with pytest.raises(expected):
        HandRecord.from_json({**record, **changes})


# Requests.


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ({"meaning": "stated_order", "order": ["6-6", "1-1"]}, "accepted"),
        ({"meaning": "stated order", "order": "11 66"}, "refused"),
        ({"meaning": "every_line"}, "refused"),
        ({}, "refused"),
        ({"meaning": "claimer_knowledge"}, "refused"),
        ({"meaning": "claimer-knowledge", "cannot_hold": {"E": "50", "S": ["5-0"]}}, "refused"),
        ({"rules": "hallettsville", "order": ["6-6", "1-1"]}, "accepted"),
        ({"points": {"NS": 35, "EW": 0}}, "refused"),
        ({"bid": "30", "points": {"NS": 35, "EW": 0}}, "accepted"),
    ],
)
def test_claim_requests_on_a_position(changes, verdict):
    given = answer({**P13, **changes})
    assert (given["verdict"], given["accepted"]) == (verdict, verdict == "accepted")
    json.dumps(given)


def test_claim_request_shows_its_lines_only_when_asked():
    assert "lines" not in answer(P13)
    assert len(answer({**P13, "lines": True})["lines"]) == 2


def test_claim_request_in_nello():
    position = {
        "op": "claim",
        "trump": "nello",
        "leader": "E",
        "declarer": "N",
        "bid": "42",
        "rules": {"nello": 1},
        "deal": {"N": ["1-0"], "E": ["6-6"], "W": ["5-0"]},
    }
    assert answer(position)["made"] is True
    assert answer({**position, "deal": {"N": ["6-0"], "E": ["6-5"], "W": ["6-1"]}})["made"] is True
    assert answer({**position, "deal": {"N": ["6-5"], "E": ["6-4"], "W": ["6-1"]}})["made"] is False


def test_claim_request_after_some_tricks():
    deal = {str(seat): [str(tile) for tile in tiles] for seat, tiles in EXAMPLE_DEAL.items()}
    start = {"op": "claim", "trump": "6", "leader": "N", "bid": "34", "deal": deal}
    played = MADE_34[:23].split()
    for tricks in (played, MADE_34[:23], [MADE_34[:11], MADE_34[12:23]]):
        assert answer({**start, "tricks_so_far": tricks})["verdict"] == "accepted"
        knows = {**start, "tricks_so_far": tricks, "meaning": "claimer_knowledge"}
        assert answer(knows)["verdict"] == "accepted"
    assert answer({**start, "tricks_so_far": ["N:66 E:61 S:60 W:00"]})["verdict"] == "refused"
    assert code({**start, "tricks_so_far": ["66", "54"]}) == "must_follow"
    assert code({**start, "tricks_so_far": ["66"]}) == "trick_open"
    assert code({**start, "tricks_so_far": 5}) == "bad_field"
    left = {**start, "deal": P13["deal"], "points_so_far": {"NS": 35, "EW": 0}}
    assert answer(left)["verdict"] == "accepted"


def test_claim_request_on_a_record():
    record = {"op": "claim", **HandRecord(hand_after(1).rules, Seat.W, hand_after(1).deal).to_json()}
    record = {**record, "calls": ["34", "pass", "pass", "pass"], "trump": "6", "plays": MADE_34[:23]}
    assert answer(record)["verdict"] == "accepted"
    assert answer({**record, "meaning": "claimer_knowledge"})["verdict"] == "accepted"
    assert answer({**record, "meaning": "stated_order", "order": "64 62 55 33 22"})["accepted"]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"meaning": "hopefully"}, "bad_field"),
        ({"rules": {"claim": "off"}}, "claim_off"),
        ({"bid": "pass"}, "bid_is_pass"),
        ({"bid": "30"}, "missing_field"),
        ({"bid": None}, "bad_field"),
        ({"deal": {"N": "66", "E": "65 40", "S": "20 30", "W": "50 42"}}, "holding_size"),
        ({"deal": {"N": "", "E": "", "S": "", "W": ""}}, "holding_size"),
        ({"deal": {"N": "66 11", "E": "66 40", "S": "20 30", "W": "50 42"}}, "tile_dealt_twice"),
        ({"points": {"NS": 36, "EW": 0}}, "points_so_far_wrong"),
        ({"points": {"NS": 36}}, "missing_field"),
        ({"points": {"NS": 99, "EW": 0}}, "bad_field"),
        ({"points": {"NS": True, "EW": 0}}, "bad_field"),
        ({"points": 35}, "bad_field"),
        ({"trump": "nello"}, "trump_not_offered"),
        ({"meaning": "stated_order"}, "claim_order_wrong"),
        ({"meaning": "claimer_knowledge", "cannot_hold": {"E": "65"}}, "played_not_held"),
        ({"meaning": "claimer_knowledge", "cannot_hold": 5}, "bad_field"),
    ],
)
def test_impossible_claim_requests(changes, expected):
    assert code({**P13, **changes}) == expected


def test_perft_requests():
    auctions = answer({"op": "perft", "rules": {"all_pass": "force_30"}})
    assert (auctions["auctions"], auctions["by_bid"]["5m"]) == (3213, 1)
    hand = hand_after(1)
    record = HandRecord(hand.rules, Seat.W, hand.deal, hand.auction.by_seat(), hand.trump).to_json()
    assert len(answer({"op": "perft", **record, "tiles": 2})["lines"]) == 2
    assert len(answer({"op": "perft", **record})["lines"]) == 4
    assert code({"op": "perft", **record, "tiles": 0}) == "bad_field"
    assert code({"op": "perft", **record, "tiles": "4"}) == "bad_field"


def test_requests_know_the_special_contracts():
    nello = {"trump": "nello", "rules": {"nello": 1}}
    assert answer({"op": "legal", **nello, "led": "3-3", "holding": "31 32 50"})["legal"] == [
        "3-1",
        "3-2",
        "5-0",
    ]
    assert answer({"op": "trick", **nello, "plays": ["N:31", "E:32", "W:33"]}) == {"winner": "E", "points": 6}
    assert answer({"op": "legal", "trump": "sevens", "holding": "53 33 66"})["legal"] == ["5-3", "3-3"]
    assert answer({"op": "legal", "trump": "1", "led": "6-4/4", "holding": "42 66"})["legal"] == ["4-2"]
    assert code({"op": "legal", "trump": "1", "led": "6-4/3", "holding": "42 66"}) == "lead_suit_refused"


def test_live_hand_of_a_claim_is_not_revealed_before():
    hand = hand_after(2)
    assert refusal(hand.reveal) == "hand_in_progress"
    assert isinstance(hand, Hand)
    assert claim(hand, Seat.N).close(hand).reveal() == hand.deal


# The command line.


def run(capsys, *words):
    status = main(words)
    out, err = capsys.readouterr()
    return status, out, err


def test_command_claim(capsys, tmp_path):
    path = tmp_path / "position.json"
    path.write_text(json.dumps({name: value for name, value in P13.items() if name != "op"}))
    words = ["claim", str(path), "--meaning", "stated_order"]
    assert run(capsys, *words, "--order", "66 11") == (0, "The claim of N is accepted.\n", "")
    status, out, _ = run(capsys, *words, "--order", "11 66")
    assert out.splitlines()[0] == "The claim of N is refused. It loses the hand."
    assert out.splitlines()[1].startswith("N:1-1 E:6-5")
    status, out, _ = run(capsys, "claim", str(path), "--json")
    assert json.loads(out)["verdict"] == "refused"
    status, out, err = run(capsys, "claim", str(path), "--rules", '{"claim": "off"}')
    assert (status, out, err.split(":")[0]) == (1, "", "claim_off")


def test_command_perft(capsys, tmp_path):
    assert run(capsys, "perft", "--auctions") == (0, "3214 auctions\n", "")
    status, out, _ = run(capsys, "perft", "--auctions", "--json", "--rules", "austin-league")
    assert (status, json.loads(out)["auctions"]) == (0, 3213)
    hand = hand_after(1)
    record = HandRecord(hand.rules, Seat.W, hand.deal, hand.auction.by_seat(), hand.trump)
    path = tmp_path / "hand.json"
    path.write_text(json.dumps(record.to_json()))
    status, out, _ = run(capsys, "perft", str(path), "--tiles", "3")
    assert (status, len(out.split())) == (0, 3)
    assert run(capsys, "perft", str(path), "--tiles", "30")[2].startswith("bad_field")


def test_commands_and_requests_of_the_solver(capsys, tmp_path):
    deal = {str(seat): [str(tile) for tile in tiles] for seat, tiles in EXAMPLE_DEAL.items()}
    path = tmp_path / "deal.json"
    path.write_text(json.dumps({"trump": "6", "leader": "N", "deal": deal, "bid": "34"}))
    solved = answer({"op": "solve", "trump": "6", "leader": "N", "deal": deal})
    assert run(capsys, "solve", str(path))[1] == f"points {solved['points']}, made True\n"
    assert run(capsys, "solve", "--backend")[1].startswith(("compiled", "pure"))
    assert json.loads(run(capsys, "solve", "--backend", "--json")[1])["backend"] in ("compiled", "pure")
    assert json.loads(run(capsys, "par", str(path))[1])["par"]["N"]["6"] == solved["points"]
    assert json.loads(run(capsys, "bench", "--deals", "1", "--json")[1])["solves"] == 9
