"""Counting legal play: how many lines of so many tiles there are, and how many auctions.

The counts are pinned in tests for every kind of contract, so that no change of the rules goes unseen.
A hand is counted to its last tile, settled or not, since a record may go on.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from .bids import PASS, Call, legal_calls
from .contract import Contract
from .errors import IllegalAction
from .hand import Hand
from .rules import Ruleset
from .seats import SEATS
from .suits import SMALL_END, TrickRules
from .tiles import BIT, TILES


def count_lines(hand: Hand, tiles: int) -> tuple[int, ...]:
    """The number of legal lines of 1, 2, ... tiles from here; a declared smaller end is a line of its own.

    Raises `IllegalAction`: trump_not_named, deal_unknown.
    """
    contract = hand.contract
    if contract is None:
        raise IllegalAction("trump_not_named", seat=hand.to_act or hand.shaker)
    held = [0, 0, 0, 0]
    for seat in contract.seats:
        mask = hand.deal.masks[seat.number]
        if mask is None:
            raise IllegalAction("deal_unknown", seat=seat)
        held[seat.number] = mask & ~hand.played_masks[seat.number]
    counter = _Counter(contract, tiles)
    if hand.turn is not None:
        declares = hand.rules.small_end_opening and not hand.plays
        table = [play.led if place == 0 else play.tile.index for place, play in enumerate(hand.table)]
        seats = [play.seat.number for play in hand.table]
        counter.go(held, hand.turn.number, table, seats, 0, declares)
    return tuple(counter.lines)


def count_auctions(rules: Ruleset) -> dict[str, int]:
    """The number of legal auctions that end with each bid; "none" where all passed. Specials count
    whatever anybody holds."""

    @cache
    def endings(position: int, standing: Call | None) -> dict[Call | None, int]:
        if position == len(SEATS):
            return {standing: 1}
        total: dict[Call | None, int] = {}
        for call in legal_calls(rules, position, standing):
            for bid, count in endings(position + 1, standing if call == PASS else call).items():
                total[bid] = total.get(bid, 0) + count
        return total

    found = endings(0, None)
    ordered = sorted(found, key=lambda bid: (bid is not None, bid.rank if bid else 0, str(bid)))
    return {"none" if bid is None else str(bid): found[bid] for bid in ordered}


class _Counter:
    """Lines by length, filled in by one walk over all of them."""

    def __init__(self, contract: Contract, tiles: int) -> None:
        self.rules: TrickRules = contract.tricks
        self.next = {seat.number: contract.after(seat).number for seat in contract.seats}
        self.size = contract.size
        self.lines = [0] * tiles

    def go(
        self,
        held: list[int],
        seat: int,
        table: Sequence[int],
        seats: Sequence[int],
        depth: int,
        declares: bool = False,
    ) -> None:
        if depth == len(self.lines) or not held[seat]:
            return
        holding = held[seat]
        legal = self.rules.legal_mask(holding, table[0]) if table else self.rules.lead_mask(holding)
        moves = self._moves(legal, declares)
        self.lines[depth] += len(moves)
        if depth + 1 == len(self.lines):
            return
        for move in moves:
            held[seat] = holding ^ BIT[move % SMALL_END]
            if len(table) + 1 < self.size:
                self.go(held, self.next[seat], [*table, move], [*seats, seat], depth + 1)
            else:
                winner = [*seats, seat][self.rules.winner([*table, move])]
                self.go(held, winner, (), (), depth + 1)
        held[seat] = holding

    def _moves(self, legal: int, declares: bool) -> list[int]:
        moves = [index for index in range(len(TILES)) if legal & BIT[index]]
        if declares:
            ends = [self.rules.lead_as(index, TILES[index].low) for index in moves]
            moves += [led for led in ends if led is not None and led >= SMALL_END]
        return moves
