"""Who holds a link, and what the link opens."""

from dataclasses import dataclass, field
from functools import cache
from typing import Any
from uuid import UUID

from django.db.models import FilteredRelation, OuterRef, Q, QuerySet, Subquery, UUIDField

from tables.enums import LinkKind
from tables.models import AccessLink, SeatAssignment, Seating, Table
from tables.tokens import link_id_of
from tournaments.actors import Actor
from tournaments.enums import CLOSED, ActorKind, DrawState, ResultState
from tournaments.models import Entry, Match, Player, Result, Slot


@dataclass(frozen=True, slots=True)
class LinkContents:
    """What a link shows its holder: the table, the match, who sits where, and what was entered."""

    link: AccessLink
    table: Table | None = None
    match: Match | None = None
    side: str = ""
    teams: dict[str, Entry] = field(default_factory=dict)
    seats: dict[str, Player] = field(default_factory=dict)
    result: Result | None = None


def live_links() -> QuerySet[AccessLink]:
    """Links that are not revoked, with what they name."""
    return AccessLink.objects.filter(revoked_at__isnull=True).select_related("table", "entry", "match")


def link_of_token(token: str) -> AccessLink | None:
    """The live link behind a token, with the match at its table now as `seated_match_id`.

    One query; none for a token that this site did not sign.
    """
    link_id = link_id_of(token)
    if link_id is None:
        return None
    seated = Seating.objects.filter(table=OuterRef("table"), freed_at__isnull=True).values("match_id")
    return (
        live_links()
        .annotate(seated_match_id=Subquery(seated[:1], output_field=UUIDField()))
        .filter(pk=link_id)
        .first()
    )


def actor_of_token(token: str) -> Actor | None:
    """The actor that holds the live link behind a token, as every request with a link needs it: `actor_of_link` of
    `link_of_token`, by one query of few columns."""
    link_id = link_id_of(token)
    row = next(iter(_links_of_actors().filter(pk=link_id)), None) if link_id is not None else None
    if row is None:
        return None
    link = AccessLink(
        pk=link_id,
        kind=row["kind"],
        tournament_id=row["tournament_id"],
        seat=row["seat"],
        table=Table(pk=row["table_id"], number=row["table__number"]) if row["table_id"] else None,
        entry=Entry(pk=row["entry_id"], name=row["entry__name"]) if row["entry_id"] else None,
        match=Match(pk=row["match_id"], number=row["match__number"]) if row["match_id"] else None,
    )
    link.seated_match_id = row["seating__match_id"]  # type: ignore[attr-defined]
    return actor_of_link(link)


@cache
def _links_of_actors() -> QuerySet[AccessLink, dict[str, Any]]:
    """Live links with what their actors need; made once, since making it costs more than asking."""
    open_seating = Q(table__seatings__freed_at__isnull=True)
    links: QuerySet[AccessLink, dict[str, Any]] = (
        AccessLink.objects.filter(revoked_at__isnull=True)
        .annotate(seating=FilteredRelation("table__seatings", condition=open_seating))
        .values(
            *("kind", "tournament_id", "seat", "table_id", "table__number", "seating__match_id"),
            *("entry_id", "entry__name", "match_id", "match__number"),
        )
    )
    return links


def actor_of_link(link: AccessLink) -> Actor:
    """The actor that holds the link; it comes from `link_of_token`."""
    seated: UUID | None = getattr(link, "seated_match_id", None)
    return Actor(
        kind=ActorKind(link.kind),
        label=label_of(link),
        link_id=link.pk,
        tournament_id=link.tournament_id,
        table_id=link.table_id,
        entry_id=link.entry_id,
        match_id=seated if link.kind == LinkKind.TABLE else link.match_id,
        seat=link.seat,
    )


def label_of(link: AccessLink) -> str:
    """How the log names whoever holds the link."""
    if link.table is not None:
        return str(link.table)
    if link.entry is not None:
        return link.entry.name
    return f"{link.match} {link.get_seat_display()}"


def link_contents(link: AccessLink) -> LinkContents:
    """What the link opens now. At most seven queries."""
    match = _match_of(link)
    if match is None:
        return LinkContents(link, table=link.table)
    seating = Seating.objects.filter(match=match, freed_at__isnull=True).select_related("table").first()
    slots = Slot.objects.filter(match=match, entry__isnull=False).select_related("entry")
    teams = {slot.side: slot.entry for slot in slots if slot.entry is not None}
    seats = SeatAssignment.objects.filter(match=match).select_related("player")
    live = (ResultState.ENTERED, ResultState.CONFIRMED)
    return LinkContents(
        link,
        table=link.table or (seating.table if seating else None),
        match=match,
        side=_side(link, teams),
        teams=teams,
        seats={seat.seat: seat.player for seat in seats},
        result=match.results.filter(state__in=live).order_by("-version").first(),
    )


def _match_of(link: AccessLink) -> Match | None:
    """The match at the link's table; the team's open match, or the one it waits for; the seat's match."""
    matches = Match.objects.select_related("round", "tournament", "stage")
    if link.kind == LinkKind.TABLE:
        return matches.filter(seatings__table=link.table_id, seatings__freed_at__isnull=True).first()
    if link.kind == LinkKind.TEAM:
        own = matches.filter(slots__entry=link.entry_id, stage__draw_state=DrawState.PUBLISHED)
        return own.exclude(state__in=CLOSED).order_by("number").first()
    return matches.filter(links=link).first()


def _side(link: AccessLink, teams: dict[str, Entry]) -> str:
    if link.kind == LinkKind.SEAT:
        return "NS" if link.seat in {"N", "S"} else "EW"
    return next((side for side, entry in teams.items() if entry.pk == link.entry_id), "")
