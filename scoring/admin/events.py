"""Events: a new one in one form, and everything that a director does with one."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from scoring.director.forms import EventOptions, NewEvent
from scoring.director.selectors.dashboard import dashboard_context
from scoring.director.views.cards import NewTables
from scoring.director.views.event import event_make, settings_fix, settings_initial, settings_save
from scoring.director.views.screens import Message
from scoring.director.views.teams import EXAMPLE, LateTeam
from tables.admin import HallForm, hall_change
from tables.selectors.hall import hall_of
from tables.services.hall import tables_add
from tables.services.links import links_issue
from tournaments.actors import Actor, user_actor
from tournaments.admin.acts import Act, ActForm, Acting, Fields, Preview
from tournaments.admin.bracket import draw_acts
from tournaments.enums import CLOSED, DrawState, Lifecycle, Role, Visibility
from tournaments.errors import AgainstRules, NotThere
from tournaments.forms import REFUSALS, status_of
from tournaments.models import Stage, Tournament
from tournaments.selectors.importing import lines_of_text, plan_import
from tournaments.services.announcement import announcement_make
from tournaments.services.entry import NewEntry, entries_add
from tournaments.services.importing import lines_enter
from tournaments.services.late import UNTOUCHED, entry_add_late, has_bye_left
from tournaments.services.officials import invitation_make
from tournaments.services.tournament import BEFORE_PLAY, MOVES, official_set, tournament_move

NEXT_ACTS = {
    "teams": ("enter-teams",),
    "check-in": ("open-checkin",),
    "draw": ("draw", "publish"),
    "tables": ("tables",),
    "start": ("start",),
    "finish": ("finish",),
}
"""By step of the way to the champion: the acts that take it, one of which is offered at a time."""
LINKS = (
    ("tournaments_entry", _("Teams")),
    ("tournaments_match", _("Matches")),
    ("tournaments_result", _("Results")),
    ("tables_table", _("Tables")),
    ("tables_seating", _("Calls to tables")),
    ("tables_judgecall", _("Calls for a judge")),
    ("tables_accesslink", _("Cards and links")),
    ("tournaments_official", _("Officials")),
    ("tournaments_invitation", _("Invitations")),
    ("tournaments_logentry", _("Log")),
)


class TeamsForm(ActForm):
    text = forms.CharField(
        label=_("Teams, one a line"),
        widget=forms.Textarea(
            attrs={"rows": 12, "placeholder": EXAMPLE, "dir": "auto", "spellcheck": "false"}
        ),
        help_text=_("Team, first player, second player, and a seed if you like; commas, semicolons or tabs."),
    )


class TeamForm(LateTeam):
    seed = forms.IntegerField(min_value=1, max_value=9999, required=False, label=_("Seed"))


class RoleForm(ActForm):
    username = forms.CharField(max_length=150, label=_("Name to sign in with"))
    role = forms.ChoiceField(choices=Role.choices, initial=Role.DESK, label=_("Role"))


class InviteForm(ActForm):
    role = forms.ChoiceField(choices=Role.choices, initial=Role.DESK, label=_("Role"))
    note = forms.CharField(max_length=120, required=False, label=_("Whom it is for"))


def first_stage(tournament: Tournament) -> Stage | None:
    """The stage that the acts of an event are about."""
    return tournament.stages.order_by("number").first()


def _is_before_play(tournament: Tournament) -> bool:
    return tournament.state in BEFORE_PLAY


def _plan(tournament: Tournament, fields: Fields) -> Preview:
    plan = plan_import(tournament, lines_of_text(fields["text"]))
    refused = [] if plan.new else [_now("No team on the list is new.")]
    return Preview(refused=refused, parts={"plan": plan})


def _enter(tournament: Tournament, actor: Actor, fields: Fields) -> str:
    lines = lines_of_text(fields["text"])
    made = lines_enter(tournament_id=tournament.pk, lines=lines, actor=actor, leave_out_conflicts=True)
    return _entered(made)


def _enter_one(tournament: Tournament, actor: Actor, fields: Fields) -> str:
    return _entered(entries_add(tournament_id=tournament.pk, entries=[_new(fields)], actor=actor))


def _new(fields: Fields) -> NewEntry:
    return NewEntry(name=fields["name"], players=[fields["first"], fields["second"]], seed=fields.get("seed"))


def _entered(made: list[Any]) -> str:
    text = ngettext("%(number)d team is entered.", "%(number)d teams are entered.", len(made))
    return text % {"number": len(made)}


def _enter_late(tournament: Tournament, actor: Actor, fields: Fields) -> str:
    stage = first_stage(tournament)
    if stage is None:
        raise NotThere("not_found", "There is no such stage.")
    made = entry_add_late(stage_id=stage.pk, entry=_new(fields), actor=actor)
    return _now("%(team)s is in the draw.") % {"team": made.name}


def _is_late(tournament: Tournament) -> bool:
    stage = first_stage(tournament)
    if stage is None or stage.draw_state != DrawState.PUBLISHED or not has_bye_left(stage.size or 0):
        return False
    return not stage.matches.exclude(state__in=UNTOUCHED).exists()


def _settings_form(tournament: Tournament, data: Any) -> EventOptions:
    stage = first_stage(tournament)
    form = EventOptions(data, initial=settings_initial(tournament, stage))
    settings_fix(form, tournament, stage)
    return form


def _save_settings(tournament: Tournament, actor: Actor, fields: Fields) -> str:
    form = _settings_form(tournament, None)
    form.cleaned_data = dict(fields)
    settings_save(form, tournament, first_stage(tournament), actor)
    return _now("Saved.")


def _set_up(tournament: Tournament, actor: Actor, fields: Fields) -> str:
    made = tables_add(tournament_id=tournament.pk, actor=actor, count=fields["count"], room=fields["room"])
    text = ngettext("%(number)d table is set up.", "%(number)d tables are set up.", len(made))
    return text % {"number": len(made)}


def _issue(tournament: Tournament, actor: Actor, fields: Fields) -> str:
    links_issue(tournament_id=tournament.pk, actor=actor)
    return _now("Every table and every team has its card.")


def _message(tournament: Tournament, actor: Actor, fields: Fields) -> str:
    announcement_make(tournament_id=tournament.pk, actor=actor, **fields)
    return _now("Everybody sees it now.")


def _give_role(tournament: Tournament, actor: Actor, fields: Fields) -> str:
    user = get_user_model().objects.filter(username=fields["username"]).first()
    if user is None:
        raise AgainstRules("no_such_account", _now("There is no such account."), field="username")
    official_set(tournament_id=tournament.pk, user=user, role=fields["role"], actor=actor)
    return _now("%(user)s is %(role)s.") % {
        "user": fields["username"],
        "role": Role(fields["role"]).label,
    }


def _invite(tournament: Tournament, actor: Actor, fields: Fields) -> str:
    invitation_make(tournament_id=tournament.pk, actor=actor, **fields)
    return _now("The invitation is made: its link is in the list of invitations. It works once, for a week.")


def _moves() -> tuple[Act, ...]:
    """The acts of the event's life, as its services have it."""
    words: dict[str, tuple[Any, Any]] = {
        "open-registration": (_("Open registration"), ""),
        "open-checkin": (_("Open check-in"), ""),
        "start": (
            _("Start play"),
            _("The first matches are called to the tables at once. The start itself cannot be taken back."),
        ),
        "finish": (_("Finish the event"), ""),
        "archive": (_("Put it into the archive"), ""),
        "reopen": (_("Open it again"), ""),
    }
    return tuple(_move(name, *words[name]) for name in MOVES)


def _move(name: str, label: Any, warning: Any) -> Act:
    allowed, _target = MOVES[name]

    def is_offered(tournament: Tournament) -> bool:
        if Lifecycle(tournament.state) not in allowed:
            return False
        return name != "finish" or not tournament.matches.exclude(state__in=CLOSED).exists()

    def do(tournament: Tournament, actor: Actor, fields: Fields) -> str:
        moved = tournament_move(tournament_id=tournament.pk, move=name, actor=actor)
        return f"{moved.name}: {moved.get_state_display()}."

    return Act(
        name=name,
        label=label,
        do=do,
        least=Role.DIRECTOR,
        warning=warning,
        offered=is_offered,
        group=_("The event"),
    )


TEAM_ACTS = (
    Act(
        name="enter-teams",
        label=_("Enter teams"),
        do=_enter,
        form=TeamsForm,
        preview=_plan,
        offered=_is_before_play,
        group=_("Teams"),
        sure=_("Enter the new teams"),
        look=_("Read the list"),
    ),
    Act(
        name="enter-team",
        label=_("Enter one team"),
        do=_enter_one,
        form=lambda row, data: TeamForm(data),
        offered=_is_before_play,
        group=_("Teams"),
    ),
    Act(
        name="enter-late",
        label=_("A late team"),
        do=_enter_late,
        least=Role.DIRECTOR,
        form=lambda row, data: LateTeam(data),
        offered=_is_late,
        group=_("Teams"),
        warning=_(
            "It gets the place of a bye in round one. The draw is made again with the same order, and calls to "
            "tables are made again. It cannot be undone; the team can withdraw."
        ),
    ),
)
HALL_ACTS = (
    Act(
        name="tables",
        label=_("Set up tables"),
        do=_set_up,
        form=lambda row, data: NewTables(data),
        group=_("Hall"),
    ),
    Act(
        name="hall",
        label=_("Calling and waiting"),
        do=lambda tournament, actor, fields: hall_change(hall_of(tournament.pk), actor, fields),
        form=lambda row, data: HallForm(hall_of(row.pk), data),
        group=_("Hall"),
    ),
    Act(name="cards", label=_("Make all cards"), do=_issue, group=_("Hall")),
    Act(
        name="message",
        label=_("Message to everybody"),
        do=_message,
        form=lambda row, data: Message(data),
        group=_("Hall"),
    ),
)
SETTINGS_ACT = Act(
    name="settings",
    label=_("Settings"),
    do=_save_settings,
    least=Role.DIRECTOR,
    form=_settings_form,
    group=_("The event"),
)
PEOPLE_ACTS = (
    Act(
        name="role",
        label=_("Give an account a role"),
        do=_give_role,
        least=Role.DIRECTOR,
        form=RoleForm,
        group=_("People"),
    ),
    Act(
        name="invite",
        label=_("Invite by link"),
        do=_invite,
        least=Role.DIRECTOR,
        form=InviteForm,
        group=_("People"),
    ),
)


@admin.register(Tournament)
class TournamentAdmin(Acting):
    """Events. Everybody with a place in the admin may make one, as everybody with an account may elsewhere."""

    tournament_path = "pk"
    list_display = ["name", "state", "visibility", "starts_at", "venue", "champion", "created_at"]
    list_select_related = ["champion"]
    list_filter = ["state", "visibility", "simulated"]
    search_fields = ["name", "slug", "venue", "champion__search_name"]
    change_form_template = "admin/event.html"
    change_list_template = "admin/event_list.html"
    acts = (
        *_moves(),
        SETTINGS_ACT,
        *TEAM_ACTS,
        *draw_acts(first_stage),
        *HALL_ACTS,
        *PEOPLE_ACTS,
    )

    def tournament_of(self, row: Any) -> Tournament:
        assert isinstance(row, Tournament)
        return row

    def get_list_filter(self, request: HttpRequest) -> Any:
        return self.list_filter

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.admin_site.has_permission(request)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.admin_site.has_permission(request)

    def page_context(self, request: HttpRequest, row: Any) -> dict[str, Any]:
        progress = dashboard_context(row)["progress"]
        step = next((one.key for one in progress.steps if one.state == "now"), "")
        lists = [
            (label, reverse(f"admin:{name}_changelist") + f"?event={row.pk}")
            for name, label in self.lists(request)
        ]
        return {
            **super().page_context(request, row),
            "progress": progress,
            "next_acts": NEXT_ACTS.get(step, ()),
            "lists": lists,
            "is_private": row.visibility == Visibility.PRIVATE,
        }

    def lists(self, request: HttpRequest) -> list[tuple[str, Any]]:
        """The lists of one event that the account may open."""
        models = {f"{one._meta.app_label}_{one._meta.model_name}": one for one in self.admin_site._registry}
        return [
            (name, label)
            for name, label in LINKS
            if self.admin_site._registry[models[name]].has_view_permission(request)
        ]

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """A new event in one form."""
        form = NewEvent(request.POST if request.method == "POST" else None, initial=NewEvent.DEFAULTS)
        status = 200
        if form.is_bound and form.is_valid():
            try:
                made = event_make(form, user_actor(request.user))
            except REFUSALS as refusal:
                form.refuse(refusal)
                status = status_of(refusal)
            else:
                self.message_user(request, _now("%(name)s is made.") % {"name": made.name})
                return redirect(self.page_of(made))
        elif form.is_bound:
            status = 422
        context = {
            **self.admin_site.each_context(request),
            "title": _("New event"),
            "opts": self.opts,
            "form": form,
        }
        return TemplateResponse(request, "admin/new_event.html", context, status=status)
