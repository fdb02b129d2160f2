"""The engine: random full hands played move by move, and stored ones validated; by processor seconds, since
nothing else is waited for."""

from __future__ import annotations

import random
import time

from fortytwo import SEATS, Deal, Hand, Phase, Ruleset
from fortytwo.bulk import BulkHand, replay_many
from tests.bench.figures import Figure

DATABASES = ("",)
SECONDS = 2.0
SEED = 42
STORED = 2_000
GOAL = ">= 30000"


def measure() -> list[Figure]:
    """Hands and plays a second on one core."""
    chance = random.Random(SEED)
    played = plays = 0
    began = time.process_time()
    while (spent := time.process_time() - began) < SECONDS:
        hand = play_hand(Ruleset(), chance)
        plays += sum(len(trick.plays) for trick in hand.tricks) + len(hand.table)
        played += 1
    return [
        Figure("engine: random hands played, every call and tile checked", "/s", [played / spent]),
        Figure("engine: tiles played in them", "/s", [plays / spent]),
        Figure("engine: full hands validated", "/s", [validated(chance)], GOAL),
    ]


def play_hand(rules: Ruleset, chance: random.Random) -> Hand:
    """Deal, auction, trump and 28 tiles, each chosen at random among what is legal."""
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


def validated(chance: random.Random) -> float:
    """Hands a second through `replay_many`; every one of them is right, and is found to be."""
    rules = Ruleset()
    stored: list[BulkHand] = []
    while len(stored) < STORED:
        hand = play_hand(rules, chance)
        if hand.contract is not None and sum(len(trick.plays) for trick in hand.tricks) == 28:
            tiles = [play.tile.index for trick in hand.tricks for play in trick.plays]
            stored.append(BulkHand(hand.contract, hand.deal, tiles))
    times = 0
    began = time.process_time()
    while (spent := time.process_time() - began) < SECONDS:
        if any(isinstance(answer, Exception) for answer in replay_many(stored, rules)):
            raise AssertionError("a hand that was played by the rules was refused")
        times += 1
    return times * len(stored) / spent
