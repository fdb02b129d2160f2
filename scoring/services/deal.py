"""Holdings: the seven tiles of a seat, entered at the deal or turned up later."""

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction

import fortytwo
from fortytwo import Seat, Tile
from scoring.models import Hand, Holding
from scoring.record import engine_hand, hand_rows, tiles_text
from scoring.services.context import Open, author, open_hand, refused, require_seat, require_unsettled
from scoring.services.disclosure import refusal_for
from tournaments.actors import Actor
from tournaments.errors import Conflict
from tournaments.services.log import log_add, match_part, revisions_bump


def deal_put(*, hand_id: UUID, seat: str, tiles: Sequence[str], actor: Actor) -> tuple[Holding, bool]:
    """Store one seat's seven tiles, at any time until the match is settled; the row and whether it is new.

    The same tiles again change nothing. Raises Conflict when other tiles are stored for the seat (without
    showing them), and the engine's refusals for tiles that contradict the record.
    """
    try:
        with transaction.atomic(durable=True):
            context, hand = open_hand(hand_id, actor)
            require_unsettled(context.match)
            require_seat(actor, str(Seat.parse(seat)))
            holding, is_new = deal_store(context, hand, seat=str(Seat.parse(seat)), tiles=tiles)
            if is_new:
                log_add(
                    "deal.entered",
                    actor=actor,
                    tournament_id=context.match.tournament_id,
                    match=context.match,
                    hand=str(hand.pk),
                    seat=holding.seat,
                )
                revisions_bump(context.match.tournament_id, match_part(context.match))
            return holding, is_new
    except fortytwo.IllegalAction as error:
        match_id = Hand.objects.values_list("game__match_id", flat=True).get(pk=hand_id)
        refused(error, facts={"match_id": match_id, "hand_id": hand_id, "seat": seat}, actor=actor)
        raise refusal_for(error, hand_id=hand_id, actor=actor) from error


def deal_store(context: Open, hand: Hand, *, seat: str, tiles: Sequence[str]) -> tuple[Holding, bool]:
    """Check a holding against everything recorded of the hand and store it. Needs the match lock."""
    parsed = [Tile.parse(tile) for tile in tiles]
    rows = hand_rows(hand)
    text = tiles_text(parsed)
    stored = next((row for row in rows.holdings if row.seat == seat), None)
    if stored is not None:
        if stored.tiles == text:
            return stored, False
        raise Conflict("holding_differs", "Other tiles are stored for this seat.", seat=seat)
    engine_hand(rows, context.rules).with_holding(Seat(seat), parsed)
    holding = Holding.objects.create(hand=hand, seat=seat, tiles=text, **author(context.actor))
    return holding, True
