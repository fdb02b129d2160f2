"""Somebody who uses the system: the same author as a value for services and as a client of the REST API."""

from dataclasses import dataclass

from django.contrib.auth.models import User
from rest_framework.authtoken.models import Token
from rest_framework.test import APIClient

from tables.models import AccessLink
from tables.selectors.links import actor_of_link, link_of_token
from tables.tokens import token_of
from tournaments.actors import Actor, user_actor
from tournaments.api.base import ANONYMOUS


@dataclass(frozen=True)
class Caller:
    """`credentials` is the Authorization header."""

    credentials: str
    user: User | None = None
    link: AccessLink | None = None

    @property
    def actor(self) -> Actor:
        """The author as services see it; a link is looked up anew, since a table's match changes."""
        if self.link is not None:
            found = link_of_token(token_of(self.link.pk))
            assert found is not None
            return actor_of_link(found)
        return user_actor(self.user) if self.user is not None else ANONYMOUS

    @property
    def client(self) -> APIClient:
        client = APIClient()
        if self.credentials:
            client.credentials(HTTP_AUTHORIZATION=self.credentials)
        return client


VISITOR = Caller("")


def user_caller(user: User) -> Caller:
    token, _ = Token.objects.get_or_create(user=user)
    return Caller(f"Token {token.key}", user=user)


def link_caller(link: AccessLink) -> Caller:
    return Caller(f"Link {token_of(link.pk)}", link=link)
