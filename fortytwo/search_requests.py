"""The requests about a hand in play: `claim` and `perft`.

A request is either the record of a hand (it has `calls`), or a *position*: `trump`, `leader` (who leads
now), `deal` (the tiles that are left, by seat), `bid`, `declarer` (the leader if left out) and `points`
taken so far (needed only where a points bid has been played on). With `tricks_so_far` the deal is whole,
`leader` led the first trick, and the points follow. What a seat is known not to hold is `cannot_hold`,
tiles by seat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .bids import Auction, Call
from .claims import ClaimAnswer, Meaning, claim_by_knowledge, claim_every_line, claim_in_order
from .contract import Contract, make_contract
from .deal import Deal
from .errors import IllegalAction, ParseError, echo
from .goals import HAND_POINTS, HAND_TRICKS
from .hand import Hand
from .perft import count_auctions, count_lines
from .position import Four, Knowledge, Position
from .records import (
    HandRecord,
    read_items,
    read_object,
    read_rules,
    read_text,
    read_tiles,
    read_trump,
    required,
)
from .rules import Ruleset
from .seats import PerSide, Seat, Side
from .tiles import Tile, mask_of, tiles_of
from .trick import parse_led

MOST_TILES = 12
"""The longest lines that a request may have counted."""

Answer = dict[str, object]


def claim_request(data: Mapping[str, object]) -> Answer:
    """`{.., "meaning", "order"}` -> the answer to the claim of the seat on lead; with `"lines": true` also
    the lines that refuse it, which show tiles."""
    meaning = _meaning(data, read_rules(data))
    order = read_tiles("order", data.get("order", []))
    if "calls" in data:
        answer = _claim_of_hand(HandRecord.from_json(data).replay(), meaning, order)
    elif "tricks_so_far" in data:
        answer = _claim_of_hand(_read_played(data), meaning, order)
    else:
        answer = _claim_of_position(read_position(data), meaning, order, data)
    found = answer.to_json()
    if data.get("lines") is True:
        found["lines"] = [[str(play) for play in line] for line in answer.lines]
    return found


def perft_request(data: Mapping[str, object]) -> Answer:
    """A record and `tiles` -> `{"lines": [..]}`, the legal lines of 1, 2, .. tiles from there; without a
    record `{"auctions", "by_bid"}`, the legal auctions under the rules."""
    if "calls" not in data:
        counts = count_auctions(read_rules(data))
        return {"auctions": sum(counts.values()), "by_bid": counts}
    tiles = data.get("tiles", 4)
    if type(tiles) is not int or not 1 <= tiles <= MOST_TILES:
        raise ParseError("bad_field", field="tiles", expected=f"a number from 1 to {MOST_TILES}")
    return {"lines": list(count_lines(HandRecord.from_json(data).replay(), tiles))}


def read_position(data: Mapping[str, object]) -> Position:
    """The position of a request. Raises `ParseError` and `IllegalAction`."""
    rules = read_rules(data)
    contract, leader = _read_contract(data, rules)
    held = _read_held(contract, leader, required(data, "deal"))
    tricks = HAND_TRICKS - held[leader.number].bit_count()
    points = _read_points(contract, held, tricks, data.get("points", data.get("points_so_far")))
    # How many of the tricks each side took is asked only where a trick of the declarer decides.
    mine = min(tricks, points[contract.side])
    taken = PerSide.of(contract.side, mine) + PerSide.of(contract.side.other, tricks - mine)
    return Position(contract, held, leader, points, taken, rules.small_end_opening and tricks == 0)


def _read_contract(data: Mapping[str, object], rules: Ruleset) -> tuple[Contract, Seat]:
    """What is played, and who leads."""
    trump = read_trump(data)
    leader = Seat.parse(read_text("leader", required(data, "leader")))
    bid = Call.parse(read_text("bid", required(data, "bid")))
    if bid.is_pass:
        raise IllegalAction("bid_is_pass")
    declarer = Seat.parse(read_text("declarer", data.get("declarer", str(leader))))
    # A request does not say whether the shaker was forced to bid, so what that allows is allowed.
    forced = rules.forced_minimum is not None
    return make_contract(rules, declarer, bid, trump, forced=forced), leader


def _read_played(data: Mapping[str, object]) -> Hand:
    """The hand after `tricks_so_far`, tiles or plays in one list or trick by trick."""
    rules = read_rules(data)
    contract, leader = _read_contract(data, rules)
    held = _read_held(contract, leader, required(data, "deal"))
    deal = Deal.of({seat: tiles_of(held[seat.number]) for seat in contract.seats})
    hand = Hand(rules, deal, Auction(rules, contract.declarer), contract, turn=leader)
    said = data["tricks_so_far"]
    items = said if isinstance(said, list) else [said]
    words = [word for item in items for word in read_items("tricks_so_far", item)]
    for number, word in enumerate(words, 1):
        seat, _, tile = word.rpartition(":")
        try:
            hand = hand.play(Seat.parse(seat) if seat else hand.turn or leader, *parse_led(tile))
        except IllegalAction as error:
            raise IllegalAction(error.code, **error.facts, number=number, kind="play") from None
    return hand


def _claim_of_hand(hand: Hand, meaning: Meaning, order: Sequence[Tile]) -> ClaimAnswer:
    if meaning is Meaning.CLAIMER_KNOWLEDGE:
        return claim_by_knowledge(Knowledge.of(hand, hand.turn or hand.shaker))
    position = Position.of(hand)
    return claim_every_line(position) if meaning is Meaning.EVERY_LINE else claim_in_order(position, order)


def _claim_of_position(
    position: Position, meaning: Meaning, order: Sequence[Tile], data: Mapping[str, object]
) -> ClaimAnswer:
    if meaning is Meaning.EVERY_LINE:
        return claim_every_line(position)
    if meaning is Meaning.STATED_ORDER:
        return claim_in_order(position, order)
    return claim_by_knowledge(_knowledge(position, data))


def _knowledge(position: Position, data: Mapping[str, object]) -> Knowledge:
    """What the seat on lead knows when every tile that is left is one of these."""
    at = position.leader.number
    denied = [0, 0, 0, 0]
    for name, tiles in read_object("cannot_hold", data.get("cannot_hold", {})).items():
        seat = Seat.parse(name)
        denied[seat.number] = mask_of(read_tiles(f"cannot_hold.{seat}", tiles))
        wrong = denied[seat.number] & position.held[seat.number]
        if wrong:
            raise IllegalAction("played_not_held", seat=seat, tile=tiles_of(wrong)[0])
    unseen = sum(held for seat, held in enumerate(position.held) if seat != at)
    sizes = [held.bit_count() for held in position.held]
    return Knowledge(
        position.contract,
        position.leader,
        position.held[at],
        unseen,
        (sizes[0], sizes[1], sizes[2], sizes[3]),
        (denied[0], denied[1], denied[2], denied[3]),
        (0, 0, 0, 0),
        position.leader,
        position.points,
        position.tricks,
        position.first_lead,
    )


def _meaning(data: Mapping[str, object], rules: Ruleset) -> Meaning:
    text = read_text("meaning", data.get("meaning", rules.claim)).replace("-", "_").replace(" ", "_")
    if text == "off":
        raise IllegalAction("claim_off")
    if text not in set(Meaning):
        known = ", ".join(Meaning)
        raise ParseError("bad_field", field="meaning", expected=f"one of {known}, not {echo(text)!r}")
    return Meaning(text)


def _read_held(contract: Contract, leader: Seat, value: object) -> Four:
    held = [0, 0, 0, 0]
    for name, tiles in read_object("deal", value).items():
        seat = Seat.parse(name)
        mask = mask_of(read_tiles(f"deal.{seat}", tiles))
        twice = mask & (held[0] | held[1] | held[2] | held[3])
        if twice:
            raise IllegalAction("tile_dealt_twice", seat=seat, tile=tiles_of(twice)[0])
        held[seat.number] = mask
    size = held[leader.number].bit_count()
    for seat in contract.seats:
        count = held[seat.number].bit_count()
        if count != size or not 1 <= size <= HAND_TRICKS:
            expected = min(max(size, 1), HAND_TRICKS)
            raise IllegalAction("holding_size", seat=seat, expected=expected, count=count)
    return held[0], held[1], held[2], held[3]


def _read_points(contract: Contract, held: Four, tricks: int, value: object) -> PerSide:
    """Points so far; by default the bidding side of a marks bid has taken all, of nello nothing."""
    left = sum(held[seat.number].bit_count() for seat in contract.seats[:1])
    left += sum(tile.count for seat in contract.seats for tile in tiles_of(held[seat.number]))
    taken = HAND_POINTS - left
    if value is None:
        if not contract.goal.count:
            return PerSide.of(contract.side.other, tricks)
        if tricks and contract.goal.limit < HAND_POINTS:
            raise ParseError("missing_field", field="points")
        return PerSide.of(contract.side, taken)
    said = read_object("points", value)
    sides = {}
    for side in Side:
        number = required(said, str(side))
        if type(number) is not int or not 0 <= number <= HAND_POINTS:
            raise ParseError("bad_field", field=f"points.{side}", expected="a number from 0 to 42")
        sides[side] = number
    if contract.goal.count and sum(sides.values()) != taken:
        raise IllegalAction("points_so_far_wrong", total=sum(sides.values()), expected=taken)
    return PerSide(sides[Side.NS], sides[Side.EW])
