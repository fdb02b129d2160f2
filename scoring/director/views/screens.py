"""Messages to everybody, and the log of the event."""

from uuid import UUID

from django import forms
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _later
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from scoring.director.access import Desk, Undo, acted, official, said, shown
from scoring.director.selectors.log import GROUPS, log_page
from tournaments.enums import Role
from tournaments.forms import REFUSALS, RunForm
from tournaments.models import Announcement
from tournaments.selectors.announcements import showing
from tournaments.services.announcement import announcement_end, announcement_make


class Message(RunForm):
    text = forms.CharField(
        max_length=280,
        label=_later("Message"),
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
        help_text=_later("Shown on every table page, on the public pages and on screens."),
    )
    minutes = forms.TypedChoiceField(
        coerce=int,
        empty_value=None,
        required=False,
        label=_later("For how long"),
        choices=(
            ("", _later("Until I end it")),
            ("5", _later("5 minutes")),
            ("15", _later("15 minutes")),
            ("60", _later("an hour")),
        ),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@official(Role.DESK)
def screens(request: HttpRequest, desk: Desk) -> HttpResponseBase:
    """What everybody sees now, and a new message."""
    form = Message(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            made = announcement_make(tournament_id=desk.tournament.pk, actor=desk.actor, **form.cleaned_data)
        except REFUSALS as refusal:
            form.refuse(refusal)
        else:
            undo = Undo(reverse("message-end", args=[desk.slug, made.pk]), _("Undo"), {})
            said(request, _("Everybody sees it now."), undo)
            return redirect("screens", desk.slug)
    context = {
        "form": form,
        "shown": showing(desk.tournament.pk, timezone.now()),
        "past": Announcement.objects.filter(tournament=desk.tournament).exclude(ended_at__isnull=True)[:20],
    }
    return shown(
        request, "director/screens.html", desk, context, tab="screens", status=422 if form.is_bound else 200
    )


@require_POST
@official(Role.DESK)
def end(request: HttpRequest, desk: Desk, message_id: UUID) -> HttpResponseBase:
    """Show a message no longer."""
    found = Announcement.objects.filter(pk=message_id, tournament=desk.tournament).first()
    if found is None:
        raise Http404
    return acted(
        request,
        lambda: announcement_end(announcement_id=found.pk, actor=desk.actor),
        back=reverse("screens", args=[desk.slug]),
        done=_("Nobody sees it any more."),
        undo=Undo(reverse("screens", args=[desk.slug]), _("Show it again"), {"text": found.text}),
    )


@require_safe
@official(Role.DESK)
def log(request: HttpRequest, desk: Desk) -> HttpResponseBase:
    """Everything that happened, newest first, by kind and by word."""
    number = request.GET.get("page", "1")
    group = request.GET.get("group", "")
    query = request.GET.get("q", "").replace("\x00", "").strip()[:120]
    page = log_page(
        desk.tournament,
        group=group,
        query=query,
        number=int(number)
        if number.isascii() and number.isdigit() and 0 < len(number) < 5 and int(number)
        else 1,
    )
    context = {"page": page, "log": page.entries, "groups": GROUPS, "group": group, "query": query}
    return shown(request, "director/log.html", desk, context, tab="log")
