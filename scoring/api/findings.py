"""Cases of fair play. A director reads and reviews them; to everybody else none of them exists."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.director_findings import words
from scoring.enums import FindingOutcome
from scoring.models import Finding
from scoring.selectors.findings import cases_of, coverage_of
from scoring.services.declarations import match_from_paper, player_account, tournament_from_paper
from scoring.services.review import finding_close, finding_note, finding_reopen, finding_view, findings_close
from tournaments.api.base import ApiView, ByNumber
from tournaments.api.serializers import PlayerShown
from tournaments.enums import Role
from tournaments.models import Tournament
from tournaments.permissions import require_role

PRIVATE = "private, no-store"


class FindingShown(serializers.ModelSerializer[Finding]):
    """A case without its evidence. `sentence` names nobody."""

    match = serializers.CharField(source="match.code")
    sentence = serializers.SerializerMethodField()

    class Meta:
        model = Finding
        fields = [
            "number",
            "detector",
            "version",
            "tier",
            "code",
            "sentence",
            "match",
            "state",
            "outcome",
            "found_at",
            "changed_at",
            "gone_at",
        ]

    def get_sentence(self, finding: Finding) -> str:
        zone = finding.tournament.time_zone
        return words.sentence(finding.code, finding.body["facts"], words.Say(zone))


class CaseShown(FindingShown):
    """A case with everything that is kept for an audit."""

    facts = serializers.DictField(source="body.facts")
    figures = serializers.ListField(source="body.figures")
    toward = serializers.ListField(source="body.toward")
    away = serializers.ListField(source="body.away")
    reasons = serializers.ListField(source="body.reasons")
    hand = serializers.UUIDField(source="hand_id", allow_null=True)

    class Meta(FindingShown.Meta):
        fields = [
            *FindingShown.Meta.fields,
            "facts",
            "figures",
            "toward",
            "away",
            "reasons",
            "hand",
            "note",
            "reviewed_label",
            "reviewed_at",
        ]


class NoteFields(serializers.Serializer[Any]):
    note = serializers.CharField(max_length=4000)


class CloseFields(serializers.Serializer[Any]):
    outcome = serializers.ChoiceField(FindingOutcome.choices)
    note = serializers.CharField(max_length=4000, required=False, default="", allow_blank=True)


class CloseTogetherFields(serializers.Serializer[Any]):
    numbers = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=10**8), min_length=1, max_length=500
    )
    outcome = serializers.ChoiceField(FindingOutcome.choices)
    note = serializers.CharField(max_length=4000)


class ClosedShown(serializers.Serializer[Any]):
    closed = serializers.IntegerField(help_text="How many were open until now.")


class PaperFields(serializers.Serializer[Any]):
    from_paper = serializers.BooleanField()


class AccountFields(serializers.Serializer[Any]):
    username = serializers.CharField(max_length=150, allow_blank=True, help_text="Empty: untie it.")


class CoverageShown(serializers.Serializer[Any]):
    """How much was looked at, and what could not be tested: that is not the same as all being well."""

    matches = serializers.IntegerField()
    matches_done = serializers.IntegerField()
    hands_full = serializers.IntegerField()
    hands_bid = serializers.IntegerField()
    hands_marks = serializers.IntegerField()
    set_aside = serializers.IntegerField()
    untestable = serializers.ListField(child=serializers.ListField())


class ByCase(ByNumber):
    """Pages of 100 cases, newest first."""

    ordering = "-number"


class DirectorView(ApiView):
    """Base: the tournament for a director; 404 for a private one that the reader may not see, 403 for others."""

    guarded_reads = True

    def directed(self, slug: str) -> Tournament:
        actor = self.signed_in_actor()
        tournament = self.tournament(slug)
        require_role(actor, tournament, Role.DIRECTOR)
        return tournament

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        response["Cache-Control"] = PRIVATE
        return response


class FindingList(DirectorView, ListAPIView[Finding]):
    """The cases of a tournament, newest first. Directors only."""

    pagination_class = ByCase
    serializer_class = FindingShown
    filterset_fields = ["state", "detector"]

    def get_queryset(self) -> QuerySet[Finding]:
        if getattr(self, "swagger_fake_view", False):
            return Finding.objects.none()
        return cases_of(self.directed(self.kwargs["slug"])).select_related("tournament")


class FindingCoverage(DirectorView):
    @extend_schema(responses=CoverageShown)
    def get(self, request: Request, slug: str) -> Response:
        """What was looked at, and what could not be tested. Directors only."""
        return Response(CoverageShown(coverage_of(self.directed(slug))).data)


class FindingDetail(DirectorView):
    @extend_schema(responses=CaseShown)
    def get(self, request: Request, slug: str, number: int) -> Response:
        """One case with its evidence. The look is kept. Directors only."""
        tournament = self.directed(slug)
        finding = finding_view(tournament_id=tournament.pk, number=number, actor=self.actor, named=True)
        return Response(CaseShown(finding).data)


class FindingNote(DirectorView):
    @extend_schema(request=NoteFields, responses=CaseShown)
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Keep a note. Directors only."""
        tournament = self.directed(slug)
        fields = NoteFields(data=request.data)
        fields.is_valid(raise_exception=True)
        note = fields.validated_data["note"]
        return Response(
            CaseShown(
                finding_note(tournament_id=tournament.pk, number=number, note=note, actor=self.actor)
            ).data
        )


class FindingClose(DirectorView):
    @extend_schema(request=CloseFields, responses=CaseShown)
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Close a case with an outcome. Directors only."""
        tournament = self.directed(slug)
        fields = CloseFields(data=request.data)
        fields.is_valid(raise_exception=True)
        closed = finding_close(
            tournament_id=tournament.pk, number=number, actor=self.actor, **fields.validated_data
        )
        return Response(CaseShown(closed).data)


class FindingsClose(DirectorView):
    @extend_schema(
        operation_id="tournaments_findings_close_together", request=CloseTogetherFields, responses=ClosedShown
    )
    def post(self, request: Request, slug: str) -> Response:
        """Close several cases alike, all or none, with one note. Directors only."""
        tournament = self.directed(slug)
        fields = CloseTogetherFields(data=request.data)
        fields.is_valid(raise_exception=True)
        closed = findings_close(tournament_id=tournament.pk, actor=self.actor, **fields.validated_data)
        return Response({"closed": closed})


class FindingReopen(DirectorView):
    @extend_schema(request=None, responses=CaseShown)
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Open a closed case again. Directors only."""
        tournament = self.directed(slug)
        opened = finding_reopen(tournament_id=tournament.pk, number=number, actor=self.actor)
        return Response(CaseShown(opened).data)


class MatchFromPaper(ApiView):
    @extend_schema(request=PaperFields, responses=PaperFields)
    def post(self, request: Request, match_id: UUID) -> Response:
        """Declare that what is entered for the match is copied from paper, so its times say nothing."""
        actor = self.signed_in_actor()
        match = self.match(match_id)
        fields = PaperFields(data=request.data)
        fields.is_valid(raise_exception=True)
        declared = match_from_paper(
            match_id=match.pk, from_paper=fields.validated_data["from_paper"], actor=actor
        )
        return Response({"from_paper": declared.from_paper})


class TournamentFromPaper(DirectorView):
    @extend_schema(request=PaperFields, responses=PaperFields)
    def post(self, request: Request, slug: str) -> Response:
        """Declare the same for every match of the tournament. Directors only."""
        tournament = self.directed(slug)
        fields = PaperFields(data=request.data)
        fields.is_valid(raise_exception=True)
        declared = tournament_from_paper(
            tournament_id=tournament.pk, from_paper=fields.validated_data["from_paper"], actor=self.actor
        )
        return Response({"from_paper": declared.from_paper})


class PlayerAccount(DirectorView):
    @extend_schema(request=AccountFields, responses=PlayerShown)
    def put(self, request: Request, slug: str, player_id: UUID) -> Response:
        """Tie an account to a player of the tournament. Directors only."""
        tournament = self.directed(slug)
        fields = AccountFields(data=request.data)
        fields.is_valid(raise_exception=True)
        player = player_account(
            tournament_id=tournament.pk,
            player_id=player_id,
            username=fields.validated_data["username"],
            actor=self.actor,
        )
        return Response(PlayerShown(player).data)
