"""The floor: calling, moving and freeing by hand, tables opened and closed, holds, judges."""

from uuid import UUID

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from scoring.director.access import Desk, Undo, acted, official, shown
from scoring.director.selectors.floor import floor_context
from tables.enums import TableState
from tables.models import JudgeCall, Table
from tables.services.calls import match_call, match_move, match_start, table_free
from tables.services.hall import hall_update, table_update
from tables.services.holds import match_hold, match_release
from tables.services.judge import judge_answer
from tournaments.enums import Role
from tournaments.models import Entry, Match
from tournaments.selectors.announcements import showing

PARTS = ("home", "bracket", "tables", "messages")


@require_safe
@official(Role.SCORER)
def floor(request: HttpRequest, desk: Desk) -> HttpResponseBase:
    """The board; `?table=` is the chosen table, `?show=` dims all others, `?fragment=board` is the board alone."""
    chosen = request.GET.get("table", "")
    number = int(chosen) if chosen.isascii() and chosen.isdigit() and len(chosen) < 6 else None
    context = floor_context(
        desk.tournament, chosen=number, show=request.GET.get("show", ""), now=timezone.now()
    )
    query = request.GET.copy()
    query["fragment"] = "board"
    context["fragment_query"] = query.urlencode()
    context["announcements"] = list(showing(desk.tournament.pk, timezone.now()))
    template = "director/_board.html" if request.GET.get("fragment") == "board" else "director/floor.html"
    return shown(request, template, desk, context, tab="floor", parts=PARTS)


def _floor(desk: Desk, number: int | None = None) -> str:
    return reverse("floor", args=[desk.slug]) + (f"?table={number}" if number is not None else "")


def _table(desk: Desk, number: int) -> Table:
    table = Table.objects.filter(tournament=desk.tournament, number=number).first()
    if table is None:
        raise Http404
    return table


def match_of(desk: Desk, number: int) -> Match:
    """The match with this number, its stage and round, whether its draw is published or not."""
    rows = Match.objects.select_related("tournament", "stage", "round")
    match = rows.filter(tournament=desk.tournament, number=number).first()
    if match is None:
        raise Http404
    return match


@require_POST
@official(Role.DESK)
def auto(request: HttpRequest, desk: Desk) -> HttpResponseBase:
    """Free tables get the next match by themselves, or wait for the desk."""
    on = request.POST.get("on") == "yes"
    return acted(
        request,
        lambda: hall_update(tournament_id=desk.tournament.pk, actor=desk.actor, calls_itself=on),
        back=_floor(desk),
        done=_("Free tables get the next match by themselves.")
        if on
        else _("You call every match yourself."),
        undo=Undo(request.path, _("Undo"), {"on": "no" if on else "yes"}),
    )


@require_POST
@official(Role.DESK)
def call(request: HttpRequest, desk: Desk, number: int) -> HttpResponseBase:
    """Call a ready match to this table."""
    match = match_of(desk, _number(request.POST.get("match", "")))
    return _called(request, desk, match, _table(desk, number))


@require_POST
@official(Role.DESK)
def call_match(request: HttpRequest, desk: Desk, number: int) -> HttpResponseBase:
    """Call this match to a free table."""
    table = _table(desk, _number(request.POST.get("table", "")))
    return _called(request, desk, match_of(desk, number), table)


def _called(request: HttpRequest, desk: Desk, match: Match, table: Table) -> HttpResponseBase:
    return acted(
        request,
        lambda: match_call(match_id=match.pk, table_id=table.pk, actor=desk.actor),
        back=_floor(desk, table.number),
        done=_("%(match)s is called to table %(table)d.") % {"match": match.code, "table": table.number},
        undo=Undo(reverse("table-free", args=[desk.slug, table.number]), _("Undo"), {}),
    )


@require_POST
@official(Role.DESK)
def move(request: HttpRequest, desk: Desk, number: int) -> HttpResponseBase:
    """Move a match to another free table."""
    match, table = match_of(desk, number), _table(desk, _number(request.POST.get("table", "")))
    before = match.seatings.filter(freed_at__isnull=True).values_list("table__number", flat=True).first()
    undo = Undo(request.path, _("Undo"), {"table": str(before)}) if before else None
    return acted(
        request,
        lambda: match_move(match_id=match.pk, table_id=table.pk, actor=desk.actor),
        back=_floor(desk, table.number),
        done=_("%(match)s moves to table %(table)d.") % {"match": match.code, "table": table.number},
        undo=undo,
    )


@require_POST
@official(Role.DESK)
def free(request: HttpRequest, desk: Desk, number: int) -> HttpResponseBase:
    """Give the table to the next match."""
    table = _table(desk, number)
    return acted(
        request,
        lambda: table_free(table_id=table.pk, actor=desk.actor),
        back=_floor(desk, number),
        done=_("Table %(number)d is free.") % {"number": number},
    )


@require_POST
@official(Role.DESK)
def state(request: HttpRequest, desk: Desk, number: int) -> HttpResponseBase:
    """Open the table, keep it for calls by hand, or close it; from the next match on."""
    table, wanted = _table(desk, number), request.POST.get("state", "")
    words = {
        TableState.OPEN: _("Table %(number)d is open."),
        TableState.RESERVED: _("Table %(number)d is kept for calls by hand."),
        TableState.CLOSED: _("Table %(number)d is closed."),
    }
    text = words.get(TableState(wanted), "") if wanted in TableState.values else ""
    return acted(
        request,
        lambda: table_update(table_id=table.pk, actor=desk.actor, state=wanted),
        back=_floor(desk, number),
        done=text % {"number": number} if text else "",
        undo=Undo(request.path, _("Undo"), {"state": table.state}),
    )


@require_POST
@official(Role.DESK)
def fixed(request: HttpRequest, desk: Desk, number: int) -> HttpResponseBase:
    """Say which team always plays at this table; an empty number says none."""
    table, wanted = _table(desk, number), request.POST.get("team", "").strip()
    entry = None
    if wanted:
        entry = Entry.objects.filter(tournament=desk.tournament, number=_number(wanted)).first()
        if entry is None:
            raise Http404
    before = table.fixed_entry.number if table.fixed_entry else ""
    return acted(
        request,
        lambda: table_update(table_id=table.pk, actor=desk.actor, fixed_entry=entry.pk if entry else None),
        back=reverse("cards", args=[desk.slug]),
        done=_("%(team)s always plays at table %(number)d.") % {"team": entry.name, "number": number}
        if entry
        else _("No team always plays at table %(number)d.") % {"number": number},
        undo=Undo(request.path, _("Undo"), {"team": str(before)}),
    )


@require_POST
@official(Role.DESK)
def hold(request: HttpRequest, desk: Desk, number: int) -> HttpResponseBase:
    """Do not call this match by itself."""
    match = match_of(desk, number)
    return acted(
        request,
        lambda: match_hold(match_id=match.pk, actor=desk.actor, reason=request.POST.get("reason", "")),
        back=reverse("sheet", args=[desk.slug, match.code]),
        done=_("%(match)s is held back.") % {"match": match.code},
        undo=Undo(reverse("sheet-release", args=[desk.slug, match.code]), _("Undo"), {}),
    )


@require_POST
@official(Role.DESK)
def release(request: HttpRequest, desk: Desk, number: int) -> HttpResponseBase:
    """Call this match by itself again."""
    match = match_of(desk, number)
    return acted(
        request,
        lambda: match_release(match_id=match.pk, actor=desk.actor),
        back=reverse("sheet", args=[desk.slug, match.code]),
        done=_("%(match)s may be called again.") % {"match": match.code},
        undo=Undo(reverse("sheet-hold", args=[desk.slug, match.code]), _("Undo"), {}),
    )


@require_POST
@official(Role.SCORER)
def start(request: HttpRequest, desk: Desk, number: int) -> HttpResponseBase:
    """They sat down."""
    match = match_of(desk, number)
    return acted(
        request,
        lambda: match_start(match_id=match.pk, actor=desk.actor),
        back=reverse("sheet", args=[desk.slug, match.code]),
        done=_("%(match)s is being played.") % {"match": match.code},
    )


@require_POST
@official(Role.DESK)
def judge(request: HttpRequest, desk: Desk, call_id: UUID) -> HttpResponseBase:
    """A judge is on the way: the call is answered."""
    call = (
        JudgeCall.objects.filter(pk=call_id, match__tournament=desk.tournament)
        .select_related("match")
        .first()
    )
    if call is None:
        raise Http404
    return acted(
        request,
        lambda: judge_answer(call_id=call.pk, actor=desk.actor),
        back=reverse("sheet", args=[desk.slug, call.match.code])
        if request.POST.get("back") == "sheet"
        else _floor(desk),
        done=_("A judge is on the way to %(match)s.") % {"match": call.match.code},
    )


def _number(text: str) -> int:
    """A number as typed, with or without M; 404 for anything else."""
    digits = text.strip().lstrip("Mm")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 7):
        raise Http404
    return int(digits)
