# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The search of `claim_search.Search` over known holdings with typed integers; the same answers, faster.

Whatever is said there holds here. What differs: a tile has one holder, so that what was found is kept under the
tiles that are left; it is kept in a table of fixed size that forgets; and the GIL is released.
"""

from libc.stdlib cimport calloc, free

from ._bits cimport SOURCE_DIGEST, lowest, size

DIGEST = SOURCE_DIGEST.decode()

cdef enum:
    TILES = 28
    LEADS = 56
    KNOWN = 0x80000000
    KEPT_BITS = 16
    FEW_TRICKS = 6
    NEVER_LOSES = 200

ctypedef unsigned int u32

cdef struct Entry:
    u32 key
    unsigned char low
    unsigned char high

cdef struct Trick:
    int led
    int leader
    int side
    int need
    int spare
    u32 alike[4]


cdef class Tables:
    """What a contract makes of the tiles, from the fields of a `SuitTable`."""

    cdef u32 follow[LEADS]
    cdef u32 fallback[LEADS]
    cdef u32 beating[LEADS]
    cdef u32 over[LEADS][TILES]
    cdef unsigned char rank[LEADS][TILES]
    cdef int small[TILES]
    cdef u32 called[TILES]
    cdef int called_count
    cdef u32 tens, fives

    def __init__(self, follow, fallback, beating, power, small, called, counts):
        cdef int led, tile, other
        for led in range(LEADS):
            self.follow[led], self.fallback[led], self.beating[led] = follow[led], fallback[led], beating[led]
            row = power[led]
            for tile in range(TILES):
                self.rank[led][tile] = row[tile]
            for tile in range(TILES):
                self.over[led][tile] = 0
                for other in range(TILES):
                    if self.rank[led][other] > self.rank[led][tile]:
                        self.over[led][tile] |= <u32>1 << other
        self.called_count = len(called)
        for tile in range(self.called_count):
            self.called[tile] = called[tile]
        for tile in range(TILES):
            self.small[tile] = small[tile]
            if counts[tile] == 10:
                self.tens |= <u32>1 << tile
            elif counts[tile] == 5:
                self.fives |= <u32>1 << tile


cdef class Lines:
    """One position. `turns` are the seats of a trick by its leader; `order` binds the claimer's tiles."""

    cdef Tables tables
    cdef Entry *known
    cdef Entry *kept
    cdef int bits, seats
    cdef int turns[4][4]
    cdef u32 held[4]
    cdef u32 order[TILES]
    cdef u32 start, tens, fives
    cdef int claimer, ordered
    cdef bint first_lead, stopped
    cdef long long work
    cdef int line_seat[TILES]
    cdef int line_led[TILES]
    cdef int line_size

    def __cinit__(self):
        self.known = self.kept = NULL

    def __init__(self, Tables tables, held, turns, bint counted, bint first_lead, int claimer, order):
        cdef int at, place
        self.tables = tables
        self.first_lead = first_lead
        self.tens = tables.tens if counted else 0
        self.fives = tables.fives if counted else 0
        for at in range(4):
            self.held[at] = held[at]
            self.start |= self.held[at]
            for place in range(len(turns[at])):
                self.turns[at][place] = turns[at][place]
            self.seats = len(turns[at])
        self.claimer = claimer
        self.ordered = len(order)
        for at in range(self.ordered):
            self.order[at] = order[at]
        self.bits = 18 if size(self.start) > 16 else 12  # few tiles have few states
        self.known = <Entry *>calloc(1 << self.bits, sizeof(Entry))
        self.kept = <Entry *>calloc(1 << KEPT_BITS, sizeof(Entry))
        if self.known == NULL or self.kept == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.known)
        free(self.kept)

    def reaches(self, int side, int leader, int need, long long work):
        """Whether some line gives the side so many points, None where it is too much work; the work that is
        left; and the line, the last play first."""
        cdef bint found
        self.work = work
        self.stopped = False
        self.line_size = 0
        with nogil:
            found = self.trick(leader, side, need)
        if self.stopped:
            return None, 0, []
        return bool(found), self.work, [(self.line_seat[at], self.line_led[at]) for at in range(self.line_size)]

    cdef inline int count(self, u32 tiles) noexcept nogil:
        return 10 * size(tiles & self.tens) + 5 * size(tiles & self.fives)

    cdef inline u32 chosen(self, int seat, u32 tiles) noexcept nogil:
        """The first of the claimer's order that may be played."""
        cdef int at
        if seat != self.claimer:
            return tiles
        for at in range(self.ordered):
            if self.order[at] & tiles:
                return self.order[at]
        return tiles

    cdef inline Entry *entry(self, u32 key) noexcept nogil:
        return &self.known[(key * <u32>2654435769) >> (32 - self.bits)]

    cdef bint trick(self, int leader, int side, int need) noexcept nogil:
        cdef u32 rest = self.held[0] | self.held[1] | self.held[2] | self.held[3]
        cdef u32 key
        cdef int left, low, high
        cdef bint found
        cdef Entry *entry
        if need <= 0:
            return True
        left = size(self.held[leader]) + self.count(rest)
        key = KNOWN | rest << 3 | leader << 1 | side
        entry = self.entry(key)
        low, high = 0, left
        if entry.key == key:
            low, high = entry.low, entry.high
        if need <= low:
            return True
        if need > high or need > left - self.sure(leader, 1 - side, left, rest == self.start):
            return False
        found = self.lead(leader, side, need, left - need, rest == self.start)
        if self.stopped:
            return False
        if entry.key != key:
            entry.key, entry.low, entry.high = key, low, high
        if found:
            entry.low = need
        else:
            entry.high = need - 1
        return found

    cdef bint lead(self, int leader, int side, int need, int spare, bint at_start) noexcept nogil:
        cdef int leads[LEADS]
        cdef int ranks[LEADS]
        cdef int led, tile, at, number = 0
        cdef u32 options = self.chosen(leader, self.held[leader])
        cdef bint ours = leader & 1 == side
        cdef Trick trick
        trick.leader, trick.side, trick.need, trick.spare = leader, side, need, spare
        self.find_alike(&trick, at_start)
        options &= ~trick.alike[leader]
        while options:
            tile = lowest(options)
            options &= options - 1
            number = self.put(leads, ranks, number, tile, self.lead_order(tile, ours))
            if at_start and self.first_lead and self.tables.small[tile] >= 0:
                led = self.tables.small[tile]
                number = self.put(leads, ranks, number, led, self.lead_order(led, ours))
        for at in range(number):
            led = leads[at]
            tile = led % TILES
            if not self.pay():
                return False
            trick.led = led
            self.held[leader] ^= <u32>1 << tile
            if self.follow(&trick, 1, tile, leader, 1 + self.count(<u32>1 << tile)):
                self.held[leader] ^= <u32>1 << tile
                self.keep(leader, led)
                return True
            self.held[leader] ^= <u32>1 << tile
        return False

    cdef bint follow(self, Trick *trick, int place, int best, int taker, int points) noexcept nogil:
        cdef int tiles[TILES]
        cdef int ranks[TILES]
        cdef int number = 0
        cdef int seat, tile, at
        cdef u32 options, over
        cdef bint leading = taker & 1 == trick.side
        if not leading and points > trick.spare and not self.can_overtake(trick, place, best):
            return False
        if place == self.seats:
            return self.trick(taker, trick.side, trick.need - points if leading else trick.need)
        seat = self.turns[trick.leader][place]
        options = self.held[seat] & self.tables.follow[trick.led]
        if not options:
            options = self.held[seat] & self.tables.fallback[trick.led]
        if not options:
            options = self.held[seat]
        options = self.chosen(seat, options) & ~trick.alike[seat]
        over = self.tables.over[trick.led][best]
        while options:
            tile = lowest(options)
            options &= options - 1
            at = self.reply_order(tile, over >> tile & 1, leading, seat & 1 == trick.side)
            number = self.put(tiles, ranks, number, tile, at)
        for at in range(number):
            tile = tiles[at]
            if not self.pay():
                return False
            self.held[seat] ^= <u32>1 << tile
            if self.follow(
                trick,
                place + 1,
                tile if over >> tile & 1 else best,
                seat if over >> tile & 1 else taker,
                points + self.count(<u32>1 << tile),
            ):
                self.held[seat] ^= <u32>1 << tile
                self.keep(seat, tile)
                return True
            self.held[seat] ^= <u32>1 << tile
        return False

    cdef inline bint pay(self) noexcept nogil:
        self.work -= 1
        self.stopped = self.stopped or self.work < 0
        return not self.stopped

    cdef inline void keep(self, int seat, int led) noexcept nogil:
        self.line_seat[self.line_size] = seat
        self.line_led[self.line_size] = led
        self.line_size += 1

    cdef inline int put(self, int *leads, int *ranks, int number, int led, int rank) noexcept nogil:
        """Put a lead in its place among those before, the lowest rank first; how many there are now."""
        cdef int at = number
        while at > 0 and ranks[at - 1] > rank:
            leads[at], ranks[at] = leads[at - 1], ranks[at - 1]
            at -= 1
        leads[at], ranks[at] = led, rank
        return number + 1

    cdef inline bint can_overtake(self, Trick *trick, int place, int best) noexcept nogil:
        cdef int at, seat
        cdef u32 over = self.tables.over[trick.led][best]
        for at in range(place, self.seats):
            seat = self.turns[trick.leader][at]
            if seat & 1 == trick.side and self.held[seat] & over:
                return True
        return False

    cdef inline int lead_order(self, int led, bint ours) noexcept nogil:
        cdef int beaten = size(self.tables.beating[led])
        return beaten if ours else -beaten - 10 * self.count(<u32>1 << led % TILES)

    cdef inline int reply_order(self, int tile, bint overtakes, bint leading, bint ours) noexcept nogil:
        cdef int count = 10 * self.count(<u32>1 << tile)
        cdef int beaten = size(self.tables.beating[tile])
        if leading and ours:
            return -count - beaten
        if leading:
            return 1000 * overtakes - count + beaten
        if ours:
            return -1000 - count - beaten if overtakes else count - beaten
        return 100 * overtakes + beaten - count

    cdef void find_alike(self, Trick *trick, bint at_start) noexcept nogil:
        """Per seat the tiles that need not be tried, since one that is tried does the same from here on."""
        cdef u32 leads = self.leads_to_come(trick)
        cdef int seat
        for seat in range(4):
            trick.alike[seat] = 0
            if not (at_start and self.first_lead) and not (seat == self.claimer and self.ordered):
                trick.alike[seat] = self.alike_of(seat, leads)

    cdef u32 leads_to_come(self, Trick *trick) noexcept nogil:
        """The tiles that may be led until the question is answered."""
        cdef int leader = trick.leader, side = trick.leader & 1
        cdef u32 leads = self.held[leader]
        cdef u32 others = self.held[1 - side] | self.held[3 - side]
        if self.hands_over(leader, others):
            leads |= self.held[leader ^ 2]
        # Where one trick of theirs ends it, whichever way, they lead nothing.
        if (trick.need <= 1 if side != trick.side else trick.spare < 1):
            return leads
        if size(self.held[leader]) - self.sure_tricks(side, self.held[side], self.held[side + 2], others) <= 1:
            return leads
        # Whoever of theirs leads, everybody may take the lead.
        return leads | others | self.held[leader ^ 2]

    cdef bint hands_over(self, int leader, u32 against) noexcept nogil:
        """Whether the partner may take a lead from the leader while the rest is not sure."""
        cdef u32 lead, mine = self.held[leader], leads = self.held[leader]
        cdef int tricks = size(leads) - 1
        while leads:
            lead = leads & (0 - leads)
            leads ^= lead
            if (
                self.tables.beating[lowest(lead)] & self.held[leader ^ 2]
                and self.sure_tricks(leader & 1, mine ^ lead, 0, against) < tricks
            ):
                return True
        return False

    cdef u32 alike_of(self, int seat, u32 leads) noexcept nogil:
        cdef u32 rest = self.held[0] | self.held[1] | self.held[2] | self.held[3]
        cdef u32 kept = 0, alike = 0, others, group, tiles = self.held[seat]
        cdef int tile, one
        while tiles:
            tile = lowest(tiles)
            tiles &= tiles - 1
            others = kept
            while others:
                one = lowest(others)
                others &= others - 1
                if self.count(<u32>1 << one) == self.count(<u32>1 << tile) and self.are_alike(
                    one, tile, rest & ~(<u32>1 << one | <u32>1 << tile | alike), leads
                ):
                    alike |= <u32>1 << tile
                    break
            else:
                kept |= <u32>1 << tile
        return alike

    cdef bint are_alike(self, int one, int other, u32 rest, u32 leads) noexcept nogil:
        """Whether both follow, win and, if they may be led, are followed and beaten in the same way."""
        cdef u32 tiles = leads & rest
        cdef u32 differ
        cdef int led
        while tiles:
            led = lowest(tiles)
            tiles &= tiles - 1
            differ = self.tables.follow[led] >> one ^ self.tables.follow[led] >> other
            differ |= self.tables.fallback[led] >> one ^ self.tables.fallback[led] >> other
            if differ & 1 or (self.tables.over[led][one] ^ self.tables.over[led][other]) & rest:
                return False
        if not leads >> one & 1:
            return True
        differ = self.tables.follow[one] ^ self.tables.follow[other]
        differ |= self.tables.fallback[one] ^ self.tables.fallback[other]
        differ |= self.tables.over[one][one] ^ self.tables.over[other][other]
        tiles = rest
        while tiles and not differ & rest:
            led = lowest(tiles)
            tiles &= tiles - 1
            differ |= self.tables.over[one][led] ^ self.tables.over[other][led]
        return not differ & rest

    cdef inline int sure_tricks(self, int side, u32 one, u32 other, u32 against) noexcept nogil:
        cdef u32 group, above = 0
        cdef int at, most, beaten, first = 0, second = 0, shared = 0
        for at in range(self.tables.called_count - 1, -1, -1):
            above |= self.tables.called[at]
            most = size(against & above)
            shared = max(shared, (size((one | other) & above) + 1) // 2 - most)
        for at in range(self.tables.called_count):
            group = self.tables.called[at]
            beaten = size(against & group)
            first = max(0, first + size(one & group) - beaten)
            second = max(0, second + size(other & group) - beaten)
        return max(shared, max(first, second))

    cdef int sure(self, int leader, int side, int left, bint at_start) noexcept nogil:
        cdef u32 against = self.held[1 - side] | self.held[3 - side]
        cdef u32 held, bosses = 0, above = 0
        cdef int at, tens, tricks, points = 0, whole = left
        if leader & 1 == side and not (at_start and self.first_lead):
            if self.runs(leader, against):
                return left
            if size(self.held[leader]) >= FEW_TRICKS:
                points = self.kept_points(leader, self.held[leader], self.held[leader ^ 2], against)
            if points == NEVER_LOSES:
                return left
        tricks = self.sure_tricks(side, self.held[side], self.held[side + 2], against)
        if not tricks:
            return points
        for at in range(self.tables.called_count - 1, -1, -1):
            above |= self.tables.called[at]
            if against & above:
                break
            bosses |= self.tables.called[at]
        # The others take the rest at most, with their dearest tiles in it.
        tricks = size(self.held[leader]) - tricks
        left -= tricks
        for at in range(4):
            held = self.held[at] & ~bosses
            tens = min(tricks, size(held & self.tens))
            left -= 10 * tens + 5 * min(tricks - tens, size(held & self.fives))
        if tricks == 1 and leader & 1 == side and not (at_start and self.first_lead):
            left = max(left, whole - self.one_trick(side))
        return max(left, points)

    cdef int one_trick(self, int side) noexcept nogil:
        """The most points of one trick that this side leads and the others take."""
        cdef u32 leads, takers, over
        cdef int leader, taker, led, tile, most, best = 0
        for leader in range(side, 4, 2):
            leads = self.held[leader]
            while leads:
                led = lowest(leads)
                leads &= leads - 1
                for taker in range(1 - side, 4, 2):
                    takers = self.held[taker] & self.tables.over[led][led]
                    while takers:
                        tile = lowest(takers)
                        takers &= takers - 1
                        over = self.tables.over[led][tile]
                        most = 1 + self.count(<u32>1 << led | <u32>1 << tile)
                        most += self.dearest(self.held[taker ^ 2])
                        most += self.dearest(self.held[leader ^ 2] & ~over)
                        best = max(best, most)
        return best

    cdef inline int dearest(self, u32 tiles) noexcept nogil:
        return 10 if tiles & self.tens else 5 if tiles & self.fives else 0

    cdef int kept_points(self, int leader, u32 mine, u32 partners, u32 against) noexcept nogil:
        """What the side keeps at least while it leads, or `NEVER_LOSES`, if all tiles of the others may be played
        to every trick. Once a trick is lost only sure tricks count."""
        cdef u32 leads, options, replies, over, lead, reply
        cdef int led, best, points, least = NEVER_LOSES
        cdef u32 key = KNOWN | (mine | partners | against) << 3 | leader
        cdef Entry *known = &self.kept[(key * <u32>2654435769) >> (32 - KEPT_BITS)]
        if not mine:
            return NEVER_LOSES
        if known.key == key:
            return known.low
        leads = self.chosen(leader, mine)
        while leads:
            led = lowest(leads)
            lead = <u32>1 << led
            leads ^= lead
            options = partners & self.tables.follow[led]
            if not options:
                options = partners & self.tables.fallback[led]
            options = self.chosen(leader ^ 2, options if options else partners)
            while True:
                # The partner may sit out.
                self.work -= 1
                reply = options & (0 - options)
                options ^= reply
                over, best = self.tables.over[led][led], leader
                if reply & over:
                    over, best = self.tables.over[led][lowest(reply)], leader ^ 2
                if over & against:
                    points = self.sure_tricks(leader & 1, mine ^ lead, partners ^ reply, against)
                elif best == leader:
                    points = self.kept_points(leader, mine ^ lead, partners ^ reply, against)
                else:
                    points = self.kept_points(best, partners ^ reply, mine ^ lead, against)
                if not over & against and points < NEVER_LOSES:
                    points += 1 + self.count(lead | reply)
                least = min(least, points)
                if not options:
                    break
        known.key, known.low = key, least
        return least

    cdef inline bint runs(self, int leader, u32 against) noexcept nogil:
        """Whether whatever the side leads from here on takes the trick, as the holdings are now."""
        cdef u32 mine = self.held[leader], partners = self.held[leader ^ 2]
        if self.any_beaten(mine, against):
            return False
        return not self.any_beaten(mine, partners) or not self.any_beaten(partners, against)

    cdef inline bint any_beaten(self, u32 tiles, u32 others) noexcept nogil:
        while tiles:
            if self.tables.beating[lowest(tiles)] & others:
                return True
            tiles &= tiles - 1
        return False
