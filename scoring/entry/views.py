"""The table page: each view reads a form, calls one service, and shows the page again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from scoring.entry import full, hands
from scoring.entry.page import last_record, names_of, page_context, seats_of
from scoring.entry.visit import Visit
from scoring.enums import Level
from scoring.pages.live import seat_names
from scoring.pages.matches import match_views
from scoring.services.game import game_put, last_record_undo
from scoring.services.hand import HandEntry, entry_facts, hand_put
from scoring.services.play import call_put, play_put, trump_put
from tables.enums import JudgeCallKind
from tables.models import JudgeCall
from tables.services.calls import match_start
from tables.services.codes import result_confirm_with_code
from tables.services.judge import judge_answer, judge_call
from tournaments.enums import MatchState
from tournaments.errors import Conflict, Refusal
from tournaments.forms import REFUSALS, code_of, reason_of
from tournaments.models import Match
from tournaments.rulesets import GameMarks, match_rules
from tournaments.selectors import revision_numbers
from tournaments.services.result import result_confirm, result_dispute, result_take_back


@require_safe
def home(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """Tally, one big button, undo, judge; then the hands so far. Or whatever the match waits for."""
    template = "entry/_home.html" if request.GET.get("fragment") == "table" else "entry/home.html"
    return _shown(request, template, visit, page_context(visit))


def _shown(
    request: HttpRequest, template: str, visit: Visit, context: dict[str, Any], status: int = 200
) -> HttpResponseBase:
    """The page with the parts that it follows. One query."""
    parts = ["tables", "messages"]
    if visit.match is not None:
        parts.append(f"match:{visit.match.code}")
    numbers = revision_numbers(visit.tournament.pk, parts)
    base = {
        "visit": visit,
        "tournament": visit.tournament,
        "zone": visit.tournament.time_zone,
        "parts": " ".join(parts),
        "revs": " ".join(f"{part}={number}" for part, number in sorted(numbers.items())),
    }
    return render(request, template, {**base, **context}, status=status)


def _match(visit: Visit) -> Match:
    if visit.match is None:
        raise Http404
    return visit.match


def _acted(request: HttpRequest, visit: Visit, act: Any, done: str = "") -> HttpResponseBase:
    """Do what a button asks for, say what came of it, and show the page again."""
    try:
        act()
    except REFUSALS as refusal:
        messages.error(request, reason_of(refusal))
    else:
        if done:
            messages.success(request, done)
    return redirect(visit.home)


@require_POST
def start(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """They sit down."""
    return _acted(request, visit, lambda: match_start(match_id=_match(visit).pk, actor=visit.actor))


@require_safe
def hand(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """The next hand in three taps; with all three the sheet with the new totals. Nothing is saved here."""
    match = _match(visit)
    if match.state not in {MatchState.READY, MatchState.CALLED, MatchState.PLAYING}:
        return redirect(visit.home)
    standing = hands.standing_of(match)
    if standing.live_hand is not None:
        return redirect(visit.url("full-hand", hand_id=standing.live_hand.pk))
    return _hand_page(request, visit, match, standing, hands.Said.of(request.GET))


def _hand_page(
    request: HttpRequest,
    visit: Visit,
    match: Match,
    standing: hands.Standing,
    said: hands.Said,
    *,
    refusal: Exception | None = None,
    status: int = 200,
) -> HttpResponseBase:
    view = match_views(visit.tournament.slug, [match], marks_target=standing.rules.target)[0]
    outcome = None
    if said.is_complete:
        outcome = hands.outcome_of(match, standing, said, names_of(view))
    if refusal is not None:
        outcome = hands.Outcome(refusal=reason_of(refusal), code=code_of(refusal))
    game, number = said.slot(standing)
    seats = seats_of(match, view)
    context = {
        "match": view,
        "standing": standing,
        "game": game,
        "number": number,
        "may_say_shaker": standing.may_say_shaker and number == 1,
        "offers": hands.offers_of(standing.rules),
        "seats": seats,
        "said": said,
        "outcome": outcome,
        "target": standing.rules.target,
        "save_url": visit.url("hand-save", game=game, hand=number),
        "shaker_name": next((one["short"] for one in seats if one["seat"] == standing.shaker), ""),
    }
    template = "entry/_sheet.html" if request.GET.get("fragment") == "sheet" else "entry/hand.html"
    return _shown(request, template, visit, context, status)


@require_POST
def hand_save(request: HttpRequest, visit: Visit, game: int, hand: int) -> HttpResponseBase:
    """Save a hand at its place: sent twice it is one hand; another one there is a conflict for the desk."""
    match = _match(visit)
    standing = hands.standing_of(match)
    said = hands.Said.of(request.POST)
    entry = said.entry(standing)
    if (game, hand) != (standing.game, standing.hand) and said.shaker:
        # A page sent again: who shakes was said when the hand was new.
        entry = replace(entry, shaker=said.shaker)
    if request.POST.get("level") == Level.MARKS:
        marks = _whole(request.POST.get("marks"))
        entry = HandEntry(level=Level.MARKS, winner=request.POST.get("winner", ""), marks=marks)
    try:
        hand_put(match_id=match.pk, game_number=game, number=hand, entry=entry, actor=visit.actor)
    except Conflict as conflict:
        if conflict.code == "hand_differs":
            return _differs(request, visit, conflict, entry, game, hand)
        messages.error(request, conflict.detail)
        return redirect(visit.home)
    except REFUSALS as refusal:
        if entry.level == Level.MARKS:
            return _marks_page(request, visit, match, {"hand": reason_of(refusal)}, 422, code_of(refusal))
        return _hand_page(request, visit, match, standing, said, refusal=refusal, status=422)
    return redirect(visit.home)


def _differs(
    request: HttpRequest, visit: Visit, conflict: Conflict, entry: HandEntry, game: int, hand: int
) -> HttpResponseBase:
    """Tell the desk of both entries, and show them side by side."""
    facts = {"game": game, "hand": hand, "stored": conflict.facts["stored"], "tried": entry_facts(entry)}
    call = judge_call(match_id=_match(visit).pk, actor=visit.actor, kind=JudgeCallKind.DIFFERS, facts=facts)
    context = {**page_context(visit), "call": call, "mine": True}
    return _shown(request, "entry/differs.html", visit, context, 409)


@require_safe
def marks(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """Marks only: of one hand, or of a whole game."""
    return _marks_page(request, visit, _match(visit), {})


def _marks_page(
    request: HttpRequest,
    visit: Visit,
    match: Match,
    problems: dict[str, str],
    status: int = 200,
    code: str = "",
) -> HttpResponseBase:
    standing = hands.standing_of(match)
    view = match_views(visit.tournament.slug, [match], marks_target=standing.rules.target)[0]
    context = {
        "match": view,
        "standing": standing,
        "highest": range(1, hands.offers_of(standing.rules).highest + 1),
        "typed": request.POST,
        "problems": problems,
        "code": code,
        "save_hand": visit.url("hand-save", game=standing.game, hand=standing.hand),
        "save_game": visit.url("game-save", game=standing.game),
    }
    return _shown(request, "entry/marks.html", visit, context, status)


@require_POST
def game_save(request: HttpRequest, visit: Visit, game: int) -> HttpResponseBase:
    """Save a whole game as marks."""
    match = _match(visit)
    ns, ew = _whole(request.POST.get("ns")), _whole(request.POST.get("ew"))
    if ns is None or ew is None:
        return _marks_page(request, visit, match, {"game": _("Give the marks of both sides.")}, 422)
    try:
        game_put(match_id=match.pk, number=game, marks=GameMarks(NS=ns, EW=ew), actor=visit.actor)
    except REFUSALS as refusal:
        return _marks_page(
            request, visit, match, {"game": reason_of(refusal)}, _status(refusal), code_of(refusal)
        )
    return redirect(visit.home)


def _status(refusal: Exception) -> int:
    return refusal.status if isinstance(refusal, Refusal) else 422


def _whole(text: Any) -> int | None:
    """A small whole number as typed; None for anything else."""
    text = str(text or "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 2 else None


@require_POST
def undo(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """Take the newest hand or game back. The button names it, so a second tap takes nothing else."""
    game, hand = _whole(request.POST.get("game")), _whole(request.POST.get("hand"))
    if game is None or hand is None:
        raise Http404
    match = _match(visit)
    last = last_record(match)
    if last is None or (game, hand) > (last.game, last.hand):
        return redirect(visit.home)  # it was taken back already
    text = _("Hand %(hand)d is taken back.") if hand else _("Game %(game)d is taken back.")
    return _acted(
        request,
        visit,
        lambda: last_record_undo(match_id=match.pk, actor=visit.actor, last=(game, hand or None)),
        text % {"hand": hand, "game": game},
    )


@require_POST
def take_back(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """Withdraw the entry so that it can be changed: with it the hand or game that ended the match."""
    match = _match(visit)
    last = last_record(match)

    def act() -> None:
        if match.state not in {MatchState.ENTERED, MatchState.DISPUTED}:
            return
        if last is None:
            result_take_back(match_id=match.pk, actor=visit.actor)
        else:
            last_record_undo(match_id=match.pk, actor=visit.actor, last=(last.game, last.hand or None))

    return _acted(request, visit, act, _("It is taken back. Enter it again."))


@require_POST
def confirm(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """Yes, this is right."""
    version = _whole(request.POST.get("version")) or 0
    match = _match(visit)
    return _acted(
        request,
        visit,
        lambda: result_confirm(match_id=match.pk, version=version, actor=visit.actor),
        _("%(match)s is final.") % {"match": match.code},
    )


@require_POST
def code(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """The other side types its four digits on this phone."""
    match = _match(visit)
    try:
        result_confirm_with_code(
            match_id=match.pk,
            version=_whole(request.POST.get("version")) or 0,
            side=request.POST.get("side", ""),
            code=request.POST.get("code", "").strip(),
            actor=visit.actor,
        )
    except REFUSALS as refusal:
        context = {**page_context(visit), "code_problem": reason_of(refusal)}
        return _shown(request, "entry/home.html", visit, context, _status(refusal))
    messages.success(request, _("%(match)s is final.") % {"match": match.code})
    return redirect(visit.home)


@require_POST
def dispute(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """No, this is wrong: the desk decides."""
    reason = request.POST.get("reason", "")[:1000]
    return _acted(
        request,
        visit,
        lambda: result_dispute(match_id=_match(visit).pk, actor=visit.actor, reason=reason),
        _("The desk has been told."),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def judge(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """Ask for a judge, with a word if one likes."""
    match = _match(visit)
    if request.method != "POST":
        view = match_views(visit.tournament.slug, [match])[0]
        return _shown(request, "entry/judge.html", visit, {"match": view})
    return _acted(
        request,
        visit,
        lambda: judge_call(match_id=match.pk, actor=visit.actor, note=request.POST.get("note", "")),
        _("A judge has been asked for. Stay at the table."),
    )


@require_POST
def judge_back(request: HttpRequest, visit: Visit, call_id: UUID) -> HttpResponseBase:
    """No judge is needed any more; of two entries that differ the stored one is right."""
    call = JudgeCall.objects.filter(pk=call_id, match=_match(visit)).first()
    if call is None:
        raise Http404
    return _acted(
        request,
        visit,
        lambda: judge_answer(call_id=call.pk, actor=visit.actor),
        _("No judge is needed any more."),
    )


@require_POST
def full_open(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """Record the next hand tile by tile."""
    match = _match(visit)
    standing = hands.standing_of(match)
    shaker = standing.shaker or hands.Said.of(request.POST).shaker
    try:
        made, _new = hand_put(
            match_id=match.pk,
            game_number=standing.game,
            number=standing.hand,
            entry=HandEntry(level=Level.FULL, shaker=shaker),
            actor=visit.actor,
        )
    except REFUSALS as refusal:
        messages.error(request, reason_of(refusal))
        return redirect(visit.url("hand"))
    return redirect(visit.url("full-hand", hand_id=made.pk))


@require_safe
def full_hand(request: HttpRequest, visit: Visit, hand_id: UUID) -> HttpResponseBase:
    """The hand tile by tile: calls, trump, the set of 28."""
    return _full_page(request, visit, hand_id)


def _full_page(
    request: HttpRequest, visit: Visit, hand_id: UUID, refusal: Exception | None = None
) -> HttpResponseBase:
    match = _match(visit)
    row = full.hand_of_match(match, hand_id)
    view = match_views(visit.tournament.slug, [match], marks_target=match_rules(match).target)[0]
    context = {
        "match": view,
        "full": full.full_context(row, view, visit.actor, seat_names(match.pk)),
        "problem": reason_of(refusal) if refusal is not None else "",
        "code": code_of(refusal) if refusal is not None else "",
        "tried": request.POST.get("tile", ""),
    }
    status = 200 if refusal is None else _status(refusal)
    return _shown(request, "entry/full.html", visit, context, status)


def _recorded(request: HttpRequest, visit: Visit, hand_id: UUID, act: Any) -> HttpResponseBase:
    """Record a call, the trump or a tile; a refusal stands on the page, nothing is stored."""
    full.hand_of_match(_match(visit), hand_id)
    try:
        recorded = act()
    except REFUSALS as refusal:
        return _full_page(request, visit, hand_id, refusal)
    if recorded.engine.is_closed and recorded.is_new:
        return redirect(visit.home)
    return redirect(visit.url("full-hand", hand_id=hand_id))


@require_POST
def call(request: HttpRequest, visit: Visit, hand_id: UUID, seq: int) -> HttpResponseBase:
    """A call of the auction, at its place."""
    seat, said = request.POST.get("seat", ""), request.POST.get("call", "")
    return _recorded(
        request,
        visit,
        hand_id,
        lambda: call_put(hand_id=hand_id, seq=seq, seat=seat, call=said, actor=visit.actor),
    )


@require_POST
def trump(request: HttpRequest, visit: Visit, hand_id: UUID) -> HttpResponseBase:
    """The trump."""
    said = request.POST.get("trump", "")
    return _recorded(
        request, visit, hand_id, lambda: trump_put(hand_id=hand_id, trump=said, actor=visit.actor)
    )


@require_POST
def play(request: HttpRequest, visit: Visit, hand_id: UUID, seq: int) -> HttpResponseBase:
    """A tile, at its place."""
    seat, tile = request.POST.get("seat", ""), request.POST.get("tile", "")
    return _recorded(
        request,
        visit,
        hand_id,
        lambda: play_put(hand_id=hand_id, seq=seq, seat=seat, tile=tile, actor=visit.actor),
    )
