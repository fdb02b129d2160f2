"""Exact values of positions: best play by all four, every holding open.

A `Solver` keeps what it has found as long as it is asked about the same deal and contract, so ask one
solver about all positions of a hand. Use one in each thread. The same questions have the same answers on
every backend, in any order.
"""

from __future__ import annotations

from ..contract import Contract
from ..hand import Hand
from ..seats import PerSide, Side
from ..suits import SuitTable
from ..tiles import INDEX
from ..trick import Play
from .backend import Core, new_core
from .limits import NO_LIMIT
from .numbering import Numbering, numbering
from .position import Masks, NotSolvable, Position
from .tricks import keeps_clear


class Solver:
    """`backend` is "pure" or "compiled", by default the fastest that is here. `limit` is the number of
    tricks that one call may search before it raises `SearchLimit`."""

    def __init__(self, backend: str | None = None, limit: int = NO_LIMIT) -> None:
        self._core = new_core(backend)
        self._limit = limit
        self._numbers: Numbering | None = None
        self._base: Masks = (0, 0, 0, 0)

    @property
    def nodes(self) -> int:
        """Tricks searched so far: the work done, whatever the machine."""
        return self._core.nodes

    def forget(self) -> None:
        """Start afresh at the next question, as measuring wants it."""
        self._numbers = None

    def points(self, position: Position) -> PerSide:
        """What both sides will have at the end, taken tricks included. Raises `NotSolvable` where four
        seats do not play in suits, and `SearchLimit`."""
        if position.is_over:
            return position.points
        query = self._query(position)
        return query.result(query.exact())

    def reaches(self, position: Position, side: Side, needed: int) -> bool:
        """Whether this side will have so many points at the end: much quicker than the exact points."""
        rest = needed - position.points[side]
        if position.is_over:
            return rest <= 0
        query = self._query(position)
        if side is query.side:
            return query.bound(rest) >= rest
        # It has them unless the leader's side takes more than the others can spare.
        spare = query.total - rest
        return query.bound(spare + 1) <= spare

    def values(self, position: Position) -> dict[Play, int]:
        """For each play of the seat in turn, what its side will have at the end."""
        if position.is_over:
            return {}
        query = self._query(position)
        side, ours = position.turn.side, position.turn.side is query.side
        best = query.exact()
        found = {}
        for play in position.plays():
            low, high = (0, best) if ours else (best, query.total)
            value = query.exact_between(low, high, best if ours else best + 1, play)
            found[play] = query.result(value)[side]
        return found

    def makes(self, hand: Hand) -> bool:
        """Whether the bid will be made from here, by best play of all."""
        if hand.made is not None:
            return hand.made
        position = Position.of(hand)
        assert hand.contract is not None
        return self.will_make(position, hand.contract)

    def will_make(self, position: Position, contract: Contract) -> bool:
        """As `makes`, for a position of this contract."""
        goal, side = contract.goal, contract.side
        if goal.reached and position.in_suits:
            return self.reaches(position, side, goal.limit)
        lost = position.points[side.other if goal.reached else side]
        return not lost and keeps_clear(position, contract.declarer, every_trick=goal.reached)

    def outcomes(self, hand: Hand) -> dict[Play, bool]:
        """For each play of the seat in turn, whether the bid will be made after it."""
        position = Position.of(hand)
        assert hand.contract is not None
        if hand.made is not None:
            return dict.fromkeys(position.plays(), hand.made)
        return self.will_make_after(position, hand.contract)

    def will_make_after(self, position: Position, contract: Contract) -> dict[Play, bool]:
        """As `outcomes`, for a position of this contract."""
        if position.in_suits and not position.is_over:
            # So that all plays share what is found.
            self._load(position)
        return {
            play: self.will_make(position.play(play.tile, play.suit), contract) for play in position.plays()
        }

    def _query(self, position: Position) -> _Query:
        if not position.in_suits:
            raise NotSolvable("points mean nothing unless four seats play in suits")
        numbers, bits = self._load(position)
        self._core.set_limit(self._limit)
        return _Query(self._core, numbers, position, bits)

    def _load(self, position: Position) -> tuple[Numbering, list[int]]:
        """Give the core the deal of this position, unless it has it; the numbering, and the holdings
        before this trick as bits."""
        assert isinstance(position.rules, SuitTable)
        numbers = numbering(position.rules)
        held = _with_table(position)
        sizes = [mask.bit_count() for mask in held]
        if len(set(sizes)) > 1 or (held[0] | held[1] | held[2] | held[3]).bit_count() != sum(sizes):
            raise NotSolvable("the four seats do not hold equally many different tiles")
        bits = [numbers.bits(mask) for mask in held]
        base = self._base
        strange = held[0] & ~base[0] | held[1] & ~base[1] | held[2] & ~base[2] | held[3] & ~base[3]
        if strange or numbers is not self._numbers:
            self._core.load(numbers, bits)
            self._numbers, self._base = numbers, held
        return numbers, bits


class _Query:
    """One position as the core takes it. `side` is the leader's, `total` all points from this trick on;
    values are the leader's side's share of them."""

    def __init__(self, core: Core, numbers: Numbering, position: Position, held: list[int]) -> None:
        self._core = core
        self._numbers = numbers
        self._held = held
        self._leader = position.leader.number
        self._table = [1 << numbers.place[INDEX[play.tile]] for play in position.table]
        self._lead = numbers.lead(position.table[0].led) if position.table else -1
        self._small_leads: list[Play] = []
        if position.small_end:
            self._small_leads = [play for play in position.plays() if play.suit is not None]
        self._taken = position.points
        self.side = position.leader.side
        rest = held[0] | held[1] | held[2] | held[3]
        self.total = held[0].bit_count() + numbers.points(rest)

    def result(self, value: int) -> PerSide:
        """What both sides have in the end."""
        return self._taken + PerSide.of(self.side, value) + PerSide.of(self.side.other, self.total - value)

    def exact(self) -> int:
        return self.exact_between(0, self.total)

    def exact_between(self, low: int, high: int, need: int = 0, play: Play | None = None) -> int:
        """The value, known to be from low to high; the first question is about `need`."""
        need = need or (low + high + 1) // 2
        while low < high:
            need = min(max(need, low + 1), high)
            value = self.bound(need, play)
            if value >= need:
                low = value
            else:
                high = value
            need = (low + high + 1) // 2
        return low

    def bound(self, need: int, play: Play | None = None) -> int:
        """At least `need`, and then the value is that or more, or less, and then it is that or less;
        `play` is the next tile, where it is given."""
        if need <= 0:
            return 0
        if need > self.total:
            return self.total
        value = self._ask(need, play)
        if play is None:
            for lead in self._small_leads:
                if value < need:
                    value = max(value, self._ask(need, lead))
        return value

    def _ask(self, need: int, play: Play | None) -> int:
        table, lead = self._table, self._lead
        if play is not None:
            table = [*table, 1 << self._numbers.place[INDEX[play.tile]]]
            lead = lead if lead >= 0 else self._numbers.lead(play.led)
        return self._core.bound(self._held, self._leader, table, lead, need)


def _with_table(position: Position) -> Masks:
    """The holdings before this trick."""
    held = list(position.holdings)
    for play in position.table:
        held[play.seat.number] |= play.tile.mask
    return (held[0], held[1], held[2], held[3])
