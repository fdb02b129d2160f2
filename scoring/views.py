"""The public pages. Each view finds the page's revision first and renders only when nobody has that revision yet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import timezone
from django.views.decorators.http import require_safe

from scoring.pages.archive import archive_context, archive_version, listed
from scoring.pages.bracket import board, parts_of
from scoring.pages.cache import respond
from scoring.pages.home import home_context
from scoring.pages.match import cell_context, match_context
from scoring.pages.matches import MatchView
from scoring.pages.player import player_context
from scoring.pages.results import results_context
from scoring.pages.rules import presets_context, rules_context
from scoring.pages.stage import heads_of, shape_of, stage_view
from scoring.pages.standings import placings_csv, results_csv, standings_context
from scoring.pages.state import PageState, page_state
from scoring.pages.tables import tables_context
from scoring.pages.teams import codes_of, entry_of, team_page, teams_context
from tournaments.models import Tournament
from tournaments.selectors.announcements import showing

Build = Callable[[Tournament], dict[str, Any]]

BRACKET_PARTS = ("winners", "losers", "finals")


@require_safe
def archive(request: HttpRequest) -> HttpResponse:
    """All public tournaments."""
    rows = listed()
    return respond(
        request,
        key="archive",
        version=archive_version(rows),
        private=False,
        render=lambda: render_to_string("scoring/archive.html", archive_context(rows)),
    )


@require_safe
def presets(request: HttpRequest) -> HttpResponse:
    """Every set of rules against the default."""
    return respond(
        request,
        key="presets",
        version="1",  # nothing of it changes without a new program, which the ETag holds
        private=False,
        render=lambda: render_to_string("scoring/presets.html", presets_context()),
    )


@require_safe
def home(request: HttpRequest, slug: str) -> HttpResponse:
    """Now: what is being played, what comes next, the latest results."""
    state = page_state(request, slug, ("home",))
    return _page(
        request,
        slug,
        state,
        name="home",
        tab="now",
        build=lambda tournament: home_context(tournament, timezone.now()),
        templates={"": "scoring/home.html", "home": "scoring/_home_fragment.html"},
    )


@require_safe
def bracket(request: HttpRequest, slug: str) -> HttpResponse:
    """One part of the bracket: winners, losers or finals."""
    part = request.GET.get("part", BRACKET_PARTS[0])
    if part not in BRACKET_PARTS:
        raise Http404
    templates = {
        "": "scoring/bracket.html",
        "bracket": "scoring/_bracket_fragment.html",
        "heads": "scoring/_heads_fragment.html",
    }
    is_heads = request.GET.get("fragment") == "heads"
    state = page_state(request, slug, ("bracket",))

    def build(tournament: Tournament) -> dict[str, Any]:
        stage = stage_view(tournament)
        parts = parts_of(stage.matches)
        shown = part if part in parts or not parts else parts[0]
        final = [match for match in stage.matches if match.round.key in {"final", "grand-final", "reset"}]
        return {
            "stage": stage,
            "parts": parts,
            "part": shown,
            "board": board(shown, stage.matches, stage.byes) if parts else None,
            **_champion(tournament, final),
            "shape": shape_of(stage.matches),
            "deciding": next((match for match in reversed(final) if match.is_live), None),
            "teams_count": len(
                {side.team.id for match in stage.matches for side in match.sides if side.team}
            ),
        }

    return _page(
        request,
        slug,
        state,
        name="bracket",
        tab="bracket",
        variant=part,
        build=(lambda tournament: {"heads": heads_of(tournament)}) if is_heads else build,
        templates=templates,
    )


@require_safe
def standings(request: HttpRequest, slug: str) -> HttpResponse:
    """Placings."""
    return _page(
        request,
        slug,
        page_state(request, slug, ("placings",)),
        name="standings",
        tab="standings",
        build=standings_context,
        templates={"": "scoring/standings.html", "standings": "scoring/_standings_fragment.html"},
    )


@require_safe
def tables(request: HttpRequest, slug: str) -> HttpResponse:
    """Which match is at which table."""
    return _page(
        request,
        slug,
        page_state(request, slug, ("tables",)),
        name="tables",
        tab="tables",
        build=tables_context,
        templates={"": "scoring/tables.html", "tables": "scoring/_tables_fragment.html"},
    )


@require_safe
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    """The rules that the event is played by."""
    return _page(
        request,
        slug,
        page_state(request, slug, ("bracket",)),
        name="rules",
        tab="rules",
        build=rules_context,
        templates={"": "scoring/rules.html"},
    )


@require_safe
def results(request: HttpRequest, slug: str) -> HttpResponse:
    """Every match that is over, newest first."""
    page = _number(request.GET.get("page", "1"))
    return _page(
        request,
        slug,
        page_state(request, slug, ("home",)),
        name="results",
        tab="now",
        variant=str(page),
        build=lambda tournament: results_context(tournament, page),
        templates={"": "scoring/results.html", "results": "scoring/_results_fragment.html"},
    )


@require_safe
def messages(request: HttpRequest, slug: str) -> HttpResponse:
    """What the director says to all, as every page of the tournament shows it."""
    return _page(
        request,
        slug,
        page_state(request, slug, ()),
        name="messages",
        tab="now",
        build=lambda tournament: {},
        templates={"messages": "scoring/_messages_fragment.html"},
    )


@require_safe
def teams(request: HttpRequest, slug: str) -> HttpResponse:
    """All teams; `?q=` finds by team, player or number, without accents. A search is not cached."""
    state = page_state(request, slug, ("placings",))
    query = request.GET.get("q", "").strip()[:120]
    templates = {
        "": "scoring/teams.html",
        "teams": "scoring/_teams_fragment.html",
        "found": "scoring/_found_fragment.html",
    }
    if query:
        tournament = _tournament(state)
        fragment = _fragment(request, templates)
        context = {**_base(tournament, state, "teams"), **teams_context(tournament, query)}
        response = HttpResponse(render_to_string(templates[fragment], context))
        response.headers["Cache-Control"] = "no-store"
        return response
    return _page(request, slug, state, name="teams", tab="teams", build=teams_context, templates=templates)


@require_safe
def team(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """One team: which table, when, whom next, and its way so far."""
    state = page_state(request, slug, ("placings",))
    entry = entry_of(state.tournament_id, number)
    codes = codes_of(entry)
    parts = [f"match:{code}" for code in codes] or ["home"]
    return _page(
        request,
        slug,
        state.with_parts(parts),
        name="team",
        tab="teams",
        variant=str(number),
        build=lambda tournament: {
            "page": team_page(tournament, entry, timezone.now()),
            "parts": " ".join(parts),
        },
        templates={
            "": "scoring/team.html",
            "team": "scoring/_team_fragment.html",
            "card": "scoring/_team_card_fragment.html",
            "way": "scoring/_team_way_fragment.html",
        },
    )


@require_safe
def match(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """One match with its games, hands and tricks; `?hand=2.5` shows hand 5 of game 2."""
    chosen = request.GET.get("hand", "")
    if chosen and not _is_hand_key(chosen):
        raise Http404
    templates = {
        "": "scoring/match.html",
        "match": "scoring/_match_fragment.html",
        "cell": "scoring/_cell_fragment.html",
    }
    is_cell = request.GET.get("fragment") == "cell"
    return _page(
        request,
        slug,
        page_state(request, slug, (f"match:M{number}", "placings")),
        name="match",
        tab="bracket",
        variant=f"{number}/{chosen}",
        build=lambda tournament: (
            cell_context(tournament, number) if is_cell else match_context(tournament, number, chosen)
        ),
        templates=templates,
    )


@require_safe
def player(request: HttpRequest, player_id: UUID) -> HttpResponse:
    """One player's public tournaments."""
    response = HttpResponse(render_to_string("scoring/player.html", player_context(player_id)))
    response.headers["Cache-Control"] = "no-cache"
    return response


@require_safe
def results_file(request: HttpRequest, slug: str) -> HttpResponse:
    """Every match that is over, as CSV."""
    return _csv(request, slug, "results", results_csv)


@require_safe
def standings_file(request: HttpRequest, slug: str) -> HttpResponse:
    """The placings as CSV."""
    return _csv(request, slug, "standings", placings_csv)


def _champion(tournament: Tournament, finals: list[MatchView]) -> dict[str, Any]:
    """The champion and the match that decided, once there is one."""
    final = next((match for match in reversed(finals) if match.is_final), None)
    if tournament.champion_id is None or final is None or final.winner is None:
        return {}
    return {"champion": final.winner.team, "final": final}


def _csv(request: HttpRequest, slug: str, name: str, build: Callable[[Tournament], str]) -> HttpResponse:
    state = page_state(request, slug, ("placings",))
    response = respond(
        request,
        key=f"{state.tournament_id}/{name}.csv",
        version=state.version,
        private=state.is_private,
        render=lambda: build(_tournament(state)),
        source=state.source,
    )
    response.headers["Content-Type"] = "text/csv; charset=utf-8"
    response.headers["Content-Disposition"] = f'attachment; filename="{slug}-{name}.csv"'
    return response


def _page(
    request: HttpRequest,
    slug: str,
    state: PageState,
    *,
    name: str,
    tab: str,
    build: Build,
    templates: Mapping[str, str],
    variant: str = "",
) -> HttpResponse:
    """The whole page, or the fragment asked for with `?fragment=`; from the cache while its revision stands."""
    fragment = _fragment(request, templates)

    def render() -> str:
        tournament = _tournament(state)
        return render_to_string(templates[fragment], {**_base(tournament, state, tab), **build(tournament)})

    return respond(
        request,
        key=f"{state.tournament_id}/{name}/{variant}/{fragment}",
        version=state.version,
        private=state.is_private,
        render=render,
        source=state.source,
    )


def _base(tournament: Tournament, state: PageState, tab: str) -> dict[str, Any]:
    """What every page of a tournament shows. Nothing of the request: the body is the same for all."""
    return {
        "tournament": tournament,
        "zone": tournament.time_zone,
        "tab": tab,
        "revs": " ".join(f"{part}={number}" for part, number in sorted(state.revisions.items())),
        "updated": state.changed_at if state.revisions else timezone.now(),
        "is_listed": state.is_listed,
        "messages": showing(tournament.pk, timezone.now()),
    }


def _fragment(request: HttpRequest, templates: Mapping[str, str]) -> str:
    fragment = request.GET.get("fragment", "")
    if fragment not in templates:
        raise Http404
    return fragment


def _tournament(state: PageState) -> Tournament:
    return Tournament.objects.get(pk=state.tournament_id)


def _number(text: str) -> int:
    """A page number from an address; 1 for anything else."""
    return int(text) if text.isascii() and text.isdigit() and 0 < len(text) <= 4 else 1


def _is_hand_key(text: str) -> bool:
    game, _dot, number = text.partition(".")
    return all(one.isascii() and one.isdigit() and len(one) <= 3 for one in (game, number))
