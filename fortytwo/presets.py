"""The named presets: published rule sets, each with its source.

A switch that a preset does not list is not stated by its source and keeps the default.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from .errors import ParseError, echo
from .rules import NOT_BUILT, Ruleset


@dataclass(frozen=True, slots=True)
class Preset:
    """A named rule set with its source. `event` holds what it brings along that is no switch."""

    name: str
    source: str
    switches: Mapping[str, object]
    event: Mapping[str, object]

    def ruleset(self) -> Ruleset:
        """Raises `RulesError("switch_not_built")` while a switch of it cannot be played."""
        return Ruleset.from_switches(self.switches)

    @property
    def is_playable(self) -> bool:
        return not any(value in NOT_BUILT.get(name, ()) for name, value in self.switches.items())


def preset(name: str) -> Preset:
    """Raises `ParseError("unknown_preset")`."""
    found = PRESETS.get(name) if isinstance(name, str) else None
    if found is None:
        raise ParseError("unknown_preset", text=echo(name), known=", ".join(PRESETS))
    return found


def _preset(name: str, source: str, event: Mapping[str, object] | None = None, **switches: object) -> Preset:
    return Preset(name, source, MappingProxyType(switches), MappingProxyType(dict(event or {})))


PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        item.name: item
        for item in (
            _preset("online-championship", "Rules as played at the online championship table."),
            _preset(
                "straight-guide",
                "Straight 42 guide of a free online game.",
                all_pass="force_30",
                early_end="play_all",
                claim="off",
            ),
            _preset(
                "hallettsville",
                "Texas State Championship 42 Domino Tournament, Hallettsville.",
                first_shake="high_domino",
                later_first_shake="losing_side_draws",
                trump_not_named="high_end",
                claim="stated_order",
                lead_out_of_turn_is_renege=True,
                bid_out_of_turn="stands_no_raise",
            ),
            _preset("n42pa", "National 42 Players Association.", first_shake="high_domino"),
            _preset(
                "austin-league",
                "Austin 42 league.",
                {
                    "best_of": 3,
                    "report_marks_above_target": True,
                    "forfeit_score": "7-0",
                    "bye_score": "7-4",
                    "tie_breaks": ("wins", "marks_for", "fewest_marks_against", "hand_or_draw"),
                },
                all_pass="force_30",
            ),
            _preset(
                "westfest",
                "Westfest 42 tournament.",
                all_pass="force_30",
                first_shake="high_domino",
                nello=1,
                doubles_trump="must_follow_number",
            ),
            _preset(
                "timpson",
                "Timpson 42 tournament.",
                {"best_of": 3, "best_of_round_one": 5},
                all_pass="force_30",
                plunge=True,
            ),
            _preset(
                "lechner-house",
                "Lechner family house rules.",
                all_pass="force_30",
                follow_me="marks_only",
                follow_me_doubles="as_called",
                raise_limit=2,
                plunge=True,
                splash=3,
                nello=1,
                nello_doubles="as_called",
                win_by_two=True,
            ),
        )
    }
)
