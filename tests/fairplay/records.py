"""Hands as a recorder at a live table writes them: honest ones, and ones with a single error or a renege.

The truth is a dealt hand. The record is what the engine takes with the deal hidden, so every record here could
have been stored. *Watched*: the recorder sees who plays, so a record whose turns are not those of the table
would have been noticed and is not made.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import fortytwo
from fortytwo import SEATS, Deal, Hand, Phase, Ruleset, Tile, Trump
from fortytwo.tiles import INDEX
from scoring.fairplay.facts import HandFacts

STRAIGHT = Ruleset()

Plays = list[tuple[fortytwo.Seat, Tile]]


class NotTakenError(Exception):
    """The engine, or the eye of the recorder, would have refused this record."""


def auction(rng: random.Random, rules: Ruleset = STRAIGHT) -> Hand:
    """A hand with a bid and a trump, nothing played, the deal known."""
    hand = Hand.start(rules, rng.choice(SEATS), Deal.shuffled(rng))
    while hand.phase is Phase.AUCTION:
        assert hand.to_act is not None
        hand = hand.call(hand.to_act, rng.choice(hand.legal_calls()))
    if hand.phase is Phase.THROWN_IN:
        return auction(rng, rules)
    return hand.name_trump(rng.choice(hand.legal_trumps()))


def play_out(hand: Hand, rng: random.Random, *, to_the_end: bool) -> Hand:
    """Legal tiles at random, to the last one or until the hand is settled."""
    while hand.turn is not None and (to_the_end or not hand.is_settled):
        hand = hand.play(hand.turn, rng.choice(hand.legal_plays()))
    return hand


def honest(rng: random.Random, *, to_the_end: bool) -> Hand:
    return play_out(auction(rng), rng, to_the_end=to_the_end)


def hidden(truth: Hand, *, trump: Trump | None = None) -> Hand:
    """The record of a hand before its first tile, its deal unknown."""
    record = Hand.start(truth.rules, truth.shaker)
    for seat, call in truth.auction.by_seat():
        record = record.call(seat, call)
    assert truth.trump is not None
    return record.name_trump(trump or truth.trump)


def written(record: Hand, plays: Plays, *, watched: bool = True) -> Hand:
    """The record with these tiles in order. Raises NotTakenError for one that would have been noticed."""
    for seat, tile in plays:
        if record.turn is None:
            break
        if watched and record.turn is not seat:
            raise NotTakenError
        try:
            record = record.play(record.turn, tile)
        except fortytwo.IllegalAction as error:
            raise NotTakenError from error
    return record


def plays_of(hand: Hand) -> Plays:
    return [(play.seat, play.tile) for play in hand.plays]


def without_deal(hand: Hand) -> Hand:
    """An honest record of the hand."""
    return written(hidden(hand), plays_of(hand))


def wrong_trump(hand: Hand, rng: random.Random) -> Hand:
    """Another trump was noted; the tiles are typed in order, whoever the program says is to play."""
    offered = [trump for trump in fortytwo.legal_trumps(hand.rules, hand.bid) if trump is not hand.trump]  # type: ignore[arg-type]
    return written(hidden(hand, trump=rng.choice(offered)), plays_of(hand), watched=False)


def typo(hand: Hand, rng: random.Random) -> Hand:
    """One tile was typed for another."""
    plays = plays_of(hand)
    at = rng.randrange(len(plays))
    others = [tile for tile in fortytwo.TILES if tile is not plays[at][1]]
    plays[at] = (plays[at][0], rng.choice(others))
    return written(hidden(hand), plays)


def swapped(hand: Hand, rng: random.Random) -> Hand:
    """Two tiles of one trick were typed the other way round."""
    plays = plays_of(hand)
    start = 4 * rng.randrange(len(plays) // 4)
    one, two = rng.sample(range(start, start + 4), 2)
    plays[one], plays[two] = (plays[one][0], plays[two][1]), (plays[two][0], plays[one][1])
    return written(hidden(hand), plays)


def wrong_leader(hand: Hand, rng: random.Random) -> Hand:
    """From some trick on another seat led than the winner of the trick before, and the table did not mind.

    Played on by the real holdings from there; the record gives the lead to the winner.
    """
    if len(hand.tricks) < 2:
        raise NotTakenError
    number = rng.randrange(1, len(hand.plays) // 4)
    plays = plays_of(hand)[: 4 * number]
    real = hand.tricks[number - 1].winner
    leader = rng.choice([seat for seat in SEATS if seat is not real])
    held = {seat: set(hand.deal.holding(seat) or ()) for seat in SEATS}
    for seat, tile in plays:
        held[seat].discard(tile)
    plays += _table_play(hand, held, leader, rng)
    return written(hidden(hand), plays, watched=False)


def renege(hand: Hand, rng: random.Random, *, to_the_end: bool) -> Hand:
    """Once, a seat that could follow does not; all else is legal. The record is what was played."""
    assert hand.contract is not None
    held = {seat: set(hand.deal.holding(seat) or ()) for seat in SEATS}
    plays: Plays = []
    record, done, tricks = hidden(hand), False, hand.contract.tricks
    while record.turn is not None and (to_the_end or not record.is_settled):
        seat = record.turn
        table = record.table
        legal = _legal(hand, held[seat], table[0].tile if table else None)
        wrong = sorted(held[seat] - set(legal))
        if wrong and not done and rng.random() < 0.3:
            tile, done = rng.choice(wrong), True
        else:
            tile = rng.choice(sorted(legal))
        held[seat].discard(tile)
        plays.append((seat, tile))
        record = record.play(seat, tile)
    if not done:
        raise NotTakenError
    assert tricks is not None
    return record


def _table_play(
    hand: Hand, held: dict[fortytwo.Seat, set[Tile]], leader: fortytwo.Seat, rng: random.Random
) -> Plays:
    """The rest of a hand at the table, led by `leader`, each seat playing legally from what it holds."""
    assert hand.contract is not None
    plays: Plays = []
    while held[leader]:
        trick: Plays = []
        for seat in leader.clockwise():
            legal = sorted(_legal(hand, held[seat], trick[0][1] if trick else None))
            tile = rng.choice(legal)
            held[seat].discard(tile)
            trick.append((seat, tile))
        leader = trick[hand.contract.tricks.winner([INDEX[tile] for _, tile in trick])][0]
        plays += trick
    return plays


def _legal(hand: Hand, held: set[Tile], led: Tile | None) -> list[Tile]:
    assert hand.contract is not None
    return list(fortytwo.legal_tiles(hand.contract.tricks, led, sorted(held)))


def facts(record: Hand, **more: object) -> HandFacts:
    """The record as detectors read it."""
    return HandFacts(
        **{  # type: ignore[arg-type]
            "id": "h",
            "match_id": "m",
            "match": "M1",
            "game": 1,
            "number": 1,
            "level": "full",
            "rules": record.rules,
            "marks": record.marks,
            "declarer": str(record.declarer or ""),
            "bid": str(record.bid or ""),
            "trump": str(record.trump or ""),
            "ending": {True: "made", False: "set", None: ""}[record.made],
            "points": record.points,
            "shaker": str(record.shaker),
            "played": record,
            **more,
        }
    )


ERRORS: dict[str, Callable[[random.Random, bool], Hand]] = {
    "wrong_trump": lambda rng, end: wrong_trump(honest(rng, to_the_end=end), rng),
    "tile_typo": lambda rng, end: typo(honest(rng, to_the_end=False), rng),
    "swapped_order": lambda rng, end: swapped(honest(rng, to_the_end=end), rng),
    "wrong_leader": lambda rng, end: wrong_leader(honest(rng, to_the_end=end), rng),
    "renege": lambda rng, end: renege(auction(rng), rng, to_the_end=end),
}


def injected(kind: str, rng: random.Random, *, to_the_end: bool) -> Hand:
    """A record with the error that the engine and the recorder's eye let through."""
    while True:
        try:
            return ERRORS[kind](rng, to_the_end)
        except NotTakenError:
            continue
