"""Innocent errors of recording that would make a contradicting record sound: all of them that survive.

Each is one small change of what was written: another trump, one tile, two tiles of a trick the other way
round, another leader. A change survives when nothing contradicts any more and, where the seats are kept as
recorded, whoever takes a trick still leads the next one. None of them is a verdict, and neither is their
absence.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from fortytwo import SEATS, FortyTwoError, Ruleset, legal_trumps, make_contract
from fortytwo.deal import Holdings
from fortytwo.tiles import ALL_TILES, BIT, TILES, tiles_of
from scoring.fairplay.replay import Line
from scoring.fairplay.types import Facts

WRONG_TRUMP = "wrong_trump"
TILE_TYPO = "tile_typo"
SWAPPED = "swapped_order"
WRONG_LEADER = "wrong_leader"
KINDS = (WRONG_TRUMP, SWAPPED, TILE_TYPO, WRONG_LEADER)
"""In the order in which they are shown: those that are made most easily first."""


@dataclass(frozen=True, slots=True)
class Change:
    """One change of the record, and the record with it."""

    kind: str
    facts: Facts
    line: Line


@dataclass(frozen=True, slots=True)
class Spots:
    """What a contradiction rests on: the places of its lead, of the play that did not follow and of the
    tile that could have, in the order of play; -1 where that tile was shown in a holding only."""

    lead: int
    play: int
    proof: int
    proof_tile: int
    seat: int


def spots_of(line: Line) -> tuple[Spots, ...]:
    """Where the contradictions of a record lie, in order of play."""
    place_of = {tile: place for place, tile in enumerate(line.tiles)}
    found = []
    for renege in line.reneges():
        play = place_of[renege.played.index]
        proof = place_of[renege.proof.index] if renege.proof_trick else -1
        found.append(Spots(play - play % line.size, play, proof, renege.proof.index, renege.seat.number))
    return tuple(found)


def changes(line: Line, rules: Ruleset, *, forced: bool = False) -> Iterator[Change]:
    """Every change that could concern a contradiction of this record, sound or not. `forced`: the shaker
    had to bid, which may offer other trumps."""
    spots = spots_of(line)
    yield from _trumps(line, rules, forced=forced)
    yield from _swaps(line, spots)
    yield from _typos(line, spots)
    yield from _leaders(line, spots)


def surviving(line: Line, rules: Ruleset, *, forced: bool = False) -> tuple[Change, ...]:
    """The changes after which nothing contradicts."""
    return tuple(change for change in changes(line, rules, forced=forced) if change.line.is_sound())


def in_part(line: Line, rules: Ruleset, *, forced: bool = False) -> tuple[tuple[Change, frozenset[int]], ...]:
    """Changes that take away some contradictions of several and add none, with the places of the plays
    that they explain. Slower: every change goes through the engine."""
    before = {spot.play for spot in spots_of(line)}
    found = []
    for change in changes(line, rules, forced=forced):
        after = {spot.play for spot in spots_of(change.line)}
        if after < before:
            found.append((change, frozenset(before - after)))
    return tuple(found)


def _trumps(line: Line, rules: Ruleset, *, forced: bool) -> Iterator[Change]:
    """Another trump was named. Whoever types tiles in order is given the seats by the wrong trump's
    winners, so the seats are worked out anew."""
    contract = line.contract
    for trump in legal_trumps(rules, contract.bid, forced=forced):
        if trump is contract.trump:
            continue
        try:
            other = make_contract(rules, contract.declarer, contract.bid, trump, forced=forced)
        except FortyTwoError:
            continue
        if other.seats != contract.seats:
            continue
        changed = line.led_by(other.leader.number, contract=other)
        facts: Facts = {"trump": str(trump), "seats_stay": changed.seats == line.seats}
        yield Change(WRONG_TRUMP, facts, changed)


def _swaps(line: Line, spots: tuple[Spots, ...]) -> Iterator[Change]:
    """Two tiles of one trick were written the other way round."""
    for number in _tricks(line, spots):
        start = number * line.size
        for one, two in combinations(range(start, min(start + line.size, len(line.tiles))), 2):
            changed = line.with_tiles([(one, line.tiles[two]), (two, line.tiles[one])])
            if changed.chain_holds():
                facts: Facts = {
                    "trick": number + 1,
                    "tiles": [_tile(line.tiles[one]), _tile(line.tiles[two])],
                    "seats": [_seat(line.seats[one]), _seat(line.seats[two])],
                }
                yield Change(SWAPPED, facts, changed)


def _typos(line: Line, spots: tuple[Spots, ...]) -> Iterator[Change]:
    """One tile was written for another that nobody is known to have."""
    free = ALL_TILES
    for tile in line.tiles:
        free &= ~BIT[tile]
    for mask in line.holdings:
        free &= ~(mask or 0)
    for place in sorted({place for spot in spots for place in (spot.lead, spot.play, spot.proof)} - {-1}):
        yield from _played_otherwise(line, place, free)
    for spot in spots:
        if spot.proof < 0:
            yield from _held_otherwise(line, spot, free)


def _played_otherwise(line: Line, place: int, free: int) -> Iterator[Change]:
    if line.holdings[line.seats[place]] is not None:
        return
    wrong = line.tiles[place]
    for right in sorted((tile.index for tile in tiles_of(free)), key=lambda tile: _unlike(wrong, tile)):
        changed = line.with_tiles([(place, right)])
        if changed.chain_holds():
            facts: Facts = {
                "trick": place // line.size + 1,
                "seat": _seat(line.seats[place]),
                "written": _tile(wrong),
                "instead": _tile(right),
                "alike": _unlike(wrong, right) < FAR,
            }
            yield Change(TILE_TYPO, facts, changed)


def _held_otherwise(line: Line, spot: Spots, free: int) -> Iterator[Change]:
    """The tile that could have followed stands in a holding that was written afterwards: it may be another
    seat's, or a tile that nobody is known to have."""
    wrong = spot.proof_tile
    for seat, mask in enumerate(line.holdings):
        rest = free if seat == spot.seat else 0 if mask is None else mask & ~_played(line, seat)
        for right in tiles_of(rest):
            holdings = _exchange(line.holdings, spot.seat, seat, wrong, right.index)
            if holdings is not None:
                facts: Facts = {
                    "trick": 0,
                    "seat": _seat(spot.seat),
                    "written": _tile(wrong),
                    "instead": str(right),
                    "other": _seat(seat) if seat != spot.seat else "",
                    "alike": _unlike(wrong, right.index) < FAR,
                }
                yield Change(TILE_TYPO, facts, line.with_tiles([], holdings))


def _leaders(line: Line, spots: tuple[Spots, ...]) -> Iterator[Change]:
    """A trick was written from the wrong seat on: that trick alone, or it and all that follow."""
    last = max(max(spot.play, spot.proof) for spot in spots) // line.size if spots else -1
    for number in _tricks(line, spots):
        yield from _turned(line, number)
    for number in range(last + 1):
        leader = line.seats[number * line.size]
        for seat in line.contract.seats:
            if seat.number != leader:
                facts: Facts = {"trick": number + 1, "leader": str(seat), "rest": True}
                yield Change(WRONG_LEADER, facts, line.led_by(seat.number, trick=number))


def _turned(line: Line, number: int) -> Iterator[Change]:
    """One whole trick written from another seat on; its leader and the next one stay."""
    start, size = number * line.size, line.size
    tiles = line.tiles[start : start + size]
    if len(tiles) < size:
        return
    for by in range(1, size):
        turned = [(start + (place + by) % size, tile) for place, tile in enumerate(tiles)]
        changed = line.with_tiles(turned)
        if changed.chain_holds():
            facts: Facts = {
                "trick": number + 1,
                "leader": _seat(line.seats[start + by]),
                "rest": False,
            }
            yield Change(WRONG_LEADER, facts, changed)


FAR = 2
"""How unlike two tiles are that share no number."""


def _unlike(one: int, two: int) -> int:
    """0 for one number off by one, 1 for another tile with a common number, 2 for no common number."""
    first, second = TILES[one], TILES[two]
    common = {first.high, first.low} & {second.high, second.low}
    if not common:
        return FAR
    return 0 if abs(first.pips - second.pips) == 1 else 1


def _tricks(line: Line, spots: tuple[Spots, ...]) -> list[int]:
    """The tricks in which a change of order can matter."""
    places = {place for spot in spots for place in (spot.play, spot.proof)} - {-1}
    return sorted({place // line.size for place in places})


def _played(line: Line, seat: int) -> int:
    return sum(BIT[tile] for at, tile in zip(line.seats, line.tiles, strict=True) if at == seat)


def _exchange(holdings: Holdings, seat: int, other: int, wrong: int, right: int) -> Holdings | None:
    """`seat` holds `right` instead of `wrong`, which `other` holds where it is another seat."""
    masks = list(holdings)
    held = masks[seat]
    if held is None:
        return None
    masks[seat] = held & ~BIT[wrong] | BIT[right]
    theirs = masks[other]
    if other != seat and theirs is not None:
        masks[other] = theirs & ~BIT[right] | BIT[wrong]
    north, east, south, west = masks
    return north, east, south, west


def _seat(number: int) -> str:
    return str(SEATS[number])


def _tile(index: int) -> str:
    return str(TILES[index])
