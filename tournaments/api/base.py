"""What every API view shares: who acts, repeat-safe POSTs, conditional GETs, and lookups that leak nothing."""

import hashlib
import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.db import DataError, IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import get_language
from django_filters.rest_framework import DjangoFilterBackend
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import NotAuthenticated, NotFound
from rest_framework.pagination import CursorPagination
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from tournaments.actors import Actor, user_actor
from tournaments.api.problems import Replay
from tournaments.api.schema import ApiSchema
from tournaments.enums import ActorKind
from tournaments.errors import Conflict, NotThere, Unreadable
from tournaments.models import IdempotencyRecord, Match, Tournament
from tournaments.permissions import may_view
from tournaments.selectors import revision_numbers

ABANDONED_AFTER = timedelta(seconds=60)
MAX_KEY = 120

PAGE_PARAMETERS = [
    OpenApiParameter("cursor", str, description="From `next` or `previous`."),
    OpenApiParameter("page_size", int),
]

ANONYMOUS = Actor(kind=ActorKind.USER, label="visitor", user=AnonymousUser())  # type: ignore[arg-type]


class ByNumber(CursorPagination):
    """Pages of 100 in the order of numbers; `page_size` up to 1,000."""

    page_size = 100
    max_page_size = 1000
    page_size_query_param = "page_size"
    ordering: str | tuple[str, ...] = "number"

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> Any:
        """The page. Raises NotFound for a cursor that was never given out: its position can be anything."""
        try:
            return super().paginate_queryset(queryset, request, view)
        except (ValueError, ValidationError, DataError) as error:
            raise NotFound(self.invalid_cursor_message) from error

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """The frame of a page, in the words of OpenAPI 3.1."""
        address = {"type": ["string", "null"], "format": "uri"}
        return {
            "type": "object",
            "required": ["next", "previous", "results"],
            "properties": {"next": address, "previous": address, "results": schema},
        }


class Newest(ByNumber):
    """Pages of 100, newest first."""

    ordering = "-id"


def actor_of(request: Request) -> Actor:
    """The author of the request; somebody without an account is an actor who may only look."""
    if isinstance(request.auth, Actor):
        return request.auth
    if request.user is not None and request.user.is_authenticated:
        return user_actor(request.user)
    return ANONYMOUS


def is_asked(request: Request, name: str) -> bool:
    """Is this parameter of the address set? As a program may write it, since without it the act is done."""
    return request.query_params.get(name, "").lower() in {"1", "true"}


class ApiView(APIView):
    """Base of all views. A POST with an Idempotency-Key is answered once and repeated from store."""

    schema = ApiSchema()
    keeps_answers = True
    guarded_reads = False
    """May a read be refused to somebody who sees the tournament?"""
    more_refusals: tuple[int, ...] = ()
    """Statuses for the description that not every view of its kind has."""
    refusals: tuple[int, ...] | None = None
    """All of them, for a view of no such kind."""
    _claim: IdempotencyRecord | None = None

    @property
    def actor(self) -> Actor:
        return actor_of(self.request)

    def signed_in_actor(self) -> Actor:
        """The actor of a write; 401 for somebody without account or link."""
        actor = self.actor
        if actor is ANONYMOUS:
            raise NotAuthenticated
        return actor

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        key = request.headers.get("Idempotency-Key")
        actor = actor_of(request)
        if key and request.method == "POST" and self.keeps_answers and actor is not ANONYMOUS:
            self._claim = _claim_key(request, actor, key)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        claim, self._claim = self._claim, None
        if claim is not None:
            if response.status_code >= 500:
                claim.delete()
            else:
                # As JSON text would say it: values such as times are no JSON yet.
                # As text: a database of JSON values would not keep the order of the fields.
                claim.body = (JSONRenderer().render(response.data) or b"null").decode()
                claim.status = response.status_code
                claim.save(update_fields=["status", "body"])
        return response

    def tournament(self, slug: str) -> Tournament:
        """The tournament, or NotThere for those who may not see it."""
        tournament = Tournament.objects.filter(slug=slug).first()
        if tournament is None or not may_view(self.actor, tournament):
            raise NotThere("not_found", "There is no such tournament.")
        return tournament

    def match(self, match_id: UUID) -> Match:
        """The match with its tournament and stage, or NotThere for those who may not see it."""
        match = Match.objects.select_related("tournament", "stage", "round").filter(pk=match_id).first()
        if match is None or not may_view(self.actor, match.tournament):
            raise NotThere("not_found", "There is no such match.")
        return match

    def conditional(self, tournament: Tournament, part: str, build: Callable[[], dict[str, Any]]) -> Response:
        """`build()` with the part's revision and an ETag, or 304 when the reader has that revision."""
        revision = revision_numbers(tournament.pk, [part])[part]
        etag = f'"{part}-{revision}-{get_language()}-{tournament.visibility}"'
        given = self.request.headers.get("If-None-Match", "")
        if etag in [tag.strip().removeprefix("W/") for tag in given.split(",")]:
            response = Response(status=304)
        else:
            response = Response({"revision": revision, **build()})
        response["ETag"] = etag
        response["Cache-Control"] = "private, no-cache"
        return response

    def page(self, rows: QuerySet[Any], shape: type[Serializer[Any]], pages: ByNumber) -> dict[str, Any]:
        """One page of `rows`, filtered as the view says: `next`, `previous` and `results`."""
        found = DjangoFilterBackend().filter_queryset(self.request, rows, self)
        page: list[Any] | None = pages.paginate_queryset(found, self.request, view=self)
        return dict(pages.get_paginated_response(shape(page, many=True).data).data)


class SecretView(ApiView):
    """Base of the views whose answers hold links and the like: none is kept for repeats or by a browser."""

    keeps_answers = False

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.signed_in_actor()

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        response["Cache-Control"] = "no-store"
        return response


def _claim_key(request: Request, actor: Actor, key: str) -> IdempotencyRecord:
    """Take the key for this request; Replay when it was answered, Conflict when it stands for another."""
    if len(key) > MAX_KEY:
        raise Unreadable("bad_idempotency_key", f"An Idempotency-Key has at most {MAX_KEY} characters.")
    text = f"{request.method} {request.get_full_path()}\n".encode() + request.body
    fingerprint = hashlib.sha256(text).hexdigest()
    scope = actor.scope
    try:
        with transaction.atomic():
            return IdempotencyRecord.objects.create(scope=scope, key=key, fingerprint=fingerprint)
    except IntegrityError:
        stored = IdempotencyRecord.objects.filter(scope=scope, key=key).first()
    if stored is None or stored.fingerprint != fingerprint:
        raise Conflict("idempotency_key_reused", "This Idempotency-Key was sent with another request.")
    if stored.status is None:
        return _reclaim(stored)
    raise Replay(stored.status, json.loads(stored.body or "null"))


def _reclaim(stored: IdempotencyRecord) -> IdempotencyRecord:
    """Take over a key whose first request died; Conflict while that one may still be running."""
    now = timezone.now()
    abandoned = IdempotencyRecord.objects.filter(
        pk=stored.pk, status__isnull=True, created_at__lt=now - ABANDONED_AFTER
    )
    if not abandoned.update(created_at=now):
        raise Conflict("request_running", "The first request with this key is still running.")
    stored.created_at = now
    return stored
