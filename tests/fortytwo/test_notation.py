"""42 notation: what is read, what is written, what is wrong with it."""

import contextlib
import json
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fortytwo import (
    SEATS,
    Hand,
    HandResult,
    ParseError,
    PerSide,
    Ruleset,
    Seat,
    claim,
    parse_tiles,
    preset,
)
from fortytwo.__main__ import main
from fortytwo.notation import (
    HEADER,
    Document,
    Line,
    WrittenGame,
    WrittenHand,
    check,
    hand_document,
    level_of,
    match_document,
    parse,
    parts_of,
    record_of,
    result_of,
    statement_text,
    write,
)
from fortytwo.notation.document import TAGS, RulingLine, Section, Tag
from fortytwo.rulings import Effect, Offence
from tests.fortytwo.helpers import (
    EXAMPLE_DEAL,
    MADE_34,
    STRAIGHT,
    bid_hand,
    call_all,
    play_all,
    random_hand,
    seeds,
)
from tests.fortytwo.test_variants_naive import SETS, special_hand

PAGE = Path(__file__).parents[2] / "docs" / "notation.md"
EXAMPLE = re.search(r"```\n(42 notation.*?)```", PAGE.read_text(), re.S).group(1)
GRAMMAR = re.search(r"```ebnf\n(.*?)```", PAGE.read_text(), re.S).group(1)


def file(*lines):
    return "\n".join([HEADER, *lines]) + "\n"


FULL = """hand 1
shaker W
deal N 6-6 6-5 6-4 6-2 5-5 3-3 2-2
deal E 6-3 6-1 5-4 3-0 2-0 1-1 1-0
deal S 6-0 5-3 5-0 4-3 4-2 4-1 3-1
deal W 5-2 5-1 4-4 4-0 3-2 2-1 0-0
calls N:34 E:pass S:pass W:pass
trump 6
1. N:6-6 E:6-1 S:6-0 W:0-0 = N 1
2. N:6-5 E:6-3 S:5-0 W:2-1 = N 6
3. N:6-4 E:2-0 S:4-1 W:4-0 = N 16
4. N:5-5 E:5-4 S:5-3 W:5-2 = N 11
result made 1-0 points 34-0 tricks 4"""


def problems(*lines):
    return [(problem.line, problem.code) for problem in check(parse(file(*lines)))]


def changed(old, new):
    """The full hand with one piece replaced."""
    assert old in FULL
    return FULL.replace(old, new)


# Reading and writing.


def test_page_example_is_read_written_and_sound():
    document = parse(EXAMPLE)
    assert parse(write(document)) == document
    assert check(document) == ()
    (match,) = parts_of(document)
    hands = match.parts[0].parts
    assert [level_of(hand) for hand in hands] == ["full", "bid", "marks"]
    assert match.rules == preset("hallettsville").ruleset()
    assert record_of(hands[0]).replay().marks == PerSide(1, 0)
    assert result_of(hands[1]).marks == PerSide(1, 0)
    assert result_of(hands[2]).marks == PerSide(0, 2)


def test_page_lists_every_word_that_can_be_written():
    for word in (*TAGS, *(str(item).replace("_", "-") for item in (*Offence, *Effect))):
        assert f'"{word}"' in GRAMMAR


def test_canonical_text_is_written_back_to_the_letter():
    text = write(parse(EXAMPLE))
    assert write(parse(text)) == text
    assert text == EXAMPLE


def test_spaces_blank_lines_and_line_ends_mean_nothing():
    loose = "\ufeff\n" + EXAMPLE.replace("shaker W", "  shaker \t W ").replace("\n", "\r\n\n")
    assert parse(loose) == parse(EXAMPLE)


def test_texts_and_comments_are_kept():
    text = file("# alone", "hand  # beside # more", r'note "a \"b\" \\ c\nd # no comment"', "#")
    document = parse(text)
    assert document.lines == (
        Line(comment="alone"),
        Line(Section("hand"), "beside # more"),
        Line(Tag("note", 'a "b" \\ c\nd # no comment')),
        Line(comment=""),
    )
    assert parse(write(document)) == document
    assert write(document).splitlines()[-1] == "#"


def test_claim_ruling_and_score_round_trip():
    text = file(
        "match",
        "best-of 3",
        "game",
        "ruling talk N one-mark 0-1",
        "hand",
        "shaker W",
        "calls N:34 E:pass S:pass W:pass",
        "trump 6",
        "claim N order 6-6 6-5 made",
        'ruling renege E hand-lost 1-0 "seen" by "judge"',
        'ruling misdeal reshake by "judge"',
        "result set 1-0 points 3-2 tricks 1",
        "score 5-3 timed won NS",
        "game 2",
        "final 1-0",
    )
    document = parse(text)
    assert parse(write(document)) == document
    written = [statement_text(said) for said in document.statements]
    assert written == text.splitlines()[1:]


comments = st.none() | st.text(st.characters(blacklist_categories=("C", "Z")), max_size=12)
texts = st.text(max_size=20)


def random_level(rng, rules):
    """A hand in full, at bid level, or with marks only."""
    switches = rules.differences()
    hand = special_hand(rng, switches, rng.randrange(29))
    while rng.random() < 0.5 and not hand.is_closed:
        hand = hand.play(hand.turn, hand.legal_plays()[0])
    kind = rng.choice(["full", "full", "bid", "marks", "open"])
    if kind == "open":
        return Hand.start(rules, rng.choice(SEATS)), None
    if kind == "full" or not hand.is_closed:
        return hand, hand
    result = hand.result()
    return (result, None) if kind == "bid" else (HandResult(result.marks, result.shaker), None)


@settings(max_examples=120, deadline=None)
@given(rng=seeds, note=texts, comment=comments, name=st.sampled_from(sorted(SETS)))
def test_documents_of_random_matches_round_trip_exactly(rng, note, comment, name):
    rules = Ruleset.from_switches(SETS[name])
    games, hands = [], []
    for _ in range(rng.randrange(3)):
        made = [random_level(rng, rules) for _ in range(rng.randrange(3))]
        hands += [hand for _, hand in made if hand is not None]
        ruling = RulingLine(rng.choice(list(Offence)), rng.choice(list(Effect)), Seat.E, PerSide(1, 0), note)
        written = tuple(
            WrittenHand(hand, at, tags={"note": note}, rulings=(ruling,) * rng.randrange(2))
            for at, (hand, _) in enumerate(made, 1)
        )
        games.append(
            WrittenGame(written, rng.choice([None, Seat.N]), PerSide(rng.randrange(9), 4), rng.random() < 0.5)
        )
    document = match_document(rules, games, best_of=3, tags={"event": note}, won=PerSide(1, 1))
    document = Document((*document.lines, Line(comment=comment or "end")))
    text = write(document)
    assert parse(text) == document
    assert write(parse(text)) == text
    check(document)
    for hand in hands:
        alone = hand_document(WrittenHand(hand))
        (part,) = parts_of(parse(write(alone)))
        if hand.is_closed:
            assert record_of(part).replay() == hand
            assert check(alone) == ()


def test_hand_in_progress_is_written_without_its_deal():
    hand = play_all(bid_hand("34 pass pass pass", "6", deal=EXAMPLE_DEAL), "66 61")
    text = write(hand_document(WrittenHand(hand)))
    assert "deal N ?" in text
    assert "5-5" not in text
    assert "result" not in text
    closed = play_all(hand, MADE_34[6:])
    assert "deal N 6-6" in write(hand_document(WrittenHand(closed)))
    assert "deal N ?" in write(hand_document(WrittenHand(closed, show_deal=False)))
    assert check(hand_document(WrittenHand(closed, show_deal=False))) == ()


def test_hands_before_the_trump_and_thrown_in_are_written():
    start = Hand.start(STRAIGHT, Seat.W)
    assert "calls" not in write(hand_document(WrittenHand(start)))
    naming = call_all(start, "34 pass pass pass")
    assert write(hand_document(WrittenHand(naming))).endswith("calls N:34 E:pass S:pass W:pass\n")
    thrown = call_all(start, "pass pass pass pass")
    document = hand_document(WrittenHand(thrown))
    assert write(document).endswith("result thrown-in\n")
    assert check(document) == ()
    short = hand_document(WrittenHand(HandResult(PerSide(), Seat.N)), STRAIGHT)
    assert write(short).endswith("shaker N\nresult thrown-in\n")
    assert check(short) == ()


def test_rules_are_written_as_a_preset_or_as_differences():
    hand = bid_hand("34 pass pass pass", "6", rules=Ruleset(nello=1, plunge=True, opening_limit=None))
    text = write(hand_document(WrittenHand(hand)))
    assert "rules online-championship opening_limit=none nello=1 plunge=true\n" in text
    (part,) = parts_of(parse(text))
    assert part.rules == hand.rules
    timpson = bid_hand("34 pass pass pass", "6", rules=preset("timpson").ruleset())
    assert "rules timpson\n" in write(hand_document(WrittenHand(timpson)))


def test_claim_is_written_where_it_was_made():
    hand = play_all(bid_hand("34 pass pass pass", "6", deal=EXAMPLE_DEAL), MADE_34[:23])
    closed = claim(hand, Seat.N).close(hand)
    document = hand_document(WrittenHand(closed))
    assert write(document).splitlines()[-2:] == ["claim N made", "result made 1-0 points 7-0"]
    assert check(document) == ()
    stated = Ruleset(claim="stated_order")
    early = bid_hand("84 pass pass pass", "6", deal=EXAMPLE_DEAL, rules=stated)
    order = parse_tiles("62 66 65 64 55 33 22")
    lost = claim(early, Seat.N, order).close(early, order)
    document = hand_document(WrittenHand(lost))
    assert "claim N order 6-2 6-6 6-5 6-4 5-5 3-3 2-2 set" in write(document)
    assert check(document) == ()


def test_what_is_not_known_is_left_out():
    text = file("hand", "shaker W", "calls N:34", "claim N")
    assert write(parse(text)).splitlines()[-1] == "claim N"
    going_on = match_document(STRAIGHT, [WrittenGame((WrittenHand(HandResult(PerSide(1, 0))),))])
    assert [statement_text(said) for said in going_on.statements] == [
        "match",
        "rules online-championship",
        "game 1",
        "hand",
        "result 1-0",
    ]
    assert check(going_on) == ()


def test_ruling_changes_what_the_hand_gives():
    hand = play_all(bid_hand("34 pass pass pass", "6", deal=EXAMPLE_DEAL), MADE_34)
    ruling = RulingLine(Offence.RENEGE, Effect.HAND_LOST, Seat.N, PerSide(0, 1), "proved", "judge")
    game = WrittenGame((WrittenHand(hand, 1, rulings=(ruling,)),), Seat.W, PerSide(0, 1), timed=True)
    document = match_document(STRAIGHT, [game], best_of=1, won=PerSide(0, 1))
    assert check(document) == ()
    text = write(document)
    assert 'ruling renege N hand-lost 0-1 "proved" by "judge"\nresult made 0-1 points 34-0\n' in text


# What cannot be read.


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("", 1, 1),
        ("\n\n# nothing\n", 1, 1),
        ("42 notation 2", 1, 1),
        ("  hand", 1, 3),
        (file("shaker N"), 2, 1),
        (file("hand", "shaker"), 3, 7),
        (file("hand", "shaker X"), 3, 8),
        (file("hand", "shaker n"), 3, 8),
        (file("hand", 'shaker "N"'), 3, 8),
        (file("hand", "shaker N N"), 3, 10),
        (file("hand", "shuffler N"), 3, 1),
        (file("hand 0"), 2, 6),
        (file("hand 01"), 2, 6),
        (file("hand 10000"), 2, 6),
        (file("match 1"), 2, 7),
        (file("hand", "note open"), 3, 6),
        (file("hand", 'note "open'), 3, 6),
        (file("hand", 'note "a\\t"'), 3, 8),
        (file("hand", 'note "a"b'), 3, 9),
        (file("hand", "note \x07"), 3, 6),
        (file("hand", "rules"), 3, 6),
        (file("hand", "rules nowhere"), 3, 1),
        (file("hand", "rules timpson nello"), 3, 15),
        (file("hand", "rules timpson nello=9"), 3, 1),
        (file("hand", "rules timpson forced_special=nello nello=1"), 3, 1),
        (file("match", "best-of x"), 3, 9),
        (file("hand", "deal N"), 3, 7),
        (file("hand", "deal N 6-6 7-1"), 3, 12),
        (file("hand", "deal N 4-6"), 3, 8),
        (file("hand", "deal N ? 6-6"), 3, 10),
        (file("hand", "deal N ?", "deal N ?"), 4, 1),
        (file("hand", "shaker W", "calls"), 4, 6),
        (file("hand", "shaker W", "calls 34"), 4, 7),
        (file("hand", "shaker W", "calls N:1m"), 4, 7),
        (file("hand", "shaker W", "calls N:34 E:99"), 4, 12),
        (file("hand", "calls N:34"), 3, 1),
        (file("hand", "shaker W", "calls N:34", "bid N:34"), 5, 1),
        (file("hand", "trump 7"), 3, 7),
        (file("hand", "trump Sixes"), 3, 7),
        (file("hand", "1. N:6-6"), 3, 1),
        (file("hand", "shaker W", "calls N:34", "2. N:6-6"), 5, 1),
        (file("hand", "shaker W", "calls N:34", "1."), 5, 3),
        (file("hand", "shaker W", "calls N:34", "x. N:6-6"), 5, 1),
        (file("hand", "shaker W", "calls N:34", "1. N:66"), 5, 4),
        (file("hand", "shaker W", "calls N:34", "1. N6-6"), 5, 4),
        (file("hand", "shaker W", "calls N:34", "1. N:6-6 ="), 5, 11),
        (file("hand", "shaker W", "calls N:34", "1. N:6-6 = N"), 5, 13),
        (file("hand", "claim N"), 3, 1),
        (file("hand", "shaker W", "calls N:34", "claim N order"), 5, 14),
        (file("hand", "ruling"), 3, 7),
        (file("hand", "ruling mumbling N hand-lost"), 3, 8),
        (file("hand", "ruling renege N"), 3, 16),
        (file("hand", "ruling renege N hand-lost 1-0 by"), 3, 33),
        (file("hand", "result"), 3, 7),
        (file("hand", "result made 1"), 3, 13),
        (file("hand", "result made 1-x"), 3, 13),
        (file("hand", "result 1-0", "result 1-0"), 4, 1),
        (file("hand", "result 1-0", "shaker N"), 4, 1),
        (file("hand", "score 7-4"), 3, 1),
        (file("hand", "best-of 3"), 3, 1),
        (file("game", "score 7-4 won NORTH"), 3, 15),
        (file("game", "score 7-4", "hand"), 4, 1),
        (file("match", "final 1-0", "game"), 4, 1),
        (file("match", "match"), 3, 1),
        (file("match", "hand"), 3, 1),
        (file("hand", "game"), 3, 1),
        (file("game", "match"), 3, 1),
        (file("hand", "note", 'note "x"'), 3, 5),
        (file("hand", 'note "x"', 'note "y"'), 4, 1),
    ],
)
def test_unreadable_files_say_where(text, line, column):
    with pytest.raises(ParseError) as caught:
        parse(text)
    error = caught.value
    assert (error.code, error.facts["line"], error.facts["column"]) == ("bad_notation", line, column)
    assert error.message.startswith(f"Line {line}, column {column}: ")


def test_a_file_that_is_too_long_is_refused():
    with pytest.raises(ParseError) as caught:
        parse("#" * 1_000_001)
    assert caught.value.code == "bad_notation"


# What contradicts itself.


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("hand 1", "hand 2", [(2, "number_differs")]),
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
        (["game 2", "score 7-4"], [(2, "number_differs")]),
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
    check_mutations("short", 1500)


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
