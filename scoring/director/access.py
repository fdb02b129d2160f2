"""Who may open a page of those who run a tournament, and how a refusal reaches its reader.

Pages only ask so that nobody sees buttons that would be refused; the services ask again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache

from tournaments.actors import Actor, user_actor
from tournaments.enums import Role, Visibility
from tournaments.errors import NotThere
from tournaments.forms import REFUSALS, reason_of
from tournaments.models import Tournament
from tournaments.permissions import RANK, role_of
from tournaments.selectors import revision_numbers

P = ParamSpec("P")


@dataclass(frozen=True, slots=True)
class Desk:
    """A tournament as one of its officials sees it."""

    tournament: Tournament
    role: Role
    actor: Actor

    @property
    def slug(self) -> str:
        return self.tournament.slug

    @property
    def zone(self) -> str:
        return self.tournament.time_zone

    def may(self, least: Role) -> bool:
        return RANK[self.role] >= RANK[least]


Page = Callable[Concatenate[HttpRequest, Desk, P], HttpResponseBase]
Opened = Callable[..., HttpResponseBase]


def official(least: Role) -> Callable[[Page[P]], Opened]:
    """The view is for officials of this role or a higher one. Two queries.

    Visitors sign in first; who has no role learns nothing of a private tournament.
    """

    def decorate(view: Page[P]) -> Opened:
        @wraps(view)
        @never_cache
        def opened(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return redirect_to_login(request.get_full_path())
            tournament = Tournament.objects.select_related("champion").filter(slug=slug).first()
            if tournament is None:
                raise Http404
            role = role_of(request.user, tournament.pk)
            if role is None and tournament.visibility == Visibility.PRIVATE:
                raise Http404
            if role is None or RANK[role] < RANK[least]:
                raise PermissionDenied
            desk = Desk(tournament, role, user_actor(request.user))
            try:
                return view(request, desk, *args, **kwargs)
            except NotThere as refusal:
                raise Http404(refusal.detail) from refusal

        return opened

    return decorate


def shown(
    request: HttpRequest,
    template: str,
    desk: Desk,
    context: Mapping[str, Any] | None = None,
    *,
    tab: str = "",
    status: int = 200,
    parts: tuple[str, ...] = (),
) -> HttpResponseBase:
    """The page with what every page of the tournament needs; `parts` are those it follows. One query for them."""
    revisions = revision_numbers(desk.tournament.pk, list(parts)) if parts else {}
    base = {
        "desk": desk,
        "tournament": desk.tournament,
        "zone": desk.zone,
        "tab": tab,
        "now": timezone.now(),
        "is_desk": desk.may(Role.DESK),
        "is_director": desk.may(Role.DIRECTOR),
        "is_owner": desk.may(Role.OWNER),
        "parts": " ".join(parts),
        "revs": " ".join(f"{part}={number}" for part, number in sorted(revisions.items())),
    }
    return render(request, template, {**base, **(context or {})}, status=status)


@dataclass(frozen=True, slots=True)
class Undo:
    """The button that takes an act back: where it posts, and what."""

    url: str
    label: str
    fields: Mapping[str, str]


def said(request: HttpRequest, text: str, undo: Undo | None = None) -> None:
    """Say on the next page what was done."""
    tags = ""
    if undo is not None:
        tags = json.dumps({"url": undo.url, "label": undo.label, "fields": dict(undo.fields)})
    messages.success(request, text, extra_tags=tags)


def refused(request: HttpRequest, refusal: Exception) -> None:
    """Say on the next page what was not done, and why."""
    messages.error(request, reason_of(refusal))


def acted(
    request: HttpRequest,
    act: Callable[[], Any],
    *,
    back: str,
    done: str | Callable[[Any], str] = "",
    undo: Undo | None = None,
) -> HttpResponseBase:
    """Do what a button asks for, say what came of it, and go back. NotThere and NotYours stay answers of their own."""
    try:
        result = act()
    except NotThere:
        raise
    except REFUSALS as refusal:
        refused(request, refusal)
    else:
        text = done(result) if callable(done) else done
        if text:
            said(request, text, undo)
    return redirect(back)
