"""Corrects a result that already counts, and makes the bracket what it would have been with the right one.

The bracket is a function of its results: the stage is derived again from all of them, and only the rows
that differ are written. So a correction that is itself corrected leaves no trace but the log.
"""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from tournaments.actors import SYSTEM, Actor
from tournaments.draw import advance
from tournaments.draw.state import MatchState as DrawnMatch
from tournaments.draw.state import Result as DrawnResult
from tournaments.draw.state import Slot as DrawnSlot
from tournaments.enums import MatchState, Outcome, ResultState, Role, SettledWay, Side, SlotState, SourceKind
from tournaments.errors import AgainstRules, Conflict, NotThere
from tournaments.models import Bye, Entry, Match, Result, Slot, Stage, Tournament
from tournaments.permissions import require_role
from tournaments.queue import enqueue
from tournaments.rulesets import GameMarks, check_games, match_rules
from tournaments.selectors.plan import SIDE_OF_PLACE, drawn_result, stage_plan
from tournaments.services.locks import matches_lock_where, stage_lock
from tournaments.services.log import log_add, match_part, revisions_bump
from tournaments.services.result import forfeit_outcome, result_create
from tournaments.signals import match_reopened


@dataclass(slots=True)
class _Bracket:
    """A locked stage with all its rows, by number in the plan."""

    stage: Stage
    matches: dict[int, Match]
    slots: dict[tuple[int, Side], Slot]
    results: dict[int, Result]

    def teams_of(self, number: int) -> tuple[UUID | None, UUID | None]:
        return self.slots[number, Side.NS].entry_id, self.slots[number, Side.EW].entry_id


def result_correct(
    *, match_id: UUID, actor: Actor, reason: str, games: list[GameMarks] | None = None, forfeit: str = ""
) -> Result:
    """Replace a confirmed result by `games`, or by a forfeit of `forfeit` ('NS', 'EW' or 'both').

    Needs the desk's role and a reason. When the teams that go on are the same, dependent matches are left
    alone, also those under way. When they change, Conflict `dependents_have_play` with their codes unless
    none of them has begun. The same correction again returns the stored result. Locks the stage and every
    match of it.
    """
    if not reason.strip():
        raise AgainstRules("reason_required", "A correction needs a reason.", field="reason")
    stage_id = Match.objects.filter(pk=match_id).values_list("stage_id", flat=True).first()
    if stage_id is None:
        raise NotThere("not_found", "There is no such match.")
    with transaction.atomic(durable=True):
        stage = stage_lock(stage_id)
        require_role(actor, stage.tournament, Role.DESK)
        bracket = _read(stage)
        match = next(one for one in bracket.matches.values() if one.pk == match_id)
        old = match.results.filter(state=ResultState.CONFIRMED).first()
        if old is None:
            raise Conflict(
                "not_confirmed", f"{match.code} has no final result to correct.", state=match.state
            )
        fields = _new_fields(match, games, forfeit)
        if (old.outcome, old.games) == (fields["outcome"], fields["games"]) and (
            old.winner_side == fields["winner_side"]
        ):
            return old
        old.state = ResultState.SUPERSEDED
        old.save(update_fields=["state"])
        new = _confirmed(match, actor, reason, fields)
        match.save(update_fields=["result_version"])
        bracket.results[_number(stage, match)] = new
        changed = _derive_and_write(bracket)
        log_add(
            "result.corrected",
            actor=actor,
            tournament_id=match.tournament_id,
            match=match,
            before={"version": old.version, "games": old.games, "winner_side": old.winner_side},
            after={"version": new.version, "games": new.games, "winner_side": new.winner_side},
            reason=reason,
            changed=changed,
        )
        enqueue("tables.assign_tables", stage.tournament_id)
        parts = [match_part(match), *(f"match:{code}" for code in changed)]
        revisions_bump(stage.tournament_id, "home", "bracket", "placings", "tables", *parts)
        return new


def _new_fields(match: Match, games: list[GameMarks] | None, forfeit: str) -> dict[str, object]:
    if forfeit:
        outcome, winner_side = forfeit_outcome(forfeit)
        return {"outcome": outcome, "winner_side": winner_side, "games": []}
    score = check_games(games or [], best_of=match.best_of, rules=match_rules(match))
    return {
        "outcome": Outcome.PLAYED,
        "winner_side": score.winner_side,
        "games": games or [],
        "games_ns": score.games_ns,
        "games_ew": score.games_ew,
        "marks_ns": score.marks_ns,
        "marks_ew": score.marks_ew,
    }


def _confirmed(match: Match, actor: Actor, reason: str, fields: dict[str, object]) -> Result:
    return result_create(
        match,
        actor,
        state=ResultState.CONFIRMED,
        settled_way=SettledWay.DESK,
        settled_at=timezone.now(),
        settled_by_id=actor.user.pk if actor.user is not None else None,
        settled_label=actor.label,
        reason=reason,
        **fields,
    )


def _number(stage: Stage, match: Match) -> int:
    return match.number - stage.first_number + 1


def _read(stage: Stage) -> _Bracket:
    """Lock and read every row of the stage. Four queries."""
    matches = {_number(stage, match): match for match in matches_lock_where(stage=stage)}
    numbers = {match.pk: number for number, match in matches.items()}
    slots = {
        (numbers[slot.match_id], Side(slot.side)): slot for slot in Slot.objects.filter(match__stage=stage)
    }
    confirmed = Result.objects.filter(match__stage=stage, state=ResultState.CONFIRMED)
    results = {numbers[result.match_id]: result for result in confirmed}
    return _Bracket(stage, matches, slots, results)


def _derive_and_write(bracket: _Bracket) -> list[str]:
    """Write what differs from the derived bracket; the codes of the matches that changed.

    Raises Conflict when one of them has play.
    """
    stage = bracket.stage
    plan = stage_plan(stage)
    out = Entry.objects.filter(tournament_id=stage.tournament_id, withdrawn_at__isnull=False)
    withdrawn = tuple(out.order_by("withdrawn_at", "pk").values_list("pk", flat=True))
    results = {number: _between(bracket, number, result) for number, result in bracket.results.items()}
    given = {
        number: result for number, result in results.items() if not _is_automatic(bracket.results[number])
    }
    state = advance.derive(plan, _seed_order(bracket), given, withdrawn)
    moved = [one for one in state.matches if _differs(bracket, one)]
    blocked = [bracket.matches[one.number].code for one in moved if bracket.matches[one.number].has_play]
    if blocked:
        raise Conflict(
            "dependents_have_play",
            f"Matches that depend on this one have begun: {', '.join(blocked)}.",
            affected=blocked,
        )
    for one in moved:
        _write(bracket, one)
    champion = state.champion if all(one.is_closed for one in state.matches) else None
    Tournament.objects.filter(pk=stage.tournament_id).update(
        champion_id=champion, finished_at=timezone.now() if champion else None
    )
    return [bracket.matches[one.number].code for one in moved]


def _between(bracket: _Bracket, number: int, result: Result) -> DrawnResult[UUID]:
    """The result tied to the two teams it was confirmed for: it counts for no others."""
    drawn = drawn_result(result.outcome, result.winner_side)
    assert drawn is not None
    first, second = bracket.teams_of(number)
    between = (first, second) if first is not None and second is not None else None
    return DrawnResult(drawn.outcome, drawn.winner, drawn.loser_goes_on, between)


def _is_automatic(result: Result) -> bool:
    """Made by the program after a withdrawal, so derived again rather than given."""
    return result.settled_way == SettledWay.RULE


def _seed_order(bracket: _Bracket) -> list[UUID]:
    drawn = {
        slot.source_seed: slot.entry_id
        for slot in bracket.slots.values()
        if slot.source_kind == SourceKind.SEED and slot.source_seed is not None and slot.entry_id is not None
    }
    return [drawn[seed] for seed in sorted(drawn)]


def _differs(bracket: _Bracket, one: DrawnMatch[UUID]) -> bool:
    """Do the stored teams of the match, or its being played at all, differ from the derived ones?"""
    stored = [bracket.slots[one.number, side] for side in (Side.NS, Side.EW)]
    slots = [(slot.state, slot.entry_id) for slot in stored]
    if slots != [(slot.status, slot.entry) for slot in (one.a, one.b)]:
        return True
    is_void = bracket.matches[one.number].state == MatchState.VOID
    return is_void != (one.status in {"bye", "void", "not-needed"})


def _write(bracket: _Bracket, one: DrawnMatch[UUID]) -> None:
    match = bracket.matches[one.number]
    _slot_write(bracket.slots[one.number, Side.NS], one.a)
    _slot_write(bracket.slots[one.number, Side.EW], one.b)
    stale = bracket.results.pop(one.number, None)
    if stale is not None:
        stale.state = ResultState.SUPERSEDED
        stale.save(update_fields=["state"])
    Bye.objects.filter(instead_of=match).delete()
    _byes_rename(match, one)
    was_called = match.state in {MatchState.CALLED, MatchState.READY, MatchState.PLAYING}
    now = timezone.now()
    match.state = MatchState.LOCKED if match.is_reset else MatchState.WAITING
    match.ready_at = match.called_at = match.started_at = match.closed_at = match.advanced_at = None
    if one.status == "ready":
        match.state, match.ready_at = MatchState.READY, now
    elif one.status in {"bye", "void", "not-needed"}:
        match.state, match.closed_at, match.advanced_at = MatchState.VOID, now, now
        if one.winning_entry is not None:
            Bye.objects.create(
                stage_id=match.stage_id,
                round_id=match.round_id,
                position=match.position,
                entry_id=one.winning_entry,
                instead_of=match,
            )
    elif one.status == "decided":
        match.state, match.closed_at, match.advanced_at = MatchState.CONFIRMED, now, now
        _automatic_result(match, one)
    match.save(
        update_fields=[
            "state",
            "ready_at",
            "called_at",
            "started_at",
            "closed_at",
            "advanced_at",
            "result_version",
        ]
    )
    if was_called:
        match_reopened.send(sender=Match, match_id=match.pk, tournament_id=match.tournament_id)


def _slot_write(slot: Slot, derived: DrawnSlot[UUID]) -> None:
    slot.state, slot.entry_id = SlotState(derived.status), derived.entry
    slot.cause = derived.cause.reason if derived.cause is not None else ""
    slot.filled_at = None if derived.status == "open" else timezone.now()
    slot.save(update_fields=["state", "entry", "cause", "filled_at"])


def _byes_rename(match: Match, one: DrawnMatch[UUID]) -> None:
    """Byes of the draw lead into this match: they name whoever stands there now."""
    for bye in Bye.objects.filter(into_match=match):
        slot = one.a if bye.into_side == Side.NS else one.b
        bye.entry_id = slot.entry
        bye.save(update_fields=["entry"])


def _automatic_result(match: Match, one: DrawnMatch[UUID]) -> None:
    result_create(
        match,
        SYSTEM,
        state=ResultState.CONFIRMED,
        outcome=Outcome.WITHDRAWAL if one.winner else Outcome.DOUBLE_FORFEIT,
        winner_side=SIDE_OF_PLACE[one.winner] if one.winner else "",
        settled_way=SettledWay.RULE,
        settled_at=timezone.now(),
        settled_label=SYSTEM.label,
    )
