"""A late team: it gets the place of a bye in round one, while nothing is entered in the draw.

The draw is made again with the same order and the late team behind all others, so everybody keeps the
opponent of round one and the late team meets the team that would have passed.
"""

from uuid import UUID

from django.db import transaction

from tournaments.actors import Actor
from tournaments.enums import DrawState, EntryStatus, MatchState, Role, SourceKind
from tournaments.errors import Conflict
from tournaments.models import Bye, Entry, Match, Slot, Stage
from tournaments.permissions import require_role
from tournaments.queue import enqueue
from tournaments.services.draw import bracket_write, draft_delete, first_matches_open
from tournaments.services.entry import NewEntry, entries_insert, entries_require_new
from tournaments.services.locks import stage_lock, tournament_lock
from tournaments.services.log import log_add, revisions_bump
from tournaments.signals import match_ready

UNTOUCHED = frozenset({MatchState.WAITING, MatchState.LOCKED, MatchState.READY, MatchState.CALLED})


def entry_add_late(*, stage_id: UUID, entry: NewEntry, actor: Actor) -> Entry:
    """Enter a team after the draw was published, and draw it into a bye of the first round.

    Calls to tables are taken back and made again. Needs the director's role. Raises Conflict
    `draw_has_play` with the matches that are under way, `no_bye` when the first round is full, and
    `draw_not_published`; the refusals of `entries_add` for the team itself.
    """
    with transaction.atomic(durable=True):
        stage = stage_lock(stage_id)
        tournament = tournament_lock(stage.tournament_id)
        require_role(actor, tournament, Role.DIRECTOR)
        _require_untouched(stage)
        entries_require_new(tournament, [entry])
        order = _drawn(stage)
        (late,) = entries_insert(tournament, [entry])
        late.status = EntryStatus.CHECKED_IN
        late.save(update_fields=["status"])
        draft_delete(stage)
        stage.size = len(order) + 1
        stage.save(update_fields=["size"])
        bracket_write(stage, [*order, late])
        ids = first_matches_open(stage)
        log_add("entry.late", actor=actor, tournament_id=tournament.pk, entry_id=late.pk, stage=stage.number)
        for match_id in ids[:1]:
            match_ready.send(sender=Match, match_id=match_id, tournament_id=tournament.pk)
        enqueue("tables.assign_tables", tournament.pk)
        parts = [
            f"match:M{number}"
            for number in Match.objects.filter(stage=stage).values_list("number", flat=True)
        ]
        revisions_bump(tournament.pk, "home", "bracket", "placings", "tables", *parts)
        return late


def has_bye_left(size: int) -> bool:
    """Whether the first round of a field of this size has a bye."""
    return size > 1 and size & (size - 1) != 0


def _require_untouched(stage: Stage) -> None:
    if stage.draw_state != DrawState.PUBLISHED:
        raise Conflict("draw_not_published", "Before the draw is published a team is simply entered.")
    touched = Match.objects.filter(stage=stage).exclude(state__in=UNTOUCHED).order_by("number")
    codes = [match.code for match in touched[:20]]
    if codes:
        raise Conflict(
            "draw_has_play",
            f"Matches of this draw are under way, first {', '.join(codes[:5])}: nobody can be drawn in any more.",
            affected=codes,
        )
    if not has_bye_left(stage.size or 0):
        raise Conflict("no_bye", "The first round is full: there is no bye for a late team.")


def _drawn(stage: Stage) -> list[Entry]:
    """The entries in the order of the draw. Two queries."""
    slots = Slot.objects.filter(match__stage=stage, source_kind=SourceKind.SEED).select_related("entry")
    byes = Bye.objects.filter(stage=stage, source_kind=SourceKind.SEED).select_related("entry")
    drawn = [(slot.source_seed, slot.entry) for slot in slots] + [
        (bye.source_seed, bye.entry) for bye in byes
    ]
    places = {seed: entry for seed, entry in drawn if seed is not None and entry is not None}
    return [places[seed] for seed in sorted(places)]
