"""Worlds: exactly those that fit, each once, and knowledge that grows with what is shown."""

import random
from itertools import permutations

import pytest

from fortytwo import SEATS, Deal, Hand, Phase, Ruleset, Seat, Tile
from fortytwo.solver.worlds import Knowledge, NoWorld, Worlds
from fortytwo.tiles import ALL_TILES, DOUBLES, INDEX
from tests.fortytwo.helpers import STRAIGHT, bid_hand, play_all, random_hand, tiles

PLAYED_OUT = 20


def every_world(knowledge):
    """All worlds, found by trying every order of the hidden tiles."""
    hidden = [1 << at for at in range(28) if knowledge.hidden >> at & 1]
    room = [
        7 - (held | gone).bit_count() for held, gone in zip(knowledge.placed, knowledge.played, strict=True)
    ]
    owners = [at for at in range(4) for _ in range(room[at])]
    found = set()
    for order in set(permutations(owners)):
        held = list(knowledge.placed)
        for tile, at in zip(hidden, order, strict=True):
            held[at] |= tile
        if fits(held, knowledge):
            found.add(tuple(held))
    return found


def fits(held, knowledge):
    for at in range(4):
        new = held[at] & ~knowledge.placed[at]
        if new & knowledge.barred[at]:
            return False
        if ((held[at] | knowledge.played[at]) & DOUBLES).bit_count() < knowledge.doubles[at]:
            return False
    return True


def test_every_world_comes_once():
    # Each world has one number, and numbers are drawn with the same chance: that is uniform.
    rng = random.Random(1)
    sizes = set()
    for _ in range(40):
        hand = random_hand(rng, tiles_played=rng.randint(PLAYED_OUT, 25))
        knowledge = Knowledge.of(hand.view_for(rng.choice(SEATS)), STRAIGHT)
        worlds = Worlds(knowledge)
        drawn = [worlds.at(number) for number in range(worlds.count)]
        assert len(set(drawn)) == len(drawn)
        assert set(drawn) == every_world(knowledge)
        sizes.add(len(drawn))
    assert len(sizes) > 5


def test_promised_doubles_come_once():
    knowledge = Knowledge(
        placed=(0, 0, 0, 0),
        played=tuple(
            sum(1 << INDEX[tile] for tile in tiles(text))
            for text in ("10 20 30 40 50", "60 21 31 41 51", "61 32 42 52 62", "43 53 63 54 64")
        ),
        doubles=(0, 2, 1, 0),
    )
    worlds = Worlds(knowledge)
    drawn = [worlds.at(number) for number in range(worlds.count)]
    assert len(set(drawn)) == len(drawn)
    assert set(drawn) == every_world(knowledge)


def test_draws_are_spread_evenly():
    hand = random_hand(random.Random(3), tiles_played=22)
    worlds = Worlds(Knowledge.of(hand.view_for(Seat.N), STRAIGHT))
    times = 200
    drawn = worlds.draws(random.Random(4), times * worlds.count)
    counts = [drawn.count(worlds.at(number)) for number in range(worlds.count)]
    spread = sum((count - times) ** 2 / times for count in counts)
    assert worlds.count > 10
    # Chi-square with count - 1 degrees of freedom, well under mean and five deviations.
    assert spread < worlds.count + 5 * (2 * worlds.count) ** 0.5


def test_same_seed_same_worlds():
    hand = random_hand(random.Random(5), tiles_played=9)
    worlds = Worlds(Knowledge.of(hand.view_for(Seat.S), STRAIGHT))
    assert worlds.draws(random.Random(7), 20) == worlds.draws(random.Random(7), 20)
    assert worlds.draws(random.Random(7), 20) != worlds.draws(random.Random(8), 20)


def test_true_deal_is_always_among_the_worlds():
    rng = random.Random(8)
    for _ in range(30):
        hand = random_hand(rng, tiles_played=rng.randint(0, 27))
        seat = rng.choice(SEATS)
        knowledge = Knowledge.of(hand.view_for(seat), STRAIGHT)
        true = [dealt & ~gone for dealt, gone in zip(hand.deal.masks, hand.played_masks, strict=True)]
        assert fits(true, knowledge)
        for world in Worlds(knowledge).draws(rng, 5):
            assert fits(world, knowledge)
            assert world[seat.number] == true[seat.number]
            assert sum(world) == sum(true)
            assert Worlds(knowledge).deal(world).is_known


def test_knowledge_is_what_the_view_shows():
    # North leads the 5-5 and east shows that it has no five.
    deal = {
        Seat.N: tiles("55 54 66 10 20 30 40"),
        Seat.E: tiles("44 33 22 11 00 64 63"),
        Seat.S: tiles("53 52 51 50 62 61 60"),
        Seat.W: tiles("65 43 42 41 32 31 21"),
    }
    hand = play_all(bid_hand("30 pass pass pass", "5", deal=deal), "55 44")
    knowledge = Knowledge.of(hand.view_for(Seat.S), STRAIGHT)
    fives = sum(1 << INDEX[tile] for tile in tiles("55 54 53 52 51 50 65"))
    assert knowledge.placed == (0, 0, hand.deal.masks[2], 0)
    assert knowledge.barred == (0, fives, 0, 0)
    assert knowledge.hidden.bit_count() == 28 - 2 - 7
    told = Knowledge.of(hand.view_for(Seat.S), STRAIGHT, {Seat.W: tiles("65 43")})
    assert all(
        world[3] & told.placed[3] == told.placed[3] for world in Worlds(told).draws(random.Random(1), 9)
    )
    # Who only watches sees no holding.
    assert Knowledge.of(hand.view_for(None), STRAIGHT).hidden.bit_count() == 26


def test_plunge_promises_four_doubles():
    rules = Ruleset(plunge=True)
    rng = random.Random(2)
    while True:
        hand = Hand.start(rules, Seat.W, Deal.shuffled(rng))
        special = [call for call in hand.legal_calls() if call.doubles]
        if special:
            break
    hand = hand.call(Seat.N, special[0])
    worlds = Worlds(Knowledge.of(hand.view_for(Seat.E), rules))
    assert all((world[0] & DOUBLES).bit_count() >= 4 for world in worlds.draws(rng, 50))


def test_who_sits_out_keeps_seven_hidden_tiles():
    hand = bid_hand(
        "42 pass pass pass", "nello", deal=Deal.shuffled(random.Random(3)), rules=Ruleset(nello=1)
    )
    worlds = Worlds(Knowledge.of(hand.view_for(Seat.E), hand.rules))
    assert [mask.bit_count() for mask in worlds.draw(random.Random(1))] == [7, 7, 7, 7]


def test_weights_change_the_chances_in_proportion():
    hand = random_hand(random.Random(6), tiles_played=8)
    worlds = Worlds(Knowledge.of(hand.view_for(Seat.N), STRAIGHT))
    tile = next(at for at in range(28) if worlds.draw(random.Random(1))[1] >> at & 1)

    def weight(world):
        return 1.0 if world[1] >> tile & 1 else 0.25

    def share(drawn):
        return sum(world[1] >> tile & 1 for world in drawn) / len(drawn)

    plain = share(worlds.draws(random.Random(2), 4000))
    weighted = share(worlds.draws(random.Random(2), 4000, weight))
    assert weighted == pytest.approx(plain / (plain + 0.25 * (1 - plain)), abs=0.04)
    assert worlds.draws(random.Random(2), 3, lambda world: 0.0) == []


def test_contradictions_leave_no_world():
    with pytest.raises(NoWorld):
        Worlds(Knowledge(placed=(0, 0, 0, 0), played=(0, 0, 0, 0), barred=(1, 1, 1, 1)))
    worlds = Worlds(Knowledge(placed=(0, 0, 0, 0), played=(0, 0, 0, 0)))
    assert worlds.count == 472_518_347_558_400
    with pytest.raises(IndexError):
        worlds.at(worlds.count)
    assert sum(worlds.at(worlds.count - 1)) == ALL_TILES


def test_knowledge_during_the_auction():
    hand = Hand.start(STRAIGHT, Seat.N, Deal.shuffled(random.Random(1)))
    assert hand.phase is Phase.AUCTION
    knowledge = Knowledge.of(hand.view_for(Seat.W), STRAIGHT)
    assert Worlds(knowledge).count == 399_072_960
    assert knowledge.hidden.bit_count() == 21


def test_tile_texts_cover_the_set():
    assert len({Tile.parse(f"{high}-{low}") for high in range(7) for low in range(high + 1)}) == 28
