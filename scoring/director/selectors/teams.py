"""Teams as the desk sees them: the check-in list, and one team with what an act would change."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.db.models import Prefetch, QuerySet

from scoring.pages.matches import match_views
from tables.enums import LinkKind
from tables.models import AccessLink
from tournaments.enums import CLOSED, DrawState, EntryStatus
from tournaments.models import Entry, EntryPlayer, LogEntry, Match, Slot, Tournament


def entries_with_players(tournament: Tournament) -> QuerySet[Entry]:
    """Entries with their partners of now as `partners`. Two queries."""
    partners = EntryPlayer.objects.filter(until__isnull=True).select_related("player").order_by("position")
    return (
        Entry.objects.filter(tournament=tournament)
        .prefetch_related(Prefetch("members", queryset=partners, to_attr="partners"))
        .order_by("number")
    )


def desk_context(tournament: Tournament) -> dict[str, Any]:
    """The list of all teams. Three queries."""
    entries = list(entries_with_players(tournament))
    statuses = Counter(entry.status for entry in entries)
    out = statuses[EntryStatus.WITHDRAWN] + statuses[EntryStatus.DISQUALIFIED]
    stage = tournament.stages.order_by("number").first()
    return {
        "entries": entries,
        "total": len(entries) - out,
        "here": statuses[EntryStatus.CHECKED_IN],
        "out": out,
        "draw_state": stage.draw_state if stage else DrawState.NONE,
    }


def entry_of(tournament: Tournament, number: int) -> Entry | None:
    """The team with this number and its partners. Two queries."""
    return entries_with_players(tournament).select_related("tournament").filter(number=number).first()


def team_context(tournament: Tournament, entry: Entry) -> dict[str, Any]:
    """One team: its open match, its code, its log. At most sixteen queries."""
    matches = Match.objects.filter(slots__entry=entry, stage__draw_state=DrawState.PUBLISHED)
    open_match = matches.exclude(state__in=CLOSED).select_related("round").order_by("number").first()
    views = match_views(tournament.slug, [open_match]) if open_match else []
    in_draw = Slot.objects.filter(entry=entry).exists()
    return {
        "entry": entry,
        "match": views[0] if views else None,
        "in_draw": in_draw,
        "link": AccessLink.objects.filter(entry=entry, kind=LinkKind.TEAM, revoked_at__isnull=True).first(),
        "log": LogEntry.objects.filter(entry=entry).select_related("match").order_by("-at", "-pk")[:30],
    }
