"""The stage whose bracket the public sees, and all its matches at once."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from scoring.pages.matches import MatchView, match_views
from tournaments.enums import DrawState
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
