"""The rules an event is played by, as sentences: what its preset states, what the event changed, what is default."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

import fortytwo
from scoring.pages.stage import public_stage
from scoring.pages.words import best_of_words, kind_words
from tournaments.enums import GrandFinal, StageKind
from tournaments.models import Tournament
from tournaments.rulesets import tournament_rules

Words = Mapping[object, Any] | Callable[[Any], str]


@dataclass(frozen=True, slots=True)
class RuleLine:
    """One rule. `source` is "event", "preset" or "default"."""

    name: str
    text: str
    source: str


def rules_context(tournament: Tournament) -> dict[str, Any]:
    """One query."""
    stage = public_stage(tournament)
    own = {**tournament.rules, **(stage.rules if stage else {})}
    preset = fortytwo.preset(tournament.preset)
    rules = tournament_rules(tournament, stage.rules if stage else None)
    rest = "default" if preset.switches else "preset"  # the preset without switches is the default itself
    lines = [
        RuleLine(
            name=str(name),
            text=_value(words, getattr(rules, switch)) if switch != "target" else _target(rules),
            source="event" if switch in own else "preset" if switch in preset.switches else rest,
        )
        for switch, name, words in SWITCHES
        if hasattr(rules, switch)
    ]
    return {
        "preset": preset,
        "lines": lines,
        "has_defaults": any(line.source == "default" for line in lines),
        "format": _format(stage) if stage is not None else [],
    }


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


def _value(words: Words, value: Any) -> str:
    if callable(words):
        return words(value)
    return str(words.get(value, value))


def _target(rules: fortytwo.Ruleset) -> str:
    if rules.scoring == "points":
        return _("%(number)d points") % {"number": rules.target}
    return _marks(rules.target)


def _marks(value: Any) -> str:
    if value is None:
        return _("no limit")
    return ngettext("%(number)d mark", "%(number)d marks", value) % {"number": value}


def _played_from(value: Any) -> str:
    if not value:
        return _("not played")
    return ngettext("from %(number)d mark", "from %(number)d marks", value) % {"number": value}


YES_NO: Words = MappingProxyType({True: gettext_lazy("yes"), False: gettext_lazy("no")})
PLAYED: Words = MappingProxyType({True: gettext_lazy("played"), False: gettext_lazy("not played")})

SWITCHES: tuple[tuple[str, Any, Words], ...] = (
    ("target", gettext_lazy("A game is won with"), _marks),
    ("win_by_two", gettext_lazy("Won by two"), YES_NO),
    (
        "all_pass",
        gettext_lazy("When all pass"),
        MappingProxyType(
            {
                "throw_in": gettext_lazy("the hand is thrown in and the shake moves on"),
                "force_30": gettext_lazy("the shaker must bid at least 30"),
                "force_31": gettext_lazy("the shaker must bid at least 31"),
                "force_42": gettext_lazy("the shaker must bid at least 42"),
            }
        ),
    ),
    ("lowest_bid", gettext_lazy("Lowest bid"), str),
    ("opening_limit", gettext_lazy("Highest opening bid"), _marks),
    ("raise_limit", gettext_lazy("Raises over a marks bid by up to"), _marks),
    (
        "follow_me",
        gettext_lazy("Follow me"),
        MappingProxyType(
            {
                "any_bid": gettext_lazy("with any bid"),
                "marks_only": gettext_lazy("with marks bids only"),
                "off": gettext_lazy("not played"),
            }
        ),
    ),
    (
        "doubles_trump",
        gettext_lazy("Doubles as trump"),
        MappingProxyType(
            {
                "free": gettext_lazy("played; without a double, a led double may be answered with anything"),
                "must_follow_number": gettext_lazy("played; without a double, a led double calls its number"),
                "off": gettext_lazy("not played"),
            }
        ),
    ),
    (
        "trump_not_named",
        gettext_lazy("When the trump is not named"),
        MappingProxyType(
            {
                "refuse": gettext_lazy("nothing can be led"),
                "high_end": gettext_lazy("the high end of the first domino is trump"),
            }
        ),
    ),
    ("nello", gettext_lazy("Nello"), _played_from),
    ("plunge", gettext_lazy("Plunge"), PLAYED),
    ("splash", gettext_lazy("Splash"), _played_from),
    ("sevens", gettext_lazy("Sevens"), _played_from),
    (
        "early_end",
        gettext_lazy("A hand ends"),
        MappingProxyType(
            {
                "at_settlement": gettext_lazy("as soon as the bid is made or set"),
                "play_all": gettext_lazy("after all seven tricks"),
            }
        ),
    ),
    (
        "claim",
        gettext_lazy("Laying down"),
        MappingProxyType(
            {
                "every_line": gettext_lazy("only when every way to play on gives the same result"),
                "stated_order": gettext_lazy("in the order that is said; a wrong one loses the hand"),
                "off": gettext_lazy("not allowed"),
            }
        ),
    ),
    (
        "tricks_in_view",
        gettext_lazy("Tricks that stay in view"),
        MappingProxyType(
            {
                "by_bid": gettext_lazy("all on points bids, the latest on marks bids"),
                "all": gettext_lazy("all"),
                "latest": gettext_lazy("the latest"),
            }
        ),
    ),
    (
        "renege",
        gettext_lazy("A renege"),
        MappingProxyType(
            {
                "hand_lost": gettext_lazy("loses the hand"),
                "one_mark": gettext_lazy("costs one mark"),
                "director": gettext_lazy("is for the director to rule on"),
            }
        ),
    ),
    (
        "first_shake",
        gettext_lazy("First shake"),
        MappingProxyType(
            {
                "random": gettext_lazy("at random"),
                "high_domino": gettext_lazy("to whoever draws the high domino"),
            }
        ),
    ),
)
"""The switches that players ask about, in the order in which they ask."""
