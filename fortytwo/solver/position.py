"""A moment of play with every holding known: what the solver answers questions about.

*On the table*: the tiles of the trick that is not complete yet. *Holdings* are masks by seat number of
the tiles still held, without those on the table; a seat that sits out holds nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ..contract import trick_size
from ..deal import Deal
from ..errors import IllegalAction
from ..hand import Hand
from ..rules import Ruleset
from ..seats import SEATS, PerSide, Seat
from ..suits import SuitTable, TrickRules, Trump, trick_rules
from ..tiles import BIT, INDEX, Tile, tiles_of
from ..trick import Play, lead_with_suit, take_trick

Masks = tuple[int, int, int, int]

STRAIGHT = Ruleset()
NOTHING = PerSide()


class NotSolvable(ValueError):
    """A question that has no answer here: a holding is not known, nobody is to play, or points are asked
    of a contract in which they mean nothing."""


@dataclass(frozen=True, slots=True)
class Position:
    """`points` are those of the tricks taken so far; `small_end` says whether the next lead may be
    declared as the smaller end of its tile. Use `Position.start` or `Position.of`."""

    rules: TrickRules = field(repr=False)
    seats: tuple[Seat, ...]
    holdings: Masks = field(repr=False)
    turn: Seat
    table: tuple[Play, ...] = ()
    points: PerSide = NOTHING
    small_end: bool = False

    @classmethod
    def start(cls, deal: Deal, trump: Trump, leader: Seat, rules: Ruleset = STRAIGHT) -> Position:
        """Before the first lead; in nello the leader is declarer, and its partner sits out."""
        seats: tuple[Seat, ...] = leader.clockwise()
        if trick_size(trump) < len(SEATS):
            seats = tuple(seat for seat in seats if seat is not leader.partner)
        holdings = _known(deal.masks, seats)
        return cls(trick_rules(trump, rules), seats, holdings, leader, small_end=rules.small_end_opening)

    @classmethod
    def of(cls, hand: Hand) -> Position:
        """Where a hand stands in play, also one that is settled."""
        if hand.contract is None or hand.turn is None:
            raise NotSolvable("nobody is to play in this hand")
        seats = hand.contract.seats
        left = [
            None if dealt is None else dealt & ~played
            for dealt, played in zip(hand.deal.masks, hand.played_masks, strict=True)
        ]
        return cls(
            hand.contract.tricks,
            seats,
            _known(left, seats),
            hand.turn,
            hand.table,
            hand.points,
            small_end=hand.rules.small_end_opening and not hand.plays,
        )

    @property
    def leader(self) -> Seat:
        """Who leads, or led, this trick."""
        return self.table[0].seat if self.table else self.turn

    @property
    def in_suits(self) -> bool:
        """Four seats play in suits, so that points mean something."""
        return isinstance(self.rules, SuitTable) and len(self.seats) == len(SEATS)

    @property
    def is_over(self) -> bool:
        return not self.holdings[self.turn.number]

    def legal_mask(self) -> int:
        held = self.holdings[self.turn.number]
        if self.table:
            return self.rules.legal_mask(held, self.table[0].led)
        return self.rules.lead_mask(held)

    def plays(self) -> tuple[Play, ...]:
        """What the seat in turn may play, highest tile first; a tile that can be led as either end is
        there twice."""
        found = [Play(self.turn, tile) for tile in tiles_of(self.legal_mask())]
        if self.small_end and not self.table and isinstance(self.rules, SuitTable):
            for play in found[:]:
                pips = self.rules.pips[INDEX[play.tile]]
                found += [Play(self.turn, play.tile, pip) for pip in pips[1:]]
        return tuple(found)

    def play(self, tile: Tile, suit: int | None = None) -> Position:
        """After the seat in turn has played this. Raises `IllegalAction`."""
        at, seat = self.turn.number, self.turn
        if not tile.mask & self.holdings[at]:
            raise IllegalAction("tile_not_held", seat=seat, tile=tile)
        if not tile.mask & self.legal_mask():
            raise self.rules.refusal(seat, tile, self.table[0].led if self.table else None)
        play = Play(seat, tile)
        if suit is not None:
            if self.table:
                reason = "only the leader can declare a suit"
                raise IllegalAction("lead_suit_refused", tile=tile, suit=suit, reason=reason)
            play = lead_with_suit(self.rules, seat, tile, suit, small_end=self.small_end)
        holdings = _without(self.holdings, at, BIT[INDEX[tile]])
        table = (*self.table, play)
        if len(table) < len(self.seats):
            turn = self.after(seat)
            return replace(self, holdings=holdings, turn=turn, table=table, small_end=False)
        trick = take_trick(self.rules, table)
        points = self.points + PerSide.of(trick.winner.side, trick.points)
        return replace(self, holdings=holdings, turn=trick.winner, table=(), points=points, small_end=False)

    def after(self, seat: Seat) -> Seat:
        """Who plays after this seat."""
        following = seat.left
        return following if following in self.seats else following.left


def _known(masks: Sequence[int | None], seats: Sequence[Seat]) -> Masks:
    known = []
    for seat, mask in zip(SEATS, masks, strict=True):
        if seat in seats and mask is None:
            raise NotSolvable(f"the tiles of {seat} are not known")
        known.append(mask if mask is not None and seat in seats else 0)
    north, east, south, west = known
    return (north, east, south, west)


def _without(masks: Masks, at: int, bit: int) -> Masks:
    left = [mask & ~bit if number == at else mask for number, mask in enumerate(masks)]
    return (left[0], left[1], left[2], left[3])
