"""The JSON front and the command line."""

import io
import json
import random
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fortytwo import HandRecord, IllegalAction, ParseError
from fortytwo.__main__ import main
from fortytwo.requests import answer, answer_line, hand_answer
from tests.fortytwo.helpers import EXAMPLE_DEAL, MADE_34, bid_hand, play_all, random_hand, seeds

RECORD = {
    "deal": {str(seat): [str(tile) for tile in tiles] for seat, tiles in EXAMPLE_DEAL.items()},
    "shaker": "W",
    "calls": ["34", "pass", "pass", "pass"],
    "trump": "6",
    "plays": MADE_34.split(),
}
HAND_ANSWER = {
    "declarer": "N",
    "bid": "34",
    "trump": "6",
    "points": {"NS": 34, "EW": 0},
    "made": True,
    "marks": {"NS": 1, "EW": 0},
    "tricks": [
        {"winner": "N", "points": 1},
        {"winner": "N", "points": 6},
        {"winner": "N", "points": 16},
        {"winner": "N", "points": 11},
    ],
    "settled_after": 4,
}


def code(request):
    line = request if isinstance(request, bytes) else json.dumps(request).encode()
    return answer_line(line)["error"]["code"]


def run(capsys, *words):
    status = main(words)
    out, err = capsys.readouterr()
    return status, out, err


def test_legal_and_trick_answer_in_the_published_shape():
    assert answer({"op": "legal", "trump": "3", "led": "6-5", "holding": ["6-3", "5-4", "1-1"]}) == {
        "legal": ["6-3", "5-4", "1-1"]
    }
    assert answer({"op": "legal", "trump": "3", "led": None, "holding": []}) == {"legal": []}
    assert answer({"op": "trick", "trump": "3", "plays": ["N:6-5", "E:6-3", "S:6-6", "W:5-5"]}) == {
        "winner": "E",
        "points": 11,
    }


def test_hand_answers_in_the_published_shape():
    assert answer({"op": "hand", **RECORD}) == HAND_ANSWER
    assert answer({"op": "replay", **RECORD}) == HAND_ANSWER


def test_hand_with_named_seats_unknown_deal_and_rules():
    named = {**RECORD, "deal": None, "calls": ["N:34", "E:pass", "S:pass", "W:pass"]}
    named["plays"] = ["N:66", "E:61", *RECORD["plays"][2:]]
    assert answer({"op": "hand", **named, "rules": "austin-league"}) == HAND_ANSWER
    assert answer({"op": "hand", **named, "rules": {"all_pass": "force_30"}}) == HAND_ANSWER


def test_unfinished_and_thrown_in_hands_answer_too():
    empty = {
        "declarer": None,
        "bid": None,
        "trump": None,
        "points": {"NS": 0, "EW": 0},
        "made": None,
        "marks": {"NS": 0, "EW": 0},
        "tricks": [],
        "settled_after": None,
    }
    assert answer({"op": "hand", "shaker": "N", "calls": ["pass"] * 4}) == empty
    assert answer({"op": "hand", "shaker": "N", "calls": []}) == empty


def test_verify_reports_findings_and_contradictions():
    assert answer({"op": "verify", **RECORD}) == {"ok": True, "complete": True, "findings": []}
    renege = {**RECORD, "deal": None, "plays": ["66", "54", "60", "00", "65", "61"]}
    found = answer({"op": "verify", **renege})
    assert (found["ok"], found["complete"], [item["code"] for item in found["findings"]]) == (
        False,
        False,
        ["renege"],
    )
    wrong = answer({"op": "verify", **RECORD, "plays": ["66", "54"]})
    assert (wrong["findings"][0]["code"], wrong["findings"][0]["number"]) == ("must_follow", 2)


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        (b"", "bad_json"),
        (b"   ", "bad_json"),
        (b"{", "bad_json"),
        (b"\xff\xfe", "bad_json"),
        (b"[" * 100_000, "bad_json"),
        (b'{"op": ' + b"9" * 5000 + b"}", "bad_json"),
        (b"null", "bad_field"),
        (b"[]", "bad_field"),
        (b"7", "bad_field"),
        (b'"legal"', "bad_field"),
        (b"NaN", "bad_field"),
        ({}, "missing_field"),
        ({"op": None}, "bad_field"),
        ({"op": "legall"}, "unknown_op"),
        ({"op": "legal"}, "missing_field"),
        ({"op": "legal", "trump": 3, "holding": []}, "bad_field"),
        ({"op": "legal", "trump": "7", "holding": []}, "bad_trump"),
        ({"op": "legal", "trump": "3", "holding": [6]}, "bad_field"),
        ({"op": "legal", "trump": "3", "holding": {"6-5": 1}}, "bad_field"),
        ({"op": "legal", "trump": "3", "holding": ["6-7"]}, "bad_tile"),
        ({"op": "legal", "trump": "3", "holding": ["66", "6-6"]}, "tile_twice"),
        ({"op": "legal", "trump": "3", "led": "66", "holding": ["66"]}, "tile_twice"),
        ({"op": "legal", "trump": "3", "led": 10**400, "holding": []}, "bad_field"),
        ({"op": "legal", "trump": "3", "holding": "66 65 64 63 62 61 60 55"}, "holding_too_large"),
        ({"op": "legal", "trump": "3", "holding": [], "rules": 5}, "bad_field"),
        ({"op": "legal", "trump": "3", "holding": [], "rules": "nowhere"}, "unknown_preset"),
        (
            {"op": "legal", "trump": "3", "holding": [], "rules": {"forced_special": "nello"}},
            "switches_clash",
        ),
        ({**RECORD, "op": "hand", "plays": ["66", "61/1"]}, "bad_field"),
        ({**RECORD, "op": "hand", "plays": ["66/7"]}, "bad_field"),
        ({**RECORD, "op": "hand", "plays": ["65/5"]}, "lead_suit_refused"),
        ({"op": "trick", "trump": "3", "plays": ["N:6-5"]}, "trick_size"),
        ({"op": "trick", "trump": "3", "plays": []}, "trick_size"),
        ({"op": "trick", "trump": "3", "plays": [None]}, "bad_field"),
        ({"op": "hand"}, "missing_field"),
        ({"op": "hand", "shaker": "N"}, "missing_field"),
        ({"op": "hand", "shaker": "Q", "calls": []}, "bad_seat"),
        ({"op": "hand", "shaker": "N", "calls": ["31", "30"]}, "call_not_higher"),
        ({"op": "hand", "shaker": "N", "calls": ["1e400"]}, "bad_call"),
        ({"op": "hand", "shaker": "N", "calls": ["30"], "trump": "3"}, "auction_open"),
        ({"op": "hand", "shaker": "N", "calls": ["pass"] * 5}, "auction_over"),
        ({"op": "hand", "shaker": "N", "calls": ["pass"] * 4, "plays": ["66"]}, "hand_thrown_in"),
        ({**RECORD, "op": "hand", "trump": None}, "trump_not_named"),
        ({**RECORD, "op": "hand", "plays": ["66", "63", "66"]}, "tile_played"),
        ({**RECORD, "op": "hand", "plays": ["E:66"]}, "out_of_turn"),
        ({**RECORD, "op": "hand", "deal": []}, "bad_field"),
        ({**RECORD, "op": "hand", "deal": {"N": 7}}, "bad_field"),
        ({**RECORD, "op": "hand", "deal": {"N": ["66"]}}, "holding_size"),
        ({**RECORD, "op": "hand", "deal": {"Z": []}}, "bad_seat"),
        ({**RECORD, "op": "hand", "deal": {"N": RECORD["deal"]["N"], "n": None}}, "bad_field"),
        ({**RECORD, "op": "hand", "deal": {"N": RECORD["deal"]["N"], "n": RECORD["deal"]["N"]}}, "bad_field"),
    ],
)
def test_garbage_gets_one_coded_answer(request_, expected):
    assert code(request_) == expected


def test_errors_of_a_record_say_which_call_or_play():
    error = answer_line(json.dumps({**RECORD, "op": "hand", "plays": ["66", "54"]}).encode())["error"]
    assert error == {
        "code": "must_follow",
        "seat": "E",
        "tile": "5-4",
        "led": "6-6",
        "suit": "trumps",
        "number": 2,
        "kind": "play",
        "message": "E must follow trumps, which was led with 6-6; 5-4 does not.",
    }


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from("NESW"),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)
FIELDS = ["op", "deal", "shaker", "calls", "trump", "plays", "led", "holding", "rules"]


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(["legal", "trick", "hand", "verify"]),
    st.dictionaries(st.sampled_from(FIELDS), json_values, max_size=4),
    st.booleans(),
)
def test_fuzzed_requests_never_fail_inside(op, changes, whole):
    base = {"op": op, "led": "65", "holding": "63 54", **(RECORD if whole else {})}
    given_back = answer_line(json.dumps({**base, **changes}).encode())
    assert given_back.get("error", {}).get("code") != "internal_error"
    json.dumps(given_back)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=60))
def test_fuzzed_bytes_never_fail_inside(line):
    assert answer_line(line)["error"]["code"] != "internal_error"


def test_a_fault_of_the_engine_is_one_coded_answer(monkeypatch):
    monkeypatch.setattr("fortytwo.requests.OPERATIONS", {"legal": lambda data: 1 // 0})
    assert answer_line(b'{"op": "legal"}')["error"]["code"] == "internal_error"


@settings(max_examples=60, deadline=None)
@given(seeds, st.booleans())
def test_record_round_trips_as_json(rng, known):
    hand = random_hand(rng, known=known)
    record = HandRecord.of(hand)
    again = HandRecord.from_json(json.loads(json.dumps(record.to_json())))
    assert again == record
    assert again.replay() == hand


def test_record_of_a_live_hand_is_refused_and_its_repr_shows_no_deal():
    live = play_all(bid_hand("34 pass pass pass", "6", deal=EXAMPLE_DEAL), "66")
    with pytest.raises(IllegalAction) as caught:
        HandRecord.of(live)
    assert caught.value.code == "hand_in_progress"
    assert repr(HandRecord.from_json(RECORD)) == "<HandRecord shaker=W calls=4 plays=16>"
    seatless = HandRecord.from_json(RECORD)
    assert HandRecord.from_json(seatless.to_json()) == seatless


def test_record_refuses_what_is_no_object():
    with pytest.raises(ParseError) as caught:
        HandRecord.from_json([])
    assert caught.value.code == "bad_field"


def test_command_legal(capsys):
    words = ["legal", "--trump", "3", "--led", "6-5", "--holding", "6-3 5-4 1-1"]
    assert run(capsys, *words, "--json") == (0, '{"legal": ["6-3", "5-4", "1-1"]}\n', "")
    assert run(capsys, *words) == (0, "6-3 5-4 1-1\n", "")


def test_command_trick(capsys):
    words = ["trick", "--trump", "3", "--plays", "N:6-5 E:6-3 S:6-6 W:5-5"]
    assert run(capsys, *words, "--json") == (0, '{"winner": "E", "points": 11}\n', "")
    assert run(capsys, *words) == (0, "E takes the trick: 11 points.\n", "")


def test_command_rules_takes_a_preset_or_switches(capsys):
    words = ["legal", "--trump", "doubles", "--led", "66", "--holding", "64 10", "--json"]
    switches = '{"doubles_trump": "must_follow_number"}'
    assert run(capsys, *words, "--rules", switches)[1] == '{"legal": ["6-4"]}\n'
    assert run(capsys, *words, "--rules", "n42pa")[1] == '{"legal": ["6-4", "1-0"]}\n'
    assert json.loads(run(capsys, *words, "--rules", "{")[1])["error"]["code"] == "bad_json"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["legal", "--trump", "9", "--holding", "66"], "bad_trump"),
        (["legal", "--trump", "3"], "bad_usage"),
        (["unheard-of"], "bad_usage"),
        ([], "bad_usage"),
        (["hand", "/nowhere/at/all.json"], "unreadable_file"),
        (["hand", "a\0b"], "unreadable_file"),
    ],
)
def test_command_errors_end_with_status_1_and_a_code(capsys, words, expected):
    status, out, err = run(capsys, *words, "--json")
    assert (status, json.loads(out)["error"]["code"], err) == (1, expected, "")
    status, out, err = run(capsys, *words)
    assert (status, out, err.split(":")[0]) == (1, "", expected)


def test_commands_on_a_record_file(capsys, tmp_path):
    path = tmp_path / "hand.json"
    path.write_text(json.dumps(RECORD))
    for command in ("hand", "replay"):
        status, out, _ = run(capsys, command, str(path), "--json")
        assert (status, json.loads(out)) == (0, HAND_ANSWER)
    said = "N bid 34, trump 6: made after trick 4; points NS 34, EW 0; marks NS 1, EW 0.\n"
    assert run(capsys, "hand", str(path)) == (0, said, "")
    assert run(capsys, "replay", str(path))[1].splitlines()[:2] == [
        "W shakes. Calls: N:34 E:pass S:pass W:pass",
        "1. N:6-6 E:6-1 S:6-0 W:0-0  N takes 1 point",
    ]
    assert run(capsys, "verify", str(path)) == (0, "Nothing is wrong with this hand.\n", "")
    path.write_text(json.dumps({**RECORD, "plays": ["66", "54"]}))
    status, out, _ = run(capsys, "verify", str(path))
    assert (status, out.split(":")[0]) == (1, "must_follow")
    assert json.loads(run(capsys, "hand", str(path), "--json")[1])["error"]["code"] == "must_follow"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"calls": ["pass"] * 4, "trump": None, "plays": []}, "Thrown in.\n"),
        ({"calls": [], "trump": None, "plays": []}, "The auction is still open.\n"),
        ({"trump": None, "plays": []}, "N bid 34, trump not named; points NS 0, EW 0; not settled.\n"),
        (
            {"calls": ["pass", "42", "pass", "pass"], "deal": None, "plays": ["66", "10", "20", "30"]},
            "E bid 42, trump 6; points NS 0, EW 1; not settled.\n",
        ),
        (
            {"calls": ["42", "pass", "pass", "pass"], "deal": None, "plays": ["00", "10", "66", "30"]},
            "N bid 42, trump 6; points NS 1, EW 0; not settled.\n",
        ),
        (
            {"calls": ["42", "pass", "pass", "pass"], "deal": None, "plays": ["00", "66", "10", "30"]},
            "N bid 42, trump 6: set after trick 1; points NS 0, EW 1; marks NS 0, EW 1.\n",
        ),
    ],
)
def test_command_hand_says_where_the_hand_stands(capsys, tmp_path, changes, said):
    path = tmp_path / "hand.json"
    path.write_text(json.dumps({**RECORD, **changes}))
    assert run(capsys, "hand", str(path)) == (0, said, "")


def test_command_replay_shows_the_open_trick(capsys, tmp_path):
    path = tmp_path / "hand.json"
    path.write_text(json.dumps({**RECORD, "plays": ["66", "61"]}))
    assert run(capsys, "replay", str(path))[1].splitlines()[1] == "1. N:6-6 E:6-1  ..."


class Stdin:
    """Standard input as bytes."""

    def __init__(self, text):
        self.buffer = io.BytesIO(text)


def test_command_batch_goes_on_after_errors(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", Stdin(b'{"op": "legal", "trump": "3", "holding": "66"}\n\n[]'))
    status, out, _ = run(capsys, "batch")
    first, second, third = map(json.loads, out.splitlines())
    assert (status, first) == (0, {"legal": ["6-6"]})
    assert (second["error"]["code"], third["error"]["code"]) == ("bad_json", "bad_field")


def test_command_batch_ends_quietly_when_its_reader_goes_away():
    request = b'{"op": "legal", "trump": "3", "holding": "66"}\n'
    batch = subprocess.Popen(
        [sys.executable, "-m", "fortytwo", "batch"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    batch.stdin.write(request)
    batch.stdin.flush()
    assert batch.stdout.readline() == b'{"legal": ["6-6"]}\n'
    batch.stdout.close()
    batch.stdin.write(request)
    batch.stdin.close()
    assert (batch.stderr.read(), batch.wait(timeout=30)) == (b"", 0)
    batch.stderr.close()


def test_deal_may_name_a_seat_without_tiles():
    deal = {"N": RECORD["deal"]["N"], "E": None}
    assert answer({"op": "hand", **RECORD, "deal": deal}) == HAND_ANSWER


def process(words, text):
    return subprocess.run(
        [sys.executable, "-m", "fortytwo", *words], input=text, capture_output=True, timeout=30, check=False
    )


def test_batch_answers_one_line_for_each_line():
    rng = random.Random(11)
    hands = [random_hand(rng) for _ in range(5)]
    lines = [json.dumps({"op": "hand", **HandRecord.of(hand).to_json()}).encode() for hand in hands]
    garbage = [b"", b"{", b"[]", b"\xff", b"[" * 50_000, b'{"op": 1}', b"9" * 6000]
    done = process(["batch"], b"\n".join([*lines, *garbage]) + b"\n")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert (done.returncode, done.stderr) == (0, b"")
    assert answers[:5] == [hand_answer(hand) for hand in hands]
    assert [item["error"]["code"] for item in answers[5:]] == [
        *["bad_json"] * 2,
        "bad_field",
        *["bad_json"] * 2,
        "bad_field",
        "bad_json",
    ]


def test_module_reads_standard_input_and_exits_with_its_status():
    good = process(["hand", "--json"], json.dumps(RECORD).encode())
    assert (good.returncode, json.loads(good.stdout)) == (0, HAND_ANSWER)
    bad = process(["verify", "--json", "-"], b"[]")
    assert (bad.returncode, json.loads(bad.stdout)["error"]["code"]) == (1, "bad_field")
