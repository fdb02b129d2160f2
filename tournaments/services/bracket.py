"""Moves teams along the bracket once matches are closed.

What follows from a closed match is decided by the pure `tournaments.draw.advance`; this module reads the
few rows around that match, asks it, and writes what it says. Doing it twice, late or out of order changes
nothing, and the work does not grow with the field.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from tournaments.actors import SYSTEM
from tournaments.draw import advance
from tournaments.draw import state as drawn
from tournaments.enums import EntryStatus, MatchState, ResultState, Side, SlotState
from tournaments.models import Bye, Entry, Match, Result, Slot, Stage, Tournament
from tournaments.selectors.plan import SIDE_OF_PLACE, drawn_result, drawn_slot, stage_plan
from tournaments.services import locks
from tournaments.services.log import log_add, match_part, revisions_bump
from tournaments.services.result import match_close_by_withdrawal_locked
from tournaments.signals import match_closed, match_ready

if TYPE_CHECKING:
    from tournaments.draw.plan import Plan


@dataclass(slots=True)
class _Board:
    """A locked stage with its plan, its withdrawn entries in the order in which they withdrew, and what was
    locked and read of it so far, by number in the plan."""

    stage: Stage
    plan: Plan
    withdrawn: tuple[UUID, ...]
    matches: dict[int, Match] = field(default_factory=dict)
    slots: dict[int, dict[str, Slot]] = field(default_factory=dict)
    results: dict[int, Result] = field(default_factory=dict)
    filled: list[Slot] = field(default_factory=list)
    """Slots that were filled and are not stored yet."""

    def number(self, match: Match) -> int:
        """The match's number in the plan."""
        return match.number - self.stage.first_number + 1

    def lock(self, numbers: Iterable[int]) -> None:
        """Lock these matches by id and read them, as far as they are not here yet. Three queries or none."""
        wanted = [number + self.stage.first_number - 1 for number in numbers if number not in self.matches]
        if not wanted:
            return
        found = {match.pk: match for match in locks.matches_lock_where(stage=self.stage, number__in=wanted)}
        for match in found.values():
            self.matches[self.number(match)], self.slots[self.number(match)] = match, {}
        for slot in Slot.objects.filter(match__in=list(found)):
            self.slots[self.number(found[slot.match_id])][slot.side] = slot
        for result in Result.objects.filter(match__in=list(found), state=ResultState.CONFIRMED):
            self.results[self.number(found[result.match_id])] = result

    def state(self, number: int) -> drawn.MatchState[UUID]:
        """Where a locked match stands by its slots and its confirmed result."""
        slots, result = self.slots[number], self.results.get(number)
        return advance.settle(
            self.plan,
            number,
            _drawn_slot(slots[Side.NS]),
            _drawn_slot(slots[Side.EW]),
            drawn_result(result.outcome, result.winner_side) if result is not None else None,
            self.withdrawn,
        )

    def fill(self, filling: drawn.Filling[UUID]) -> None:
        """Fill an open slot of a locked match, once: a slot that was filled before is left as it is."""
        slot = self.slots[filling.match][SIDE_OF_PLACE[filling.side]]
        if slot.state != SlotState.OPEN:
            return
        slot.state = SlotState.EMPTY if filling.entry is None else SlotState.FILLED
        slot.entry_id, slot.cause, slot.filled_at = filling.entry, filling.cause.reason, timezone.now()
        self.filled.append(slot)

    def store_filled(self) -> None:
        """Store what was filled, in one statement."""
        if self.filled:
            Slot.objects.bulk_update(self.filled, ["state", "entry", "cause", "filled_at"], batch_size=200)
            self.filled.clear()


def bracket_advance(*, stage_id: UUID) -> int:
    """Move on the teams of every closed match of the stage; the number of matches moved on.

    Locks the stage, then the closed matches and those that they feed. A match already moved on is left alone,
    so repeating it is harmless. The number of queries does not grow with the matches that are moved on, but
    for those that close by themselves.
    """
    with transaction.atomic(durable=True):
        stage = locks.stage_lock(stage_id)
        waiting = _pending(stage)
        if not waiting:
            return 0
        board = _board(stage)
        moved: list[int] = []
        while waiting:
            board.lock(_with_fed(board.plan, waiting))
            todo = [number for number in sorted(waiting) if board.matches[number].advanced_at is None]
            moved += todo
            waiting = _matches_advance(board, todo)
        _stage_conclude(board)
        fed = _with_fed(board.plan, moved)
        parts = [match_part(board.matches[number]) for number in fed]
        revisions_bump(stage.tournament_id, "home", "bracket", "placings", "tables", *parts)
    return len(moved)


def _pending(stage: Stage) -> list[int]:
    """The numbers in the plan of the closed matches whose teams have not moved on. One query."""
    matches = Match.objects.filter(stage=stage, closed_at__isnull=False, advanced_at__isnull=True)
    return [number - stage.first_number + 1 for number in matches.values_list("number", flat=True)]


def _board(stage: Stage) -> _Board:
    out = Entry.objects.filter(
        tournament_id=stage.tournament_id, status__in=[EntryStatus.WITHDRAWN, EntryStatus.DISQUALIFIED]
    )
    return _Board(
        stage, stage_plan(stage), tuple(out.order_by("withdrawn_at", "pk").values_list("pk", flat=True))
    )


def _with_fed(plan: Plan, numbers: Iterable[int]) -> set[int]:
    """The numbers with those of the matches that they feed."""
    feeds = {number: plan.feeds(number) for number in numbers}
    places = [place for feed in feeds.values() for place in (feed.winner, feed.loser) if place is not None]
    return {*feeds, *(place.match for place in places)}


def _matches_advance(board: _Board, numbers: list[int]) -> list[int]:
    """Fill the places that closed matches feed; the numbers of matches that this closed in turn."""
    targets: dict[int, None] = {}
    for number in numbers:
        for filling in advance.fillings(board.plan, board.state(number)):
            board.fill(filling)
            targets[filling.match] = None
    board.store_filled()
    moved = [board.matches[number] for number in numbers]
    _byes_fill(moved)
    now = timezone.now()
    Match.objects.filter(pk__in=[match.pk for match in moved]).update(advanced_at=now)
    for match in moved:
        match.advanced_at = now
    return _matches_open(board, sorted(targets))


def _byes_fill(matches: list[Match]) -> None:
    """Name the teams of byes that the draw gave to the winners or losers of these matches."""
    waiting = Bye.objects.filter(source_match__in=matches, entry__isnull=True, into_match__isnull=False)
    for bye in waiting.select_related("into_match"):
        slot = Slot.objects.filter(match=bye.into_match, side=bye.into_side).first()
        if slot is not None and slot.entry_id is not None:
            bye.entry_id = slot.entry_id
            bye.save(update_fields=["entry"])


def _drawn_slot(slot: Slot) -> drawn.Slot[UUID]:
    return drawn_slot(slot.state, slot.entry_id, slot.cause)


def _matches_open(board: _Board, numbers: list[int]) -> list[int]:
    """Where both slots are decided: ready, or closed at once; the numbers of those that were closed."""
    undecided = {MatchState.WAITING, MatchState.LOCKED}
    states = {
        number: state
        for number in numbers
        if board.matches[number].state in undecided and (state := board.state(number)).status != "waiting"
    }
    void = [number for number, state in states.items() if state.status in {"bye", "void", "not-needed"}]
    ready = [number for number in states if number not in void]
    now = timezone.now()
    Match.objects.filter(pk__in=[board.matches[number].pk for number in ready]).update(
        state=MatchState.READY, ready_at=now
    )
    closed = list(void)
    for number in void:
        _match_void(board.matches[number], passes_on=states[number].winning_entry)
    for number in ready:
        match, state = board.matches[number], states[number]
        match.state, match.ready_at = MatchState.READY, now
        if state.status == "decided":
            winner_side = SIDE_OF_PLACE[state.winner] if state.winner else ""
            board.results[number] = match_close_by_withdrawal_locked(match, winner_side=winner_side)
            closed.append(number)
        else:
            match_ready.send(sender=Match, match_id=match.pk, tournament_id=match.tournament_id)
    return closed


def _match_void(match: Match, *, passes_on: UUID | None) -> None:
    """Close a match that is not played; `passes_on` goes on with a bye."""
    match.state, match.closed_at = MatchState.VOID, timezone.now()
    match.save(update_fields=["state", "closed_at"])
    if passes_on is not None:
        Bye.objects.get_or_create(
            instead_of=match,
            defaults={
                "stage_id": match.stage_id,
                "round_id": match.round_id,
                "position": match.position,
                "entry_id": passes_on,
            },
        )
    match_closed.send(sender=Match, match_id=match.pk, tournament_id=match.tournament_id)


def _stage_conclude(board: _Board) -> None:
    """Name the champion once every match is closed. Nobody is champion when nobody came to the end."""
    stage = board.stage
    if Match.objects.filter(stage=stage, advanced_at__isnull=True).exists():
        return
    final, reset = board.plan.final, board.plan.reset
    board.lock([final.number, *([reset.number] if reset is not None else [])])
    champion = advance.champion(
        board.state(final.number), board.state(reset.number) if reset is not None else None
    )
    changed = Tournament.objects.filter(pk=stage.tournament_id).exclude(champion_id=champion)
    if champion is not None and changed.update(champion_id=champion, finished_at=timezone.now()):
        log_add("stage.concluded", actor=SYSTEM, tournament_id=stage.tournament_id, entry_id=champion)
