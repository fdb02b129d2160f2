"""Full play: every call, the trump and every tile, each checked by the engine before it is stored.

The place of a call or tile is in its address, so sending it again is harmless: the same one is
returned, a different one is a Conflict that shows what is stored.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from uuid import UUID

from django.db import transaction
from django.utils import timezone

import fortytwo
from fortytwo import Call as EngineCall
from fortytwo import Play as EnginePlay
from fortytwo import Seat, Tile, Trump
from fortytwo.tiles import INDEX
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
from tournaments.services.log import log_add, match_part

R = TypeVar("R")
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
        context.bump(match_part(context.match))
        return rows.hand, after

    return _recorded(hand_id, actor, seat, {"trump": trump}, write)


def play_put(
    *,
    hand_id: UUID,
    seq: int,
    seat: str,
    tile: str,
    actor: Actor,
    suit: int | None = None,
    device: str = "",
) -> Recorded[Play]:
    """Record tile `seq` (from 1) of the hand. Nine queries mid-hand, authentication not counted.

    Tiles played on after the hand is settled are taken until the match is settled, and change no marks. `suit`
    is the pip as which a lead is declared, where the rules let the first one be its smaller end.
    """
    parsed_seat, parsed = Seat.parse(seat), Tile.parse(tile)

    def write(context: Open, rows: HandRows, before: fortytwo.Hand) -> tuple[Play, fortytwo.Hand | None]:
        stored = _at(rows.plays, seq)
        if stored is not None:
            if (stored.seat, stored.tile) == (parsed_seat, str(parsed)) and _led_alike(before, seq, suit):
                return stored, None
            raise Conflict(
                "play_differs",
                f"Another tile is stored as number {seq}.",
                stored={"seq": seq, "seat": stored.seat, "tile": stored.tile, **_suit(stored.suit)},
            )
        _require_next(seq, len(rows.plays), "play_out_of_order", "tile")
        if rows.hand.state == HandState.LIVE:
            require_open(context.match)
        after = before.play(parsed_seat, parsed, suit)
        play = after.plays[-1]
        row = Play.objects.create(
            hand=rows.hand, seq=seq, seat=str(play.seat), tile=str(play.tile), suit=play.suit, device=device
        )
        _log(context, rows.hand, "play.recorded", seq=seq, seat=row.seat, tile=play.what)
        _after(context, rows.hand, after)
        return row, after

    return _recorded(hand_id, actor, seat, {"seq": seq, "seat": seat, "tile": tile, **_suit(suit)}, write)


@dataclass(frozen=True, slots=True)
class Course:
    """How a hand went, as a whole record says it: every call as it was said, the trump, every tile."""

    calls: Sequence[tuple[Seat, EngineCall]]
    trump: Trump | None
    plays: Sequence[EnginePlay]


def hand_continue_locked(context: Open, hand: Hand, course: Course, *, device: str = "") -> int:
    """Add what the course says beyond what is stored of the hand; how many calls and tiles are new.

    Raises Conflict where another call, trump or tile is stored, and the engine's refusals. Needs the match
    lock. Ten queries.
    """
    rows = hand_rows(hand)
    engine = engine_hand(rows, context.rules)
    new_calls = _beyond(
        rows.calls, course.calls, lambda row, said: (row.seat, row.call) == (said[0], str(said[1]))
    )
    new_plays = _beyond(rows.plays, course.plays, _is_play)
    if hand.trump and course.trump is not None and hand.trump != course.trump:
        raise Conflict("trump_differs", "Another trump is stored.", stored={"trump": hand.trump})
    new_trump = None if hand.trump else course.trump
    if not (new_calls or new_plays or new_trump):
        return 0
    if hand.state == HandState.LIVE:
        require_open(context.match)
    for seat, call in new_calls:
        require_seat(context.actor, str(seat))
        engine = engine.call(seat, call)
    if new_trump is not None:
        if engine.to_act is not None:
            require_seat(context.actor, str(engine.to_act))
        engine = engine.name_trump(new_trump)
        hand.trump, hand.declarer, hand.bid = str(new_trump), str(engine.declarer), str(engine.bid)
        hand.save(update_fields=["trump", "declarer", "bid"])
    for play in new_plays:
        require_seat(context.actor, str(play.seat))
        engine = engine.play(play.seat, play.tile, play.suit)
    _store(hand, len(rows.calls), new_calls, len(rows.plays), engine.plays[len(rows.plays) :], device)
    _log(context, hand, "hand.continued", calls=len(new_calls), tiles=len(new_plays))
    _after(context, hand, engine)
    return len(new_calls) + len(new_plays)


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


def _beyond(rows: Sequence[R], said: Sequence[T], same: Callable[[R, T], bool]) -> Sequence[T]:
    """What is said after the stored rows; Conflict where they are not the same as far as both go."""
    for seq, (row, one) in enumerate(zip(rows, said, strict=False), start=1):
        if not same(row, one):
            kind = "call" if isinstance(row, Call) else "play"
            raise Conflict(
                f"{kind}_differs",
                f"Another {kind} is stored as number {seq}.",
                stored={"seq": seq, "is": str(row)},
            )
    return said[len(rows) :]


def _is_play(row: Play, said: EnginePlay) -> bool:
    return (row.seat, row.tile, row.suit) == (said.seat, str(said.tile), said.suit)


def _store(
    hand: Hand,
    calls_before: int,
    calls: Sequence[tuple[Seat, EngineCall]],
    plays_before: int,
    plays: Sequence[EnginePlay],
    device: str,
) -> None:
    Call.objects.bulk_create(
        Call(hand=hand, seq=seq, seat=str(seat), call=str(call), device=device)
        for seq, (seat, call) in enumerate(calls, start=calls_before + 1)
    )
    Play.objects.bulk_create(
        Play(hand=hand, seq=seq, seat=str(play.seat), tile=str(play.tile), suit=play.suit, device=device)
        for seq, play in enumerate(plays, start=plays_before + 1)
    )


def _at(rows: Any, seq: int) -> Any:
    return rows[seq - 1] if 1 <= seq <= len(rows) else None


def _suit(suit: int | None) -> dict[str, int]:
    """The declared suit as a fact, where one was declared."""
    return {} if suit is None else {"suit": suit}


def _led_alike(hand: fortytwo.Hand, seq: int, suit: int | None) -> bool:
    """Does this suit say of the stored play what is stored? Its usual suit may be named or left out."""
    play, contract = hand.plays[seq - 1], hand.contract
    if suit is None or contract is None:
        return play.suit is None
    return contract.tricks.lead_as(INDEX[play.tile], suit) == play.led


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
    context.bump(match_part(context.match))


def _log(context: Open, hand: models.Hand, action: str, **facts: Any) -> None:
    log_add(
        action,
        actor=context.actor,
        tournament_id=context.match.tournament_id,
        match=context.match,
        hand=str(hand.pk),
        **facts,
    )
