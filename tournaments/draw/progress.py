"""How far each round is: what a page shows over a round, and which rounds are the current ones."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TypeVar

from tournaments.draw.plan import Plan, PlannedRound
from tournaments.draw.state import BracketState, MatchStatus

E = TypeVar("E")


@dataclass(frozen=True, slots=True)
class RoundProgress:
    """A round with its matches counted by state. `byes` are those planned and those that came in play."""

    round: PlannedRound
    waiting: int
    ready: int
    decided: int
    byes: int
    void: int
    not_needed: int

    @property
    def is_done(self) -> bool:
        """Nothing is left to play; byes count as done."""
        return self.waiting == 0 and self.ready == 0


def progress(plan: Plan, state: BracketState[E]) -> tuple[RoundProgress, ...]:
    """Every round in play order."""
    counts: Counter[tuple[str, int, MatchStatus]] = Counter()
    for match, now in zip(plan.matches, state.matches, strict=True):
        counts[match.section, match.round_number, now.status] += 1

    def count(one: PlannedRound, status: MatchStatus) -> int:
        return counts[one.section, one.number, status]

    return tuple(
        RoundProgress(
            round=one,
            waiting=count(one, "waiting"),
            ready=count(one, "ready"),
            decided=count(one, "decided"),
            byes=one.byes + count(one, "bye"),
            void=count(one, "void"),
            not_needed=count(one, "not-needed"),
        )
        for one in plan.rounds
    )


def current_rounds(plan: Plan, state: BracketState[E]) -> tuple[PlannedRound, ...]:
    """The first round of each section that still has a match to play, in play order."""
    first: dict[str, PlannedRound] = {}
    for one in progress(plan, state):
        if not one.is_done:
            first.setdefault(one.round.section, one.round)
    return tuple(first.values())
