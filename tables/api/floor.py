"""The floor beyond its tables: how they are filled, matches held back, and calls for a judge."""

from typing import Any
from uuid import UUID

import django_filters
from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tables.api import serializers as shapes
from tables.models import Hall, Hold, JudgeCall
from tables.selectors.hall import hall_of
from tables.services.hall import hall_update
from tables.services.holds import match_hold, match_release
from tables.services.judge import judge_answer, judge_call
from tournaments.api.base import PAGE_PARAMETERS, ApiView, ByNumber
from tournaments.enums import Role
from tournaments.errors import NotThere
from tournaments.models import Tournament
from tournaments.permissions import may_view, require_role, require_score


class FloorView(ApiView):
    """Base of what officials see of the floor."""

    guarded_reads = True

    def watched(self, slug: str) -> Tournament:
        """The tournament, for its officials."""
        actor = self.signed_in_actor()
        tournament = self.tournament(slug)
        require_role(actor, tournament, Role.SCORER)
        return tournament


class HallDetail(FloorView):
    @extend_schema(responses=shapes.HallDetailShown)
    def get(self, request: Request, slug: str) -> Response:
        """Whether free tables get the next match by themselves, and how long one waits for a missing team."""
        tournament = self.watched(slug)
        return self.conditional(tournament, "tables", lambda: _hall(hall_of(tournament.pk)))

    @extend_schema(request=shapes.HallFields, responses=shapes.HallShown)
    def patch(self, request: Request, slug: str) -> Response:
        """Turn calling by itself on or off, or say after how many minutes a missing team may forfeit."""
        actor = self.signed_in_actor()
        tournament = self.tournament(slug)
        require_role(actor, tournament, Role.DESK)
        fields = shapes.HallFields(data=request.data, partial=True)
        fields.is_valid(raise_exception=True)
        hall = hall_update(tournament_id=tournament.pk, actor=actor, **fields.validated_data)
        return Response(_hall(hall))


def _hall(hall: Hall) -> dict[str, Any]:
    return dict(shapes.HallShown(hall).data)


class ByMoment(ByNumber):
    """Pages of 100, oldest first."""

    ordering = ("id",)


class HoldList(FloorView):
    @extend_schema(responses=shapes.HoldPage, parameters=PAGE_PARAMETERS)
    def get(self, request: Request, slug: str) -> Response:
        """The matches that are held back now, in the order in which they were."""
        tournament = self.watched(slug)
        rows = Hold.objects.filter(match__tournament=tournament, ended_at__isnull=True)
        return self.conditional(
            tournament,
            "tables",
            lambda: self.page(rows.select_related("match"), shapes.HoldShown, ByMoment()),
        )


class MatchHold(ApiView):
    @extend_schema(request=shapes.HoldFields, responses=shapes.HoldShown)
    def post(self, request: Request, match_id: UUID) -> Response:
        """Do not call this match by itself. Holding it again changes nothing."""
        actor = self.signed_in_actor()
        match = self.match(match_id)
        require_role(actor, match.tournament, Role.DESK)
        fields = shapes.HoldFields(data=request.data)
        fields.is_valid(raise_exception=True)
        hold = match_hold(match_id=match.pk, actor=actor, **fields.validated_data)
        return Response(shapes.HoldShown(hold).data)


class MatchRelease(ApiView):
    @extend_schema(request=None, responses=shapes.Released)
    def post(self, request: Request, match_id: UUID) -> Response:
        """Call this match by itself again."""
        actor = self.signed_in_actor()
        return Response({"released": match_release(match_id=self.match(match_id).pk, actor=actor)})


class JudgeCallFilter(django_filters.FilterSet):
    open = django_filters.BooleanFilter(field_name="answered_at", lookup_expr="isnull")

    class Meta:
        model = JudgeCall
        fields = ["open"]


JUDGE_PARAMETERS = [
    OpenApiParameter("open", bool, description="Those that nobody has answered yet, or all others."),
    *PAGE_PARAMETERS,
]


class JudgeCallView(FloorView):
    """Base of the two lists of calls."""

    filterset_class = JudgeCallFilter

    def calls(self, rows: QuerySet[JudgeCall]) -> dict[str, Any]:
        return self.page(rows.select_related("match"), shapes.JudgeCallShown, ByMoment())


class JudgeCallList(JudgeCallView):
    @extend_schema(responses=shapes.JudgeCallPage, parameters=JUDGE_PARAMETERS)
    def get(self, request: Request, slug: str) -> Response:
        """The calls for a judge in the whole hall, oldest first."""
        tournament = self.watched(slug)
        rows = JudgeCall.objects.filter(match__tournament=tournament)
        return self.conditional(tournament, "tables", lambda: self.calls(rows))


class MatchJudgeCalls(JudgeCallView):
    @extend_schema(responses=shapes.JudgeCallPage, parameters=JUDGE_PARAMETERS)
    def get(self, request: Request, match_id: UUID) -> Response:
        """The calls for a judge at this match, for whoever may score it."""
        actor = self.signed_in_actor()
        match = self.match(match_id)
        require_score(actor, match)
        rows = JudgeCall.objects.filter(match=match)
        return self.conditional(match.tournament, f"match:{match.code}", lambda: self.calls(rows))

    @extend_schema(request=shapes.JudgeCallFields, responses={201: shapes.JudgeCallShown})
    def post(self, request: Request, match_id: UUID) -> Response:
        """Ask for a judge. While a call is open, asking again returns it."""
        actor = self.signed_in_actor()
        match = self.match(match_id)
        require_score(actor, match)
        fields = shapes.JudgeCallFields(data=request.data)
        fields.is_valid(raise_exception=True)
        call = judge_call(match_id=match.pk, actor=actor, **fields.validated_data)
        return Response(shapes.JudgeCallShown(call).data, status=201)


class JudgeAnswer(ApiView):
    @extend_schema(request=None, responses=shapes.JudgeCallShown)
    def post(self, request: Request, call_id: UUID) -> Response:
        """A judge went there, or the link that asked takes the call back. Again changes nothing."""
        actor = self.signed_in_actor()
        found = JudgeCall.objects.select_related("match__tournament").filter(pk=call_id).first()
        if found is None or not may_view(actor, found.match.tournament):
            raise NotThere("not_found", "There is no such call.")
        return Response(shapes.JudgeCallShown(judge_answer(call_id=call_id, actor=actor)).data)
