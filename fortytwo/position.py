"""A hand between two tricks, as searches want it: who holds what, who leads, what was taken.

*Position*: every tile that is still to be played is known. *Knowledge*: what one seat can know: its own
tiles, and for every other seat how many tiles it holds, which ones it cannot hold, and how many doubles
it must hold. A *layout* is a way to give the unseen tiles to the others that agrees with all of it.
"""

from __future__ import annotations

from dataclasses import dataclass

from .contract import NOTHING, Contract
from .errors import IllegalAction
from .hand import Hand
from .seats import SEATS, PerSide, Seat
from .tiles import ALL_TILES, DOUBLES, HOLDING_SIZE

Four = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True, repr=False)
class Position:
    """`held` are the remaining tiles as masks, north first; those of a seat that sits out are not looked
    at. `first_lead`: the lead to come is the first of the hand and may declare its smaller end."""

    contract: Contract
    held: Four
    leader: Seat
    points: PerSide = NOTHING
    tricks: PerSide = NOTHING
    first_lead: bool = False

    @classmethod
    def of(cls, hand: Hand) -> Position:
        """Raises `IllegalAction`: trump_not_named, trick_open, hand_complete, deal_unknown."""
        contract, leader = between_tricks(hand)
        masks = hand.deal.masks
        for seat in contract.seats:
            if masks[seat.number] is None:
                raise IllegalAction("deal_unknown", seat=seat)
        north, east, south, west = (
            (mask or 0) & ~gone for mask, gone in zip(masks, hand.played_masks, strict=True)
        )
        first_lead = hand.rules.small_end_opening and not hand.plays
        return cls(contract, (north, east, south, west), leader, hand.points, hand.tricks_taken, first_lead)

    @property
    def tricks_left(self) -> int:
        return self.held[self.leader.number].bit_count()


@dataclass(frozen=True, slots=True, repr=False)
class Knowledge:
    """`sizes` are the tiles that each seat holds, `denied` those that it cannot hold, `doubles` the least
    doubles among its tiles. `unseen` are the tiles of all the others, of a seat that sits out too."""

    contract: Contract
    seat: Seat
    own: int
    unseen: int
    sizes: Four
    denied: Four
    doubles: Four
    leader: Seat
    points: PerSide = NOTHING
    tricks: PerSide = NOTHING
    first_lead: bool = False

    @classmethod
    def of(cls, hand: Hand, seat: Seat) -> Knowledge:
        """What the seat knows by its own tiles, the calls and the plays; other holdings are not looked
        at. Raises `IllegalAction`: trump_not_named, trick_open, hand_complete, deal_unknown."""
        contract, leader = between_tricks(hand)
        held = hand.deal.masks[seat.number]
        if held is None:
            raise IllegalAction("deal_unknown", seat=seat)
        seen = held
        for gone in hand.played_masks:
            seen |= gone
        promised = {one: call.doubles for one, call in hand.auction.by_seat()}
        doubles = [
            max(0, promised.get(one, 0) - (hand.played_masks[one.number] & DOUBLES).bit_count())
            for one in SEATS
        ]
        sizes = [HOLDING_SIZE - gone.bit_count() for gone in hand.played_masks]
        return cls(
            contract,
            seat,
            held & ~hand.played_masks[seat.number],
            ALL_TILES & ~seen,
            (sizes[0], sizes[1], sizes[2], sizes[3]),
            hand.denied_masks,
            (doubles[0], doubles[1], doubles[2], doubles[3]),
            leader,
            hand.points,
            hand.tricks_taken,
            hand.rules.small_end_opening and not hand.plays,
        )


def between_tricks(hand: Hand) -> tuple[Contract, Seat]:
    """The contract and who leads. Raises `IllegalAction`: trump_not_named, trick_open, hand_complete."""
    if hand.contract is None:
        raise IllegalAction("trump_not_named", seat=hand.to_act or hand.shaker)
    if hand.turn is None:
        raise IllegalAction("hand_complete")
    if hand.table:
        raise IllegalAction("trick_open", seat=hand.turn)
    return hand.contract, hand.turn
