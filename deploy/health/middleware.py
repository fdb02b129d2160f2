"""Watches every request that Django answers: its id, its log line, its figures."""

import logging
import time
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.db import connection
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.functional import empty

from deploy.health import metrics
from deploy.health.context import Work, current, request_id_of, working
from deploy.health.logs import REQUESTS

logger = logging.getLogger(REQUESTS)

HEADER = "X-Request-ID"
SLOW = 2.0  # seconds after which an answer is worth a warning


class DatabaseClock:
    """Adds up how long queries took; an execute wrapper of Django."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.queries = 0

    def __call__(self, execute: Callable[..., Any], sql: Any, params: Any, many: Any, context: Any) -> Any:
        started = time.perf_counter()
        try:
            return execute(sql, params, many, context)
        finally:
            self.seconds += time.perf_counter() - started
            self.queries += 1


class Observation:
    """Outermost middleware. The answer names the request's id in X-Request-ID, the client's own if it sent one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        clock = DatabaseClock()
        started = time.perf_counter()
        with working(Work(request_id=request_id_of(request.headers.get(HEADER, "")))) as work:
            request.work = work  # type: ignore[attr-defined]  # Django logs defects when this block is left
            with connection.execute_wrapper(clock):
                response = self._get_response(request)
            seconds = time.perf_counter() - started
            response.headers[HEADER] = work.request_id
            self._count(request, response, clock, seconds)
            _describe(work, request)
            self._tell(request, response, clock, seconds)
        return response

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: dict[str, Any]) -> None:
        """Name the tournament and the match before the view runs, so that its own lines name them too."""
        work = current()
        if work is not None:
            work.tournament = str(kwargs.get("slug", ""))
            is_code = "<match_code:" in route_of(request)
            work.match = f"M{kwargs['number']}" if is_code else str(kwargs.get("match_id", ""))

    def _count(
        self, request: HttpRequest, response: HttpResponseBase, clock: DatabaseClock, seconds: float
    ) -> None:
        metrics.count_request(
            method=request.method or "", route=route_of(request), status=response.status_code, seconds=seconds
        )
        if clock.queries:
            metrics.database_seconds.observe(clock.seconds)
        data = getattr(response, "data", None)
        if response.status_code >= 400 and isinstance(data, dict) and "code" in data:
            metrics.refusals.labels(str(data["code"]), str(response.status_code)).inc()

    def _tell(
        self, request: HttpRequest, response: HttpResponseBase, clock: DatabaseClock, seconds: float
    ) -> None:
        # The pattern and not the address: addresses of links are secrets.
        route, status = route_of(request), response.status_code
        logger.log(
            logging.WARNING if seconds > SLOW else logging.INFO,
            "%s %s %d in %.0f ms",
            request.method,
            route,
            status,
            seconds * 1000,
            extra={
                "method": request.method,
                "route": route,
                "status": status,
                "duration_ms": round(seconds * 1000, 1),
                "database_ms": round(clock.seconds * 1000, 1),
                "queries": clock.queries,
            },
        )


def route_of(request: HttpRequest) -> str:
    """The pattern that the request's address matched; there are few of them, however many addresses."""
    match = request.resolver_match
    if match is not None:
        return f"/{match.route}"
    return "static" if request.path.startswith(f"/{settings.STATIC_URL.lstrip('/')}") else "unmatched"


def _describe(work: Work, request: HttpRequest) -> None:
    """Who asked, where that was found out anyway; nobody is looked up for a log line."""
    user: Any = getattr(request, "user", None)
    if user is None or getattr(user, "_wrapped", None) is empty:
        return
    actor = getattr(user, "actor", None)
    if actor is not None:
        work.actor = str(actor.kind)
    else:
        work.actor = "account" if user.is_authenticated else "visitor"
