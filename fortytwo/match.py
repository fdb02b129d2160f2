"""A match: best of an odd number of games, over when one side has the majority.

A game that ended in time with a tie that stands is won by nobody.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from .errors import IllegalAction, ImpossibleRecord
from .game import Game, check_game_score, game_winner
from .rules import Ruleset
from .seats import PerSide, Side

MAX_BEST_OF = 99


@dataclass(frozen=True, slots=True)
class Match:
    """The final marks of the games played. `Match(rules, best_of)` is the start; `record` adds one.
    `winners` has one entry for every game recorded; games given without it are won as their marks say."""

    rules: Ruleset
    best_of: int
    games: tuple[PerSide, ...] = ()
    winners: tuple[Side | None, ...] = ()

    def __post_init__(self) -> None:
        if type(self.best_of) is not int or not 1 <= self.best_of <= MAX_BEST_OF or self.best_of % 2 == 0:
            raise IllegalAction("bad_best_of", count=self.best_of)

    @property
    def wins(self) -> PerSide:
        """Games won by each side."""
        won = [self.winner_of(number) for number in range(1, len(self.games) + 1)]
        return PerSide(won.count(Side.NS), won.count(Side.EW))

    @property
    def needed(self) -> int:
        """Games that decide the match."""
        return self.best_of // 2 + 1

    @property
    def winner(self) -> Side | None:
        leader = self.wins.leader
        return leader if leader is not None and self.wins[leader] >= self.needed else None

    @property
    def is_decided(self) -> bool:
        return self.winner is not None

    @property
    def marks(self) -> PerSide:
        """Raw marks of all games."""
        total = PerSide()
        for score in self.games:
            total += score
        return total

    def winner_of(self, number: int) -> Side | None:
        """The winner of game 1, 2, ..."""
        if number <= len(self.winners):
            return self.winners[number - 1]
        return game_winner(self.games[number - 1], self.rules)

    @property
    def lost_last(self) -> Side | None:
        """The side that lost the last game, for the draw of the next first shake."""
        last = self.winner_of(len(self.games)) if self.games else None
        return last.other if last is not None else None

    def next_game(self) -> int:
        """The number of the game that may be opened. Raises `IllegalAction("match_decided")`."""
        number = len(self.games) + 1
        if self.is_decided:
            raise IllegalAction("match_decided", wins=str(self.wins), game=number)
        return number

    def record(self, game: Game | PerSide, *, timed: bool = False, winner: Side | None = None) -> Match:
        """Add a finished game or its final marks; `timed` and `winner` as for `check_game_score`.
        Raises `IllegalAction("match_decided")` and `ImpossibleRecord` as `check_game_score`."""
        self.next_game()
        score = game if isinstance(game, PerSide) else game.score
        known = winner if isinstance(game, PerSide) else winner or game.winner
        won = check_game_score(score.ns, score.ew, self.rules, timed=timed, winner=known)
        before = tuple(self.winner_of(number) for number in range(1, len(self.games) + 1))
        return replace(self, games=(*self.games, score), winners=(*before, won))

    def final(self) -> Side:
        """The winner of a decided match. Raises `ImpossibleRecord("match_not_decided")`."""
        winner = self.winner
        if winner is None:
            raise ImpossibleRecord("match_not_decided", wins=str(self.wins))
        return winner


def match_of(rules: Ruleset, best_of: int, games: Iterable[PerSide]) -> Match:
    """The match with these final marks, each checked; not decided yet is allowed (see `final`)."""
    match = Match(rules, best_of)
    for score in games:
        match = match.record(score)
    return match
