"""What every write of play has in hand once the match is locked."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any
from uuid import UUID

from django.utils import timezone

import fortytwo
from scoring.enums import GameState, HandState
from scoring.models import Game, Hand, RefusedAttempt
from tournaments.actors import Actor
from tournaments.enums import OPEN_FOR_PLAY, ActorKind, MatchState
from tournaments.errors import AgainstRules, Conflict, NotThere, NotYours
from tournaments.models import Match
from tournaments.permissions import require_score
from tournaments.rulesets import match_rules
from tournaments.services.locks import match_lock, match_lock_where
from tournaments.services.log import revisions_bump

PARTS_OF_A_HAND = ("home", "bracket", "tables")


@dataclass
class Open:
    """A locked match with its rules; its games are read when they are first needed."""

    match: Match
    rules: fortytwo.Ruleset
    actor: Actor
    held: set[str] | None = None
    """Parts whose revisions are counted up at the end of the transaction, where it holds many writes."""

    def bump(self, *parts: str) -> None:
        """Count the parts up, now or at the end."""
        if self.held is None:
            revisions_bump(self.match.tournament_id, *parts)
        else:
            self.held.update(parts)

    @cached_property
    def games(self) -> list[Game]:
        """The games of the match in order. One query, once."""
        return list(Game.objects.filter(match=self.match).order_by("number"))

    def game(self, number: int) -> Game | None:
        return next((game for game in self.games if game.number == number), None)

    @property
    def live_game(self) -> Game | None:
        return next((game for game in self.games if game.state == GameState.LIVE), None)


def open_match(match_id: UUID, actor: Actor, *, checked: bool = True) -> Open:
    """Lock the match; the actor has to be allowed to score it, unless the caller checks more. Two queries."""
    match = match_lock(match_id)
    if checked:
        require_score(actor, match)
    return Open(match, match_rules(match), actor)


def open_hand(hand_id: UUID, actor: Actor) -> tuple[Open, Hand]:
    """Lock the match of a hand and read the hand again under the lock; NotThere for one taken back.

    Three queries.
    """
    match = match_lock_where(game_records__hands=hand_id)
    require_score(actor, match)
    hand = Hand.objects.select_related("game").get(pk=hand_id)
    if hand.state == HandState.VOID:
        raise NotThere("hand_taken_back", "This hand was taken back.")
    hand.game.match = match
    return Open(match, match_rules(match), actor), hand


def require_open(match: Match) -> None:
    """Raise Conflict unless games and hands can be recorded now."""
    if match.state in OPEN_FOR_PLAY:
        return
    code, text = "match_not_open", f"{match.code} is not being played."
    if match.state in {MatchState.WAITING, MatchState.LOCKED}:
        code, text = "teams_unknown", f"{match.code} is still waiting for its teams."
    elif match.state == MatchState.CONFIRMED:
        code, text = "already_confirmed", f"{match.code} is final."
    elif match.state in {MatchState.ENTERED, MatchState.DISPUTED}:
        code, text = "result_stored", f"{match.code} has a result already. Take it back to change it."
    raise Conflict(code, text, match=match.code, state=match.state)


def require_unsettled(match: Match) -> None:
    """Raise Conflict once the match's result counts; until then a closed hand's record may be completed."""
    if match.state in {MatchState.CONFIRMED, MatchState.VOID}:
        raise Conflict("already_confirmed", f"{match.code} is final.", match=match.code, state=match.state)


def require_seat(actor: Actor, seat: str) -> None:
    """The holder of a seat link records what that seat does and nothing else."""
    if actor.kind is ActorKind.SEAT and actor.seat != seat:
        raise NotYours("not_your_seat", f"This link records the seat {actor.seat} only.", seat=seat)


def match_begin(match: Match) -> None:
    """The first record turns a called match into one being played. Needs the match lock."""
    if match.has_play and match.state == MatchState.PLAYING:
        return
    match.state, match.has_play = MatchState.PLAYING, True
    match.started_at = match.started_at or timezone.now()
    match.save(update_fields=["state", "has_play", "started_at"])


def author(actor: Actor) -> dict[str, Any]:
    """The columns that say who entered a record."""
    return {
        "entered_by_id": actor.user.pk if actor.user is not None else None,
        "entered_link": actor.link_id,
    }


def refused(error: fortytwo.FortyTwoError | AgainstRules, *, facts: dict[str, Any], actor: Actor) -> None:
    """Keep what was tried and refused, in a transaction of its own after the refused one."""
    match_id = facts.pop("match_id")
    hand_id = facts.pop("hand_id", None)
    RefusedAttempt.objects.create(
        match_id=match_id,
        hand_id=hand_id,
        code=error.code,
        tried=facts,
        facts=error.facts,
        actor_kind=actor.kind,
        actor_label=actor.label,
    )
