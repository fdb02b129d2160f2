"""42 notation: what contradicts the rules, or the rest of a file, and garbage."""

import contextlib
import json
import random
import re
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fortytwo import (
    Hand,
    ParseError,
    Ruleset,
    Seat,
)
from fortytwo.__main__ import main
from fortytwo.notation import (
    WrittenHand,
    check,
    hand_document,
    parse,
    write,
)
from tests.fortytwo.helpers import (
    EXAMPLE_DEAL,
    call_all,
    random_hand,
)
from tests.fortytwo.notation_files import EXAMPLE, FULL, file
from tests.fortytwo.test_variants_naive import special_hand


def problems(*lines):
    return [(problem.line, problem.code) for problem in check(parse(file(*lines)))]


def changed(old, new):
    """The full hand with one piece replaced."""
    assert old in FULL
    return FULL.replace(old, new)


# What contradicts itself.


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("E:6-1 S", "E:5-4 S", [(10, "must_follow")]),
        ("N:34 E:pass", "N:34 E:33", [(8, "call_not_higher")]),
        ("trump 6", "trump nello", [(9, "trump_not_offered")]),
        ("S:6-0 W:0-0 = N 1", "S:6-0 W:0-0 = S 1", [(10, "trick_differs")]),
        ("= N 16", "= N 15", [(12, "trick_differs")]),
        ("result made", "result set", [(14, "result_differs")]),
        ("made 1-0", "made 2-0", [(14, "result_differs")]),
        ("points 34-0", "points 33-1", [(14, "result_differs")]),
        ("tricks 4", "tricks 5", [(14, "result_differs")]),
        ("trump 6", "trump 6\nsits-out S", [(10, "sits_out_differs")]),
        ("deal N 6-6 6-5", "deal N 6-6 6-3", [(2, "tile_dealt_twice")]),
        ("deal N 6-6", "deal N 6-6 1-1 0-0 6-6", [(2, "holding_size")]),
        ("4. N:5-5 E:5-4 S:5-3 W:5-2 = N 11\n", "", [(13, "hand_not_over")]),
        (" W:5-2 = N 11", "", [(14, "hand_not_over")]),
        (" W:5-2 = N 11", " = N 11", [(13, "trick_differs"), (14, "hand_not_over")]),
        (" W:0-0 = N 1\n", "\n", [(11, "trick_open")]),
        ("result", "claim N made\nresult", [(14, "hand_not_in_play")]),
        ("4. N:5-5 E:5-4 S:5-3 W:5-2 = N 11", "claim N set", [(13, "claim_contradicts")]),
        ("4. N:5-5 E:5-4 S:5-3 W:5-2 = N 11", "claim E", [(13, "claim_not_on_lead")]),
    ],
)
def test_contradictions_of_a_hand_are_found_on_their_line(old, new, expected):
    assert problems(changed(old, new)) == expected


def test_sound_hand_has_no_problems():
    assert problems(FULL) == []
    assert problems(changed("deal E 6-3 6-1 5-4 3-0 2-0 1-1 1-0", "deal E ?")) == []
    assert problems(FULL.replace("result made 1-0 points 34-0 tricks 4", "")) == []


def test_renege_of_a_record_without_deal_is_found():
    lines = [line for line in FULL.splitlines() if not line.startswith("deal")]
    text = re.sub(" = N .*|result.*", "", "\n".join(lines))
    text = text.replace("E:6-1 S:6-0", "E:5-4 S:6-0").replace("E:5-4 S:5-3", "E:6-1 S:5-3")
    found = check(parse(file(text)))
    assert [(problem.code, problem.line) for problem in found] == [("renege", 6), ("renege", 8)]
    assert dict(found[0].facts)["proof"] == "6-3"


def test_false_plunge_is_found_at_its_call():
    lines = ["hand", "rules timpson", "shaker W", "calls N:plunge4 E:pass S:pass W:pass", "trump 6"]
    holdings = ["deal S 6-6 5-5 4-4 3-3 2-2 1-1 0-0", "deal N ?"]
    assert problems(*lines[:3], holdings[0], *lines[3:]) == [(6, "doubles_missing")]
    unknown = [
        *lines,
        *(f"{n + 1}. S:6-{n} W:5-{n} N:{t} E:3-{n}" for n, t in enumerate(("4-0", "4-1", "4-2"))),
    ]
    assert problems(*unknown) == []


def test_problems_as_json_say_where_they_are():
    document = parse(file("game", "shaker W", changed("made 1-0", "made 2-0").replace("hand 1", "hand")))
    (found,) = check(document)
    assert found.to_json() == {
        "line": 16,
        "game": 1,
        "hand": 1,
        "code": "result_differs",
        "what": "marks",
        "said": "2-0",
        "expected": "1-0",
        "message": "The marks of the hand are 1-0, not 2-0.",
    }


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["game", "hand", "result 2-0", "hand", "result 0-5", "score 2-5 timed"], []),
        (["game", "hand", "result 2-0", "score 3-0 timed"], [(5, "score_differs")]),
        (["game", "hand", "result 6-0"], [(4, "marks_out_of_range")]),
        (["game", "hand", "result 5-0", "hand", "result 2-0", "hand", "result 1-0"], [(7, "game_over")]),
        (["game", "score 7-4"], []),
        (["game", "score 6-4"], [(3, "score_short")]),
        (["game", "score 7-4 won EW"], [(3, "winner_contradicts_score")]),
        (["game 2", "score 7-4", "game 4", "score 7-3"], [(4, "number_differs")]),
        (["hand 5", "result 1-0", "hand", "result 1-0", "hand 7", "result 1-0"], []),
        (["hand 5", "result 1-0", "hand 5", "result 1-0"], [(4, "number_differs")]),
        (["match", "game 2", "score 7-4"], [(3, "number_differs")]),
        (["game", "shaker W", "hand", "shaker N", "result 1-0"], [(4, "wrong_shaker")]),
        (["game", "hand", "hand", "shaker N", "result 1-0", "score 7-0"], []),
        (
            [
                "game",
                "hand",
                "result 1-0",
                "hand",
                "shaker N",
                "result 1-0",
                "hand",
                "shaker N",
                "result 1-0",
            ],
            [(8, "wrong_shaker")],
        ),
        (["game", "ruling talk N one-mark 0-1", "hand", "result 2-0", "score 2-1 timed"], []),
        (["match", "best-of 2"], [(3, "bad_best_of")]),
        (["match", "best-of 3", "game", "score 7-4", "game", "score 7-5", "final 2-0"], []),
        (
            ["match", "best-of 3", "game", "score 7-4", "game", "score 4-7", "final 2-0"],
            [(8, "games_won_differ")],
        ),
        (["match", "best-of 1", "game", "score 7-4", "game", "score 7-5"], [(6, "match_decided")]),
        (["match", "best-of 3", "game", "score 6-4", "final 2-0"], [(5, "score_short")]),
        (["match", "game", "score 7-4", "final 1-0"], []),
        (["match", "best-of 3", "game", "hand", "result 1-0", "final 0-0"], []),
        (["hand", "bid N:34", "trump 5", "result made points 33-9"], [(5, "hand_impossible")]),
        (["hand", "bid N:34", "result made 1-0"], []),
        (["hand", "bid N:34", "ruling renege N hand-lost 0-1", "result made 0-1"], []),
        (["hand", "ruling talk N hand-lost 0-9", "result 0-9"], []),
        (["hand", "rules timpson", "result thrown-in"], [(4, "hand_without_marks")]),
        (["hand", "shaker W", "calls N:34", "ruling misdeal reshake", "result 1-0"], [(6, "hand_not_over")]),
        (["hand", "shaker W", "calls N:34", "ruling talk N hand-lost 0-1", "result 0-1"], []),
        (["game", "hand", "shaker W", "calls N:34", "ruling talk N hand-lost 0-1", "score 0-1 timed"], []),
    ],
)
def test_contradictions_of_games_and_matches_are_found(lines, expected):
    assert problems(*lines) == expected


# The command line, and garbage.


def run(capsys, *words):
    status = main(words)
    out, err = capsys.readouterr()
    return status, out, err


def test_command_verify_reads_notation(capsys, tmp_path):
    path = tmp_path / "match.42"
    path.write_text(EXAMPLE)
    assert run(capsys, "verify", str(path)) == (0, "Nothing is wrong with this file.\n", "")
    path.write_text(file(changed("= N 16", "= N 15")))
    status, out, _ = run(capsys, "verify", str(path))
    assert (status, out) == (1, "line 12: trick_differs: The trick goes to N 16, not to N 15.\n")
    status, out, _ = run(capsys, "verify", str(path), "--json")
    assert (status, json.loads(out)["findings"][0]["line"]) == (1, 12)
    path.write_text(file("hand", "shaker Q"))
    status, out, err = run(capsys, "verify", str(path))
    assert (status, out, err.split(":")[0]) == (1, "", "bad_notation")
    path.write_bytes(b"42 notation 1\nhand\n# \xff")
    status, _, err = run(capsys, "verify", str(path))
    assert err == "bad_notation: Line 3, column 1: it is not UTF-8.\n"


def test_false_plunge_shown_by_seven_tiles_is_found_at_its_call():
    hand = call_all(Hand.start(Ruleset(plunge=True), Seat.W), "pass plunge4 pass pass")
    hand = hand.name_trump(hand.legal_trumps()[6])
    held = {seat: list(tiles) for seat, tiles in EXAMPLE_DEAL.items()}
    while hand.turn is not None:
        mask = sum(tile.mask for tile in held[hand.turn])
        legal = hand.contract.tricks.legal_mask(mask, hand.table[0].led) if hand.table else mask
        tile = next(tile for tile in held[hand.turn] if tile.mask & legal)
        held[hand.turn].remove(tile)
        hand = hand.play(hand.turn, tile)
    document = parse(write(hand_document(WrittenHand(hand))))
    (found,) = check(document)
    calls = next(line for line in document.lines if "plunge4" in str(line.statement))
    assert (found.code, found.line) == ("false_special", calls.number)


PIECES = [
    *EXAMPLE.split(),
    *FULL.split(),
    "claim",
    "N",
    "order",
    "ruling",
    "renege",
    "?",
    '"',
    "\\",
    "#",
    "=",
]


def mutated(rng, text):
    """The text with a few characters, words or lines changed."""
    for _ in range(rng.randint(1, 4)):
        lines = text.split("\n")
        kind = rng.randrange(6)
        at = rng.randrange(len(text) + 1)
        if kind == 0:
            text = text[:at] + chr(rng.choice([rng.randrange(32, 127), rng.randrange(0x3000)])) + text[at:]
        elif kind == 1:
            text = text[:at] + text[at + rng.randint(1, 6) :]
        elif kind == 2:
            text = text[:at] + " " + rng.choice(PIECES) + " " + text[at:]
        elif kind == 3:
            lines.insert(rng.randrange(len(lines) + 1), rng.choice(lines))
            text = "\n".join(lines)
        elif kind == 4:
            del lines[rng.randrange(len(lines))]
            text = "\n".join(lines)
        else:
            words = text.split(" ")
            words[rng.randrange(len(words))] = rng.choice(PIECES)
            text = " ".join(words)
    return text


def check_mutations(seed, count):
    rng = random.Random(seed)
    bases = [EXAMPLE, file(FULL)]
    for switches in ({"nello": 1}, {"plunge": True}, {"sevens": 1}, {"small_end_opening": True}):
        bases.append(write(hand_document(WrittenHand(special_hand(rng, switches, 28)))))
    read, codes, lines_of_errors = 0, set(), set()
    for _ in range(count):
        text = mutated(rng, rng.choice(bases))
        try:
            document = parse(text)
        except ParseError as error:
            codes.add(error.code)
            lines_of_errors.add(1 <= error.facts["line"] <= text.count("\n") + 1)
            continue
        read += 1
        assert parse(write(document)) == document
        for problem in check(document):
            assert problem.message
    assert (codes, lines_of_errors) == ({"bad_notation"}, {True})
    assert read > count // 50


def test_mutated_files_end_with_a_document_or_a_coded_error():
    check_mutations("short", 3000)


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_100_000_mutated_files_end_with_a_document_or_a_coded_error():
    check_mutations("long", 100_000)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=80))
def test_any_text_ends_with_a_document_or_a_coded_error(text):
    for candidate in (text, file(text), file("hand", text)):
        with contextlib.suppress(ParseError):
            parse(candidate)


def test_documents_of_random_straight_hands_are_sound():
    for seed in range(10):
        hand = random_hand(random.Random(seed))
        assert check(hand_document(WrittenHand(hand, 1))) == ()


def test_module_verifies_standard_input():
    done = subprocess.run(
        [sys.executable, "-m", "fortytwo", "verify"],
        input=EXAMPLE.encode(),
        capture_output=True,
        timeout=30,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, b"Nothing is wrong with this file.\n")
