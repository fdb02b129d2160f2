"""What one reader may see of a hand in progress.

A view is made by `Hand.view_for` only. It holds the tiles that were played and the reader's own
remaining tiles, nothing else; findings are left out, since a proof can be a tile not played yet.
"""

from __future__ import annotations

from dataclasses import dataclass

from .bids import Call
from .seats import PerSide, Seat
from .suits import Trump
from .tiles import Tile
from .trick import Play, Trick


@dataclass(frozen=True, slots=True, kw_only=True)
class HandView:
    """`seat` is the reader, None for everybody who has no seat. `holding` and `legal_plays` are the
    reader's own, None where not known or, for the plays, not in turn. `tricks_in_view` is how many of the
    latest tricks a player may look back at under the rules, None for all. `stated` are calls made out of
    turn that stand. `needed` is what the bidding side has to take, None before the trump is named and
    where it has to take nothing; `sits_out` is a seat that does not play; `claimed_by` ended the hand
    by a claim."""

    seat: Seat | None
    shaker: Seat
    phase: str
    calls: tuple[tuple[Seat, Call], ...]
    legal_calls: tuple[Call, ...]
    declarer: Seat | None
    bid: Call | None
    trump: Trump | None
    tricks: tuple[Trick, ...]
    table: tuple[Play, ...]
    to_act: Seat | None
    points: PerSide
    made: bool | None
    marks: PerSide
    settled_after: int | None
    tricks_in_view: int | None
    holding: tuple[Tile, ...] | None
    legal_plays: tuple[Tile, ...] | None
    stated: tuple[tuple[Seat, Call], ...] = ()
    sits_out: Seat | None = None
    needed: int | None = None
    claimed_by: Seat | None = None

    def to_json(self) -> dict[str, object]:
        return {
            "seat": _text(self.seat),
            "shaker": str(self.shaker),
            "phase": self.phase,
            "calls": [{"seat": str(seat), "call": str(call)} for seat, call in self.calls],
            "legal_calls": [str(call) for call in self.legal_calls],
            "declarer": _text(self.declarer),
            "bid": _text(self.bid),
            "trump": _text(self.trump),
            "tricks": [_trick(trick) for trick in self.tricks],
            "table": [str(play) for play in self.table],
            "to_act": _text(self.to_act),
            "points": self.points.to_json(),
            "made": self.made,
            "marks": self.marks.to_json(),
            "settled_after": self.settled_after,
            "tricks_in_view": self.tricks_in_view,
            "holding": _tiles(self.holding),
            "legal_plays": _tiles(self.legal_plays),
            "stated": [{"seat": str(seat), "call": str(call)} for seat, call in self.stated],
            "sits_out": _text(self.sits_out),
            "needed": self.needed,
            "claimed_by": _text(self.claimed_by),
        }


def _trick(trick: Trick) -> dict[str, object]:
    plays = [str(play) for play in trick.plays]
    return {"plays": plays, "winner": str(trick.winner), "points": trick.points}


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _tiles(tiles: tuple[Tile, ...] | None) -> list[str] | None:
    return None if tiles is None else [str(tile) for tile in tiles]
