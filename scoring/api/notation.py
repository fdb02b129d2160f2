"""Hands and matches as files in 42 notation: read as text, and recorded from text. See docs/notation.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from fortytwo.notation.lexer import MOST_CHARACTERS
from scoring.api.serializers import HandShown
from scoring.selectors.hands import hand_of, hand_summary
from scoring.selectors.notation import hand_text, match_text
from scoring.services.notation import Filed, notation_record
from tournaments.api.base import ApiView
from tournaments.api.parsers import StrictJSONParser
from tournaments.enums import MatchState
from tournaments.permissions import require_score

TEXT = "text/plain"
FILE = {(200, TEXT): OpenApiTypes.STR}


class NotationParser(BaseParser):
    """The body itself as the text of a file."""

    media_type = TEXT

    def parse(
        self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> dict[str, str]:
        """The text as the field of the JSON form. Raises ParseError."""
        limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE or 0
        body = stream.read(limit + 1)
        if len(body) > limit:
            raise ParseError(f"The body is longer than {limit:,} bytes.")
        try:
            return {"text": body.decode()}
        except UnicodeDecodeError:
            raise ParseError("A file in 42 notation is UTF-8.") from None


class RefusalRenderer(JSONRenderer):
    """Lets a reader ask for text; what is refused is JSON all the same."""

    media_type = TEXT
    format = "42"


class NotationFields(serializers.Serializer[Any]):
    text = serializers.CharField(max_length=MOST_CHARACTERS, trim_whitespace=False)


class FiledHand(HandShown):
    game = serializers.IntegerField()


class FiledGame(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    state = serializers.CharField()
    NS = serializers.IntegerField()
    EW = serializers.IntegerField()


class FiledShown(serializers.Serializer[Any]):
    match = serializers.CharField(help_text="Code of the match.")
    state = serializers.ChoiceField(MatchState.choices)
    hands = FiledHand(many=True)
    games = FiledGame(many=True)


class HandNotation(ApiView):
    renderer_classes = [JSONRenderer, RefusalRenderer]

    @extend_schema(operation_id="hands_notation_retrieve", responses=FILE)
    def get(self, request: Request, hand_id: UUID) -> HttpResponse:
        """The hand as a file in 42 notation; no tile of a hand in progress but those played."""
        hand = hand_of(hand_id, self.actor)
        match = hand.game.match
        return _file(hand_text(hand), f"{match.code}-{hand.game.number}-{hand.number}")


class MatchNotation(ApiView):
    parser_classes = [StrictJSONParser, NotationParser]
    renderer_classes = [JSONRenderer, RefusalRenderer]

    @extend_schema(operation_id="matches_notation_retrieve", responses=FILE)
    def get(self, request: Request, match_id: UUID) -> HttpResponse:
        """Every game and hand of the match as a file in 42 notation."""
        match = self.match(match_id)
        return _file(match_text(match), match.code)

    @extend_schema(
        operation_id="matches_notation_create",
        request={TEXT: OpenApiTypes.STR, "application/json": NotationFields},
        responses={200: FiledShown, 201: FiledShown},
    )
    def post(self, request: Request, match_id: UUID) -> Response:
        """Record what a file in 42 notation says of this match: all of it, or nothing.

        The file may hold the match, games, or hands that go on with the game being played; what is stored
        already has to agree with it. A refusal names `line` and `column`.
        """
        actor = self.signed_in_actor()
        match = self.match(match_id)
        require_score(actor, match)
        fields = NotationFields(data=request.data)
        fields.is_valid(raise_exception=True)
        filed = notation_record(match_id=match.pk, text=fields.validated_data["text"], actor=actor)
        return Response(_filed(filed), status=201 if filed.is_new else 200)


def _filed(filed: Filed) -> dict[str, Any]:
    return {
        "match": filed.match.code,
        "state": filed.match.state,
        "hands": [{"game": hand.game.number, **hand_summary(hand)} for hand in filed.hands],
        "games": [
            {"number": game.number, "state": game.state, "NS": game.marks_ns, "EW": game.marks_ew}
            for game in filed.games
        ],
    }


def _file(text: str, name: str) -> HttpResponse:
    answer = HttpResponse(text, content_type=f"{TEXT}; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{name}.42"'
    answer["Cache-Control"] = "private, no-cache"
    return answer
