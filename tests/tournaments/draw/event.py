"""A tournament as it happens, for tests: results, forfeits and withdrawals in random order, one at a time."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from tournaments.draw.advance import derive, fillings, initial_fillings, settle
from tournaments.draw.plan import Place, Plan
from tournaments.draw.state import BracketState, Result, Slot


@dataclass
class Event:
    """The facts so far, and every state on the way. Entries are the seeds 1 to n."""

    plan: Plan
    results: dict[int, Result[int]] = field(default_factory=dict)
    withdrawn: list[int] = field(default_factory=list)
    states: list[BracketState[int]] = field(default_factory=list)

    @property
    def entries(self) -> range:
        return range(1, self.plan.size + 1)

    def derive(self) -> BracketState[int]:
        state = derive(self.plan, self.entries, self.results, self.withdrawn)
        self.states.append(state)
        return state


def random_event(plan: Plan, rng: random.Random, trouble: float) -> Event:
    """Play until nothing is ready; `trouble` is the chance that a step is not a plain played match."""
    event = Event(plan)
    state = event.derive()
    while state.ready:
        staying = [entry for entry in event.entries if entry not in event.withdrawn]
        if rng.random() < trouble / 3 and staying:
            event.withdrawn.append(rng.choice(staying))
        else:
            now = rng.choice(state.ready)
            assert now.a.entry is not None
            assert now.b.entry is not None
            event.results[now.number] = random_result((now.a.entry, now.b.entry), rng, trouble)
        state = event.derive()
    return event


def random_result(pair: tuple[int, int], rng: random.Random, trouble: float) -> Result[int]:
    winner = rng.choice(("a", "b"))
    if rng.random() >= trouble:
        return Result("played", winner, between=pair)
    kind = rng.choice(("forfeit", "withdrawal", "double-forfeit", "played"))
    if kind == "double-forfeit":
        return Result(kind, None, between=pair)
    return Result(kind, winner, loser_goes_on=rng.random() < 0.5, between=pair)


def walk(event: Event, rng: random.Random) -> dict[Place, Slot[int]]:
    """Reach the same end step by step: matches in random order, writing only what follows from each."""
    plan = event.plan
    slots = {filling_place(filling): filling.slot for filling in initial_fillings(plan, event.entries)}
    unknown: Slot[int] = Slot()
    todo = [match.number for match in plan.matches]
    while todo:
        states = [
            settle(
                plan,
                number,
                slots.get(Place(number, "a"), unknown),
                slots.get(Place(number, "b"), unknown),
                event.results.get(number),
                event.withdrawn,
            )
            for number in todo
        ]
        closed = [state for state in states if state.is_closed]
        if not closed:
            break
        state = rng.choice(closed)
        todo.remove(state.number)
        for filling in fillings(plan, state):
            assert filling_place(filling) not in slots, "a place is filled once"
            slots[filling_place(filling)] = filling.slot
    return slots


def filling_place(filling: object) -> Place:
    return Place(filling.match, filling.side)  # type: ignore[attr-defined]
