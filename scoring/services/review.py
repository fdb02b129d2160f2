"""What directors do with a case: look, note, close, open again. Every look and every act is kept.

A case never changes a score, a rating or a pairing, and nothing of it is written anywhere else.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from scoring.enums import FindingOutcome, FindingState, ReviewKind
from scoring.models import Finding, Review
from scoring.selectors.findings import case_of, require_director
from tournaments.actors import Actor
from tournaments.errors import AgainstRules, Conflict, NotThere

LONGEST_NOTE = 4000


def finding_view(*, tournament_id: UUID, number: int, actor: Actor, named: bool = False) -> Finding:
    """The case, and that this director looked at it, `named` for a look that shows names."""
    require_director(actor, tournament_id)
    finding = case_of(tournament_id, number)
    _remember(finding, ReviewKind.NAMED if named else ReviewKind.VIEWED, actor)
    return finding


def finding_note(*, tournament_id: UUID, number: int, note: str, actor: Actor) -> Finding:
    """Keep a note; an open case becomes noted. The same note again changes nothing."""
    text = _text(note)
    if not text:
        raise AgainstRules("note_missing", "Write what you saw or decided.", field="note")
    with transaction.atomic(durable=True):
        finding = _locked(tournament_id, number, actor)
        if finding.note == text and finding.state != FindingState.OPEN:
            return finding
        finding.note = text
        if finding.state == FindingState.OPEN:
            finding.state = FindingState.NOTED
        _reviewed(finding, actor)
        finding.save(update_fields=["note", "state", *_REVIEWED])
        _remember(finding, ReviewKind.NOTED, actor, note=text)
        return finding


def finding_close(*, tournament_id: UUID, number: int, outcome: str, actor: Actor, note: str = "") -> Finding:
    """Close the case with an outcome. The same outcome again returns it; another one is a Conflict."""
    if outcome not in FindingOutcome.values:
        raise AgainstRules("unknown_outcome", "Say how the case ends.", field="outcome")
    with transaction.atomic(durable=True):
        finding = _locked(tournament_id, number, actor)
        return _close(finding, FindingOutcome(outcome), _text(note), actor)


def findings_close(
    *, tournament_id: UUID, numbers: Sequence[int], outcome: str, actor: Actor, note: str
) -> int:
    """Close several cases alike, all or none, with one note; how many were closed now."""
    if outcome not in FindingOutcome.values:
        raise AgainstRules("unknown_outcome", "Say how the cases end.", field="outcome")
    text = _text(note)
    if not text:
        raise AgainstRules("note_missing", "Write why these can be closed together.", field="note")
    with transaction.atomic(durable=True):
        require_director(actor, tournament_id)
        rows = list(
            Finding.objects.select_for_update(no_key=True, of=("self",))
            .filter(tournament_id=tournament_id, number__in=list(numbers))
            .exclude(state=FindingState.CLOSED)
            .order_by("pk")
        )
        for finding in rows:
            _close(finding, FindingOutcome(outcome), text, actor)
        return len(rows)


def finding_reopen(*, tournament_id: UUID, number: int, actor: Actor) -> Finding:
    """Open a closed case again; one that is open stays as it is."""
    with transaction.atomic(durable=True):
        finding = _locked(tournament_id, number, actor)
        if finding.state != FindingState.CLOSED:
            return finding
        finding.state = FindingState.NOTED if finding.note else FindingState.OPEN
        finding.outcome = ""
        _reviewed(finding, actor)
        finding.save(update_fields=["state", "outcome", *_REVIEWED])
        _remember(finding, ReviewKind.REOPENED, actor)
        return finding


_REVIEWED = ("reviewed_by", "reviewed_label", "reviewed_at")


def _close(finding: Finding, outcome: FindingOutcome, note: str, actor: Actor) -> Finding:
    """Needs the lock of the case."""
    if finding.state == FindingState.CLOSED:
        if finding.outcome == outcome and note in ("", finding.note):
            return finding
        raise Conflict(
            "case_closed",
            "This case is closed. Open it again to close it differently.",
            outcome=finding.outcome,
        )
    finding.state, finding.outcome = FindingState.CLOSED, outcome
    finding.note = note or finding.note
    _reviewed(finding, actor)
    finding.save(update_fields=["state", "outcome", "note", *_REVIEWED])
    _remember(finding, ReviewKind.CLOSED, actor, note=note, outcome=outcome)
    return finding


def _locked(tournament_id: UUID, number: int, actor: Actor) -> Finding:
    require_director(actor, tournament_id)
    finding = (
        Finding.objects.select_for_update(no_key=True, of=("self",))
        .select_related("tournament")
        .filter(tournament_id=tournament_id, number=number)
        .first()
    )
    if finding is None:
        raise NotThere("not_found", "There is no such case.")
    return finding


def _reviewed(finding: Finding, actor: Actor) -> None:
    finding.reviewed_by_id = actor.user.pk if actor.user is not None else None
    finding.reviewed_label, finding.reviewed_at = actor.label, timezone.now()


def _remember(finding: Finding, kind: ReviewKind, actor: Actor, *, note: str = "", outcome: str = "") -> None:
    Review.objects.create(
        finding=finding,
        kind=kind,
        note=note,
        outcome=outcome,
        user_id=actor.user.pk if actor.user is not None else None,
        label=actor.label,
    )


def _text(note: str) -> str:
    text = note.strip()
    if len(text) > LONGEST_NOTE or "\x00" in text:
        raise AgainstRules("bad_note", f"A note has at most {LONGEST_NOTE} characters.", field="note")
    return text
