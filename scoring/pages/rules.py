"""The rules an event is played by, as sentences: what its preset states, what the event changed, what is default;
and all presets against the default. The words for switches are the engine's own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import fortytwo
from fortytwo.switch_texts import EVENT_TITLES, SWITCH_TEXTS, default_of, event_phrase
from scoring.pages.stage import public_stage
from scoring.pages.words import best_of_words, kind_words
from tournaments.enums import GrandFinal, StageKind
from tournaments.models import Tournament
from tournaments.rulesets import tournament_rules

ASKED = (
    "target",
    "win_by_two",
    "all_pass",
    "lowest_bid",
    "opening_limit",
    "raise_limit",
    "follow_me",
    "doubles_trump",
    "trump_not_named",
    "nello",
    "plunge",
    "splash",
    "sevens",
    "early_end",
    "claim",
    "tricks_in_view",
    "renege",
    "first_shake",
)
"""The switches that players ask about, in the order in which they ask. Others are shown where they are not at
their default."""


@dataclass(frozen=True, slots=True)
class RuleLine:
    """One rule. `source` is "event", "preset" or "default"."""

    name: str
    text: str
    source: str


@dataclass(frozen=True, slots=True)
class Difference:
    """A switch of a preset, and what it would be without."""

    name: str
    text: str
    default: str


@dataclass(frozen=True, slots=True)
class PresetCard:
    """A preset for people; `key` is its name in addresses and programs."""

    key: str
    source: str
    differences: tuple[Difference, ...]
    brings: tuple[tuple[str, str], ...]


def rules_context(tournament: Tournament) -> dict[str, Any]:
    """One query."""
    stage = public_stage(tournament)
    own = {**tournament.rules, **(stage.rules if stage else {})}
    preset = fortytwo.preset(tournament.preset)
    rules = tournament_rules(tournament, stage.rules if stage else None)
    rest = "default" if preset.switches else "preset"  # the preset without switches is the default itself
    others = [switch for switch in rules.differences() if switch not in ASKED]
    lines = [
        RuleLine(
            name=_(SWITCH_TEXTS[switch].title),
            text=_value(switch, getattr(rules, switch), rules.scoring),
            source="event" if switch in own else "preset" if switch in preset.switches else rest,
        )
        for switch in (*ASKED, *others)
    ]
    return {
        "preset": preset,
        "lines": lines,
        "has_defaults": any(line.source == "default" for line in lines),
        "format": _format(stage) if stage is not None else [],
    }


def presets_context() -> dict[str, Any]:
    """Every preset that can be played, and the default in full. No query."""
    default = fortytwo.Ruleset()
    return {
        "presets": [_card(preset) for preset in fortytwo.PRESETS.values() if preset.is_playable],
        "defaults": [
            (_(text.title), _value(switch, getattr(default, switch), default.scoring))
            for switch, text in SWITCH_TEXTS.items()
        ],
    }


def _card(preset: fortytwo.Preset) -> PresetCard:
    return PresetCard(
        key=preset.name,
        source=_(preset.source).rstrip("."),
        differences=tuple(
            Difference(
                _(SWITCH_TEXTS[switch].title), _value(switch, value), _value(switch, default_of(switch))
            )
            for switch, value in preset.switches.items()
        ),
        brings=tuple((_(EVENT_TITLES[name]), _(event_phrase(value))) for name, value in preset.event.items()),
    )


def _format(stage: Any) -> list[str]:
    """The competition itself in sentences."""
    said = [f"{kind_words(stage.kind).capitalize()}, {best_of_words(stage.best_of)}."]
    if stage.kind == StageKind.DOUBLE_ELIMINATION:
        said.append(
            _("If the team from the losers’ side wins the grand final, one more match decides.")
            if stage.grand_final == GrandFinal.RESET
            else _("The grand final is one match.")
        )
    if stage.third_place:
        said.append(_("There is a match for third place."))
    return said


def _value(switch: str, value: Any, scoring: str = "marks") -> str:
    """A value in words; a target says of what."""
    if switch != "target":
        return _(SWITCH_TEXTS[switch].phrase(value))
    if scoring == "points":
        return ngettext("%(number)d point", "%(number)d points", value) % {"number": value}
    return ngettext("%(number)d mark", "%(number)d marks", value) % {"number": value}
