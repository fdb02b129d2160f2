"""The event itself: the list of one's own, a new one, its page with the next step, its settings and its life."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from scoring.director.access import Desk, Undo, acted, official, said, shown
from scoring.director.forms import EventOptions, NewEvent, local_text
from scoring.director.selectors.dashboard import dashboard_context, my_events
from scoring.pages.standings import standings_context
from tables.selectors.hall import hall_of
from tables.services.hall import hall_update, tables_add
from tournaments.actors import Actor, user_actor
from tournaments.enums import DrawState, Role
from tournaments.forms import REFUSALS
from tournaments.models import Stage, Tournament
from tournaments.services.tournament import (
    BEFORE_PLAY,
    stage_update,
    tournament_create,
    tournament_move,
    tournament_update,
)

PARTS = ("home", "bracket", "tables")


@require_safe
@never_cache
@login_required
def events(request: HttpRequest) -> HttpResponseBase:
    """The account's own tournaments."""
    return render(request, "director/events.html", {"rows": my_events(request.user), "tab": "events"})


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def new(request: HttpRequest) -> HttpResponseBase:
    """A new event in one form."""
    form = NewEvent(request.POST or None, initial=NewEvent.DEFAULTS)
    if request.method == "POST" and form.is_valid():
        try:
            made = event_make(form, user_actor(request.user))
        except REFUSALS as refusal:
            form.refuse(refusal)
        else:
            said(request, _("%(name)s is made.") % {"name": made.name})
            return redirect("event", made.slug)
    status = 422 if form.is_bound else 200
    return render(request, "director/new.html", {"form": form, "tab": "events"}, status=status)


def event_make(form: NewEvent, actor: Actor) -> Tournament:
    """The event of a form that was read, with its tables. Raises the refusals of its services."""
    made = tournament_create(actor=actor, stage=form.stage_fields(), **form.tournament_fields())
    if count := form.cleaned_data["tables"]:
        tables_add(tournament_id=made.pk, count=count, actor=actor)
    minutes = form.cleaned_data["missing_minutes"]
    hall_update(tournament_id=made.pk, actor=actor, missing_minutes=minutes)
    return made


@require_safe
@official(Role.SCORER)
def event(request: HttpRequest, desk: Desk) -> HttpResponseBase:
    """Where the event stands, and the next step."""
    return shown(
        request, "director/event.html", desk, dashboard_context(desk.tournament), tab="event", parts=PARTS
    )


@require_POST
@official(Role.DIRECTOR)
def move(request: HttpRequest, desk: Desk) -> HttpResponseBase:
    """Move the event along its life."""
    name = request.POST.get("move", "")
    back = "floor" if name == "start" else "event"
    undo = None
    if name in {"finish", "archive"}:
        undo = Undo(reverse("event-move", args=[desk.slug]), _("Undo"), {"move": "reopen"})
    return acted(
        request,
        lambda: tournament_move(tournament_id=desk.tournament.pk, move=name, actor=desk.actor),
        back=reverse(back, args=[desk.slug]),
        done=lambda moved: (
            _("%(name)s: %(state)s.") % {"name": moved.name, "state": moved.get_state_display().lower()}
        ),
        undo=undo,
    )


@require_http_methods(["GET", "HEAD", "POST"])
@official(Role.DIRECTOR)
def settings(request: HttpRequest, desk: Desk) -> HttpResponseBase:
    """Name, place, format and rules. What is fixed by the state of the event is not offered."""
    stage = desk.tournament.stages.order_by("number").first()
    form = EventOptions(request.POST or None, initial=settings_initial(desk.tournament, stage))
    fixed = settings_fix(form, desk.tournament, stage)
    if request.method == "POST" and form.is_valid():
        try:
            settings_save(form, desk.tournament, stage, desk.actor)
        except REFUSALS as refusal:
            form.refuse(refusal)
        else:
            said(request, _("Saved."))
            return redirect("event-settings", desk.slug)
    status = 422 if form.is_bound else 200
    return shown(
        request, "director/settings.html", desk, {"form": form, "fixed": fixed}, tab="event", status=status
    )


def settings_initial(tournament: Tournament, stage: Stage | None) -> dict[str, Any]:
    """What the form of the settings starts with. One query."""
    names = ("name", "venue", "time_zone", "preset", "visibility", "auto_confirm_minutes")
    initial: dict[str, Any] = {name: getattr(tournament, name) for name in names}
    initial["starts_at"] = local_text(tournament.starts_at, tournament)
    initial["missing_minutes"] = hall_of(tournament.pk).missing_minutes
    if stage is not None:
        for name in ("kind", "best_of", "grand_final", "third_place"):
            initial[name] = getattr(stage, name)
    return initial


def settings_fix(form: EventOptions, tournament: Tournament, stage: Stage | None) -> list[str]:
    """Take out of the form what cannot change any more; the labels of what went."""
    names: list[str] = []
    if tournament.state not in BEFORE_PLAY:
        names.append("preset")
    if stage is None or stage.draw_state == DrawState.PUBLISHED:
        names += ["kind", "best_of", "grand_final", "third_place"]
    return [str(form.fields.pop(name).label) for name in names]


def settings_save(form: EventOptions, tournament: Tournament, stage: Stage | None, actor: Actor) -> None:
    """Save what changed, each part by its own service. Raises their refusals."""
    wanted = form.tournament_fields()
    changes = {name: value for name, value in wanted.items() if getattr(tournament, name) != value}
    options = form.stage_fields()
    options = {name: value for name, value in options.items() if getattr(stage, name) != value}
    if changes:
        tournament_update(tournament_id=tournament.pk, actor=actor, **changes)
    if stage is not None and options:
        stage_update(stage_id=stage.pk, actor=actor, **options)
    minutes = form.cleaned_data["missing_minutes"]
    hall_update(tournament_id=tournament.pk, actor=actor, missing_minutes=minutes)


@require_safe
@official(Role.SCORER)
def placings(request: HttpRequest, desk: Desk) -> HttpResponseBase:
    """The placings as they stand, also of a private event."""
    return shown(request, "director/placings.html", desk, standings_context(desk.tournament), tab="event")
