"""What the description says of every operation alike: refusals as problem JSON, conditional reads, safe repeats."""

from http import HTTPStatus
from typing import Any

import uritemplate
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from tournaments.api.problems import CONTENT_TYPE

SAFE_REPEATS = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    description="A repeat with the same key gets the stored answer; another request under it a 409.",
)
KNOWN_ALREADY = OpenApiParameter(
    "If-None-Match",
    str,
    OpenApiParameter.HEADER,
    description="The `ETag` that one has: while nothing changed the answer is a 304.",
)
ETAG = {"ETag": {"schema": {"type": "string"}, "required": True}}


class Problem(serializers.Serializer[Any]):
    """A refusal (RFC 9457); further members are its facts."""

    type = serializers.CharField(help_text="Where the code is explained.")
    title = serializers.CharField()
    status = serializers.IntegerField()
    code = serializers.CharField(help_text="Stable, for programs.")
    detail = serializers.CharField(help_text="A sentence, for people.")


class ApiSchema(AutoSchema):
    """Describes a view by its serializers, and the answers that all views share by what kind of view it is."""

    view: Any

    def get_override_parameters(self) -> list[Any]:
        found = list(super().get_override_parameters())
        if self.method == "GET" and self._is_conditional():
            found.append(KNOWN_ALREADY)
        if self.method == "POST" and self.view.keeps_answers:
            found.append(SAFE_REPEATS)
        return found

    def _get_response_bodies(self, direction: Any = "response") -> dict[str, Any]:
        bodies: dict[str, Any] = super()._get_response_bodies(direction)
        if self.method == "GET" and self._is_conditional():
            bodies["200"]["headers"] = ETAG
            bodies["304"] = {"description": "Nothing changed.", "headers": ETAG}
        schema = self.resolve_serializer(Problem, direction).ref
        for status in sorted(self._refusals()):
            bodies[str(status)] = {
                "description": HTTPStatus(status).phrase,
                "content": {CONTENT_TYPE: {"schema": schema}},
            }
        return dict(sorted(bodies.items()))

    def _is_conditional(self) -> bool:
        """An answer with a revision has an ETag."""
        shape: Any = self.get_response_serializers()
        return "revision" in getattr(shape() if isinstance(shape, type) else shape, "fields", ())

    def _reads_a_body(self) -> bool:
        return self.method in {"POST", "PUT", "PATCH"} and self.get_request_serializer() is not None

    def _refusals(self) -> set[int]:
        """The statuses with which the operation may be refused."""
        if self.view.refusals is not None:
            return set(self.view.refusals)
        found = {401, 503}
        queries = {one["name"] for one in self._get_parameters() if one["in"] == "query"}
        if uritemplate.variables(self.path) or "cursor" in queries:
            found.add(404)
        if self.method == "GET":
            found |= {400} if queries else set()
            found |= {403} if self.view.guarded_reads else set()
        else:
            found |= {400, 403, 409, 422}
            found |= {415} if self._reads_a_body() else set()
        return found | set(self.view.more_refusals)
