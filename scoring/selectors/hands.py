"""What may be shown of hands. A live hand goes out only as the engine's view for its reader."""

from typing import Any
from uuid import UUID

from django.db.models import Prefetch, QuerySet

import fortytwo
from fortytwo import Seat
from scoring.enums import HandState, Level
from scoring.models import Game, Hand, Holding
from scoring.record import engine_hand, hand_rows
from tournaments.actors import Actor
from tournaments.enums import CLOSED, ActorKind
from tournaments.errors import NotThere, NotYours
from tournaments.models import Match
from tournaments.permissions import may_view
from tournaments.rulesets import match_rules


def hand_of(hand_id: UUID, actor: Actor) -> Hand:
    """The hand with its game, match and tournament; NotThere for those who may not see it. One query."""
    hand = (
        Hand.objects.select_related("game__match__tournament", "game__match__stage")
        .filter(pk=hand_id)
        .first()
    )
    if hand is None or hand.state == HandState.VOID or not may_view(actor, hand.game.match.tournament):
        raise NotThere("not_found", "There is no such hand.")
    return hand


def games_of(match: Match) -> QuerySet[Game]:
    """The games of a match with their hands that stand, as `standing_hands`. Two queries."""
    standing = Hand.objects.exclude(state=HandState.VOID).order_by("number")
    return Game.objects.filter(match=match).prefetch_related(
        Prefetch("hands", queryset=standing, to_attr="standing_hands")
    )


def holdings_are_open(match: Match) -> bool:
    """Tiles that were not played are shown once the match is over, never before."""
    return match.state in CLOSED


def hand_summary(hand: Hand) -> dict[str, Any]:
    """A hand without any tile: level, auction's outcome, points and marks."""
    points = None if hand.points_ns is None else {"NS": hand.points_ns, "EW": hand.points_ew}
    return {
        "id": str(hand.pk),
        "number": hand.number,
        "level": hand.level,
        "state": hand.state,
        "shaker": hand.shaker,
        "declarer": hand.declarer,
        "bid": hand.bid,
        "trump": hand.trump,
        "ending": hand.ending,
        "points": points,
        "marks": {"NS": hand.marks_ns, "EW": hand.marks_ew},
    }


def hand_shown(
    hand: Hand, *, seat: Seat | None = None, engine: fortytwo.Hand | None = None
) -> dict[str, Any]:
    """The hand for everybody, or for the holder of `seat`.

    Three queries for a full-play hand, none when its `engine` value is at hand.

    The caller has made sure that the reader holds that seat.
    """
    shown = hand_summary(hand)
    if hand.level == Level.FULL:
        engine = engine or engine_hand(hand_rows(hand), match_rules(hand.game.match))
        shown["view"] = engine.view_for(seat).to_json()
        if hand.state == HandState.CLOSED and holdings_are_open(hand.game.match):
            shown["deal"] = deal_shown(engine)
    return shown


def deal_shown(engine: fortytwo.Hand) -> dict[str, list[str] | None]:
    """Every seat's seven tiles as far as they are known, of a hand that is over."""
    deal = engine.reveal()
    tiles = {str(seat): deal.holding(seat) for seat in fortytwo.SEATS}
    return {seat: None if held is None else [str(tile) for tile in held] for seat, held in tiles.items()}


def reader_seat(actor: Actor, hand: Hand, wanted: str) -> Seat | None:
    """The seat whose view the reader asks for with `as`; only the holder of that seat's own link gets it."""
    if not wanted:
        return None
    seat = Seat.parse(wanted)
    if actor.kind is not ActorKind.SEAT or actor.match_id != hand.game.match_id or actor.seat != str(seat):
        raise NotYours("not_your_seat", "Only this seat's own link may see its tiles.", seat=str(seat))
    return seat


def seats_entered_by(actor: Actor, holdings: list[Holding]) -> set[str]:
    """Seats whose tiles this actor typed in, or holds."""
    own = {actor.seat} if actor.kind is ActorKind.SEAT else set()
    return own | {
        row.seat for row in holdings if actor.same_as(user_id=row.entered_by_id, link_id=row.entered_link)
    }


def deal_for(hand: Hand, actor: Actor) -> dict[str, list[str]]:
    """The holdings that this reader may see now: what it entered, its own seat's, or all once the match is over."""
    holdings = list(Holding.objects.filter(hand=hand))
    if holdings_are_open(hand.game.match):
        visible = {row.seat for row in holdings}
    else:
        visible = seats_entered_by(actor, holdings)
    return {row.seat: row.tiles.split() for row in holdings if row.seat in visible}


def offers_for(hand: Hand, actor: Actor) -> dict[str, Any]:
    """What may be recorded next, worked out only from tiles that this reader may see. Three queries.

    Nothing more of a hand that was recorded in one step.
    """
    if hand.level != Level.FULL:
        return {"phase": fortytwo.Phase.SETTLED.value, "to_act": None, "calls": [], "trumps": [], "plays": []}
    rows = hand_rows(hand)
    known = seats_entered_by(actor, list(rows.holdings))
    if actor.kind is ActorKind.SEAT:
        known = {actor.seat}
    engine = engine_hand(rows, match_rules(hand.game.match), seats_known=known)
    may_see_plays = actor.kind is not ActorKind.SEAT or str(engine.turn) == actor.seat
    return {
        "phase": engine.phase.value,
        "to_act": str(engine.to_act) if engine.to_act else None,
        "calls": [str(call) for call in engine.legal_calls()],
        "trumps": [str(trump) for trump in engine.legal_trumps()],
        "plays": [str(tile) for tile in engine.legal_plays()] if may_see_plays else [],
    }
