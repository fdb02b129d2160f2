"""An event on paper: the pure draw with the plans of its matches, played without a server.

It gives the canonical export that a real run must equal to the byte.
"""

from collections import Counter

from scoring.simulation.export import Export
from scoring.simulation.names import team_names
from scoring.simulation.plans import Habits, MatchPlan, plan_match
from tournaments.draw import double_elimination, single_elimination
from tournaments.draw.advance import derive
from tournaments.draw.placings import entry_facts, placings
from tournaments.draw.seeding import Entrant, draw_order
from tournaments.draw.state import BracketState, MatchState, Result

DOUBLE, SINGLE = "double-elimination", "single-elimination"


def paper_export(
    teams: int,
    habits: Habits,
    *,
    kind: str = DOUBLE,
    best_of: int = 3,
    single_final: bool = False,
    third_place: bool = False,
) -> Export:
    """The whole event, from the names of its teams to the placings."""
    plan = (
        double_elimination.build(teams, grand_final_reset=not single_final)
        if kind == DOUBLE
        else single_elimination.build(teams, third_place=third_place)
    )
    numbers = range(1, teams + 1)
    lots = draw_order(
        [Entrant(number, number) for number in numbers], method="random", random_seed=habits.seed
    )
    names = {number: team.name for number, team in zip(numbers, team_names(teams, habits.seed), strict=True)}
    plans: dict[int, MatchPlan] = {}
    results: dict[int, Result[int]] = {}
    state: BracketState[int] = derive(plan, lots.entries, results, ())
    while state.ready:
        for match in state.ready:
            plans[match.number] = plan_match(habits, f"M{match.number}", best_of)
            winner = "a" if plans[match.number].winner == "NS" else "b"
            results[match.number] = Result("played", winner)
        state = derive(plan, lots.entries, results, ())
    marks = _marks(state, plans)
    won = Counter(match.winning_entry for match in state.matches if match.status == "decided")
    facts = entry_facts(plan, state, lots.entries, marks)
    lines = placings(sorted(facts, key=lambda one: one.entry))
    return {
        "champion": names[state.champion] if state.champion else None,
        "stages": [
            {
                "stage": 1,
                "matches": [_match(match, plans.get(match.number), names) for match in state.matches],
                "placings": [
                    {
                        "rank": line.label,
                        "team": names[line.entry],
                        "won": won[line.entry],
                        "lost": line.facts.losses,
                        "for": line.facts.marks_for,
                        "against": line.facts.marks_against,
                    }
                    for line in lines
                ],
            }
        ],
    }


def _match(match: MatchState[int], plan: MatchPlan | None, names: dict[int, str]) -> dict[str, object]:
    decided = match.status == "decided" and plan is not None
    winner = match.winning_entry
    return {
        "code": f"M{match.number}",
        "state": "confirmed" if decided else "void",
        "outcome": "played" if decided else "",
        "teams": [names[slot.entry] if slot.entry else "" for slot in (match.a, match.b)],
        "games": [[game.score.ns, game.score.ew] for game in plan.games] if decided and plan else [],
        "winner": names[winner] if decided and winner else None,
    }


def _marks(state: BracketState[int], plans: dict[int, MatchPlan]) -> dict[int, tuple[int, int]]:
    marks: dict[int, tuple[int, int]] = {}
    for match in state.matches:
        if match.number not in plans:
            continue
        ns = sum(game.score.ns for game in plans[match.number].games)
        ew = sum(game.score.ew for game in plans[match.number].games)
        for slot, own, other in ((match.a, ns, ew), (match.b, ew, ns)):
            if slot.entry is not None:
                before = marks.get(slot.entry, (0, 0))
                marks[slot.entry] = (before[0] + own, before[1] + other)
    return marks
