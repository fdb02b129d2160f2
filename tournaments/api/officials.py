"""Who runs a tournament: offices, and invitations to them by link."""

from typing import Any
from uuid import UUID

from django.contrib.auth import get_user_model
from django.urls import reverse
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.base import PAGE_PARAMETERS, ApiView, Newest, SecretView
from tournaments.api.serializers import (
    InvitationFields,
    InvitationPage,
    InvitationShown,
    OfficialFields,
    Removed,
    Revoked,
)
from tournaments.enums import Role
from tournaments.errors import NotThere
from tournaments.models import Invitation, Official, Tournament
from tournaments.permissions import require_role, role_of
from tournaments.services.officials import (
    invitation_make,
    invitation_revoke,
    invitation_token,
    may_open,
    official_remove,
)
from tournaments.services.tournament import official_set


class OfficeView(ApiView):
    """Base: the tournament for those who may give and take offices in it."""

    guarded_reads = True

    def directed(self, slug: str) -> Tournament:
        actor = self.signed_in_actor()
        tournament = self.tournament(slug)
        require_role(actor, tournament, Role.DIRECTOR)
        return tournament


class OfficialList(OfficeView):
    @extend_schema(request=OfficialFields, responses=OfficialFields)
    def post(self, request: Request, slug: str) -> Response:
        """Give an account a role in the tournament, or another one than it has."""
        tournament = self.directed(slug)
        fields = OfficialFields(data=request.data)
        fields.is_valid(raise_exception=True)
        username, role = fields.validated_data["username"], fields.validated_data["role"]
        user = get_user_model().objects.filter(username=username).first()
        if user is None:
            raise NotThere("no_such_account", f"There is no account {username!r}.", username=username)
        official = official_set(tournament_id=tournament.pk, user=user, role=role, actor=self.actor)
        return Response({"username": username, "role": official.role})

    @extend_schema(responses=OfficialFields(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """Everybody with an office, by name."""
        rows = self.directed(slug).officials.select_related("user").order_by("user__username")
        return Response([{"username": row.user.get_username(), "role": row.role} for row in rows])


class OfficialDetail(OfficeView):
    @extend_schema(responses={200: Removed})
    def delete(self, request: Request, slug: str, username: str) -> Response:
        """Take an account's office away. The last owner stays."""
        tournament = self.directed(slug)
        offices = Official.objects.filter(tournament=tournament, user__username=username)
        # No account has a NUL in its name, and a database may refuse to look for one.
        user_id = None if "\x00" in username else offices.values_list("user", flat=True).first()
        if user_id is None:
            return Response({"removed": 0})
        done = official_remove(tournament_id=tournament.pk, user_id=user_id, actor=self.actor)
        return Response({"removed": int(done)})


class InvitationList(SecretView, OfficeView):
    @extend_schema(responses=InvitationPage, parameters=PAGE_PARAMETERS)
    def get(self, request: Request, slug: str) -> Response:
        """The open invitations, newest first, each with its address for those who could have made it."""
        tournament = self.directed(slug)
        role = role_of(self.actor.user, tournament.pk)
        rows = Invitation.objects.filter(
            tournament=tournament,
            used_at__isnull=True,
            revoked_at__isnull=True,
            expires_at__gt=timezone.now(),
        )
        pages = Newest()
        page: list[Invitation] = pages.paginate_queryset(rows, request, view=self)
        return pages.get_paginated_response([_shown(request, one, role) for one in page])

    @extend_schema(request=InvitationFields, responses={201: InvitationShown})
    def post(self, request: Request, slug: str) -> Response:
        """Invite to a role: the address works once, for a week, for whoever opens it first."""
        tournament = self.directed(slug)
        fields = InvitationFields(data=request.data)
        fields.is_valid(raise_exception=True)
        made = invitation_make(tournament_id=tournament.pk, actor=self.actor, **fields.validated_data)
        return Response(_shown(request, made, role_of(self.actor.user, tournament.pk)), status=201)


def _shown(request: Request, invitation: Invitation, role: Role | None) -> dict[str, Any]:
    """The invitation; its address would give the role, so it is not for a reader who may not give it."""
    path = reverse("invitation", args=[invitation_token(invitation.pk)])
    address = request.build_absolute_uri(path) if may_open(invitation, role) else None
    return dict(InvitationShown({**vars(invitation), "url": address}).data)


class InvitationRevoke(OfficeView):
    @extend_schema(request=None, responses=Revoked)
    def post(self, request: Request, slug: str, invitation_id: UUID) -> Response:
        """The invitation opens nothing any more."""
        tournament = self.directed(slug)
        found = Invitation.objects.filter(pk=invitation_id, tournament=tournament).first()
        if found is None:
            raise NotThere("not_found", "There is no such invitation.")
        was_revoked = found.revoked_at is not None
        revoked = invitation_revoke(invitation_id=found.pk, actor=self.actor).revoked_at is not None
        return Response({"revoked": revoked and not was_revoked})
