"""Players that see a `HandView` and the rule set, and nothing else: novice and club.

A bot calls, names the trump and plays a tile; all three are always legal. Its chances come from the
`random.Random` that it is given, so the same seed gives the same game. *Count* is 5 or 10 on a tile.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from ..bids import PASS, Call
from ..contract import Contract, legal_trumps
from ..rules import Ruleset
from ..seats import Seat
from ..suits import Trump
from ..tiles import BIT, DOUBLES, INDEX, TILES, Tile, mask_of
from ..view import HandView
from .judgement import Prospect, is_nello, looks_clear, prospects
from .worlds import Knowledge, auction_of, contract_of

CAUTION = 3
"""Points below best play that a club player bids: with closed holdings declarer takes so much less."""
RESERVE = 2
"""Points that a seat keeps back from its bid where others call after it."""
OVER_PARTNER = 4
"""Points above its partner's bid that a holding must be worth to bid on."""
NOVICE_SLIP = 0.25
"""How often a novice plays any tile."""


class Bot(Protocol):
    """A player. `view` is what `Hand.view_for` gives its seat when it is to act."""

    def call(self, view: HandView) -> Call: ...

    def name_trump(self, view: HandView) -> Trump: ...

    def play(self, view: HandView) -> Tile: ...


@dataclass(frozen=True, slots=True)
class Table:
    """What a bot makes of a view when it has to play."""

    view: HandView
    contract: Contract
    seat: Seat
    legal: tuple[Tile, ...]
    unseen: int
    """Tiles that others still hold."""

    @classmethod
    def of(cls, view: HandView, rules: Ruleset) -> Table:
        contract = contract_of(view, rules)
        assert contract is not None, "a bot plays when the trump is named"
        assert view.seat is not None
        assert view.legal_plays is not None
        return cls(view, contract, view.seat, view.legal_plays, Knowledge.of(view, rules).hidden)

    @property
    def is_last(self) -> bool:
        return len(self.view.table) == self.contract.size - 1

    @property
    def winner(self) -> Seat:
        """Whose trick it is so far."""
        return self.view.table[self.contract.tricks.winner(self._on_table())].seat

    def takes(self, tile: Tile) -> bool:
        """Whether the tile takes the trick so far."""
        on_table = [*self._on_table(), INDEX[tile]]
        return self.contract.tricks.winner(on_table) == len(on_table) - 1

    def is_safe(self, tile: Tile | None = None) -> bool:
        """Whether no tile that others hold can take the trick, after this one if it is given."""
        on_table = self._on_table()
        if tile is not None:
            on_table.append(INDEX[tile])
        end = len(on_table)
        others = (at for at in range(len(TILES)) if BIT[at] & self.unseen)
        return all(self.contract.tricks.winner([*on_table, at]) != end for at in others)

    def is_called(self, tile: Tile) -> bool:
        return self.contract.tricks.suit_name(INDEX[tile]) == "trumps"

    @property
    def trumps_out(self) -> bool:
        """Others may hold trumps."""
        return any(self.is_called(tile) for tile in TILES if tile.mask & self.unseen)

    def _on_table(self) -> list[int]:
        plays = self.view.table
        return [plays[0].led, *(INDEX[play.tile] for play in plays[1:])] if plays else []


class Novice:
    """Bids the least on four trumps, plays high if that wins, and does not think of count."""

    def __init__(self, rules: Ruleset, rng: random.Random) -> None:
        self.rules = rules
        self.rng = rng

    def call(self, view: HandView) -> Call:
        best = prospects(holding_of(view), self.rules, Call.of_points(30))[0]
        bids = [call for call in plain_bids(view) if call.rank <= (32 if best.points >= 31 else 0)]
        return bids[0] if bids else least_call(view)

    def name_trump(self, view: HandView) -> Trump:
        return best_trump(view, self.rules).trump

    def play(self, view: HandView) -> Tile:
        table = Table.of(view, self.rules)
        if self.rng.random() < NOVICE_SLIP or not view.table:
            return self.rng.choice(table.legal)
        winning = [tile for tile in table.legal if table.takes(tile)]
        return max(winning) if winning else min(table.legal)


class Club:
    """Bids what its holding is worth on average, draws trumps, leads masters, gives count to its partner
    and keeps it from the others; remembers every tile."""

    def __init__(self, rules: Ruleset, rng: random.Random) -> None:
        self.rules = rules
        self.rng = rng

    def call(self, view: HandView) -> Call:
        special = self._special(view)
        if special is not None:
            return special
        best = prospects(holding_of(view), self.rules, Call.of_points(30))[0]
        return bid_up_to(view, round(best.points) - CAUTION)

    def name_trump(self, view: HandView) -> Trump:
        clear = [trump for trump in offered(view, self.rules) if is_nello(trump)]
        if clear and looks_clear(holding_of(view)):
            return clear[0]
        return best_trump(view, self.rules).trump

    def play(self, view: HandView) -> Tile:
        return play_by_rule(Table.of(view, self.rules))

    def _special(self, view: HandView) -> Call | None:
        """A plunge or splash on more doubles than it needs, a nello on a low holding."""
        holding = holding_of(view)
        for call in view.legal_calls:
            if call.doubles and (holding & DOUBLES).bit_count() > call.doubles:
                return call
        if looks_clear(holding):
            for call in plain_bids(view):
                named = legal_trumps(self.rules, call)
                if call.stake == 1 and any(map(is_nello, named)):
                    return call
        return None


def holding_of(view: HandView) -> int:
    assert view.holding is not None, "a bot is shown its own tiles"
    return mask_of(view.holding)


def offered(view: HandView, rules: Ruleset) -> tuple[Trump, ...]:
    """What may be named now."""
    assert view.bid is not None
    return legal_trumps(rules, view.bid, forced=auction_of(view, rules).was_forced)


def best_trump(view: HandView, rules: Ruleset) -> Prospect:
    """The trump in suits that is worth most to whoever leads."""
    assert view.bid is not None
    forced = auction_of(view, rules).was_forced
    return prospects(holding_of(view), rules, view.bid, forced=forced)[0]


def plain_bids(view: HandView) -> list[Call]:
    """The bids open to the seat that promise no doubles, lowest first."""
    return [call for call in view.legal_calls if not call.is_pass and not call.partner_leads]


def least_call(view: HandView) -> Call:
    """A pass, or the least that a forced shaker has to bid."""
    return PASS if PASS in view.legal_calls else view.legal_calls[0]


def bid_up_to(view: HandView, limit: int) -> Call:
    """A bid of at most so many points, 42 for a mark; the last to call bids no more than it must."""
    assert view.seat is not None
    bids = [call for call in plain_bids(view) if call.rank <= limit]
    standing = [(seat, call) for seat, call in view.calls if not call.is_pass]
    if standing:
        seat, call = standing[-1]
        if seat is view.seat.partner and limit < call.rank + OVER_PARTNER:
            bids = []
    if not bids:
        return least_call(view)
    if len(view.calls) == 3:
        return bids[0]
    early = [call for call in bids if call.is_marks or call.rank <= limit - RESERVE]
    return early[-1] if early else bids[0]


def play_by_rule(table: Table) -> Tile:
    """What a club player plays."""
    if len(table.legal) == 1:
        return table.legal[0]
    if table.contract.sits_out:
        return _play_nello(table)
    return _follow(table) if table.view.table else _lead(table)


def _lead(table: Table) -> Tile:
    masters = [tile for tile in table.legal if table.is_safe(tile)]
    trumps = [tile for tile in masters if table.is_called(tile)]
    bidding = table.seat.side is table.contract.side
    if bidding and trumps and table.trumps_out:
        return max(trumps, key=_by_strength)
    plain = [tile for tile in masters if not table.is_called(tile)]
    doubles = [tile for tile in table.legal if tile.is_double and not table.is_called(tile)]
    if plain or doubles:
        return max(plain or doubles, key=lambda tile: (tile.is_double, tile.count, tile.pips))
    mine = [tile for tile in table.legal if table.is_called(tile)]
    if bidding and len(mine) > 2 and table.trumps_out:
        return _cheapest(mine)
    return _cheapest([tile for tile in table.legal if tile not in mine] or table.legal)


def _follow(table: Table) -> Tile:
    if table.winner is table.seat.partner and (table.is_last or table.is_safe()):
        return _dearest(tile for tile in table.legal)
    winning = [tile for tile in table.legal if table.takes(tile)]
    safe = winning if table.is_last else [tile for tile in winning if table.is_safe(tile)]
    if safe:
        return _dearest(safe)
    if winning and len(table.view.table) > 1:
        # Third to play: make the last seat pay for it.
        return max(winning, key=lambda tile: (-tile.count, *_by_strength(tile)))
    return _cheapest(table.legal)


def _play_nello(table: Table) -> Tile:
    if table.seat is not table.contract.declarer:
        return min(table.legal, key=lambda tile: tile.pips)
    if not table.view.table:
        return min(table.legal, key=lambda tile: (tile.high, tile.low))
    losing = [tile for tile in table.legal if not table.takes(tile)]
    return max(losing or table.legal, key=lambda tile: (tile.high, tile.low))


def _by_strength(tile: Tile) -> tuple[bool, int]:
    return tile.is_double, tile.pips


def _cheapest(tiles: Sequence[Tile]) -> Tile:
    return min(tiles, key=lambda tile: (tile.count, tile.is_double, tile.pips))


def _dearest(tiles: Iterable[Tile]) -> Tile:
    return max(tiles, key=lambda tile: (tile.count, not tile.is_double, -tile.pips))
