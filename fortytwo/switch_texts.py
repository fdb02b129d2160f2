"""Every switch and every value in words, for forms and pages. The engine never reads them.

A *title* names the switch, a *phrase* says what one value means at the table. What a preset brings along
that is no switch has titles too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from .rules import CHOICES

OFF_ON: Mapping[object, str] = MappingProxyType({False: "off", True: "on"})


@dataclass(frozen=True, slots=True)
class SwitchText:
    """`phrases` by value, or `number` for the values that are just numbers; `note` is what else is to be
    known of the switch."""

    title: str
    phrases: Mapping[object, str]
    number: Callable[[int], str] = str
    note: str = ""

    def phrase(self, value: object) -> str:
        """What the value means. Values are told apart by type too, since `True == 1`."""
        for known, text in self.phrases.items():
            if known == value and type(known) is type(value):
                return text
        assert isinstance(value, int), value
        return self.number(value)


def _marks(count: int) -> str:
    return "1 mark" if count == 1 else f"{count} marks"


def _from_marks(count: int) -> str:
    return f"on, from {_marks(count)}"


def _text(
    title: str, phrases: Mapping[object, str], number: Callable[[int], str] = str, *, note: str = ""
) -> SwitchText:
    return SwitchText(title, MappingProxyType(dict(phrases)), number, note)


SWITCH_TEXTS: Mapping[str, SwitchText] = MappingProxyType(
    {
        "all_pass": _text(
            "Everyone passes",
            {
                "throw_in": "the hand is thrown in",
                "force_30": "the shaker must bid at least 30",
                "force_31": "the shaker must bid at least 31",
                "force_42": "the shaker must bid at least 42",
            },
        ),
        "forced_special": _text(
            "Special contract for a forced shaker only",
            {"none": "none", "nello": "nello", "sevens": "sevens"},
        ),
        "opening_limit": _text("Highest first marks bid", {None: "no limit"}, _marks),
        "raise_limit": _text(
            "Raise over a marks bid", {1: "exactly one mark more", 2: "up to two marks more"}
        ),
        "lowest_bid": _text("Lowest bid", {}),
        "follow_me": _text(
            "Follow me", {"any_bid": "with any bid", "marks_only": "with marks bids only", "off": "off"}
        ),
        "follow_me_doubles": _text(
            "Doubles in follow me",
            {
                "high": "high in their suit",
                "low": "low in their suit",
                "own_suit": "a suit of their own, 6-6 high",
                "own_suit_reversed": "a suit of their own, 0-0 high",
                "as_called": "high or low, as the declarer calls",
            },
        ),
        "doubles_trump": _text(
            "Doubles as trumps",
            {
                "free": "on; without a double anything may be played",
                "must_follow_number": "on; without a double the number must be followed",
                "off": "off",
            },
        ),
        "trump_not_named": _text(
            "Trump not named before the lead",
            {
                "refuse": "the lead is refused",
                "high_end": "the high end of the first tile is trump",
            },
        ),
        "small_end_opening": _text(
            "Opening lead as the smaller end of its tile",
            {False: "off", True: "on, if the leader says so"},
        ),
        "nello": _text("Nello", {None: "off"}, _from_marks),
        "nello_doubles": _text(
            "Doubles in nello",
            {
                "own_suit": "a suit of their own, 6-6 high",
                "high": "high in their suit",
                "low": "low in their suit",
                "own_suit_reversed": "a suit of their own, 0-0 high",
                "as_called": "as the declarer calls",
            },
        ),
        "plunge": _text("Plunge", {False: "off", True: "on, 4 doubles, 4 marks"}),
        "splash": _text("Splash", {None: "off"}, lambda count: f"on, 3 doubles, {_marks(count)}"),
        "sevens": _text("Sevens", {None: "off"}, _from_marks),
        "scoring": _text("Scoring", {"marks": "in marks", "points": "in points"}),
        "target": _text("A game is played to", {}, note="250 in points unless said otherwise"),
        "set_scores": _text(
            "A set bid in a game in points",
            {
                "bid_and_taken": "the others score the bid and what they took",
                "bid_only": "the others score the bid",
            },
        ),
        "both_past_target": _text(
            "Both sides pass the target in one hand of a game in points",
            {
                "bidding_side": "the bidding side wins",
                "higher": "the higher side wins",
                "play_on": "another hand is played, and who is ahead then wins",
            },
        ),
        "win_by_two": _text("Win by two", OFF_ON),
        "early_end": _text(
            "A hand ends",
            {"at_settlement": "as soon as it is settled", "play_all": "when all seven tricks are played"},
        ),
        "claim": _text(
            "Claim",
            {
                "every_line": "accepted if every line of play gives the same result, else refused",
                "stated_order": "in a stated order of tiles; a wrong one loses the hand",
                "claimer_knowledge": "accepted if certain from what the claimer knows, else refused",
                "off": "off",
            },
        ),
        "tricks_in_view": _text(
            "Tricks that players may look back at",
            {
                "by_bid": "all on points bids, the latest on marks bids",
                "all": "all",
                "latest": "the latest",
            },
        ),
        "renege": _text(
            "Renege",
            {
                "hand_lost": "the hand is lost",
                "one_mark": "one mark to the other side",
                "director": "the director decides",
            },
        ),
        "lead_out_of_turn_is_renege": _text(
            "A lead out of turn", {False: "is for the director", True: "counts as a renege"}
        ),
        "bid_out_of_turn": _text(
            "A bid out of turn",
            {
                "refused": "is refused",
                "stands_no_raise": "stands and may not be raised by who made it",
                "reshake_choice": "lets the other side choose a re-shake by the same shaker",
            },
        ),
        "misdeal": _text(
            "Misdeal", {"reshake": "re-shake by the same shaker", "director": "the director decides"}
        ),
        "first_shake": _text("First shake", {"random": "at random", "high_domino": "high domino shakes"}),
        "later_first_shake": _text(
            "First shake from game 2 on",
            {"same": "as in game 1", "losing_side_draws": "the losing side draws between its two"},
        ),
        "timed_tie": _text(
            "Level when time is called",
            {"one_hand": "another hand", "draw_domino": "a domino is drawn", "stands": "the tie stands"},
        ),
    }
)
"""The words for every switch, in the order of the rule set."""


EVENT_TITLES: Mapping[str, str] = MappingProxyType(
    {
        "best_of": "A match is best of",
        "best_of_round_one": "In round one best of",
        "report_marks_above_target": "Marks above the target are reported",
        "forfeit_score": "A forfeit counts",
        "bye_score": "A bye counts",
        "tie_breaks": "Ties are broken by",
    }
)
"""What presets bring along for an event."""


def event_phrase(value: object) -> str:
    """What a preset brings along, in words: "7-4", "yes", "wins, then marks for"."""
    if isinstance(value, tuple):
        return ", then ".join(item.replace("_", " ") for item in value)
    return "yes" if value is True else str(value)


def describe(switch: str, value: object) -> str:
    """One switch and value in words: "Nello: on, from 1 mark"."""
    text = SWITCH_TEXTS[switch]
    return f"{text.title}: {text.phrase(value)}"


def default_of(switch: str) -> object:
    return CHOICES[switch][0]
