"""Who runs the event: offices, and invitations to them by link."""

from uuid import UUID

from django.contrib.auth import get_user_model
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from scoring.director.access import Desk, Undo, acted, official, refused, said, shown
from tournaments.enums import Role
from tournaments.forms import REFUSALS
from tournaments.models import Invitation, Official
from tournaments.services.officials import (
    invitation_make,
    invitation_revoke,
    invitation_token,
    may_open,
    official_remove,
)
from tournaments.services.tournament import official_set


@require_safe
@official(Role.DIRECTOR)
def people(request: HttpRequest, desk: Desk) -> HttpResponseBase:
    """Everybody with an office, and the invitations that are open. Four queries."""
    roles = (
        Role.choices
        if desk.may(Role.OWNER)
        else [(Role.DESK, Role.DESK.label), (Role.SCORER, Role.SCORER.label)]
    )
    context = {
        "officials": Official.objects.filter(tournament=desk.tournament)
        .select_related("user")
        .order_by("created_at"),
        "invitations": [
            (one, _address(request, one) if may_open(one, desk.role) else "")
            for one in Invitation.objects.filter(
                tournament=desk.tournament,
                used_at__isnull=True,
                revoked_at__isnull=True,
                expires_at__gt=timezone.now(),
            )
        ],
        "roles": roles,
        "top_roles": {Role.OWNER, Role.DIRECTOR},
    }
    return shown(request, "director/people.html", desk, context, tab="people")


def _address(request: HttpRequest, invitation: Invitation) -> str:
    return request.build_absolute_uri(reverse("invitation", args=[invitation_token(invitation.pk)]))


@require_POST
@official(Role.DIRECTOR)
def invite(request: HttpRequest, desk: Desk) -> HttpResponseBase:
    """A link that gives whoever opens it first a role."""
    try:
        made = invitation_make(
            tournament_id=desk.tournament.pk,
            role=request.POST.get("role", ""),
            note=request.POST.get("note", ""),
            actor=desk.actor,
        )
    except REFUSALS as refusal:
        refused(request, refusal)
    else:
        undo = Undo(reverse("invitation-revoke", args=[desk.slug, made.pk]), _("Take it back"), {})
        said(request, _("Send the link below. It works once, for a week."), undo)
    return redirect("people", desk.slug)


@require_POST
@official(Role.DIRECTOR)
def revoke(request: HttpRequest, desk: Desk, invitation_id: UUID) -> HttpResponseBase:
    """The invitation opens nothing any more."""
    found = Invitation.objects.filter(pk=invitation_id, tournament=desk.tournament).first()
    if found is None:
        raise Http404
    return acted(
        request,
        lambda: invitation_revoke(invitation_id=found.pk, actor=desk.actor),
        back=reverse("people", args=[desk.slug]),
        done=_("The invitation is taken back."),
    )


@require_POST
@official(Role.DIRECTOR)
def office(request: HttpRequest, desk: Desk, user_id: int) -> HttpResponseBase:
    """Change an account's role, or take it away."""
    row = Official.objects.filter(tournament=desk.tournament, user=user_id).select_related("user").first()
    wanted = request.POST.get("role", "")
    again = reverse("office", args=[desk.slug, user_id])
    if wanted == "none":
        undo = Undo(again, _("Undo"), {"role": row.role}) if row else None
        return acted(
            request,
            lambda: official_remove(tournament_id=desk.tournament.pk, user_id=user_id, actor=desk.actor),
            back=reverse("people", args=[desk.slug]),
            done=_("The role is taken away."),
            undo=undo,
        )
    user = get_user_model().objects.filter(pk=user_id, is_active=True).first()
    # Only somebody who has, or had, an office here can be given one by number; others are invited.
    known = (
        row is not None
        or desk.tournament.log.filter(
            action="official.removed", facts__user=user.get_username() if user else ""
        ).exists()
    )
    if user is None or not known or wanted not in Role.values:
        raise Http404
    return acted(
        request,
        lambda: official_set(tournament_id=desk.tournament.pk, user=user, role=wanted, actor=desk.actor),
        back=reverse("people", args=[desk.slug]),
        done=_("%(user)s is %(role)s.") % {"user": user.get_username(), "role": Role(wanted).label},
        undo=Undo(again, _("Undo"), {"role": row.role}) if row else None,
    )
