"""Messages to everybody."""

from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.base import PAGE_PARAMETERS, ApiView, Newest
from tournaments.api.serializers import MessageFields, MessagePage, MessageShown
from tournaments.enums import Role
from tournaments.errors import NotThere
from tournaments.models import Announcement
from tournaments.permissions import require_role
from tournaments.selectors.announcements import showing
from tournaments.services.announcement import announcement_end, announcement_make

ALL_PARAMETER = OpenApiParameter(
    "all", bool, description="With 1: also those that are over. For the desk and above."
)


class MessageList(ApiView):
    guarded_reads = True

    @extend_schema(responses=MessagePage, parameters=[ALL_PARAMETER, *PAGE_PARAMETERS])
    def get(self, request: Request, slug: str) -> Response:
        """What everybody sees now, newest first."""
        tournament = self.tournament(slug)
        rows = showing(tournament.pk, timezone.now())
        if request.query_params.get("all") == "1":
            require_role(self.signed_in_actor(), tournament, Role.DESK)
            rows = Announcement.objects.filter(tournament=tournament)
        return self.conditional(tournament, "messages", lambda: self.page(rows, MessageShown, Newest()))

    @extend_schema(request=MessageFields, responses={201: MessageShown})
    def post(self, request: Request, slug: str) -> Response:
        """Say something to everybody. The same text while it still shows is that message."""
        actor = self.signed_in_actor()
        tournament = self.tournament(slug)
        require_role(actor, tournament, Role.DESK)
        fields = MessageFields(data=request.data)
        fields.is_valid(raise_exception=True)
        made = announcement_make(tournament_id=tournament.pk, actor=actor, **fields.validated_data)
        return Response(MessageShown(made).data, status=201)


class MessageEnd(ApiView):
    @extend_schema(request=None, responses=MessageShown)
    def post(self, request: Request, slug: str, message_id: UUID) -> Response:
        """Show the message no longer. Ending it again changes nothing."""
        actor = self.signed_in_actor()
        tournament = self.tournament(slug)
        require_role(actor, tournament, Role.DESK)
        found = Announcement.objects.filter(pk=message_id, tournament=tournament).first()
        if found is None:
            raise NotThere("not_found", "There is no such message.")
        return Response(MessageShown(announcement_end(announcement_id=found.pk, actor=actor)).data)
