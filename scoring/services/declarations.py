"""What is declared so that fair play reads the record rightly: copied from paper, and whose account is whose.

A declaration asks for another look at every match that it concerns. The log names the declaration itself; it
says nothing of cases.
"""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import F

from scoring.models import Screening
from tournaments.actors import Actor
from tournaments.enums import Role
from tournaments.errors import NotThere
from tournaments.models import EntryPlayer, Match, Player, Tournament
from tournaments.permissions import require_role
from tournaments.queue import enqueue
from tournaments.services.locks import match_lock, tournament_lock
from tournaments.services.log import log_add


def match_from_paper(*, match_id: UUID, from_paper: bool, actor: Actor) -> Match:
    """Declare that a match is, or is not, copied from paper: its times then say nothing. Needs a scorer's role."""
    with transaction.atomic(durable=True):
        match = match_lock(match_id)
        require_role(actor, match.tournament, Role.SCORER)
        if match.from_paper == from_paper:
            return match
        match.from_paper = from_paper
        match.save(update_fields=["from_paper"])
        Screening.objects.filter(match=match).update(versions="", asked=F("asked") + 1)
        log_add(
            "match.from-paper",
            actor=actor,
            tournament_id=match.tournament_id,
            match=match,
            from_paper=from_paper,
        )
        enqueue("scoring.screen_match", match.pk)
        return match


def tournament_from_paper(*, tournament_id: UUID, from_paper: bool, actor: Actor) -> Tournament:
    """The same for every match of an event. Needs a director's role."""
    with transaction.atomic(durable=True):
        tournament = tournament_lock(tournament_id)
        require_role(actor, tournament, Role.DIRECTOR)
        if tournament.from_paper == from_paper:
            return tournament
        tournament.from_paper = from_paper
        tournament.save(update_fields=["from_paper"])
        _look_again(tournament.pk)
        log_add("tournament.from-paper", actor=actor, tournament_id=tournament.pk, from_paper=from_paper)
        return tournament


def player_account(*, tournament_id: UUID, player_id: UUID, username: str, actor: Actor) -> Player:
    """Tie an account to a player of the event, or with an empty name untie it. Needs a director's role.

    Raises NotThere for a player who is not in the event and for an unknown account.
    """
    with transaction.atomic(durable=True):
        tournament = tournament_lock(tournament_id)
        require_role(actor, tournament, Role.DIRECTOR)
        player = Player.objects.select_for_update(no_key=True, of=("self",)).filter(pk=player_id).first()
        plays = EntryPlayer.objects.filter(tournament=tournament, player=player_id).exists()
        if player is None or not plays:
            raise NotThere("no_such_player", "This player is not in this event.")
        user = get_user_model().objects.filter(username=username).first() if username else None
        if username and user is None:
            raise NotThere("no_such_account", f"There is no account {username!r}.", username=username)
        user_id = user.pk if user is not None else None
        if player.user_id == user_id:
            return player
        player.user_id = user_id
        player.save(update_fields=["user"])
        _look_again(tournament.pk)
        log_add(
            "player.account",
            actor=actor,
            tournament_id=tournament.pk,
            player=str(player.pk),
            username=username,
        )
        return player


def _look_again(tournament_id: UUID) -> None:
    """Every match of the event is found by the next sweep."""
    Screening.objects.filter(match__tournament=tournament_id).update(versions="", asked=F("asked") + 1)
