"""Offices by invitation: a signed link that gives whoever opens it first a role, and taking an office away."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.core import signing
from django.db import transaction
from django.utils import timezone

from tournaments.actors import Actor, user_actor
from tournaments.enums import Role
from tournaments.errors import AgainstRules, Conflict, NotThere
from tournaments.models import Invitation, Official
from tournaments.permissions import RANK, require_role
from tournaments.services.locks import tournament_lock
from tournaments.services.log import log_add

SALT = "tournaments.invitation"
OPEN_FOR = timedelta(days=7)


def invitation_make(*, tournament_id: UUID, role: str, actor: Actor, note: str = "") -> Invitation:
    """A new invitation, open for a week and for one account.

    Owners invite to every role, directors to desk and scorer. Raises AgainstRules for an unknown role.
    """
    if role not in Role.values:
        raise AgainstRules("unknown_role", "Choose a role.", field="role")
    with transaction.atomic(durable=True):
        tournament = tournament_lock(tournament_id)
        require_role(actor, tournament, least_to_name(role))
        invitation = Invitation.objects.create(
            tournament=tournament,
            role=role,
            note=note.strip()[:120],
            made_by_id=actor.user.pk if actor.user is not None else None,
            expires_at=timezone.now() + OPEN_FOR,
        )
        _log("invitation.made", invitation, actor)
        return invitation


def invitation_revoke(*, invitation_id: UUID, actor: Actor) -> Invitation:
    """The invitation opens nothing any more. Revoking it again changes nothing."""
    with transaction.atomic(durable=True):
        invitation = _lock(invitation_id)
        require_role(actor, invitation.tournament, least_to_name(invitation.role))
        if invitation.revoked_at is None and invitation.used_at is None:
            invitation.revoked_at = timezone.now()
            invitation.save(update_fields=["revoked_at"])
            _log("invitation.revoked", invitation, actor)
        return invitation


def invitation_accept(*, invitation_id: UUID, user: Any) -> Official:
    """Give the account the role, once; an account that has a higher one keeps it.

    Raises Conflict for an invitation that is used, revoked or too old. Accepting it again with the same
    account returns its office.
    """
    with transaction.atomic(durable=True):
        invitation = _lock(invitation_id)
        official = Official.objects.filter(tournament=invitation.tournament_id, user=user).first()
        if invitation.used_by_id == user.pk and official is not None:
            return official
        invitation_require_open(invitation)
        if official is None:
            official = Official(tournament_id=invitation.tournament_id, user=user, role=invitation.role)
            official.save(force_insert=True)
        elif RANK[Role(official.role)] < RANK[Role(invitation.role)]:
            official.role = invitation.role
            official.save(update_fields=["role"])
        invitation.used_at, invitation.used_by = timezone.now(), user
        invitation.save(update_fields=["used_at", "used_by"])
        _log("invitation.accepted", invitation, user_actor(user))
        return official


def invitation_require_open(invitation: Invitation) -> None:
    """Raise Conflict unless somebody may still accept it."""
    if invitation.used_at is not None:
        raise Conflict("invitation_used", "This invitation was accepted already.")
    if invitation.revoked_at is not None:
        raise Conflict("invitation_revoked", "This invitation was taken back.")
    if timezone.now() > invitation.expires_at:
        raise Conflict("invitation_expired", "This invitation is too old. Ask for a new one.")


def invitation_token(invitation_id: UUID) -> str:
    """What stands in the invitation's address: its id, signed."""
    return signing.Signer(salt=SALT).sign(invitation_id.hex)


def invitation_of_token(token: str) -> Invitation | None:
    """The invitation behind a token; None for one that this site did not sign. One query."""
    try:
        invitation_id = UUID(signing.Signer(salt=SALT).unsign(token))
    except (signing.BadSignature, ValueError):
        return None
    return Invitation.objects.select_related("tournament").filter(pk=invitation_id).first()


def official_remove(*, tournament_id: UUID, user_id: int, actor: Actor) -> bool:
    """Take an account's office away; True for the first time only.

    Owners remove everybody, directors desk and scorers. Raises Conflict for the last owner.
    """
    with transaction.atomic(durable=True):
        tournament = tournament_lock(tournament_id)
        require_role(actor, tournament, Role.DIRECTOR)
        officials = Official.objects.filter(tournament=tournament)
        official = officials.select_related("user").filter(user=user_id).first()
        if official is None:
            return False
        require_role(actor, tournament, least_to_name(official.role))
        if official.role == Role.OWNER and officials.filter(role=Role.OWNER).count() == 1:
            raise Conflict("last_owner", "A tournament keeps one owner. Name another one first.")
        official.delete()
        log_add(
            "official.removed",
            actor=actor,
            tournament_id=tournament.pk,
            user=official.user.get_username(),
            role=official.role,
        )
        return True


def least_to_name(role: str) -> Role:
    """The role that one needs to give or take this one."""
    return Role.OWNER if role in {Role.OWNER, Role.DIRECTOR} else Role.DIRECTOR


def may_open(invitation: Invitation, role: Role | None) -> bool:
    """Whether who holds `role` may be shown the invitation's address: it gives its role to whoever opens it."""
    return role is not None and RANK[role] >= RANK[least_to_name(invitation.role)]


def _lock(invitation_id: UUID) -> Invitation:
    invitation = (
        Invitation.objects.select_for_update(no_key=True, of=("self",))
        .select_related("tournament")
        .filter(pk=invitation_id)
        .first()
    )
    if invitation is None:
        raise NotThere("not_found", "There is no such invitation.")
    return invitation


def _log(action: str, invitation: Invitation, actor: Actor) -> None:
    """The log names the role and the id; never the token."""
    log_add(
        action,
        actor=actor,
        tournament_id=invitation.tournament_id,
        role=invitation.role,
        note=invitation.note,
        invitation=str(invitation.pk),
    )
