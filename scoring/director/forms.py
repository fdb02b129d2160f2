"""What is typed on the pages of those who run a tournament. Forms read; services decide."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.utils.functional import lazy
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

import fortytwo
from tournaments.enums import GrandFinal, StageKind, Visibility
from tournaments.forms import RunForm
from tournaments.models import Tournament

NEAR_ZONES = (
    ("America/Chicago", _("Central (Chicago)")),
    ("America/New_York", _("Eastern (New York)")),
    ("America/Denver", _("Mountain (Denver)")),
    ("America/Phoenix", _("Arizona (Phoenix)")),
    ("America/Los_Angeles", _("Pacific (Los Angeles)")),
)
BEST_OF = ((1, _("One game")), (3, _("Best of three")), (5, _("Best of five")), (7, _("Best of seven")))


def preset_choices() -> list[tuple[str, str]]:
    """Rule sets that can be played, with where they come from."""
    return [(name, preset.source) for name, preset in fortytwo.PRESETS.items() if preset.is_playable]


def zone_choices() -> list[tuple[str, Any]]:
    """Time zones: those of the United States by their names, then all others."""
    near = {zone for zone, _name in NEAR_ZONES}
    rest = sorted(zone for zone in available_timezones() if "/" in zone and not zone.startswith("Etc/"))
    others = [(zone, zone.replace("_", " ")) for zone in rest if zone not in near]
    return [(_now("United States"), NEAR_ZONES), (_now("Everywhere else"), others)]


class LocalMoment(forms.DateTimeField):
    """A day and time in the venue's zone, as the browser's own field writes it."""

    def __init__(self, **kwargs: Any) -> None:
        widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
        super().__init__(widget=widget, input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"], **kwargs)

    def prepare_value(self, value: Any) -> Any:
        return value

    def to_python(self, value: Any) -> datetime | None:
        read = super().to_python(value)
        return read.replace(tzinfo=None) if read is not None else None


class EventOptions(RunForm):
    """A tournament's own fields and its format. Also `starts_at` in the venue's zone."""

    name = forms.CharField(max_length=120, label=_("Name"))
    starts_at = LocalMoment(required=False, label=_("First call"), help_text=_("In the time of the venue."))
    venue = forms.CharField(max_length=160, required=False, label=_("Venue"))
    time_zone = forms.ChoiceField(choices=lazy(zone_choices, list), label=_("Time zone"))
    kind = forms.ChoiceField(choices=StageKind.choices, label=_("Format"))
    best_of = forms.TypedChoiceField(choices=BEST_OF, coerce=int, label=_("A match is"))
    grand_final = forms.ChoiceField(
        choices=GrandFinal.choices, required=False, label=_("Grand final of a double elimination")
    )
    third_place = forms.BooleanField(required=False, label=_("Match for third place in a single elimination"))
    preset = forms.ChoiceField(choices=lazy(preset_choices, list), label=_("Rules"))
    visibility = forms.ChoiceField(choices=Visibility.choices, label=_("Who may follow it"))
    missing_minutes = forms.IntegerField(
        min_value=1,
        max_value=240,
        label=_("Minutes until a missing team may forfeit"),
        help_text=_("Counted from the call."),
    )
    auto_confirm_minutes = forms.IntegerField(
        min_value=1,
        max_value=600,
        required=False,
        label=_("Silence confirms after minutes"),
        help_text=_("Empty: a result waits until the other side or the desk confirms it."),
    )

    def tournament_fields(self) -> dict[str, Any]:
        """What belongs to the tournament's own row."""
        names = ("name", "venue", "time_zone", "preset", "visibility", "auto_confirm_minutes")
        fields = {name: self.cleaned_data[name] for name in names if name in self.fields}
        starts = self.cleaned_data["starts_at"]
        zone = ZoneInfo(self.cleaned_data["time_zone"])
        return {**fields, "starts_at": starts.replace(tzinfo=zone) if starts else None}

    def stage_fields(self) -> dict[str, Any]:
        """What belongs to the stage."""
        names = ("kind", "best_of", "grand_final", "third_place")
        fields = {name: self.cleaned_data[name] for name in names if name in self.fields}
        if "grand_final" in fields:
            fields["grand_final"] = fields["grand_final"] or GrandFinal.RESET
        return fields


class NewEvent(EventOptions):
    """One form for a whole new event, with what most clubs would choose filled in."""

    tables = forms.IntegerField(
        min_value=0, max_value=500, label=_("Tables"), help_text=_("More can be added at any time.")
    )

    DEFAULTS = {
        "time_zone": "America/Chicago",
        "kind": StageKind.DOUBLE_ELIMINATION,
        "best_of": 3,
        "grand_final": GrandFinal.RESET,
        "preset": "online-championship",
        "visibility": Visibility.PUBLIC,
        "missing_minutes": 5,
        "tables": 8,
    }


def local_text(moment: datetime | None, tournament: Tournament) -> str:
    """A stored moment as `LocalMoment` shows it."""
    if moment is None:
        return ""
    return moment.astimezone(ZoneInfo(tournament.time_zone)).strftime("%Y-%m-%dT%H:%M")


class Reason(RunForm):
    """Why something is done; needed."""

    reason = forms.CharField(max_length=1000, label=_("Reason"), widget=forms.TextInput)


class OptionalReason(RunForm):
    """Why something is done, for the log."""

    reason = forms.CharField(max_length=1000, required=False, label=_("Reason"), widget=forms.TextInput)
