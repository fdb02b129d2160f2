"""Players, teams, officials, invitations and messages to everybody."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from tournaments.actors import Actor
from tournaments.admin.acts import Act, ActForm, Acting, Fields
from tournaments.admin.base import Stored, offices_of
from tournaments.enums import Role
from tournaments.models import Announcement, Entry, EntryPlayer, Invitation, Official, Player, Team
from tournaments.services.announcement import announcement_end
from tournaments.services.officials import invitation_revoke, invitation_token, official_remove
from tournaments.services.tournament import official_set


@admin.register(Player)
class PlayerAdmin(Stored):
    """People of the account's events; whose account is whose is declared on the pages of fair play."""

    tournament_path = ""
    hidden = ("user",)
    list_display = ["name", "created_at"]
    list_filter = ["created_at"]
    search_fields = ["search_name", "name"]

    def own_rows(self, user: Any) -> Q:
        events = offices_of(user, self.least).values("tournament")
        return Q(pk__in=EntryPlayer.objects.filter(tournament__in=events).values("player"))


@admin.register(Team)
class TeamAdmin(Stored):
    tournament_path = ""
    list_display = ["name", "first_player", "second_player", "created_at"]
    list_select_related = ["first_player", "second_player"]
    list_filter = ["created_at"]
    search_fields = ["search_name", "first_player__search_name", "second_player__search_name"]

    def own_rows(self, user: Any) -> Q:
        events = offices_of(user, self.least).values("tournament")
        return Q(pk__in=Entry.objects.filter(tournament__in=events).values("team"))


@admin.register(EntryPlayer)
class EntryPlayerAdmin(Stored):
    list_display = ["player", "entry", "tournament", "position", "substitute", "since", "until"]
    list_select_related = ["player", "entry", "tournament"]
    list_filter = ["substitute", ("until", admin.EmptyFieldListFilter)]
    search_fields = ["player__search_name", "entry__search_name"]


class RoleForm(ActForm):
    role = forms.ChoiceField(choices=Role.choices, label=_("Role"))


def _role(official: Official, actor: Actor, fields: Fields) -> str:
    official_set(tournament_id=official.tournament_id, user=official.user, role=fields["role"], actor=actor)
    facts = {"user": official.user.get_username(), "role": Role(fields["role"]).label}
    return _now("%(user)s is %(role)s.") % facts


def _remove(official: Official, actor: Actor, fields: Fields) -> str:
    official_remove(tournament_id=official.tournament_id, user_id=official.user_id, actor=actor)
    return _now("The role is taken away.")


@admin.register(Official)
class OfficialAdmin(Acting):
    least = Role.DIRECTOR
    list_display = ["user", "tournament", "role", "created_at"]
    list_select_related = ["user", "tournament"]
    list_filter = ["role"]
    search_fields = ["user__username", "tournament__name"]
    acts = (
        Act(name="role", label=_("Another role"), do=_role, least=Role.DIRECTOR, form=RoleForm, many=True),
        Act(
            name="remove",
            label=_("Take the role away"),
            do=_remove,
            least=Role.DIRECTOR,
            many=True,
            is_red=True,
            warning=_(
                "The account stays. It sees the event no longer unless somebody gives it a role again."
            ),
        ),
    )


def _is_open(invitation: Invitation) -> bool:
    return (
        invitation.used_at is None
        and invitation.revoked_at is None
        and invitation.expires_at > timezone.now()
    )


def _revoke(invitation: Invitation, actor: Actor, fields: Fields) -> str:
    invitation_revoke(invitation_id=invitation.pk, actor=actor)
    return _now("The invitation is taken back.")


@admin.register(Invitation)
class InvitationAdmin(Acting):
    least = Role.DIRECTOR
    shown = ("address",)
    list_display = ["tournament", "role", "note", "made_by", "expires_at", "used_by", "revoked_at"]
    list_select_related = ["tournament", "made_by", "used_by"]
    list_filter = [
        "role",
        ("used_at", admin.EmptyFieldListFilter),
        ("revoked_at", admin.EmptyFieldListFilter),
    ]
    search_fields = ["note", "tournament__name", "used_by__username"]
    acts = (
        Act(
            name="revoke",
            label=_("Take it back"),
            do=_revoke,
            least=Role.DIRECTOR,
            offered=_is_open,
            many=True,
            is_red=True,
        ),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Only what the account may give itself: the address gives its role to whoever opens it."""
        rows = super().get_queryset(request)
        if request.user.is_superuser:
            return rows
        owned = Official.objects.filter(user=request.user.pk, role=Role.OWNER).values("tournament")
        return rows.filter(Q(role__in=[Role.DESK, Role.SCORER]) | Q(tournament__in=owned))

    @admin.display(description=_("Send this link"))
    def address(self, invitation: Invitation) -> str:
        """The link while somebody may still open it."""
        if not _is_open(invitation):
            return "–"
        address = reverse("invitation", args=[invitation_token(invitation.pk)])
        return format_html('<a href="{0}">{0}</a>', address)


def _end(message: Announcement, actor: Actor, fields: Fields) -> str:
    announcement_end(announcement_id=message.pk, actor=actor)
    return _now("Nobody sees it any more.")


@admin.register(Announcement)
class AnnouncementAdmin(Acting):
    least = Role.DESK
    list_display = ["text", "tournament", "made_label", "made_at", "until", "ended_at"]
    list_select_related = ["tournament"]
    list_filter = [("ended_at", admin.EmptyFieldListFilter)]
    search_fields = ["text", "made_label", "tournament__name"]
    acts = (
        Act(
            name="end",
            label=_("Show it no longer"),
            do=_end,
            offered=lambda message: message.ended_at is None,
            many=True,
        ),
    )
