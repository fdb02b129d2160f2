"""Best play by trying everything, from the rules text; to compare the solver with.

It imports nothing of the engine. A holding is a tuple of tiles like "6-5", holdings go by seat in the
order N E S W; `table` are (seat, tile) in order of play. Positions met again are remembered, nothing else
is clever.
"""

from functools import cache

from tests.fortytwo.naive import COUNT, ORDER
from tests.fortytwo.naive_variants import tricks_of


class Minimax:
    """One contract; in nello `out` is the seat that sits out and `declarer` must take no trick."""

    def __init__(self, named, switches=None, out=None, declarer=None):
        rules = tricks_of(named, switches or {})
        self.seats = [seat for seat in ORDER if seat != out]
        self.declarer = declarer
        self.legal = cache(lambda held, lead: rules.legal(held, lead))
        self.winner = cache(rules.winner)
        self.known = {}

    def value(self, held, leader, table=()):
        """What north and south take from here, the trick on the table included; in nello whether
        declarer stays clear."""
        if len(table) == len(self.seats):
            return self._after(held, table)
        if not table:
            if not any(held):
                return True if self.declarer else 0
            if (held, leader) in self.known:
                return self.known[held, leader]
        values = self.values(held, leader, table).values()
        seat = self.turn(leader, table)
        ours = seat == self.declarer if self.declarer else seat in "NS"
        found = max(values) if ours else min(values)
        if not table:
            self.known[held, leader] = found
        return found

    def values(self, held, leader, table=()):
        """For each tile that the seat in turn may play, the value after it; a lead may be one like
        "6-5/5" where `table` holds it already."""
        seat = self.turn(leader, table)
        at = ORDER.index(seat)
        found = {}
        for tile in self.legal(held[at], table[0][1] if table else None):
            left = tuple(other for other in held[at] if other != tile)
            after = (*held[:at], left, *held[at + 1 :])
            found[tile] = self.value(after, leader, (*table, (seat, tile)))
        return found

    def turn(self, leader, table):
        return self.seats[(self.seats.index(leader) + len(table)) % len(self.seats)]

    def _after(self, held, table):
        winner = self.winner(table)
        rest = self.value(held, winner)
        if self.declarer:
            return winner != self.declarer and rest
        points = 1 + sum(COUNT.get(tile[:3], 0) for _, tile in table)
        return (points if winner in "NS" else 0) + rest
