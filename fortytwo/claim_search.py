"""Whether some line of play gives a side so many points: all seats play anything legal, nobody is against.

A *world* says what may still be played: `KnownWorld` where every holding is known, `HiddenWorld` where one
seat asks for all layouts at once, so that a hidden seat may play any unseen tile that leaves every seat a
holding which it can have. A *state* is what a world knows between two plays. *Sure points* of a side are
a lower bound of what it takes in every line. Seats are numbers, tiles indexes, sets masks, sides 0 for NS
and 1 for EW.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple, Protocol, TypeAlias

from .contract import Contract
from .position import Knowledge
from .seats import SEATS
from .suits import SMALL_END, TrickRules
from .tiles import BIT, COUNT, DOUBLES, TILES

State: TypeAlias = "tuple[int, ...]"
Line: TypeAlias = "list[tuple[int, int]]"
"""Plays as (seat, tile), the last one first; a tile led as its smaller end with `SMALL_END`."""

COUNTED = sum(BIT[index] for index, count in enumerate(COUNT) if count)
TENS = sum(BIT[index] for index, count in enumerate(COUNT) if count == 10)
FIVES = COUNTED & ~TENS
NO_COUNT = (0,) * len(COUNT)
GROUPS = tuple(group for size in (2, 3, 4) for group in combinations(range(4), size))


FIRST_TRY, EXAMPLE_TRY, TASTES = 60, 200, 4
"""Plays before layouts are tried, plays in each of them, and how many of them are tried."""


class OutOfWork(Exception):
    """The search has done as much as it may; nothing is known."""


class World(Protocol):
    """What may be played, state by state."""

    start: State

    def options(self, state: State, seat: int, led: int | None) -> int:
        """The tiles that the seat may play, and perhaps some that `after` refuses; `led` None for the
        leader."""

    def after(self, state: State, seat: int, tile: int, led: int) -> State | None:
        """The state once this is played, None where no layout lets it be."""

    def may_hold(self, state: State, seat: int) -> int:
        """Every tile that the seat may hold."""

    def holds(self, state: State, seat: int) -> int:
        """The tiles that the seat holds for sure."""

    def most(self, state: State, side: int, tiles: int) -> int:
        """How many of these tiles the two seats of a side may hold at most."""

    def tricks(self, state: State) -> int:
        """Tricks still to be played."""

    def left(self, state: State) -> int:
        """Points still to be taken, or tricks where points do not count."""

    def dearest(self, state: State, tricks: int, apart: int) -> int:
        """The most count that so many tricks can hold, without the tiles apart: a tile of a seat each."""

    def examples(self, side: int) -> Iterator[KnownWorld]:
        """A few layouts that look good for the side, to find a line quickly."""


class KnownWorld:
    """A state is the four holdings."""

    def __init__(self, contract: Contract, held: Sequence[int]) -> None:
        self.rules, self.counted = contract.tricks, _counted(contract)
        self.start: State = tuple(
            tiles if seat in contract.seats else 0 for seat, tiles in zip(SEATS, held, strict=True)
        )

    def examples(self, side: int) -> Iterator[KnownWorld]:
        return iter(())

    def options(self, state: State, seat: int, led: int | None) -> int:
        return _own_options(self.rules, state[seat], led)

    def after(self, state: State, seat: int, tile: int, led: int) -> State | None:
        held = list(state)
        held[seat] ^= BIT[tile]
        return tuple(held)

    def may_hold(self, state: State, seat: int) -> int:
        return state[seat]

    def holds(self, state: State, seat: int) -> int:
        return state[seat]

    def most(self, state: State, side: int, tiles: int) -> int:
        return ((state[side] | state[side + 2]) & tiles).bit_count()

    def tricks(self, state: State) -> int:
        # A seat that sits out has none.
        return max(state[0].bit_count(), state[1].bit_count())

    def left(self, state: State) -> int:
        north, east, south, west = state
        return self.tricks(state) + count_of((north | east | south | west) & self.counted)

    def dearest(self, state: State, tricks: int, apart: int) -> int:
        return sum(count_of(held & self.counted & ~apart, tricks) for held in state)


OWN, UNSEEN, SIZES, DENIED, NEEDED = 0, 1, 2, 6, 10
"""Places in a hidden state: the claimer's tiles, the unseen ones, then four numbers each."""


class HiddenWorld:
    """A state is `Knowledge` in one row of numbers; the claimer's own seat has no hidden tiles."""

    def __init__(self, known: Knowledge) -> None:
        self.rules, self.seat = known.contract.tricks, known.seat.number
        self.contract, self.counted = known.contract, _counted(known.contract)
        sizes, needed = list(known.sizes), list(known.doubles)
        sizes[self.seat] = needed[self.seat] = 0
        self.start: State = (known.own, known.unseen, *sizes, *known.denied, *needed)

    def options(self, state: State, seat: int, led: int | None) -> int:
        if seat == self.seat:
            return _own_options(self.rules, state[OWN], led)
        return state[UNSEEN] & ~state[DENIED + seat]

    def after(self, state: State, seat: int, tile: int, led: int) -> State | None:
        bit, new = BIT[tile], list(state)
        if seat == self.seat:
            new[OWN] ^= bit
            return tuple(new)
        new[UNSEEN] ^= bit
        new[SIZES + seat] -= 1
        new[DENIED + seat] |= self.rules.denied_mask(led, tile)
        if bit & DOUBLES and new[NEEDED + seat]:
            new[NEEDED + seat] -= 1
        for at in range(DENIED, DENIED + 4):
            new[at] &= new[UNSEEN]
        return tuple(new) if not any(new[DENIED:]) or is_possible(new) else None

    def may_hold(self, state: State, seat: int) -> int:
        return state[OWN] if seat == self.seat else state[UNSEEN] & ~state[DENIED + seat]

    def holds(self, state: State, seat: int) -> int:
        return state[OWN] if seat == self.seat else 0

    def most(self, state: State, side: int, tiles: int) -> int:
        own = 0
        allowed, elsewhere, room = 0, 0, 0
        for seat in range(4):
            if seat == self.seat:
                own = (state[OWN] & tiles).bit_count() if seat & 1 == side else 0
            elif seat & 1 == side:
                allowed |= ~state[DENIED + seat]
                room += state[SIZES + seat]
            else:
                elsewhere |= ~state[DENIED + seat]
        # What nobody else can hold takes its place first.
        room -= (state[UNSEEN] & ~elsewhere & ~tiles).bit_count()
        return own + min(room, (state[UNSEEN] & allowed & tiles).bit_count())

    def tricks(self, state: State) -> int:
        return state[OWN].bit_count()

    def left(self, state: State) -> int:
        return state[OWN].bit_count() + count_of((state[OWN] | state[UNSEEN]) & self.counted)

    def dearest(self, state: State, tricks: int, apart: int) -> int:
        own, unseen = (state[at] & self.counted & ~apart for at in (OWN, UNSEEN))
        return count_of(own, tricks) + count_of(unseen, tricks * (self.contract.size - 1))

    def examples(self, side: int) -> Iterator[KnownWorld]:
        for taste in range(TASTES):
            yield KnownWorld(self.contract, self._layout(side, taste))

    def _layout(self, side: int, taste: int) -> list[int]:
        """The hidden seats of the side get what can be beaten by least, as far as everything agrees."""
        state, held = list(self.start), [0, 0, 0, 0]
        held[self.seat] = state[OWN]
        beaters = self.rules.beaters
        tiles = _indexes(state[UNSEEN])
        tiles.sort(key=lambda tile: beaters(tile).bit_count() + (tile * 7 * taste) % (4 * taste + 1))
        seats = [seat for seat in (side, side + 2, 1 - side, 3 - side) if seat != self.seat]
        if taste & 1:
            seats = [*reversed(seats[:-2]), *seats[-2:]]
        for tile in tiles:
            # As long as some layout agrees there is a seat for every tile.
            seat = next(one for one in seats if self._give(state, one, BIT[tile]))
            held[seat] |= BIT[tile]
        return held

    def _give(self, state: list[int], seat: int, bit: int) -> bool:
        """Put an unseen tile into a holding, unless no layout then agrees."""
        if not state[SIZES + seat] or state[DENIED + seat] & bit:
            return False
        before = state[:]
        state[UNSEEN] ^= bit
        state[SIZES + seat] -= 1
        if bit & DOUBLES and state[NEEDED + seat]:
            state[NEEDED + seat] -= 1
        if is_possible(state):
            return True
        state[:] = before
        return False


def is_possible(state: Sequence[int]) -> bool:
    """Whether some layout agrees with a hidden state: every group of seats must find as many tiles as it
    holds (Hall's theorem), and doubles that a seat must hold count as a seat of their own."""
    unseen = state[UNSEEN]
    allowed = [unseen & ~state[DENIED + seat] for seat in range(4)]
    sizes = state[SIZES : SIZES + 4]
    for seat in range(4):
        if allowed[seat].bit_count() < sizes[seat]:
            return False
    if any(state[NEEDED:]):
        return _is_possible_with_doubles(allowed, sizes, state[NEEDED:])
    for group in GROUPS:
        tiles = room = 0
        for seat in group:
            if sizes[seat]:
                tiles |= allowed[seat]
                room += sizes[seat]
        if tiles.bit_count() < room:
            return False
    return True


def _is_possible_with_doubles(allowed: Sequence[int], sizes: Sequence[int], needed: Sequence[int]) -> bool:
    places = [(tiles, size - doubles) for tiles, size, doubles in zip(allowed, sizes, needed, strict=True)]
    places += [(tiles & DOUBLES, doubles) for tiles, doubles in zip(allowed, needed, strict=True)]
    if any(room < 0 for _, room in places):
        return False
    places = [place for place in places if place[1]]
    for size in range(1, len(places) + 1):
        for group in combinations(places, size):
            tiles = 0
            for allowed_here, _ in group:
                tiles |= allowed_here
            if tiles.bit_count() < sum(room for _, room in group):
                return False
    return True


class _Trick(NamedTuple):
    """A trick that is being played: `side` wants `need` points from here, and can spare some."""

    led: int
    ranks: Sequence[int]
    turns: tuple[int, ...]
    side: int
    need: int
    spare: int


class Search:
    """One world, asked for lines. `choose` may narrow what a seat plays, as a stated order does; `work`
    is the number of plays that may be tried."""

    def __init__(
        self,
        world: World,
        contract: Contract,
        *,
        work: int,
        first_lead: bool = False,
        choose: Callable[[int, int], int] = lambda seat, options: options,
    ) -> None:
        self.world, self.contract, self.rules, self.choose = world, contract, contract.tricks, choose
        self.work, self.first_lead = work, first_lead
        self.turns = tuple(turns_of(contract, leader) for leader in range(4))
        self.known: tuple[dict[tuple[State, int], tuple[int, int]], ...] = ({}, {})
        self.strengths, self.counted = contract.tricks.strengths(), _counted(contract)
        self.count = COUNT if self.counted else NO_COUNT
        self.sorts = contract.tricks.sorts()
        self.over: dict[tuple[int, int], int] = {}
        """For a lead and a tile, the tiles that stand higher in that trick."""
        self.line: Line = []
        """The line that the last answer True rests on, as far as it is needed for it."""

    def reaches(self, side: int, leader: int, need: int) -> bool:
        """Whether some line gives the side so many points. Raises `OutOfWork`."""
        self.line = []
        if need > self.world.left(self.world.start):
            return False
        return (
            self._tried(FIRST_TRY, side, leader, need)
            or self._in_example(side, leader, need)
            or self._trick(self.world.start, leader, side, need)
        )

    def _tried(self, most: int, side: int, leader: int, need: int) -> bool:
        """A search that may give up early; what it has found out is kept."""
        kept = max(0, self.work - most)
        self.work -= kept
        try:
            return self._trick(self.world.start, leader, side, need)
        except OutOfWork:
            self.work = 0
            return False
        finally:
            self.work += kept

    def _in_example(self, side: int, leader: int, need: int) -> bool:
        """Look for a line in a few layouts of a hidden world."""
        for world in self.world.examples(side):
            search = Search(
                world, self.contract, work=min(EXAMPLE_TRY, self.work), first_lead=self.first_lead
            )
            before = search.work
            found = search._tried(before, side, leader, need)
            self.work -= before - search.work
            if found:
                self.line = search.line
                return True
        return False

    def _trick(self, state: State, leader: int, side: int, need: int) -> bool:
        if need <= 0:
            return True
        left = self.world.left(state)
        low, high = self.known[side].get((state, leader), (0, left))
        if need <= low or need > high:
            return need <= low
        if need > left - self._sure(state, leader, 1 - side):
            return False
        found = self._lead(state, leader, side, need, left - need)
        self.known[side][state, leader] = (need, high) if found else (low, need - 1)
        return found

    def _lead(self, state: State, leader: int, side: int, need: int, spare: int) -> bool:
        ours = leader & 1 == side
        leads = self._options(state, leader, None)
        if self.first_lead and state is self.world.start:
            leads += [led for tile in leads if (led := self._small_end(tile)) is not None]
        leads.sort(key=lambda led: self._lead_order(led, ours))
        for led in leads:
            tile = led % SMALL_END
            after = self._after(state, leader, tile, led)
            if after is None:
                continue
            trick = _Trick(led, self.rules.ranks(led), self.turns[leader], side, need, spare)
            if self._follow(after, trick, 1, tile, leader, 1 + self.count[tile]):
                self.line.append((leader, led))
                return True
        return False

    def _follow(self, state: State, trick: _Trick, place: int, best: int, taker: int, points: int) -> bool:
        """`best` is the tile that has the trick so far, `taker` who played it."""
        turns, side, ranks = trick.turns, trick.side, trick.ranks
        leading = taker & 1 == side
        if not leading and points > trick.spare and not self._can_overtake(state, trick, place, best):
            return False
        if place == len(turns):
            return self._trick(state, taker, side, trick.need - points if leading else trick.need)
        seat = turns[place]
        tiles = self._options(state, seat, trick.led)
        if len(tiles) > 1:
            ours, high = seat & 1 == side, ranks[best]
            tiles.sort(key=lambda tile: self._reply_order(tile, ranks[tile] > high, leading, ours))
        for tile in tiles:
            after = self._after(state, seat, tile, trick.led)
            if after is None:
                continue
            now, who = (tile, seat) if ranks[tile] > ranks[best] else (best, taker)
            if self._follow(after, trick, place + 1, now, who, points + self.count[tile]):
                self.line.append((seat, tile))
                return True
        return False

    def _options(self, state: State, seat: int, led: int | None) -> list[int]:
        """What the seat may play, one of each sort."""
        tiles = _indexes(self.choose(seat, self.world.options(state, seat, led)))
        if self.sorts is None or len(tiles) < 2:
            return tiles
        return list({(self.sorts[tile], self.count[tile]): tile for tile in tiles}.values())

    def _after(self, state: State, seat: int, tile: int, led: int) -> State | None:
        self.work -= 1
        if self.work < 0:
            raise OutOfWork
        return self.world.after(state, seat, tile, led)

    def _can_overtake(self, state: State, trick: _Trick, place: int, best: int) -> bool:
        """Whether a seat of the side that is still to play may take the trick from `best`."""
        over = self.over.get((trick.led, best))
        if over is None:
            high = trick.ranks[best]
            over = sum(BIT[tile] for tile in range(len(TILES)) if trick.ranks[tile] > high)
            self.over[trick.led, best] = over
        to_come = trick.turns[place:]
        return any(seat & 1 == trick.side and self.world.may_hold(state, seat) & over for seat in to_come)

    def _small_end(self, tile: int) -> int | None:
        led = self.rules.lead_as(tile, TILES[tile].low)
        return led if led is not None and led >= SMALL_END else None

    def _lead_order(self, led: int, ours: bool) -> int:
        """What to lead first, the lowest number."""
        beaten = self.rules.beaters(led).bit_count()
        return beaten if ours else -beaten - 10 * self.count[led % SMALL_END]

    def _reply_order(self, tile: int, overtakes: bool, leading: bool, ours: bool) -> int:
        """What to play first, the lowest number: `leading` if the side that wants points has the trick so
        far, `ours` if this seat is of it. The others rid themselves of what could take tricks later."""
        count, beaten = 10 * self.count[tile], self.rules.beaters(tile).bit_count()
        if leading and ours:
            return -count - beaten
        if leading:
            return 1000 * overtakes - count + beaten
        if ours:
            return -1000 - count - beaten if overtakes else count - beaten
        return 100 * overtakes + beaten - count

    def _sure(self, state: State, leader: int, side: int) -> int:
        """A lower bound of what the side takes in every line from here."""
        world = self.world
        against = world.may_hold(state, 1 - side) | world.may_hold(state, 3 - side)
        if leader & 1 == side and self._runs(state, leader, against):
            return world.left(state)
        one, other = world.holds(state, side), world.holds(state, side + 2)
        theirs = world.may_hold(state, side) | world.may_hold(state, side + 2)
        bosses = first = second = shared = above = 0
        for group in reversed(self.strengths):
            above |= group
            most = world.most(state, 1 - side, above)
            # The side has the others of these tiles, two a trick at most.
            rest = ((against | theirs) & above).bit_count() - most
            shared = max(shared, (rest + 1) // 2 - most)
            if not against & above:
                bosses |= (one | other) & group
        for group in self.strengths:
            # Each tile against takes a trick from one tile of a seat at most, best from the weakest.
            beaten = (against & group).bit_count()
            first = max(0, first + (one & group).bit_count() - beaten)
            second = max(0, second + (other & group).bit_count() - beaten)
        tricks = max(first, second, shared)
        if not tricks:
            return 0
        # The others take the rest at most, with the dearest tiles in it.
        lost = world.tricks(state) - tricks
        return world.left(state) - lost - world.dearest(state, lost, bosses)

    def _runs(self, state: State, leader: int, against: int) -> bool:
        """Whether whatever the side leads from here on takes the trick."""
        if self.first_lead and state is self.world.start:
            return False
        beaters = self.rules.beaters
        mine, partners = self.world.holds(state, leader), self.world.may_hold(state, leader ^ 2)
        if not mine or _any_beaten(beaters, mine, against):
            return False
        if not _any_beaten(beaters, mine, partners):
            return True
        return partners == self.world.holds(state, leader ^ 2) and not _any_beaten(beaters, partners, against)


def count_of(mask: int, most: int = len(TILES)) -> int:
    """The count on these tiles, or on the dearest of them, so many at most."""
    tens = min(most, (mask & TENS).bit_count())
    return 10 * tens + 5 * min(most - tens, (mask & FIVES).bit_count())


def _own_options(rules: TrickRules, held: int, led: int | None) -> int:
    return rules.lead_mask(held) if led is None else rules.legal_mask(held, led)


def _indexes(mask: int) -> list[int]:
    found = []
    while mask:
        bit = mask & -mask
        mask ^= bit
        found.append(bit.bit_length() - 1)
    return found


def turns_of(contract: Contract, leader: int) -> tuple[int, ...]:
    """The seats of a trick in their order."""
    order = [seat.number for seat in SEATS[leader].clockwise() if seat in contract.seats]
    return tuple(order)


def _counted(contract: Contract) -> int:
    return COUNTED if contract.goal.count else 0


def _any_beaten(beaters: Callable[[int], int], tiles: int, others: int) -> bool:
    return any(beaters(tile) & others for tile in _indexes(tiles))
