"""Records of play: games, hands, tiles, calls, plays, and what the rules refused.

While a hand is live nobody learns more here than at the table: tiles that a seat holds show once the match is
over, plays once the hand is.
"""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from scoring.enums import HandState
from scoring.models import Call, Game, Hand, Holding, Play, RefusedAttempt
from scoring.services.game import last_record_undo
from tournaments.actors import Actor
from tournaments.admin.acts import Act, Acting, Fields
from tournaments.admin.base import Rows, Stored
from tournaments.enums import CLOSED, MatchState, Role


class HandRows(Rows):
    model = Hand
    fields = (
        "number",
        "level",
        "state",
        "shaker",
        "declarer",
        "bid",
        "trump",
        "ending",
        "marks_ns",
        "marks_ew",
    )
    verbose_name_plural = _("Hands")


@admin.register(Game)
class GameAdmin(Stored):
    tournament_path = "match__tournament"
    stage_path = "match__stage"
    list_display = [
        "number",
        "match",
        "match__tournament",
        "state",
        "marks_ns",
        "marks_ew",
        "winner_side",
        "whole",
    ]
    list_display_links = ["number", "match"]
    list_select_related = ["match__tournament"]
    list_filter = ["state", "whole", "winner_side"]
    search_fields = ["=match__number", "match__slots__entry__search_name"]
    inlines = [HandRows]


def _void(hand: Hand, actor: Actor, fields: Fields) -> str:
    game = hand.game
    last_record_undo(match_id=game.match_id, actor=actor, last=(game.number, hand.number))
    return _now("Hand %(hand)d is taken back.") % {"hand": hand.number}


def _may_be_void(hand: Hand) -> bool:
    open_still = hand.game.match.state not in {MatchState.CONFIRMED, MatchState.VOID}
    return hand.state != HandState.VOID and open_still


@admin.register(Hand)
class HandAdmin(Acting):
    tournament_path = "game__match__tournament"
    stage_path = "game__match__stage"
    hidden = ("entered_link",)
    list_display = [
        "number",
        "game",
        "game__match__tournament",
        "level",
        "state",
        "bid",
        "declarer",
        "trump",
        "ending",
        "marks_ns",
        "marks_ew",
        "entered_label",
    ]
    list_display_links = ["number", "game"]
    list_select_related = ["game__match__tournament"]
    list_filter = ["level", "state", "ending", "declarer", "entered_kind"]
    search_fields = ["=game__match__number", "entered_label", "=bid"]
    acts = (
        Act(
            name="void",
            label=_("Void: take this hand back"),
            do=_void,
            least=Role.SCORER,
            offered=_may_be_void,
            many=True,
            is_red=True,
            warning=_(
                "Only the newest record of a match can be taken back. The hand stays in the history as taken back, "
                "and its number is used again. It cannot be made to count again, only entered anew."
            ),
        ),
    )


@admin.register(Holding)
class HoldingAdmin(Stored):
    tournament_path = "hand__game__match__tournament"
    hidden = ("entered_link",)
    list_display = ["seat", "tiles", "hand", "hand__game__match__tournament", "entered_by", "entered_at"]
    list_select_related = ["hand__game__match__tournament", "entered_by"]
    list_filter = ["seat"]
    search_fields = ["=hand__game__match__number", "tiles"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).filter(hand__game__match__state__in=CLOSED)


@admin.register(Call)
class CallAdmin(Stored):
    tournament_path = "hand__game__match__tournament"
    list_display = ["seq", "seat", "call", "hand", "hand__game__match__tournament", "at"]
    list_select_related = ["hand__game__match__tournament"]
    list_filter = ["seat"]
    search_fields = ["=hand__game__match__number", "=call"]


@admin.register(Play)
class PlayAdmin(Stored):
    tournament_path = "hand__game__match__tournament"
    list_display = ["seq", "seat", "tile", "hand", "hand__game__match__tournament", "at"]
    list_select_related = ["hand__game__match__tournament"]
    list_filter = ["seat"]
    search_fields = ["=hand__game__match__number", "=tile"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        over = Q(hand__state=HandState.CLOSED) | Q(hand__game__match__state__in=CLOSED)
        return super().get_queryset(request).filter(over)


@admin.register(RefusedAttempt)
class RefusedAttemptAdmin(Stored):
    """What the rules refused; its reasons may name tiles that a seat holds, so it shows once the match is over."""

    tournament_path = "match__tournament"
    list_display = ["at", "match", "match__tournament", "code", "actor_label", "actor_kind"]
    list_display_links = ["code"]
    list_select_related = ["match__tournament"]
    list_filter = ["code", "actor_kind"]
    search_fields = ["=match__number", "code", "actor_label"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).filter(match__state__in=CLOSED)
