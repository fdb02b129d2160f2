"""Matches: the list, the sheet of one, and results entered, settled, taken back, corrected and forfeited."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _later
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from scoring.director.access import Desk, acted, official, said, shown
from scoring.director.forms import Reason
from scoring.director.selectors.sheet import (
    Preview,
    forfeit_preview,
    games_preview,
    matches_context,
    sheet_context,
    stored_games,
)
from scoring.director.views.floor import match_of
from scoring.pages.matches import match_views
from scoring.services.game import last_record_undo, result_put
from tournaments.enums import Role
from tournaments.errors import AgainstRules, Refusal
from tournaments.forms import REFUSALS, RunForm
from tournaments.models import Match
from tournaments.rulesets import GameMarks
from tournaments.services.correction import result_correct
from tournaments.services.result import match_forfeit, result_confirm, result_dispute, result_take_back

MOST_MARKS = 99


class GamesForm(RunForm):
    """Marks of each game of a match: two figures a game, empty for games that were not played."""

    def __init__(self, best_of: int, *args: Any, games: Sequence[GameMarks] = (), **kwargs: Any) -> None:
        initial: dict[str, int] = {}
        for number, game in enumerate(games, start=1):
            initial |= {f"ns{number}": game["NS"], f"ew{number}": game["EW"]}
        super().__init__(*args, initial=initial, **kwargs)
        self.best_of = best_of
        for number in range(1, best_of + 1):
            for side in ("ns", "ew"):
                self.fields[f"{side}{number}"] = forms.IntegerField(
                    required=False,
                    min_value=0,
                    max_value=MOST_MARKS,
                    widget=forms.TextInput(
                        attrs={"inputmode": "numeric", "maxlength": 2, "autocomplete": "off"}
                    ),
                )

    def rows(self) -> list[tuple[int, Any, Any]]:
        """Number, and the fields of both sides, of each game."""
        return [(number, self[f"ns{number}"], self[f"ew{number}"]) for number in range(1, self.best_of + 1)]

    def rest(self) -> list[forms.BoundField]:
        """The fields beside the games."""
        games = {f"{side}{number}" for number in range(1, self.best_of + 1) for side in ("ns", "ew")}
        return [field for field in self if field.name not in games]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        ended = False
        for number in range(1, self.best_of + 1):
            pair = cleaned.get(f"ns{number}"), cleaned.get(f"ew{number}")
            if (pair[0] is None) != (pair[1] is None) and not self._errors_of(number):
                self.add_error(
                    f"ns{number}", _("Game %(number)d needs marks for both sides.") % {"number": number}
                )
            if pair != (None, None) and ended:
                self.add_error(f"ns{number}", _("Fill the games in from the first."))
            ended = ended or pair == (None, None)
        return cleaned

    def _errors_of(self, number: int) -> bool:
        return f"ns{number}" in self.errors or f"ew{number}" in self.errors

    def games(self) -> list[GameMarks]:
        """The games that were filled in."""
        found = []
        for number in range(1, self.best_of + 1):
            ns, ew = self.cleaned_data[f"ns{number}"], self.cleaned_data[f"ew{number}"]
            if ns is None:
                break
            found.append(GameMarks(NS=ns, EW=ew))
        return found

    def refuse(self, refusal: Exception) -> None:
        game = getattr(refusal, "facts", {}).get("game")
        if isinstance(game, int) and f"ns{game}" in self.fields and isinstance(refusal, AgainstRules):
            self.add_error(f"ns{game}", forms.ValidationError(refusal.detail, code=refusal.code))
        else:
            super().refuse(refusal)


class EnterForm(GamesForm):
    """A result as an official enters it."""

    desk = forms.BooleanField(required=False, label=_later("It counts at once, with this reason"))
    reason = forms.CharField(max_length=1000, required=False, label=_later("Reason"))


class CorrectForm(GamesForm):
    """What a final result should have been."""

    forfeit = forms.ChoiceField(
        required=False,
        label=_later("Or it was a forfeit"),
        choices=(
            ("", _later("No, it was played")),
            ("NS", _later("North and South forfeit")),
            ("EW", _later("East and West forfeit")),
            ("both", _later("Both forfeit")),
        ),
    )
    reason = forms.CharField(max_length=1000, label=_later("Reason"))


@require_safe
@official(Role.SCORER)
def matches(request: HttpRequest, desk: Desk) -> HttpResponseBase:
    """Every match, by state, code, team or player."""
    page = request.GET.get("page", "1")
    context = matches_context(
        desk.tournament,
        state=request.GET.get("state", ""),
        query=request.GET.get("q", "").replace("\x00", "").strip()[:120],
        number=int(page) if page.isascii() and page.isdigit() and 0 < len(page) < 5 and int(page) else 1,
        draft=desk.may(Role.DIRECTOR),
    )
    return shown(request, "director/matches.html", desk, context, tab="matches")


@require_safe
@official(Role.SCORER)
def sheet(request: HttpRequest, desk: Desk, number: int) -> HttpResponseBase:
    """One match with everything that happened to it."""
    match = match_of(desk, number)
    context = sheet_context(desk.tournament, match, role=desk.role, user=request.user)
    context["settle"] = Reason(prefix="settle")
    parts = (f"match:{match.code}",)
    template = "director/_sheet.html" if request.GET.get("fragment") == "sheet" else "director/sheet.html"
    return shown(request, template, desk, context, tab="matches", parts=parts)


def _back(desk: Desk, match: Match) -> str:
    return reverse("sheet", args=[desk.slug, match.code])


def _page(
    request: HttpRequest, template: str, desk: Desk, match: Match, context: dict[str, Any], status: int = 200
) -> HttpResponseBase:
    view = match_views(desk.slug, [match])[0]
    return shown(request, template, desk, {"match": view, **context}, tab="matches", status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@official(Role.SCORER)
def enter(request: HttpRequest, desk: Desk, number: int) -> HttpResponseBase:
    """Enter a whole match. The form starts with what is stored, never with zeros."""
    match = match_of(desk, number)
    form = EnterForm(match.best_of, request.POST or None, games=stored_games(match))
    if request.method == "POST" and form.is_valid():
        is_desk = form.cleaned_data["desk"]
        try:
            entered = result_put(
                match_id=match.pk,
                games=form.games(),
                actor=desk.actor,
                desk=is_desk,
                reason=form.cleaned_data["reason"],
            )
        except REFUSALS as refusal:
            form.refuse(refusal)
        else:
            texts = {
                "disputed": _("Another result was entered before. Both are kept: settle one of them."),
                "same": _("This result is stored already."),
                "new": _("%(match)s is entered. Somebody else confirms it."),
            }
            text = _("%(match)s is final.") if is_desk else texts[entered.how]
            said(request, text % {"match": match.code})
            return redirect(_back(desk, match))
    status = 422 if form.is_bound else 200
    return _page(request, "director/enter.html", desk, match, {"form": form}, status)


@require_POST
@official(Role.DESK)
def settle(request: HttpRequest, desk: Desk, number: int) -> HttpResponseBase:
    """Make one entry the result that counts."""
    match = match_of(desk, number)
    version = request.POST.get("version", "")
    chosen = int(version) if version.isascii() and version.isdigit() and len(version) < 7 else 0
    return acted(
        request,
        lambda: result_confirm(
            match_id=match.pk, version=chosen, actor=desk.actor, reason=request.POST.get("settle-reason", "")
        ),
        back=_back(desk, match),
        done=_("%(match)s is final. If it was wrong, correct it while nothing depends on it.")
        % {"match": match.code},
    )


@require_POST
@official(Role.SCORER)
def take_back(request: HttpRequest, desk: Desk, number: int) -> HttpResponseBase:
    """Withdraw entries that do not count yet; play goes on."""
    match = match_of(desk, number)
    return acted(
        request,
        lambda: result_take_back(match_id=match.pk, actor=desk.actor),
        back=_back(desk, match),
        done=_("The entry of %(match)s is taken back. It can be entered again.") % {"match": match.code},
    )


@require_POST
@official(Role.SCORER)
def dispute(request: HttpRequest, desk: Desk, number: int) -> HttpResponseBase:
    """Say that an entry is wrong, for a side that says so at the desk."""
    match = match_of(desk, number)
    return acted(
        request,
        lambda: result_dispute(
            match_id=match.pk, actor=desk.actor, reason=request.POST.get("reason", "")[:1000]
        ),
        back=_back(desk, match),
        done=_("%(match)s is in dispute. Settle one entry, or take it back and enter it again.")
        % {"match": match.code},
    )


@require_POST
@official(Role.SCORER)
def undo(request: HttpRequest, desk: Desk, number: int) -> HttpResponseBase:
    """Take the newest hand or whole game back."""
    match = match_of(desk, number)
    words = {
        "hand": _("The last hand of %(match)s is taken back."),
        "game": _("The last game of %(match)s is taken back."),
    }
    return acted(
        request,
        lambda: last_record_undo(match_id=match.pk, actor=desk.actor),
        back=_back(desk, match),
        done=lambda undone: words[undone[1]] % {"match": match.code},
    )


@require_http_methods(["GET", "HEAD", "POST"])
@official(Role.DESK)
def correct(request: HttpRequest, desk: Desk, number: int) -> HttpResponseBase:
    """Correct a final result, after a look at what it changes."""
    match = match_of(desk, number)
    form = CorrectForm(match.best_of, request.POST or None, games=stored_games(match))
    preview: Preview | None = None
    if request.method == "POST" and form.is_valid():
        forfeit = form.cleaned_data["forfeit"]
        try:
            preview = forfeit_preview(match, forfeit) if forfeit else games_preview(match, form.games())
            if "sure" in request.POST:
                result_correct(
                    match_id=match.pk,
                    actor=desk.actor,
                    reason=form.cleaned_data["reason"],
                    games=None if forfeit else form.games(),
                    forfeit=forfeit,
                )
                said(request, _("%(match)s is corrected.") % {"match": match.code})
                return redirect(_back(desk, match))
        except REFUSALS as refusal:
            form.refuse(refusal)
            affected = refusal.facts.get("affected", []) if isinstance(refusal, Refusal) else []
            context = {"form": form, "affected": affected}
            return _page(request, "director/correct.html", desk, match, context, 422)
    status = 422 if form.is_bound and not form.is_valid() else 200
    return _page(request, "director/correct.html", desk, match, {"form": form, "preview": preview}, status)


@require_http_methods(["GET", "HEAD", "POST"])
@official(Role.DESK)
def forfeit(request: HttpRequest, desk: Desk, number: int) -> HttpResponseBase:
    """End a match without play: one side or both did not appear, or may not go on."""
    match = match_of(desk, number)
    form = Reason(request.POST or None, initial={"reason": _("not at the table in time")})
    side = request.POST.get("side", "")
    preview: Preview | None = None
    if request.method == "POST" and form.is_valid():
        try:
            preview = forfeit_preview(match, side)
            if "sure" in request.POST:
                reason = form.cleaned_data["reason"]
                match_forfeit(match_id=match.pk, side=side, actor=desk.actor, reason=reason)
                said(
                    request,
                    _("%(match)s is over by forfeit. It can be corrected while nothing depends on it.")
                    % {"match": match.code},
                )
                return redirect(_back(desk, match))
        except REFUSALS as refusal:
            form.refuse(refusal)
    status = 422 if form.is_bound and not form.is_valid() else 200
    context = {"form": form, "preview": preview, "side": side}
    return _page(request, "director/forfeit.html", desk, match, context, status)
