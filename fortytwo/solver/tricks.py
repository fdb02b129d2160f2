"""Contracts that are lost with one trick: nello, where declarer must take none, and sevens, where its
side must take all.

In sevens nobody has a choice that matters: every seat plays its tiles in the order of their distance from
seven pips, and of equal ones the first played wins whichever tile it is.
"""

from __future__ import annotations

from ..seats import Seat
from ..suits import SuitTable
from ..tiles import INDEX, tiles_of
from .numbering import Numbering, each_bit, numbering
from .position import Position


def keeps_clear(position: Position, declarer: Seat, *, every_trick: bool) -> bool:
    """Whether no trick from here is lost: taken by declarer or, with `every_trick`, by the other side."""
    if every_trick or not isinstance(position.rules, SuitTable):
        return _takes_every_trick(position, declarer)
    return _Nello(position, numbering(position.rules), declarer).is_made()


def _takes_every_trick(position: Position, declarer: Seat) -> bool:
    while not position.is_over:
        position = position.play(tiles_of(position.legal_mask())[0])
    return not position.points[declarer.side.other]


class _Nello:
    """Holdings as bits by place, in three lists: declarer, who plays after it, and who after that one.
    `known` says of holdings and leader whether declarer can stay clear."""

    def __init__(self, position: Position, numbers: Numbering, declarer: Seat) -> None:
        order = [declarer, position.after(declarer)]
        order.append(position.after(order[1]))
        self.numbers = numbers
        self.turn = order.index(position.turn)
        self.held = [numbers.bits(position.holdings[seat.number]) for seat in order]
        self.table = [1 << numbers.place[INDEX[play.tile]] for play in position.table]
        self.lead = numbers.lead(position.table[0].led) if position.table else -1
        self.known: dict[int, bool] = {}

    def is_made(self) -> bool:
        if not self.table:
            return self._clear(self.held, self.turn)
        leader = (self.turn - len(self.table)) % 3
        return self._reply(self.held, leader, self.lead, self.table)

    def _clear(self, held: list[int], leader: int) -> bool:
        """From the start of a trick."""
        rest = held[0] | held[1] | held[2]
        if not held[leader]:
            return True
        key = rest << 2 | leader
        found = self.known.get(key)
        if found is None:
            # Low leads first: declarer's lose, and the others' make declarer win.
            answers = (
                self._reply(_without(held, leader, bit), leader, bit.bit_length() - 1, [bit])
                for bit in each_bit(held[leader])
            )
            found = self.known[key] = any(answers) if leader == 0 else all(answers)
        return found

    def _reply(self, held: list[int], leader: int, lead: int, table: list[int]) -> bool:
        """From the middle of a trick."""
        able = self.numbers.beats[lead]
        top = max(table, key=lambda bit: bit if bit & able else 0)
        if len(table) == 3:
            winner = (leader + table.index(top)) % 3
            return winner != 0 and self._clear(held, winner)
        seat = (leader + len(table)) % 3
        mine = held[seat]
        legal = mine & self.numbers.follow[lead] or mine & self.numbers.fallback[lead] or mine
        answers = (
            self._reply(_without(held, seat, bit), leader, lead, [*table, bit])
            for bit in self._in_order(seat, legal, top, able)
        )
        return any(answers) if seat == 0 else all(answers)

    def _in_order(self, seat: int, legal: int, top: int, able: int) -> list[int]:
        """Declarer throws its highest tile that does not win, the others play low."""
        bits = list(each_bit(legal))
        if seat == 0:
            bits.sort(key=lambda bit: (bool(bit & able) and bit > top, -bit))
        return bits


def _without(held: list[int], seat: int, bit: int) -> list[int]:
    left = held[:]
    left[seat] ^= bit
    return left
