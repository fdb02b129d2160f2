"""Who is behind a request that Django's middleware does not see, and what it may follow."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user
from django.db import connections
from django.http import HttpRequest, parse_cookie

from deploy.front.asgi import Scope, header

_threads = ThreadPoolExecutor(4, thread_name_prefix="access")


async def may_follow(scope: Scope, slug: str) -> bool:
    """Whether the request's account or link may see the tournament; False for one that does not exist."""
    return await asyncio.get_running_loop().run_in_executor(_threads, _may_follow, scope, slug)


def _may_follow(scope: Scope, slug: str) -> bool:
    from tournaments.models import Tournament
    from tournaments.permissions import may_view

    try:
        tournament = Tournament.objects.filter(slug=slug).first()
        if tournament is None:
            return False
        return may_view(None, tournament) or any(may_view(actor, tournament) for actor in _actors(scope))
    finally:
        connections.close_all()


def _actors(scope: Scope) -> list[Any]:
    """The account of the session cookie and the holder of the link cookie, where there are such."""
    from tables.addresses import COOKIE
    from tables.selectors.links import actor_of_token
    from tournaments.actors import user_actor

    cookies = parse_cookie(header(scope, b"cookie"))
    actors = []
    if key := cookies.get(settings.SESSION_COOKIE_NAME):
        request = HttpRequest()
        request.session = import_module(settings.SESSION_ENGINE).SessionStore(key)
        user = get_user(request)
        if user.is_authenticated:
            actors.append(user_actor(user))
    if (token := cookies.get(COOKIE)) and (actor := actor_of_token(token)):
        actors.append(actor)
    return actors
