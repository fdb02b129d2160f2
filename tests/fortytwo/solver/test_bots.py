"""Bots call, name and play legally on what they may see, the same for the same seed, and better by class."""

import random

import pytest

from fortytwo import SEATS, Deal, Hand, Phase, Ruleset, Seat, preset
from fortytwo.solver import Club, Expert, Novice
from fortytwo.solver.judgement import expected_points, looks_clear, prospects
from fortytwo.solver.numbering import numbering
from fortytwo.suits import Trump, trick_rules
from fortytwo.tiles import mask_of
from tests.fortytwo.helpers import STRAIGHT, tiles

HOUSES = [
    STRAIGHT,
    Ruleset(all_pass="force_30", forced_special="nello", sevens=1, early_end="play_all"),
    Ruleset(all_pass="force_31", follow_me="off", doubles_trump="off", lowest_bid=31),
    Ruleset(scoring="points", target=250, small_end_opening=True, doubles_trump="must_follow_number"),
    *(preset(name).ruleset() for name in ("timpson", "lechner-house", "westfest", "straight-guide")),
]


def play_out(hand, bots):
    """Every move is checked by the hand, every bot sees its own view only."""
    while not hand.is_closed:
        seat = hand.to_act
        view, bot = hand.view_for(seat), bots[seat]
        if hand.phase is Phase.AUCTION:
            hand = hand.call(seat, bot.call(view))
        elif hand.phase is Phase.NAMING:
            hand = hand.name_trump(bot.name_trump(view), seat)
        else:
            hand = hand.play(seat, bot.play(view))
    return hand


def table_of(rules, seed, kinds):
    return {
        seat: kind(rules, random.Random(f"{seed} {seat}")) for seat, kind in zip(SEATS, kinds, strict=True)
    }


def small_expert(rules, rng):
    return Expert(rules, rng, worlds=2)


def test_bots_are_legal_on_random_hands():
    rng = random.Random(1)
    named = set()
    for number in range(200):
        rules = HOUSES[number % len(HOUSES)]
        kinds = rng.sample([Novice, Club, Club, small_expert if number % 2 else Novice], 4)
        hand = Hand.start(rules, rng.choice(SEATS), Deal.shuffled(rng))
        hand = play_out(hand, table_of(rules, number, kinds))
        assert hand.verify().ok
        named.add(hand.trump)
    assert len(named) > 9


@pytest.mark.parametrize("kind", [Novice, Club, small_expert])
def test_bots_same_seed_same_hand(kind):
    def play(seed):
        hand = Hand.start(STRAIGHT, Seat.N, Deal.shuffled(random.Random(2)))
        return play_out(hand, table_of(STRAIGHT, seed, [kind] * 4))

    first, again = play(1), play(1)
    assert (first.auction.calls, first.plays) == (again.auction.calls, again.plays)


def test_bots_depend_on_their_view_only():
    # Other tiles in the hidden holdings, same view: same choice.
    rng = random.Random(3)
    own = list(Deal.shuffled(rng).holding(Seat.N))
    calls = set()
    for seed in range(5):
        rest = [tile for seat in SEATS for tile in Deal.shuffled(random.Random(seed)).holding(seat)]
        rest = [tile for tile in rest if tile not in own]
        deal = {Seat.N: own, Seat.E: rest[:7], Seat.S: rest[7:14], Seat.W: rest[14:]}
        hand = Hand.start(STRAIGHT, Seat.W, deal)
        calls.add(Expert(STRAIGHT, random.Random(4), worlds=3).call(hand.view_for(Seat.N)))
    assert len(calls) == 1


def marks(north_south, east_west, deals, seed):
    """Marks of both kinds over duplicate deals, each played from both sides."""
    rng = random.Random(seed)
    taken = [0, 0]
    for number in range(deals):
        deal, shaker = Deal.shuffled(rng), rng.choice(SEATS)
        for swapped in (False, True):
            pair = (east_west, north_south) if swapped else (north_south, east_west)
            bots = table_of(STRAIGHT, f"{seed} {number} {swapped}", [*pair, *pair])
            hand = play_out(Hand.start(STRAIGHT, shaker, deal), bots)
            taken[swapped] += hand.marks.ns
            taken[not swapped] += hand.marks.ew
    return taken


def test_club_beats_novice():
    club, novice = marks(Club, Novice, 150, seed=5)
    assert club > 1.3 * novice


@pytest.mark.long
@pytest.mark.timeout(900)
def test_expert_beats_club():
    expert, club = marks(lambda rules, rng: Expert(rules, rng, worlds=8), Club, 150, seed=6)
    assert expert > 1.1 * club


def test_expected_points_grow_with_the_holding():
    def expected(text, trump):
        return expected_points(mask_of(tiles(text)), numbering(trick_rules(Trump.parse(trump), STRAIGHT)))

    assert expected("66 65 64 63 62 61 60", "6") > 41
    assert expected("66 65 64 55 44 30 21", "6") > expected("65 64 63 55 44 30 21", "6")
    assert expected("66 65 64 55 44 30 21", "6") > expected("66 65 64 54 43 30 21", "6")
    assert expected("66 55 44 33 22 11 00", "follow-me") == 42
    best = prospects(mask_of(tiles("55 54 53 52 11 00 61")), STRAIGHT, STRAIGHT_BID)[0]
    assert best.trump is Trump.FIVES


STRAIGHT_BID = Hand.start(STRAIGHT, Seat.N).legal_calls()[1]


def test_low_tiles_look_clear():
    assert looks_clear(mask_of(tiles("10 20 21 30 31 40 41")))
    assert not looks_clear(mask_of(tiles("66 65 64 63 62 61 60")))
