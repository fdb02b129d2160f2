"""Holding a match back: it is not called by itself until it is released or called by hand."""

from uuid import UUID

from django.db import transaction
from django.utils import timezone

from tables.models import Hold
from tables.services.seats import PARTS_OF_A_SEATING
from tournaments.actors import Actor
from tournaments.enums import MatchState, Role
from tournaments.errors import Conflict
from tournaments.models import Match
from tournaments.permissions import require_role
from tournaments.queue import enqueue
from tournaments.services.locks import match_lock
from tournaments.services.log import log_add, match_part, revisions_bump

HOLDABLE = frozenset({MatchState.LOCKED, MatchState.WAITING, MatchState.READY})


def match_hold(*, match_id: UUID, actor: Actor, reason: str = "") -> Hold:
    """Do not call this match by itself. Holding it again changes nothing. Needs the desk's role.

    Raises Conflict for a match that is called already or over: its table can be freed instead.
    """
    with transaction.atomic(durable=True):
        match = match_lock(match_id)
        require_role(actor, match.tournament, Role.DESK)
        held = Hold.objects.filter(match=match, ended_at__isnull=True).first()
        if held is not None:
            return held
        if match.state not in HOLDABLE:
            raise Conflict(
                "match_called",
                f"{match.code} has been called already. Free its table to take the call back.",
                match=match.code,
                state=match.state,
            )
        hold = Hold.objects.create(match=match, reason=reason.strip()[:200], held_label=actor.label)
        log_add("match.held", actor=actor, tournament_id=match.tournament_id, match=match, reason=hold.reason)
        revisions_bump(match.tournament_id, *PARTS_OF_A_SEATING, match_part(match))
        return hold


def match_release(*, match_id: UUID, actor: Actor) -> bool:
    """Call this match by itself again. True when it was held until now. Needs the desk's role."""
    with transaction.atomic(durable=True):
        match = match_lock(match_id)
        require_role(actor, match.tournament, Role.DESK)
        if not hold_end_locked(match):
            return False
        log_add("match.released", actor=actor, tournament_id=match.tournament_id, match=match)
        enqueue("tables.assign_tables", match.tournament_id)
        revisions_bump(match.tournament_id, *PARTS_OF_A_SEATING, match_part(match))
        return True


def hold_end_locked(match: Match) -> bool:
    """End the hold of a match that is released or called by hand. Needs the match lock."""
    held = Hold.objects.filter(match=match, ended_at__isnull=True)
    return bool(held.update(ended_at=timezone.now()))
