"""What detectors read: hands, matches and their surroundings as values, made from stored rows elsewhere.

An *account* is the id of a signed-in person as text, empty for the holder of a link.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import fortytwo
from fortytwo import PerSide, Ruleset


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim that was accepted after so many tiles, and whether it said that the bid was made."""

    after: int
    made: bool


@dataclass(frozen=True, slots=True)
class HandFacts:
    """A closed hand as it is stored. `played` is its record folded by the engine, None below full play and
    where the engine refuses it (`refused` is the code then). `play_times` are in the order of play."""

    id: str
    match_id: str
    match: str
    game: int
    number: int
    level: str
    rules: Ruleset
    marks: PerSide
    shaker: str = ""
    declarer: str = ""
    bid: str = ""
    trump: str = ""
    ending: str = ""
    points: PerSide | None = None
    played: fortytwo.Hand | None = None
    refused: str = ""
    account: str = ""
    started_at: datetime | None = None
    ended_at: datetime | None = None
    play_times: tuple[datetime, ...] = ()
    times_count: bool = True
    """False where the event is simulated or its entry declared as copied from paper."""
    claim: Claim | None = None


@dataclass(frozen=True, slots=True)
class GameFacts:
    """A game with its hands that stand. `whole`: entered as marks, without hands."""

    number: int
    marks: PerSide
    winner: str
    is_closed: bool
    whole: bool
    first_shaker: str = ""
    hands: tuple[HandFacts, ...] = ()


@dataclass(frozen=True, slots=True)
class ResultFacts:
    """The result that counts. `way` is how it was settled."""

    version: int
    outcome: str
    winner: str
    games: tuple[PerSide, ...]
    wins: PerSide
    marks: PerSide
    entered_by: str
    entered_at: datetime
    settled_by: str
    settled_at: datetime | None
    way: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class MatchFacts:
    """A settled match. `playing` are the accounts of those who play in it, with their sides."""

    id: str
    code: str
    best_of: int
    rules: Ruleset
    result: ResultFacts
    games: tuple[GameFacts, ...] = ()
    playing: Mapping[str, str] = field(default_factory=dict)
    called_at: datetime | None = None
    started_at: datetime | None = None
    closed_at: datetime | None = None
    simulated: bool = False
    from_paper: bool = False

    @property
    def hands(self) -> tuple[HandFacts, ...]:
        return tuple(hand for game in self.games for hand in game.hands)

    @property
    def times_count(self) -> bool:
        return not (self.simulated or self.from_paper)


@dataclass(frozen=True, slots=True)
class Work:
    """What one account recorded in one match: the hands, and since when it recorded each."""

    account: str
    match_id: str
    match: str
    hands: tuple[tuple[datetime, datetime, str, int, int], ...]
    """From, to, level, game and number of each."""


@dataclass(frozen=True, slots=True)
class Twin:
    """A hand or a match elsewhere in the event with the same print."""

    kind: str
    """"deal" or "hands"."""
    match_id: str
    match: str
    game: int = 0
    hand: int = 0
    own_hand_id: str = ""
    own_game: int = 0
    own_hand: int = 0


@dataclass(frozen=True, slots=True)
class Settled:
    """Who entered and who settled one match that was played."""

    match_id: str
    match: str
    entered_by: str
    settled_by: str

    def is_all_by(self, account: str) -> bool:
        return self.entered_by == account == self.settled_by


@dataclass(frozen=True, slots=True)
class TeamFacts:
    """A team and every settled match that it played."""

    entry_id: str
    number: int
    matches: tuple[Settled, ...]


@dataclass(frozen=True, slots=True)
class EventFacts:
    """A settled match among the others: its teams' matches, the rest of the event, who worked where, twins."""

    match: MatchFacts
    teams: tuple[TeamFacts, ...] = ()
    others: Sequence[Settled] = ()
    """Every settled match of the event."""
    here: tuple[Work, ...] = ()
    elsewhere: tuple[Work, ...] = ()
    twins: tuple[Twin, ...] = ()
