"""Tables and links in Django's admin: stored records are read-only, changes are actions that call the services."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from tables.enums import LinkKind, TableState
from tables.models import AccessLink, Room, SeatAssignment, Seating, Table
from tables.services.calls import table_free
from tables.services.hall import table_update
from tables.services.links import LinkTarget, link_issue, link_reissue, link_revoke
from tournaments.actors import user_actor
from tournaments.errors import Refusal

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
else:
    ModelAdmin = admin.ModelAdmin


class Stored(ModelAdmin):
    """Read-only, and only records of tournaments in which the account has an office."""

    tournament_path = "tournament"
    list_per_page = 100
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows = super().get_queryset(request)
        if request.user.is_superuser:
            return rows
        return rows.filter(**{f"{self.tournament_path}__officials__user": request.user})

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def act(self, request: HttpRequest, rows: QuerySet[Any], do: Callable[[Any], object]) -> None:
        """Do it to each row; what is refused is shown with its reason, and the rest is done."""
        done = 0
        for row in rows:
            try:
                do(row)
                done += 1
            except Refusal as refusal:
                self.message_user(request, f"{row}: {refusal.detail} ({refusal.code})", messages.ERROR)
        if done:
            text = ngettext("%(count)d record done.", "%(count)d records done.", done) % {"count": done}
            self.message_user(request, text, messages.SUCCESS)


@admin.register(Room)
class RoomAdmin(Stored):
    list_display = ["name", "tournament"]
    list_select_related = ["tournament"]
    search_fields = ["name", "tournament__name"]


@admin.register(Table)
class TableAdmin(Stored):
    list_display = ["number", "tournament", "room", "state", "fixed_entry"]
    list_select_related = ["tournament", "room", "fixed_entry"]
    list_filter = ["state"]
    search_fields = ["=number", "tournament__name", "room__name"]
    actions = ["open_tables", "reserve_tables", "close_tables", "free_tables", "issue_links", "renew_links"]

    @admin.action(description=_("Open: send matches there"))
    def open_tables(self, request: HttpRequest, rows: QuerySet[Table]) -> None:
        self._set_state(request, rows, TableState.OPEN)

    @admin.action(description=_("Reserve: send nobody there"))
    def reserve_tables(self, request: HttpRequest, rows: QuerySet[Table]) -> None:
        self._set_state(request, rows, TableState.RESERVED)

    @admin.action(description=_("Close: not in use"))
    def close_tables(self, request: HttpRequest, rows: QuerySet[Table]) -> None:
        self._set_state(request, rows, TableState.CLOSED)

    @admin.action(description=_("Free for the next match"))
    def free_tables(self, request: HttpRequest, rows: QuerySet[Table]) -> None:
        actor = user_actor(request.user)
        self.act(request, rows, lambda table: table_free(table_id=table.pk, actor=actor))

    @admin.action(description=_("Issue links where missing"))
    def issue_links(self, request: HttpRequest, rows: QuerySet[Table]) -> None:
        actor = user_actor(request.user)
        self.act(
            request, rows, lambda table: link_issue(target=LinkTarget(LinkKind.TABLE, table.pk), actor=actor)
        )

    @admin.action(description=_("Replace links by new ones"))
    def renew_links(self, request: HttpRequest, rows: QuerySet[Table]) -> None:
        actor = user_actor(request.user)
        self.act(
            request,
            rows,
            lambda table: link_reissue(target=LinkTarget(LinkKind.TABLE, table.pk), actor=actor),
        )

    def _set_state(self, request: HttpRequest, rows: QuerySet[Table], state: TableState) -> None:
        actor = user_actor(request.user)
        self.act(request, rows, lambda table: table_update(table_id=table.pk, actor=actor, state=state))


@admin.register(Seating)
class SeatingAdmin(Stored):
    tournament_path = "table__tournament"
    list_display = ["match", "table", "called_at", "freed_at"]
    list_select_related = ["match", "table"]
    list_filter = [("freed_at", admin.EmptyFieldListFilter)]
    search_fields = ["=match__number", "=table__number", "table__tournament__name"]


@admin.register(SeatAssignment)
class SeatAssignmentAdmin(Stored):
    tournament_path = "match__tournament"
    list_display = ["match", "seat", "player"]
    list_select_related = ["match", "player"]
    search_fields = ["=match__number", "player__search_name"]


@admin.register(AccessLink)
class AccessLinkAdmin(Stored):
    list_display = [
        "kind",
        "tournament",
        "table",
        "entry",
        "match",
        "seat",
        "created_at",
        "revoked_at",
        "failed_tries",
    ]
    list_select_related = ["tournament", "table", "entry", "match"]
    list_filter = ["kind", ("revoked_at", admin.EmptyFieldListFilter)]
    search_fields = ["entry__search_name", "=table__number", "tournament__name"]
    actions = ["revoke_links", "renew_links"]

    @admin.action(description=_("Revoke"))
    def revoke_links(self, request: HttpRequest, rows: QuerySet[AccessLink]) -> None:
        actor = user_actor(request.user)
        live = rows.filter(revoked_at__isnull=True)
        self.act(request, live, lambda link: link_revoke(target=_target_of(link), actor=actor))

    @admin.action(description=_("Replace by new ones"))
    def renew_links(self, request: HttpRequest, rows: QuerySet[AccessLink]) -> None:
        actor = user_actor(request.user)
        live = rows.filter(revoked_at__isnull=True)
        self.act(request, live, lambda link: link_reissue(target=_target_of(link), actor=actor))


def _target_of(link: AccessLink) -> LinkTarget:
    """What the link opens; all links of one target are one to the services."""
    target_id = link.table_id or link.entry_id or link.match_id
    assert target_id is not None
    return LinkTarget(LinkKind(link.kind), target_id, link.seat)
