"""`python -m tests.bench.claims [seconds]` measures claims: usual ones, and the worst that can be found.

Usual: CPU milliseconds of claims on every line at five tricks left or fewer, over random hands of all nine trumps,
by every search that is here. Worst: hill climbing over whole deals for so many seconds, by exchanging two tiles
of two seats as long as the claim of the first lead takes more work; then that claim is timed.
"""

import random
import sys
import time

from fortytwo import PLAIN_TRUMPS, SEATS, Call, Deal, Hand, Ruleset, Seat, make_contract
from fortytwo.claims import claim_every_line
from fortytwo.position import Position
from fortytwo.solver import CORES
from fortytwo.tiles import TILES
from tests.bench.solver import figures

HANDS = 600
MOST_TRICKS = 5
SECONDS = 20.0
SEED = 42
BIDS = [Call.parse(text) for text in ("30", "34", "42")]
PATIENCE = 25
"""Exchanges without gain before another deal is begun."""


def main(seconds=SECONDS):
    """Print a line for each search, then the worst claim."""
    positions = list(usual(random.Random(SEED)))
    for name in CORES:
        spent = [timed(position, name)[0] for position in positions]
        print(f"claims, {name}: at most {MOST_TRICKS} tricks left {figures(spent)}")
    worst, climbed = climb(random.Random(SEED), seconds)
    milliseconds, answer = timed(worst, None)
    print(
        f"claims: worst of {climbed} whole deals by hill climbing, {milliseconds:.0f} ms, "
        f"{answer.work:,} plays tried, {answer.verdict}"
    )


def usual(chance):
    """Random hands played at random to so many tricks left."""
    rules = Ruleset()
    for number in range(HANDS):
        hand = Hand.start(rules, Seat.W, Deal.shuffled(chance)).call(Seat.N, chance.choice(BIDS))
        for seat in (Seat.E, Seat.S, Seat.W):
            hand = hand.call(seat, Call.parse("pass"))
        hand = hand.name_trump(PLAIN_TRUMPS[number % len(PLAIN_TRUMPS)])
        left = 1 + number % MOST_TRICKS
        while hand.turn is not None and len(hand.tricks) < 7 - left:
            hand = hand.play(hand.turn, chance.choice(hand.legal_plays()))
        yield Position.of(hand)


def climb(chance, seconds):
    """The position whose claim took the most work, and how many deals were tried."""
    until = time.monotonic() + seconds
    worst, most, tried = None, -1, 0
    while time.monotonic() < until:
        contract = make_contract(Ruleset(), Seat.N, chance.choice(BIDS), chance.choice(PLAIN_TRUMPS))
        held, before, stuck = strong(chance, contract), -1, 0
        while stuck < PATIENCE and time.monotonic() < until:
            tiles = exchanged(chance, held) if before >= 0 else held
            position = Position(contract, tuple(sum(tile.mask for tile in one) for one in tiles), Seat.N)
            work = claim_every_line(position).work
            tried += 1
            stuck = 0 if work > before else stuck + 1
            if work >= before:
                held, before = tiles, work
            if work > most:
                worst, most = position, work
    return worst, tried


def strong(chance, contract):
    """A deal whose leader holds tiles that few can beat, as one who claims does."""
    by_strength = sorted(TILES, key=lambda tile: contract.tricks.beaters(tile.index).bit_count())
    own = chance.sample(by_strength[: chance.choice((8, 9, 10, 12, 16))], 7)
    rest = [tile for tile in TILES if tile not in own]
    chance.shuffle(rest)
    return [own, rest[:7], rest[7:14], rest[14:]]


def exchanged(chance, held):
    tiles = [list(one) for one in held]
    one, other = chance.sample(range(len(SEATS)), 2)
    first, second = chance.randrange(7), chance.randrange(7)
    tiles[one][first], tiles[other][second] = tiles[other][second], tiles[one][first]
    return tiles


def timed(position, name):
    started = time.process_time()
    answer = claim_every_line(position, backend=name)
    return 1000 * (time.process_time() - started), answer


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
