"""Moves teams along the bracket once matches are closed. Doing it twice, late or out of order changes nothing."""

from collections.abc import Iterable
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from tournaments.actors import SYSTEM
from tournaments.enums import MatchState, Outcome, ResultState, SlotState, SourceKind
from tournaments.models import Bye, Entry, Match, Result, Slot, Stage, Tournament
from tournaments.services import locks
from tournaments.services.log import log_add, match_part, revisions_bump
from tournaments.services.result import match_close_by_withdrawal_locked
from tournaments.signals import match_closed, match_ready


def bracket_advance(*, stage_id: UUID) -> int:
    """Move on the teams of every closed match of the stage; the number of matches moved on.

    Locks the stage. A match already moved on is left alone, so repeating it is harmless.
    """
    with transaction.atomic(durable=True):
        stage = locks.stage_lock(stage_id)
        changed: set[str] = set()
        moved = 0
        while pending := list(_pending(stage)):
            for match in pending:
                _match_advance(stage, match, changed)
                moved += 1
        if moved:
            _stage_conclude(stage)
            revisions_bump(stage.tournament_id, "home", "bracket", "placings", "tables", *changed)
    return moved


def _pending(stage: Stage) -> Iterable[Match]:
    return (
        Match.objects.filter(stage=stage, closed_at__isnull=False, advanced_at__isnull=True)
        .select_related("tournament", "stage")
        .order_by("number")
    )


def _match_advance(stage: Stage, match: Match, changed: set[str]) -> None:
    goes_on = _who_goes_on(match)
    for slot in Slot.objects.filter(source_match=match).select_related("match").order_by("match_id"):
        target = slot.match
        if target.is_reset and not _reset_needed(match):
            _match_void(target)
        else:
            _slot_fill(slot, goes_on[SourceKind(slot.source_kind)])
        changed.add(match_part(target))
    for bye in Bye.objects.filter(source_match=match, entry__isnull=True):
        bye.entry = goes_on[SourceKind(bye.source_kind)]
        bye.save(update_fields=["entry"])
    match.advanced_at = timezone.now()
    match.save(update_fields=["advanced_at"])
    changed.add(match_part(match))
    for target in Match.objects.filter(slots__source_match=match).distinct().order_by("pk"):
        _match_open(stage, locks.match_lock(target.pk))


def _who_goes_on(match: Match) -> dict[SourceKind, Entry | None]:
    """The winner and the loser of a closed match; None where nobody goes on from that place.

    A team that withdrew, and both teams of a double forfeit, take no further place.
    """
    if match.state == MatchState.VOID:
        walkover = Bye.objects.filter(instead_of=match).select_related("entry").first()
        return {SourceKind.WINNER: walkover.entry if walkover else None, SourceKind.LOSER: None}
    result = Result.objects.get(match=match, state=ResultState.CONFIRMED)
    teams = {slot.side: slot.entry for slot in match.slots.select_related("entry")}
    if result.outcome == Outcome.DOUBLE_FORFEIT or not result.winner_side:
        return {SourceKind.WINNER: None, SourceKind.LOSER: None}
    loser = teams["EW" if result.winner_side == "NS" else "NS"]
    return {
        SourceKind.WINNER: teams[result.winner_side],
        SourceKind.LOSER: None if loser is None or loser.is_out else loser,
    }


def _reset_needed(grand_final: Match) -> bool:
    """True when the losers' champion, who sits east and west, won: then both have one loss."""
    if grand_final.state == MatchState.VOID:
        return False
    result = Result.objects.get(match=grand_final, state=ResultState.CONFIRMED)
    loser = grand_final.slots.select_related("entry").get(side="NS").entry
    return result.winner_side == "EW" and loser is not None and not loser.is_out


def _slot_fill(slot: Slot, entry: Entry | None) -> None:
    """Fill an open slot, once: a slot that somebody filled first is left as it is."""
    Slot.objects.filter(pk=slot.pk, state=SlotState.OPEN).update(
        state=SlotState.FILLED if entry else SlotState.EMPTY, entry=entry, filled_at=timezone.now()
    )


def _match_open(stage: Stage, match: Match) -> None:
    """Once both slots are decided: ready, or closed at once because a team is missing. Needs the match lock."""
    if match.state not in {MatchState.WAITING, MatchState.LOCKED}:
        return
    slots = list(match.slots.select_related("entry"))
    if any(slot.state == SlotState.OPEN for slot in slots):
        return
    present = [slot for slot in slots if slot.state == SlotState.FILLED]
    if len(present) < 2:
        _match_void(match, passes_on=present[0].entry if present else None)
        return
    match.state, match.ready_at = MatchState.READY, timezone.now()
    match.save(update_fields=["state", "ready_at"])
    out = {slot.entry_id for slot in present if slot.entry is not None and slot.entry.is_out}
    if out:
        match_close_by_withdrawal_locked(match, out=out)
    else:
        match_ready.send(sender=Match, match_id=match.pk, tournament_id=match.tournament_id)


def _match_void(match: Match, *, passes_on: Entry | None = None) -> None:
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
                "entry": passes_on,
            },
        )
    match_closed.send(sender=Match, match_id=match.pk, tournament_id=match.tournament_id)


def _stage_conclude(stage: Stage) -> None:
    """Name the champion once every match is closed. Nobody is champion when nobody came to the end."""
    if Match.objects.filter(stage=stage, advanced_at__isnull=True).exists():
        return
    last = Match.objects.filter(stage=stage, round__section__in=["winners", "finals"]).order_by("-number")
    champion = None
    for match in last.select_related("round")[:2]:
        if match.is_reset and match.state == MatchState.VOID:
            continue
        champion = _who_goes_on(match)[SourceKind.WINNER]
        break
    changed = Tournament.objects.filter(pk=stage.tournament_id).exclude(champion=champion)
    if champion is not None and changed.update(champion=champion, finished_at=timezone.now()):
        log_add("stage.concluded", actor=SYSTEM, tournament_id=stage.tournament_id, entry_id=champion.pk)
