"""Following and winning: checksums, the naive engine, and positions that real programs got wrong."""

import pytest

from fortytwo import (
    TILES,
    IllegalAction,
    ParseError,
    Play,
    Ruleset,
    Seat,
    Tile,
    Trump,
    check_trick,
    legal_tiles,
    trick_rules,
)
from fortytwo.suits import no_trump_table
from tests.fortytwo import naive
from tests.fortytwo.helpers import STRAIGHT, tiles

CONTRACTS = {
    **{trump.value: (trick_rules(trump, STRAIGHT), 147, 182_916) for trump in list(Trump)[:7]},
    "doubles": (trick_rules(Trump.DOUBLES, STRAIGHT), 147, 169_596),
    "follow-me": (trick_rules(Trump.FOLLOW_ME, STRAIGHT), 168, 339_066),
    "doubles low": (no_trump_table("low"), 168, 303_156),
    "doubles own suit": (no_trump_table("own_suit"), 147, 334_236),
    "doubles reversed": (no_trump_table("own_suit_reversed"), 147, 334_236),
}


def legal(trump, led, holding, rules=STRAIGHT):
    table = trick_rules(Trump.parse(trump), rules)
    return " ".join(f"{t.high}{t.low}" for t in legal_tiles(table, Tile.parse(led), tiles(holding)))


def winner(trump, played, rules=STRAIGHT):
    table = trick_rules(Trump.parse(trump), rules)
    return played.split()[table.winner([tile.index for tile in tiles(played)])]


@pytest.mark.parametrize("name", CONTRACTS)
def test_follow_pairs_and_leader_wins_equal_the_published_checksums(name):
    table, pairs, leader_wins = CONTRACTS[name]
    follow = wins = 0
    for led in range(28):
        others = [tile for tile in range(28) if tile != led]
        follow += sum(1 for tile in others if table.denied_mask(led, tile) == 0)
        # The leader takes the trick when none of the other three beats its tile.
        beaten_by_led = sum(1 for tile in others if table.winner([led, tile]) == 0)
        wins += beaten_by_led * (beaten_by_led - 1) * (beaten_by_led - 2)
    assert (follow, wins) == (pairs, leader_wins)


@pytest.mark.parametrize("trump", naive.TRUMPS)
def test_every_two_tile_trick_equals_the_naive_engine(trump):
    table = trick_rules(Trump.parse(trump), STRAIGHT)
    for led in TILES:
        for tile in TILES:
            if tile is led:
                continue
            first, second = str(led), str(tile)
            follows = table.denied_mask(led.index, tile.index) == 0
            assert follows == naive.follows(second, first, trump), (first, second)
            takes = table.winner([led.index, tile.index]) == 1
            assert takes == naive.beats(second, first, first, trump), (first, second)
            suit = table.suit_name(led.index)
            assert (suit == "trumps") == naive.is_trump(first, trump)


@pytest.mark.parametrize(
    ("trump", "led", "holding", "expected"),
    [
        ("1", "22", "42 61 53", "42"),
        ("1", "54", "21 51 11 32 43 62 42", "21 51 11 32 43 62 42"),
        ("4", "42", "64 22 31", "64"),
        ("doubles", "66", "64 65 10", "64 65 10"),
        ("doubles", "66", "64 65 22", "22"),
        ("doubles", "65", "66 41 33", "66 41 33"),
        ("doubles", "65", "62 33 41", "62"),
        ("follow-me", "10", "00 21 60", "21"),
        ("3", "65", "63 54 11", "63 54 11"),
        ("5", "42", "64 54 31", "64"),
        ("5", "42", "65 54 31", "65 54 31"),
        ("5", "63", "53 33 61", "61"),
        ("0", "00", "11 60 61", "60"),
    ],
)
def test_legal_tiles_in_known_positions(trump, led, holding, expected):
    assert legal(trump, led, holding) == expected


@pytest.mark.parametrize(
    ("trump", "played", "expected"),
    [
        ("doubles", "65 66 62 41", "66"),
        ("3", "63 33 53 43", "33"),
        ("4", "55 54 64 53", "64"),
        ("follow-me", "43 64 44 63", "44"),
        ("follow-me", "43 64 63", "64"),
        ("6", "10 32 43 54", "10"),
        ("3", "65 63 66 55", "63"),
        ("3", "66 61 41 64", "66"),
        ("doubles", "00 11 55 66", "66"),
        ("3", "33 63 53 43", "33"),
        ("5", "65 55 54 51", "55"),
    ],
)
def test_winner_in_known_positions(trump, played, expected):
    assert winner(trump, played) == expected


@pytest.mark.parametrize(
    ("trump", "led", "order"),
    [
        ("3", "30", "33 63 53 43 32 31 30"),
        ("doubles", "00", "66 55 44 33 22 11 00"),
        ("3", "50", "33 63 53 43 32 31 30 55 65 54 52 51 50"),
        ("doubles", "60", "66 55 44 33 22 11 00 65 64 63 62 61 60"),
        ("5", "50", "55 65 54 53 52 51 50"),
        ("follow-me", "60", "66 65 64 63 62 61 60"),
    ],
)
def test_order_of_strength_is_that_of_the_guides(trump, led, order):
    table = trick_rules(Trump.parse(trump), STRAIGHT)
    power = table.power[Tile.parse(led).index]
    ranked = sorted((tile for tile in TILES if power[tile.index]), key=lambda tile: -power[tile.index])
    assert tuple(ranked) == tiles(order)


def test_doubles_trump_must_follow_number_calls_the_pip_of_a_led_double():
    rules = Ruleset(doubles_trump="must_follow_number")
    assert legal("doubles", "66", "64 65 10", rules) == "64 65"
    assert legal("doubles", "66", "64 65 22", rules) == "22"
    assert legal("doubles", "66", "54 10 21", rules) == "54 10 21"
    assert winner("doubles", "66 65 64 10", rules) == "66"
    table = trick_rules(Trump.DOUBLES, rules)
    led, six, other = (Tile.parse(text).index for text in ("66", "64", "10"))
    assert table.denied_mask(led, six) == table.follow[led]
    assert table.denied_mask(led, other) == table.follow[led] | table.fallback[led]


@pytest.mark.parametrize(
    ("doubles", "played", "expected"),
    [
        ("low", "66 60 65", "65"),
        ("low", "60 66 10", "60"),
        ("low", "00 66 11", "00"),
        ("own_suit", "33 31 44", "44"),
        ("own_suit", "31 33 50", "31"),
        ("own_suit_reversed", "33 31 44 00", "00"),
        ("high", "31 33 50", "33"),
    ],
)
def test_no_trump_forms_of_doubles(doubles, played, expected):
    assert winner("follow-me", played, Ruleset(follow_me_doubles=doubles)) == expected


def test_doubles_as_own_suit_are_followed_by_doubles_only():
    rules = Ruleset(follow_me_doubles="own_suit")
    assert legal("follow-me", "33", "31 32 50", rules) == "31 32 50"
    assert legal("follow-me", "31", "33 50", rules) == "33 50"
    assert legal("follow-me", "33", "31 00 50", rules) == "00"
    assert trick_rules(Trump.FOLLOW_ME, rules).suit_name(Tile.parse("33").index) == "doubles"


def test_leader_may_play_anything_and_a_led_tile_is_not_held():
    table = trick_rules(Trump.SIXES, STRAIGHT)
    assert legal_tiles(table, None, tiles("66 10")) == tiles("66 10")
    with pytest.raises(IllegalAction) as caught:
        legal_tiles(table, Tile.parse("66"), tiles("66 10"))
    assert caught.value.code == "tile_twice"


def test_whole_tricks_give_winner_and_points():
    def result(trump, text):
        """Winner and points, and whether the trick still says what it was made of."""
        trick = check_trick(trick_rules(Trump.parse(trump), STRAIGHT), [Play.parse(p) for p in text.split()])
        return (
            trick.winner,
            trick.points,
            (str(trick), f"{trick.leader}:{trick.led}") == (text, text.split()[0]),
        )

    assert result("3", "N:6-5 E:6-3 S:6-6 W:5-5") == (Seat.E, 11, True)
    assert result("6", "N:1-0 E:3-2 S:4-3 W:5-4") == (Seat.N, 6, True)
    assert result("3", "N:6-6 E:6-1 S:4-1 W:6-4") == (Seat.N, 16, True)
    assert result("5", "N:5-4 E:6-5 S:1-0 W:5-0") == (Seat.E, 6, True)


@pytest.mark.parametrize(
    ("text", "error", "code"),
    [
        ("N:65 E:63 S:66", IllegalAction, "trick_size"),
        ("N:65 E:63 S:66 W:65", IllegalAction, "tile_twice"),
        ("N:65 S:63 E:66 W:55", IllegalAction, "trick_order"),
        ("N:65 E63 S:66 W:55", ParseError, "bad_field"),
        ("N:65 E:99 S:66 W:55", ParseError, "bad_tile"),
        ("X:65 E:63 S:66 W:55", ParseError, "bad_seat"),
    ],
)
def test_impossible_tricks_are_refused(text, error, code):
    with pytest.raises(error) as caught:
        check_trick(trick_rules(Trump.THREES, STRAIGHT), [Play.parse(part) for part in text.split()])
    assert caught.value.code == code


def test_leader_wins_in_sevens_equal_the_published_checksum():
    table = trick_rules(Trump.SEVENS, STRAIGHT)
    wins = 0
    for led in range(28):
        below = sum(1 for tile in range(28) if tile != led and table.winner([led, tile]) == 0)
        wins += below * (below - 1) * (below - 2)
    assert wins == 165_360
