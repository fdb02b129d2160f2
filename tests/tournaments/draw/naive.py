"""A second, naive way to play a bracket: it reads the plan's labels and nothing else of the package's logic.

Also the measure of how early two teams can meet again.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from tournaments.draw.plan import LoserOf, Plan, Seed, WinnerOf
from tournaments.draw.state import Result


@dataclass
class Played:
    """What happened: (number, a, b, winner) of each match in the order of play, and losses by seed."""

    matches: list[tuple[int, int, int, int]] = field(default_factory=list)
    losses: dict[int, int] = field(default_factory=dict)
    champion: int = 0

    def results(self) -> dict[int, Result[int]]:
        return {number: Result("played", "a" if won == a else "b") for number, a, b, won in self.matches}


def play(plan: Plan, rng: random.Random, favourite: float = 0.5) -> Played:
    """Play to the champion with random winners; side a wins with the chance `favourite`.

    Matches are played in a random order among those whose labels can be resolved.
    """
    played = Played(losses=dict.fromkeys(range(1, plan.size + 1), 0))
    results: dict[int, tuple[int, int]] = {}
    todo = {match.number: match for match in plan.matches}

    def team(source: object) -> int | None:
        if isinstance(source, Seed):
            return source.number
        if isinstance(source, WinnerOf) and source.match in results:
            return results[source.match][0]
        if isinstance(source, LoserOf) and source.match in results:
            return results[source.match][1]
        return None

    grand_final = plan.matches[-2] if plan.matches[-1].is_reset else None
    named_by: dict[int, list[int]] = {}
    for match in plan.matches:
        for source in match.sources:
            if not isinstance(source, Seed):
                named_by.setdefault(source.match, []).append(match.number)
    open_now = [n for n, match in todo.items() if all(isinstance(source, Seed) for source in match.sources)]
    while todo:
        assert open_now, f"stuck with {sorted(todo)}"
        pick = rng.randrange(len(open_now))
        open_now[pick], open_now[-1] = open_now[-1], open_now[pick]
        match = todo.pop(open_now.pop())
        a, b = (team(source) for source in match.sources)
        assert a is not None
        assert b is not None
        assert a != b
        won, lost = (a, b) if rng.random() < favourite else (b, a)
        results[match.number] = (won, lost)
        played.losses[lost] += 1
        played.matches.append((match.number, a, b, won))
        for number in sorted(set(named_by.get(match.number, ()))):
            if all(team(source) is not None for source in plan.match(number).sources):
                open_now.append(number)
        if grand_final is not None and match.number == grand_final.number and won == a:
            todo.clear()
    last = max(number for number, *_ in played.matches)
    played.champion = results[last][0]
    return played


def earliest_rematches(plan: Plan) -> dict[tuple[int, int], int]:
    """The first losers' round where the teams of m can meet again, for winners' matches (m, s) on one way.

    The loser of m dropped at once; its winner won on until it lost in s.
    """
    found = {}
    for match in plan.matches:
        if match.section != "winners":
            continue
        first_drop = plan.feeds(match.number).loser
        assert first_drop is not None
        victim = [place.match for place in plan.way(first_drop)]
        for later in _later(plan, match.number):
            drop = plan.feeds(later).loser
            assert drop is not None
            common = next(place.match for place in plan.way(drop) if place.match in victim)
            meeting = plan.match(common)
            if meeting.section == "losers":
                found[match.number, later] = meeting.round_number
    return found


def _later(plan: Plan, number: int) -> list[int]:
    later = []
    place = plan.feeds(number).winner
    while place is not None and plan.match(place.match).section == "winners":
        later.append(place.match)
        place = plan.feeds(place.match).winner
    return later
