"""Counts of legal play and of auctions, pinned for every kind of contract.

The deal is the published one of the double-dummy table; the shorter counts are checked against the
naive rules, the longer ones are pinned.
"""

import pytest

from fortytwo import Hand, IllegalAction, Ruleset, Seat, Tile, parse_tiles, preset
from fortytwo.perft import count_auctions, count_lines
from tests.fortytwo import naive_variants
from tests.fortytwo.helpers import EXAMPLE_DEAL, STRAIGHT, bid_hand, play_all

DEAL = {
    Seat.E: parse_tiles("65 53 51 50 22 21 20"),
    Seat.S: parse_tiles("55 54 44 42 40 31 00"),
    Seat.W: parse_tiles("66 63 62 52 33 30 10"),
    Seat.N: parse_tiles("64 60 43 32 61 41 11"),
}
PINNED = {
    "0": ({}, (7, 17, 37, 82, 492, 1406, 3720, 14222, 71110)),
    "6": ({}, (7, 16, 30, 108, 648, 1820, 4558, 17890, 89450)),
    "doubles": ({}, (7, 15, 27, 73, 438, 1260, 2614, 10628, 53140)),
    "doubles, follow the number": (
        {"doubles_trump": "must_follow_number"},
        (7, 15, 27, 73, 438, 1245, 2466, 10260, 51300),
    ),
    "follow-me": ({}, (7, 16, 33, 111, 666, 2110, 5634, 23432, 117160)),
    "follow-me, low": ({"follow_me_doubles": "low"}, (7, 16, 33, 111, 666, 1619, 3372, 13062, 65310)),
    "follow-me, own suit": ({"follow_me_doubles": "own_suit"}, (7, 15, 27, 73, 438, 1060, 2078, 7404, 37020)),
    "nello": ({"nello": 1}, (7, 15, 47, 282, 575, 2024, 10120, 27162, 88926)),
    "nello, high": (
        {"nello": 1, "nello_doubles": "high"},
        (7, 16, 66, 396, 1000, 4067, 20335, 51281, 171248),
    ),
    "sevens": ({"sevens": 1}, (2, 4, 4, 8, 16, 16, 16, 16, 16)),
    "4, small end": ({"small_end_opening": True}, (13, 37, 76, 123, 738, 2979, 8476, 40125, 200625)),
}


def hand_of(name):
    named, _, _ = name.partition(",")
    bid = "42" if named in ("nello", "sevens") else "30"
    return bid_hand(
        f"{bid} pass pass pass",
        named,
        shaker=Seat.N,
        deal=DEAL,
        rules=Ruleset.from_switches(PINNED[name][0]),
    )


@pytest.mark.parametrize("name", PINNED)
def test_lines_are_as_pinned(name):
    hand = hand_of(name)
    assert count_lines(hand, 9) == PINNED[name][1]
    assert count_lines(hand, 3) == PINNED[name][1][:3]


@pytest.mark.parametrize("name", PINNED)
def test_lines_equal_the_naive_rules(name):
    switches, pinned = PINNED[name]
    hand = hand_of(name)
    rules = naive_variants.tricks_of(str(hand.trump), switches)
    held = {str(seat): [str(tile) for tile in tiles] for seat, tiles in DEAL.items()}
    found = [0] * 6
    walk(rules, held, "E", [], "W" if "nello" in name else None, "small" in name, 0, found)
    assert tuple(found) == pinned[:6]


def walk(rules, held, seat, table, out, declares, depth, found):
    if depth == len(found):
        return
    order = [one for one in "NESW" if one != out]
    ways = list(rules.legal(held[seat], table[0][1] if table else None))
    if declares and not depth:
        ways += [f"{tile}/{tile[2]}" for tile in ways if tile[0] != tile[2] and not rules.is_trump(tile)]
    found[depth] += len(ways)
    for way in ways:
        rest = {**held, seat: [tile for tile in held[seat] if tile != way[:3]]}
        now = [*table, (seat, way)]
        full = len(now) == len(order)
        turn = rules.winner(now) if full else order[(order.index(seat) + 1) % len(order)]
        walk(rules, rest, turn, [] if full else now, out, declares, depth + 1, found)


def test_lines_are_counted_from_any_place_to_the_last_tile():
    hand = play_all(bid_hand("30 pass pass pass", "6", deal=EXAMPLE_DEAL), "66 61 60 00 65 63")
    assert count_lines(hand, 1) == (len(hand.legal_plays()),)
    while len(hand.plays) < 24:
        hand = hand.play(hand.turn, hand.legal_plays()[0])
    assert count_lines(hand, 6) == (1, 1, 1, 1, 0, 0)
    while hand.turn is not None:
        hand = hand.play(hand.turn, hand.legal_plays()[0])
    assert count_lines(hand, 2) == (0, 0)


def test_lines_of_an_unfit_hand_are_refused():
    for hand, code in (
        (Hand.start(STRAIGHT, Seat.N, DEAL), "trump_not_named"),
        (bid_hand("30 pass pass pass", "6"), "deal_unknown"),
    ):
        with pytest.raises(IllegalAction) as caught:
            count_lines(hand, 3)
        assert caught.value.code == code


def test_a_declared_lead_counts_on():
    hand = hand_of("4, small end").play(Seat.E, Tile.parse("65"), 5)
    assert count_lines(hand, 1) == (len(hand.legal_plays()),)
    assert hand.legal_plays() == parse_tiles("55")


def test_auctions_are_as_published():
    counts = count_auctions(STRAIGHT)
    assert (sum(counts.values()), counts["none"]) == (3214, 1)
    assert [counts[bid] for bid in ("30", "41", "42", "84", "3m", "4m", "5m")] == [
        4,
        455,
        560,
        680,
        136,
        17,
        1,
    ]
    forced = count_auctions(Ruleset(all_pass="force_30"))
    assert (sum(forced.values()), "none" in forced) == (3213, False)


@pytest.mark.parametrize(
    ("rules", "total", "last"),
    [
        (preset("timpson").ruleset(), 4435, {"7m": 4, "plunge7": 4}),
        (Ruleset(raise_limit=2), 3564, {"8m": 1}),
        (Ruleset(opening_limit=3), 3911, {"6m": 1}),
        (preset("lechner-house").ruleset(), 7259, {"splash9": 1, "10m": 1}),
    ],
)
def test_auctions_of_house_rules_are_as_pinned(rules, total, last):
    counts = count_auctions(rules)
    assert sum(counts.values()) == total
    assert {bid: counts[bid] for bid in last} == last
    naive = [()]
    for _ in range(4):
        switches = rules.differences()
        naive = [(*calls, call) for calls in naive for call in naive_variants.calls_open(calls, switches)]
    assert len(naive) == total
