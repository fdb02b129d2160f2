"""Tables, calls, and the links that open them."""

from typing import Any
from uuid import UUID

import django_filters
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from tables.addresses import link_address
from tables.api import serializers as shapes
from tables.enums import LinkKind, SeatName, TableState
from tables.models import AccessLink, Table
from tables.selectors.links import LinkContents, label_of, link_contents, live_links
from tables.selectors.tables import tables_shown
from tables.services import calls, codes, links
from tables.services.hall import table_update, tables_add
from tables.services.links import LinkTarget
from tables.tokens import code_of, token_of
from tournaments.actors import Actor
from tournaments.api.base import PAGE_PARAMETERS, ApiView, ByNumber, SecretView
from tournaments.api.bracket import matches_shown
from tournaments.api.serializers import MatchShown, ResultShown, Revoked, result_shown
from tournaments.enums import Role
from tournaments.errors import NotThere
from tournaments.models import Entry, Tournament
from tournaments.permissions import may_view, require_role


class TableFilter(django_filters.FilterSet):
    room = django_filters.CharFilter(field_name="room__name")

    class Meta:
        model = Table
        fields = ["number", "state", "room"]


class TableView(ApiView):
    """Base of the views of tables."""

    def table(self, table_id: UUID) -> Table:
        """The table as it is shown, or NotThere for those who may not see its tournament."""
        table = tables_shown().filter(pk=table_id).first()
        if table is None or not may_view(self.actor, table.tournament):
            raise NotThere("not_found", "There is no such table.")
        return table

    def desk_table(self, table_id: UUID) -> tuple[Actor, Table]:
        """The table for a write; the role comes first, so that a stranger learns nothing else."""
        actor = self.signed_in_actor()
        table = self.table(table_id)
        require_role(actor, table.tournament, Role.DESK)
        return actor, table

    def shown(self, table_id: UUID) -> Response:
        return Response(shapes.TableShown(self.table(table_id)).data)


LIST_PARAMETERS = [
    OpenApiParameter("number", int),
    OpenApiParameter("state", str, enum=TableState.values),
    OpenApiParameter("room", str, description="Name of the room."),
    *PAGE_PARAMETERS,
]


class TableList(ApiView):
    filterset_class = TableFilter

    @extend_schema(responses=shapes.TablePage, parameters=LIST_PARAMETERS)
    def get(self, request: Request, slug: str) -> Response:
        """The tables in the order of their numbers, each with the match that sits there."""
        tournament = self.tournament(slug)
        rows = tables_shown().filter(tournament=tournament)
        return self.conditional(tournament, "tables", lambda: self.page(rows, shapes.TableShown, ByNumber()))

    @extend_schema(request=shapes.NewTables, responses={201: shapes.TableShown(many=True)})
    def post(self, request: Request, slug: str) -> Response:
        """Set up the next `count` tables, or those with `numbers`; all or none."""
        actor = self.signed_in_actor()
        tournament = self.tournament(slug)
        require_role(actor, tournament, Role.DESK)
        fields = shapes.NewTables(data=request.data)
        fields.is_valid(raise_exception=True)
        made = tables_add(tournament_id=tournament.pk, actor=actor, **fields.validated_data)
        rows = tables_shown().filter(pk__in=[table.pk for table in made]).order_by("number")
        return Response(shapes.TableShown(rows, many=True).data, status=201)


class TableDetail(TableView):
    @extend_schema(responses=shapes.TableDetailShown)
    def get(self, request: Request, table_id: UUID) -> Response:
        table = self.table(table_id)
        return self.conditional(table.tournament, "tables", lambda: dict(shapes.TableShown(table).data))

    @extend_schema(request=shapes.TableChanges, responses=shapes.TableShown)
    def patch(self, request: Request, table_id: UUID) -> Response:
        """Open, reserve or close a table, put it into a room, or fix it for a team; from the next match on."""
        actor, table = self.desk_table(table_id)
        fields = shapes.TableChanges(data=request.data, partial=True)
        fields.is_valid(raise_exception=True)
        table_update(table_id=table.pk, actor=actor, **fields.validated_data)
        return self.shown(table_id)


class TableCall(TableView):
    @extend_schema(request=shapes.TableCallFields, responses=shapes.TableShown)
    def post(self, request: Request, table_id: UUID) -> Response:
        """Call a ready match to this table. The same call again changes nothing."""
        actor, table = self.desk_table(table_id)
        fields = shapes.TableCallFields(data=request.data)
        fields.is_valid(raise_exception=True)
        calls.match_call(match_id=fields.validated_data["match"], table_id=table.pk, actor=actor)
        return self.shown(table_id)


class TableFree(TableView):
    @extend_schema(request=None, responses=shapes.TableShown)
    def post(self, request: Request, table_id: UUID) -> Response:
        """Give the table to the next match; a called match becomes ready again."""
        actor, table = self.desk_table(table_id)
        calls.table_free(table_id=table.pk, actor=actor)
        return self.shown(table_id)


class TableReserve(TableView):
    @extend_schema(request=None, responses=shapes.TableShown)
    def post(self, request: Request, table_id: UUID) -> Response:
        """Send nobody here any more, save by hand and the team whose fixed table it is."""
        actor, table = self.desk_table(table_id)
        table_update(table_id=table.pk, actor=actor, state=TableState.RESERVED)
        return self.shown(table_id)


class MatchStart(ApiView):
    @extend_schema(request=None, responses=MatchShown)
    def post(self, request: Request, match_id: UUID) -> Response:
        """They sit down and play. Saying it again changes nothing."""
        actor = self.signed_in_actor()
        calls.match_start(match_id=self.match(match_id).pk, actor=actor)
        return Response(MatchShown(matches_shown().get(pk=match_id)).data)


class MatchMove(TableView):
    @extend_schema(request=shapes.MoveFields, responses=shapes.TableShown)
    def post(self, request: Request, match_id: UUID) -> Response:
        """Move a called match, or one under way, to another free table."""
        actor = self.signed_in_actor()
        match = self.match(match_id)
        require_role(actor, match.tournament, Role.DESK)
        fields = shapes.MoveFields(data=request.data)
        fields.is_valid(raise_exception=True)
        table_id = fields.validated_data["table"]
        calls.match_move(match_id=match.pk, table_id=table_id, actor=actor)
        return self.shown(table_id)


class ResultConfirmWithCode(ApiView):
    more_refusals = (429,)

    @extend_schema(request=shapes.CodeFields, responses=ResultShown)
    def post(self, request: Request, match_id: UUID) -> Response:
        """Settle an entry with the four digits of the other side, typed on the phone that entered it.

        403 `code_wrong` says how many tries are left; 429 `code_locked` until when there are none.
        """
        actor = self.signed_in_actor()
        match = self.match(match_id)
        fields = shapes.CodeFields(data=request.data)
        fields.is_valid(raise_exception=True)
        result = codes.result_confirm_with_code(match_id=match.pk, actor=actor, **fields.validated_data)
        return Response(result_shown(result))


class LinkWrite(SecretView, TableView):
    """Base of the views that issue links and take them back."""

    def desk_actor(self, tournament: Tournament) -> Actor:
        """The actor, who needs the desk's role; NotThere for those who may not see the tournament."""
        actor = self.signed_in_actor()
        require_role(actor, tournament, Role.DESK)
        return actor

    def issue(self, request: Request, target: LinkTarget, actor: Actor) -> Response:
        fields = shapes.IssueFields(data=request.data)
        fields.is_valid(raise_exception=True)
        act = links.link_reissue if fields.validated_data["renew"] else links.link_issue
        link = live_links().get(pk=act(target=target, actor=actor).pk)
        return Response(shapes.LinkIssued(link_issued(request, link)).data, status=201)

    def revoke(self, target: LinkTarget, actor: Actor) -> Response:
        return Response({"revoked": links.link_revoke(target=target, actor=actor)})

    def entry(self, entry_id: UUID) -> Entry:
        entry = Entry.objects.select_related("tournament").filter(pk=entry_id).first()
        if entry is None or not may_view(self.actor, entry.tournament):
            raise NotThere("not_found", "There is no such entry.")
        return entry


class TableLink(LinkWrite):
    @extend_schema(request=shapes.IssueFields, responses={201: shapes.LinkIssued})
    def post(self, request: Request, table_id: UUID) -> Response:
        """The table's link, made when there is none; with `renew` a new one in its place."""
        actor, table = self.desk_table(table_id)
        return self.issue(request, LinkTarget(LinkKind.TABLE, table.pk), actor)


class TableRevokeLink(LinkWrite):
    @extend_schema(request=None, responses=Revoked)
    def post(self, request: Request, table_id: UUID) -> Response:
        """The table's link opens nothing any more."""
        actor, table = self.desk_table(table_id)
        return self.revoke(LinkTarget(LinkKind.TABLE, table.pk), actor)


class EntryLink(LinkWrite):
    @extend_schema(request=shapes.IssueFields, responses={201: shapes.LinkIssued})
    def post(self, request: Request, entry_id: UUID) -> Response:
        """The team's link and code, made when there are none; with `renew` new ones in their place."""
        entry = self.entry(entry_id)
        return self.issue(request, LinkTarget(LinkKind.TEAM, entry.pk), self.desk_actor(entry.tournament))


class EntryRevokeLink(LinkWrite):
    @extend_schema(request=None, responses=Revoked)
    def post(self, request: Request, entry_id: UUID) -> Response:
        """The team's link opens nothing any more, and its code confirms nothing."""
        entry = self.entry(entry_id)
        return self.revoke(LinkTarget(LinkKind.TEAM, entry.pk), self.desk_actor(entry.tournament))


SEAT_PARAMETER = OpenApiParameter("seat", str, OpenApiParameter.PATH, enum=SeatName.values)


class SeatLink(LinkWrite):
    @extend_schema(
        request=shapes.IssueFields, responses={201: shapes.LinkIssued}, parameters=[SEAT_PARAMETER]
    )
    def post(self, request: Request, match_id: UUID, seat: str) -> Response:
        """The link of one seat of a match, made when there is none; with `renew` a new one in its place."""
        match = self.match(match_id)
        actor = self.desk_actor(match.tournament)
        return self.issue(request, LinkTarget(LinkKind.SEAT, match.pk, seat), actor)


class SeatRevokeLink(LinkWrite):
    @extend_schema(request=None, responses=Revoked, parameters=[SEAT_PARAMETER])
    def post(self, request: Request, match_id: UUID, seat: str) -> Response:
        """The link of this seat opens nothing any more."""
        match = self.match(match_id)
        return self.revoke(LinkTarget(LinkKind.SEAT, match.pk, seat), self.desk_actor(match.tournament))


class TournamentLinks(LinkWrite):
    @extend_schema(request=None, responses=shapes.LinksIssued)
    def post(self, request: Request, slug: str) -> Response:
        """The links of all tables and teams with their tokens and codes, made where missing."""
        tournament = self.tournament(slug)
        made = links.links_issue(tournament_id=tournament.pk, actor=self.desk_actor(tournament))
        rows: dict[str, list[dict[str, Any]]] = {LinkKind.TABLE: [], LinkKind.TEAM: []}
        for link in made:
            rows[link.kind].append(link_issued(request, link))
        answer = {"tables": rows[LinkKind.TABLE], "teams": rows[LinkKind.TEAM]}
        return Response(shapes.LinksIssued(answer).data)


class LinkDetail(ApiView):
    @extend_schema(responses=shapes.LinkOpens)
    def get(self, request: Request) -> Response:
        """What the link of this request opens now: the table, the match, the teams and who sits where."""
        actor = self.actor
        link = None
        if actor.link_id is not None:
            link = live_links().select_related("tournament").filter(pk=actor.link_id).first()
        if link is None:
            raise NotAuthenticated("Open a link first.", code="link_required")
        return Response(shapes.LinkOpens(link_opens(link_contents(link))).data)


def link_issued(request: Request, link: AccessLink) -> dict[str, Any]:
    """A link with its secrets, for the desk."""
    token = token_of(link.pk)
    address = link_address(request._request, token)
    return {
        "kind": link.kind,
        "table": link.table.number if link.table else None,
        "entry": link.entry_id,
        "number": link.entry.number if link.entry else None,
        "name": label_of(link),
        "match": link.match.code if link.match else None,
        "seat": link.seat,
        "token": token,
        "url": address,
        "qr": f"{address}qr.svg",
        "code": code_of(link.pk) if link.kind == LinkKind.TEAM else None,
    }


def link_opens(contents: LinkContents) -> dict[str, Any]:
    """What the holder is told; no secrets."""
    link, match = contents.link, contents.match
    return {
        "kind": link.kind,
        "tournament": link.tournament.slug,
        "table": contents.table.number if contents.table else None,
        "entry": link.entry,
        "side": contents.side,
        "seat": link.seat,
        "match": match
        and {
            "id": match.pk,
            "code": match.code,
            "round": match.round.key,
            "best_of": match.best_of,
            "state": match.state,
            "result_version": match.result_version,
            "teams": {side: contents.teams.get(side) for side in ("NS", "EW")},
            "seats": {
                seat: {"player": player.pk, "name": player.name} for seat, player in contents.seats.items()
            },
        },
    }
