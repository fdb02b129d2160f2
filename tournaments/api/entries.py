"""Teams in a tournament."""

from typing import Any
from uuid import UUID

from django.db.models import Prefetch, QuerySet
from drf_spectacular.utils import OpenApiParameter, PolymorphicProxySerializer, extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.actors import Actor
from tournaments.api.base import ApiView, ByNumber
from tournaments.api.bracket import PREVIEW_PARAMETER, preview_shown, wants_preview
from tournaments.api.serializers import (
    Changed,
    EntriesNamed,
    EntryChanges,
    EntryShown,
    NewEntryFields,
    PreviewShown,
    Removed,
    SeedsFields,
    SubstituteFields,
    WhyFields,
)
from tournaments.api.tournaments import stage_of
from tournaments.enums import Role
from tournaments.errors import NotThere, Unreadable
from tournaments.models import Entry, EntryPlayer, Tournament
from tournaments.permissions import require_role
from tournaments.selectors.preview import withdrawal_preview
from tournaments.services import entry as service
from tournaments.services.field import entries_remove, seeds_set
from tournaments.services.late import entry_add_late


def entries_shown(tournament: Tournament) -> QuerySet[Entry]:
    """Entries with their players of now as `current_members`. Two queries."""
    members = EntryPlayer.objects.filter(until__isnull=True).select_related("player").order_by("position")
    return Entry.objects.filter(tournament=tournament).prefetch_related(
        Prefetch("members", queryset=members, to_attr="current_members")
    )


class EntryList(ApiView, ListAPIView[Entry]):
    pagination_class = ByNumber
    serializer_class = EntryShown
    filterset_fields = ["status", "seed"]

    def get_queryset(self) -> QuerySet[Entry]:
        if getattr(self, "swagger_fake_view", False):
            return Entry.objects.none()
        return entries_shown(self.tournament(self.kwargs["slug"]))

    @extend_schema(request=NewEntryFields, responses={201: EntryShown})
    def post(self, request: Request, slug: str) -> Response:
        """Enter a team."""
        actor = self.signed_in_actor()
        tournament = self.tournament(slug)
        fields = NewEntryFields(data=request.data)
        fields.is_valid(raise_exception=True)
        made = service.entries_add(tournament_id=tournament.pk, entries=[fields.validated_data], actor=actor)
        return Response(EntryShown(entries_shown(tournament).get(pk=made[0].pk)).data, status=201)


class EntryRemoval(ApiView):
    @extend_schema(request=EntriesNamed, responses=Removed)
    def post(self, request: Request, slug: str) -> Response:
        """Take teams off the list as if they had never been entered, all or none; later a team withdraws."""
        actor = self.signed_in_actor()
        tournament = self.tournament(slug)
        require_role(actor, tournament, Role.DESK)
        fields = EntriesNamed(data=request.data)
        fields.is_valid(raise_exception=True)
        ids = fields.validated_data["entries"]
        removed = entries_remove(tournament_id=tournament.pk, entry_ids=ids, actor=actor)
        return Response({"removed": removed})


class Seeds(ApiView):
    @extend_schema(request=SeedsFields, responses=Changed)
    def put(self, request: Request, slug: str) -> Response:
        """Give several teams their seeds at once, all or none: two of them can change places."""
        actor = self.signed_in_actor()
        tournament = self.tournament(slug)
        require_role(actor, tournament, Role.DESK)
        fields = SeedsFields(data=request.data)
        fields.is_valid(raise_exception=True)
        seeds = {row["entry"]: row["seed"] for row in fields.validated_data["seeds"]}
        return Response({"changed": seeds_set(tournament_id=tournament.pk, seeds=seeds, actor=actor)})


class LateEntries(ApiView):
    @extend_schema(request=NewEntryFields, responses={201: EntryShown})
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Enter a team after the draw, in the place of a bye of round one, while nothing is played."""
        actor = self.signed_in_actor()
        stage = stage_of(self, slug, number)
        require_role(actor, stage.tournament, Role.DIRECTOR)
        fields = NewEntryFields(data=request.data)
        fields.is_valid(raise_exception=True)
        made = entry_add_late(stage_id=stage.pk, entry=fields.validated_data, actor=actor)
        shown = entries_shown(stage.tournament).get(pk=made.pk)
        return Response(EntryShown(shown).data, status=201)


class EntryDetail(ApiView):
    @extend_schema(responses=EntryShown)
    def get(self, request: Request, slug: str, entry_id: UUID) -> Response:
        return Response(self.shown(slug, entry_id))

    @extend_schema(request=EntryChanges, responses=EntryShown)
    def patch(self, request: Request, slug: str, entry_id: UUID) -> Response:
        actor = self.signed_in_actor()
        entry = self.entry(slug, entry_id)
        fields = EntryChanges(data=request.data, partial=True)
        fields.is_valid(raise_exception=True)
        service.entry_update(entry_id=entry.pk, actor=actor, **fields.validated_data)
        return Response(self.shown(slug, entry_id))

    def entry(self, slug: str, entry_id: UUID) -> Entry:
        """The entry, which has to belong to this tournament."""
        entry = Entry.objects.filter(tournament=self.tournament(slug), pk=entry_id).first()
        if entry is None:
            raise NotThere("not_found", "There is no such entry.")
        return entry

    def shown(self, slug: str, entry_id: UUID) -> Any:
        entry = entries_shown(self.tournament(slug)).filter(pk=entry_id).first()
        if entry is None:
            raise NotThere("not_found", "There is no such entry.")
        return EntryShown(entry).data


ENTRY_ACTS = ("check-in", "check-out", "withdraw", "disqualify", "reinstate", "substitute")
LEAVING = {"withdraw": Role.DESK, "disqualify": Role.DIRECTOR}
"""The acts that can be previewed, and who may do them."""


class EntryAct(EntryDetail):
    http_method_names = ["post", "options"]

    @extend_schema(
        operation_id="tournaments_entries_act",
        request=PolymorphicProxySerializer(
            component_name="EntryActFields",
            serializers=[SubstituteFields, WhyFields],
            resource_type_field_name=None,
        ),
        responses=PolymorphicProxySerializer(
            component_name="EntryOrPreview",
            serializers=[EntryShown, PreviewShown],
            resource_type_field_name=None,
        ),
        parameters=[
            OpenApiParameter("act", str, OpenApiParameter.PATH, enum=sorted(ENTRY_ACTS)),
            PREVIEW_PARAMETER,
        ],
    )
    def post(self, request: Request, slug: str, entry_id: UUID, act: str) -> Response:
        """Check in or out, withdraw, disqualify, reinstate, or substitute a partner.

        A withdrawal and a disqualification can be previewed.
        """
        actor = self.signed_in_actor()
        entry = self.entry(slug, entry_id)
        # The role comes first: a stranger learns nothing from what would be wrong with the fields.
        require_role(actor, entry.tournament, Role.DESK)
        shape = SubstituteFields if act == "substitute" else WhyFields
        fields = shape(data=request.data)
        fields.is_valid(raise_exception=True)
        if wants_preview(request) and act in ENTRY_ACTS:
            return _preview(act, entry, actor)
        _act(act, entry, actor, fields.validated_data)
        return Response(self.shown(slug, entry_id))


def _preview(act: str, entry: Entry, actor: Actor) -> Response:
    if act not in LEAVING:
        # Doing it instead would be worse than saying that nobody can tell.
        raise Unreadable("no_preview", "Only a withdrawal and a disqualification can be previewed.", act=act)
    require_role(actor, entry.tournament, LEAVING[act])
    return preview_shown(withdrawal_preview(entry).changes)


def _act(act: str, entry: Entry, actor: Actor, fields: dict[str, Any]) -> None:
    if act in {"check-in", "check-out"}:
        service.entry_check_in(entry_id=entry.pk, actor=actor, here=act == "check-in")
    elif act in {"withdraw", "disqualify"}:
        service.entry_withdraw(
            entry_id=entry.pk, actor=actor, reason=fields["reason"], disqualified=act == "disqualify"
        )
    elif act == "reinstate":
        service.entry_reinstate(entry_id=entry.pk, actor=actor)
    elif act == "substitute":
        service.entry_substitute(
            entry_id=entry.pk,
            leaving=fields["leaving"],
            name=fields["name"],
            player_id=fields["player"],
            reason=fields["reason"],
            actor=actor,
        )
    else:
        raise NotThere("not_found", "There is no such act.")
