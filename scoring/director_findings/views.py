"""Views of fair play, for directors only. Each asks one service or selector and shows; every look is kept."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from scoring.director.access import Desk, Undo, acted, official, refused, said, shown
from scoring.director_findings.cases import case_view, groups_of, untested_of
from scoring.enums import FindingOutcome, FindingState
from scoring.selectors.findings import (
    account_rows,
    case_counts,
    case_of,
    cases_of,
    coverage_of,
    reviews_of,
)
from scoring.services.declarations import player_account, tournament_from_paper
from scoring.services.review import finding_close, finding_note, finding_reopen, finding_view, findings_close
from tournaments.enums import Role
from tournaments.forms import REFUSALS

VIEWS = ("open", "closed", "gone")
"""What the list can show: cases to look at, closed ones, and those that the record no longer supports."""


@require_safe
@official(Role.DIRECTOR)
def cases(request: HttpRequest, desk: Desk) -> HttpResponseBase:
    """The cases of the event, without names."""
    which = request.GET.get("show", VIEWS[0])
    which = which if which in VIEWS else VIEWS[0]
    rows = cases_of(desk.tournament).filter(gone_at__isnull=which != "gone")
    if which != "gone":
        closed = rows.filter(state=FindingState.CLOSED)
        rows = closed if which == "closed" else rows.exclude(state=FindingState.CLOSED)
    coverage = coverage_of(desk.tournament)
    context = {
        "groups": groups_of(desk.tournament, rows),
        "counts": case_counts(desk.tournament),
        "which": which,
        "coverage": coverage,
        "untested": untested_of(coverage),
    }
    return _private(shown(request, "fairplay/cases.html", desk, context, tab="fair-play"))


@require_safe
@official(Role.DIRECTOR)
def case(request: HttpRequest, desk: Desk, number: int) -> HttpResponseBase:
    """One case; with `?names=1` it says who. The look is kept, and so is whether it showed names."""
    named = request.GET.get("names") == "1"
    finding = finding_view(tournament_id=desk.tournament.pk, number=number, actor=desk.actor, named=named)
    return _case_page(request, desk, finding, named=named)


@require_POST
@official(Role.DIRECTOR)
def note(request: HttpRequest, desk: Desk, number: int) -> HttpResponseBase:
    """Keep what was typed."""
    return _act(
        request,
        desk,
        number,
        lambda text: finding_note(
            tournament_id=desk.tournament.pk, number=number, note=text, actor=desk.actor
        ),
        _("The note is kept."),
    )


@require_POST
@official(Role.DIRECTOR)
def close(request: HttpRequest, desk: Desk, number: int) -> HttpResponseBase:
    """Close the case as its button says, with the note as typed."""
    outcome = request.POST.get("outcome", "")
    undo = Undo(reverse("fair-play-reopen", args=[desk.slug, number]), _("Open it again"), {})
    return _act(
        request,
        desk,
        number,
        lambda text: finding_close(
            tournament_id=desk.tournament.pk, number=number, outcome=outcome, actor=desk.actor, note=text
        ),
        _("Case %(number)d is closed.") % {"number": number},
        undo,
    )


@require_POST
@official(Role.DIRECTOR)
def reopen(request: HttpRequest, desk: Desk, number: int) -> HttpResponseBase:
    """Open a closed case again."""
    return acted(
        request,
        lambda: finding_reopen(tournament_id=desk.tournament.pk, number=number, actor=desk.actor),
        back=reverse("fair-play-case", args=[desk.slug, number]),
        done=_("Case %(number)d is open again.") % {"number": number},
    )


@require_POST
@official(Role.DIRECTOR)
def close_group(request: HttpRequest, desk: Desk) -> HttpResponseBase:
    """Close the cases of one kind together, with one note."""
    numbers = [int(text) for text in request.POST.getlist("number") if _is_number(text)]
    return acted(
        request,
        lambda: findings_close(
            tournament_id=desk.tournament.pk,
            numbers=numbers,
            outcome=FindingOutcome.NO_ACTION,
            actor=desk.actor,
            note=request.POST.get("note", ""),
        ),
        back=reverse("fair-play", args=[desk.slug]),
        done=lambda count: (
            ngettext("%(count)d case is closed.", "%(count)d cases are closed.", count) % {"count": count}
        ),
    )


@require_POST
@official(Role.DIRECTOR)
def paper(request: HttpRequest, desk: Desk) -> HttpResponseBase:
    """Declare that the event is, or is not, copied from paper."""
    wanted = request.POST.get("from_paper") == "yes"
    done = _("Times count no more: the event is copied from paper.") if wanted else _("Times count again.")
    return acted(
        request,
        lambda: tournament_from_paper(tournament_id=desk.tournament.pk, from_paper=wanted, actor=desk.actor),
        back=reverse("fair-play", args=[desk.slug]),
        done=done,
    )


@require_http_methods(["GET", "HEAD", "POST"])
@official(Role.DIRECTOR)
def accounts(request: HttpRequest, desk: Desk) -> HttpResponseBase:
    """Which officials play in the event themselves."""
    if request.method == "POST":
        try:
            player_account(
                tournament_id=desk.tournament.pk,
                player_id=_uuid(request.POST.get("player", "")),
                username=request.POST.get("username", "").strip(),
                actor=desk.actor,
            )
        except REFUSALS as refusal:
            refused(request, refusal)
        else:
            said(request, _("Kept. Matches are looked at again."))
        return redirect("fair-play-accounts", desk.slug)
    context = account_rows(desk.tournament)
    return _private(shown(request, "fairplay/accounts.html", desk, context, tab="fair-play"))


def _act(
    request: HttpRequest,
    desk: Desk,
    number: int,
    act: Any,
    done: str,
    undo: Undo | None = None,
) -> HttpResponseBase:
    """Do what a button of the case asks for; a refusal comes back with what was typed."""
    text = request.POST.get("note", "")
    try:
        act(text)
    except REFUSALS as refusal:
        finding = case_of(desk.tournament.pk, number)
        error = {"typed": text, "error": str(refusal)}
        return _case_page(request, desk, finding, named=False, status=422, **error)
    said(request, done, undo)
    return redirect("fair-play-case", desk.slug, number)


def _case_page(
    request: HttpRequest, desk: Desk, finding: Any, *, named: bool, status: int = 200, **more: str
) -> HttpResponseBase:
    context = {
        "case": case_view(finding, named=named),
        "reviews": reviews_of(finding),
        "outcomes": FindingOutcome.choices,
        **more,
    }
    return _private(shown(request, "fairplay/case.html", desk, context, tab="fair-play", status=status))


def _private(response: HttpResponseBase) -> HttpResponseBase:
    """No browser and no proxy keeps a case."""
    response.headers["Cache-Control"] = "private, no-store"
    return response


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 9


def _uuid(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        return UUID(int=0)
