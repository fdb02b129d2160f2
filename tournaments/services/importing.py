"""Entering a list of teams that was read before: pages, admin and API enter one by this service alone."""

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction

from tournaments.actors import Actor
from tournaments.errors import AgainstRules, Conflict, Refusal
from tournaments.models import Entry
from tournaments.selectors.importing import Line, Plan, PlannedLine, Problem, plan_import
from tournaments.services.entry import NewEntry, entries_add_locked, entries_lock

WRONG_BY_ITSELF: frozenset[Problem] = frozenset({"bad_name", "two_players", "bad_seed", "same_player_twice"})


def lines_enter(
    *, tournament_id: UUID, lines: Sequence[Line], actor: Actor, leave_out_conflicts: bool = False
) -> list[Entry]:
    """Enter the teams of these lines that are new, in one transaction; those that are the same are passed over.

    Doing it twice enters nobody twice. Unless conflicts are left out, one of them refuses every line with
    the code of the first: Conflict, or AgainstRules for a line that is wrong by itself; `lines` names all
    of them. Needs the desk's role.
    """
    with transaction.atomic(durable=True):
        tournament = entries_lock(tournament_id, actor)
        plan = plan_import(tournament, lines)
        if plan.conflicts and not leave_out_conflicts:
            raise _refusal(plan)
        new = [_new_entry(one.line) for one in plan.new]
        return entries_add_locked(tournament, new, actor) if new else []


def _refusal(plan: Plan) -> Refusal:
    first = plan.conflicts[0]
    kind = AgainstRules if first.code in WRONG_BY_ITSELF else Conflict
    return kind(
        first.code,
        f"Line {first.line.number}: {first.why}",
        line=first.line.number - 1,
        name=first.line.name,
        lines=[_shown(one) for one in plan.conflicts],
    )


def _shown(one: PlannedLine) -> dict[str, object]:
    return {"number": one.line.number, "name": one.line.name, "code": one.code, "why": one.why}


def _new_entry(line: Line) -> NewEntry:
    seed = int(line.seed) if line.seed else None
    return NewEntry(name=line.name, players=list(line.players), seed=seed, rating=line.rating)
