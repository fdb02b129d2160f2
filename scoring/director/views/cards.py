"""Tables, and the cards with links and codes for tables and teams."""

from django import forms
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _later
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from scoring.director.access import Desk, acted, official, said, shown
from scoring.director.selectors.cards import cards_context
from tables.enums import LinkKind
from tables.models import Table
from tables.services.hall import tables_add
from tables.services.links import LinkTarget, link_issue, link_reissue, link_revoke, links_issue
from tournaments.enums import Role
from tournaments.forms import REFUSALS, RunForm
from tournaments.models import Entry


class NewTables(RunForm):
    count = forms.IntegerField(min_value=1, max_value=500, label=_later("How many more tables"), initial=8)
    room = forms.CharField(
        max_length=80,
        required=False,
        label=_later("In which room"),
        help_text=_later("Empty where there is only one."),
    )


@require_safe
@official(Role.DESK)
def cards(request: HttpRequest, desk: Desk) -> HttpResponseBase:
    """Tables and the cards of one kind; `?kind=team` those of the teams."""
    return _page(request, desk, NewTables())


def _page(request: HttpRequest, desk: Desk, form: NewTables, status: int = 200) -> HttpResponseBase:
    kind = "team" if request.GET.get("kind") == "team" else "table"
    context = {**cards_context(request, desk.tournament, kind), "form": form}
    return shown(request, "director/cards.html", desk, context, tab="cards", status=status)


@require_POST
@official(Role.DESK)
def add_tables(request: HttpRequest, desk: Desk) -> HttpResponseBase:
    """Set up more tables. They are closed, not removed, when there are too many."""
    form = NewTables(request.POST)
    if form.is_valid():
        try:
            made = tables_add(tournament_id=desk.tournament.pk, actor=desk.actor, **form.cleaned_data)
        except REFUSALS as refusal:
            form.refuse(refusal)
        else:
            text = ngettext("%(number)d table is set up.", "%(number)d tables are set up.", len(made))
            said(request, text % {"number": len(made)})
            return redirect("cards", desk.slug)
    return _page(request, desk, form, 422)


@require_POST
@official(Role.DESK)
def issue(request: HttpRequest, desk: Desk) -> HttpResponseBase:
    """Make the links of all tables and teams that have none."""
    return acted(
        request,
        lambda: links_issue(tournament_id=desk.tournament.pk, actor=desk.actor),
        back=reverse("cards", args=[desk.slug])
        + ("?kind=team" if request.POST.get("kind") == "team" else ""),
        done=_("Every table and every team has its card."),
    )


@require_POST
@official(Role.DESK)
def link(request: HttpRequest, desk: Desk, kind: str, number: int) -> HttpResponseBase:
    """Make, renew or take back the link of one table or team."""
    if kind == "team":
        entry = Entry.objects.filter(tournament=desk.tournament, number=number).first()
        target = LinkTarget(LinkKind.TEAM, entry.pk) if entry else None
    else:
        table = Table.objects.filter(tournament=desk.tournament, number=number).first()
        target = LinkTarget(LinkKind.TABLE, table.pk) if table else None
    acts = {
        "issue": (link_issue, _("The card is made.")),
        "renew": (link_reissue, _("A new card is made. The old one opens nothing any more.")),
        "revoke": (link_revoke, _("The card opens nothing any more.")),
    }
    act = acts.get(request.POST.get("act", ""))
    if target is None or act is None:
        raise Http404
    do, text = act
    return acted(
        request,
        lambda: do(target=target, actor=desk.actor),
        back=reverse("cards", args=[desk.slug]) + ("?kind=team" if kind == "team" else "") + f"#c{number}",
        done=text,
    )
