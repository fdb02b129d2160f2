"""The search in pure Python: what the leader's side can take from here to the last trick.

Sets of tiles are bits by place (see `numbering`), holdings go clockwise from the leader, points are those
still to be taken. A question is whether the leader's side can take `need` of the `total`; the answer is
a *bound*: at least `need`, and then so much is sure, or less, and then no more can be had.

The table of known bounds is kept per leader and remaining tiles, so one deal under one contract shares it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..suits import SMALL_END
from .limits import NO_LIMIT, SearchLimit
from .numbering import Numbering, each_bit
from .ordering import LOSING_FOLLOWED, PARTNERS_FOLLOWED, SURE_FOLLOWED, lead_ranks

NAME = "pure"
UNKNOWN = 63
"""A table entry is lower bound * 64 + upper bound; this one says nothing, as no total exceeds 42."""
WORST = 64
"""More than any value."""


class _Order(dict[int, tuple[int, ...]]):
    """The single tiles of each set in a fixed order, made when first asked for."""

    def __init__(self, key: Callable[[int], int] | None) -> None:
        self.key = key
        self[0] = ()

    def __missing__(self, bits: int) -> tuple[int, ...]:
        tiles = list(each_bit(bits))
        if self.key is not None:
            tiles.sort(key=self.key)
        self[bits] = found = tuple(tiles)
        return found


class _Worth(dict[int, int]):
    """Points in tricks of which each takes one tile of the set."""

    def __init__(self, count: dict[int, int]) -> None:
        self.count = count

    def __missing__(self, bits: int) -> int:
        self[bits] = found = bits.bit_count() + sum(self.count[bit] for bit in each_bit(bits))
        return found


class _Tiles:
    """A numbering as dictionaries by bit, the fastest lookup that plain Python has."""

    def __init__(self, numbers: Numbering) -> None:
        bits = [1 << place for place in range(len(numbers.count))]
        self.numbers = numbers
        self.follow = dict(zip(bits, numbers.follow, strict=False))
        self.fallback = dict(zip(bits, numbers.fallback, strict=False))
        self.beats = dict(zip(bits, numbers.beats, strict=False))
        self.count = dict(zip(bits, numbers.count, strict=True))
        self.called = numbers.called
        sure, partners, losing = lead_ranks(numbers)
        self.sure = dict(zip(bits, sure, strict=True))
        self.partners = dict(zip(bits, partners, strict=True))
        self.losing = dict(zip(bits, losing, strict=True))


_Known = tuple[
    dict[int, int],
    dict[int, int],
    dict[int, int],
    dict[int, int],
    dict[int, int],
    int,
    _Order,
    _Order,
    _Order,
    _Worth,
    dict[int, int],
    dict[int, int],
    dict[int, int],
    list[int],
]


class Core:
    """The state of one solver: a deal under a contract, and the bounds found so far. Not for two threads
    at once. `nodes` counts tricks searched, `limit` is how many may be before `SearchLimit`."""

    def __init__(self) -> None:
        self._tiles: _Tiles | None = None
        self._work = [0, NO_LIMIT]
        self._known: _Known | None = None

    @property
    def nodes(self) -> int:
        return self._work[0]

    def set_limit(self, limit: int) -> None:
        """Allow so many more nodes."""
        self._work[1] = self._work[0] + limit

    def load(self, numbers: Numbering, holdings: Sequence[int]) -> None:
        """Start with another deal, here as bits by seat; whatever was known is forgotten."""
        if self._tiles is None or self._tiles.numbers is not numbers:
            self._tiles = _Tiles(numbers)
        tiles = self._tiles
        count = tiles.count
        # Cheap tiles first; dear ones first, for a trick that is ours; dear ones last, for one that is not.
        by_count = count.__getitem__
        self._known = (
            {},
            tiles.follow,
            tiles.fallback,
            tiles.beats,
            count,
            tiles.called,
            _Order(None),
            _Order(lambda bit: -by_count(bit)),
            _Order(by_count),
            _Worth(count),
            tiles.sure,
            tiles.partners,
            tiles.losing,
            self._work,
        )

    def bound(self, holdings: Sequence[int], leader: int, table: Sequence[int], lead: int, need: int) -> int:
        """A bound on the points of the leader's side, for need 1 to all that is left. `holdings` by seat
        hold the tiles of the trick on the table too; `table` are those as bits, the lead first, and
        `lead` is the lead by place (-1 before it). Raises `SearchLimit`."""
        known = self._known
        assert known is not None, "load a deal first"
        h0, h1, h2, h3 = (holdings[(leader + at) & 3] for at in range(4))
        rest = h0 | h1 | h2 | h3
        tricks = h0.bit_count()
        assert self._tiles is not None
        total = tricks + self._tiles.numbers.points(rest)
        if table:
            if lead >= SMALL_END:
                known = self._small_end(known, table[0], lead)
            forced = (*table, *(0,) * (4 - len(table)))
            return _search(known, h0, h1, h2, h3, leader, need, total, tricks, forced)
        value = known[0].get(rest << 2 | leader, UNKNOWN)
        if value >> 6 >= need:
            return value >> 6
        if value & 63 < need:
            return value & 63
        return _search(known, h0, h1, h2, h3, leader, need, total, tricks)

    def _small_end(self, known: _Known, bit: int, lead: int) -> _Known:
        """The same, with another suit for a tile on the table; as it is played, nobody leads it again."""
        assert self._tiles is not None
        numbers = self._tiles.numbers
        follow = {**known[1], bit: numbers.follow[lead]}
        fallback = {**known[2], bit: numbers.fallback[lead]}
        beats = {**known[3], bit: numbers.beats[lead]}
        return (known[0], follow, fallback, beats, *known[4:])


def _search(
    known: _Known,
    h0: int,
    h1: int,
    h2: int,
    h3: int,
    leader: int,
    need: int,
    total: int,
    tricks: int,
    forced: Sequence[int] = (),
) -> int:
    """The bound for one question at the start of a trick. One long function, since a call costs as much
    in Python as what most of its parts do. Leader's side picks lead b and third tile y, the opponents
    second tile x and fourth tile z: the value is the best b of the worst x of the best y of the worst z.
    `forced` are tiles already on the table, then 0s; such a question is not kept in the table."""
    (
        seen, follow, fallback, beats, count, called, low_first, dear_first, dear_last,
        worth, sure, partners, losing, work,
    ) = known  # fmt: skip
    work[0] += 1
    if work[0] > work[1]:
        raise SearchLimit
    rest = h0 | h1 | h2 | h3
    key = rest << 2 | leader
    best = -1
    if forced:
        leads = [(0, forced[0])]
    else:
        # Called tiles above all of the other side's each take a trick, whoever leads.
        ours, theirs = (h0 | h2) & called, (h1 | h3) & called
        if theirs > ours:
            k = ours.bit_length()
            most = worth[(h1 & called) >> k << k]
            other = worth[(h3 & called) >> k << k]
            if other > most:
                most = other
            if total - most < need:
                return total - most
        elif ours:
            k = theirs.bit_length()
            most = worth[(h0 & called) >> k << k]
            other = worth[(h2 & called) >> k << k]
            if other > most:
                most = other
            if most >= need:
                return most
        leads = []
        for b in low_first[h0]:
            suit = follow[b]
            m1 = h1 & suit
            m2 = h2 & suit
            m3 = h3 & suit
            r1 = m1 or h1 & called
            r2 = m2 or h2 & called
            r3 = m3 or h3 & called
            if r1 < b > r3:
                gain = count[b] + 1
                if gain >= need:
                    return gain
                rank = sure[b]
                if m1:
                    rank += SURE_FOLLOWED
                if m3:
                    rank += SURE_FOLLOWED
            elif r1 < r2 > r3 and r2 > b:
                rank = partners[b]
                if m1:
                    rank += PARTNERS_FOLLOWED
                if m3:
                    rank += PARTNERS_FOLLOWED
            else:
                if r1 > (r2 | b) or r3 > (r2 | b):
                    # They can take this trick.
                    gain = total - 1 - count[b]
                    if gain < need:
                        if gain > best:
                            best = gain
                        continue
                rank = losing[b]
                if m1:
                    rank += LOSING_FOLLOWED
                if m3:
                    rank += LOSING_FOLLOWED
            leads.append((rank, b))
        leads.sort(reverse=True)
    for _, b in leads:
        able = beats[b]
        suit = follow[b]
        m1 = h1 & suit or h1 & fallback[b] or h1
        m2 = h2 & suit or h2 & fallback[b] or h2
        m3 = h3 & suit or h3 & fallback[b] or h3
        if forced:
            m1, m2, m3 = forced[1] or m1, forced[2] or m2, forced[3] or m3
        r1 = m1 & able
        r2 = m2 & able
        r3 = m3 & able
        paid_b = count[b] + 1
        ours = r2 | b
        k = b.bit_length()
        wins1 = r1 >> k << k
        k = ours.bit_length()
        sure1 = r1 >> k << k
        if r3 > ours:
            seconds = low_first[sure1] + dear_first[m1 ^ sure1]
        elif wins1:
            seconds = low_first[sure1] + low_first[wins1 ^ sure1] + dear_last[m1 ^ wins1]
        else:
            seconds = dear_last[m1]
        worst_x = WORST
        for x in seconds:
            paid_x = paid_b + count[x]
            if x & wins1:
                top_x = x
                winner_x = 1
                if x > r2 and total - paid_x < need:
                    worst_x = total - paid_x
                    break
            else:
                top_x = b
                winner_x = 0
                if r3 < b and paid_x >= need:
                    if paid_x < worst_x:
                        worst_x = paid_x
                    continue
            if top_x < r3 > r2 and total - paid_x < need:
                worst_x = total - paid_x
                break
            if r2 > top_x:
                k = top_x.bit_length()
                wins2 = r2 >> k << k
                if winner_x == 0 and top_x > r3:
                    thirds = dear_first[m2 ^ wins2] + dear_first[wins2]
                else:
                    k = r3.bit_length()
                    sure2 = wins2 >> k << k
                    thirds = dear_first[sure2] + low_first[wins2 ^ sure2] + dear_last[m2 ^ wins2]
            else:
                wins2 = 0
                thirds = dear_first[m2] if winner_x == 0 and top_x > r3 else dear_last[m2]
            best_y = -1
            for y in thirds:
                paid_y = paid_x + count[y]
                if y & wins2:
                    top_y = y
                    winner_y = 2
                else:
                    top_y = top_x
                    winner_y = winner_x
                if r3 > top_y:
                    if total - paid_y < need:
                        if total - paid_y > best_y:
                            best_y = total - paid_y
                        continue
                    k = top_y.bit_length()
                    wins3 = r3 >> k << k
                    fourths = dear_first[m3] if winner_y == 1 else dear_first[wins3] + dear_last[m3 ^ wins3]
                else:
                    wins3 = 0
                    if winner_y == 1:
                        if total - paid_y < need:
                            if total - paid_y > best_y:
                                best_y = total - paid_y
                            continue
                        fourths = dear_first[m3]
                    else:
                        if paid_y >= need:
                            best_y = paid_y
                            break
                        fourths = dear_last[m3]
                left = rest ^ b ^ x ^ y
                worst_z = WORST
                for z in fourths:
                    paid = paid_y + count[z]
                    after = total - paid
                    winner = 3 if z & wins3 else winner_y
                    # From here `value` is what the side of the winner, who leads next, takes of the rest.
                    want = after - need + 1 if winner & 1 else need - paid
                    if want <= 0:
                        value = 0
                    elif want > after:
                        value = after
                    else:
                        value = seen.get((left ^ z) << 2 | leader + winner & 3, UNKNOWN)
                        if value >> 6 >= want:
                            value >>= 6
                        elif value & 63 < want:
                            value &= 63
                        else:
                            if winner == 0:
                                n0, n1, n2, n3 = h0 ^ b, h1 ^ x, h2 ^ y, h3 ^ z
                            elif winner == 1:
                                n3, n0, n1, n2 = h0 ^ b, h1 ^ x, h2 ^ y, h3 ^ z
                            elif winner == 2:
                                n2, n3, n0, n1 = h0 ^ b, h1 ^ x, h2 ^ y, h3 ^ z
                            else:
                                n1, n2, n3, n0 = h0 ^ b, h1 ^ x, h2 ^ y, h3 ^ z
                            if tricks == 2:
                                value = after if _last(beats, n0, n1, n2, n3) else 0
                            else:
                                next_leader = leader + winner & 3
                                value = _search(known, n0, n1, n2, n3, next_leader, want, after, tricks - 1)
                    value = after - value if winner & 1 else paid + value
                    if value < worst_z:
                        worst_z = value
                        if value < need:
                            break
                if worst_z > best_y:
                    best_y = worst_z
                    if worst_z >= need:
                        break
            if best_y < worst_x:
                worst_x = best_y
                if best_y < need:
                    break
        if worst_x > best:
            best = worst_x
            if worst_x >= need:
                break
    if not forced:
        value = seen.get(key, total)
        if best >= need:
            if best > value >> 6:
                seen[key] = best << 6 | value & 63
        elif best < value & 63:
            seen[key] = value & ~63 | best
    return best


def _last(beats: dict[int, int], a: int, b: int, c: int, d: int) -> bool:
    """Whether the side of the leader takes the last trick; a is led."""
    able = beats[a]
    top, ours = a, True
    if top < b & able:
        top, ours = b, False
    if top < c & able:
        top, ours = c, True
    return ours if top > d & able else False
