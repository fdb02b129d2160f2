"""Every match that is over, newest first, a page at a time."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator

from scoring.pages.matches import match_views
from scoring.pages.stage import marks_target, public_stage
from tournaments.enums import DrawState, MatchState
from tournaments.models import Match, Tournament

PER_PAGE = 60


def results_context(tournament: Tournament, page: int) -> dict[str, Any]:
    """Twelve queries for any number of results."""
    stage = public_stage(tournament)
    rows = (
        Match.objects.filter(
            tournament=tournament, stage__draw_state=DrawState.PUBLISHED, state=MatchState.CONFIRMED
        )
        .select_related("round")
        .order_by("-closed_at", "-number")
    )
    paginator = Paginator(rows, PER_PAGE)
    shown = paginator.get_page(page)
    views = match_views(
        tournament.slug, list(shown.object_list), marks_target=marks_target(tournament, stage)
    )
    return {"results": views, "pages": shown, "total": paginator.count}
