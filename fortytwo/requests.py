"""The language-neutral front: JSON requests in, JSON answers out.

An *operation* (`op`) is legal, trick, hand (also called replay), verify, claim, perft, solve, par or
bench; each takes `rules`, a preset or an object of switches. `answer` raises the engine's errors;
`answer_line` turns whatever a line holds into exactly one answer, errors included.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from types import MappingProxyType

from .contract import trick_size
from .errors import FortyTwoError, IllegalAction, ParseError, echo
from .hand import Hand
from .records import (
    HandRecord,
    read_object,
    read_plays,
    read_rules,
    read_text,
    read_tiles,
    read_trump,
    required,
)
from .search_requests import claim_request, perft_request
from .suits import trick_rules
from .tiles import HOLDING_SIZE
from .trick import check_trick, legal_tiles, parse_led

Answer = dict[str, object]


def answer(request: object) -> Answer:
    """The answer to one request. Raises `FortyTwoError`."""
    data = read_object("request", request)
    name = read_text("op", required(data, "op"))
    operation = OPERATIONS.get(name)
    if operation is None:
        raise ParseError("unknown_op", text=echo(name), known=", ".join(OPERATIONS))
    return operation(data)


def answer_line(line: bytes) -> Answer:
    """The answer to one line of a batch, never an exception."""
    try:
        return answer(parse_json(line))
    except FortyTwoError as error:
        return error_answer(error)
    except Exception:  # One odd line must not cost the answers to all the others.
        return error_answer(FortyTwoError("internal_error"))


def parse_json(text: bytes) -> object:
    """Raises `ParseError("bad_json")` for anything that JSON cannot be."""
    try:
        value: object = json.loads(text.decode("utf-8"))
    except UnicodeDecodeError:
        raise ParseError("bad_json", reason="it is not UTF-8") from None
    except RecursionError:
        raise ParseError("bad_json", reason="it is nested too deeply") from None
    except json.JSONDecodeError as error:
        reason = f"{error.msg} at line {error.lineno} column {error.colno}"
        raise ParseError("bad_json", reason=reason) from None
    except ValueError:
        # Python refuses to read numbers of thousands of digits.
        raise ParseError("bad_json", reason="a number is too long") from None
    return value


def error_answer(error: FortyTwoError) -> Answer:
    return {"error": error.to_json()}


def legal(data: Mapping[str, object]) -> Answer:
    """`{"trump", "led" or null, "holding"}` -> `{"legal": [..]}` in the order given; `led` may be a tile
    declared as its smaller end, "6-4/4"."""
    trump = read_trump(data)
    text = data.get("led")
    led, suit = (None, None) if text is None else parse_led(read_text("led", text))
    holding = read_tiles("holding", required(data, "holding"))
    if len(holding) > HOLDING_SIZE:
        raise IllegalAction("holding_too_large", maximum=HOLDING_SIZE, count=len(holding))
    rules = trick_rules(trump, read_rules(data))
    return {"legal": [str(tile) for tile in legal_tiles(rules, led, holding, suit)]}


def trick(data: Mapping[str, object]) -> Answer:
    """`{"trump", "plays": ["N:6-5", ..]}` -> `{"winner", "points"}`; three plays where a seat sits out."""
    trump = read_trump(data)
    plays = read_plays("plays", required(data, "plays"))
    taken = check_trick(trick_rules(trump, read_rules(data)), plays, trick_size(trump))
    return {"winner": str(taken.winner), "points": taken.points}


def hand(data: Mapping[str, object]) -> Answer:
    """The record of a hand -> what it gave."""
    return hand_answer(HandRecord.from_json(data).replay())


def verify(data: Mapping[str, object]) -> Answer:
    """The record of a hand -> `{"ok", "complete", "findings": [..]}`; what is against the rules is a
    finding here, not an error."""
    record = HandRecord.from_json(data)
    try:
        result = record.replay().verify()
    except IllegalAction as error:
        return {"ok": False, "complete": False, "findings": [error.to_json()]}
    findings = [finding.to_json() for finding in result.findings]
    return {"ok": result.ok, "complete": result.complete, "findings": findings}


def hand_answer(hand: Hand) -> Answer:
    """A hand as the `hand` request shows it; `settled_after` counts tricks."""
    found: Answer = {
        "declarer": _text(hand.declarer),
        "bid": _text(hand.bid),
        "trump": _text(hand.trump),
        "points": hand.points.to_json(),
        "made": hand.made,
        "marks": hand.marks.to_json(),
        "tricks": [{"winner": str(taken.winner), "points": taken.points} for taken in hand.tricks],
        "settled_after": hand.settled_after,
    }
    if hand.claimed is not None:
        found["claimed_by"] = str(hand.claimed.seat)
    return found


def _of_solver(name: str) -> Callable[[Mapping[str, object]], Answer]:
    """An operation of the solver, which is loaded when it is first asked for."""

    def run(data: Mapping[str, object]) -> Answer:
        from .solver import requests as solver

        operations = {"solve": solver.solve, "par": solver.par, "bench": solver.bench}
        return operations[name](data)

    return run


def _text(value: object) -> str | None:
    return None if value is None else str(value)


OPERATIONS: Mapping[str, Callable[[Mapping[str, object]], Answer]] = MappingProxyType(
    {
        "legal": legal,
        "trick": trick,
        "hand": hand,
        "replay": hand,
        "verify": verify,
        "claim": claim_request,
        "perft": perft_request,
        "solve": _of_solver("solve"),
        "par": _of_solver("par"),
        "bench": _of_solver("bench"),
    }
)
