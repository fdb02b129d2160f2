"""Stages, rounds, slots, byes and results; the acts of a draw and of settling a result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import admin
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from tournaments.actors import Actor
from tournaments.admin.acts import Act, ActForm, Acting, Fields
from tournaments.admin.base import Stored
from tournaments.enums import DrawMethod, DrawState, MatchState, ResultState, Role
from tournaments.errors import NotThere
from tournaments.models import Bye, Result, Round, Slot, Stage
from tournaments.services.draw import stage_draw, stage_publish, stage_reset
from tournaments.services.result import result_confirm

HIGHEST_LOT = 9_999_999_999


class DrawForm(ActForm):
    method = forms.ChoiceField(
        choices=DrawMethod.choices,
        initial=DrawMethod.SEED,
        label=_("Who gets which place"),
        widget=forms.RadioSelect,
        help_text=_("By seed: seeded teams keep their places, the others follow by lot."),
    )
    lots = forms.IntegerField(
        min_value=0,
        max_value=HIGHEST_LOT,
        required=False,
        label=_("Number of an earlier draw"),
        help_text=_("Makes the same draw again. Empty: new lots."),
    )


class SettleForm(ActForm):
    reason = forms.CharField(
        max_length=1000,
        required=False,
        label=_("Reason"),
        help_text=_("Needed for an entry of your own."),
        widget=forms.TextInput,
    )


@dataclass(frozen=True)
class _Draw:
    """What is done with the draw of a record that leads to a stage."""

    stage_of: Callable[[Any], Stage | None]

    def draw(self, row: Any, actor: Actor, fields: Fields) -> str:
        stage = stage_draw(
            stage_id=self._known(row).pk, actor=actor, method=fields["method"], seed=fields["lots"]
        )
        text = _now("%(number)d teams are drawn, lots from the number %(lots)d. Only directors see it.")
        return text % {"number": stage.size, "lots": stage.draw_seed}

    def publish(self, row: Any, actor: Actor, fields: Fields) -> str:
        stage_publish(stage_id=self._known(row).pk, actor=actor)
        return _now("The draw is published. It can be taken back until something is entered.")

    def reset(self, row: Any, actor: Actor, fields: Fields) -> str:
        stage_reset(stage_id=self._known(row).pk, actor=actor)
        return _now("The draw is taken back. Teams and seeds are as before.")

    def is_not_out(self, row: Any) -> bool:
        return self._state(row) in {DrawState.NONE, DrawState.DRAFT}

    def is_draft(self, row: Any) -> bool:
        return self._state(row) == DrawState.DRAFT

    def is_untouched(self, row: Any) -> bool:
        """Is there a draw in which nothing was entered?"""
        stage = self.stage_of(row)
        if stage is None or stage.draw_state == DrawState.NONE:
            return False
        return not stage.matches.filter(has_play=True).exists()

    def _state(self, row: Any) -> str:
        stage = self.stage_of(row)
        return stage.draw_state if stage is not None else ""

    def _known(self, row: Any) -> Stage:
        stage = self.stage_of(row)
        if stage is None:
            raise NotThere("not_found", "There is no such stage.")
        return stage


def draw_acts(stage_of: Callable[[Any], Stage | None]) -> tuple[Act, ...]:
    """Draw, publish and take back, for a record that leads to a stage."""
    draw, group = _Draw(stage_of), _("Draw")
    return (
        Act(
            name="draw",
            label=_("Draw"),
            do=draw.draw,
            least=Role.DIRECTOR,
            form=DrawForm,
            offered=draw.is_not_out,
            many=True,
            group=group,
            warning=_("A draft that only directors see. One that was made before is thrown away."),
        ),
        Act(
            name="publish",
            label=_("Publish the draw"),
            do=draw.publish,
            least=Role.DIRECTOR,
            offered=draw.is_draft,
            many=True,
            group=group,
        ),
        Act(
            name="reset",
            label=_("Take the draw back"),
            do=draw.reset,
            least=Role.DIRECTOR,
            offered=draw.is_untouched,
            group=group,
            is_red=True,
            warning=_(
                "Every match of the draw is deleted, with its calls to tables. "
                "It cannot be undone, only drawn again; once something is entered it is refused."
            ),
        ),
    )


@admin.register(Stage)
class StageAdmin(Acting):
    least = Role.DIRECTOR
    list_display = ["name", "tournament", "kind", "best_of", "draw_state", "size", "published_at"]
    list_select_related = ["tournament"]
    list_filter = ["draw_state", "kind"]
    search_fields = ["name", "tournament__name"]
    acts = draw_acts(lambda stage: stage)


@admin.register(Round)
class RoundAdmin(Stored):
    tournament_path = "stage__tournament"
    stage_path = "stage"
    list_display = ["key", "stage", "section", "number", "places", "best_of", "play_order"]
    list_select_related = ["stage__tournament"]
    list_filter = ["section"]
    search_fields = ["key", "stage__tournament__name"]


@admin.register(Slot)
class SlotAdmin(Stored):
    tournament_path = "match__tournament"
    stage_path = "match__stage"
    list_display = [
        "match",
        "match__tournament",
        "side",
        "state",
        "entry",
        "source_kind",
        "source_seed",
        "source_match",
        "cause",
    ]
    list_select_related = ["match__tournament", "entry", "source_match"]
    list_filter = ["state", "source_kind", "side"]
    search_fields = ["=match__number", "entry__search_name"]


@admin.register(Bye)
class ByeAdmin(Stored):
    tournament_path = "stage__tournament"
    stage_path = "stage"
    list_display = ["round", "stage", "entry", "into_match", "instead_of", "source_match"]
    list_select_related = ["round", "stage__tournament", "entry", "into_match", "instead_of", "source_match"]
    list_filter = ["round__section"]
    search_fields = ["entry__search_name", "=into_match__number"]


def _settle(result: Result, actor: Actor, fields: Fields) -> str:
    result_confirm(
        match_id=result.match_id, version=result.version, actor=actor, reason=fields.get("reason", "")
    )
    facts = {"match": result.match.code}
    return _now("%(match)s is final. If it was wrong, correct it while nothing depends on it.") % facts


def _waits(result: Result) -> bool:
    return result.state == ResultState.ENTERED and result.match.state in {
        MatchState.ENTERED,
        MatchState.DISPUTED,
    }


@admin.register(Result)
class ResultAdmin(Acting):
    tournament_path = "match__tournament"
    stage_path = "match__stage"
    hidden = ("lineups", "entered_link", "settled_link")
    list_display = [
        "match",
        "match__tournament",
        "version",
        "state",
        "outcome",
        "winner_side",
        "scores",
        "entered_label",
        "settled_way",
        "settled_at",
    ]
    list_select_related = ["match__tournament"]
    list_filter = ["state", "outcome", "settled_way", "entered_kind"]
    search_fields = ["=match__number", "entered_label", "settled_label", "match__slots__entry__search_name"]
    acts = (
        Act(
            name="settle",
            label=_("This one counts"),
            do=_settle,
            form=SettleForm,
            offered=_waits,
            many=True,
        ),
    )
