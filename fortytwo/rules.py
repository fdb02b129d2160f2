"""Rule sets: every house-rule switch as a field of one frozen value, and the named presets.

A *switch* is a field of `Ruleset`; its first value is the default. A *preset* is a published set of
switches with its source; a switch that its source does not state keeps the default.
A switch value that the engine cannot play yet is refused when the rule set is made, never ignored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any, Final, Literal, get_args

from .errors import HUGE, ParseError, RulesError, echo

AllPass = Literal["throw_in", "force_30", "force_31", "force_42"]
ForcedSpecial = Literal["none", "nello", "sevens"]
FollowMe = Literal["any_bid", "marks_only", "off"]
NoTrumpDoubles = Literal["high", "low", "own_suit", "own_suit_reversed", "as_called"]
NelloDoubles = Literal["own_suit", "high", "low", "own_suit_reversed", "as_called"]
DoublesTrump = Literal["free", "must_follow_number", "off"]
TrumpNotNamed = Literal["refuse", "high_end"]
Scoring = Literal["marks", "points"]
SetScores = Literal["bid_and_taken", "bid_only"]
BothPast = Literal["bidding_side", "higher", "play_on"]
EarlyEnd = Literal["at_settlement", "play_all"]
ClaimRule = Literal["every_line", "stated_order", "off"]
TricksInView = Literal["by_bid", "all", "latest"]
RenegeRule = Literal["hand_lost", "one_mark", "director"]
BidOutOfTurn = Literal["refused", "stands_no_raise", "reshake_choice"]
Misdeal = Literal["reshake", "director"]
FirstShake = Literal["random", "high_domino"]
LaterShake = Literal["same", "losing_side_draws"]
TimedTie = Literal["one_hand", "draw_domino", "stands"]

POINTS_CALLS = range(1, 42)
"""Numbers that can be a points call under some rule set (the default ones start at 30)."""
MAX_TARGET = 1000
MARKS_TARGET: Final = 7
POINTS_TARGET: Final = 250

CHOICES: Mapping[str, tuple[object, ...]] = MappingProxyType(
    {
        "all_pass": get_args(AllPass),
        "forced_special": get_args(ForcedSpecial),
        "opening_limit": (2, 3, None),
        "raise_limit": (1, 2),
        "lowest_bid": (30, *(n for n in POINTS_CALLS if n != 30)),
        "follow_me": get_args(FollowMe),
        "follow_me_doubles": get_args(NoTrumpDoubles),
        "doubles_trump": get_args(DoublesTrump),
        "trump_not_named": get_args(TrumpNotNamed),
        "small_end_opening": (False, True),
        "nello": (None, 1, 2),
        "nello_doubles": get_args(NelloDoubles),
        "plunge": (False, True),
        "splash": (None, 2, 3),
        "sevens": (None, 1, 2),
        "scoring": get_args(Scoring),
        "target": (MARKS_TARGET, *(n for n in range(1, MAX_TARGET + 1) if n != MARKS_TARGET)),
        "set_scores": get_args(SetScores),
        "both_past_target": get_args(BothPast),
        "win_by_two": (False, True),
        "early_end": get_args(EarlyEnd),
        "claim": get_args(ClaimRule),
        "tricks_in_view": get_args(TricksInView),
        "renege": get_args(RenegeRule),
        "lead_out_of_turn_is_renege": (False, True),
        "bid_out_of_turn": get_args(BidOutOfTurn),
        "misdeal": get_args(Misdeal),
        "first_shake": get_args(FirstShake),
        "later_first_shake": get_args(LaterShake),
        "timed_tie": get_args(TimedTie),
    }
)
"""Every switch with the values it may take, the default first."""

NOT_BUILT: Mapping[str, tuple[object, ...]] = MappingProxyType(
    {
        "forced_special": ("nello", "sevens"),
        "follow_me_doubles": ("as_called",),
        "small_end_opening": (True,),
        "nello": (1, 2),
        "nello_doubles": ("high", "low", "own_suit_reversed", "as_called"),
        "plunge": (True,),
        "splash": (2, 3),
        "sevens": (1, 2),
        "scoring": ("points",),
        "set_scores": ("bid_only",),
        "both_past_target": ("higher", "play_on"),
        "claim": ("stated_order",),
        "renege": ("one_mark", "director"),
        "lead_out_of_turn_is_renege": (True,),
        "bid_out_of_turn": ("stands_no_raise", "reshake_choice"),
        "misdeal": ("director",),
        "timed_tie": ("draw_domino", "stands"),
    }
)
"""Switch values that are named here but cannot be played yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """The rules of one event. Raises `ParseError` for a bad value and `RulesError` for a bad set."""

    all_pass: AllPass = "throw_in"
    forced_special: ForcedSpecial = "none"
    opening_limit: int | None = 2
    raise_limit: int = 1
    lowest_bid: int = 30
    follow_me: FollowMe = "any_bid"
    follow_me_doubles: NoTrumpDoubles = "high"
    doubles_trump: DoublesTrump = "free"
    trump_not_named: TrumpNotNamed = "refuse"
    small_end_opening: bool = False
    nello: int | None = None
    nello_doubles: NelloDoubles = "own_suit"
    plunge: bool = False
    splash: int | None = None
    sevens: int | None = None
    scoring: Scoring = "marks"
    target: int = MARKS_TARGET
    set_scores: SetScores = "bid_and_taken"
    both_past_target: BothPast = "bidding_side"
    win_by_two: bool = False
    early_end: EarlyEnd = "at_settlement"
    claim: ClaimRule = "every_line"
    tricks_in_view: TricksInView = "by_bid"
    renege: RenegeRule = "hand_lost"
    lead_out_of_turn_is_renege: bool = False
    bid_out_of_turn: BidOutOfTurn = "refused"
    misdeal: Misdeal = "reshake"
    first_shake: FirstShake = "random"
    later_first_shake: LaterShake = "same"
    timed_tie: TimedTie = "one_hand"

    def __post_init__(self) -> None:
        self.validate()

    def validate(self) -> None:
        """Refuse unreadable values, values not built yet and switches that clash."""
        for name, value in self.switches().items():
            if not _is_choice(name, value):
                raise ParseError(
                    "bad_switch_value", switch=name, text=echo_value(value), known=_choices_text(name)
                )
            if value in NOT_BUILT.get(name, ()):
                raise RulesError("switch_not_built", switch=name, value=echo_value(value))
        check_clashes(self.switches())

    def switches(self) -> dict[str, Any]:
        """Every switch with its value, as JSON."""
        return {item.name: getattr(self, item.name) for item in fields(self)}

    def differences(self) -> dict[str, Any]:
        """The switches that are not at their default, as JSON."""
        return {name: value for name, value in self.switches().items() if value != CHOICES[name][0]}

    @classmethod
    def from_switches(cls, switches: Mapping[str, object]) -> Ruleset:
        """Build from JSON; a switch that is left out keeps its default."""
        if not isinstance(switches, Mapping):
            raise ParseError("bad_field", field="rules", expected="an object of switches")
        for name in switches:
            if name not in CHOICES:
                raise ParseError("unknown_switch", text=echo(name))
        chosen: dict[str, Any] = dict(switches)
        if chosen.get("scoring") == "points":
            chosen.setdefault("target", POINTS_TARGET)
        return cls(**chosen)

    @property
    def forced_minimum(self) -> int | None:
        """The least that a forced shaker bids, or None where the hand is thrown in."""
        if self.all_pass == "throw_in":
            return None
        return max(int(self.all_pass.removeprefix("force_")), self.lowest_bid)


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


def check_clashes(switches: Mapping[str, object]) -> None:
    """Refuse two switches that cannot hold together, naming both."""
    forced_special = switches.get("forced_special", "none")
    if forced_special != "none" and switches.get("all_pass", "throw_in") == "throw_in":
        raise RulesError(
            "switches_clash",
            first="forced_special",
            second="all_pass",
            reason="nobody is forced to bid where the hand is thrown in",
        )


def echo_value(value: object) -> str:
    """A switch value as text, for an error."""
    if value is None or isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value) if abs(value) < HUGE else "a huge number"
    return echo(value)


def _is_choice(name: str, value: object) -> bool:
    # `True == 1` in Python, so the type is compared too.
    return any(value == choice and type(value) is type(choice) for choice in CHOICES[name])


def _choices_text(name: str) -> str:
    choices = CHOICES[name]
    if len(choices) > 8:
        numbers = [choice for choice in choices if isinstance(choice, int)]
        return f"a number from {min(numbers)} to {max(numbers)}"
    return ", ".join(echo_value(choice) for choice in choices)


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
