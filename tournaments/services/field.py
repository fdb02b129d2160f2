"""The field as a whole, before the draw: every seed at once, and teams taken off the list again."""

from collections.abc import Collection, Mapping
from uuid import UUID

from django.db import transaction

from tournaments.actors import Actor
from tournaments.enums import DrawState, Role
from tournaments.errors import AgainstRules, Conflict, NotThere
from tournaments.models import Entry, Player, Slot, Team, Tournament
from tournaments.permissions import require_role
from tournaments.services.locks import tournament_lock
from tournaments.services.log import log_add, revisions_bump
from tournaments.services.tournament import BEFORE_PLAY

HIGHEST_SEED = 9999


def seeds_set(*, tournament_id: UUID, seeds: Mapping[UUID, int | None], actor: Actor) -> int:
    """Give these entries these seeds, all or none; other entries keep theirs. How many changed.

    Needs the desk's role. Raises AgainstRules for a seed that is no number from 1, Conflict for one that
    two teams would have, both with the entry's number. The number of queries grows with the changes only.
    """
    with transaction.atomic(durable=True):
        tournament = tournament_lock(tournament_id)
        require_role(actor, tournament, Role.DESK)
        entries = {entry.pk: entry for entry in Entry.objects.filter(tournament=tournament)}
        if not set(seeds) <= set(entries):
            raise NotThere("not_found", "There is no such team in this tournament.")
        wanted = {entry.pk: seeds.get(entry.pk, entry.seed) for entry in entries.values()}
        _check(entries, wanted)
        changed = [entry for entry in entries.values() if wanted[entry.pk] != entry.seed]
        # Seeds are unique, so all of them leave their old place before the first one takes its new one.
        Entry.objects.filter(pk__in=[entry.pk for entry in changed]).update(seed=None)
        for entry in changed:
            entry.seed = wanted[entry.pk]
        Entry.objects.bulk_update(changed, ["seed"], batch_size=200)
        if changed:
            log_add(
                "seeds.set",
                actor=actor,
                tournament_id=tournament.pk,
                seeds={str(entry.number): entry.seed for entry in changed},
            )
            revisions_bump(tournament.pk, "home", "bracket", "placings")
        return len(changed)


def entries_remove(*, tournament_id: UUID, entry_ids: Collection[UUID], actor: Actor) -> int:
    """Take teams off the list as if they had never been entered, all or none. How many were there.

    Only before play and while none of them is in a draw; later a team withdraws. Players and teams that
    nothing else needs go with them. Needs the desk's role.
    """
    with transaction.atomic(durable=True):
        tournament = tournament_lock(tournament_id)
        require_role(actor, tournament, Role.DESK)
        entries = list(Entry.objects.filter(tournament=tournament, pk__in=entry_ids).select_related("team"))
        if not entries:
            return 0
        _require_removable(tournament, entries)
        names = [entry.name for entry in entries]
        teams = [entry.team_id for entry in entries]
        players = [
            pk for entry in entries for pk in (entry.team.first_player_id, entry.team.second_player_id)
        ]
        players += entries_players(entries)
        Entry.objects.filter(pk__in=[entry.pk for entry in entries]).delete()
        Team.objects.filter(pk__in=teams, entries__isnull=True).delete()
        Player.objects.filter(
            pk__in=players,
            memberships__isnull=True,
            teams_as_first__isnull=True,
            teams_as_second__isnull=True,
        ).delete()
        log_add("entries.removed", actor=actor, tournament_id=tournament.pk, names=names)
        revisions_bump(tournament.pk, "home", "placings")
        return len(entries)


def entries_players(entries: Collection[Entry]) -> list[UUID]:
    """Every player that was ever a partner in one of the entries. One query."""
    members = [entry.pk for entry in entries]
    return list(Player.objects.filter(memberships__entry__in=members).values_list("pk", flat=True))


def _check(entries: Mapping[UUID, Entry], wanted: Mapping[UUID, int | None]) -> None:
    taken: dict[int, Entry] = {}
    for pk, seed in wanted.items():
        if seed is None:
            continue
        entry = entries[pk]
        if not 1 <= seed <= HIGHEST_SEED:
            raise AgainstRules(
                "bad_seed", f"A seed is a number from 1 to {HIGHEST_SEED}.", field="seed", number=entry.number
            )
        if seed in taken:
            raise Conflict(
                "seed_taken",
                f"{taken[seed].name} and {entry.name} cannot both be seed {seed}.",
                seed=seed,
                number=entry.number,
            )
        taken[seed] = entry


def _require_removable(tournament: Tournament, entries: Collection[Entry]) -> None:
    if tournament.state not in BEFORE_PLAY:
        raise Conflict("play_started", "Play has started: a team can withdraw now.", state=tournament.state)
    drawn = Slot.objects.filter(entry__in=[entry.pk for entry in entries]).select_related("match__stage")
    if any(slot.match.stage.draw_state == DrawState.PUBLISHED for slot in drawn):
        raise Conflict("in_the_draw", "The draw is published with this team: it can withdraw now.")
    if drawn:
        raise Conflict("in_the_draw", "A draft draw has this team in it. Take the draft back first.")
