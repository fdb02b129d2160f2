"""Which rules of 42 a tournament plays by, and what marks they make possible."""

from dataclasses import dataclass
from typing import TypedDict

import fortytwo
from tournaments.errors import AgainstRules
from tournaments.models import Match, Tournament


class GameMarks(TypedDict):
    """Marks of one game by side."""

    NS: int
    EW: int


@dataclass(frozen=True, slots=True)
class MatchScore:
    """A decided match: games and raw marks by side, and who won."""

    winner_side: str
    games_ns: int
    games_ew: int
    marks_ns: int
    marks_ew: int


def tournament_rules(tournament: Tournament, switches: dict[str, object] | None = None) -> fortytwo.Ruleset:
    """The tournament's preset with its own switches, and a stage's on top of them."""
    preset = fortytwo.preset(tournament.preset)
    return fortytwo.Ruleset.from_switches({**preset.switches, **tournament.rules, **(switches or {})})


def match_rules(match: Match) -> fortytwo.Ruleset:
    """The rules that a match is played by."""
    return tournament_rules(match.tournament, match.stage.rules)


def check_games(games: list[GameMarks], *, best_of: int, rules: fortytwo.Ruleset) -> MatchScore:
    """The score of a whole match entered as marks a game.

    Raises AgainstRules naming the game (from 1) when marks are impossible, when the match is not decided
    by these games, or when games follow that could not be opened.
    """
    wins = {"NS": 0, "EW": 0}
    needed = best_of // 2 + 1
    for number, game in enumerate(games, start=1):
        if max(wins.values()) == needed:
            raise AgainstRules(
                "match_decided",
                f"The match was decided after game {number - 1}; game {number} cannot have been played.",
                game=number,
            )
        wins[game_winner(game, number=number, rules=rules)] += 1
    if max(wins.values()) < needed:
        raise AgainstRules(
            "match_not_decided",
            f"This is best of {best_of}: {needed} games win it, and nobody has won {needed}.",
            games_ns=wins["NS"],
            games_ew=wins["EW"],
            needed=needed,
        )
    return MatchScore(
        winner_side="NS" if wins["NS"] == needed else "EW",
        games_ns=wins["NS"],
        games_ew=wins["EW"],
        marks_ns=sum(game["NS"] for game in games),
        marks_ew=sum(game["EW"] for game in games),
    )


def game_winner(game: GameMarks, *, number: int, rules: fortytwo.Ruleset) -> str:
    """'NS' or 'EW'. Raises AgainstRules, naming the game, for marks that no untimed game can end with."""
    try:
        fortytwo.check_game_score(game["NS"], game["EW"], rules)
    except fortytwo.FortyTwoError as error:
        raise AgainstRules(error.code, str(error), **{**error.facts, "game": number}) from error
    return "NS" if game["NS"] > game["EW"] else "EW"
