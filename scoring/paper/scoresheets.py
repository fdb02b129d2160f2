"""Scoresheets: for the matches that can be played now, for one match, or blank ones for a pad."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.http import HttpRequest
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import fortytwo
from scoring.pages.matches import MatchView, SideView, match_views
from scoring.pages.stage import public_stage
from scoring.paper.press import press, square
from tournaments.enums import MatchState
from tournaments.models import Match, Tournament
from tournaments.rulesets import tournament_rules
from tournaments.templatetags.drawing import STROKES

HANDS = 13
"""Hands that a game to 7 marks can last at most: six each and the one that ends it."""

WAITING = (MatchState.READY, MatchState.CALLED, MatchState.PLAYING)
"""Matches whose sheet is still to be written."""

MOST_BLANK = 200
ROW_HEIGHTS = {1: 7.0, 3: 4.6}
"""Millimetres of a row of the hand log, by games on the sheet."""


def waiting_matches(tournament: Tournament, number: int | None = None) -> list[MatchView]:
    """The matches that are ready, called or being played, in order of play; or the one with this number, whatever
    its state. Nine queries; none is known before the draw is published."""
    stage = public_stage(tournament)
    if stage is None:
        return []
    rows = Match.objects.filter(stage=stage).select_related("round").order_by("round__play_order", "position")
    rows = rows.filter(number=number) if number is not None else rows.filter(state__in=WAITING)
    return match_views(tournament.slug, rows)


def scoresheets_pdf(
    request: HttpRequest, tournament: Tournament, matches: Iterable[MatchView], *, blank: int, paper: str
) -> bytes:
    """One half page a match, then `blank` empty ones. The square leads officials to the match's own sheet."""
    stage = public_stage(tournament)
    rules = tournament_rules(tournament, stage.rules if stage else None)
    day = _day(tournament.starts_at, tournament.time_zone)
    shown = list(matches)
    best_of = max([one.best_of for one in shown], default=stage.best_of if stage else 3)
    sheets = [_sheet(request, tournament, one, day) for one in shown]
    sheets += [_blank(day)] * min(blank, MOST_BLANK)
    data = {
        "title": f"{tournament.name}: {_('Scoresheets')}",
        "event": tournament.name,
        "games": best_of,
        "hands": HANDS,
        "row": ROW_HEIGHTS.get(best_of, 3.6),
        "tally": _dotted_all() if rules.scoring == "marks" else "",
        "sheets": sheets,
        "words": _words(rules, best_of),
    }
    return press("scoresheets", paper, data)


def _words(rules: fortytwo.Ruleset, best_of: int) -> dict[str, Any]:
    games = ngettext("One game", "Best of %(number)d games", best_of) % {"number": best_of}
    if rules.scoring == "marks":
        played = _("One stroke a mark: A is three, L two, L two. Games to %(target)d.") % {
            "target": rules.target
        }
    else:
        played = _("Games to %(target)d points.") % {"target": rules.target}
    return {
        "game": _("Game"),
        "shake": _("first shake"),
        "hand": _("Hand"),
        "rows": [_("Bid"), _("Seat"), _("Made / set")],
        "won": _("Games won"),
        "to": _("to"),
        "sign": _("One of each side signs"),
        "table": _("Table"),
        "note": f"{played} {games}. {_('Call a judge before the game ends. Hand this sheet to the desk.')}",
    }


def _sheet(request: HttpRequest, tournament: Tournament, match: MatchView, day: str) -> dict[str, Any]:
    address = request.build_absolute_uri(reverse("sheet", args=[tournament.slug, match.code]))
    return {
        "code": match.code,
        "about": " · ".join(part for part in (match.code, match.round.name, day) if part),
        "table": str(match.table or ""),
        "sides": [_side(side) for side in match.sides],
        "square": square(address),
    }


def _side(side: SideView) -> dict[str, str]:
    return {
        "side": side.side,
        "name": side.name,
        "players": side.team.players if side.team else "",
        "seats": _("N and S") if side.side == "NS" else _("E and W"),
    }


def _blank(day: str) -> dict[str, Any]:
    sides = [
        {"side": "NS", "name": "", "players": "", "seats": _("N and S")},
        {"side": "EW", "name": "", "players": "", "seats": _("E and W")},
    ]
    about = " · ".join(part for part in (f"{_('Match')} ________", day) if part)
    return {"code": "", "about": about, "table": "", "sides": sides, "square": ""}


def _day(moment: datetime | None, zone: str) -> str:
    return date_format(moment.astimezone(ZoneInfo(zone)), "l j F", use_l10n=False) if moment else ""


def _dotted_all() -> str:
    strokes = "".join(f'<path d="{path}"/>' for path in STROKES)
    look = 'fill="none" stroke="#777" stroke-width="2.4" stroke-linecap="round" stroke-dasharray=".1 6.6"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-3 0 134 64"><g {look}>{strokes}</g></svg>'
