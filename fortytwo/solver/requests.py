"""The solver's operations for the JSON front: solve, par and bench; requests in, answers out.

They raise `ParseError` for what cannot be read, `IllegalAction` for plays against the rules.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from timeit import default_timer

from ..bids import Call
from ..contract import Contract, make_contract
from ..deal import Deal
from ..errors import IllegalAction, ParseError, echo
from ..notation import STRAIGHT, read_deal, read_items, read_rules, read_text, read_trump, required
from ..rules import Ruleset
from ..seats import SEATS, Seat
from ..suits import PLAIN_TRUMPS, Trump
from ..trick import parse_led
from .backend import backend, why_pure
from .judgement import is_nello
from .par import par_table, special_table
from .position import NotSolvable, Position
from .solver import Solver

Answer = dict[str, object]

MOST_DEALS = 1000
"""The largest bench."""
BENCH_SEED = 42
MADE_AT = 34


def solve(data: Mapping[str, object]) -> Answer:
    """`{"trump", "leader", "deal"}` -> `{"points"}` that the leader's side takes in all, best play by all.

    `leader` leads the first trick. Optional: `tricks_so_far`, the tiles played, trick by trick or in one
    list, perhaps ending in the middle of a trick; `to_play`, checked against them; `bid`, which adds
    `made`; `moves` true, which adds `moves`: for each play of the seat in turn what its side takes in all.
    In nello and sevens the leader is declarer and there is only `made`, also in `moves`.
    """
    rules, trump = read_rules(data), read_trump(data)
    leader = Seat.parse(read_text("leader", required(data, "leader")))
    position = _played(_start(data, trump, leader, rules), data)
    bid = None if data.get("bid") is None else Call.parse(read_text("bid", data["bid"]))
    if bid is not None and bid.is_pass:
        raise IllegalAction("bid_is_pass")
    wants_moves = data.get("moves", False)
    if not isinstance(wants_moves, bool):
        raise ParseError("bad_field", field="moves", expected="true or false")
    solver = Solver()
    if not position.in_suits:
        return _solve_special(solver, position, _special(rules, leader, trump), wants_moves)
    points = solver.points(position)[leader.side]
    answer: Answer = {"points": points}
    if bid is not None:
        answer["made"] = points >= bid.needed
    if wants_moves:
        answer["moves"] = {play.what: value for play, value in solver.values(position).items()}
    return answer


def par(data: Mapping[str, object]) -> Answer:
    """`{"deal"}` -> `{"par": {leader: {trump: points}}}` of the leader's side, best play by all; with
    `special`, whether nello and sevens would be made, where the rule set has them."""
    rules, deal = read_rules(data), _whole_deal(data)
    table = par_table(deal, rules)
    answer: Answer = {
        "par": {
            str(seat): {str(trump): points for trump, points in row.items()} for seat, row in table.items()
        }
    }
    special = special_table(deal, rules)
    if special:
        answer["special"] = {
            str(seat): {str(trump): made for trump, made in row.items()} for seat, row in special.items()
        }
    return answer


def bench(data: Mapping[str, object], clock: Callable[[], float] = default_timer) -> Answer:
    """Random deals under the nine trumps: milliseconds for the exact value and for made-at-34, median and
    95th of a hundred. Optional: `deals` (20), `seed` (42). `clock` gives seconds."""
    count = _number(data, "deals", 20, MOST_DEALS)
    rng = random.Random(_number(data, "seed", BENCH_SEED, 2**32))
    solver = Solver()
    exact, made = [], []
    for _ in range(count):
        deal = Deal.shuffled(rng)
        for trump in PLAIN_TRUMPS:
            position = Position.start(deal, trump, SEATS[0], STRAIGHT)
            solver.forget()
            started = clock()
            solver.points(position)
            exact.append(clock() - started)
            solver.forget()
            started = clock()
            solver.reaches(position, SEATS[0].side, MADE_AT)
            made.append(clock() - started)
    return {
        "backend": backend(),
        "why_pure": why_pure(),
        "solves": len(exact),
        "exact_ms": _summary(exact),
        f"made_at_{MADE_AT}_ms": _summary(made),
    }


def _start(data: Mapping[str, object], trump: Trump, leader: Seat, rules: Ruleset) -> Position:
    deal = read_deal(required(data, "deal"))
    try:
        return Position.start(deal, trump, leader, rules)
    except NotSolvable:
        raise ParseError("bad_field", field="deal", expected="the tiles of every seat that plays") from None


def _whole_deal(data: Mapping[str, object]) -> Deal:
    deal = read_deal(required(data, "deal"))
    if not deal.is_known:
        raise ParseError("bad_field", field="deal", expected="the tiles of all four seats")
    return deal


def _played(position: Position, data: Mapping[str, object]) -> Position:
    """The position after the tiles of `tricks_so_far`."""
    for number, text in enumerate(_texts(data.get("tricks_so_far")), 1):
        seat, colon, what = text.rpartition(":")
        tile, suit = parse_led(what)
        if position.is_over:
            raise IllegalAction("hand_complete", seat=position.turn, tile=tile)
        try:
            if colon and Seat.parse(seat) is not position.turn:
                raise IllegalAction("out_of_turn", seat=seat, expected=position.turn, tile=tile)
            position = position.play(tile, suit)
        except IllegalAction as error:
            raise IllegalAction(error.code, **error.facts, number=number, kind="play") from None
    to_play = data.get("to_play")
    if to_play is not None:
        seat_named = Seat.parse(read_text("to_play", to_play))
        if seat_named is not position.turn:
            raise IllegalAction("out_of_turn", seat=seat_named, expected=position.turn)
    return position


def _texts(value: object) -> list[str]:
    """Plays as texts: one list, or a list of tricks."""
    if value is None:
        return []
    if isinstance(value, list):
        return [text for item in value for text in read_items("tricks_so_far", item)]
    return read_items("tricks_so_far", value)


def _special(rules: Ruleset, declarer: Seat, trump: Trump) -> Contract:
    """Nello or sevens as played on the bid of a mark, whatever the rule set asks for it."""
    switches = {**rules.differences(), "nello": 1, "sevens": 1, "forced_special": "none"}
    if is_nello(trump) and trump is not Trump.NELLO:
        switches["nello_doubles"] = "as_called"
    return make_contract(Ruleset.from_switches(switches), declarer, Call.of_marks(1), trump)


def _solve_special(solver: Solver, position: Position, contract: Contract, wants_moves: bool) -> Answer:
    answer: Answer = {"made": solver.will_make(position, contract)}
    if wants_moves:
        after = solver.will_make_after(position, contract) if not position.is_over else {}
        answer["moves"] = {play.what: made for play, made in after.items()}
    return answer


def _number(data: Mapping[str, object], field: str, default: int, most: int) -> int:
    value = data.get(field, default)
    if type(value) is not int or not 1 <= value <= most:
        raise ParseError("bad_field", field=field, expected=f"a number from 1 to {most}, not {echo(value)!r}")
    return value


def _summary(seconds: list[float]) -> dict[str, float]:
    ordered = sorted(seconds)
    return {
        "median": round(1000 * ordered[len(ordered) // 2], 3),
        "p95": round(1000 * ordered[int(0.95 * len(ordered))], 3),
    }
