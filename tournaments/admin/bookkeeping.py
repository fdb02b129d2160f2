"""The program's own bookkeeping."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from tournaments.admin.base import Stored
from tournaments.enums import Role
from tournaments.models import IdempotencyRecord, Revision


@admin.register(Revision)
class RevisionAdmin(Stored):
    """How often each part of an event's pages has changed."""

    least = Role.DESK
    list_display = ["part", "tournament", "number", "changed_at"]
    list_select_related = ["tournament"]
    search_fields = ["=part", "tournament__name"]


@admin.register(IdempotencyRecord)
class IdempotencyRecordAdmin(Stored):
    """Requests that were answered already; the answers themselves are not shown. Administrators only."""

    tournament_path = ""
    hidden = ("body", "fingerprint")
    list_display = ["key", "scope", "status", "created_at"]
    list_filter = ["status"]
    search_fields = ["key", "scope"]

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.admin_site.has_permission(request) and request.user.is_superuser
