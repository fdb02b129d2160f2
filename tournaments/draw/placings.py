"""Who came where: champion, runner-up, third, then shared places by the round of exit.

Terms
-----
exit      where a team went out: the match after which it has no place to play at.
still in  a team that has not gone out; while play goes on these stand above all who have, fewest
          losses first.
shared    a rank held by several teams, shown as `=5`; the next rank counts all of them (5, 5, 5, 5, 9).

`placings` looks only at `EntryFacts`, one for each entry, so it serves any knock-out. `entry_facts` makes
them from a bracket; marks are added raw and never break a tie.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Generic, Literal, TypeAlias, TypeVar

from tournaments.draw.plan import Plan, PlannedMatch, Section
from tournaments.draw.state import BracketState, MatchState

E = TypeVar("E")

ExitBy: TypeAlias = Literal["lost", "forfeit", "withdrawal", "double-forfeit"]
Prize: TypeAlias = Literal["title", "third-place"]
Standing: TypeAlias = Literal["champion", "runner-up", "third", "still-in", "out"]
EmptySecond: TypeAlias = Literal["leave-empty", "move-up"]

_EXIT_BY: Mapping[str | None, ExitBy] = {
    "played": "lost",
    "forfeit": "forfeit",
    "withdrawal": "withdrawal",
    "double-forfeit": "double-forfeit",
}


@dataclass(frozen=True, slots=True)
class Exit:
    """Where and how a team went out.

    `order` is the play order of the round: who goes out later stands higher, and equal orders share a rank.
    `prize` is set when the match decided the title or third place.
    """

    order: int
    section: Section
    round_number: int
    match: int
    by: ExitBy
    prize: Prize | None = None


@dataclass(frozen=True, slots=True)
class EntryFacts(Generic[E]):
    """What is confirmed of one entry. `exit` is None for a team still in, the champion, and the winner of
    third place.

    `marks_for` and `marks_against` are sums over all confirmed games, as scored.
    """

    entry: E
    losses: int
    exit: Exit | None
    is_champion: bool = False
    is_third: bool = False
    withdrawn: bool = False
    marks_for: int = 0
    marks_against: int = 0


@dataclass(frozen=True, slots=True)
class Placing(Generic[E]):
    """One line of the placings. `facts` is what it was computed from."""

    rank: int
    is_shared: bool
    standing: Standing
    facts: EntryFacts[E]

    @property
    def entry(self) -> E:
        """The entry that is placed."""
        return self.facts.entry

    @property
    def label(self) -> str:
        """The rank as shown: `3`, or `=5` when shared."""
        return f"={self.rank}" if self.is_shared else str(self.rank)


def placings(
    facts: Iterable[EntryFacts[E]], *, empty_second: EmptySecond = "leave-empty"
) -> tuple[Placing[E], ...]:
    """Rank the entries, best first; within a shared rank the order given is kept.

    A vacant title (a double-forfeited final) stays vacant: its teams share rank 2. When a champion had
    nobody to beat, second place is left empty and the next rank is 3, or with `move-up` the next teams move
    to 2.
    """
    given = list(facts)
    title_is_settled = any(one.is_champion or _prize(one) == "title" for one in given)
    vacant = not title_is_settled and bool(given) and not any(_standing(one) == "still-in" for one in given)
    ranked = sorted(given, key=lambda one: _tier(one, title_is_settled))
    placed: list[Placing[E]] = []
    taken = 0
    for tier, group in groupby(ranked, key=lambda one: _tier(one, title_is_settled)):
        tied = list(group)
        if (title_is_settled or vacant) and tier[0] >= _RUNNER_UP:
            nobody_second = tier[0] > _RUNNER_UP and empty_second == "leave-empty"
            taken = max(taken, 2 if nobody_second else 1)
        placed.extend(Placing(taken + 1, len(tied) > 1, _standing(one), one) for one in tied)
        taken += len(tied)
    return tuple(placed)


def entry_facts(
    plan: Plan,
    state: BracketState[E],
    entries: Sequence[E],
    marks: Mapping[E, tuple[int, int]] | None = None,
) -> tuple[EntryFacts[E], ...]:
    """The facts of every entry, in seed order. `marks` holds marks for and against by entry."""
    losses = dict.fromkeys(entries, 0)
    exits: dict[E, Exit] = {}
    third: E | None = None
    for match, now in zip(plan.matches, state.matches, strict=True):
        for entry, by in _beaten(now):
            losses[entry] += 1
            exits[entry] = _exit(plan, match, by)
            if _has_further_place(plan, match, now):
                del exits[entry]
        if now.status == "void":
            for entry in _present(now):
                exits[entry] = _exit(plan, match, "withdrawal")
        if match.is_third_place:
            third = now.winning_entry
    _withdrawn_and_waiting(plan, state, exits, third)
    gone = frozenset(state.withdrawn)
    scored = marks or {}
    return tuple(
        EntryFacts(
            entry=entry,
            losses=losses[entry],
            exit=exits.get(entry),
            is_champion=state.champion is not None and entry == state.champion,
            is_third=third is not None and entry == third,
            withdrawn=entry in gone,
            marks_for=scored.get(entry, (0, 0))[0],
            marks_against=scored.get(entry, (0, 0))[1],
        )
        for entry in entries
    )


_RUNNER_UP = 2


def _tier(facts: EntryFacts[E], title_is_settled: bool) -> tuple[int, int]:
    """Sorts the best first; equal tiers share a rank."""
    standing = _standing(facts)
    if standing == "champion":
        return 0, 0
    if standing == "still-in":
        return (3 if title_is_settled else 1), facts.losses
    if standing == "runner-up":
        return _RUNNER_UP, 0
    if standing == "third":
        return 4, 0
    assert facts.exit is not None
    return (5, 0) if facts.exit.prize == "third-place" else (6, -facts.exit.order)


def _standing(facts: EntryFacts[E]) -> Standing:
    if facts.is_champion:
        return "champion"
    if facts.is_third:
        return "third"
    if facts.exit is None:
        return "still-in"
    return "runner-up" if facts.exit.prize == "title" else "out"


def _prize(facts: EntryFacts[E]) -> Prize | None:
    return None if facts.exit is None else facts.exit.prize


def _beaten(now: MatchState[E]) -> list[tuple[E, ExitBy]]:
    """The teams that took a loss in this match."""
    if now.status != "decided":
        return []
    beaten = _present(now) if now.winner is None else [now.losing_entry]
    return [(entry, _EXIT_BY[now.outcome]) for entry in beaten if entry is not None]


def _present(now: MatchState[E]) -> list[E]:
    return [slot.entry for slot in (now.a, now.b) if slot.entry is not None]


def _exit(plan: Plan, match: PlannedMatch, by: ExitBy, *, provisional: bool = False) -> Exit:
    prize: Prize | None = None
    if not provisional and (match.is_final or match.is_reset):
        prize = "title"
    elif not provisional and match.is_third_place:
        prize = "third-place"
    order = plan.round_of(match).play_order
    return Exit(order, match.section, match.round_number, match.number, by, prize)


def _has_further_place(plan: Plan, match: PlannedMatch, now: MatchState[E]) -> bool:
    """The loser plays on. After a grand final it does so only if it was the unbeaten side a."""
    if match.is_final and now.winner == "a":
        return False
    return now.loser_goes_on and plan.feeds(match.number).loser is not None


def _withdrawn_and_waiting(plan: Plan, state: BracketState[E], exits: dict[E, Exit], third: E | None) -> None:
    """A withdrawn team whose next match has no opponent yet is out all the same, in that match."""
    for entry in state.withdrawn:
        if entry in exits or entry in (state.champion, third):
            continue
        for now in reversed(state.matches):
            if entry in _present(now):
                if now.status == "waiting":
                    exits[entry] = _exit(plan, plan.match(now.number), "withdrawal", provisional=True)
                break
