"""Games and matches entered as marks, and taking back what was recorded last."""

from typing import Literal
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from scoring.enums import GameState, HandState
from scoring.models import Game, Hand
from scoring.record import engine_game
from scoring.services.cascade import closed_games, game_entered, game_open
from scoring.services.context import (
    PARTS_OF_A_HAND,
    Open,
    match_begin,
    open_match,
    require_open,
    require_unsettled,
)
from tournaments.actors import Actor
from tournaments.enums import MatchState
from tournaments.errors import Conflict
from tournaments.models import Match
from tournaments.rulesets import GameMarks, game_winner
from tournaments.services.log import log_add, match_part, revisions_bump
from tournaments.services.result import Entered, result_enter_locked, result_take_back_locked


def result_put(
    *, match_id: UUID, games: list[GameMarks], actor: Actor, desk: bool = False, reason: str = ""
) -> Entered:
    """Enter a whole match as marks a game. The same entry again returns the stored one.

    Games that were recorded before have to agree, unless the entry answers another one or comes from
    the desk. Raises AgainstRules for impossible marks and Conflict for anything already settled.
    """
    with transaction.atomic(durable=True):
        context = open_match(match_id, actor, checked=not desk)  # an entry of the desk needs a higher role
        if not desk and context.match.state in {MatchState.CALLED, MatchState.PLAYING, MatchState.READY}:
            _require_agreement(context, games)
        return result_enter_locked(context.match, games, actor=actor, desk=desk, reason=reason)


def game_put(*, match_id: UUID, number: int, marks: GameMarks, actor: Actor) -> tuple[Game, bool]:
    """Enter one game as a whole; the game and whether it is new.

    The same marks again change nothing. Raises Conflict with what is stored for other marks, for a game
    recorded hand by hand, and out of order.
    """
    with transaction.atomic(durable=True):
        return game_put_locked(open_match(match_id, actor), number, marks)


def game_put_locked(context: Open, number: int, marks: GameMarks) -> tuple[Game, bool]:
    """`game_put` within a transaction that holds the match lock."""
    stored = context.game(number)
    if (
        stored is not None
        and (stored.marks_ns, stored.marks_ew) == (marks["NS"], marks["EW"])
        and stored.whole
    ):
        return stored, False
    if stored is not None and (stored.state == GameState.CLOSED or _standing(stored).exists()):
        raise Conflict(
            "game_differs",
            f"Game {number} is already recorded. Take it back to change it.",
            stored={"NS": stored.marks_ns, "EW": stored.marks_ew, "whole": stored.whole},
        )
    require_open(context.match)
    winner = game_winner(marks, number=number, rules=context.rules)
    game = game_open(context, number)
    match_begin(context.match)
    log_add(
        "game.entered",
        actor=context.actor,
        tournament_id=context.match.tournament_id,
        match=context.match,
        game=number,
        marks=dict(marks),
    )
    game_entered(context, game, marks, winner)
    return game, True


def last_record_undo(
    *, match_id: UUID, actor: Actor, last: tuple[int, int | None] | None = None
) -> tuple[Match, Literal["hand", "game"]]:
    """Take back the newest hand or whole game of a match that is not settled, and a result made of it.

    The hand stays in the history as taken back. `last` names what the actor sees as the newest: the game,
    and the hand or None for a whole game. Raises Conflict when there is nothing to undo, and
    `not_the_newest` when something else is the newest: a second tap takes nothing else back.
    """
    with transaction.atomic(durable=True):
        context = open_match(match_id, actor)
        match = context.match
        require_unsettled(match)
        game, hand = _newest(context)
        _require_newest(game, hand, last)
        if match.state in {MatchState.ENTERED, MatchState.DISPUTED}:
            result_take_back_locked(match, actor=actor)
        what: Literal["hand", "game"] = "hand" if hand is not None else "game"
        if hand is None:
            game.delete()
        else:
            _hand_void(context, game, hand)
        log_add(
            "record.undone",
            actor=actor,
            tournament_id=match.tournament_id,
            match=match,
            what=what,
            game=game.number,
            hand=hand.number if hand else None,
        )
        revisions_bump(match.tournament_id, *PARTS_OF_A_HAND, match_part(match))
        return match, what


def _newest(context: Open) -> tuple[Game, Hand | None]:
    """The newest record that stands: a game with its last hand, or a whole game. Conflict for none.

    A game whose hands were all taken back is no record.
    """
    for game in reversed(context.games):
        hand = _standing(game).last()
        if hand is not None or game.whole:
            return game, hand
    code = context.match.code
    raise Conflict("nothing_to_undo", f"Nothing is recorded for {code}.", match=code)


def _standing(game: Game) -> QuerySet[Hand]:
    """The hands of a game that were not taken back, in order."""
    return game.hands.exclude(state=HandState.VOID).order_by("number")


def _require_newest(game: Game, hand: Hand | None, last: tuple[int, int | None] | None) -> None:
    """Raise Conflict unless `last`, where it is given, names this game and hand."""
    newest = (game.number, hand.number if hand is not None else None)
    if last is not None and last != newest:
        raise Conflict(
            "not_the_newest", "Something else was recorded last. Look again.", game=newest[0], hand=newest[1]
        )


def _hand_void(context: Open, game: Game, hand: Hand) -> None:
    hand.state = HandState.VOID
    hand.save(update_fields=["state"])
    left = list(Hand.objects.filter(game=game, state=HandState.CLOSED).order_by("number"))
    score = engine_game(game, left, context.rules).score
    game.marks_ns, game.marks_ew = score.ns, score.ew
    game.state, game.winner_side, game.ended_at = GameState.LIVE, "", None
    if not left:
        # The next hand may begin with another shaker.
        game.first_shaker = ""
    game.save(update_fields=["marks_ns", "marks_ew", "state", "winner_side", "ended_at", "first_shaker"])


def _require_agreement(context: Open, games: list[GameMarks]) -> None:
    recorded = closed_games(context.games)
    live = context.live_game
    if recorded != games[: len(recorded)] or (live is not None and len(games) <= len(recorded)):
        raise Conflict(
            "result_differs_from_record",
            "Games of this match are recorded with other marks. Take them back first.",
            stored=recorded,
        )
    if live is not None and live.hands.filter(state=HandState.LIVE).exists():
        raise Conflict("hand_live", "A hand of this match is still being recorded.", game=live.number)
