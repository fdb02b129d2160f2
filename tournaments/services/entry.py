"""Teams in a tournament: enter, change, check in, withdraw, reinstate, substitute."""

from collections.abc import Sequence
from typing import TypedDict
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone

from tournaments.actors import Actor
from tournaments.enums import CLOSED, DrawState, EntryStatus, Role, SlotState
from tournaments.errors import AgainstRules, Conflict, NotThere
from tournaments.models import Entry, EntryPlayer, Player, Slot, Team, Tournament, searchable
from tournaments.permissions import require_role
from tournaments.queue import enqueue
from tournaments.services.locks import match_lock, stage_lock, tournament_lock
from tournaments.services.log import log_add, match_part, revisions_bump
from tournaments.services.result import match_close_by_withdrawal_locked
from tournaments.services.tournament import BEFORE_PLAY

PARTS_OF_AN_ENTRY = ("home", "bracket", "placings", "tables")


class NewEntry(TypedDict, total=False):
    """One line of an import: the team's name, its two players' names, and optional numbers."""

    name: str
    players: Sequence[str]
    seed: int | None
    rating: float | None


def entries_add(*, tournament_id: UUID, entries: Sequence[NewEntry], actor: Actor) -> list[Entry]:
    """Enter teams, all or none; players are new ones under the names given.

    The number of queries does not grow with the number of teams. Raises AgainstRules with the line
    (from 0) of the first bad entry; Conflict for a team name or seed that is taken.
    """
    with transaction.atomic(durable=True):
        tournament = entries_lock(tournament_id, actor)
        return entries_add_locked(tournament, entries, actor)


def entries_lock(tournament_id: UUID, actor: Actor) -> Tournament:
    """The tournament, locked, for somebody of its desk; Conflict when no team can be entered any more."""
    tournament = tournament_lock(tournament_id)
    require_role(actor, tournament, Role.DESK)
    if tournament.state not in BEFORE_PLAY:
        raise Conflict("entries_closed", "Teams cannot be entered any more.", state=tournament.state)
    return tournament


def entries_add_locked(tournament: Tournament, entries: Sequence[NewEntry], actor: Actor) -> list[Entry]:
    """`entries_add` for whoever holds `entries_lock`."""
    entries_require_new(tournament, entries)
    made = entries_insert(tournament, entries)
    log_add("entries.added", actor=actor, tournament_id=tournament.pk, numbers=[one.number for one in made])
    revisions_bump(tournament.pk, "home", "placings")
    return made


def entry_update(*, entry_id: UUID, actor: Actor, **changes: object) -> Entry:
    """Change an entry's name, seed or rating. Seed and rating only matter to a draw that is still to come.

    Raises Conflict for a name or seed that another team has.
    """
    with transaction.atomic(durable=True):
        entry = _entry_lock(entry_id)
        require_role(actor, entry.tournament, Role.DESK)
        if "name" in changes:
            entry.rename(_name(changes["name"], line=0))
            _check_name_free(entry)
        for key in ("seed", "rating"):
            if key in changes:
                setattr(entry, key, changes[key])
        try:
            with transaction.atomic():
                entry.save(update_fields=["name", "search_name", "seed", "rating"])
        except IntegrityError as error:
            raise Conflict("seed_taken", f"Seed {entry.seed} is taken.", seed=entry.seed) from error
        log_add(
            "entry.changed",
            actor=actor,
            tournament_id=entry.tournament_id,
            entry_id=entry.pk,
            changes=changes,
        )
        revisions_bump(entry.tournament_id, *PARTS_OF_AN_ENTRY, *_match_parts(entry))
        return entry


def entry_check_in(*, entry_id: UUID, actor: Actor, here: bool = True) -> Entry:
    """Mark a team as here, or take that back. A second check-in changes nothing."""
    with transaction.atomic(durable=True):
        entry = _entry_lock(entry_id)
        require_role(actor, entry.tournament, Role.DESK)
        if entry.is_out:
            raise Conflict("entry_out", f"{entry.name} has withdrawn.", entry_status=entry.status)
        target = EntryStatus.CHECKED_IN if here else EntryStatus.ENTERED
        if entry.status != target:
            entry.status = target
            entry.save(update_fields=["status"])
            action = "entry.checked-in" if here else "entry.check-in-taken-back"
            log_add(action, actor=actor, tournament_id=entry.tournament_id, entry_id=entry.pk)
            revisions_bump(entry.tournament_id, "home", "placings")
        return entry


def entry_withdraw(*, entry_id: UUID, actor: Actor, reason: str = "", disqualified: bool = False) -> Entry:
    """Take a team out. A match that it is in ends for the other side; later places go to nobody.

    Repeating it changes nothing, and a disqualification stays one. Locks the stage, then the match.
    """
    status = EntryStatus.DISQUALIFIED if disqualified else EntryStatus.WITHDRAWN
    with transaction.atomic(durable=True):
        entry = Entry.objects.select_related("tournament").filter(pk=entry_id).first()
        if entry is None:
            raise NotThere("not_found", "There is no such entry.")
        require_role(actor, entry.tournament, Role.DIRECTOR if disqualified else Role.DESK)
        stages = [
            stage_lock(pk) for pk in entry.tournament.stages.order_by("pk").values_list("pk", flat=True)
        ]
        entry = _entry_lock(entry_id)
        if entry.status in {status, EntryStatus.DISQUALIFIED}:
            return entry
        # A withdrawal that becomes a disqualification keeps its place in the order of withdrawals.
        entry.status, entry.withdrawn_at = status, entry.withdrawn_at or timezone.now()
        entry.save(update_fields=["status", "withdrawn_at"])
        left = _leave_open_match(entry, actor)
        action = "entry.disqualified" if disqualified else "entry.withdrawn"
        log_add(action, actor=actor, tournament_id=entry.tournament_id, entry_id=entry.pk, reason=reason)
        for stage in stages:
            enqueue("tournaments.advance_bracket", stage.pk)
        revisions_bump(entry.tournament_id, *PARTS_OF_AN_ENTRY, *left)
        return entry


def entry_reinstate(*, entry_id: UUID, actor: Actor) -> Entry:
    """Take a withdrawal back while the team has lost no place by it: before the draw is published."""
    with transaction.atomic(durable=True):
        entry = _entry_lock(entry_id)
        require_role(actor, entry.tournament, Role.DIRECTOR)
        if not entry.is_out:
            return entry
        if Slot.objects.filter(entry=entry, match__closed_at__isnull=False).exists() or (
            entry.tournament.stages.filter(draw_state=DrawState.PUBLISHED).exists()
            and not Slot.objects.filter(entry=entry).exists()
        ):
            raise Conflict("place_gone", f"{entry.name} has already lost its place in the draw.")
        entry.status, entry.withdrawn_at = EntryStatus.ENTERED, None
        entry.save(update_fields=["status", "withdrawn_at"])
        log_add("entry.reinstated", actor=actor, tournament_id=entry.tournament_id, entry_id=entry.pk)
        revisions_bump(entry.tournament_id, "home", "bracket", "placings")
        return entry


def entry_substitute(
    *,
    entry_id: UUID,
    leaving: UUID,
    actor: Actor,
    name: str = "",
    player_id: UUID | None = None,
    reason: str = "",
) -> EntryPlayer:
    """Replace one partner from now on; line-ups of earlier matches keep who played them.

    The new partner is an existing player (`player_id`) or a new one under `name`.
    """
    with transaction.atomic(durable=True):
        entry = _entry_lock(entry_id)
        require_role(actor, entry.tournament, Role.DESK)
        member = entry.members.select_related("player").filter(until__isnull=True, player_id=leaving).first()
        if member is None:
            raise NotThere("not_a_partner", "This player is not in the team now.", player=str(leaving))
        player = _player_or_new(player_id, name)
        member.until = timezone.now()
        member.save(update_fields=["until"])
        try:
            with transaction.atomic():
                new = EntryPlayer.objects.create(
                    tournament_id=entry.tournament_id,
                    entry=entry,
                    player=player,
                    position=member.position,
                    exclusive=entry.tournament.players_exclusive,
                    substitute=True,
                    since=member.until,
                )
        except IntegrityError as error:
            raise Conflict("player_taken", f"{player.name} already plays in another team.") from error
        log_add(
            "entry.substituted",
            actor=actor,
            tournament_id=entry.tournament_id,
            entry_id=entry.pk,
            leaving=str(leaving),
            coming=str(player.pk),
            reason=reason,
        )
        revisions_bump(entry.tournament_id, *PARTS_OF_AN_ENTRY, *_match_parts(entry))
        return new


def _player_or_new(player_id: UUID | None, name: str) -> Player:
    if player_id is not None:
        player = Player.objects.filter(pk=player_id).first()
        if player is None:
            raise NotThere("not_found", "There is no such player.", player=str(player_id))
        return player
    player = Player.named(_name(name, line=0))
    player.save(force_insert=True)
    return player


def _leave_open_match(entry: Entry, actor: Actor) -> list[str]:
    """Close the match that the entry is in; the parts that show it."""
    parts = []
    open_slots = Slot.objects.filter(entry=entry).exclude(match__state__in=CLOSED)
    for match_id in open_slots.order_by("match_id").values_list("match_id", flat=True):
        match = match_lock(match_id)
        if match.stage.draw_state != DrawState.PUBLISHED or match.state in CLOSED:
            continue
        slots = {slot.side: slot for slot in match.slots.all()}
        if all(slot.state == SlotState.FILLED for slot in slots.values()):
            winner_side = next(side for side, slot in slots.items() if slot.entry_id != entry.pk)
            match_close_by_withdrawal_locked(match, winner_side=winner_side, actor=actor)
            parts.append(match_part(match))
    return parts


def _match_parts(entry: Entry) -> list[str]:
    """The match pages that show the team. One query."""
    slots = Slot.objects.filter(entry=entry).select_related("match")
    return [match_part(slot.match) for slot in slots]


def _entry_lock(entry_id: UUID) -> Entry:
    entry = (
        Entry.objects.select_for_update(no_key=True, of=("self",))
        .select_related("tournament")
        .filter(pk=entry_id)
        .first()
    )
    if entry is None:
        raise NotThere("not_found", "There is no such entry.")
    return entry


def _name(text: object, *, line: int) -> str:
    """The name as typed, without blanks at its ends; AgainstRules when empty or over 120 characters."""
    name = text.strip() if isinstance(text, str) else ""
    if not name or len(name) > 120 or "\x00" in name:
        raise AgainstRules("bad_name", "A name has 1 to 120 characters.", field="name", line=line)
    return name


def _check_name_free(entry: Entry) -> None:
    others = Entry.objects.filter(tournament_id=entry.tournament_id, search_name=entry.search_name)
    if others.exclude(pk=entry.pk).exists():
        raise Conflict("team_name_taken", f"There is already a team called {entry.name}.", name=entry.name)


def entries_require_new(tournament: Tournament, entries: Sequence[NewEntry]) -> None:
    """Raise unless every line is a team that can be entered beside those that are. Two queries."""
    known = dict(Entry.objects.filter(tournament=tournament).values_list("search_name", "name"))
    seeds = set(
        Entry.objects.filter(tournament=tournament, seed__isnull=False).values_list("seed", flat=True)
    )
    for line, new in enumerate(entries):
        name = _name(new.get("name"), line=line)
        if searchable(name) in known:
            raise Conflict("team_name_taken", f"There is already a team called {name}.", name=name, line=line)
        known[searchable(name)] = name
        players = new.get("players") or ()
        if len(players) != 2:
            raise AgainstRules("two_players", "A team has two players.", field="players", line=line)
        for player in players:
            _name(player, line=line)
        seed = new.get("seed")
        if seed is not None and seed in seeds:
            raise Conflict("seed_taken", f"Seed {seed} is taken.", seed=seed, line=line)
        seeds.add(seed)


def entries_insert(tournament: Tournament, entries: Sequence[NewEntry]) -> list[Entry]:
    """Store checked lines as entries with the next numbers. Needs the tournament lock; five queries."""
    last = Entry.objects.filter(tournament=tournament).aggregate(last=Max("number"))["last"] or 0
    players: list[Player] = []
    teams: list[Team] = []
    made: list[Entry] = []
    members: list[EntryPlayer] = []
    for number, new in enumerate(entries, start=last + 1):
        pair = [Player.named(name.strip()) for name in new["players"]]
        name = new["name"].strip()
        team = Team(name=name, search_name=searchable(name), first_player=pair[0], second_player=pair[1])
        entry = Entry(
            tournament=tournament, team=team, number=number, seed=new.get("seed"), rating=new.get("rating")
        )
        entry.rename(name)
        players += pair
        teams.append(team)
        made.append(entry)
        members += [
            EntryPlayer(
                tournament=tournament,
                entry=entry,
                player=player,
                position=position,
                exclusive=tournament.players_exclusive,
            )
            for position, player in enumerate(pair, start=1)
        ]
    Player.objects.bulk_create(players, batch_size=500)
    Team.objects.bulk_create(teams, batch_size=500)
    Entry.objects.bulk_create(made, batch_size=500)
    EntryPlayer.objects.bulk_create(members, batch_size=500)
    return made
