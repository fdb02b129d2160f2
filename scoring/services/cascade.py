"""What follows when a hand ends: its marks reach the game, the game the match, the match its result.

All of it happens in the transaction of the hand and ends in the state `entered`: nothing counts before
somebody settles the result.
"""

from django.utils import timezone

from scoring.enums import GameState, HandState, Level
from scoring.models import Game, Hand
from scoring.record import engine_game, engine_match
from scoring.services.context import PARTS_OF_A_HAND, Open
from tournaments.errors import Conflict
from tournaments.queue import enqueue
from tournaments.rulesets import GameMarks
from tournaments.services.log import match_part
from tournaments.services.result import result_enter_locked


def game_open(context: Open, number: int, *, first_shaker: str = "") -> Game:
    """The game with this number, opened when it is the next one; one that is over is returned as it is.

    Raises the engine's `match_decided` when no further game can be opened, Conflict for a wrong number.
    Needs the match lock.
    """
    existing = context.game(number)
    if existing is not None and existing.state == GameState.CLOSED:
        return existing
    expected = engine_match(context.games, context.rules, context.match.best_of).next_game()
    if number != expected:
        raise Conflict("game_out_of_order", f"Game {expected} comes first.", expected=expected, game=number)
    if existing is not None:
        return existing
    game = Game.objects.create(match=context.match, number=number, first_shaker=first_shaker)
    context.games.append(game)
    return game


def hand_ended(context: Open, hand: Hand) -> None:
    """Add a closed hand to its game and follow what comes of it. Bumps the revisions. Needs the match lock."""
    game = context.game(hand.game.number) or hand.game
    hands = list(Hand.objects.filter(game=game, state=HandState.CLOSED).order_by("number"))
    engine = engine_game(game, hands, context.rules)
    game.marks_ns, game.marks_ew = engine.score.ns, engine.score.ew
    if engine.winner is not None:
        _game_close(game, str(engine.winner))
    game.save(update_fields=["marks_ns", "marks_ew", "state", "winner_side", "ended_at"])
    if hand.level != Level.MARKS:
        enqueue("scoring.screen_hand", hand.pk)
    games_changed(context)


def game_entered(context: Open, game: Game, marks: GameMarks, winner: str) -> None:
    """Close a game that was entered as a whole and follow what comes of it. Needs the match lock."""
    game.whole, game.marks_ns, game.marks_ew = True, marks["NS"], marks["EW"]
    _game_close(game, winner)
    game.save(update_fields=["whole", "marks_ns", "marks_ew", "state", "winner_side", "ended_at"])
    games_changed(context)


def games_changed(context: Open) -> None:
    """Enter the match's result once its games decide it; the revisions are bumped either way."""
    match = engine_match(context.games, context.rules, context.match.best_of)
    if match.is_decided:
        entered = result_enter_locked(context.match, closed_games(context.games), actor=context.actor)
        if entered.how != "same":
            return
    context.bump(*PARTS_OF_A_HAND, match_part(context.match))


def closed_games(games: list[Game]) -> list[GameMarks]:
    """The marks of the games that are over, in order."""
    return [{"NS": game.marks_ns, "EW": game.marks_ew} for game in games if game.state == GameState.CLOSED]


def _game_close(game: Game, winner: str) -> None:
    game.state, game.winner_side, game.ended_at = GameState.CLOSED, winner, timezone.now()
