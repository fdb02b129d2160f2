"""The log of events, in sentences."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from scoring.director.selectors.log import GROUPS, sentence
from tournaments.admin.base import Stored
from tournaments.enums import Role
from tournaments.models import LogEntry


class GroupFilter(admin.SimpleListFilter):
    """The groups of the log's own page."""

    title = _("what")
    parameter_name = "group"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [(key, word) for key, word, _starts in GROUPS if key]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        starts = next((starts for key, _word, starts in GROUPS if key and key == self.value()), ())
        wanted = Q()
        for start in starts:
            wanted |= Q(action__startswith=start)
        return queryset.filter(wanted)


@admin.register(LogEntry)
class LogEntryAdmin(Stored):
    least = Role.DESK
    hidden = ("actor_link",)
    shown = ("what",)
    list_display = ["at", "tournament", "what", "actor_label", "actor_kind"]
    list_display_links = ["what"]
    list_select_related = ["tournament", "match", "entry"]
    list_filter = [GroupFilter, "actor_kind"]
    search_fields = ["action", "actor_label", "=match__number", "entry__search_name"]

    @admin.display(description=_("What happened"), ordering="action")
    def what(self, entry: LogEntry) -> str:
        return sentence(entry)
