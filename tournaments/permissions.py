"""What each role and each link may do in a tournament. Services ask here; pages and the API only ask to present."""

from typing import Any

from tournaments.actors import Actor
from tournaments.enums import ActorKind, Role, Visibility
from tournaments.errors import NotThere, NotYours
from tournaments.models import Match, Official, Slot, Tournament

RANK = {Role.SCORER: 1, Role.DESK: 2, Role.DIRECTOR: 3, Role.OWNER: 4}


def role_of(user: Any, tournament_id: Any) -> Role | None:
    """The account's role in the tournament, or None. One query; a superuser is an owner everywhere."""
    if user is None or not user.is_authenticated:
        return None
    if user.is_superuser:
        return Role.OWNER
    value = (
        Official.objects.filter(tournament_id=tournament_id, user=user).values_list("role", flat=True).first()
    )
    return Role(value) if value else None


def has_role(actor: Actor, tournament_id: Any, least: Role) -> bool:
    """True when the actor holds `least` or more in the tournament. The program itself may do all."""
    if actor.kind is ActorKind.SYSTEM:
        return True
    role = role_of(actor.user, tournament_id)
    return role is not None and RANK[role] >= RANK[least]


def require_role(actor: Actor, tournament: Tournament, least: Role) -> None:
    """Raise NotYours unless the actor holds `least`; NotThere when it may not even see the tournament."""
    if has_role(actor, tournament.pk, least):
        return
    if not may_view(actor, tournament):
        raise NotThere("not_found", "There is no such tournament.")
    raise NotYours("role_required", f"This needs the role {Role(least).label} or higher.", role=str(least))


def may_view(actor: Actor | None, tournament: Tournament) -> bool:
    """Private tournaments are seen by their officials and link holders only."""
    if tournament.visibility != Visibility.PRIVATE:
        return True
    if actor is None:
        return False
    if actor.is_link:
        return actor.tournament_id == tournament.pk
    return actor.kind is ActorKind.SYSTEM or role_of(actor.user, tournament.pk) is not None


def may_view_tournament(user: Any, slug: str) -> bool:
    """May this account follow the tournament's events? False for an unknown slug."""
    tournament = Tournament.objects.filter(slug=slug).first()
    if tournament is None:
        return False
    return tournament.visibility != Visibility.PRIVATE or role_of(user, tournament.pk) is not None


def side_of(actor: Actor, match: Match) -> str:
    """'NS' or 'EW' for the holder of a team or seat link of this match, else ''."""
    if actor.kind is ActorKind.SEAT and actor.match_id == match.pk:
        return "NS" if actor.seat in {"N", "S"} else "EW"
    if actor.kind is ActorKind.TEAM and actor.entry_id is not None:
        slot = Slot.objects.filter(match=match, entry_id=actor.entry_id).first()
        return slot.side if slot else ""
    return ""


def may_score(actor: Actor, match: Match) -> bool:
    """May the actor enter games, hands and results of this match?"""
    if actor.kind in {ActorKind.TABLE, ActorKind.SEAT}:
        return actor.match_id == match.pk
    if actor.kind is ActorKind.TEAM:
        return side_of(actor, match) != ""
    return has_role(actor, match.tournament_id, Role.SCORER)


def require_score(actor: Actor, match: Match) -> None:
    """Raise NotYours (or NotThere for those who may not see it) unless the actor may score the match."""
    if may_score(actor, match):
        return
    if not may_view(actor, match.tournament):
        raise NotThere("not_found", "There is no such match.")
    raise NotYours("not_your_match", "You may not enter anything for this match.", match=match.code)
