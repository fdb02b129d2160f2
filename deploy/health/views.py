"""Probes and figures for programs, and the answer of last resort."""

import hmac
import ipaddress
import sys
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django.views.defaults import server_error
from prometheus_client import CONTENT_TYPE_LATEST

from deploy.health.context import current
from deploy.health.metrics import scrape
from deploy.health.probes import ready_checks, summary
from tournaments.api.problems import CONTENT_TYPE

ALIVE = {"status": "alive"}
FORWARDED = ("X-Forwarded-For", "X-Real-IP", "Forwarded", "Via")


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponseBase:
    """200 while the process answers; nothing else is asked."""
    return JsonResponse(ALIVE)


@require_safe
@never_cache
def readyz(request: HttpRequest) -> HttpResponseBase:
    """200 while requests can be served, 503 else; the body says what is amiss."""
    body = summary(ready_checks())
    return JsonResponse(body, status=503 if body["status"] == "unready" else 200)


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponseBase:
    """Figures for Prometheus, for this machine and for bearers of METRICS_TOKEN."""
    if not (_is_from_here(request) or _bears_token(request)):
        answer = _problem(401, "metrics_closed", "Ask from the machine itself, or with the bearer token.")
        answer.headers["WWW-Authenticate"] = 'Bearer realm="metrics"'
        return answer
    return HttpResponse(scrape(), content_type=CONTENT_TYPE_LATEST)


def failed(request: HttpRequest) -> HttpResponseBase:
    """The answer to a defect: the page with an apology, or problem JSON for the API.

    A database that does not answer is no defect, wherever it is noticed: 503, so that clients try again.
    """
    is_away = isinstance(sys.exc_info()[1], OperationalError)
    if not request.path.startswith("/api/"):
        answer: HttpResponseBase = server_error(request)
        answer.status_code = 503 if is_away else 500
    elif is_away:
        answer = _problem(503, "busy", "The database does not answer. Try again in a moment.")
    else:
        answer = _problem(500, "defect", "This went wrong on our side; nothing was stored. It is in the log.")
    if is_away:
        answer.headers["Retry-After"] = "1"
    return answer


def _is_from_here(request: HttpRequest) -> bool:
    """Whether a program on this machine asks, and not for somebody else: a proxy names whom it asks for."""
    if any(name in request.headers for name in FORWARDED):
        return False
    try:
        return ipaddress.ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False


def _bears_token(request: HttpRequest) -> bool:
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    wanted = str(settings.METRICS_TOKEN)
    return bool(wanted) and kind.lower() == "bearer" and hmac.compare_digest(token.encode(), wanted.encode())


def _problem(status: int, code: str, detail: str) -> HttpResponse:
    work = current()
    body: dict[str, Any] = {
        "type": f"/api/docs/problems/#{code}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "code": code,
        "detail": detail,
        "request_id": work.request_id if work else "",
    }
    return JsonResponse(body, status=status, content_type=CONTENT_TYPE)
