"""`Authorization: Link <token>`, or the cookie of an opened link: the request acts as the link's holder."""

from dataclasses import dataclass
from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, SessionAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from tables.addresses import COOKIE
from tables.selectors.links import actor_of_token
from tournaments.actors import Actor
from tournaments.models import Official

KEYWORD = "Link"
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


@dataclass(frozen=True, slots=True)
class LinkHolder:
    """Stands where Django REST framework wants a user; it is no account."""

    actor: Actor
    pk: None = None
    is_authenticated: bool = True
    is_anonymous: bool = False
    is_active: bool = True
    is_staff: bool = False
    is_superuser: bool = False

    def __str__(self) -> str:
        return self.actor.label

    def get_username(self) -> str:
        return self.actor.label


class LinkAuthentication(BaseAuthentication):
    """Sets `request.auth` to the link's Actor.

    Refuses with 401 `link_invalid` a header whose link is revoked or unknown. The cookie is weaker: any other
    Authorization header, and the session of somebody who runs events, come before it; writes by it need
    the CSRF token; and when its link is gone, reading goes on without it.
    """

    def authenticate(self, request: Request) -> tuple[Any, Any] | None:
        header = get_authorization_header(request).split()
        if header and header[0].lower() == KEYWORD.lower().encode():
            return _holder(header[1].decode("ascii", "replace") if len(header) == 2 else "")
        token = request.COOKIES.get(COOKIE)
        if header or not token:
            return None
        return _holder_by_cookie(request, token)

    def authenticate_header(self, request: Request) -> str:
        return KEYWORD


def _holder_by_cookie(request: Request, token: str) -> tuple[Any, Any] | None:
    user = request._request.user
    if runs_events(user):
        return None
    try:
        found = _holder(token)
    except AuthenticationFailed:
        if request.method in SAFE_METHODS or user.is_authenticated:
            return None
        raise
    SessionAuthentication().enforce_csrf(request)
    return found


def runs_events(user: Any) -> bool:
    """True for a signed-in account with an office or a place in the admin: it acts as itself, not by a link."""
    if not (user.is_authenticated and user.is_active):
        return False
    return user.is_staff or Official.objects.filter(user=user).exists()


def _holder(token: str) -> tuple[LinkHolder, Actor]:
    actor = actor_of_token(token)
    if actor is None:
        raise AuthenticationFailed(
            "This link is not valid any more. Ask the desk for a new one.", code="link_invalid"
        )
    return LinkHolder(actor), actor


class LinkScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How the API's description names the header."""

    target_class = LinkAuthentication
    name = "linkAuth"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "The token of a table, team or seat link, after the word `Link` and a blank.",
        }
