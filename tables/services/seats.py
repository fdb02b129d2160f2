"""Puts matches at tables and their players on the seats. All of it needs the locks of matches and tables."""

from collections.abc import Sequence
from uuid import UUID

from django.utils import timezone

from tables.enums import LinkKind
from tables.models import AccessLink, SeatAssignment, Seating, Table
from tournaments.actors import Actor
from tournaments.enums import Lifecycle, MatchState, Side
from tournaments.errors import Conflict
from tournaments.models import EntryPlayer, Match, Slot, Tournament
from tournaments.services.log import log_add, match_part, revisions_bump

PARTS_OF_A_SEATING = ("home", "bracket", "tables")
SEATS = {Side.NS: ("N", "S"), Side.EW: ("E", "W")}  # of the first and the second partner


def running_require(tournament: Tournament) -> None:
    """Conflict unless the tournament is being played."""
    if tournament.state != Lifecycle.RUNNING:
        raise Conflict("not_running", "The tournament is not running.", state=tournament.state)


def matches_seat_locked(pairs: Sequence[tuple[Match, Table]], *, actor: Actor, action: str) -> list[Seating]:
    """Put each match at its table; ready ones become called. Needs the locks of all of them.

    Bumps the revisions, so it comes last in its transaction.
    """
    now = timezone.now()
    ready = [match for match, _ in pairs if match.state == MatchState.READY]
    Match.objects.filter(pk__in=[match.pk for match in ready]).update(state=MatchState.CALLED, called_at=now)
    for match in ready:
        match.state, match.called_at = MatchState.CALLED, now
    seatings = Seating.objects.bulk_create(
        Seating(match=match, table=table, called_at=now) for match, table in pairs
    )
    seats_set_locked([match for match, _ in pairs])
    for match, table in pairs:
        log_add(action, actor=actor, tournament_id=match.tournament_id, match=match, table=table.number)
    if pairs:
        parts = [match_part(match) for match, _ in pairs]
        revisions_bump(pairs[0][0].tournament_id, *PARTS_OF_A_SEATING, *parts)
    return seatings


def seats_set_locked(matches: Sequence[Match]) -> None:
    """Seat the partners as the teams stand now: the first one north or east, the second south or west.

    A side that still has the same two players keeps the seats they chose. Needs the matches' locks;
    at most five queries.
    """
    wanted = _seats_of_teams(matches)
    stored: dict[UUID, dict[str, SeatAssignment]] = {match.pk: {} for match in matches}
    for seat in SeatAssignment.objects.filter(match__in=list(stored)):
        stored[seat.match_id][seat.seat] = seat
    stale: list[UUID] = []
    new: list[SeatAssignment] = []
    for match_id, sides in wanted.items():
        for side, players in sides.items():
            now = [stored[match_id][seat] for seat in SEATS[side] if seat in stored[match_id]]
            if {seat.player_id for seat in now} == set(players):
                continue
            stale += [seat.pk for seat in now]
            new += [
                SeatAssignment(match_id=match_id, seat=seat, player_id=player)
                for seat, player in zip(SEATS[side], players, strict=False)
            ]
    if stale:
        SeatAssignment.objects.filter(pk__in=stale).delete()
    SeatAssignment.objects.bulk_create(new)


def seats_drop_locked(match: Match) -> None:
    """The match may have other teams now: whoever is not of the team on that side leaves the seat.

    The link of a seat where nobody is left opens nothing any more. Needs the match's lock.
    """
    players = _seats_of_teams([match])[match.pk]
    staying: list[str] = []
    for side, seats in SEATS.items():
        here = SeatAssignment.objects.filter(match=match, seat__in=seats)
        here.exclude(player__in=players.get(side, [])).delete()
        staying += here.values_list("seat", flat=True)
    links = AccessLink.objects.filter(match=match, kind=LinkKind.SEAT, revoked_at__isnull=True)
    links.exclude(seat__in=staying).update(revoked_at=timezone.now())


def _seats_of_teams(matches: Sequence[Match]) -> dict[UUID, dict[Side, list[UUID]]]:
    """By match and side: the partners in their order. Two queries."""
    wanted: dict[UUID, dict[Side, list[UUID]]] = {match.pk: {} for match in matches}
    places: dict[UUID, list[tuple[UUID, Side]]] = {}
    slots = Slot.objects.filter(match__in=list(wanted), entry__isnull=False)
    for match_id, side, entry_id in slots.values_list("match_id", "side", "entry_id"):
        wanted[match_id][Side(side)] = []
        places.setdefault(entry_id, []).append((match_id, Side(side)))
    members = EntryPlayer.objects.filter(entry__in=list(places), until__isnull=True).order_by("position")
    for entry_id, player_id in members.values_list("entry_id", "player_id"):
        for match_id, side in places[entry_id]:
            wanted[match_id][side].append(player_id)
    return wanted
