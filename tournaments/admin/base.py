"""The ground of the admin: stored records are read-only, and shown to whoever holds an office in their event.

An account with a place in the admin needs no model permissions: its offices say what it sees, as everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any
from uuid import UUID
from zoneinfo import ZoneInfo

from django.contrib import admin, messages
from django.contrib.admin.options import IncorrectLookupParameters
from django.db.models import Model, Q, QuerySet
from django.forms import Media
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from tournaments.enums import DrawState, Role
from tournaments.forms import REFUSALS, code_of, reason_of
from tournaments.models import Official, Tournament
from tournaments.permissions import RANK, role_of

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
    TabularInline = admin.TabularInline[Any, Any]
else:
    ModelAdmin = admin.ModelAdmin
    TabularInline = admin.TabularInline

EVENTS_IN_FILTER = 50
UTC = "UTC"


def offices_of(user: Any, least: Role) -> QuerySet[Official]:
    """The account's offices of this role or a higher one."""
    return Official.objects.filter(user=user, role__in=[role for role in Role if RANK[role] >= RANK[least]])


def roles_of(request: HttpRequest) -> Collection[Role]:
    """The roles that the account holds in any event; all for an administrator. One query for each request."""
    if request.user.is_superuser:
        return list(Role)
    known: Collection[Role] | None = getattr(request, "roles_anywhere", None)
    if known is None:
        user: Any = request.user
        found = Official.objects.filter(user=user).values_list("role", flat=True)
        known = {Role(role) for role in found}
        setattr(request, "roles_anywhere", known)  # noqa: B010  requests carry what was asked once
    return known


class EventFilter(admin.SimpleListFilter):
    """Rows of one event, of those that the account may see: the newest are offered. One query."""

    title = _("event")
    parameter_name = "event"

    def __init__(self, request: HttpRequest, params: Any, model: Any, model_admin: Any) -> None:
        self.path: str = model_admin.tournament_path
        super().__init__(request, params, model, model_admin)

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        events = Tournament.objects.order_by("-created_at")
        if not request.user.is_superuser:
            events = events.filter(pk__in=offices_of(request.user, Role.SCORER).values("tournament"))
        return [(str(pk), name) for pk, name in events.values_list("pk", "name")[:EVENTS_IN_FILTER]]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if not self.value():
            return queryset
        chosen = _id_of(self.value())
        if chosen is None:
            raise IncorrectLookupParameters
        return queryset.filter(**{self.path: chosen})


class Stored(ModelAdmin):
    """Read-only, and only records of tournaments in which the account has an office.

    `least` is the role that sees them; of a draw that is not published (`stage_path`) only directors see
    anything. Fields named in `hidden` are left out; `shown` are methods that come first.
    """

    tournament_path = "tournament"
    stage_path = ""
    least = Role.SCORER
    hidden: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    list_per_page = 100
    show_full_result_count = False
    change_form_template = "admin/stored.html"
    change_list_template = "admin/stored_list.html"

    @property
    def media(self) -> Media:
        """Nothing is edited, so the scripts of forms stay away."""
        return Media(js=["admin/js/actions.js"])

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows = super().get_queryset(request)
        return rows if request.user.is_superuser else rows.filter(self.own_rows(request.user))

    def own_rows(self, user: Any) -> Q:
        """The rows that an account sees which is no administrator."""
        path = f"{self.tournament_path}__in"
        seen = Q(**{path: offices_of(user, self.least).values("tournament")})
        if self.stage_path:
            published = Q(**{f"{self.stage_path}__draw_state": DrawState.PUBLISHED})
            seen &= published | Q(**{path: offices_of(user, Role.DIRECTOR).values("tournament")})
        return seen

    def tournament_of(self, row: Any) -> Tournament:
        """The event that the row belongs to."""
        for name in self.tournament_path.split("__"):
            row = getattr(row, name)
        assert isinstance(row, Tournament)
        return row

    def role_in(self, request: HttpRequest, row: Any) -> Role | None:
        """The account's role in the row's event."""
        return role_of(request.user, self.tournament_of(row).pk)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        if not self.admin_site.has_permission(request):
            return False
        return any(RANK[role] >= RANK[self.least] for role in roles_of(request))

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> list[Any]:
        out = {"id", "search_name", *self.hidden}
        return [*self.shown, *(one.name for one in self.opts.concrete_fields if one.name not in out)]

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> list[Any]:
        return self.get_fields(request, obj)

    def get_list_filter(self, request: HttpRequest) -> Any:
        return [EventFilter, *self.list_filter] if self.tournament_path else self.list_filter

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        zone = self._zone_of_list(request)
        context = {"title": capfirst(str(self.opts.verbose_name_plural)), "zone": zone}
        return in_zone(super().changelist_view(request, {**context, **(extra_context or {})}), zone)

    def _zone_of_list(self, request: HttpRequest) -> str:
        """The venue's zone when the list is of one event, else UTC."""
        if not self.tournament_path:
            return UTC
        chosen = _id_of(request.GET.get(EventFilter.parameter_name))
        if chosen is None:
            return UTC
        return Tournament.objects.filter(pk=chosen).values_list("time_zone", flat=True).first() or UTC

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> Any:
        obj = kwargs.get("obj")
        zone = self.tournament_of(obj).time_zone if obj is not None and self.tournament_path else UTC
        context |= {"title": str(obj), "subtitle": capfirst(str(self.opts.verbose_name)), "zone": zone}
        if obj is not None:
            context |= self.page_context(request, obj)
        return in_zone(super().render_change_form(request, context, *args, **kwargs), zone)

    def page_context(self, request: HttpRequest, row: Any) -> dict[str, Any]:
        """What the page of one record shows besides its fields."""
        return {}

    def get_action_choices(self, request: HttpRequest, default_choices: Any = ()) -> list[tuple[str, str]]:
        return super().get_action_choices(request, [("", str(_("Choose what to do")))])

    def act(self, request: HttpRequest, rows: QuerySet[Any], do: Callable[[Any], object]) -> None:
        """Do it to each row; what is refused is shown with its reason, and the rest is done."""
        done = 0
        for row in rows:
            try:
                do(row)
                done += 1
            except REFUSALS as refusal:
                text = f"{row}: {reason_of(refusal)} ({code_of(refusal)})"
                self.message_user(request, text, messages.ERROR)
        if done:
            said = ngettext("%(count)d record done.", "%(count)d records done.", done) % {"count": done}
            self.message_user(request, said, messages.SUCCESS)


class Rows(TabularInline):
    """Records that belong to the one of the page: read-only, each with a link to its own page."""

    extra = 0
    can_delete = False
    show_change_link = True
    template = "admin/rows.html"
    joins: tuple[str, ...] = ()

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).select_related(*self.joins)

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> Any:
        return self.fields or ()

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return True

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


def in_zone(response: HttpResponseBase, zone: str) -> HttpResponseBase:
    """The answer with its times in this zone: a page is rendered now, while the zone holds."""
    if isinstance(response, TemplateResponse):
        with timezone.override(ZoneInfo(zone)):
            return response.render()
    return response


def _id_of(text: str | None) -> UUID | None:
    """The id as it stands in an address; None for anything else."""
    try:
        return UUID(text or "")
    except ValueError:
        return None
