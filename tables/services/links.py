"""Links: issued, revoked, and issued anew. One live link for each table, team and seat."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from tables.enums import LinkKind, SeatName
from tables.models import AccessLink, Table
from tables.selectors.links import live_links
from tournaments.actors import Actor
from tournaments.enums import EntryStatus, Role
from tournaments.errors import AgainstRules, Conflict, NotThere
from tournaments.models import Entry, Match, Tournament
from tournaments.permissions import require_role
from tournaments.services.locks import tournament_lock
from tournaments.services.log import log_add


@dataclass(frozen=True, slots=True)
class LinkTarget:
    """What a link opens: a table, a team of one tournament, or one seat of a match."""

    kind: LinkKind
    id: UUID
    seat: str = ""


def link_issue(*, target: LinkTarget, actor: Actor) -> AccessLink:
    """The live link of the target, made when there is none. Needs the desk's role."""
    with transaction.atomic(durable=True):
        tournament, fields = _locked(target, actor)
        live = live_links().filter(**fields).first()
        return live or _create(tournament, fields, actor)


def link_reissue(*, target: LinkTarget, actor: Actor) -> AccessLink:
    """A new link for the target, with a new token and code; the old one opens nothing any more.

    Needs the desk's role.
    """
    with transaction.atomic(durable=True):
        tournament, fields = _locked(target, actor)
        _revoke(tournament, fields, actor)
        return _create(tournament, fields, actor)


def link_revoke(*, target: LinkTarget, actor: Actor) -> bool:
    """The target's link opens nothing any more. True for the first time only. Needs the desk's role."""
    with transaction.atomic(durable=True):
        tournament, fields = _locked(target, actor)
        return _revoke(tournament, fields, actor)


def links_issue(*, tournament_id: UUID, actor: Actor) -> list[AccessLink]:
    """The live links of all tables and of all teams that are not out, made where missing.

    Tables first, then teams, by number. Needs the desk's role. The number of queries does not grow with
    the hall.
    """
    with transaction.atomic(durable=True):
        tournament = tournament_lock(tournament_id)
        require_role(actor, tournament, Role.DESK)
        tables = list(Table.objects.filter(tournament=tournament).order_by("number"))
        teams = list(
            Entry.objects.filter(tournament=tournament)
            .exclude(status__in=[EntryStatus.WITHDRAWN, EntryStatus.DISQUALIFIED])
            .order_by("number")
        )
        live = live_links().filter(tournament=tournament, kind__in=[LinkKind.TABLE, LinkKind.TEAM])
        links = {link.table_id or link.entry_id: link for link in live}
        new = [
            *(
                AccessLink(tournament=tournament, kind=LinkKind.TABLE, table=one)
                for one in tables
                if one.pk not in links
            ),
            *(
                AccessLink(tournament=tournament, kind=LinkKind.TEAM, entry=one)
                for one in teams
                if one.pk not in links
            ),
        ]
        if new:
            AccessLink.objects.bulk_create(new, batch_size=500)
            log_add("links.issued", actor=actor, tournament_id=tournament.pk, count=len(new))
        links |= {link.table_id or link.entry_id: link for link in new}
        return [links[one.pk] for one in [*tables, *teams]]


def _locked(target: LinkTarget, actor: Actor) -> tuple[Tournament, dict[str, Any]]:
    """The tournament of the target, locked, and the columns that name the target."""
    tournament_id, fields = _find(target)
    tournament = tournament_lock(tournament_id)
    require_role(actor, tournament, Role.DESK)
    return tournament, fields


def _find(target: LinkTarget) -> tuple[UUID, dict[str, Any]]:
    found: Table | Entry | Match | None
    if target.kind is LinkKind.TABLE:
        found = Table.objects.filter(pk=target.id).first()
        fields: dict[str, Any] = {"table": found}
    elif target.kind is LinkKind.TEAM:
        found = Entry.objects.filter(pk=target.id).first()
        fields = {"entry": found}
    else:
        if target.seat not in SeatName.values:
            raise AgainstRules("bad_seat", "A seat is N, E, S or W.", field="seat")
        found = Match.objects.filter(pk=target.id).first()
        fields = {"match": found, "seat": target.seat}
    if found is None:
        raise NotThere("not_found", f"There is no such {target.kind.label.lower()}.")
    return found.tournament_id, {"kind": target.kind, **fields}


def _create(tournament: Tournament, fields: dict[str, Any], actor: Actor) -> AccessLink:
    entry = fields.get("entry")
    if entry is not None and entry.is_out:
        raise Conflict("entry_out", f"{entry.name} has withdrawn.", status=entry.status)
    link = AccessLink.objects.create(tournament=tournament, **fields)
    _log("link.issued", link, actor)
    return link


def _revoke(tournament: Tournament, fields: dict[str, Any], actor: Actor) -> bool:
    link = live_links().filter(tournament=tournament, **fields).first()
    if link is None:
        return False
    link.revoked_at = timezone.now()
    link.save(update_fields=["revoked_at"])
    _log("link.revoked", link, actor)
    return True


def _log(action: str, link: AccessLink, actor: Actor) -> None:
    """The log names the target and the link's id; never its token or code."""
    log_add(
        action,
        actor=actor,
        tournament_id=link.tournament_id,
        match=link.match,
        entry_id=link.entry_id,
        kind=link.kind,
        link=str(link.pk),
        table=link.table.number if link.table else None,
        seat=link.seat,
    )
