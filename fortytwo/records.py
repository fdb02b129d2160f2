"""Hands as JSON: the record of one hand, read strictly and written back the same.

A *record* is what was written down of a hand: rule set, shaker, deal as far as known, calls, trump
and plays. `HandRecord.replay` makes the `Hand` of it. Unreadable parts raise `ParseError` with the
field; what is against the rules raises `IllegalAction` with the number of the call or play.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from .bids import Call
from .claims import recorded_claim
from .deal import Deal
from .errors import IllegalAction, ParseError
from .hand import Hand
from .presets import preset
from .rules import Ruleset
from .seats import SEATS, Seat
from .suits import Trump
from .tiles import Tile
from .trick import Play, parse_led

T = TypeVar("T")

STRAIGHT = Ruleset()
"""The default rule set: straight 42."""


@dataclass(frozen=True, slots=True)
class RecordedClaim:
    """A claim that ended a hand after so many plays. `made` may be left out where the record can be
    checked; `order` is there where the rules ask for a stated order."""

    seat: Seat
    after: int
    made: bool | None = None
    order: tuple[Tile, ...] = ()

    @classmethod
    def of(cls, hand: Hand) -> RecordedClaim | None:
        said = hand.claimed
        if said is None or hand.contract is None or hand.settled_after is None:
            return None
        return cls(said.seat, hand.settled_after * hand.contract.size, said.made, said.order)

    def to_json(self) -> dict[str, object]:
        order = [str(tile) for tile in self.order]
        return {"seat": str(self.seat), "after": self.after, "made": self.made, "order": order}


@dataclass(frozen=True, slots=True, repr=False)
class HandRecord:
    """A hand as written down. Calls and plays name a seat where the record does; a seat that is
    left out is the one in turn. `led_as` is the suit declared for the first lead, where it was the
    smaller end of its tile. `claim` ended the hand. `repr` shows no deal."""

    rules: Ruleset
    shaker: Seat
    deal: Deal
    calls: tuple[tuple[Seat | None, Call], ...] = ()
    trump: Trump | None = None
    plays: tuple[tuple[Seat | None, Tile], ...] = ()
    led_as: int | None = None
    claim: RecordedClaim | None = None

    @classmethod
    def from_json(cls, data: object) -> HandRecord:
        """Read the JSON object of the `hand` request."""
        record = read_object("request", data)
        trump = record.get("trump")
        plays = [_step(item, parse_led) for item in read_items("plays", record.get("plays", []))]
        if any(suit is not None for _, (_, suit) in plays[1:]):
            raise ParseError("bad_field", field="plays", expected="without a suit after the first lead")
        return cls(
            rules=read_rules(record),
            shaker=Seat.parse(read_text("shaker", required(record, "shaker"))),
            deal=read_deal(record.get("deal")),
            calls=tuple(_step(item, Call.parse) for item in read_items("calls", required(record, "calls"))),
            trump=None if trump is None else Trump.parse(read_text("trump", trump)),
            plays=tuple((seat, tile) for seat, (tile, _) in plays),
            led_as=plays[0][1][1] if plays else None,
            claim=_read_claim(record.get("claim"), len(plays)),
        )

    @classmethod
    def of(cls, hand: Hand) -> HandRecord:
        """The record of a closed hand. Raises `IllegalAction("hand_in_progress")`."""
        hand.reveal()
        return cls(
            hand.rules,
            hand.shaker,
            hand.deal,
            hand.auction.as_said(),
            hand.trump,
            tuple((play.seat, play.tile) for play in hand.plays),
            hand.plays[0].suit if hand.plays else None,
            RecordedClaim.of(hand),
        )

    def replay(self) -> Hand:
        """The hand after every call and play of the record."""
        hand = Hand.start(self.rules, self.shaker, self.deal)
        for number, (seat, call) in enumerate(self.calls, 1):
            caller = seat or hand.auction.to_act or self.shaker
            hand = _numbered(number, "call", hand.call, caller, call)
        if self.trump is not None:
            hand = hand.name_trump(self.trump)
        hand = self._claimed(hand, 0)
        for number, (seat, tile) in enumerate(self.plays, 1):
            player = seat or hand.turn or hand.to_act or self.shaker
            play = hand.play if self.led_as is None or number > 1 else partial(hand.play, suit=self.led_as)
            hand = _numbered(number, "play", play, player, tile)
            if self.claim is not None:
                hand = self._claimed(hand, number)
        return hand

    def _claimed(self, hand: Hand, plays: int) -> Hand:
        """The hand after so many plays, ended if it was claimed then."""
        said = self.claim
        if said is None or said.after != plays:
            return hand
        return recorded_claim(hand, said.seat, said.order, said.made)

    def to_json(self) -> dict[str, object]:
        """The same object that `from_json` reads."""
        plays = [_said(seat, tile) for seat, tile in self.plays]
        if self.led_as is not None:
            plays[0] += f"/{self.led_as}"
        record: dict[str, object] = {
            "rules": self.rules.differences(),
            "shaker": str(self.shaker),
            "deal": {},
            "calls": [_said(seat, call) for seat, call in self.calls],
            "trump": None if self.trump is None else str(self.trump),
            "plays": plays,
        }
        if self.claim is not None:
            record["claim"] = self.claim.to_json()
        holdings = {str(seat): self.deal.holding(seat) for seat in SEATS}
        record["deal"] = {
            seat: [str(tile) for tile in tiles] for seat, tiles in holdings.items() if tiles is not None
        }
        return record

    def __repr__(self) -> str:
        return f"<HandRecord shaker={self.shaker} calls={len(self.calls)} plays={len(self.plays)}>"


def required(data: Mapping[str, object], field: str) -> object:
    """Raises `ParseError("missing_field")`."""
    if field not in data:
        raise ParseError("missing_field", field=field)
    return data[field]


def read_object(field: str, value: object) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise ParseError("bad_field", field=field, expected="an object")
    return value


def read_text(field: str, value: object) -> str:
    if not isinstance(value, str):
        raise ParseError("bad_field", field=field, expected="text")
    return value


def read_items(field: str, value: object) -> list[str]:
    """A list of texts, or one text with parts separated by spaces or commas."""
    if isinstance(value, str):
        return value.replace(",", " ").split()
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ParseError("bad_field", field=field, expected="a list of texts")
    return value


def read_tiles(field: str, value: object) -> tuple[Tile, ...]:
    return tuple(Tile.parse(item) for item in read_items(field, value))


def read_plays(field: str, value: object) -> tuple[Play, ...]:
    return tuple(Play.parse(item) for item in read_items(field, value))


def read_trump(data: Mapping[str, object]) -> Trump:
    return Trump.parse(read_text("trump", required(data, "trump")))


def read_rules(data: Mapping[str, object]) -> Ruleset:
    """The optional field `rules`: the name of a preset, or an object of switches."""
    value = data.get("rules")
    if value is None:
        return STRAIGHT
    if isinstance(value, str):
        return preset(value).ruleset()
    return Ruleset.from_switches(read_object("rules", value))


def read_deal(value: object) -> Deal:
    """Tiles by seat; a seat that is left out or null is unknown."""
    if value is None:
        return Deal()
    holdings: dict[Seat, tuple[Tile, ...]] = {}
    for name, tiles in read_object("deal", value).items():
        seat = Seat.parse(name)
        if seat in holdings:
            raise ParseError("bad_field", field="deal", expected=f"one holding a seat, not two for {seat}")
        if tiles is not None:
            holdings[seat] = read_tiles(f"deal.{seat}", tiles)
    return Deal.of(holdings)


def _read_claim(value: object, plays: int) -> RecordedClaim | None:
    """The optional field `claim`; without `after` it came after the last play of the record."""
    if value is None:
        return None
    said = read_object("claim", value)
    after, made = said.get("after", plays), said.get("made")
    if type(after) is not int or not 0 <= after <= plays:
        raise ParseError("bad_field", field="claim.after", expected="a number of plays of this record")
    if made is not None and type(made) is not bool:
        raise ParseError("bad_field", field="claim.made", expected="true, false or null")
    return RecordedClaim(
        Seat.parse(read_text("claim.seat", required(said, "seat"))),
        after,
        made,
        read_tiles("claim.order", said.get("order", [])),
    )


def _step(text: str, parse: Callable[[str], T]) -> tuple[Seat | None, T]:
    """Read "6-5" or "N:6-5", "30" or "N:30"."""
    seat, colon, rest = text.partition(":")
    return (Seat.parse(seat), parse(rest)) if colon else (None, parse(text))


def _said(seat: Seat | None, value: object) -> str:
    return str(value) if seat is None else f"{seat}:{value}"


def _numbered(number: int, kind: str, move: Callable[[Seat, T], Hand], seat: Seat, value: T) -> Hand:
    try:
        return move(seat, value)
    except IllegalAction as error:
        raise IllegalAction(error.code, **error.facts, number=number, kind=kind) from None
