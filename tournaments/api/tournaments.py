"""Tournaments, their officials, log, players and teams."""

from typing import Any, TypeVar

from django.db.models import Q, QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.base import ApiView, ByNumber, Newest
from tournaments.api.serializers import (
    LogShown,
    NewTournament,
    PlayerShown,
    StageOptions,
    StageShown,
    TeamShown,
    TournamentFields,
    TournamentPage,
    TournamentShown,
)
from tournaments.enums import Role, Visibility
from tournaments.errors import NotThere
from tournaments.models import LogEntry, Player, Team, Tournament, searchable
from tournaments.permissions import require_role
from tournaments.services.tournament import (
    MOVES,
    stage_update,
    tournament_create,
    tournament_move,
    tournament_update,
)

M = TypeVar("M", Player, Team)


class BySlug(ByNumber):
    ordering = ("-created_at", "slug")


class TournamentList(ApiView, ListAPIView[Tournament]):
    """Public tournaments and those in which the reader has a role."""

    pagination_class = BySlug
    serializer_class = TournamentShown
    filterset_fields = ["state", "visibility"]

    def get_queryset(self) -> QuerySet[Tournament]:
        seen = Q(visibility=Visibility.PUBLIC)
        # Not `request.user`: the holder of a link stands there too, and has no id.
        user: Any = self.actor.user
        if user is not None and user.is_authenticated:
            seen = Q() if user.is_superuser else seen | Q(officials__user=user.pk)
        return Tournament.objects.filter(seen).select_related("champion").distinct()

    @extend_schema(request=NewTournament, responses={201: TournamentShown})
    def post(self, request: Request) -> Response:
        """Create a tournament in draft; the caller becomes its owner."""
        actor = self.signed_in_actor()
        fields = NewTournament(data=request.data)
        fields.is_valid(raise_exception=True)
        values: dict[str, Any] = dict(fields.validated_data)
        name = values.pop("name")
        tournament = tournament_create(name=name, actor=actor, **values)
        return Response(TournamentShown(tournament).data, status=201)


class TournamentDetail(ApiView):
    @extend_schema(responses=TournamentPage)
    def get(self, request: Request, slug: str) -> Response:
        tournament = self.tournament(slug)
        return self.conditional(
            tournament,
            "home",
            lambda: {
                **TournamentShown(tournament).data,
                "stages": StageShown(tournament.stages.all(), many=True).data,
            },
        )

    @extend_schema(request=TournamentFields, responses=TournamentShown)
    def patch(self, request: Request, slug: str) -> Response:
        actor = self.signed_in_actor()
        tournament = self.tournament(slug)
        fields = TournamentFields(data=request.data, partial=True)
        fields.is_valid(raise_exception=True)
        changed = tournament_update(tournament_id=tournament.pk, actor=actor, **fields.validated_data)
        return Response(TournamentShown(changed).data)


class TournamentMove(ApiView):
    @extend_schema(
        request=None,
        responses=TournamentShown,
        parameters=[OpenApiParameter("move", str, OpenApiParameter.PATH, enum=sorted(MOVES))],
    )
    def post(self, request: Request, slug: str, move: str) -> Response:
        """Move the tournament along its life; a move already made changes nothing."""
        actor = self.signed_in_actor()
        tournament = tournament_move(tournament_id=self.tournament(slug).pk, move=move, actor=actor)
        return Response(TournamentShown(tournament).data)


class StageDetail(ApiView):
    @extend_schema(responses=StageShown)
    def get(self, request: Request, slug: str, number: int) -> Response:
        return Response(StageShown(stage_of(self, slug, number)).data)

    @extend_schema(request=StageOptions, responses=StageShown)
    def patch(self, request: Request, slug: str, number: int) -> Response:
        actor = self.signed_in_actor()
        stage = stage_of(self, slug, number)
        fields = StageOptions(data=request.data, partial=True)
        fields.is_valid(raise_exception=True)
        return Response(
            StageShown(stage_update(stage_id=stage.pk, actor=actor, **fields.validated_data)).data
        )


class LogList(ApiView, ListAPIView[LogEntry]):
    """What happened in the tournament, newest first; for its officials."""

    guarded_reads = True
    pagination_class = Newest
    serializer_class = LogShown
    filterset_fields = ["action", "match", "entry", "actor_kind"]

    def get_queryset(self) -> QuerySet[LogEntry]:
        if getattr(self, "swagger_fake_view", False):
            return LogEntry.objects.none()
        tournament = self.tournament(self.kwargs["slug"])
        require_role(self.signed_in_actor(), tournament, Role.DESK)
        return LogEntry.objects.filter(tournament=tournament).select_related("match")


class ByName(ByNumber):
    ordering = ("search_name", "id")


class PlayerList(ApiView, ListAPIView[Player]):
    """Players seen in public tournaments; `search` finds names without accents."""

    pagination_class = ByName
    serializer_class = PlayerShown

    @extend_schema(parameters=[OpenApiParameter("search", str)])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    def get_queryset(self) -> QuerySet[Player]:
        rows = Player.objects.filter(memberships__tournament__visibility=Visibility.PUBLIC).distinct()
        return _searched(rows, self.request)


class PlayerDetail(ApiView):
    @extend_schema(responses=PlayerShown)
    def get(self, request: Request, player_id: Any) -> Response:
        shown = Player.objects.filter(memberships__tournament__visibility=Visibility.PUBLIC, pk=player_id)
        player = shown.first()
        if player is None:
            raise NotThere("not_found", "There is no such player.")
        return Response(PlayerShown(player).data)


class TeamList(ApiView, ListAPIView[Team]):
    """Teams seen in public tournaments."""

    pagination_class = ByName
    serializer_class = TeamShown

    @extend_schema(parameters=[OpenApiParameter("search", str)])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    def get_queryset(self) -> QuerySet[Team]:
        rows = Team.objects.filter(entries__tournament__visibility=Visibility.PUBLIC).distinct()
        return _searched(rows.select_related("first_player", "second_player"), self.request)


def _searched(rows: QuerySet[M], request: Request) -> QuerySet[M]:
    text = request.query_params.get("search", "").replace("\x00", "")
    return rows.filter(search_name__contains=searchable(text)) if text else rows


def stage_of(view: ApiView, slug: str, number: int) -> Any:
    """The numbered stage of a tournament that the reader may see."""
    tournament = view.tournament(slug)
    stage = tournament.stages.select_related("tournament__champion").filter(number=number).first()
    if stage is None:
        raise NotThere("not_found", "There is no such stage.")
    return stage
