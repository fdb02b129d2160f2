"""A match's result: entered, confirmed by the other side or settled by an official, disputed, taken back.

A result counts nowhere before it is settled, and the way it was settled is stored with it. Two
different entries become a dispute in which both are kept.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Literal
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from tournaments.actors import SYSTEM, Actor
from tournaments.enums import (
    OPEN_FOR_PLAY,
    OPEN_FOR_RESULT,
    ActorKind,
    MatchState,
    Outcome,
    ResultState,
    Role,
    SettledWay,
    Side,
)
from tournaments.errors import AgainstRules, Conflict, NotThere, NotYours
from tournaments.models import Entry, EntryPlayer, Match, Result, Slot
from tournaments.permissions import has_role, require_role, require_score, side_of
from tournaments.queue import enqueue
from tournaments.rulesets import GameMarks, check_games, match_rules
from tournaments.services.locks import match_lock
from tournaments.services.log import log_add, match_part, revisions_bump
from tournaments.signals import match_closed

PARTS_OF_A_RESULT = ("home", "bracket", "tables")
SETTLED = ("state", "settled_way", "settled_at", "settled_by", "settled_link", "settled_label", "reason")
"""What settling a result changes in it."""
PARTS_OF_A_SETTLED_RESULT = ("home", "bracket", "placings", "tables")


@dataclass(frozen=True, slots=True)
class Entered:
    """What an entry led to: a new result, the one already stored, or a dispute between two."""

    result: Result
    how: Literal["new", "same", "disputed"]


def result_enter_locked(
    match: Match, games: list[GameMarks], *, actor: Actor, desk: bool = False, reason: str = ""
) -> Entered:
    """Store an entry for `match`. Needs the match lock and the caller's check that the actor may score.

    With `desk` an official's own entry counts at once; it needs a reason. Raises AgainstRules for
    impossible marks and Conflict when the match is not open or another result is stored.
    """
    if desk:
        _require_desk(match, actor, reason)
    stored = _stored_entries(match)
    for result in stored:
        if result.outcome == Outcome.PLAYED and result.games == games:
            if desk and result.state == ResultState.ENTERED:
                return Entered(_settle_by_desk(match, result, actor, reason), "same")
            return Entered(result, "same")
    if match.state not in OPEN_FOR_RESULT:
        raise _not_open(match, stored)
    score = check_games(games, best_of=match.best_of, rules=match_rules(match))
    if stored and not desk:
        _refuse_own_second_entry(match, stored, actor)
    result = result_new(
        match,
        actor,
        games=games,
        winner_side=score.winner_side,
        games_ns=score.games_ns,
        games_ew=score.games_ew,
        marks_ns=score.marks_ns,
        marks_ew=score.marks_ew,
        reason=reason,
    )
    if desk:
        return Entered(_settle_by_desk(match, result, actor, reason), "new")
    result.save(force_insert=True)
    disputed = bool(stored)
    match.state = MatchState.DISPUTED if disputed else MatchState.ENTERED
    match.entered_at = match.entered_at or timezone.now()
    match.has_play = True
    match.save(update_fields=["state", "entered_at", "has_play", "result_version"])
    action = "result.entered-differently" if disputed else "result.entered"
    log_add(
        action,
        actor=actor,
        tournament_id=match.tournament_id,
        match=match,
        version=result.version,
        games=games,
    )
    revisions_bump(match.tournament_id, *PARTS_OF_A_RESULT, match_part(match))
    return Entered(result, "disputed" if disputed else "new")


def result_confirm(
    *, match_id: UUID, version: int, actor: Actor, proven_side: str = "", reason: str = ""
) -> Result:
    """Settle an entered result; it counts from now on and the bracket moves.

    `proven_side` is the side whose team code was typed on the actor's phone. Confirming the version
    that is already confirmed returns it again. Raises NotYours for the side that entered it, Conflict
    for another version or a match with nothing to confirm.
    """
    with transaction.atomic(durable=True):
        match = match_lock(match_id)
        result = result_of(match, version)
        if result.state == ResultState.CONFIRMED:
            require_part_in(match, actor, proven_side)
            return result
        if (
            match.state not in {MatchState.ENTERED, MatchState.DISPUTED}
            or result.state != ResultState.ENTERED
        ):
            raise _not_open(match, _stored_entries(match))
        way = _way_to_settle(match, result, actor, proven_side, reason)
        return result_settle_locked(match, result, way=way, actor=actor, reason=reason)


def result_dispute(*, match_id: UUID, actor: Actor, reason: str = "") -> Match:
    """The other side says that the entry is wrong: the desk decides. Repeating it changes nothing."""
    with transaction.atomic(durable=True):
        match = match_lock(match_id)
        require_part_in(match, actor)
        if match.state == MatchState.DISPUTED:
            return match
        if match.state != MatchState.ENTERED:
            raise _not_open(match, _stored_entries(match))
        match.state = MatchState.DISPUTED
        match.save(update_fields=["state"])
        log_add("result.disputed", actor=actor, tournament_id=match.tournament_id, match=match, reason=reason)
        revisions_bump(match.tournament_id, *PARTS_OF_A_RESULT, match_part(match))
        return match


def result_take_back(*, match_id: UUID, actor: Actor) -> Match:
    """Whoever entered an unsettled result withdraws it; play goes on. Officials may do it too."""
    with transaction.atomic(durable=True):
        match = match_lock(match_id)
        require_score(actor, match)
        if match.state not in {MatchState.ENTERED, MatchState.DISPUTED}:
            raise _not_open(match, _stored_entries(match))
        return result_take_back_locked(match, actor=actor)


def result_take_back_locked(match: Match, *, actor: Actor) -> Match:
    """Take back the actor's own entries, or all of them for an official. Needs the match lock."""
    official = has_role(actor, match.tournament_id, Role.DESK)
    side = side_of(actor, match)
    entries = [result for result in _stored_entries(match) if result.state == ResultState.ENTERED]
    mine = [result for result in entries if official or _entered_by(result, actor, side)]
    if not mine:
        raise NotYours("not_your_entry", "Only those who entered this result may take it back.")
    Result.objects.filter(pk__in=[result.pk for result in mine]).update(state=ResultState.TAKEN_BACK)
    left = len(entries) - len(mine)
    match.state = MatchState.ENTERED if left == 1 else MatchState.DISPUTED if left else MatchState.PLAYING
    match.entered_at = match.entered_at if left else None
    match.save(update_fields=["state", "entered_at"])
    log_add(
        "result.taken-back",
        actor=actor,
        tournament_id=match.tournament_id,
        match=match,
        versions=[result.version for result in mine],
    )
    revisions_bump(match.tournament_id, *PARTS_OF_A_RESULT, match_part(match))
    return match


def match_forfeit(*, match_id: UUID, side: str, actor: Actor, reason: str) -> Result:
    """End a match without play: `side` ('NS', 'EW' or 'both') did not appear or may not go on.

    Counts at once; needs the desk's role and a reason. The same forfeit again returns the stored result.
    """
    outcome, winner_side = forfeit_outcome(side)
    if not reason.strip():
        raise AgainstRules("reason_required", "Give the reason for the forfeit.", field="reason")
    with transaction.atomic(durable=True):
        match = match_lock(match_id)
        require_role(actor, match.tournament, Role.DESK)
        for stored in _stored_entries(match):
            if (stored.state, stored.outcome, stored.winner_side) == (
                ResultState.CONFIRMED,
                outcome,
                winner_side,
            ):
                return stored
        if match.state not in OPEN_FOR_RESULT:
            raise _not_open(match, _stored_entries(match))
        result = result_new(match, actor, outcome=outcome, winner_side=winner_side, reason=reason)
        return result_settle_locked(match, result, way=SettledWay.DESK, actor=actor, reason=reason)


def forfeit_outcome(side: str) -> tuple[Outcome, str]:
    """The outcome and the winning side when `side` ('NS', 'EW' or 'both') forfeits."""
    if side == "both":
        return Outcome.DOUBLE_FORFEIT, ""
    if side not in Side.values:
        raise AgainstRules("bad_side", "Say which side forfeits: NS, EW or both.", field="side")
    return Outcome.FORFEIT, Side(side).other


def match_close_by_withdrawal_locked(match: Match, *, winner_side: str, actor: Actor = SYSTEM) -> Result:
    """End a match of known teams because one withdrew; nobody wins with an empty `winner_side`.

    Needs the match lock. The caller bumps the revisions, since it may have more to lock before.
    """
    outcome = Outcome.WITHDRAWAL if winner_side else Outcome.DOUBLE_FORFEIT
    result = result_new(match, actor, outcome=outcome, winner_side=winner_side, reason="")
    return _settle(match, result, SettledWay.RULE, actor, "")


def result_settle_locked(
    match: Match, result: Result, *, way: SettledWay, actor: Actor, reason: str = ""
) -> Result:
    """Make `result` the one that counts, close the match and ask for the advance. Needs the match lock.

    A result that `result_new` made is stored by this.
    """
    _settle(match, result, way, actor, reason)
    revisions_bump(match.tournament_id, *PARTS_OF_A_SETTLED_RESULT, match_part(match))
    return result


def silent_results_confirm(*, match_id: UUID) -> bool:
    """Settle an entry that nobody answered within the tournament's minutes. True when it was settled now."""
    with transaction.atomic(durable=True):
        match = match_lock(match_id)
        minutes = match.tournament.auto_confirm_minutes
        if minutes is None or match.state != MatchState.ENTERED or match.entered_at is None:
            return False
        if timezone.now() < match.entered_at + timedelta(minutes=minutes):
            return False
        result = match.results.filter(state=ResultState.ENTERED).latest("version")
        result_settle_locked(match, result, way=SettledWay.SILENCE, actor=SYSTEM)
        return True


def _way_to_settle(match: Match, result: Result, actor: Actor, proven_side: str, reason: str) -> SettledWay:
    side = proven_side or side_of(actor, match)
    if side:
        if match.state == MatchState.DISPUTED:
            raise Conflict("disputed", "Two entries differ. The desk decides.", state=match.state)
        if side != confirming_side(result):
            raise NotYours(
                "other_side_confirms",
                "The other side has to confirm this result.",
                confirming_side=confirming_side(result),
            )
        return SettledWay.OTHER_SIDE
    if actor.is_link:
        raise NotYours(
            "table_never_confirms", "A table link enters results; the other side's code confirms them."
        )
    require_role(actor, match.tournament, Role.DESK)
    if not result.entered_by_id or not actor.same_as(user_id=result.entered_by_id, link_id=None):
        return SettledWay.OFFICIAL
    if not reason.strip():
        raise NotYours(
            "own_entry",
            "You entered this result yourself. Give a reason to settle it, or let somebody else confirm.",
        )
    return SettledWay.DESK


def confirming_side(result: Result) -> str:
    """The side whose word settles the result.

    An entry made by a side is confirmed by the other one. An entry made by neither (table link,
    scorer) is confirmed by the side it says has lost, which gains nothing from a false yes.
    """
    against = result.entered_side or result.winner_side
    return Side(against).other


def _settle(match: Match, result: Result, way: SettledWay, actor: Actor, reason: str) -> Result:
    now = timezone.now()
    if match.result_version > 1:
        others = match.results.filter(state=ResultState.ENTERED).exclude(pk=result.pk)
        others.update(state=ResultState.SUPERSEDED)
    result.state, result.settled_way, result.settled_at = ResultState.CONFIRMED, way, now
    result.settled_by_id = actor.user.pk if actor.user is not None else None
    result.settled_link, result.settled_label = actor.link_id, actor.label
    result.reason = reason or result.reason
    if result._state.adding:
        result.save(force_insert=True)
    else:
        result.save(update_fields=SETTLED)
    match.state, match.closed_at, match.advanced_at = MatchState.CONFIRMED, now, None
    match.has_play = match.has_play or result.outcome == Outcome.PLAYED
    match.save(update_fields=["state", "closed_at", "advanced_at", "has_play", "result_version"])
    log_add(
        "result.settled",
        actor=actor,
        tournament_id=match.tournament_id,
        match=match,
        version=result.version,
        outcome=result.outcome,
        winner_side=result.winner_side,
        way=way,
        reason=reason,
    )
    match_closed.send(sender=Match, match_id=match.pk, tournament_id=match.tournament_id)
    enqueue("tournaments.advance_bracket", match.stage_id)
    return result


def _settle_by_desk(match: Match, result: Result, actor: Actor, reason: str) -> Result:
    return result_settle_locked(match, result, way=SettledWay.DESK, actor=actor, reason=reason)


def _require_desk(match: Match, actor: Actor, reason: str) -> None:
    require_role(actor, match.tournament, Role.DESK)
    if not reason.strip():
        raise AgainstRules("reason_required", "A result entered at the desk needs a reason.", field="reason")


def _stored_entries(match: Match) -> list[Result]:
    """The entries that stand, oldest first. One query, none where nothing was ever entered."""
    if not match.result_version:
        return []
    live = (ResultState.ENTERED, ResultState.CONFIRMED)
    return list(match.results.filter(state__in=live).order_by("version"))


def _entered_by(result: Result, actor: Actor, side: str) -> bool:
    if side and side == result.entered_side:
        return True
    return actor.same_as(user_id=result.entered_by_id, link_id=result.entered_link)


def _refuse_own_second_entry(match: Match, stored: list[Result], actor: Actor) -> None:
    side = side_of(actor, match)
    for result in stored:
        if _entered_by(result, actor, side):
            raise Conflict(
                "result_differs",
                "You entered another result before. Take it back first.",
                stored=result_facts(result),
            )
    if match.state == MatchState.DISPUTED:
        raise Conflict("disputed", "Two entries differ. The desk decides.", stored=result_facts(stored[-1]))


def result_facts(result: Result) -> dict[str, object]:
    """The result as the facts of a refusal."""
    return {
        "version": result.version,
        "state": result.state,
        "outcome": result.outcome,
        "games": result.games,
        "winner_side": result.winner_side,
        "entered_by": result.entered_label,
    }


def _not_open(match: Match, stored: list[Result]) -> Conflict:
    facts: dict[str, object] = {"match": match.code, "state": match.state}
    if stored:
        facts["stored"] = result_facts(stored[-1])
    if match.state == MatchState.CONFIRMED:
        return Conflict("already_confirmed", f"{match.code} is final with another result.", **facts)
    if match.state in {MatchState.WAITING, MatchState.LOCKED}:
        return Conflict("teams_unknown", f"{match.code} is still waiting for its teams.", **facts)
    if match.state == MatchState.VOID:
        return Conflict("match_not_played", f"{match.code} is not played.", **facts)
    if match.state in OPEN_FOR_PLAY:
        return Conflict("nothing_entered", f"No result of {match.code} is waiting to be confirmed.", **facts)
    return Conflict("result_stored", f"{match.code} already has an entry.", **facts)


def require_part_in(match: Match, actor: Actor, proven_side: str = "") -> None:
    """Raise unless the actor is one of the two sides of the match, or may score it."""
    if not proven_side and not side_of(actor, match):
        require_score(actor, match)


def result_of(match: Match, version: int) -> Result:
    """The entry with this version; NotThere, or Conflict for one that no longer stands."""
    result = match.results.filter(version=version).first()
    if result is None:
        raise NotThere(
            "no_such_version", f"{match.code} has no entry with version {version}.", version=version
        )
    if result.state in {ResultState.SUPERSEDED, ResultState.TAKEN_BACK}:
        newest = match.results.order_by("-version").first()
        raise Conflict(
            "stale_version",
            "This entry no longer stands. Look at the newest one.",
            stored=result_facts(newest) if newest else None,
        )
    return result


def result_create(match: Match, actor: Actor, **fields: Any) -> Result:
    """A new row with the next version and the line-ups of now. Needs the match lock; the caller saves the match."""
    result = result_new(match, actor, **fields)
    result.save(force_insert=True)
    return result


def result_new(match: Match, actor: Actor, **fields: Any) -> Result:
    """As `result_create`, not stored yet."""
    match.result_version += 1
    return Result(
        match=match,
        version=match.result_version,
        lineups=lineups_now(match),
        entered_kind=actor.kind,
        entered_by_id=actor.user.pk if actor.user is not None else None,
        entered_link=actor.link_id,
        entered_label=actor.label,
        entered_side="" if actor.kind is ActorKind.USER else side_of(actor, match),
        entered_at=timezone.now(),
        **fields,
    )


def lineups_now(match: Match) -> dict[str, list[str]]:
    """Player ids by side, in their order, as the teams stand now. One query."""
    lineups: dict[str, list[str]] = {side: [] for side in Side.values}
    members = EntryPlayer.objects.filter(entry__slots__match=match, until__isnull=True).order_by("position")
    for side, player_id in members.values_list("entry__slots__side", "player_id"):
        lineups[side].append(str(player_id))
    return lineups


def entries_of(match: Match) -> dict[str, Entry]:
    """The known teams by side. One query."""
    slots = Slot.objects.filter(match=match, entry__isnull=False).select_related("entry")
    return {slot.side: slot.entry for slot in slots if slot.entry is not None}
