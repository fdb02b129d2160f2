"""The rows that a write locks, always in this order: Stage, Matches by id, Tables by id, revisions last.

A write under a match locks that match alone. Drawing and advancing start at the stage.
"""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from tournaments.errors import NotThere
from tournaments.models import Match, Stage, Tournament


def tournament_lock(tournament_id: UUID) -> Tournament:
    """The tournament row, locked for this transaction; NotThere when it is gone."""
    tournament = Tournament.objects.select_for_update(no_key=True).filter(pk=tournament_id).first()
    if tournament is None:
        raise NotThere("not_found", "There is no such tournament.")
    return tournament


def stage_lock(stage_id: UUID) -> Stage:
    """The stage row, locked for this transaction; NotThere when it is gone."""
    stage = (
        Stage.objects.select_for_update(no_key=True, of=("self",))
        .select_related("tournament")
        .filter(pk=stage_id)
        .first()
    )
    if stage is None:
        raise NotThere("not_found", "There is no such stage.")
    return stage


def match_lock(match_id: UUID) -> Match:
    """The match row, locked for this transaction and read again; NotThere when it is gone."""
    return match_lock_where(pk=match_id)


def match_lock_where(**where: Any) -> Match:
    """As `match_lock`, for the one match that fits the lookup. One query."""
    match = _matches().filter(**where).first()
    if match is None:
        raise NotThere("not_found", "There is no such match.")
    return match


def matches_lock_where(**where: Any) -> list[Match]:
    """The matches that fit the lookup, locked in the order of their ids and read again. One query."""
    return list(_matches().filter(**where).order_by("pk"))


def _matches() -> QuerySet[Match]:
    return Match.objects.select_for_update(no_key=True, of=("self",)).select_related("tournament", "stage")
