"""Who came where in a stage, computed from confirmed results each time; nothing is incremented."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from uuid import UUID

from tournaments.draw import advance
from tournaments.draw.placings import Placing, entry_facts, placings
from tournaments.draw.plan import Plan
from tournaments.draw.state import BracketState, MatchState
from tournaments.models import Entry, Stage
from tournaments.selectors.bracket import BracketRows, MatchRow, bracket_rows
from tournaments.selectors.plan import drawn_result, drawn_slot, stage_plan


@dataclass(frozen=True, slots=True)
class PlacingRow:
    """One line of the placings. `label` is '5' or '=5'; `exit` the key of the round where the team went out."""

    rank: int
    label: str
    standing: str
    entry_id: UUID
    number: int
    name: str
    still_in: bool
    withdrawn: bool
    won: int
    lost: int
    marks_for: int
    marks_against: int
    exit: str
    exit_match: str
    exit_by: str


def placing_rows(stage: Stage) -> list[PlacingRow]:
    """The placings of a stage, best first. Six queries; before the draw is published: nobody."""
    return placing_rows_of(bracket_rows(stage))


def placing_rows_of(bracket: BracketRows) -> list[PlacingRow]:
    """The placings of a bracket that was read already. One query more."""
    if not bracket.rounds:
        return []
    stage = bracket.stage
    plan = stage_plan(stage)
    matches = sorted(bracket.matches, key=lambda match: match.number)
    entries = {entry.pk: entry for entry in Entry.objects.filter(tournament_id=stage.tournament_id)}
    out = sorted(
        (entry for entry in entries.values() if entry.is_out and entry.withdrawn_at is not None),
        key=lambda entry: (entry.withdrawn_at, entry.pk),
    )
    state = bracket_state(plan, matches, tuple(entry.pk for entry in out))
    drawn = sorted(
        {side.entry_id for match in matches for side in match.sides if side.entry_id is not None},
        key=lambda entry_id: entries[entry_id].number,
    )
    won, marks = _sums(matches)
    codes = {match.number - stage.first_number + 1: match for match in matches}
    facts = entry_facts(plan, state, drawn, marks)
    return [_row(line, entries[line.entry], won[line.entry], codes) for line in placings(facts)]


def bracket_state(plan: Plan, matches: list[MatchRow], withdrawn: tuple[UUID, ...]) -> BracketState[UUID]:
    """The stored bracket as the pure value; `matches` in the order of their numbers."""
    states: list[MatchState[UUID]] = []
    for number, match in enumerate(matches, start=1):
        first, second = (drawn_slot(side.state, side.entry_id, side.cause) for side in match.sides)
        result = drawn_result(match.outcome, match.winner_side)
        states.append(advance.settle(plan, number, first, second, result, withdrawn))
    final = states[plan.final.number - 1]
    reset = None if plan.reset is None else states[plan.reset.number - 1]
    return BracketState(tuple(states), advance.champion(final, reset), withdrawn)


def _sums(matches: list[MatchRow]) -> tuple[dict[UUID, int], dict[UUID, tuple[int, int]]]:
    """Matches won, and marks for and against, by entry."""
    won: dict[UUID, int] = defaultdict(int)
    marks: dict[UUID, tuple[int, int]] = {}
    for match in matches:
        if not match.outcome:
            continue
        for side, other in (match.sides, match.sides[::-1]):
            if side.entry_id is not None:
                won[side.entry_id] += side.won
                before = marks.get(side.entry_id, (0, 0))
                marks[side.entry_id] = before[0] + sum(side.marks), before[1] + sum(other.marks)
    return won, marks


def _row(line: Placing[UUID], entry: Entry, won: int, matches: dict[int, MatchRow]) -> PlacingRow:
    exit_ = line.facts.exit
    last = matches[exit_.match] if exit_ is not None else None
    return PlacingRow(
        rank=line.rank,
        label=line.label,
        standing=line.standing,
        entry_id=entry.pk,
        number=entry.number,
        name=entry.name,
        still_in=line.standing == "still-in",
        withdrawn=entry.is_out,
        won=won,
        lost=line.facts.losses,
        marks_for=line.facts.marks_for,
        marks_against=line.facts.marks_against,
        exit=last.round_key if last else "",
        exit_match=last.code if last else "",
        exit_by=exit_.by if exit_ is not None else "",
    )
