"""D8, the rule: a claim that was accepted although some legal way of playing on would have ended otherwise.

It needs every holding and few tiles left: the lines are played out one by one, up to a limit.
"""

from __future__ import annotations

import fortytwo
from fortytwo import Hand
from scoring.fairplay.facts import HandFacts
from scoring.fairplay.types import About, Detector, Finding, Item, Looked, Reason, Scope, Tried

NAME, VERSION = "claim", 1
MOST_POSITIONS = 20_000


class TooManyError(Exception):
    """More positions than are worth playing out."""


def look(record: HandFacts) -> Looked:
    """Whether the claim of a hand was certain."""
    if record.claim is None:
        return Looked(untestable="no_claims_recorded")
    if record.played is None:
        return Looked(untestable="no_plays")
    if None in record.played.reveal().masks:
        return Looked(untestable="holdings_unknown")
    claimed = _position(record.played, record.claim.after)
    try:
        line = other_ending(claimed, made=record.claim.made)
    except TooManyError:
        return Looked(untestable="too_many_lines")
    return Looked() if line is None else Looked((_finding(record, line),))


def other_ending(hand: Hand, *, made: bool) -> tuple[str, ...] | None:
    """Plays from here that end the hand otherwise than claimed, the shortest branch first; None for none.

    Raises `TooManyError` past `MOST_POSITIONS`.
    """
    seen: set[tuple[object, ...]] = set()
    stack: list[tuple[Hand, tuple[str, ...]]] = [(hand, ())]
    positions = 0
    while stack:
        at, line = stack.pop()
        if at.made is not None:
            if at.made is not made:
                return line
            continue
        key = (at.played_masks, at.turn, at.points, at.table)
        if key in seen:
            continue
        seen.add(key)
        positions += 1
        if positions > MOST_POSITIONS:
            raise TooManyError
        assert at.turn is not None
        for tile in reversed(at.legal_plays()):
            stack.append((at.play(at.turn, tile), (*line, f"{at.turn}:{tile}")))
    return None


def _position(hand: Hand, after: int) -> Hand:
    """The hand as it stood after so many tiles, with every holding known."""
    again = Hand.start(hand.rules, hand.shaker, hand.reveal())
    for seat, call in hand.auction.by_seat():
        again = again.call(seat, call)
    if hand.trump is not None:
        again = again.name_trump(hand.trump)
    for play in hand.plays[:after]:
        again = again.play(play.seat, play.tile)
    return again


def _finding(record: HandFacts, line: tuple[str, ...]) -> Finding:
    claim = record.claim
    assert claim is not None
    left = len(fortytwo.TILES) - claim.after
    return Finding(
        detector=NAME,
        version=VERSION,
        subject=f"hand:{record.id}",
        code="claim_not_certain",
        about=About(record.match_id, hand=record.id),
        facts={"game": record.game, "hand": record.number, "made": claim.made, "left": left},
        figures=(Item("tiles_left", {"value": left}), Item("marks_stored", {"value": str(record.marks)})),
        toward=(Item("other_line", {"plays": list(line)}, record.match, record.game, record.number),),
        reasons=(
            Reason("holding_typed_wrongly", Tried.OPEN),
            Reason("all_agreed", Tried.OPEN),
        ),
    )


DETECTOR: Detector[HandFacts] = Detector(
    name=NAME,
    version=VERSION,
    scope=Scope.HAND,
    look=look,
    inputs=("accepted claims", "all 28 tiles of the hand by seat"),
    null="A claim is accepted only when every legal way of playing on ends the hand alike.",
    innocent=("holding_typed_wrongly", "all_agreed"),
)
