"""*Record hand*: marks, a hand at bid level, or a hand tile by tile, for one match. Works by plain form posts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _later

from scoring.admin.forms import (
    Asked,
    BidForm,
    FullForm,
    GameForm,
    MarksForm,
    RecordForm,
    tiles_of,
)
from scoring.entry import full, hands
from scoring.entry.page import hand_lines, last_record, names_of
from scoring.pages import words
from scoring.pages.live import seat_names
from scoring.pages.matches import MatchView, match_views
from scoring.services.deal import deal_put
from scoring.services.game import game_put
from scoring.services.hand import hand_put
from scoring.services.play import call_put, play_put, trump_put
from tournaments.actors import Actor, user_actor
from tournaments.admin.acts import Acting
from tournaments.admin.base import in_zone
from tournaments.enums import OPEN_FOR_PLAY, Role
from tournaments.errors import Conflict, NotThere, NotYours
from tournaments.forms import REFUSALS, code_of, reason_of, status_of
from tournaments.models import Match
from tournaments.permissions import RANK
from tournaments.rulesets import match_rules

FORMS: dict[str, type[RecordForm]] = {"bid": BidForm, "marks": MarksForm, "game": GameForm, "full": FullForm}
WAYS = (
    ("bid", _later("Bid level")),
    ("marks", _later("Marks of a hand")),
    ("game", _later("A whole game")),
    ("full", _later("Tile by tile")),
)


class RecordViews(Acting):
    """The two pages, as part of the admin of matches."""

    def record_view(self, request: HttpRequest, object_id: UUID) -> HttpResponseBase:
        """The next hand, or the whole game."""
        match = self._match(request, object_id)
        standing = hands.standing_of(match)
        view = _view(match, standing.rules.target)
        way = request.POST.get("way", request.GET.get("way", ""))
        way = way if way in FORMS else "bid"
        asked = _asked(match, view, standing)
        form, status = FORMS[way](asked), 200
        if request.method == "POST":
            form, status = FORMS[way](asked, request.POST), 422
            if form.is_valid():
                try:
                    return self._saved(request, match, form)
                except NotYours as refusal:
                    raise PermissionDenied(refusal.detail) from refusal
                except REFUSALS as refusal:
                    form.refuse(refusal)
                    status = status_of(refusal)
        return self._record_page(request, match, view, standing, {"way": way, "form": form}, status)

    def _record_page(
        self,
        request: HttpRequest,
        match: Match,
        view: MatchView,
        standing: hands.Standing,
        parts: dict[str, Any],
        status: int,
    ) -> HttpResponseBase:
        names = seat_names(match.pk)
        refusal = parts["form"].refusal
        context = {
            "title": _("Record hand"),
            "ways": WAYS,
            "standing": standing,
            "shaker": words.seat_name(standing.shaker) if standing.shaker else "",
            "shaker_name": names.get(standing.shaker, ""),
            "offers": hands.offers_of(standing.rules),
            "lines": hand_lines(match, standing, names),
            "last": last_record(match),
            "problem": reason_of(refusal) if refusal else "",
            "code": code_of(refusal) if refusal else "",
            "stored": _stored(refusal),
            "can_play": match.state in OPEN_FOR_PLAY,
            "undo_address": self.page_of(match, "undo"),
            "settle_address": self.page_of(match, "settle"),
            "take_back_address": self.page_of(match, "take-back"),
            **parts,
        }
        return self._shown(request, "admin/record.html", match, view, context, status)

    def _saved(self, request: HttpRequest, match: Match, form: RecordForm) -> HttpResponseBase:
        """Record what the form says at the place that its page was opened for."""
        game, hand = _place(request, "game"), _place(request, "hand")
        actor = user_actor(request.user)
        if isinstance(form, GameForm):
            game_put(match_id=match.pk, number=game, marks=form.entry(), actor=actor)
            self.message_user(request, _("Game %(game)d is recorded.") % {"game": game})
            return redirect("admin:tournaments_match_record", match.pk)
        assert isinstance(form, BidForm | MarksForm | FullForm)
        made, _new = hand_put(
            match_id=match.pk, game_number=game, number=hand, entry=form.entry(), actor=actor
        )
        if isinstance(form, FullForm):
            return redirect("admin:tournaments_match_record_hand", match.pk, made.pk)
        self.message_user(request, _("Hand %(hand)d is recorded.") % {"hand": hand})
        way = "marks" if isinstance(form, MarksForm) else "bid"
        return redirect(reverse("admin:tournaments_match_record", args=[match.pk]) + f"?way={way}")

    def full_view(self, request: HttpRequest, object_id: UUID, hand_id: UUID) -> HttpResponseBase:
        """One hand tile by tile: calls, trump, tiles; what the engine allows comes first."""
        match = self._match(request, object_id)
        _hand(match, hand_id)
        what, refusal = request.POST.get("what", ""), None
        if request.method == "POST":
            do = self._acts(request, hand_id).get(what)
            if do is None:
                raise Http404
            try:
                do(user_actor(request.user))
            except NotYours as error:
                raise PermissionDenied(error.detail) from error
            except REFUSALS as error:
                refusal = error
            else:
                return redirect("admin:tournaments_match_record_hand", match.pk, hand_id)
        return self._full_page(request, match, hand_id, what, refusal)

    def _acts(self, request: HttpRequest, hand_id: UUID) -> dict[str, Callable[[Actor], object]]:
        """What can be posted to the page of a hand."""
        said = {
            name: request.POST.get(name, "").strip() for name in ("seat", "call", "trump", "tile", "tiles")
        }
        seq = _place(request, "seq")
        return {
            "call": lambda actor: call_put(
                hand_id=hand_id, seq=seq, seat=said["seat"], call=said["call"], actor=actor
            ),
            "trump": lambda actor: trump_put(hand_id=hand_id, trump=said["trump"], actor=actor),
            "play": lambda actor: play_put(
                hand_id=hand_id, seq=seq, seat=said["seat"], tile=said["tile"], actor=actor
            ),
            "tiles": lambda actor: deal_put(
                hand_id=hand_id, seat=said["seat"], tiles=tiles_of(said["tiles"]), actor=actor
            ),
        }

    def _full_page(
        self, request: HttpRequest, match: Match, hand_id: UUID, what: str, refusal: Exception | None
    ) -> HttpResponseBase:
        row = _hand(match, hand_id)
        view = _view(match, match_rules(match).target)
        names = seat_names(match.pk)
        context = {
            "title": _("Hand %(hand)d, tile by tile") % {"hand": row.number},
            "full": full.full_context(row, view, user_actor(request.user), names),
            "seats": [(seat, _seat_word(seat, names)) for seat in "NESW"],
            "problem": reason_of(refusal) if refusal else "",
            "code": code_of(refusal) if refusal else "",
            "what": what,
            "typed": request.POST,
            "record_address": reverse("admin:tournaments_match_record", args=[match.pk]),
            "undo_address": self.page_of(match, "undo"),
        }
        status = status_of(refusal) if refusal else 200
        return self._shown(request, "admin/record_full.html", match, view, context, status)

    def _shown(
        self,
        request: HttpRequest,
        template: str,
        match: Match,
        view: MatchView,
        context: dict[str, Any],
        status: int,
    ) -> HttpResponseBase:
        base = {
            **self.admin_site.each_context(request),
            "subtitle": f"{match.code} · {match.tournament}",
            "opts": self.opts,
            "row": match,
            "row_address": self.page_of(match),
            "tournament": match.tournament,
            "match": view,
            "zone": match.tournament.time_zone,
            **context,
        }
        answer = TemplateResponse(request, template, base, status=status)
        return in_zone(answer, match.tournament.time_zone)

    def _match(self, request: HttpRequest, object_id: UUID) -> Match:
        """The match, for an account that may record in its event."""
        match = self.row_of(request, str(object_id))
        assert isinstance(match, Match)
        role = self.role_in(request, match)
        if role is None or RANK[role] < RANK[Role.SCORER]:
            raise PermissionDenied
        return match


def _view(match: Match, target: int) -> MatchView:
    return match_views(match.tournament.slug, [match], marks_target=target)[0]


def _asked(match: Match, view: MatchView, standing: hands.Standing) -> Asked:
    names = seat_names(match.pk)
    return Asked(
        seats=[(seat, _seat_word(seat, names)) for seat in "NESW"],
        sides=list(names_of(view).items()),
        may_say_shaker=standing.may_say_shaker,
        rules=standing.rules,
    )


def _seat_word(seat: str, names: dict[str, str]) -> str:
    """A seat with who sits there, as far as it is known."""
    return f"{words.seat_name(seat)} · {names[seat]}" if seat in names else words.seat_name(seat)


def _hand(match: Match, hand_id: UUID) -> Any:
    try:
        return full.hand_of_match(match, hand_id)
    except NotThere as refusal:
        raise Http404(refusal.detail) from refusal


def _stored(refusal: Exception | None) -> Any:
    """The hand that stands where another one was typed; None for any other refusal."""
    if isinstance(refusal, Conflict) and refusal.code == "hand_differs":
        return refusal.facts["stored"]
    return None


def _place(request: HttpRequest, name: str) -> int:
    """A place as the page names it; 0, which no record has, for anything else."""
    text = request.POST.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 4 else 0
