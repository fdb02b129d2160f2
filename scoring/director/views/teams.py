"""Teams: entering and importing them, the check-in list, seeds, and one team with everything done to it."""

from typing import Any
from uuid import UUID

from django import forms
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _later
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from scoring.director.access import Desk, Undo, acted, official, refused, said, shown
from scoring.director.forms import OptionalReason
from scoring.director.selectors.teams import desk_context, entries_with_players, entry_of, team_context
from tournaments.enums import Role
from tournaments.forms import REFUSALS, RunForm
from tournaments.models import Entry
from tournaments.selectors.importing import (
    Line,
    lines_of_file,
    lines_of_text,
    plan_import,
    text_of_lines,
)
from tournaments.selectors.preview import withdrawal_preview
from tournaments.services.entry import (
    NewEntry,
    entry_check_in,
    entry_reinstate,
    entry_substitute,
    entry_update,
    entry_withdraw,
)
from tournaments.services.field import entries_remove, seeds_set
from tournaments.services.importing import lines_enter
from tournaments.services.late import entry_add_late, has_bye_left

EXAMPLE = "Pecan Street Shakers, June Hollis, Ray Dominguez\nDawes & Tuttle, Clara Dawes, Otis Tuttle"


class TeamsList(RunForm):
    """A pasted or typed list, or a file."""

    text = forms.CharField(
        required=False,
        label=_later("Teams, one a line"),
        widget=forms.Textarea(
            attrs={"rows": 10, "placeholder": EXAMPLE, "dir": "auto", "spellcheck": "false"}
        ),
        help_text=_later(
            "Team, first player, second player, and a seed if you like; commas, semicolons or tabs."
        ),
    )
    file = forms.FileField(
        required=False,
        label=_later("Or a file"),
        help_text=_later("CSV or XLSX with the same columns."),
        widget=forms.ClearableFileInput(attrs={"accept": ".csv,.tsv,.txt,.xlsx"}),
    )

    def lines(self) -> list[Line]:
        """What was typed and what the file holds, numbered through."""
        upload = self.cleaned_data["file"]
        read = lines_of_text(self.cleaned_data["text"])
        if upload is not None:
            read += lines_of_file(upload.name, upload.read(1_000_001))
        return [Line(number, one.name, one.players, one.seed) for number, one in enumerate(read, start=1)]


class LateTeam(RunForm):
    name = forms.CharField(
        max_length=120, label=_later("Team"), widget=forms.TextInput(attrs={"dir": "auto"})
    )
    first = forms.CharField(
        max_length=120, label=_later("First player"), widget=forms.TextInput(attrs={"dir": "auto"})
    )
    second = forms.CharField(
        max_length=120, label=_later("Second player"), widget=forms.TextInput(attrs={"dir": "auto"})
    )


class TeamFields(RunForm):
    name = forms.CharField(
        max_length=120, label=_later("Name"), widget=forms.TextInput(attrs={"dir": "auto"})
    )
    seed = forms.IntegerField(min_value=1, max_value=9999, required=False, label=_later("Seed"))
    rating = forms.FloatField(
        required=False, label=_later("Rating"), help_text=_later("For a draw by rating.")
    )


class Substitute(RunForm):
    leaving = forms.ChoiceField(label=_later("Who leaves"), widget=forms.RadioSelect)
    name = forms.CharField(
        max_length=120, label=_later("Who comes"), widget=forms.TextInput(attrs={"dir": "auto"})
    )
    reason = forms.CharField(max_length=1000, required=False, label=_later("Reason"))

    def __init__(self, entry: Entry, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field: Any = self.fields["leaving"]
        field.choices = [(str(one.player_id), one.player.name) for one in _partners(entry)]


def _partners(entry: Entry) -> list[Any]:
    return list(getattr(entry, "partners", []))


@require_safe
@official(Role.DESK)
def listing(request: HttpRequest, desk: Desk) -> HttpResponseBase:
    """Every team, with who is here."""
    return shown(request, "director/desk.html", desk, desk_context(desk.tournament), tab="desk")


@require_http_methods(["GET", "HEAD", "POST"])
@official(Role.DESK)
def add(request: HttpRequest, desk: Desk) -> HttpResponseBase:
    """Enter teams: a list is read and shown first, and stored only when the desk says so."""
    form = TeamsList(request.POST or None, request.FILES or None)
    context: dict[str, Any] = {"form": form, "example": EXAMPLE}
    if request.method != "POST" or not form.is_valid():
        return shown(request, "director/teams_add.html", desk, context, tab="desk")
    try:
        lines = form.lines()
    except REFUSALS as refusal:
        form.refuse(refusal)
        return shown(request, "director/teams_add.html", desk, context, tab="desk", status=422)
    if not lines:
        form.add_error("text", _("Type or paste at least one team, or choose a file."))
        return shown(request, "director/teams_add.html", desk, context, tab="desk", status=422)
    plan = plan_import(desk.tournament, lines)
    if "enter" in request.POST and plan.new:
        try:
            made = lines_enter(
                tournament_id=desk.tournament.pk, lines=lines, actor=desk.actor, leave_out_conflicts=True
            )
        except REFUSALS as refusal:
            refused(request, refusal)
            return redirect("teams-add", desk.slug)
        return _entered(request, desk, made)
    context |= {"plan": plan, "text": text_of_lines(lines)}
    return shown(request, "director/teams_plan.html", desk, context, tab="desk")


@require_http_methods(["GET", "HEAD", "POST"])
@official(Role.DIRECTOR)
def late(request: HttpRequest, desk: Desk) -> HttpResponseBase:
    """A team that came after the draw gets the place of a bye in round one, while nothing is entered."""
    stage = desk.tournament.stages.order_by("number").first()
    if stage is None:
        raise Http404
    form = LateTeam(request.POST or None)
    if request.method == "POST" and form.is_valid():
        fields = form.cleaned_data
        team = NewEntry(name=fields["name"], players=[fields["first"], fields["second"]])
        try:
            made = entry_add_late(stage_id=stage.pk, entry=team, actor=desk.actor)
        except REFUSALS as refusal:
            form.refuse(refusal)
        else:
            said(request, _("%(team)s is in the draw.") % {"team": made.name})
            return redirect("team-sheet", desk.slug, made.number)
    context = {"form": form, "has_bye": has_bye_left(stage.size or 0), "stage": stage}
    status = 422 if form.is_bound else 200
    return shown(request, "director/late.html", desk, context, tab="desk", status=status)


def _entered(request: HttpRequest, desk: Desk, made: list[Entry]) -> HttpResponseBase:
    text = ngettext("%(number)d team is entered.", "%(number)d teams are entered.", len(made))
    undo = Undo(
        reverse("teams-remove", args=[desk.slug]),
        _("Undo"),
        {"numbers": ",".join(str(entry.number) for entry in made)},
    )
    said(request, text % {"number": len(made)}, undo)
    return redirect("desk", desk.slug)


@require_POST
@official(Role.DESK)
def remove(request: HttpRequest, desk: Desk) -> HttpResponseBase:
    """Take teams off the list as if they had never been entered."""
    numbers = [
        int(one) for one in request.POST.get("numbers", "").split(",") if one.isascii() and one.isdigit()
    ]
    entries = Entry.objects.filter(tournament=desk.tournament, number__in=numbers[:1024])
    ids = list(entries.values_list("pk", flat=True))
    return acted(
        request,
        lambda: entries_remove(tournament_id=desk.tournament.pk, entry_ids=ids, actor=desk.actor),
        back=reverse("desk", args=[desk.slug]),
        done=lambda number: (
            ngettext("%(number)d team is off the list.", "%(number)d teams are off the list.", number)
            % {"number": number}
        ),
    )


@require_POST
@official(Role.DESK)
def check_in(request: HttpRequest, desk: Desk, number: int) -> HttpResponseBase:
    """This team is here, or is not after all."""
    entry = _entry(desk, number)
    is_here = request.POST.get("here", "yes") != "no"
    text = _("%(team)s is here.") if is_here else _("%(team)s is not here.")
    return acted(
        request,
        lambda: entry_check_in(entry_id=entry.pk, actor=desk.actor, here=is_here),
        back=reverse("desk", args=[desk.slug]) + f"#t{number}",
        done=text % {"team": entry.name},
        undo=Undo(request.path, _("Undo"), {"here": "no" if is_here else "yes"}),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@official(Role.DESK)
def seeds(request: HttpRequest, desk: Desk) -> HttpResponseBase:
    """Seeds of all teams at once, by number or by order."""
    entries = list(entries_with_players(desk.tournament))
    rows = [(entry, request.POST.get(f"seed-{entry.number}", entry.seed or "")) for entry in entries]
    problem = ""
    if request.method == "POST":
        try:
            wanted = {entry.pk: _seed(value) for entry, value in rows}
            changed = seeds_set(tournament_id=desk.tournament.pk, seeds=wanted, actor=desk.actor)
        except (ValueError, *REFUSALS) as refusal:
            problem = getattr(refusal, "detail", "") or _("A seed is a number from 1, or empty.")
        else:
            text = ngettext("%(number)d seed changed.", "%(number)d seeds changed.", changed)
            said(request, text % {"number": changed})
            return redirect("seeds", desk.slug)
    rows.sort(key=lambda row: (not str(row[1]).isdigit(), int(row[1]) if str(row[1]).isdigit() else 0))
    context = {"rows": rows, "problem": problem}
    return shown(request, "director/seeds.html", desk, context, tab="desk", status=422 if problem else 200)


def _seed(value: Any) -> int | None:
    text = str(value).strip()
    return int(text) if text else None


@require_safe
@official(Role.DESK)
def team(request: HttpRequest, desk: Desk, number: int) -> HttpResponseBase:
    """One team: what it is called, who plays, where it stands, and what can be done."""
    return _team_page(request, desk, _entry(desk, number))


def _team_page(
    request: HttpRequest, desk: Desk, entry: Entry, status: int = 200, **forms_given: RunForm
) -> HttpResponseBase:
    fields = {"name": entry.name, "seed": entry.seed, "rating": entry.rating}
    context = {
        **team_context(desk.tournament, entry),
        "form": forms_given.get("form") or TeamFields(initial=fields),
        "substitute": forms_given.get("substitute") or Substitute(entry, prefix="sub"),
    }
    return shown(request, "director/team.html", desk, context, tab="desk", status=status)


@require_POST
@official(Role.DESK)
def team_change(request: HttpRequest, desk: Desk, number: int) -> HttpResponseBase:
    """Name, seed and rating."""
    entry = _entry(desk, number)
    form = TeamFields(request.POST)
    if form.is_valid():
        try:
            entry_update(entry_id=entry.pk, actor=desk.actor, **form.cleaned_data)
        except REFUSALS as refusal:
            form.refuse(refusal)
        else:
            said(request, _("Saved."))
            return redirect("team-sheet", desk.slug, number)
    return _team_page(request, desk, entry, 422, form=form)


@require_POST
@official(Role.DESK)
def team_substitute(request: HttpRequest, desk: Desk, number: int) -> HttpResponseBase:
    """One partner plays instead of the other from now on; matches played keep who played them."""
    entry = _entry(desk, number)
    form = Substitute(entry, request.POST, prefix="sub")
    if form.is_valid():
        fields = form.cleaned_data
        try:
            new = entry_substitute(
                entry_id=entry.pk,
                leaving=UUID(fields["leaving"]),
                name=fields["name"],
                reason=fields["reason"],
                actor=desk.actor,
            )
        except REFUSALS as refusal:
            form.refuse(refusal)
        else:
            said(
                request,
                _("%(player)s plays for %(team)s from now on.")
                % {"player": new.player.name, "team": entry.name},
            )
            return redirect("team-sheet", desk.slug, number)
    return _team_page(request, desk, entry, 422, substitute=form)


@require_http_methods(["GET", "HEAD", "POST"])
@official(Role.DESK)
def withdraw(request: HttpRequest, desk: Desk, number: int) -> HttpResponseBase:
    """Take a team out, after a look at what that changes."""
    entry = _entry(desk, number)
    form = OptionalReason(request.POST or None)
    if request.method == "POST" and form.is_valid():
        is_out = "disqualify" in request.POST
        return acted(
            request,
            lambda: entry_withdraw(
                entry_id=entry.pk,
                actor=desk.actor,
                reason=form.cleaned_data["reason"],
                disqualified=is_out,
            ),
            back=reverse("team-sheet", args=[desk.slug, number]),
            done=(_("%(team)s is disqualified.") if is_out else _("%(team)s has withdrawn."))
            % {"team": entry.name},
            undo=Undo(reverse("team-reinstate", args=[desk.slug, number]), _("Undo"), {})
            if desk.may(Role.DIRECTOR)
            else None,
        )
    context = {"entry": entry, "form": form, "preview": withdrawal_preview(entry)}
    return shown(request, "director/withdraw.html", desk, context, tab="desk")


@require_POST
@official(Role.DIRECTOR)
def reinstate(request: HttpRequest, desk: Desk, number: int) -> HttpResponseBase:
    """Take a withdrawal back, while the team has lost no place by it."""
    entry = _entry(desk, number)
    return acted(
        request,
        lambda: entry_reinstate(entry_id=entry.pk, actor=desk.actor),
        back=reverse("team-sheet", args=[desk.slug, number]),
        done=_("%(team)s is in again.") % {"team": entry.name},
    )


def _entry(desk: Desk, number: int) -> Entry:
    entry = entry_of(desk.tournament, number)
    if entry is None:
        raise Http404
    return entry
