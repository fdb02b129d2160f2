# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The search of `pure` with typed integers and flat arrays, for Cython; the same answers, faster.

Whatever is said in `pure` holds here. What differs: the table of bounds has a fixed size and forgets, and
the GIL is released, so that solvers in several threads run side by side.
"""

from libc.stdlib cimport calloc, free

from ._bits cimport SOURCE_DIGEST, lowest, size, width
from .limits import NO_LIMIT, SearchLimit
from .ordering import LOSING_FOLLOWED, PARTNERS_FOLLOWED, SURE_FOLLOWED, lead_ranks

NAME = "compiled"
DIGEST = SOURCE_DIGEST.decode()

cdef enum:
    TILES = 28
    LEADS = 56
    ENTRY_BITS = 16
    WORST = 64

ctypedef unsigned int u32

cdef struct Entry:
    u32 key
    u32 age
    unsigned char low
    unsigned char high


cdef class Core:
    """As `pure.Core`."""

    cdef Entry *seen
    cdef u32 age
    cdef u32 follow[LEADS]
    cdef u32 fallback[LEADS]
    cdef u32 beats[LEADS]
    cdef int count[TILES]
    cdef int sure[TILES]
    cdef int partners[TILES]
    cdef int losing[TILES]
    cdef int sure_followed, partners_followed, losing_followed
    cdef u32 called, tens, fives
    cdef long long done, limit
    cdef bint busy, stopped
    cdef object numbers

    def __cinit__(self):
        self.seen = <Entry *>calloc(1 << ENTRY_BITS, sizeof(Entry))
        if self.seen == NULL:
            raise MemoryError
        self.limit = NO_LIMIT
        self.sure_followed = SURE_FOLLOWED
        self.partners_followed = PARTNERS_FOLLOWED
        self.losing_followed = LOSING_FOLLOWED

    def __dealloc__(self):
        free(self.seen)

    @property
    def nodes(self):
        return self.done

    def set_limit(self, long long limit):
        self.limit = self.done + limit if limit < NO_LIMIT - self.done else NO_LIMIT

    def load(self, numbers, holdings):
        cdef int at
        if self.busy:
            raise RuntimeError("this solver is at work in another thread")
        # An entry of an older age is not there; after 2**32 deals the table is as if it were new.
        self.age += 1
        if numbers is self.numbers:
            return
        ranks = lead_ranks(numbers)
        for at in range(TILES):
            self.count[at] = numbers.count[at]
            self.sure[at], self.partners[at], self.losing[at] = ranks[0][at], ranks[1][at], ranks[2][at]
        for at in range(LEADS):
            self.follow[at] = numbers.follow[at]
            self.fallback[at] = numbers.fallback[at]
            self.beats[at] = numbers.beats[at]
        self.called, self.fives, self.tens = numbers.called, numbers.fives, numbers.tens
        self.numbers = numbers

    def bound(self, holdings, int leader, table, int lead, int need):
        cdef u32 held[4]
        cdef u32 forced[4]
        cdef u32 rest = 0
        cdef int at, total, tricks, value
        cdef bint on_table = bool(table)
        if self.numbers is None:
            raise RuntimeError("load a deal first")
        if self.busy:
            raise RuntimeError("this solver is at work in another thread")
        if len(table) > 4 or (on_table and not 0 <= lead < LEADS):
            raise ValueError("a trick has four tiles and a lead")
        for at in range(4):
            held[at] = holdings[(leader + at) & 3]
            rest |= held[at]
            forced[at] = 0
        for at, bit in enumerate(table):
            forced[at] = bit
        tricks = size(held[0])
        total = tricks + self.points(rest)
        self.busy = True
        self.stopped = False
        try:
            with nogil:
                if on_table:
                    value = self.search(held[0], held[1], held[2], held[3], leader, need, total, tricks, forced, lead)
                else:
                    value = self.ask(held[0], held[1], held[2], held[3], leader, need, total, tricks)
        finally:
            self.busy = False
        if self.stopped:
            raise SearchLimit
        return value

    cdef inline int points(self, u32 bits) noexcept nogil:
        return 10 * size(bits & self.tens) + 5 * size(bits & self.fives)

    cdef inline int worth(self, u32 bits) noexcept nogil:
        return size(bits) + self.points(bits)

    cdef inline Entry *entry(self, u32 key) noexcept nogil:
        return &self.seen[(key * <u32>2654435769) >> (32 - ENTRY_BITS)]

    cdef inline u32 *low_first(self, u32 bits, u32 *out) noexcept nogil:
        while bits:
            out[0] = bits & (0 - bits)
            bits ^= out[0]
            out += 1
        return out

    cdef inline u32 *dear_first(self, u32 bits, u32 *out) noexcept nogil:
        out = self.low_first(bits & self.tens, out)
        out = self.low_first(bits & self.fives, out)
        return self.low_first(bits & ~(self.tens | self.fives), out)

    cdef inline u32 *dear_last(self, u32 bits, u32 *out) noexcept nogil:
        out = self.low_first(bits & ~(self.tens | self.fives), out)
        out = self.low_first(bits & self.fives, out)
        return self.low_first(bits & self.tens, out)

    cdef int ask(
        self, u32 h0, u32 h1, u32 h2, u32 h3, int leader, int need, int total, int tricks
    ) noexcept nogil:
        """The bound for 1 <= need <= total, from the table where it is known."""
        cdef u32 key, able
        cdef Entry *found
        cdef u32 top
        cdef bint ours
        if tricks == 1:
            able = self.beats[lowest(h0)]
            top = h0
            ours = True
            if h1 & able > top:
                top = h1
                ours = False
            if h2 & able > top:
                top = h2
                ours = True
            if h3 & able > top:
                ours = False
            return total if ours else 0
        key = (h0 | h1 | h2 | h3) << 2 | leader
        found = self.entry(key)
        if found.key == key and found.age == self.age:
            if found.low >= need:
                return found.low
            if found.high < need:
                return found.high
        return self.search(h0, h1, h2, h3, leader, need, total, tricks, NULL, -1)

    cdef int search(
        self,
        u32 h0,
        u32 h1,
        u32 h2,
        u32 h3,
        int leader,
        int need,
        int total,
        int tricks,
        u32 *forced,
        int lead,
    ) noexcept nogil:
        cdef u32 b, x, y, z, suit, able, other, m1, m2, m3, r1, r2, r3
        cdef u32 ours, wins1, sure1, wins2, sure2, wins3, top_x, top_y
        cdef int k, at, best, gain, rank, place, number, paid_b, paid_x, paid_y, paid, after, value
        cdef int winner_x, winner_y, winner, worst_x, best_y, worst_z
        cdef u32 leads[8]
        cdef int ranks[8]
        cdef u32 seconds[8]
        cdef u32 thirds[8]
        cdef u32 fourths[8]
        cdef u32 *seconds_end
        cdef u32 *thirds_end
        cdef u32 *fourths_end
        cdef u32 *xs
        cdef u32 *ys
        cdef u32 *zs
        cdef Entry *found
        cdef u32 key = (h0 | h1 | h2 | h3) << 2 | leader
        self.done += 1
        if self.done > self.limit:
            self.stopped = True
            return 0
        best = -1
        number = 0
        if forced != NULL:
            leads[0] = forced[0]
            number = 1
        else:
            ours = (h0 | h2) & self.called
            other = (h1 | h3) & self.called
            if other > ours:
                k = width(ours)
                gain = self.worth((h1 & self.called) >> k << k)
                rank = self.worth((h3 & self.called) >> k << k)
                gain = total - (rank if rank > gain else gain)
                if gain < need:
                    return gain
            elif ours:
                k = width(other)
                gain = self.worth((h0 & self.called) >> k << k)
                rank = self.worth((h2 & self.called) >> k << k)
                if rank > gain:
                    gain = rank
                if gain >= need:
                    return gain
            m1 = h0
            while m1:
                b = m1 & (0 - m1)
                m1 ^= b
                place = lowest(b)
                suit = self.follow[place]
                r1 = h1 & suit
                r2 = h2 & suit
                r3 = h3 & suit
                k = (r1 != 0) + (r3 != 0)
                if not r1:
                    r1 = h1 & self.called
                if not r2:
                    r2 = h2 & self.called
                if not r3:
                    r3 = h3 & self.called
                if r1 < b and r3 < b:
                    gain = self.count[place] + 1
                    if gain >= need:
                        return gain
                    rank = self.sure[place] + k * self.sure_followed
                elif r2 > r1 and r2 > r3 and r2 > b:
                    rank = self.partners[place] + k * self.partners_followed
                else:
                    if r1 > (r2 | b) or r3 > (r2 | b):
                        gain = total - 1 - self.count[place]
                        if gain < need:
                            if gain > best:
                                best = gain
                            continue
                    rank = self.losing[place] + k * self.losing_followed
                at = number
                while at > 0 and ranks[at - 1] <= rank:
                    ranks[at] = ranks[at - 1]
                    leads[at] = leads[at - 1]
                    at -= 1
                ranks[at] = rank
                leads[at] = b
                number += 1
        for at in range(number):
            b = leads[at]
            place = lowest(b)
            k = lead if forced != NULL else place
            suit = self.follow[k]
            able = self.beats[k]
            m1 = h1 & suit
            m2 = h2 & suit
            m3 = h3 & suit
            suit = self.fallback[k]
            if not m1:
                m1 = h1 & suit if h1 & suit else h1
            if not m2:
                m2 = h2 & suit if h2 & suit else h2
            if not m3:
                m3 = h3 & suit if h3 & suit else h3
            if forced != NULL:
                m1 = forced[1] if forced[1] else m1
                m2 = forced[2] if forced[2] else m2
                m3 = forced[3] if forced[3] else m3
            r1 = m1 & able
            r2 = m2 & able
            r3 = m3 & able
            paid_b = self.count[place] + 1
            ours = r2 | b
            k = width(b)
            wins1 = r1 >> k << k
            k = width(ours)
            sure1 = r1 >> k << k
            seconds_end = self.low_first(sure1, seconds)
            if r3 > ours:
                seconds_end = self.dear_first(m1 ^ sure1, seconds_end)
            else:
                seconds_end = self.low_first(wins1 ^ sure1, seconds_end)
                seconds_end = self.dear_last(m1 ^ wins1, seconds_end)
            worst_x = WORST
            xs = seconds
            while xs < seconds_end:
                x = xs[0]
                xs += 1
                paid_x = paid_b + self.count[lowest(x)]
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
                if r3 > top_x and r3 > r2 and total - paid_x < need:
                    worst_x = total - paid_x
                    break
                thirds_end = thirds
                if r2 > top_x:
                    k = width(top_x)
                    wins2 = r2 >> k << k
                    if winner_x == 0 and top_x > r3:
                        thirds_end = self.dear_first(m2 ^ wins2, thirds_end)
                        thirds_end = self.dear_first(wins2, thirds_end)
                    else:
                        k = width(r3)
                        sure2 = wins2 >> k << k
                        thirds_end = self.dear_first(sure2, thirds_end)
                        thirds_end = self.low_first(wins2 ^ sure2, thirds_end)
                        thirds_end = self.dear_last(m2 ^ wins2, thirds_end)
                else:
                    wins2 = 0
                    if winner_x == 0 and top_x > r3:
                        thirds_end = self.dear_first(m2, thirds_end)
                    else:
                        thirds_end = self.dear_last(m2, thirds_end)
                best_y = -1
                ys = thirds
                while ys < thirds_end:
                    y = ys[0]
                    ys += 1
                    paid_y = paid_x + self.count[lowest(y)]
                    if y & wins2:
                        top_y = y
                        winner_y = 2
                    else:
                        top_y = top_x
                        winner_y = winner_x
                    fourths_end = fourths
                    if r3 > top_y or winner_y == 1:
                        if total - paid_y < need:
                            if total - paid_y > best_y:
                                best_y = total - paid_y
                            continue
                        k = width(top_y)
                        wins3 = r3 >> k << k
                        if winner_y == 1:
                            fourths_end = self.dear_first(m3, fourths_end)
                        else:
                            fourths_end = self.dear_first(wins3, fourths_end)
                            fourths_end = self.dear_last(m3 ^ wins3, fourths_end)
                    else:
                        wins3 = 0
                        if paid_y >= need:
                            best_y = paid_y
                            break
                        fourths_end = self.dear_last(m3, fourths_end)
                    worst_z = WORST
                    zs = fourths
                    while zs < fourths_end:
                        z = zs[0]
                        zs += 1
                        paid = paid_y + self.count[lowest(z)]
                        after = total - paid
                        winner = 3 if z & wins3 else winner_y
                        if winner & 1:
                            if need <= 0:
                                value = 0
                            elif need > after:
                                value = after
                            elif winner == 1:
                                value = after - self.ask(
                                    h1 ^ x, h2 ^ y, h3 ^ z, h0 ^ b, (leader + 1) & 3, after - need + 1, after, tricks - 1
                                )
                            else:
                                value = after - self.ask(
                                    h3 ^ z, h0 ^ b, h1 ^ x, h2 ^ y, (leader + 3) & 3, after - need + 1, after, tricks - 1
                                )
                        elif need <= paid:
                            value = paid
                        elif need > total:
                            value = total
                        elif winner == 0:
                            value = paid + self.ask(
                                h0 ^ b, h1 ^ x, h2 ^ y, h3 ^ z, leader, need - paid, after, tricks - 1
                            )
                        else:
                            value = paid + self.ask(
                                h2 ^ y, h3 ^ z, h0 ^ b, h1 ^ x, (leader + 2) & 3, need - paid, after, tricks - 1
                            )
                        if self.stopped:
                            return 0
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
        if forced == NULL:
            found = self.entry(key)
            if found.key != key or found.age != self.age:
                found.key = key
                found.age = self.age
                found.low = 0
                found.high = total
            if best >= need:
                if best > found.low:
                    found.low = best
            elif best < found.high:
                found.high = best
        return best
