"""What is typed on the page *Record hand*. Forms read; the engine, through the services, decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

import fortytwo
from scoring.enums import Level
from scoring.pages import words
from scoring.services.hand import HandEntry
from tournaments.errors import Refusal
from tournaments.forms import RunForm
from tournaments.rulesets import GameMarks

FIELD_OF_CODE = {
    "bad_call": "bid",
    "bad_trump": "trump",
    "bad_seat": "declarer",
    "wrong_shaker": "shaker",
    "shaker_missing": "shaker",
    "marks_out_of_range": "marks",
    "hand_without_marks": "how",
}
"""By code of a refusal that names no field: the field that it is about."""
FIELD_OF_RECORD = {"made": "how"}
"""By name that the engine has for it: a field that is called something else here."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a form of the page depends on: who sits where, which side is who, what can be bid."""

    seats: Sequence[tuple[str, str]]
    sides: Sequence[tuple[str, str]]
    may_say_shaker: bool
    rules: fortytwo.Ruleset


class RecordForm(RunForm):
    """A form of the page; it keeps the refusal, whose sentence and code stand on top as well."""

    field_of_code = FIELD_OF_CODE

    def __init__(self, asked: Asked, data: QueryDict | None = None) -> None:
        self.asked = asked
        self.refusal: Exception | None = None
        super().__init__(data)

    def refuse(self, refusal: Exception) -> None:
        self.refusal = refusal
        super().refuse(refusal)

    def _refuse_field(self, field: str, refusal: Exception) -> bool:
        return super()._refuse_field(FIELD_OF_RECORD.get(field, field), refusal)


class ShakerForm(RecordForm):
    """One that may say who shakes; asked only while nobody has said it in this game."""

    shaker = forms.CharField(
        required=False, max_length=1, label=_("Who shakes first"), widget=forms.RadioSelect
    )

    def __init__(self, asked: Asked, data: QueryDict | None = None) -> None:
        super().__init__(asked, data)
        if asked.may_say_shaker:
            _choose(self, "shaker", asked.seats)
        else:
            del self.fields["shaker"]


class MarksForm(RecordForm):
    """Marks only, of one hand."""

    winner = forms.CharField(max_length=2, label=_("Who scored"), widget=forms.RadioSelect)
    marks = forms.IntegerField(min_value=0, max_value=99, initial=1, label=_("Marks"))

    def __init__(self, asked: Asked, data: QueryDict | None = None) -> None:
        super().__init__(asked, data)
        _choose(self, "winner", asked.sides)

    def entry(self) -> HandEntry:
        fields = self.cleaned_data
        return HandEntry(level=Level.MARKS, winner=fields["winner"], marks=fields["marks"])


class GameForm(RecordForm):
    """Marks only, of a whole game."""

    ns = forms.IntegerField(min_value=0, max_value=99)
    ew = forms.IntegerField(min_value=0, max_value=99)

    def __init__(self, asked: Asked, data: QueryDict | None = None) -> None:
        super().__init__(asked, data)
        for name, (_side, team) in zip(("ns", "ew"), asked.sides, strict=True):
            self.fields[name].label = _now("Marks of %(team)s") % {"team": team}
            self.fields[name].error_messages["required"] = _now("Give the marks of both sides.")

    def entry(self) -> GameMarks:
        return GameMarks(NS=self.cleaned_data["ns"], EW=self.cleaned_data["ew"])


class BidForm(ShakerForm):
    """A hand at bid level."""

    bid = forms.CharField(
        required=False,
        max_length=12,
        label=_("Bid"),
        help_text=_("As called: 30 to 42, 84, 3m."),
        widget=forms.TextInput(attrs={"list": "bids", "autocomplete": "off", "autocapitalize": "off"}),
    )
    declarer = forms.CharField(required=False, max_length=1, label=_("Who bid it"), widget=forms.RadioSelect)
    trump = forms.CharField(required=False, max_length=20, label=_("Trump"), widget=forms.Select)
    how = forms.CharField(required=False, max_length=8, label=_("How it ended"), widget=forms.RadioSelect)
    points = forms.IntegerField(
        required=False,
        min_value=-99,
        max_value=999,
        label=_("Points of the bidding side"),
        help_text=_("If they were noted: 0 to 42."),
    )

    def __init__(self, asked: Asked, data: QueryDict | None = None) -> None:
        super().__init__(asked, data)
        _choose(self, "declarer", asked.seats)
        _choose(self, "how", [("made", _now("Made")), ("set", _now("Set")), ("passed", _now("All passed"))])
        trumps = [(str(one), words.trump_short(str(one))) for one in fortytwo.Trump]
        _choose(self, "trump", [("", _now("not noted")), *trumps])

    def entry(self) -> HandEntry:
        fields = self.cleaned_data
        shaker = fields.get("shaker", "")
        if fields["how"] == "passed":
            return HandEntry(level=Level.BID, thrown_in=True, shaker=shaker)
        return HandEntry(
            level=Level.BID,
            shaker=shaker,
            declarer=fields["declarer"],
            bid=fields["bid"],
            trump=fields["trump"],
            made={"made": True, "set": False}.get(fields["how"]),
            points=fields["points"],
            trump_unrecorded=not fields["trump"],
        )


class FullForm(ShakerForm):
    """A hand to be recorded tile by tile; the tiles of a seat may be given now or later."""

    def __init__(self, asked: Asked, data: QueryDict | None = None) -> None:
        super().__init__(asked, data)
        for seat, name in asked.seats:
            self.fields[f"tiles_{seat}"] = tiles_field(name)

    def entry(self) -> HandEntry:
        deal = {seat: tiles_of(self.cleaned_data[f"tiles_{seat}"]) for seat, _name in self.asked.seats}
        return HandEntry(
            level=Level.FULL,
            shaker=self.cleaned_data.get("shaker", ""),
            deal={seat: tiles for seat, tiles in deal.items() if tiles},
        )

    def refuse(self, refusal: Exception) -> None:
        self.refusal = refusal
        if not self._refuse_field(self._seat_field(refusal), refusal):
            super().refuse(refusal)

    def _seat_field(self, refusal: Exception) -> str:
        """The tiles that a refusal is about: it names their seat, or a tile among them."""
        facts = refusal.facts if isinstance(refusal, Refusal | fortytwo.FortyTwoError) else {}
        if facts.get("seat") and getattr(refusal, "code", "") != "wrong_shaker":
            return f"tiles_{facts['seat']}"
        text = str(facts.get("tile") or facts.get("text") or "")
        fields = (f"tiles_{seat}" for seat, _name in self.asked.seats)
        return next((one for one in fields if text and text in self.data.get(one, "")), "")


def tiles_field(name: str) -> forms.CharField:
    """Seven tiles of a seat as one types them."""
    return forms.CharField(
        required=False,
        max_length=80,
        label=_now("Tiles of %(name)s") % {"name": name},
        widget=forms.TextInput(attrs={"autocomplete": "off", "placeholder": "6-6 6-5 5-0 …"}),
    )


def tiles_of(text: str) -> list[str]:
    """Tiles as typed, with blanks or commas between them."""
    return text.replace(",", " ").split()


def _choose(form: forms.Form, name: str, choices: Sequence[tuple[str, str]]) -> None:
    """Offer these words. What else arrives goes to the engine, which says why not."""
    widget: Any = form.fields[name].widget
    widget.choices = choices
