"""The stage whose bracket the public sees, and all its matches at once."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from django.db.models import Count

from scoring.pages.bracket import ABSENT, Head, head_of
from scoring.pages.matches import ON_THE_TABLE, MatchView, match_views
from tournaments.enums import DrawState, MatchState
from tournaments.models import Bye, Match, Stage, Tournament
from tournaments.rulesets import tournament_rules


@dataclass(frozen=True, slots=True)
class StageView:
    """A published stage, or the announced one with `is_drawn` False."""

    stage: Stage | None
    is_drawn: bool
    matches: list[MatchView]
    byes: dict[str, int]


def public_stage(tournament: Tournament) -> Stage | None:
    """The last stage whose draw is published, else the first that is announced. One query."""
    stages = list(Stage.objects.filter(tournament=tournament).order_by("number"))
    for stage in stages:
        stage.tournament = tournament
    published = [stage for stage in stages if stage.draw_state == DrawState.PUBLISHED]
    return published[-1] if published else stages[0] if stages else None


def marks_target(tournament: Tournament, stage: Stage | None) -> int:
    """What a game is played to in this stage."""
    return tournament_rules(tournament, stage.rules if stage else None).target


def stage_view(tournament: Tournament) -> StageView:
    """The whole published bracket. Eleven queries; one while nothing is published."""
    stage = public_stage(tournament)
    if stage is None or stage.draw_state != DrawState.PUBLISHED:
        return StageView(stage, False, [], {})
    rows = Match.objects.filter(stage=stage).select_related("round").order_by("round__play_order", "position")
    byes = Counter(Bye.objects.filter(stage=stage).values_list("round__key", flat=True))
    views = match_views(tournament.slug, rows, marks_target=marks_target(tournament, stage))
    return StageView(stage, True, views, dict(byes))


@dataclass(frozen=True, slots=True)
class Heads:
    """The figures over every round, and the shape of the board that they stand over."""

    rounds: list[Head]
    shape: str


def heads_of(tournament: Tournament) -> Heads:
    """The figures over the rounds, without reading a match. Three queries, however large the field."""
    stage = public_stage(tournament)
    if stage is None or stage.draw_state != DrawState.PUBLISHED:
        return Heads([], "")
    counts: dict[str, Counter[str]] = {}
    rows = Match.objects.filter(stage=stage).order_by().values_list("round__key", "is_reset", "state")
    absent = 0
    for key, is_reset, state, number in rows.annotate(number=Count("pk")):
        counts.setdefault(key, Counter())[state] += number
        absent += number if is_reset and state in ABSENT else 0
    byes = Counter(Bye.objects.filter(stage=stage).values_list("round__key", flat=True))
    total = sum(sum(states.values()) for states in counts.values())
    return Heads(
        [
            head_of(
                key,
                matches=sum(states.values()) - states[MatchState.VOID],
                byes=byes[key],
                live=sum(states[state] for state in ON_THE_TABLE),
                done=states[MatchState.CONFIRMED],
            )
            for key, states in counts.items()
        ],
        f"{total - absent}",
    )


def shape_of(matches: list[MatchView]) -> str:
    """Changes when a match appears on the board or leaves it."""
    return str(sum(not (match.is_reset and match.state in ABSENT) for match in matches))
