"""Errors of the engine: one family, stable codes, facts as data, a sentence a person can act on.

`ParseError` is text or JSON that cannot be read. `IllegalAction` is readable but against the rules.
`RulesError` is a rule set that cannot be played. `ImpossibleRecord` is a hand, game or match that
cannot have happened; it may name several fields, each with its own code.
`CODES` lists every code with its sentence; a code never changes its meaning.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

Fact: TypeAlias = "str | int | bool | list[str] | dict[str, str] | None"

MAX_ECHO = 40
"""Longest piece of a caller's own text that an error repeats, in characters."""
HUGE = 10**9
"""Numbers from here on are not repeated either."""

CODES: Mapping[str, str] = {
    # Unreadable text or JSON.
    "bad_tile": "{text!r} is not a tile; write the two pips like 6-4 or 64.",
    "bad_seat": "{text!r} is not a seat; seats are N, E, S and W.",
    "bad_side": "{text!r} is not a side; sides are NS and EW.",
    "bad_call": "{text!r} is not a call; calls are pass, 30 to 42, 84, 3m, 4m and so on, plunge4, splash3.",
    "bad_trump": "{text!r} is not a trump; trumps are 0 to 6, doubles, follow-me, nello and sevens.",
    "bad_score": "{text!r} is not a score; write marks like 7-4, games separated by commas.",
    "bad_notation": "Line {line}, column {column}: {reason}.",
    "bad_json": "This is not readable JSON: {reason}.",
    "bad_field": "The field {field} must be {expected}.",
    "missing_field": "The field {field} is missing.",
    "unknown_op": "{text!r} is not an operation; operations are {known}.",
    "unreadable_file": "The file {text!r} cannot be read: {reason}.",
    "unknown_preset": "{text!r} is not a preset; presets are {known}.",
    "unknown_switch": "{text!r} is not a switch of a rule set.",
    "bad_switch_value": "The switch {switch} cannot be {text}; it takes {known}.",
    "bad_usage": "The command line cannot be read: {reason}.",
    "internal_error": "The engine failed on this request; please report it.",
    # Rule sets.
    "switch_not_built": "The switch {switch} = {value} cannot be played yet.",
    "switches_clash": "The switches {first} and {second} clash: {reason}.",
    # Deal and holdings.
    "holding_size": "A holding has {expected} tiles; {seat} was given {count}.",
    "holding_too_large": "A holding has at most {maximum} tiles; {count} were given.",
    "tile_twice": "The tile {tile} is named twice.",
    "tile_dealt_twice": "The tile {tile} is in two holdings.",
    "holding_differs": "{seat}'s tiles are already known and are not these.",
    "played_not_held": "{seat} has played {tile}, which is not among these tiles.",
    "tile_played_by_other": "The tile {tile} was played by another seat than {seat}.",
    "hand_in_progress": "The deal is shown only when the hand is over.",
    # Auction and trump.
    "out_of_turn": "It is {expected}'s turn, not {seat}'s.",
    "auction_over": "The auction is over; every seat has made its one call.",
    "auction_open": "The auction is still open; {expected} is to call.",
    "must_bid": "Everyone else passed, so the shaker {seat} must bid {minimum} or more.",
    "bid_below_minimum": "{call} is too low; the lowest bid is {minimum}.",
    "call_not_higher": "{call} is not higher than {standing}.",
    "call_too_high": "{call} is too high here; the highest call now is {maximum}.",
    "call_not_offered": "{call} cannot be called under these rules.",
    "special_differs": "{call} cannot be called here; it is {expected} now.",
    "doubles_missing": "{seat} needs {needed} doubles for {call}.",
    "called_already": "{seat} has made its one call already.",
    "trump_not_named": "Trump has not been named; {seat} names it before the lead.",
    "trump_already_named": "Trump has been named already: {trump}.",
    "trump_not_offered": "{trump} cannot be named on a bid of {bid} under these rules.",
    # Play.
    "must_follow": "{seat} must follow {suit}, which was led with {led}; {tile} does not.",
    "must_play_nearest": "{seat} must play a tile as near to seven pips as any; {tile} is not.",
    "lead_suit_refused": "{tile} cannot be led as a tile of {suit}: {reason}.",
    "tile_not_held": "{seat} does not hold {tile}.",
    "tile_played": "The tile {tile} has been played already.",
    "tile_elsewhere": "{seat} cannot have {tile}; another seat holds it.",
    "hand_complete": "All tiles of this hand have been played.",
    "hand_thrown_in": "The hand was thrown in; there is nothing to play.",
    "trick_size": "A trick has {expected} tiles; {count} were given.",
    "trick_order": "The tiles of a trick go clockwise from the leader; {seat} is out of order.",
    "trick_open": "A trick is being played; {seat} is to play first.",
    "deal_unknown": "The tiles of {seat} are not known, so this cannot be worked out.",
    "hand_not_in_play": "Only a hand that is being played can be claimed.",
    "claim_refused": "This claim is not certain, so it does not end the hand.",
    "claim_undecided": "This claim is too much work to decide; say what it gave.",
    "claim_contradicts": "This claim gives a bid that was {outcome}, which is not what was recorded.",
    "claim_off": "Claims are not taken under these rules.",
    "claim_not_on_lead": "Only the seat on lead can claim; that is {expected}, not {seat}.",
    "claim_order_wrong": "The order must name the {count} tiles that {seat} holds, each of them once.",
    "points_so_far_wrong": "With these tiles left {expected} points have been taken, not {total}.",
    "points_missing": "Say how many points both sides took; this hand is scored in points.",
    # Games and matches.
    "hand_not_over": "The hand is not over; it cannot be scored yet.",
    "game_over": "The game is over at {score}; no further hand counts.",
    "wrong_shaker": "The shake is with {expected}, not {seat}.",
    "marks_both_sides": "Only one side can score in a hand.",
    "bidder_needed": "Both sides pass {target} in this hand; say who had the bid.",
    "hand_score_impossible": "No hand under these rules gives {score}.",
    "marks_out_of_range": "A hand gives 1 to {maximum} marks under these rules, not {marks}.",
    "hand_without_marks": "Somebody must bid under these rules, so every hand scores marks.",
    "score_no_winner": "{score} has no winner.",
    "score_short": "{score} is unfinished; a game is played to {target}.",
    "score_after_end": "{score} cannot be: the game was over before.",
    "score_unreachable": "No hands under these rules add up to {score}.",
    "score_tied": "{score} is level when time is called; {next}.",
    "winner_needed": "{score} does not say who won; name the winner.",
    "winner_contradicts_score": "{winner} has not won at {score}.",
    "score_too_high": "{score} is too high; the winner can reach {maximum} marks at most.",
    "bad_best_of": "A match is best of an odd number of games, 1 to 99, not {count}.",
    "match_decided": "The match is decided {wins}; game {game} cannot be opened.",
    "match_not_decided": "At {wins} in games the match is not decided yet.",
    "losing_side_needed": "From game 2 on the losers of the last game draw; say who lost.",
    # Written records that contradict themselves.
    "number_differs": "This is {kind} {expected}, not {kind} {number}.",
    "sits_out_differs": "{seat} does not sit out; {expected} does.",
    "trick_differs": "The trick goes to {expected}, not to {said}.",
    "result_differs": "The {what} of the hand are {expected}, not {said}.",
    "score_differs": "The hands add up to {expected}, not {score}.",
    "games_won_differ": "The games won are {expected}, not {games}.",
    # Hands recorded at bid level.
    "hand_impossible": "This hand cannot have happened: {summary}",
    "bid_is_pass": "A declarer has a bid; a pass is not one.",
    "bid_cannot_stand": "No auction under these rules ends with {bid} by this seat.",
    "trump_missing": "The trump is missing.",
    "outcome_missing": "Say whether the bid was made, or the points taken.",
    "points_out_of_range": "A side takes 0 to 42 points, not {points}.",
    "points_sum_impossible": "The two sides' points add up to {total}; a hand has 42.",
    "points_unreachable": "No tricks give these points ({points}).",
    "points_not_settled": "With these points the hand is not settled yet ({points}).",
    "made_contradicts_points": "A bid of {bid} with {points} points was {outcome}.",
    "made_contradicts_tricks": "A bid of {bid} with {tricks} tricks was {outcome}.",
    "tricks_out_of_range": "A side takes 0 to 7 tricks, not {tricks}.",
    "tricks_contradict_points": "{tricks} tricks cannot give {points} points.",
    "both_sides_made": "Only one side can have scored in this hand.",
    "marks_contradict": "This hand gives {expected} marks, not {marks}.",
}


class FortyTwoError(ValueError):
    """Base of every error that the engine raises on purpose."""

    def __init__(self, code: str, **facts: object) -> None:
        self.code = code
        self.facts: dict[str, Fact] = {name: _plain(value) for name, value in facts.items()}
        super().__init__(CODES[code].format(**self.facts))

    @property
    def message(self) -> str:
        return str(self)

    def to_json(self) -> dict[str, object]:
        return {"code": self.code, **self.facts, "message": self.message}

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (type(self), self.code, self.facts))


class ParseError(FortyTwoError):
    """The text or JSON cannot be read."""


class IllegalAction(FortyTwoError):
    """Readable, but against the rules."""


class RulesError(FortyTwoError):
    """The rule set cannot be played."""


@dataclass(frozen=True, slots=True)
class FieldError:
    """One field of a record that cannot be right. `field` is the name of the argument."""

    field: str
    error: FortyTwoError

    def to_json(self) -> dict[str, object]:
        return {"field": self.field, **self.error.to_json()}


class ImpossibleRecord(FortyTwoError):
    """A hand, game or match that cannot have happened. `fields` says where, in order."""

    fields: tuple[FieldError, ...] = ()

    @classmethod
    def of_fields(cls, fields: tuple[FieldError, ...]) -> ImpossibleRecord:
        error = cls("hand_impossible", summary=" ".join(item.error.message for item in fields))
        error.fields = fields
        return error

    def to_json(self) -> dict[str, object]:
        plain = FortyTwoError.to_json(self)
        if self.fields:
            plain["fields"] = [item.to_json() for item in self.fields]
        return plain

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (type(self), self.code, self.facts, self.fields))


def echo(value: object) -> str:
    """A caller's own text, cut short, so that an error never repeats a megabyte."""
    text = value if isinstance(value, str) else type(value).__name__
    return text if len(text) <= MAX_ECHO else text[:MAX_ECHO] + "..."


def _plain(value: object) -> Fact:
    # Seats, sides and trumps are StrEnums: `str` gives the bare text.
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return int(value) if abs(value) < HUGE else "a huge number"
    if isinstance(value, Mapping):
        return {str(key): str(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [str(item) for item in value]
    return str(value)


def _rebuild(
    kind: type[FortyTwoError],
    code: str,
    facts: dict[str, Fact],
    fields: tuple[FieldError, ...] = (),
) -> FortyTwoError:
    error = kind(code, **facts)
    if isinstance(error, ImpossibleRecord):
        error.fields = fields
    return error
