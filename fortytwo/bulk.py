"""Checking many recorded hands fast, over the same tables as `Hand`, with the same answers.

The loop works on indexes and masks and only says whether a hand is right. Whatever is unusual (an
unknown holding, an illegal or missing play, a contract that is not plain suits for points) goes through
`Hand`, which also makes the refusal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .bids import Auction
from .contract import Contract
from .deal import Deal
from .errors import FortyTwoError
from .goals import TakePoints
from .hand import Hand
from .rules import Ruleset
from .seats import SEATS, Seat, Side
from .suits import SMALL_END, SuitTable
from .tiles import BIT, COUNT, TILES


class Replayed(NamedTuple):
    """What a replayed hand gave; winners are seat numbers, one a trick."""

    ns: int
    ew: int
    winners: tuple[int, ...]
    made: bool | None
    settled_after: int | None


@dataclass(frozen=True, slots=True)
class BulkHand:
    """One hand to replay: the tiles in order of play as indexes, the contract and the deal. A first
    lead as the smaller end of its tile is the index + `SMALL_END`."""

    contract: Contract
    deal: Deal
    tiles: Sequence[int]


def replay_many(hands: Iterable[BulkHand], rules: Ruleset) -> Iterator[Replayed | FortyTwoError]:
    """One answer a hand, in order; a hand that is against the rules gives its error."""
    for hand in hands:
        try:
            yield replay_fast(hand.contract, hand.deal, hand.tiles, rules)
        except FortyTwoError as error:
            yield error


def replay_fast(contract: Contract, deal: Deal, tiles: Sequence[int], rules: Ruleset) -> Replayed:
    """Check the plays of one hand. Raises `IllegalAction` as `Hand.play` does."""
    table, goal = contract.tricks, contract.goal
    plain = isinstance(goal, TakePoints) and len(contract.seats) == 4 and not rules.small_end_opening
    if plain and isinstance(table, SuitTable) and not table.has_fallback:
        north, east, south, west = deal.masks
        if (
            north is not None
            and east is not None
            and south is not None
            and west is not None
            and len(tiles) == len(TILES)
        ):
            leader = contract.leader.number
            ours = 0 if contract.side is Side.NS else 1
            needed = contract.goal.limit
            answer = _replay(table, [north, east, south, west], tiles, leader, ours, needed)
            if answer is not None:
                return answer
    return _replay_slow(contract, deal, tiles, rules)


def _replay(
    table: SuitTable, held: list[int], tiles: Sequence[int], leader: int, ours: int, needed: int
) -> Replayed | None:
    """The whole hand, or None where any play is not plainly legal."""
    bits, count, follow, power = BIT, COUNT, table.follow, table.power
    points = [0, 0]
    winners = []
    settled, made, limit = 0, False, 42 - needed
    feed = iter(tiles)
    for number, (a, b, c, d) in enumerate(zip(feed, feed, feed, feed, strict=True), 1):
        suit, ranks = follow[a], power[a]
        if not held[leader] & bits[a]:
            return None
        held[leader] ^= bits[a]
        winner, best, seat = leader, ranks[a], leader
        for tile in (b, c, d):
            seat = (seat + 1) & 3
            bit, holding = bits[tile], held[seat]
            if not holding & bit or (not bit & suit and holding & suit):
                return None
            held[seat] = holding ^ bit
            if ranks[tile] > best:
                winner, best = seat, ranks[tile]
        points[winner & 1] += 1 + count[a] + count[b] + count[c] + count[d]
        winners.append(winner)
        leader = winner
        if not settled:
            if points[ours] >= needed:
                settled, made = number, True
            elif points[1 - ours] > limit:
                settled = number
    return Replayed(points[0], points[1], tuple(winners), made, settled)


def _replay_slow(contract: Contract, deal: Deal, tiles: Sequence[int], rules: Ruleset) -> Replayed:
    hand = Hand(rules, deal, Auction(rules, contract.declarer), contract, turn=contract.leader)
    for index in tiles:
        seat: Seat = hand.turn or SEATS[0]
        tile = TILES[index % SMALL_END]
        hand = hand.play(seat, tile, None if index < SMALL_END else tile.low)
    winners = tuple(trick.winner.number for trick in hand.tricks)
    return Replayed(hand.points.ns, hand.points.ew, winners, hand.made, hand.settled_after)
