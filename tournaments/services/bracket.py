"""Moves teams along the bracket once matches are closed.

What follows from a closed match is decided by the pure `tournaments.draw.advance`; this module reads the
few rows around that match, asks it, and writes what it says. Doing it twice, late or out of order changes
nothing, and the work does not grow with the field.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class _Board:
    """A locked stage with its plan, and its withdrawn entries in the order in which they withdrew."""

    stage: Stage
    plan: Plan
    withdrawn: tuple[UUID, ...]

    def number(self, match: Match) -> int:
        """The match's number in the plan."""
        return match.number - self.stage.first_number + 1

    def match(self, number: int) -> Match:
        """The match with this number in the plan, locked."""
        return locks.match_lock_where(stage=self.stage, number=number + self.stage.first_number - 1)


def bracket_advance(*, stage_id: UUID) -> int:
    """Move on the teams of every closed match of the stage; the number of matches moved on.

    Locks the stage. A match already moved on is left alone, so repeating it is harmless.
    """
    with transaction.atomic(durable=True):
        stage = locks.stage_lock(stage_id)
        pending = Match.objects.filter(stage=stage, closed_at__isnull=False, advanced_at__isnull=True)
        numbers = list(pending.values_list("number", flat=True))
        if not numbers:
            return 0
        board = _board(stage)
        waiting = [number - stage.first_number + 1 for number in numbers]
        heapq.heapify(waiting)
        changed: set[str] = set()
        moved = 0
        while waiting:
            match = board.match(heapq.heappop(waiting))
            if match.advanced_at is None:
                for number in _match_advance(board, match, changed):
                    heapq.heappush(waiting, number)
                moved += 1
        _stage_conclude(board)
        revisions_bump(stage.tournament_id, "home", "bracket", "placings", "tables", *changed)
    return moved


def _board(stage: Stage) -> _Board:
    out = Entry.objects.filter(
        tournament_id=stage.tournament_id, status__in=[EntryStatus.WITHDRAWN, EntryStatus.DISQUALIFIED]
    )
    return _Board(
        stage, stage_plan(stage), tuple(out.order_by("withdrawn_at", "pk").values_list("pk", flat=True))
    )


def _match_advance(board: _Board, match: Match, changed: set[str]) -> list[int]:
    """Fill the places that a closed match feeds; the numbers of matches that this closed in turn."""
    closed = []
    targets = []
    for filling in advance.fillings(board.plan, _state(board, match)):
        target = board.match(filling.match)
        _slot_fill(target, SIDE_OF_PLACE[filling.side], filling)
        targets.append(target)
    _byes_fill(match)
    match.advanced_at = timezone.now()
    match.save(update_fields=["advanced_at"])
    changed.add(match_part(match))
    for target in {target.pk: target for target in targets}.values():
        if _match_open(board, target):
            closed.append(board.number(target))
        changed.add(match_part(target))
    return closed


def _state(board: _Board, match: Match) -> drawn.MatchState[UUID]:
    """Where the match stands by its slots and its confirmed result. Two queries."""
    slots = {slot.side: slot for slot in Slot.objects.filter(match=match)}
    result = Result.objects.filter(match=match, state=ResultState.CONFIRMED).first()
    return advance.settle(
        board.plan,
        board.number(match),
        _drawn_slot(slots[Side.NS]),
        _drawn_slot(slots[Side.EW]),
        drawn_result(result.outcome, result.winner_side) if result is not None else None,
        board.withdrawn,
    )


def _drawn_slot(slot: Slot) -> drawn.Slot[UUID]:
    return drawn_slot(slot.state, slot.entry_id, slot.cause)


def _slot_fill(match: Match, side: Side, filling: drawn.Filling[UUID]) -> None:
    """Fill an open slot, once: a slot that was filled before is left as it is."""
    Slot.objects.filter(match=match, side=side, state=SlotState.OPEN).update(
        state=SlotState.EMPTY if filling.entry is None else SlotState.FILLED,
        entry_id=filling.entry,
        cause=filling.cause.reason,
        filled_at=timezone.now(),
    )


def _byes_fill(match: Match) -> None:
    """Name the team of a bye that the draw gave to the winner or loser of this match."""
    waiting = Bye.objects.filter(source_match=match, entry__isnull=True, into_match__isnull=False)
    for bye in waiting.select_related("into_match"):
        slot = Slot.objects.filter(match=bye.into_match, side=bye.into_side).first()
        if slot is not None and slot.entry_id is not None:
            bye.entry_id = slot.entry_id
            bye.save(update_fields=["entry"])


def _match_open(board: _Board, match: Match) -> bool:
    """Once both slots are decided: ready, or closed at once. True when it was closed. Needs the match lock."""
    if match.state not in {MatchState.WAITING, MatchState.LOCKED}:
        return False
    state = _state(board, match)
    if state.status == "waiting":
        return False
    if state.status in {"bye", "void", "not-needed"}:
        _match_void(match, passes_on=state.winning_entry)
        return True
    match.state, match.ready_at = MatchState.READY, timezone.now()
    match.save(update_fields=["state", "ready_at"])
    if state.status == "decided":
        winner_side = SIDE_OF_PLACE[state.winner] if state.winner else ""
        match_close_by_withdrawal_locked(match, winner_side=winner_side)
        return True
    match_ready.send(sender=Match, match_id=match.pk, tournament_id=match.tournament_id)
    return False


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
    final = _state(board, board.match(board.plan.final.number))
    reset = board.plan.reset
    champion = advance.champion(final, None if reset is None else _state(board, board.match(reset.number)))
    changed = Tournament.objects.filter(pk=stage.tournament_id).exclude(champion_id=champion)
    if champion is not None and changed.update(champion_id=champion, finished_at=timezone.now()):
        log_add("stage.concluded", actor=SYSTEM, tournament_id=stage.tournament_id, entry_id=champion)
