"""Full play: every call, the trump and every tile, each checked by the engine before it is stored.

The place of a call or tile is in its address, so sending it again is harmless: the same one is
returned, a different one is a Conflict that shows what is stored.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from uuid import UUID

from django.db import transaction
from django.utils import timezone

import fortytwo
from fortytwo import Call as EngineCall
from fortytwo import Seat, Tile, Trump
from scoring import models
from scoring.enums import HandState, Level
from scoring.models import Call, Hand, Play
from scoring.record import HandRows, closed_hand_fill, engine_hand, hand_rows
from scoring.services.cascade import hand_ended
from scoring.services.context import (
    Open,
    open_hand,
    refused,
    require_open,
    require_seat,
    require_unsettled,
)
from scoring.services.disclosure import refusal_for
from tournaments.actors import Actor
from tournaments.errors import Conflict
from tournaments.services.log import log_add, match_part, revisions_bump

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Recorded(Generic[T]):
    """What a write of play led to: the row, whether it is new, and the hand as it stands now."""

    row: T
    is_new: bool
    hand: Hand
    engine: fortytwo.Hand


def call_put(
    *, hand_id: UUID, seq: int, seat: str, call: str, actor: Actor, device: str = ""
) -> Recorded[Call]:
    """Record call `seq` (from 1) of the auction. Eleven queries mid-hand."""
    parsed_seat, parsed = Seat.parse(seat), EngineCall.parse(call)

    def write(context: Open, rows: HandRows, before: fortytwo.Hand) -> tuple[Call, fortytwo.Hand | None]:
        stored = _at(rows.calls, seq)
        if stored is not None:
            if (stored.seat, stored.call) == (parsed_seat, str(parsed)):
                return stored, None
            raise Conflict(
                "call_differs",
                f"Another call is stored as number {seq}.",
                stored={"seq": seq, "seat": stored.seat, "call": stored.call},
            )
        _require_next(seq, len(rows.calls), "call_out_of_order", "call")
        require_open(context.match)
        after = before.call(parsed_seat, parsed)
        row = Call.objects.create(
            hand=rows.hand, seq=seq, seat=str(parsed_seat), call=str(parsed), device=device
        )
        _log(context, rows.hand, "call.recorded", seq=seq, seat=row.seat, call=row.call)
        _after(context, rows.hand, after)
        return row, after

    return _recorded(hand_id, actor, seat, {"seq": seq, "seat": seat, "call": call}, write)


def trump_put(*, hand_id: UUID, trump: str, actor: Actor, seat: str = "") -> Recorded[Hand]:
    """Record the trump; `seat` is checked where it is given."""
    parsed = Trump.parse(trump)
    namer = Seat.parse(seat) if seat else None

    def write(context: Open, rows: HandRows, before: fortytwo.Hand) -> tuple[Hand, fortytwo.Hand | None]:
        if rows.hand.trump:
            if rows.hand.trump == str(parsed):
                return rows.hand, None
            raise Conflict("trump_differs", "Another trump is stored.", stored={"trump": rows.hand.trump})
        require_open(context.match)
        if before.to_act is not None:
            require_seat(actor, str(before.to_act))
        after = before.name_trump(parsed, namer)
        rows.hand.trump = str(parsed)
        rows.hand.declarer, rows.hand.bid = str(before.declarer), str(before.bid)
        rows.hand.save(update_fields=["trump", "declarer", "bid"])
        _log(context, rows.hand, "trump.recorded", trump=rows.hand.trump)
        revisions_bump(context.match.tournament_id, match_part(context.match))
        return rows.hand, after

    return _recorded(hand_id, actor, seat, {"trump": trump}, write)


def play_put(
    *, hand_id: UUID, seq: int, seat: str, tile: str, actor: Actor, device: str = ""
) -> Recorded[Play]:
    """Record tile `seq` (from 1) of the hand. Nine queries mid-hand, authentication not counted.

    Tiles played on after the hand is settled are taken until the match is settled, and change no marks.
    """
    parsed_seat, parsed = Seat.parse(seat), Tile.parse(tile)

    def write(context: Open, rows: HandRows, before: fortytwo.Hand) -> tuple[Play, fortytwo.Hand | None]:
        stored = _at(rows.plays, seq)
        if stored is not None:
            if (stored.seat, stored.tile) == (parsed_seat, str(parsed)):
                return stored, None
            raise Conflict(
                "play_differs",
                f"Another tile is stored as number {seq}.",
                stored={"seq": seq, "seat": stored.seat, "tile": stored.tile},
            )
        _require_next(seq, len(rows.plays), "play_out_of_order", "tile")
        if rows.hand.state == HandState.LIVE:
            require_open(context.match)
        after = before.play(parsed_seat, parsed)
        row = Play.objects.create(
            hand=rows.hand, seq=seq, seat=str(parsed_seat), tile=str(parsed), device=device
        )
        _log(context, rows.hand, "play.recorded", seq=seq, seat=row.seat, tile=row.tile)
        _after(context, rows.hand, after)
        return row, after

    return _recorded(hand_id, actor, seat, {"seq": seq, "seat": seat, "tile": tile}, write)


def _recorded(
    hand_id: UUID,
    actor: Actor,
    seat: str,
    tried: dict[str, Any],
    write: Callable[[Open, HandRows, fortytwo.Hand], tuple[T, fortytwo.Hand | None]],
) -> Recorded[T]:
    """The frame of every write of play: lock, read again, write; a refusal is kept in a transaction of its own."""
    try:
        with transaction.atomic(durable=True):
            context, hand = open_hand(hand_id, actor)
            require_unsettled(context.match)
            if seat:
                require_seat(actor, str(Seat.parse(seat)))
            if hand.level != Level.FULL:
                raise Conflict("not_full_play", "This hand is not recorded tile by tile.", level=hand.level)
            rows = hand_rows(hand)
            before = engine_hand(rows, context.rules)
            row, after = write(context, rows, before)
            return Recorded(row, after is not None, hand, after or before)
    except fortytwo.IllegalAction as error:
        match_id = Hand.objects.values_list("game__match_id", flat=True).get(pk=hand_id)
        refused(error, facts={"match_id": match_id, "hand_id": hand_id, **tried}, actor=actor)
        raise refusal_for(error, hand_id=hand_id, actor=actor) from error


def _at(rows: Any, seq: int) -> Any:
    return rows[seq - 1] if 1 <= seq <= len(rows) else None


def _require_next(seq: int, count: int, code: str, word: str) -> None:
    if seq != count + 1:
        raise Conflict(code, f"The next {word} is number {count + 1}.", expected=count + 1)


def _after(context: Open, row: models.Hand, after: fortytwo.Hand) -> None:
    """Close the hand when it is over; else only its match's revision moves."""
    if after.is_closed and row.state == HandState.LIVE:
        closed_hand_fill(row, after)
        row.ended_at = timezone.now()
        row.save(
            update_fields=[
                "state",
                "shaker",
                "declarer",
                "bid",
                "trump",
                "ending",
                "points_ns",
                "points_ew",
                "marks_ns",
                "marks_ew",
                "tricks_to_settle",
                "ended_at",
            ]
        )
        hand_ended(context, row)
        return
    if row.state == HandState.CLOSED and after.settled_after is not None:
        # Points go on counting on the record; made, marks and the end stay as settled.
        row.points_ns, row.points_ew = after.points.ns, after.points.ew
        row.save(update_fields=["points_ns", "points_ew"])
    revisions_bump(context.match.tournament_id, match_part(context.match))


def _log(context: Open, hand: models.Hand, action: str, **facts: Any) -> None:
    log_add(
        action,
        actor=context.actor,
        tournament_id=context.match.tournament_id,
        match=context.match,
        hand=str(hand.pk),
        **facts,
    )
