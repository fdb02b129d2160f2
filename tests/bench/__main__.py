"""`python -m tests.bench` measures what the site's speed rests on and prints one line each.

Random full hands through the engine, and durable one-row commits on SQLite as the site sets it up.
"""

import random
import sqlite3
import tempfile
import time
from contextlib import closing
from pathlib import Path

from fortytwo import SEATS, Deal, Hand, Phase, Ruleset

SECONDS = 5.0
SEED = 42


def main() -> None:
    """Print every measurement."""
    print(f"engine: {hands_per_second():,.0f} random full hands a second, every call and tile checked")
    print(f"sqlite: {1000 / commits_per_second():.2f} ms for one durable commit")


def hands_per_second() -> float:
    """Deal, auction, trump and 28 tiles, each chosen at random among what is legal."""
    chance = random.Random(SEED)
    rules = Ruleset()
    played = 0
    started = time.perf_counter()
    while (spent := time.perf_counter() - started) < SECONDS:
        play_hand(rules, chance)
        played += 1
    return played / spent


def play_hand(rules: Ruleset, chance: random.Random) -> Hand:
    """One hand to its end."""
    hand = Hand.start(rules, chance.choice(SEATS), Deal.shuffled(chance))
    while True:
        seat = hand.to_act
        if hand.phase is Phase.AUCTION and seat is not None:
            hand = hand.call(seat, chance.choice(hand.legal_calls()))
        elif hand.phase is Phase.NAMING:
            hand = hand.name_trump(chance.choice(hand.legal_trumps()))
        elif hand.phase in (Phase.PLAY, Phase.SETTLED) and seat is not None:
            hand = hand.play(seat, chance.choice(hand.legal_plays()))
        else:
            return hand


def commits_per_second() -> float:
    """One row a transaction, write-ahead log, synchronous FULL."""
    with tempfile.TemporaryDirectory() as folder, closing(sqlite3.connect(Path(folder) / "bench")) as file:
        file.isolation_level = None
        file.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE t (x INTEGER)")
        written = 0
        started = time.perf_counter()
        while (spent := time.perf_counter() - started) < SECONDS / 5:
            file.execute("INSERT INTO t VALUES (1)")
            written += 1
    return written / spent


if __name__ == "__main__":
    main()
