"""Every refusal as RFC 9457 problem JSON: type, title, status, code, detail, and the facts as fields."""

import logging
from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.db import IntegrityError, OperationalError
from django.http import Http404, HttpRequest, JsonResponse
from django.http.response import HttpResponseBase
from django.views.defaults import page_not_found
from rest_framework import exceptions
from rest_framework.response import Response

import fortytwo
from tournaments.errors import Refusal

logger = logging.getLogger(__name__)

CONTENT_TYPE = "application/problem+json"

CONSTRAINTS = {
    "result_one_confirmed": ("already_confirmed", "Another result of this match is confirmed."),
    "result_version_once": ("result_differs", "Another entry was stored in the same moment."),
    "play_order_once": ("play_differs", "Another tile is stored at this place."),
    "play_tile_once": ("tile_played", "This tile has been played already."),
    "hand_number_once": ("hand_differs", "Another hand is stored under this number."),
    "hand_one_live_per_game": ("hand_live", "Another hand of this game is still being played."),
    "call_order_once": ("call_differs", "Another call is stored at this place."),
    "call_seat_once": ("call_differs", "This seat has called already."),
    "entry_seed_once": ("seed_taken", "This seed is taken."),
    "entry_number_once": ("number_taken", "This start number is taken."),
    "player_in_one_team": ("player_taken", "This player already plays in another team."),
    "table_number_once": ("table_taken", "There is already a table with this number."),
    "seating_table_once": ("table_busy", "Another match is at this table."),
    "seating_match_once": ("match_seated", "The match is at another table."),
}


class Replay(Exception):
    """The request was answered before: give the same answer again."""

    def __init__(self, status: int, body: Any) -> None:
        super().__init__("replay")
        self.status, self.body = status, body


def problem(status: int, code: str, detail: str, /, **facts: Any) -> Response:
    """A problem answer; `facts` may not hide the standard members."""
    return Response(_body(status, code, detail, facts), status=status, content_type=CONTENT_TYPE)


def _body(status: int, code: str, detail: str, facts: dict[str, Any]) -> dict[str, Any]:
    return {
        **{key: value for key, value in facts.items() if key not in {"type", "title", "status"}},
        "type": f"/api/docs/problems/#{code}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "code": code,
        "detail": detail,
    }


def no_such_address(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """Django's handler of addresses that nothing answers: problem JSON under /api/, the page elsewhere."""
    if request.path.startswith("/api/"):
        body = _body(404, "not_found", "There is nothing here.", {})
        return JsonResponse(body, status=404, content_type=CONTENT_TYPE)
    return page_not_found(request, exception)


def problem_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """Django REST framework's exception handler for the whole API; None lets a defect become a 500."""
    if isinstance(error, Replay):
        return Response(
            error.body, status=error.status, content_type=CONTENT_TYPE if error.status >= 400 else None
        )
    if isinstance(error, Refusal):
        return problem(error.status, error.code, error.detail, **error.facts)
    if isinstance(error, fortytwo.FortyTwoError):
        return engine_problem(error)
    if isinstance(error, Http404):
        return problem(404, "not_found", "There is nothing here.")
    if isinstance(error, PermissionDenied):
        return problem(403, "not_yours", "You may not do this.")
    if isinstance(error, SuspiciousOperation):
        return problem(400, "unreadable", "This request cannot be read.")
    if isinstance(error, IntegrityError):
        return _constraint_problem(error)
    if isinstance(error, OperationalError):
        logger.warning("The database did not answer in time: %s", error)
        answer = problem(503, "busy", "The database is busy. Try again in a moment; nothing was stored.")
        answer["Retry-After"] = "1"
        return answer
    if isinstance(error, exceptions.APIException):
        return _framework_problem(error)
    return None


def engine_problem(error: fortytwo.FortyTwoError) -> Response:
    """400 for text that cannot be read, 422 for what is against the rules of 42."""
    status = 400 if isinstance(error, fortytwo.ParseError) else 422
    facts = {key: value for key, value in error.to_json().items() if key not in {"code", "message"}}
    return problem(status, error.code, str(error), **facts)


def _constraint_problem(error: IntegrityError) -> Response:
    text = str(error)
    for name, (code, detail) in CONSTRAINTS.items():
        if name in text:
            return problem(409, code, detail)
    logger.exception("A constraint without a code", exc_info=error)
    return problem(409, "conflict", "Somebody changed this at the same moment. Load it again.")


def _framework_problem(error: exceptions.APIException) -> Response:
    code = str(getattr(error, "default_code", "error"))
    facts: dict[str, Any] = {}
    if isinstance(error, exceptions.ValidationError):
        code, detail = "invalid", "Some fields cannot be read."
        facts["fields"] = error.detail
    else:
        if not isinstance(error.detail, (list, dict)):
            code = getattr(error.detail, "code", code) or code
        detail = str(error.detail)
    answer = problem(error.status_code, code, detail, **facts)
    wait = getattr(error, "wait", None)
    if wait:
        answer["Retry-After"] = str(int(wait))
    header = getattr(error, "auth_header", None)
    if header:
        answer["WWW-Authenticate"] = header
    return answer
