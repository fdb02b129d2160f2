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
    """Whether the request's account may see the tournament; False for one that does not exist."""
    return await asyncio.get_running_loop().run_in_executor(_threads, _may_follow, scope, slug)


def _may_follow(scope: Scope, slug: str) -> bool:
    from tournaments.permissions import may_view_tournament

    try:
        return bool(may_view_tournament(_user(scope), slug))
    finally:
        connections.close_all()


def _user(scope: Scope) -> Any:
    """The signed-in account of the session cookie, else the anonymous one. Reads nothing without a cookie."""
    request = HttpRequest()
    request.COOKIES = parse_cookie(header(scope, b"cookie"))
    key = request.COOKIES.get(settings.SESSION_COOKIE_NAME)
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(key)
    return get_user(request)
