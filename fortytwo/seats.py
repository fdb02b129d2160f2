"""Seats N, E, S, W in clockwise order, the two sides, and a pair of numbers per side."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from .errors import ParseError, echo


class Side(StrEnum):
    """Two partners who sit opposite."""

    NS = "NS"
    EW = "EW"

    @classmethod
    def parse(cls, text: str) -> Side:
        side = _SIDES.get(text.strip().upper()) if isinstance(text, str) else None
        if side is None:
            raise ParseError("bad_side", text=echo(text))
        return side

    @property
    def other(self) -> Side:
        return Side.EW if self is Side.NS else Side.NS

    @property
    def seats(self) -> tuple[Seat, Seat]:
        return (Seat.N, Seat.S) if self is Side.NS else (Seat.E, Seat.W)

    def __repr__(self) -> str:
        return f"Side.{self.value}"


class Seat(StrEnum):
    """A seat; `left` is the next one clockwise."""

    N = "N"
    E = "E"
    S = "S"
    W = "W"

    @classmethod
    def parse(cls, text: str) -> Seat:
        seat = _BY_TEXT.get(text.strip().upper()) if isinstance(text, str) else None
        if seat is None:
            raise ParseError("bad_seat", text=echo(text))
        return seat

    @property
    def number(self) -> int:
        """Place clockwise from north, 0 to 3."""
        return _NUMBER[self]

    @property
    def left(self) -> Seat:
        return SEATS[(_NUMBER[self] + 1) & 3]

    @property
    def partner(self) -> Seat:
        return SEATS[(_NUMBER[self] + 2) & 3]

    @property
    def side(self) -> Side:
        return _SIDE_OF[self]

    def clockwise(self) -> tuple[Seat, Seat, Seat, Seat]:
        """The four seats, this one first."""
        at = _NUMBER[self]
        return (SEATS[at], SEATS[(at + 1) & 3], SEATS[(at + 2) & 3], SEATS[(at + 3) & 3])

    def __repr__(self) -> str:
        return f"Seat.{self.value}"


SEATS: tuple[Seat, Seat, Seat, Seat] = (Seat.N, Seat.E, Seat.S, Seat.W)
_NUMBER: dict[Seat, int] = {seat: index for index, seat in enumerate(SEATS)}
_SIDE_OF: dict[Seat, Side] = {Seat.N: Side.NS, Seat.E: Side.EW, Seat.S: Side.NS, Seat.W: Side.EW}
_NAMES = ("NORTH", "EAST", "SOUTH", "WEST")
_BY_TEXT: dict[str, Seat] = {
    text: seat for seat, name in zip(SEATS, _NAMES, strict=True) for text in (name, name[0])
}
_SIDES: dict[str, Side] = {"NS": Side.NS, "EW": Side.EW}


@dataclass(frozen=True, slots=True)
class PerSide:
    """One number per side: points, tricks, marks or games."""

    ns: int = 0
    ew: int = 0

    @classmethod
    def of(cls, side: Side, value: int) -> PerSide:
        """`value` for this side, 0 for the other."""
        return cls(value, 0) if side is Side.NS else cls(0, value)

    @property
    def total(self) -> int:
        return self.ns + self.ew

    @property
    def leader(self) -> Side | None:
        """The side with more, or None when level."""
        if self.ns == self.ew:
            return None
        return Side.NS if self.ns > self.ew else Side.EW

    def __getitem__(self, side: Side) -> int:
        return self.ns if side is Side.NS else self.ew

    def __add__(self, other: PerSide) -> PerSide:
        return PerSide(self.ns + other.ns, self.ew + other.ew)

    def __str__(self) -> str:
        return f"{self.ns}-{self.ew}"

    def to_json(self) -> dict[str, int]:
        return {"NS": self.ns, "EW": self.ew}
