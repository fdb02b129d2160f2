"""Double elimination: two losses and a team is out.

The winners' bracket is that of single elimination. In the full bracket of 2^k places, winners' round w (from
2 on) is followed by two rounds of the losers' bracket: one among the teams already there, one against the
losers of w. Losers of round 1 stay on their height; those of later rounds drop *crosswise* (see
`crosswise`). Where a place can never be filled the other team passes on at once, and a round that is left
without a match is not counted.

The grand final is the unbeaten team (side a) against the winner of the losers' bracket (side b). With a
reset, a second match follows when b wins; its sides stay as they were, so a is the loser and b the winner of
the grand final.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from tournaments.draw.builder import Coming, Line, PlanBuilder
from tournaments.draw.plan import LoserOf, Plan, WinnerOf, check_size

Drop = Callable[[int, int, int], int]


def crosswise(winners_round: int, position: int, bits: int) -> int:
    """Where the loser of this winners' match drops to, among the 2^bits places of its losers' round.

    Two teams that met in winners' round r can meet again once the later loser has dropped from round s, and
    not before their places share a part of the losers' bracket. Each round flips the top bits of the
    position in its own way: the first bit (which half) changes every round, the second every two rounds, the
    third every four. So teams from rounds an odd number apart drop into opposite halves and meet in the last
    rounds only, those two apart into different quarters, those four apart into different eighths: no pattern
    of flips keeps neighbouring rounds further apart. Bits after the first are flipped once more in even
    rounds, which makes round 2 drop in plainly reversed order and changes no distance.
    """
    step = winners_round - 1
    first = step & 1
    for depth in range(bits):
        flip = first if depth == 0 else (step >> depth & 1) ^ first
        position ^= flip << (bits - 1 - depth)
    return position


@lru_cache(maxsize=64)
def build(size: int, *, grand_final_reset: bool = True, drop: Drop = crosswise) -> Plan:
    """The plan for this many teams.

    `drop` is there so that another order of dropping can be measured against this one. Raises DrawError
    `size_out_of_range`.
    """
    check_size(size)
    builder = PlanBuilder("double-elimination", size)
    winners, losers = _winners_round(builder, builder.seeded_line())
    bits = (len(winners) - 1).bit_length()
    winners_round = 1
    while bits:
        bits -= 1
        winners_round += 1
        winners, beaten = _winners_round(builder, winners)
        losers, _ = builder.add_round("losers", _losers_key(builder), losers)
        dropped = [beaten[drop(winners_round, place, bits)] for place in range(len(beaten))]
        line = [team for pair in zip(dropped, losers, strict=True) for team in pair]
        losers, _ = builder.add_round("losers", _losers_key(builder, last=bits == 0), line)
    _finals(builder, winners[0], losers[0], grand_final_reset)
    return builder.plan()


def _winners_round(builder: PlanBuilder, line: Line) -> tuple[list[Coming | None], list[Coming | None]]:
    last_keys = {1: "winners-final", 2: "winners-semifinals"}
    key = last_keys.get(len(line) // 2, f"winners-{builder.next_number('winners')}")
    return builder.add_round("winners", key, line)


def _losers_key(builder: PlanBuilder, *, last: bool = False) -> str:
    return "losers-final" if last else f"losers-{builder.next_number('losers')}"


def _finals(
    builder: PlanBuilder, unbeaten: Coming | None, once_beaten: Coming | None, with_reset: bool
) -> None:
    winner, _ = builder.add_round("finals", "grand-final", [unbeaten, once_beaten], final=True)
    if with_reset and winner[0] is not None and isinstance(winner[0].source, WinnerOf):
        grand_final = winner[0].source.match
        line = [Coming(LoserOf(grand_final)), Coming(WinnerOf(grand_final))]
        builder.add_round("finals", "reset", line, reset=True)
