"""Hands recorded as marks or at bid level in one step, and hands opened for full play."""

from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

import fortytwo
from fortytwo import Call, PerSide, Seat, Side, Trump
from scoring.enums import GameState, HandState, Level
from scoring.models import Game, Hand
from scoring.record import engine_game, hand_fill
from scoring.selectors.hands import hand_summary
from scoring.services.cascade import game_open, hand_ended
from scoring.services.context import Open, author, match_begin, open_match, refused, require_open
from scoring.services.deal import deal_store
from tournaments.actors import Actor
from tournaments.errors import AgainstRules, Conflict
from tournaments.services.log import log_add, match_part


@dataclass(frozen=True, slots=True)
class HandEntry:
    """What a recorder says about a hand, as text; which fields are needed depends on the level.

    marks: winner and marks, or thrown_in. bid: declarer, bid, trump, and made or points (or
    thrown_in); with `trump_unrecorded` the recorder says that nobody noted the trump. full: nothing but
    the shaker, and the tiles of the seats that are known. `points` are the bidding side's over all seven
    tricks, or both sides' as far as was played.
    """

    level: str
    shaker: str = ""
    thrown_in: bool = False
    winner: str = ""
    marks: int | None = None
    declarer: str = ""
    bid: str = ""
    trump: str = ""
    made: bool | None = None
    points: int | PerSide | None = None
    tricks: int | None = None
    trump_unrecorded: bool = False
    deal: dict[str, list[str]] = field(default_factory=dict)


def hand_put(
    *, match_id: UUID, game_number: int, number: int, entry: HandEntry, actor: Actor
) -> tuple[Hand, bool]:
    """Record hand `number` of a game; the hand and whether it is new.

    The same entry again changes nothing and returns the stored hand. Raises Conflict with what is stored
    for another entry, a stale number, or a match that is not being played; the engine's refusals for a
    hand that cannot have happened (kept as a refused attempt).
    """
    try:
        with transaction.atomic(durable=True):
            context = open_match(match_id, actor)
            return hand_put_locked(context, game_number, number, entry)
    except (fortytwo.IllegalAction, fortytwo.ImpossibleRecord, AgainstRules) as error:
        facts = {"match_id": match_id, "game": game_number, "hand": number, **entry_facts(entry)}
        refused(error, facts=facts, actor=actor)
        raise


def entry_facts(entry: HandEntry) -> dict[str, Any]:
    """The entry without its tiles, for logs and refused attempts."""
    named = ("level", "shaker", "thrown_in", "winner", "marks", "declarer", "bid", "trump", "made", "points")
    facts = {name: value for name in named if (value := getattr(entry, name)) not in ("", None, False)}
    if isinstance(entry.points, PerSide):
        facts["points"] = entry.points.to_json()
    return facts


def hand_put_locked(context: Open, game_number: int, number: int, entry: HandEntry) -> tuple[Hand, bool]:
    """`hand_put` within a transaction that holds the match lock."""
    stored = _stored(context, game_number, number)
    if stored is not None:
        if _same(context, stored, entry):
            return stored, False
        raise Conflict(
            "hand_differs",
            f"Hand {number} is recorded already, and not like this.",
            stored=hand_summary(stored),
        )
    require_open(context.match)
    game = game_open(context, game_number, first_shaker=_seat(entry.shaker))
    if game.state == GameState.CLOSED:
        raise Conflict("game_over", f"Game {game_number} is over.", game=game_number)
    hand = _next_hand(context, game, number, entry)
    match_begin(context.match)
    if entry.level == Level.FULL:
        _open_full(context, hand, entry)
    else:
        hand_fill(hand, _result(context.rules, hand, entry))
        hand.ended_at = timezone.now()
        hand.save(force_insert=True)
    log_add(
        "hand.recorded" if hand.state == HandState.CLOSED else "hand.opened",
        actor=context.actor,
        tournament_id=context.match.tournament_id,
        match=context.match,
        game=game_number,
        hand=number,
        **entry_facts(entry),
    )
    if hand.state == HandState.CLOSED:
        hand_ended(context, hand)
    else:
        context.bump(match_part(context.match))
    return hand, True


def _stored(context: Open, game_number: int, number: int) -> Hand | None:
    game = context.game(game_number)
    if game is None:
        return None
    hand = Hand.objects.filter(game=game, number=number).exclude(state=HandState.VOID).first()
    if hand is not None:
        hand.game = game
    return hand


def _next_hand(context: Open, game: Game, number: int, entry: HandEntry) -> Hand:
    """An unsaved row for the next hand, its shaker checked against the rotation."""
    before = list(game.hands.exclude(state=HandState.VOID).order_by("number"))
    if before and before[-1].state == HandState.LIVE:
        raise Conflict(
            "hand_live", f"Hand {before[-1].number} is still being played.", hand=before[-1].number
        )
    if number != len(before) + 1:
        raise Conflict("hand_out_of_order", f"Hand {len(before) + 1} comes next.", expected=len(before) + 1)
    shaker = _seat(entry.shaker)
    if not game.first_shaker and shaker:
        # The first hands named no shaker; the rotation is counted back from this one.
        game.first_shaker = str(fortytwo.SEATS[(Seat(shaker).number - len(before)) % 4])
        game.save(update_fields=["first_shaker"])
    expected = engine_game(game, before, context.rules).shaker
    if expected is not None and shaker and shaker != expected:
        raise fortytwo.IllegalAction("wrong_shaker", seat=shaker, expected=expected)
    return Hand(
        game=game,
        number=number,
        level=entry.level,
        shaker=str(expected or shaker),
        entered_kind=context.actor.kind,
        entered_label=context.actor.label,
        **author(context.actor),
    )


def _open_full(context: Open, hand: Hand, entry: HandEntry) -> None:
    if not hand.shaker:
        raise AgainstRules("shaker_missing", "Say who shakes this hand.", field="shaker")
    hand.save(force_insert=True)
    for seat, tiles in entry.deal.items():
        deal_store(context, hand, seat=_seat(seat), tiles=tiles)


def _result(rules: fortytwo.Ruleset, hand: Hand, entry: HandEntry) -> fortytwo.HandResult:
    shaker = Seat(hand.shaker) if hand.shaker else None
    if entry.thrown_in:
        return fortytwo.thrown_in_hand(rules, shaker)
    if entry.level == Level.MARKS:
        if entry.winner not in {"NS", "EW"} or entry.marks is None:
            raise AgainstRules("winner_missing", "Say which side scored, and how many marks.", field="winner")
        return fortytwo.marks_only_hand(rules, Side(entry.winner), entry.marks, shaker)
    if not entry.declarer or not entry.bid:
        missing = "declarer" if not entry.declarer else "bid"
        raise AgainstRules(f"{missing}_missing", f"The {missing} is missing.", field=missing)
    if entry.marks is not None and entry.winner not in {"NS", "EW"}:
        raise AgainstRules("winner_missing", "Say which side scored these marks.", field="winner")
    return fortytwo.bid_level_hand(
        rules,
        declarer=Seat.parse(entry.declarer),
        bid=Call.parse(entry.bid),
        trump=Trump.parse(entry.trump) if entry.trump else None,
        made=entry.made,
        points=entry.points,
        tricks=entry.tricks,
        marks=None if entry.marks is None else PerSide.of(Side(entry.winner), entry.marks),
        shaker=shaker,
        trump_required=not entry.trump_unrecorded,
    )


def _same(context: Open, stored: Hand, entry: HandEntry) -> bool:
    """Would this entry make the stored hand? A full-play hand is the same when it was opened alike."""
    if stored.level != entry.level or (entry.shaker and _seat(entry.shaker) != stored.shaker):
        return False
    if entry.level == Level.FULL:
        held = {row.seat: set(row.tiles.split()) for row in stored.holdings.all()}
        said = {
            _seat(seat): {str(fortytwo.Tile.parse(one)) for one in tiles}
            for seat, tiles in entry.deal.items()
        }
        return all(held.get(seat) == tiles for seat, tiles in said.items())
    again = Hand(shaker=stored.shaker)
    hand_fill(again, _result(context.rules, again, entry))
    compared = ("declarer", "bid", "trump", "ending", "marks_ns", "marks_ew", "points_ns", "points_ew")
    return all(getattr(again, name) == getattr(stored, name) for name in compared)


def _seat(text: str) -> str:
    return str(Seat.parse(text)) if text else ""
