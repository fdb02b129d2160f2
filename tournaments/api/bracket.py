"""Draws, brackets, placings, matches, and settling their results."""

from uuid import UUID

import django_filters
from django.db.models import Prefetch, QuerySet
from drf_spectacular.utils import OpenApiParameter, PolymorphicProxySerializer, extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.base import ApiView, ByNumber, is_asked
from tournaments.api.serializers import (
    BracketShown,
    ConfirmFields,
    DrawFields,
    ForfeitFields,
    MatchPage,
    MatchShown,
    PlaceChangeShown,
    PlacingShown,
    PreviewShown,
    ResultShown,
    RoundShown,
    StageShown,
    StandingsShown,
    WhyFields,
    result_shown,
)
from tournaments.api.tournaments import stage_of
from tournaments.enums import MatchState, Role
from tournaments.errors import NotThere
from tournaments.models import Match, Result, Slot
from tournaments.permissions import may_view, require_role
from tournaments.selectors import bracket_rows, placing_rows
from tournaments.selectors.preview import PlaceChange, result_preview
from tournaments.services.bracket import bracket_advance
from tournaments.services.draw import stage_draw, stage_publish, stage_reset
from tournaments.services.result import (
    forfeit_outcome,
    match_forfeit,
    require_part_in,
    result_confirm,
    result_dispute,
    result_of,
    result_take_back,
)

STAGE_ACTS = ("draw", "publish", "reset", "advance")


class StageAct(ApiView):
    @extend_schema(
        request=DrawFields,
        responses=StageShown,
        parameters=[OpenApiParameter("act", str, OpenApiParameter.PATH, enum=sorted(STAGE_ACTS))],
    )
    def post(self, request: Request, slug: str, number: int, act: str) -> Response:
        """Draw, publish or reset a stage, or move its teams on now."""
        actor = self.signed_in_actor()
        stage = stage_of(self, slug, number)
        require_role(actor, stage.tournament, Role.DIRECTOR)
        if act == "draw":
            fields = DrawFields(data=request.data)
            fields.is_valid(raise_exception=True)
            stage = stage_draw(stage_id=stage.pk, actor=actor, **fields.validated_data)
        elif act == "publish":
            stage = stage_publish(stage_id=stage.pk, actor=actor)
        elif act == "reset":
            stage = stage_reset(stage_id=stage.pk, actor=actor)
        elif act == "advance":
            bracket_advance(stage_id=stage.pk)
        else:
            raise NotThere("not_found", "There is no such act.")
        return Response(StageShown(stage).data)


STAGE_PARAMETER = OpenApiParameter("stage", int, description="Number of the stage; 1 without it.")
DRAFT_PARAMETER = OpenApiParameter(
    "draft", bool, description="With 1: the draft too. For the desk and above."
)


def _stage_number(request: Request) -> int:
    text = request.query_params.get("stage", "1")
    return int(text) if text.isdecimal() and len(text) < 4 else 0


class BracketView(ApiView):
    guarded_reads = True

    @extend_schema(responses=BracketShown, parameters=[STAGE_PARAMETER, DRAFT_PARAMETER])
    def get(self, request: Request, slug: str) -> Response:
        """The published bracket; officials see a draft too, with `draft=1`."""
        stage = stage_of(self, slug, _stage_number(request))
        draft = request.query_params.get("draft") == "1"
        if draft:
            require_role(self.signed_in_actor(), stage.tournament, Role.DESK)

        def build() -> dict[str, object]:
            bracket = bracket_rows(stage, draft=draft)
            return {
                "stage": stage.number,
                "draw_state": stage.draw_state if draft or bracket.rounds else "none",
                "current_rounds": [row.key for row in bracket.current_rounds],
                "rounds": RoundShown(bracket.rounds, many=True).data,
            }

        return self.conditional(stage.tournament, "bracket", build)


class StandingsView(ApiView):
    @extend_schema(responses=StandingsShown, parameters=[STAGE_PARAMETER])
    def get(self, request: Request, slug: str) -> Response:
        """Placings so far: champion, runner-up, then by round of exit; teams still in by losses."""
        stage = stage_of(self, slug, _stage_number(request))
        return self.conditional(
            stage.tournament,
            "placings",
            lambda: {"placings": PlacingShown(placing_rows(stage), many=True).data},
        )


class MatchFilter(django_filters.FilterSet):
    round = django_filters.CharFilter(field_name="round__key")
    stage = django_filters.NumberFilter(field_name="stage__number")
    team = django_filters.NumberFilter(field_name="slots__entry__number")
    state = django_filters.MultipleChoiceFilter(choices=MatchState.choices)

    class Meta:
        model = Match
        fields = ["round", "stage", "team", "state"]


def matches_shown() -> QuerySet[Match]:
    """Matches with their teams. Two queries."""
    slots = Prefetch("slots", queryset=Slot.objects.select_related("entry"))
    return Match.objects.select_related("tournament", "stage", "round").prefetch_related(slots)


class MatchList(ApiView, ListAPIView[Match]):
    """The matches of the published draw."""

    pagination_class = ByNumber
    serializer_class = MatchShown
    filterset_class = MatchFilter

    def get_queryset(self) -> QuerySet[Match]:
        if getattr(self, "swagger_fake_view", False):
            return Match.objects.none()
        tournament = self.tournament(self.kwargs["slug"])
        return matches_shown().filter(tournament=tournament, stage__draw_state="published")


class MatchDetail(ApiView):
    @extend_schema(responses=MatchPage)
    def get(self, request: Request, match_id: UUID) -> Response:
        """A match with its teams and every entry of its result."""
        match = matches_shown().filter(pk=match_id, stage__draw_state="published").first()
        if match is None or not may_view(self.actor, match.tournament):
            raise NotThere("not_found", "There is no such match.")
        return self.conditional(
            match.tournament,
            f"match:{match.code}",
            lambda: {**MatchShown(match).data, "results": ResultShown(_results(match), many=True).data},
        )


def _results(match: Match) -> QuerySet[Result]:
    return match.results.order_by("version")


PREVIEW_PARAMETER = OpenApiParameter(
    "preview", bool, description="With 1: answer what would change, write and lock nothing."
)
RESULT_OR_PREVIEW = PolymorphicProxySerializer(
    component_name="ResultOrPreview",
    serializers=[ResultShown, PreviewShown],
    resource_type_field_name=None,
)


def preview(match: Match, *, outcome: str, winner_side: str) -> Response:
    """What would change if the match ended like this."""
    return preview_shown(result_preview(match, outcome=outcome, winner_side=winner_side))


def preview_shown(changes: list[PlaceChange]) -> Response:
    """The answer to every question of what would change."""
    return Response({"preview": True, "changes": PlaceChangeShown(changes, many=True).data})


def wants_preview(request: Request) -> bool:
    """Is this a question and no act?"""
    return is_asked(request, "preview")


class ResultConfirm(ApiView):
    @extend_schema(request=ConfirmFields, responses=RESULT_OR_PREVIEW, parameters=[PREVIEW_PARAMETER])
    def post(self, request: Request, match_id: UUID) -> Response:
        """Settle an entry: by the other side's link, or by an official who did not enter it."""
        actor = self.signed_in_actor()
        match = self.match(match_id)
        fields = ConfirmFields(data=request.data)
        fields.is_valid(raise_exception=True)
        if wants_preview(request):
            require_part_in(match, actor)
            result = result_of(match, fields.validated_data["version"])
            return preview(match, outcome=result.outcome, winner_side=result.winner_side)
        result = result_confirm(match_id=match.pk, actor=actor, **fields.validated_data)
        return Response(result_shown(result))


class ResultDispute(ApiView):
    @extend_schema(request=WhyFields, responses=MatchShown)
    def post(self, request: Request, match_id: UUID) -> Response:
        """Say that the entry is wrong; the desk decides."""
        actor = self.signed_in_actor()
        match = self.match(match_id)
        fields = WhyFields(data=request.data)
        fields.is_valid(raise_exception=True)
        result_dispute(match_id=match.pk, actor=actor, reason=fields.validated_data["reason"])
        return Response(MatchShown(matches_shown().get(pk=match_id)).data)


class ResultTakeBack(ApiView):
    @extend_schema(request=None, responses=MatchShown)
    def post(self, request: Request, match_id: UUID) -> Response:
        """Withdraw one's own entry before it is settled."""
        actor = self.signed_in_actor()
        result_take_back(match_id=self.match(match_id).pk, actor=actor)
        return Response(MatchShown(matches_shown().get(pk=match_id)).data)


class MatchForfeit(ApiView):
    @extend_schema(request=ForfeitFields, responses=RESULT_OR_PREVIEW, parameters=[PREVIEW_PARAMETER])
    def post(self, request: Request, match_id: UUID) -> Response:
        """End a match without play: NS, EW or both did not appear."""
        actor = self.signed_in_actor()
        match = self.match(match_id)
        fields = ForfeitFields(data=request.data)
        fields.is_valid(raise_exception=True)
        if wants_preview(request):
            require_role(actor, match.tournament, Role.DESK)
            outcome, winner_side = forfeit_outcome(fields.validated_data["side"])
            return preview(match, outcome=outcome, winner_side=winner_side)
        result = match_forfeit(match_id=match.pk, actor=actor, **fields.validated_data)
        return Response(result_shown(result))
