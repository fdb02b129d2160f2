"""Matches: called, entered, settled, corrected, forfeited, and the way to the page *Record hand*."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Prefetch, QuerySet
from django.http import HttpRequest
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from scoring.admin.recording import RecordViews
from scoring.director.selectors.sheet import (
    forfeit_preview,
    free_numbers,
    games_of_sheet,
    games_preview,
    stored_games,
)
from scoring.director.views.matches import CorrectForm, EnterForm
from scoring.pages.matches import match_views
from scoring.services.game import last_record_undo, result_put
from tables.models import Hold, Seating, Table
from tables.services.calls import match_call, match_move, match_start
from tables.services.holds import HOLDABLE, match_hold, match_release
from tables.services.judge import judge_call
from tournaments.actors import Actor
from tournaments.admin.acts import Act, ActForm, Acting, Fields, Preview
from tournaments.admin.base import Rows
from tournaments.enums import CLOSED, OPEN_FOR_PLAY, OPEN_FOR_RESULT, MatchState, ResultState, Role
from tournaments.errors import Conflict, NotThere
from tournaments.models import Match, Result, Slot
from tournaments.rulesets import GameMarks, match_rules
from tournaments.services.correction import result_correct
from tournaments.services.result import match_forfeit, result_confirm, result_dispute, result_take_back

WAITING_FOR_WORD = frozenset({MatchState.ENTERED, MatchState.DISPUTED})


class SettleForm(ActForm):
    """Which entry counts; done to several matches it is the only one that waits."""

    version = forms.ChoiceField(label=_("Which entry counts"), widget=forms.RadioSelect)
    reason = forms.CharField(
        max_length=1000,
        required=False,
        label=_("Reason"),
        help_text=_("Needed for an entry of your own."),
        widget=forms.TextInput,
    )

    def __init__(self, row: Match | None, data: Any = None) -> None:
        waiting = _waiting(row) if row is not None else []
        initial = {"version": waiting[0].version} if len(waiting) == 1 else {}
        super().__init__(row, data, initial=initial)
        if row is None:
            del self.fields["version"]
        else:
            field: Any = self.fields["version"]
            field.choices = [(str(one.version), f"{one.scores} · {one.entered_label}") for one in waiting]


class TableForm(ActForm):
    table = forms.TypedChoiceField(coerce=int, label=_("To table"))

    def __init__(self, row: Match, data: Any = None) -> None:
        super().__init__(row, data)
        field: Any = self.fields["table"]
        field.choices = [(number, str(number)) for number in free_numbers(row.tournament)]


class ForfeitForm(ActForm):
    side = forms.ChoiceField(label=_("Who forfeits"), widget=forms.RadioSelect)
    reason = forms.CharField(
        max_length=1000, label=_("Reason"), initial=_("not at the table in time"), widget=forms.TextInput
    )

    def __init__(self, row: Match | None, data: Any = None) -> None:
        super().__init__(row, data)
        names = {"NS": _now("North and South"), "EW": _now("East and West")}
        if row is not None:
            view = match_views(row.tournament.slug, [row])[0]
            names = {"NS": view.ns.name, "EW": view.ew.name}
        field: Any = self.fields["side"]
        field.choices = [*names.items(), ("both", _now("Both: nobody goes on"))]


class ReasonForm(ActForm):
    reason = forms.CharField(max_length=200, required=False, label=_("Reason"), widget=forms.TextInput)


class NoteForm(ActForm):
    note = forms.CharField(max_length=200, required=False, label=_("What for"), widget=forms.TextInput)


def _waiting(match: Match) -> list[Result]:
    return list(match.results.filter(state=ResultState.ENTERED).order_by("version"))


def _state_in(*states: MatchState) -> Any:
    return lambda match: match.state in states


def _table(match: Match, number: int) -> Table:
    table = Table.objects.filter(tournament=match.tournament_id, number=number).first()
    if table is None:
        raise NotThere("not_found", "There is no such table.")
    return table


def _is_seated(match: Match) -> bool:
    return Seating.objects.filter(match=match, freed_at__isnull=True).exists()


def _is_held(match: Match) -> bool:
    return Hold.objects.filter(match=match, ended_at__isnull=True).exists()


def _has_record(match: Match) -> bool:
    return match.state not in CLOSED and match.game_records.exists()


def _call(match: Match, actor: Actor, fields: Fields) -> str:
    match_call(match_id=match.pk, table_id=_table(match, fields["table"]).pk, actor=actor)
    return _now("%(match)s is called to table %(table)d.") % {"match": match.code, "table": fields["table"]}


def _move(match: Match, actor: Actor, fields: Fields) -> str:
    match_move(match_id=match.pk, table_id=_table(match, fields["table"]).pk, actor=actor)
    return _now("%(match)s moves to table %(table)d.") % {"match": match.code, "table": fields["table"]}


def _start(match: Match, actor: Actor, fields: Fields) -> str:
    match_start(match_id=match.pk, actor=actor)
    return _now("%(match)s is being played.") % {"match": match.code}


def _hold(match: Match, actor: Actor, fields: Fields) -> str:
    match_hold(match_id=match.pk, actor=actor, reason=fields["reason"])
    return _now("%(match)s is held back.") % {"match": match.code}


def _release(match: Match, actor: Actor, fields: Fields) -> str:
    match_release(match_id=match.pk, actor=actor)
    return _now("%(match)s may be called again.") % {"match": match.code}


def _judge(match: Match, actor: Actor, fields: Fields) -> str:
    judge_call(match_id=match.pk, actor=actor, note=fields["note"])
    return _now("A judge has been asked for.")


def _enter_form(match: Match, data: Any) -> EnterForm:
    return EnterForm(match.best_of, data, games=stored_games(match))


def _enter(match: Match, actor: Actor, fields: Fields) -> str:
    entered = result_put(
        match_id=match.pk,
        games=_games(match, fields),
        actor=actor,
        desk=fields["desk"],
        reason=fields["reason"],
    )
    if fields["desk"]:
        text = _now("%(match)s is final.")
    elif entered.how == "disputed":
        text = _now("Another result was entered before. Both are kept: settle one of them.")
    elif entered.how == "same":
        text = _now("This result is stored already.")
    else:
        text = _now("%(match)s is entered. Somebody else confirms it.")
    return text % {"match": match.code} if "%(" in text else text


def _games(match: Match, fields: Fields) -> list[GameMarks]:
    """The games that were filled in."""
    pairs = [(fields[f"ns{number}"], fields[f"ew{number}"]) for number in range(1, match.best_of + 1)]
    return [GameMarks(NS=ns, EW=ew) for ns, ew in pairs if ns is not None and ew is not None]


def _settle(match: Match, actor: Actor, fields: Fields) -> str:
    version = fields.get("version")
    if version is None:
        waiting = _waiting(match)
        if len(waiting) != 1:
            raise Conflict(
                "not_one_entry", _now("There is not exactly one entry that waits. Open the match.")
            )
        version = waiting[0].version
    result_confirm(match_id=match.pk, version=int(version), actor=actor, reason=fields["reason"])
    facts = {"match": match.code}
    return _now("%(match)s is final. If it was wrong, correct it while nothing depends on it.") % facts


def _dispute(match: Match, actor: Actor, fields: Fields) -> str:
    result_dispute(match_id=match.pk, actor=actor, reason=fields["reason"])
    facts = {"match": match.code}
    return _now("%(match)s is in dispute. Settle one entry, or take it back and enter it again.") % facts


def _take_back(match: Match, actor: Actor, fields: Fields) -> str:
    result_take_back(match_id=match.pk, actor=actor)
    return _now("The entry of %(match)s is taken back. It can be entered again.") % {"match": match.code}


def _undo(match: Match, actor: Actor, fields: Fields) -> str:
    _match, what = last_record_undo(match_id=match.pk, actor=actor)
    text = (
        _now("The last hand of %(match)s is taken back.")
        if what == "hand"
        else _now("The last game of %(match)s is taken back.")
    )
    return text % {"match": match.code}


def _forfeit(match: Match, actor: Actor, fields: Fields) -> str:
    match_forfeit(match_id=match.pk, side=fields["side"], actor=actor, reason=fields["reason"])
    facts = {"match": match.code}
    return _now("%(match)s is over by forfeit. It can be corrected while nothing depends on it.") % facts


def _forfeit_preview(match: Match, fields: Fields) -> Preview:
    preview = forfeit_preview(match, fields["side"])
    undone = _now("Taken back by correcting the result, while nothing that depends on it has begun.")
    return Preview([undone], preview.changes, _blocked(preview.blocked))


def _correct_form(match: Match, data: Any) -> CorrectForm:
    return CorrectForm(match.best_of, data, games=stored_games(match))


def _correct(match: Match, actor: Actor, fields: Fields) -> str:
    forfeit = fields["forfeit"]
    result_correct(
        match_id=match.pk,
        actor=actor,
        reason=fields["reason"],
        games=None if forfeit else _games(match, fields),
        forfeit=forfeit,
    )
    return _now("%(match)s is corrected.") % {"match": match.code}


def _correct_preview(match: Match, fields: Fields) -> Preview:
    forfeit = fields["forfeit"]
    preview = forfeit_preview(match, forfeit) if forfeit else games_preview(match, _games(match, fields))
    undone = _now("A correction can be corrected again in the same way.")
    return Preview([undone], preview.changes, _blocked(preview.blocked))


def _blocked(codes: list[str]) -> list[str]:
    if not codes:
        return []
    return [_now("Matches that depend on it have begun: %(codes)s.") % {"codes": ", ".join(codes)}]


def _view(match: Match) -> dict[str, Any]:
    return {"match": match_views(match.tournament.slug, [match], marks_target=match_rules(match).target)[0]}


class SlotRows(Rows):
    model = Slot
    fk_name = "match"
    fields = ("side", "entry", "state", "source_kind", "source_seed", "source_match", "cause")
    joins = ("entry", "source_match")
    verbose_name_plural = _("Sides")


class ResultRows(Rows):
    model = Result
    fields = (
        "version",
        "state",
        "outcome",
        "scores",
        "entered_label",
        "settled_way",
        "settled_label",
        "reason",
    )
    verbose_name_plural = _("Entries and results")


PLAY, RESULT, HALL = _("Play"), _("Result"), _("Hall")
ACTS = (
    Act(
        name="call",
        label=_("Call to a table"),
        do=_call,
        form=TableForm,
        offered=lambda match: match.state == MatchState.READY and not _is_seated(match),
        group=HALL,
    ),
    Act(name="move", label=_("Move"), do=_move, form=TableForm, offered=_is_seated, group=HALL),
    Act(
        name="hold",
        label=_("Hold it back"),
        do=_hold,
        form=ReasonForm,
        offered=lambda match: match.state in HOLDABLE and not _is_held(match),
        many=True,
        group=HALL,
    ),
    Act(name="release", label=_("Let it be called"), do=_release, offered=_is_held, many=True, group=HALL),
    Act(
        name="judge",
        label=_("Ask for a judge"),
        do=_judge,
        least=Role.SCORER,
        form=NoteForm,
        offered=lambda match: match.state in OPEN_FOR_RESULT,
        group=HALL,
    ),
    Act(
        name="start",
        label=_("They sat down"),
        do=_start,
        least=Role.SCORER,
        offered=_state_in(MatchState.READY, MatchState.CALLED),
        group=PLAY,
    ),
    Act(
        name="undo",
        label=_("Void the last hand or game"),
        do=_undo,
        least=Role.SCORER,
        offered=_has_record,
        many=True,
        group=PLAY,
        is_red=True,
        warning=_(
            "A hand stays in the history as taken back. It cannot be made to count again, only entered anew."
        ),
    ),
    Act(
        name="enter",
        label=_("Enter the whole match"),
        do=_enter,
        least=Role.SCORER,
        form=_enter_form,
        context=_view,
        offered=lambda match: match.state in OPEN_FOR_RESULT,
        group=RESULT,
    ),
    Act(
        name="settle",
        label=_("Settle"),
        do=_settle,
        form=SettleForm,
        context=_view,
        offered=lambda match: match.state in WAITING_FOR_WORD,
        many=True,
        group=RESULT,
    ),
    Act(
        name="dispute",
        label=_("A side says it is wrong"),
        do=_dispute,
        least=Role.SCORER,
        form=ReasonForm,
        offered=_state_in(MatchState.ENTERED),
        group=RESULT,
    ),
    Act(
        name="take-back",
        label=_("Take the entry back"),
        do=_take_back,
        least=Role.SCORER,
        offered=lambda match: match.state in WAITING_FOR_WORD,
        many=True,
        group=RESULT,
        warning=_("Play goes on. The entry stays in the history; it can be entered again."),
    ),
    Act(
        name="forfeit",
        label=_("Forfeit"),
        do=_forfeit,
        form=ForfeitForm,
        context=_view,
        preview=_forfeit_preview,
        offered=lambda match: match.state in OPEN_FOR_RESULT,
        many=True,
        group=RESULT,
        is_red=True,
    ),
    Act(
        name="correct",
        label=_("Correct the result"),
        do=_correct,
        form=_correct_form,
        preview=_correct_preview,
        context=_view,
        offered=_state_in(MatchState.CONFIRMED),
        group=RESULT,
        is_red=True,
    ),
)


@admin.register(Match)
class MatchAdmin(RecordViews, Acting):
    stage_path = "stage"
    list_display = [
        "code",
        "teams",
        "tournament",
        "round",
        "state",
        "at_table",
        "closed_at",
    ]
    list_display_links = ["code", "teams"]
    list_select_related = ["tournament", "round"]
    list_filter = ["state", "round__section", "has_play", ("advanced_at", admin.EmptyFieldListFilter)]
    search_fields = ["=number", "slots__entry__search_name", "tournament__name"]
    ordering = ["-tournament__created_at", "number"]
    change_form_template = "admin/match.html"
    inlines = [SlotRows, ResultRows]
    acts = ACTS
    back = {"record": "admin:tournaments_match_record"}

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        slots = Slot.objects.select_related("entry")
        seatings = Seating.objects.filter(freed_at__isnull=True).select_related("table")
        return (
            super()
            .get_queryset(request)
            .prefetch_related(
                Prefetch("slots", queryset=slots, to_attr="sides"),
                Prefetch("seatings", queryset=seatings, to_attr="here"),
            )
        )

    def get_search_results(self, request: HttpRequest, queryset: QuerySet[Any], search_term: str) -> Any:
        """A code finds its match: M12."""
        words = [
            word[1:] if word[:1] in "Mm" and word[1:].isdigit() else word for word in search_term.split()
        ]
        return super().get_search_results(request, queryset, " ".join(words))

    @admin.display(description=_("match"), ordering="number")
    def code(self, match: Match) -> str:
        return match.code

    @admin.display(description=_("teams"))
    def teams(self, match: Any) -> str:
        names = {slot.side: slot.entry.name if slot.entry else "…" for slot in match.sides}
        return format_html(
            '<span class="pair"><bdi>{}</bdi> – <bdi>{}</bdi></span>',
            names.get("NS", "…"),
            names.get("EW", "…"),
        )

    @admin.display(description=_("at"))
    def at_table(self, match: Any) -> str:
        return str(match.here[0].table) if match.here else ""

    def page_context(self, request: HttpRequest, row: Any) -> dict[str, Any]:
        return {
            **super().page_context(request, row),
            **_view(row),
            "games": games_of_sheet(row),
            "can_play": row.state in OPEN_FOR_PLAY,
            "record_address": reverse("admin:tournaments_match_record", args=[row.pk]),
            "event_address": reverse("admin:tournaments_tournament_change", args=[row.tournament_id]),
        }

    def more_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view
        record = "tournaments_match_record"
        return [
            path("<uuid:object_id>/record/", view(self.record_view), name=record),
            path("<uuid:object_id>/record/<uuid:hand_id>/", view(self.full_view), name=f"{record}_hand"),
        ]
