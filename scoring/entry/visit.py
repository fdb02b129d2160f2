"""Who stands at a table: the holder of a link, or an official in its place; and the addresses of its pages.

The table page is mounted twice: behind a link at /link/, and at a match's own address for officials.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib import messages
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie

from scoring.director.access import Desk, official
from scoring.director.views.floor import match_of
from tables.addresses import COOKIE, cookie_delete
from tables.enums import LinkKind
from tables.models import AccessLink, Seating, Table
from tables.selectors.links import actor_of_link, link_contents, link_of_token
from tournaments.actors import Actor
from tournaments.enums import Role
from tournaments.errors import NotThere
from tournaments.models import Match, Tournament

P = ParamSpec("P")


@dataclass(frozen=True, slots=True)
class Visit:
    """One request to the table page. `side` is the holder's own side, empty for a table or an official."""

    actor: Actor
    tournament: Tournament
    match: Match | None
    table: Table | None
    side: str
    link: AccessLink | None = None

    @property
    def is_official(self) -> bool:
        return self.link is None

    @property
    def is_table(self) -> bool:
        return self.link is not None and self.link.kind == LinkKind.TABLE

    @property
    def home(self) -> str:
        """The address of the page itself."""
        if self.link is not None or self.match is None:
            return reverse("link")
        return reverse("play", args=[self.tournament.slug, self.match.code])

    def url(self, name: str, **kwargs: Any) -> str:
        """The address of one of its acts, which names the match: a page that is old writes nowhere else."""
        assert self.match is not None
        if self.link is not None:
            return reverse(f"link-{name}", kwargs={"number": self.match.code, **kwargs})
        return reverse(
            f"play-{name}", kwargs={"slug": self.tournament.slug, "number": self.match.code, **kwargs}
        )


View = Callable[Concatenate[HttpRequest, Visit, P], HttpResponseBase]


def at_link(view: View[P]) -> Callable[..., HttpResponseBase]:
    """The view for whoever holds the link of the cookie. At most nine queries."""

    @wraps(view)
    @never_cache
    @ensure_csrf_cookie
    def opened(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        number = kwargs.pop("number", None)
        link = link_of_token(request.COOKIES.get(COOKIE, ""))
        if link is None:
            response = render(request, "tables/link_gone.html", status=404)
            cookie_delete(response)
            return response
        contents = link_contents(link)
        visit = Visit(
            actor=actor_of_link(link),
            tournament=link.tournament,
            match=contents.match,
            table=contents.table,
            side=contents.side,
            link=link,
        )
        if number is not None and (visit.match is None or visit.match.number != number):
            messages.error(
                request,
                _("That was a page of M%(number)d, which is not at this link any more. Nothing was saved.")
                % {"number": number},
            )
            return redirect("link")
        try:
            return view(request, visit, *args, **kwargs)
        except NotThere as refusal:
            raise Http404(refusal.detail) from refusal

    return opened


def at_match(view: View[P]) -> Callable[..., HttpResponseBase]:
    """The view for an official who enters in place of the table."""

    @official(Role.SCORER)
    @wraps(view)
    def opened(request: HttpRequest, desk: Desk, *args: Any, **kwargs: Any) -> HttpResponseBase:
        match = match_of(desk, kwargs.pop("number"))
        seating = Seating.objects.filter(match=match, freed_at__isnull=True).select_related("table").first()
        visit = Visit(
            actor=desk.actor,
            tournament=desk.tournament,
            match=match,
            table=seating.table if seating else None,
            side="",
        )
        return view(request, visit, *args, **kwargs)

    return opened
