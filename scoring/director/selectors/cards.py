"""Tables with their settings, and the cards that open links: one for each table and each team."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import HttpRequest

from tables.addresses import link_address
from tables.enums import LinkKind
from tables.models import AccessLink, Table
from tables.tokens import code_of, token_of
from tournaments.enums import EntryStatus
from tournaments.models import Entry, Tournament


@dataclass(frozen=True, slots=True)
class Card:
    """A card: what it is for, and its address; for a team its four digits too. All empty while it has no link."""

    id: UUID
    number: int
    name: str
    address: str
    code: str
    is_locked: bool = False


def cards_context(request: HttpRequest, tournament: Tournament, kind: str) -> dict[str, Any]:
    """The tables and the cards of one kind. Five queries."""
    tables = list(
        Table.objects.filter(tournament=tournament).select_related("room", "fixed_entry").order_by("number")
    )
    links = _links(tournament, LinkKind.TEAM if kind == "team" else LinkKind.TABLE)
    teams = list(
        Entry.objects.filter(tournament=tournament)
        .exclude(status__in=[EntryStatus.WITHDRAWN, EntryStatus.DISQUALIFIED])
        .order_by("number")
    )
    if kind == "team":
        cards = [_card(request, one.pk, one.number, one.name, links.get(one.pk)) for one in teams]
    else:
        cards = [_card(request, one.pk, one.number, "", links.get(one.pk)) for one in tables]
    return {
        "kind": kind,
        "tables": tables,
        "cards": cards,
        "teams_count": len(teams),
        "missing": sum(not card.address for card in cards),
        "rooms": sorted({table.room.name for table in tables if table.room}),
    }


def _links(tournament: Tournament, kind: LinkKind) -> dict[UUID | None, AccessLink]:
    rows = AccessLink.objects.filter(tournament=tournament, kind=kind, revoked_at__isnull=True)
    return {link.table_id or link.entry_id: link for link in rows}


def _card(request: HttpRequest, pk: UUID, number: int, name: str, link: AccessLink | None) -> Card:
    if link is None:
        return Card(pk, number, name, "", "")
    address = link_address(request, token_of(link.pk))
    code = code_of(link.pk) if link.kind == LinkKind.TEAM else ""
    return Card(pk, number, name, address, code, link.locked_until is not None)
