"""What a record proves about breaches of the rules: findings with evidence, never exceptions.

A *renege*: a seat did not play a tile that it had to play: it did not follow a lead although it could,
or in sevens kept back a nearer tile. It is proved by a tile that the seat played later, or holds in a
deal that became known. A *false special*: a plunge or splash called without the doubles it promises.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from .bids import Auction, Call
from .contract import Contract
from .deal import Holdings
from .seats import Seat
from .tiles import BIT, DOUBLES, INDEX, Tile, tiles_of
from .trick import Play


@dataclass(frozen=True, slots=True)
class Renege:
    """`seat` played `played` in trick `trick` (1..7) to the lead `led` while it held `proof`.
    `proof_trick` is the trick in which the proof was played, None where only the deal shows it."""

    seat: Seat
    trick: int
    led: Tile
    played: Tile
    proof: Tile
    proof_trick: int | None

    @property
    def code(self) -> str:
        return "renege"

    def __str__(self) -> str:
        shown = f"played in trick {self.proof_trick}" if self.proof_trick else "in the holding"
        return (
            f"{self.seat} played {self.played} on the {self.led} led in trick {self.trick}"
            f" and could have followed with {self.proof}, {shown}."
        )

    def to_json(self) -> dict[str, object]:
        return {
            "code": self.code,
            "seat": str(self.seat),
            "trick": self.trick,
            "led": str(self.led),
            "played": str(self.played),
            "proof": str(self.proof),
            "proof_trick": self.proof_trick,
            "message": str(self),
        }


@dataclass(frozen=True, slots=True)
class FalseSpecial:
    """`seat` called `call` and held no more than `held` doubles."""

    seat: Seat
    call: Call
    held: int

    @property
    def code(self) -> str:
        return "false_special"

    def __str__(self) -> str:
        return f"{self.seat} called {self.call} with {self.held} doubles; it needs {self.call.doubles}."

    def to_json(self) -> dict[str, object]:
        return {
            "code": self.code,
            "seat": str(self.seat),
            "call": str(self.call),
            "held": self.held,
            "message": str(self),
        }


Finding: TypeAlias = "Renege | FalseSpecial"


def find_false_specials(auction: Auction, holdings: Holdings) -> tuple[FalseSpecial, ...]:
    """Every special whose doubles were not there, as far as holdings are known."""
    found = []
    for seat, call in auction.by_seat():
        holding = holdings[seat.number]
        held = 0 if holding is None else (holding & DOUBLES).bit_count()
        if holding is not None and held < call.doubles:
            found.append(FalseSpecial(seat, call, held))
    return tuple(found)


def find_reneges(contract: Contract, plays: Sequence[Play], holdings: Holdings) -> tuple[Renege, ...]:
    """Every play that the record proves to be a renege, in order of play; one proof for each,
    the first tile played later before one that only the holding shows."""
    found = []
    for place, play in enumerate(plays):
        lead = plays[place - place % contract.size]
        denied = contract.tricks.denied_mask(lead.led, INDEX[play.tile])
        proof = _proof(contract, plays, holdings, place, denied) if denied else None
        if proof is not None:
            tile, trick = proof
            found.append(Renege(play.seat, place // contract.size + 1, lead.tile, play.tile, tile, trick))
    return tuple(found)


def _proof(
    contract: Contract, plays: Sequence[Play], holdings: Holdings, place: int, denied: int
) -> tuple[Tile, int | None] | None:
    seat = plays[place].seat
    gone = 0
    for at, play in enumerate(plays):
        if play.seat is seat:
            bit = BIT[INDEX[play.tile]]
            if at > place and bit & denied:
                return play.tile, at // contract.size + 1
            gone |= bit
    holding = holdings[seat.number]
    held = 0 if holding is None else holding & ~gone & denied
    return (tiles_of(held)[0], None) if held else None
