"""All public tournaments: those going on first, then those to come, then the past."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, F, Q

from tournaments.enums import EntryStatus, Lifecycle, Visibility
from tournaments.models import Tournament

PAST = 100


@dataclass(frozen=True, slots=True)
class Listed:
    """One line of the archive."""

    slug: str
    name: str
    venue: str
    time_zone: str
    starts_at: datetime | None
    state: str
    teams: int
    champion: str
    is_simulated: bool

    @property
    def url(self) -> str:
        return f"/t/{self.slug}/"

    @property
    def is_running(self) -> bool:
        return self.state == Lifecycle.RUNNING

    @property
    def is_past(self) -> bool:
        return self.state in {Lifecycle.FINISHED, Lifecycle.ARCHIVED}


def listed() -> list[Listed]:
    """Public tournaments that are announced, newest first. One query."""
    gone = [EntryStatus.WITHDRAWN, EntryStatus.DISQUALIFIED]
    rows = (
        Tournament.objects.filter(visibility=Visibility.PUBLIC)
        .exclude(state=Lifecycle.DRAFT)
        .annotate(teams=Count("entries", filter=~Q(entries__status__in=gone)))
        .order_by(F("starts_at").desc(nulls_first=True), "-created_at")
        .values_list(
            "slug",
            "name",
            "venue",
            "time_zone",
            "starts_at",
            "state",
            "teams",
            "champion__name",
            "simulated",
        )[: PAST * 2]
    )
    return [Listed(*row[:7], row[7] or "", row[8]) for row in rows]


def archive_context(rows: list[Listed]) -> dict[str, Any]:
    """The three groups of the page."""
    return {
        "running": [row for row in rows if row.is_running],
        "coming": [row for row in reversed(rows) if not row.is_running and not row.is_past],
        "past": [row for row in rows if row.is_past][:PAST],
    }


def archive_version(rows: list[Listed]) -> str:
    """Changes with anything that the page shows."""
    return hashlib.sha256(repr(rows).encode()).hexdigest()[:16]
