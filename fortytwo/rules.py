"""Rule sets: every house-rule switch as a field of one frozen value.

A *switch* is a field of `Ruleset`; its first value is the default. Two switches *clash* where one says
what the other rules out; such a set is refused, never bent. A switch value that the engine cannot play
yet would be in `NOT_BUILT` and is refused too, never ignored. Named sets are in `presets`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
ClaimRule = Literal["every_line", "stated_order", "claimer_knowledge", "off"]
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

NOT_BUILT: Mapping[str, tuple[object, ...]] = MappingProxyType({})
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
        if self.scoring == "points" and self.target == MARKS_TARGET:
            # Nobody plays points to 7: the target was left at its default.
            object.__setattr__(self, "target", POINTS_TARGET)
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
        check_clashes(switches)
        chosen: dict[str, Any] = dict(switches)
        return cls(**chosen)

    @property
    def has_specials(self) -> bool:
        """Whether calls that promise doubles can be made."""
        return self.plunge or self.splash is not None

    @property
    def forced_minimum(self) -> int | None:
        """The least that a forced shaker bids, or None where the hand is thrown in."""
        if self.all_pass == "throw_in":
            return None
        return max(int(self.all_pass.removeprefix("force_")), self.lowest_bid)


@dataclass(frozen=True, slots=True)
class Clash:
    """Values of two switches that cannot hold together."""

    first: str
    second: str
    reason: str
    happens: Callable[[object, object], bool]


CLASHES: tuple[Clash, ...] = (
    Clash(
        "forced_special",
        "all_pass",
        "nobody is forced to bid where the hand is thrown in",
        lambda special, all_pass: special != "none" and all_pass == "throw_in",
    ),
    Clash(
        "forced_special",
        "nello",
        "nello is open to a forced shaker only, or to everyone from a lowest bid, not both",
        lambda special, nello: special == "nello" and nello is not None,
    ),
    Clash(
        "forced_special",
        "sevens",
        "sevens is open to a forced shaker only, or to everyone from a lowest bid, not both",
        lambda special, sevens: special == "sevens" and sevens is not None,
    ),
    Clash(
        "scoring",
        "win_by_two",
        "winning by two is for games in marks",
        lambda scoring, two: scoring == "points" and two is True,
    ),
    Clash(
        "scoring",
        "target",
        f"a game in points is not played to {MARKS_TARGET}",
        lambda scoring, target: scoring == "points" and target == MARKS_TARGET,
    ),
)


def check_clashes(switches: Mapping[str, object]) -> None:
    """Refuse two switches that cannot hold together, naming both. One that is left out is at its
    default; the target of a game in points has no default to clash with."""
    for clash in CLASHES:
        first = switches.get(clash.first, CHOICES[clash.first][0])
        if clash.second == "target" and "target" not in switches:
            continue
        if clash.happens(first, switches.get(clash.second, CHOICES[clash.second][0])):
            raise RulesError("switches_clash", first=clash.first, second=clash.second, reason=clash.reason)


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
