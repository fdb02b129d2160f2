"""The only bridge between stored rows and the engine: rows are folded to its values, its values become rows.

Nothing here decides anything about the game; a stored record that the engine refuses is a defect.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

import fortytwo
from fortytwo import Call, PerSide, Seat, Tile, Trump
from scoring import models
from scoring.enums import Ending, GameState, HandState


@dataclass(frozen=True, slots=True)
class HandRows:
    """A full-play hand as stored: the row with its holdings, calls and plays in order."""

    hand: models.Hand
    holdings: Sequence[models.Holding]
    calls: Sequence[models.Call]
    plays: Sequence[models.Play]


def hand_rows(hand: models.Hand) -> HandRows:
    """Read a hand's rows. Three queries."""
    return HandRows(
        hand,
        list(models.Holding.objects.filter(hand=hand)),
        list(models.Call.objects.filter(hand=hand).order_by("seq")),
        list(models.Play.objects.filter(hand=hand).order_by("seq")),
    )


def rows_of_hands(hands: Sequence[models.Hand]) -> dict[UUID, HandRows]:
    """The rows of many hands, by hand. Three queries."""
    ids = [hand.pk for hand in hands]
    holdings: dict[UUID, list[models.Holding]] = defaultdict(list)
    calls: dict[UUID, list[models.Call]] = defaultdict(list)
    plays: dict[UUID, list[models.Play]] = defaultdict(list)
    for holding in models.Holding.objects.filter(hand__in=ids):
        holdings[holding.hand_id].append(holding)
    for call in models.Call.objects.filter(hand__in=ids).order_by("seq"):
        calls[call.hand_id].append(call)
    for play in models.Play.objects.filter(hand__in=ids).order_by("seq"):
        plays[play.hand_id].append(play)
    return {hand.pk: HandRows(hand, holdings[hand.pk], calls[hand.pk], plays[hand.pk]) for hand in hands}


def engine_hand(
    rows: HandRows, rules: fortytwo.Ruleset, *, seats_known: Iterable[str] | None = None
) -> fortytwo.Hand:
    """The engine's value for the rows; with `seats_known` only those seats' holdings are told to it.

    Holdings are told first, as they bind the plays. Tiles turned up afterwards can prove that a play broke the
    rules: such a record was taken, so it is folded once more with the holdings last.
    """
    known = None if seats_known is None else set(seats_known)
    told = [row for row in rows.holdings if known is None or row.seat in known]
    start = fortytwo.Hand.start(rules, Seat(rows.hand.shaker))
    try:
        return _played(_with_holdings(start, told), rows)
    except fortytwo.IllegalAction:
        return _with_holdings(_played(start, rows), told)


def _with_holdings(hand: fortytwo.Hand, holdings: Iterable[models.Holding]) -> fortytwo.Hand:
    for holding in holdings:
        hand = hand.with_holding(Seat(holding.seat), fortytwo.parse_tiles(holding.tiles))
    return hand


def _played(hand: fortytwo.Hand, rows: HandRows) -> fortytwo.Hand:
    for call in rows.calls:
        hand = hand.call(Seat(call.seat), Call.parse(call.call))
    if rows.hand.trump:
        hand = hand.name_trump(Trump.parse(rows.hand.trump))
    for play in rows.plays:
        hand = hand.play(Seat(play.seat), Tile.parse(play.tile), play.suit)
    return hand


def engine_game(game: models.Game, hands: Iterable[models.Hand], rules: fortytwo.Ruleset) -> fortytwo.Game:
    """The engine's value for a game recorded hand by hand; `hands` are its closed hands in order."""
    results = tuple(hand_result(hand) for hand in hands)
    return fortytwo.Game(rules, Seat(game.first_shaker) if game.first_shaker else None, results)


def hand_result(row: models.Hand) -> fortytwo.HandResult:
    """What a closed hand gave, as its row says it."""
    points = None
    if row.points_ns is not None and row.points_ew is not None:
        points = PerSide(row.points_ns, row.points_ew)
    return fortytwo.HandResult(
        marks=PerSide(row.marks_ns, row.marks_ew),
        shaker=Seat(row.shaker) if row.shaker else None,
        declarer=Seat(row.declarer) if row.declarer else None,
        bid=Call.parse(row.bid) if row.bid else None,
        trump=Trump.parse(row.trump) if row.trump else None,
        made={Ending.MADE: True, Ending.SET: False}.get(Ending(row.ending)) if row.ending else None,
        points=points,
    )


def engine_match(games: Iterable[models.Game], rules: fortytwo.Ruleset, best_of: int) -> fortytwo.Match:
    """The engine's value for the closed games of a match."""
    scores = [PerSide(game.marks_ns, game.marks_ew) for game in games if game.state == GameState.CLOSED]
    return fortytwo.match_of(rules, best_of, scores)


def closed_hand_fill(row: models.Hand, hand: fortytwo.Hand) -> None:
    """Copy what a closed engine hand made into its row; does not save."""
    result = hand.result()
    hand_fill(row, result)
    row.tricks_to_settle = hand.settled_after


def hand_fill(row: models.Hand, result: fortytwo.HandResult) -> None:
    """Copy a hand's result into its row; does not save."""
    row.state = HandState.CLOSED
    row.shaker = str(result.shaker or row.shaker)
    row.declarer = str(result.declarer or "")
    row.bid = str(result.bid or "")
    row.trump = str(result.trump or "")
    row.marks_ns, row.marks_ew = result.marks.ns, result.marks.ew
    if result.points is not None and not result.thrown_in:
        row.points_ns, row.points_ew = result.points.ns, result.points.ew
    if result.thrown_in:
        row.ending = Ending.THROWN_IN
    elif result.made is not None:
        row.ending = Ending.MADE if result.made else Ending.SET


def tiles_text(tiles: Iterable[Tile]) -> str:
    """Tiles as stored: '6-6 6-5 ...', highest first."""
    return " ".join(str(tile) for tile in sorted(tiles, key=lambda tile: (tile.high, tile.low), reverse=True))
