"""Calls for a judge from a table, and their answers."""

from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from tables.enums import JudgeCallKind
from tables.models import JudgeCall
from tables.services.seats import PARTS_OF_A_SEATING
from tournaments.actors import Actor
from tournaments.enums import CLOSED, Role
from tournaments.errors import Conflict, NotThere, NotYours
from tournaments.models import Match
from tournaments.permissions import has_role, require_score
from tournaments.services.locks import match_lock
from tournaments.services.log import log_add, match_part, revisions_bump


def judge_call(
    *,
    match_id: UUID,
    actor: Actor,
    note: str = "",
    kind: JudgeCallKind = JudgeCallKind.ASKED,
    facts: dict[str, Any] | None = None,
) -> JudgeCall:
    """Ask for a judge at the match. While a call of this kind is open, asking again returns it.

    Whoever may score the match may ask. Raises Conflict for a match that is over.
    """
    with transaction.atomic(durable=True):
        match = match_lock(match_id)
        require_score(actor, match)
        if match.state in CLOSED:
            raise Conflict("match_over", f"{match.code} is over.", match=match.code, state=match.state)
        same = JudgeCall.objects.filter(
            match=match, kind=kind, answered_at__isnull=True, facts=facts or {}
        ).first()
        if same is not None:
            return same
        call = JudgeCall.objects.create(
            match=match,
            kind=kind,
            note=note.strip()[:200],
            facts=facts or {},
            called_label=actor.label,
            called_link=actor.link_id,
        )
        _log("judge.called", match, actor, call)
        return call


def judge_answer(*, call_id: UUID, actor: Actor) -> JudgeCall:
    """The call is settled: a judge went there, or those who asked take it back. Again changes nothing.

    Needs the desk's role, or the link that asked.
    """
    match_id = JudgeCall.objects.filter(pk=call_id).values_list("match_id", flat=True).first()
    if match_id is None:
        raise NotThere("not_found", "There is no such call.")
    with transaction.atomic(durable=True):
        match = match_lock(match_id)
        call = JudgeCall.objects.get(pk=call_id)
        asked = actor.link_id is not None and actor.link_id == call.called_link
        if not asked and not has_role(actor, match.tournament_id, Role.DESK):
            raise NotYours("role_required", "The desk answers calls for a judge.", role=str(Role.DESK))
        if call.answered_at is None:
            call.answered_at, call.answered_label = timezone.now(), actor.label
            call.save(update_fields=["answered_at", "answered_label"])
            _log("judge.answered", match, actor, call)
        return call


def _log(action: str, match: Match, actor: Actor, call: JudgeCall) -> None:
    log_add(
        action,
        actor=actor,
        tournament_id=match.tournament_id,
        match=match,
        kind=call.kind,
        note=call.note,
        **call.facts,
    )
    revisions_bump(match.tournament_id, *PARTS_OF_A_SEATING, match_part(match))
