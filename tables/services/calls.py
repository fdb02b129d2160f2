"""What an official does with matches and tables by hand: call, move, free; and the players sitting down."""

import logging
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from tables.enums import TableState
from tables.models import Seating, Table
from tables.selectors.hall import fixed_tables
from tables.services import locks
from tables.services.holds import hold_end_locked
from tables.services.seats import (
    PARTS_OF_A_SEATING,
    matches_seat_locked,
    running_require,
    seats_drop_locked,
    seats_set_locked,
)
from tournaments.actors import SYSTEM, Actor
from tournaments.enums import MatchState, Role
from tournaments.errors import Conflict, NotThere
from tournaments.models import Match, Slot
from tournaments.permissions import require_role, require_score
from tournaments.queue import enqueue
from tournaments.services.locks import match_lock
from tournaments.services.log import log_add, match_part, revisions_bump

logger = logging.getLogger(__name__)

UNDER_WAY = frozenset({MatchState.PLAYING, MatchState.ENTERED, MatchState.DISPUTED})
AT_A_TABLE = UNDER_WAY | {MatchState.CALLED}


def match_call(*, match_id: UUID, table_id: UUID, actor: Actor) -> Seating:
    """Call a ready match to a free table, also to a reserved one; a hold of it ends. Again changes nothing.

    Needs the desk's role. Raises Conflict for a match that is not ready or sits elsewhere, for a table
    that is taken or closed, and where a fixed table says otherwise.
    """
    with transaction.atomic(durable=True):
        match = match_lock(match_id)
        require_role(actor, match.tournament, Role.DESK)
        table = _table_of(match, locks.table_lock(table_id))
        seating = locks.open_seatings().filter(match=match).first()
        if seating is not None and seating.table_id == table.pk:
            return seating
        if seating is not None:
            raise Conflict(
                "match_seated",
                f"{match.code} is at table {seating.table.number}. Move it instead.",
                match=match.code,
                table=seating.table.number,
            )
        if match.state != MatchState.READY:
            raise _not_ready(match)
        running_require(match.tournament)
        _usable_require(match, table)
        hold_end_locked(match)
        return matches_seat_locked([(match, table)], actor=actor, action="match.called")[0]


def match_move(*, match_id: UUID, table_id: UUID, actor: Actor) -> Seating:
    """Move a called match, or one under way, to another free table; also one under way that has no table.

    What is recorded stays. The same move again changes nothing. Needs the desk's role.
    """
    with transaction.atomic(durable=True):
        match = match_lock(match_id)
        require_role(actor, match.tournament, Role.DESK)
        here = locks.open_seatings().filter(match=match).first()
        tables = {
            table.pk: table for table in locks.tables_lock({table_id} | ({here.table_id} if here else set()))
        }
        if table_id not in tables:
            raise NotThere("not_found", "There is no such table.")
        table = _table_of(match, tables[table_id])
        if here is not None and here.table_id == table.pk:
            return here
        if match.state not in AT_A_TABLE:
            raise _not_ready(match)
        _usable_require(match, table)
        if here is not None:
            _seating_end(here)
            enqueue("tables.assign_tables", match.tournament_id)
        return matches_seat_locked([(match, table)], actor=actor, action="match.moved")[0]


def match_start(*, match_id: UUID, actor: Actor) -> Match:
    """They sit down: a ready or called match is being played from now on.

    Whoever may score it says so. Saying it of a match under way changes nothing.
    """
    with transaction.atomic(durable=True):
        match = match_lock(match_id)
        require_score(actor, match)
        if match.state in UNDER_WAY:
            return match
        if match.state not in {MatchState.READY, MatchState.CALLED}:
            raise _not_ready(match)
        running_require(match.tournament)
        match.state, match.started_at = MatchState.PLAYING, timezone.now()
        match.save(update_fields=["state", "started_at"])
        seats_set_locked([match])
        log_add("match.started", actor=actor, tournament_id=match.tournament_id, match=match)
        revisions_bump(match.tournament_id, *PARTS_OF_A_SEATING, match_part(match))
        return match


def table_free(*, table_id: UUID, actor: Actor) -> Table:
    """Give a table to the next match. A called match becomes ready again; an entered one leaves the table.

    A free table stays as it is. Needs the desk's role. Raises Conflict for a match that is being played:
    it can be moved. Reserve or close the table first if nobody else shall come.
    """
    with transaction.atomic(durable=True):
        seen = locks.open_seatings().filter(table=table_id).first()
        match = match_lock(seen.match_id) if seen else None
        table = locks.table_lock(table_id)
        require_role(actor, table.tournament, Role.DESK)
        seating = locks.open_seatings().filter(table=table).first()
        if seating is None:
            return table
        if match is None or seating.match_id != match.pk:
            raise Conflict("table_changed", "Another match came to this table at the same moment.")
        if match.state == MatchState.PLAYING:
            raise Conflict(
                "match_playing",
                f"{match.code} is being played here. Move it to another table.",
                match=match.code,
            )
        if match.state == MatchState.CALLED:
            match.state, match.called_at = MatchState.READY, None
            match.save(update_fields=["state", "called_at"])
        _seating_end(seating)
        log_add(
            "table.freed", actor=actor, tournament_id=table.tournament_id, match=match, table=table.number
        )
        enqueue("tables.assign_tables", table.tournament_id)
        revisions_bump(table.tournament_id, *PARTS_OF_A_SEATING, match_part(match))
        return table


def seating_end_of_match(match_id: UUID) -> bool:
    """The match is over: its table is free. Needs the match lock; True for the first time only."""
    ended = Seating.objects.filter(match_id=match_id, freed_at__isnull=True).update(freed_at=timezone.now())
    return bool(ended)


def match_unseat_locked(match: Match) -> bool:
    """The bracket was derived again and the match may have other teams: its table is free, its seats too.

    Needs the match lock; True when a table became free.
    """
    seats_drop_locked(match)
    return seating_end_of_match(match.pk)


def lost_seatings_end() -> int:
    """Free tables whose match is not at a table by its state; how many there were.

    No act leaves such a seating; this is the sweep's answer to one that did. One query when there is none.
    """
    lost = locks.open_seatings().exclude(match__state__in=AT_A_TABLE)
    count = 0
    for seating in lost.select_related("table").order_by("pk"):
        with transaction.atomic(durable=True):
            if _seating_end(seating):
                count += 1
                tournament_id = seating.table.tournament_id
                logger.warning("%s was still at %s.", seating.match, seating.table)
                log_add(
                    "table.freed",
                    actor=SYSTEM,
                    tournament_id=tournament_id,
                    match=seating.match,
                    table=seating.table.number,
                )
                revisions_bump(tournament_id, *PARTS_OF_A_SEATING, match_part(seating.match))
    return count


def _seating_end(seating: Seating) -> bool:
    return bool(Seating.objects.filter(pk=seating.pk, freed_at__isnull=True).update(freed_at=timezone.now()))


def _table_of(match: Match, table: Table) -> Table:
    """The table; NotThere when it belongs to another tournament."""
    if table.tournament_id != match.tournament_id:
        raise NotThere("not_found", "There is no such table.")
    return table


def _usable_require(match: Match, table: Table) -> None:
    if table.state == TableState.CLOSED:
        raise Conflict("table_closed", f"Table {table.number} is closed.", table=table.number)
    seating = locks.open_seatings().filter(table=table).first()
    if seating is not None:
        raise Conflict(
            "table_busy",
            f"{seating.match.code} is at table {table.number}.",
            table=table.number,
            match=seating.match.code,
        )
    _fixed_require(match, table)


def _fixed_require(match: Match, table: Table) -> None:
    """A fixed table holds for calls by hand too: change the fixed table first."""
    fixed = fixed_tables(match.tournament_id)
    entries = set(Slot.objects.filter(match=match, entry__isnull=False).values_list("entry_id", flat=True))
    own = {fixed[entry_id].number for entry_id in entries if entry_id in fixed}
    if own and table.number not in own:
        raise Conflict(
            "fixed_elsewhere",
            f"A team of {match.code} always plays at table {min(own)}.",
            match=match.code,
            table=min(own),
        )
    if not own and table.fixed_entry_id in fixed:
        raise Conflict("table_kept", f"Table {table.number} is kept for the team that always plays there.")


def _not_ready(match: Match) -> Conflict:
    facts = {"match": match.code, "state": match.state}
    if match.state in {MatchState.WAITING, MatchState.LOCKED}:
        return Conflict("teams_unknown", f"{match.code} is still waiting for its teams.", **facts)
    if match.state == MatchState.READY:
        return Conflict("not_called", f"{match.code} is not called yet. Call it.", **facts)
    if match.state == MatchState.CONFIRMED:
        return Conflict("already_confirmed", f"{match.code} is final.", **facts)
    if match.state == MatchState.VOID:
        return Conflict("match_not_played", f"{match.code} is not played.", **facts)
    return Conflict("match_under_way", f"{match.code} is under way.", **facts)
