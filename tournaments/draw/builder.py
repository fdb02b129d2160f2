"""Lays a plan out round by round; shared by the two kinds of elimination and used by nothing else.

A builder is given the full bracket, with None where nobody can ever come. It resolves the gaps at once: one
team and a gap is a bye, two gaps are again a gap, and a round without a single match is left out and not
counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tournaments.draw.plan import (
    SIDES,
    Kind,
    LoserOf,
    Place,
    Plan,
    PlannedBye,
    PlannedMatch,
    PlannedRound,
    Section,
    Seed,
    Source,
    WinnerOf,
)
from tournaments.draw.seeding import bracket_positions


@dataclass(frozen=True, slots=True)
class Coming:
    """A team on its way to its next match, and the byes it has taken since its last one."""

    source: Source
    byes: tuple[tuple[Section, int, int], ...] = ()


Line = Sequence[Coming | None]


class PlanBuilder:
    """Collects rounds in play order and numbers their matches."""

    def __init__(self, kind: Kind, size: int) -> None:
        self._kind: Kind = kind
        self._size = size
        self._rounds: list[PlannedRound] = []
        self._matches: list[PlannedMatch] = []
        self._byes: list[PlannedBye] = []
        self._round_numbers: Counter[Section] = Counter()

    def seeded_line(self) -> list[Coming | None]:
        """The first line of the winners' bracket from the top, with gaps where top seeds have no opponent."""
        places = 1 << (self._size - 1).bit_length()
        return [Coming(Seed(seed)) if seed <= self._size else None for seed in bracket_positions(places)]

    def next_number(self, section: Section) -> int:
        """The number that the next round of this section gets if it has a match."""
        return self._round_numbers[section] + 1

    def add_round(
        self, section: Section, key: str, line: Line, *, final: bool = False, reset: bool = False
    ) -> tuple[list[Coming | None], list[Coming | None]]:
        """Pair the line off by twos from the top; returns the winners and the losers, gaps kept."""
        pairs = list(zip(line[::2], line[1::2], strict=True))
        winners: list[Coming | None] = []
        losers: list[Coming | None] = []
        if not any(a and b for a, b in pairs):
            return [a or b for a, b in pairs], [None] * len(pairs)
        number = self.next_number(section)
        self._round_numbers[section] = number
        self._rounds.append(PlannedRound(section, number, len(self._rounds) + 1, key, 0, 0, len(pairs)))
        for position, (a, b) in enumerate(pairs):
            if a and b:
                match = self._add_match(section, number, position, (a, b), final, reset)
                winners.append(Coming(WinnerOf(match)))
                losers.append(Coming(LoserOf(match)))
            else:
                passing = a or b
                tag = (section, number, position)
                winners.append(replace(passing, byes=(*passing.byes, tag)) if passing else None)
                losers.append(None)
        return winners, losers

    def plan(self) -> Plan:
        """The finished plan."""
        order = {(one.section, one.number): one.play_order for one in self._rounds}
        matches = Counter((match.section, match.round_number) for match in self._matches)
        byes = Counter((bye.section, bye.round_number) for bye in self._byes)
        rounds = [
            replace(one, matches=matches[one.section, one.number], byes=byes[one.section, one.number])
            for one in self._rounds
        ]
        self._byes.sort(key=lambda bye: (order[bye.section, bye.round_number], bye.position))
        return Plan(self._kind, self._size, tuple(rounds), tuple(self._matches), tuple(self._byes))

    def _add_match(
        self,
        section: Section,
        round_number: int,
        position: int,
        sides: tuple[Coming, Coming],
        final: bool,
        reset: bool,
    ) -> int:
        number = len(self._matches) + 1
        self._matches.append(
            PlannedMatch(
                number=number,
                section=section,
                round_number=round_number,
                position=position,
                sources=(sides[0].source, sides[1].source),
                is_final=final,
                is_reset=reset,
                is_third_place=section == "third-place",
            )
        )
        for side, coming in zip(SIDES, sides, strict=True):
            for bye_section, bye_round, bye_position in coming.byes:
                into = Place(number, side)
                self._byes.append(PlannedBye(bye_section, bye_round, bye_position, coming.source, into))
        return number
