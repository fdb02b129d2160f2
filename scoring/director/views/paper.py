"""What the desk prints: scoresheets, cards and the bracket, each as one PDF."""

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring.director.access import Desk, official, said, shown
from scoring.paper.bracket import bracket_pdf
from scoring.paper.cards import cards_pdf
from scoring.paper.press import paper_of, pdf_response
from scoring.paper.scoresheets import MOST_BLANK, scoresheets_pdf, waiting_matches
from tournaments.enums import Role


@require_safe
@official(Role.DESK)
def paper(request: HttpRequest, desk: Desk) -> HttpResponseBase:
    """What can be printed, with how much of it there is."""
    context = {
        "waiting": len(waiting_matches(desk.tournament)),
        "paper": paper_of(request, desk.zone),
        "most_blank": MOST_BLANK,
    }
    return shown(request, "director/paper.html", desk, context, tab="paper")


@require_safe
@official(Role.DESK)
def scoresheets(request: HttpRequest, desk: Desk) -> HttpResponseBase:
    """The sheets of the matches that wait; `?match=M12` of one; `?blank=8` as many empty ones."""
    blank = _number(request.GET.get("blank", "0"))
    number = request.GET.get("match", "").removeprefix("M")
    matches = []
    if number:
        matches = waiting_matches(desk.tournament, _number(number))
        if not matches:
            raise Http404
    elif not blank:
        matches = waiting_matches(desk.tournament)
    if not matches and not blank:
        return _nothing(request, desk, _("No match waits to be played, so there is no sheet to print."))
    size = paper_of(request, desk.zone)
    body = scoresheets_pdf(request, desk.tournament, matches, blank=blank, paper=size)
    return pdf_response(body, f"{desk.slug}-scoresheets")


@require_safe
@official(Role.DESK)
def cards(request: HttpRequest, desk: Desk, kind: str) -> HttpResponseBase:
    """The cards of all tables or of all teams."""
    if kind not in ("table", "team"):
        raise Http404
    body = cards_pdf(request, desk.tournament, kind, paper=paper_of(request, desk.zone))
    if body is None:
        return _nothing(
            request, desk, _("There are no cards yet. Make them on the page of tables and cards.")
        )
    return pdf_response(body, f"{desk.slug}-{kind}-cards")


@require_safe
@official(Role.DESK)
def bracket(request: HttpRequest, desk: Desk) -> HttpResponseBase:
    """The published bracket as it stands."""
    body = bracket_pdf(desk.tournament, paper=paper_of(request, desk.zone), now=timezone.now())
    if body is None:
        return _nothing(request, desk, _("The draw is not published yet, so there is no bracket to print."))
    return pdf_response(body, f"{desk.slug}-bracket")


def _nothing(request: HttpRequest, desk: Desk, text: str) -> HttpResponseBase:
    said(request, text)
    return redirect(reverse("paper", args=[desk.slug]))


def _number(text: str) -> int:
    """A number of at most six digits; Http404 for anything else."""
    if not text.isascii() or not text.isdigit() or len(text) > 6:
        raise Http404
    return int(text)
