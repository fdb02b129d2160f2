"""42 notation: what is read, what is written, what is wrong with it."""

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
from fortytwo.notation import (
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
    seeds,
)
from tests.fortytwo.notation_files import EXAMPLE, GRAMMAR, file
from tests.fortytwo.test_variants_naive import SETS, special_hand

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
