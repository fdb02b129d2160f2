"""Shows hands and matches to the detectors and keeps what they find. Runs in jobs, after the write has committed.

Looking twice changes nothing: a finding is one row for each detector, version and subject. What the record does
not say any more stays, marked as gone. Nothing is written into the tournament's log or revisions, so that
nobody but a director learns of it.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

from django.db import IntegrityError, OperationalError, transaction
from django.db.models import Max, Q
from django.utils import timezone

from scoring.enums import FindingState, HandState, Level, ReviewKind
from scoring.fairplay import registry
from scoring.fairplay.types import Finding as Found
from scoring.fairplay.types import Scope
from scoring.models import Call, Finding, Hand, Holding, Play, RecordPrint, Review, Screening
from scoring.selectors.facts import DEAL, HANDS, Prints, event_facts, hand_facts, match_facts, prints_of
from scoring.selectors.findings import (
    MOST_FAILURES,
    VERSIONS_OF_HAND,
    VERSIONS_OF_MATCH,
    hands_to_screen,
    matches_to_screen,
)
from tournaments.actors import SYSTEM
from tournaments.enums import MatchState
from tournaments.models import Match

logger = logging.getLogger(__name__)

TIMES_OVER = 3
"""How often a record that changes while it is looked at is looked at again; then the sweep finds it."""
NUMBERS_TRIED = 20
SWEEP_SECONDS = 5.0
SWEEP_AT_ONCE = 200


class _Subject(Protocol):
    """A record that can be looked at."""

    tournament_id: UUID
    versions: str

    @property
    def stamp(self) -> tuple[int, datetime | None]:
        """What a screening remembers of the record as it is now."""

    def look(self) -> _Seen:
        """What the detectors make of it."""

    def stands(self, seen: _Seen) -> bool:
        """Is the record still as it was read?"""


@dataclass(frozen=True, slots=True)
class _Seen:
    """A record as it was read."""

    stamp: tuple[int, datetime | None]
    findings: tuple[Found, ...]
    untestable: dict[str, str]
    about: Q
    """Which stored findings are about this record, by its columns."""
    scopes: tuple[Scope, ...]


def hand_screen(*, hand_id: UUID) -> bool:
    """Look at a closed hand; True when it was looked at. A hand that is live, gone or marks only is left alone."""
    return _guarded({"hand_id": hand_id}, lambda: _hand_subject(hand_id))


def match_screen(*, match_id: UUID) -> bool:
    """Look at a settled match and once more at its hands; True when it was looked at."""
    return _guarded({"match_id": match_id}, lambda: _match_subject(match_id))


def screenings_sweep() -> int:
    """Look at what was missed, oldest first, for a few seconds. Two queries when there is nothing to do."""
    until = time.monotonic() + SWEEP_SECONDS
    done = 0
    todo: list[tuple[Callable[[UUID], bool], Iterable[UUID]]] = [
        (lambda pk: match_screen(match_id=pk), matches_to_screen()[:SWEEP_AT_ONCE]),
        (lambda pk: hand_screen(hand_id=pk), hands_to_screen()[:SWEEP_AT_ONCE]),
    ]
    for screen, ids in todo:
        for pk in ids:
            if time.monotonic() > until:
                return done
            done += screen(pk)
    return done


def _hand_subject(hand_id: UUID) -> _Subject | None:
    rows = Hand.objects.select_related("game__match__tournament", "game__match__stage")
    hand = rows.filter(pk=hand_id, state=HandState.CLOSED).exclude(level=Level.MARKS).first()
    return None if hand is None else _HandSubject(hand)


def _match_subject(match_id: UUID) -> _Subject | None:
    rows = Match.objects.select_related("tournament", "stage")
    match = rows.filter(pk=match_id, state=MatchState.CONFIRMED).first()
    return None if match is None else _MatchSubject(match)


class _HandSubject:
    """One closed hand."""

    versions = VERSIONS_OF_HAND

    def __init__(self, hand: Hand) -> None:
        self.hand = hand
        self.tournament_id = hand.game.match.tournament_id

    @property
    def stamp(self) -> tuple[int, datetime | None]:
        return _rows_of(self.hand), self.hand.ended_at

    def look(self) -> _Seen:
        stamp = self.stamp
        sight = registry.look_at_hand(hand_facts(self.hand))
        return _Seen(stamp, sight.findings, sight.untestable, Q(hand=self.hand.pk), (Scope.HAND,))

    def stands(self, seen: _Seen) -> bool:
        state = Hand.objects.filter(pk=self.hand.pk).values_list("state", flat=True).first()
        return state == HandState.CLOSED and self.stamp == seen.stamp


class _MatchSubject:
    """One settled match with its hands and its surroundings."""

    versions = VERSIONS_OF_MATCH

    def __init__(self, match: Match) -> None:
        self.match = match
        self.tournament_id = match.tournament_id

    @property
    def stamp(self) -> tuple[int, datetime | None]:
        return self.match.result_version, self.match.closed_at

    def look(self) -> _Seen:
        match = self.match
        facts = match_facts(match)
        if facts is None:
            raise LookupError("a final match without a result that counts")
        prints = prints_of(facts)
        _prints_store(match, prints)
        event = event_facts(match, facts, prints)
        sights = [registry.look_at_hand(hand) for hand in facts.hands if hand.level != Level.MARKS]
        sights += [registry.look_at_match(facts), registry.look_at_event(event)]
        teams = [team.entry_id for team in event.teams]
        return _Seen(
            stamp=self.stamp,
            findings=tuple(found for sight in sights for found in sight.findings),
            untestable={name: code for sight in sights for name, code in sight.untestable.items()},
            about=Q(match=match.pk, detector__in=_names(Scope.HAND, Scope.MATCH))
            | (Q(match=match.pk) | Q(other_match=match.pk) | Q(entry__in=teams))
            & Q(detector__in=_names(Scope.EVENT)),
            scopes=(Scope.HAND, Scope.MATCH, Scope.EVENT),
        )

    def stands(self, seen: _Seen) -> bool:
        version, closed_at = seen.stamp
        now = Match.objects.filter(pk=self.match.pk, state=MatchState.CONFIRMED)
        return now.filter(result_version=version, closed_at=closed_at).exists()


def _rows_of(hand: Hand) -> int:
    """How many rows the record of a hand has. Rows are only ever added. Three queries."""
    return sum(model.objects.filter(hand=hand.pk).count() for model in (Call, Play, Holding))


def _names(*scopes: Scope) -> list[str]:
    return [detector.name for detector in registry.of_scope(*scopes)]


def _guarded(columns: dict[str, Any], read: Callable[[], _Subject | None]) -> bool:
    """Screen; a failure that will not heal by itself is counted, and after a few the record is set aside."""
    try:
        return _screen(columns, read)
    except OperationalError as error:
        logger.warning(
            "A screening waits for the database (%s); the sweep tries again.", type(error).__name__
        )
    except Exception as error:
        logger.exception("A record cannot be screened: %s", columns)
        _failed(columns, read, error)
    return False


def _screen(columns: dict[str, Any], read: Callable[[], _Subject | None]) -> bool:
    """Read, look, and store what was found if the record and what is declared about it still stand."""
    for _ in range(TIMES_OVER):
        asked = Screening.objects.filter(**columns).values_list("asked", flat=True).first() or 0
        subject = read()
        if subject is None:
            return False
        seen = subject.look()
        with transaction.atomic(durable=True):
            screening = _hold(columns)
            if screening.asked == asked and subject.stands(seen):
                _store(subject.tournament_id, seen)
                _done(screening, subject, seen)
                return True
    return False


def _done(screening: Screening, subject: _Subject, seen: _Seen) -> None:
    screening.versions, screening.untestable = subject.versions, seen.untestable
    screening.seen_version, screening.seen_at = seen.stamp
    screening.screened_at, screening.failures, screening.error = timezone.now(), 0, ""
    fields = ["versions", "untestable", "seen_version", "seen_at", "screened_at", "failures", "error"]
    screening.save(update_fields=fields)


def _hold(columns: dict[str, Any]) -> Screening:
    """The record's screening, locked: two workers store one after the other."""
    Screening.objects.get_or_create(**columns)
    return Screening.objects.select_for_update().get(**columns)


def _failed(columns: dict[str, Any], read: Callable[[], _Subject | None], error: Exception) -> None:
    subject = read()
    if subject is None:
        return
    with transaction.atomic(durable=True):
        screening, stamp = _hold(columns), subject.stamp
        again = screening.versions == subject.versions and stamp == (
            screening.seen_version,
            screening.seen_at,
        )
        screening.failures = min(screening.failures + 1, MOST_FAILURES) if again else 1
        screening.versions, screening.error = subject.versions, type(error).__name__
        screening.seen_version, screening.seen_at = stamp
        screening.save(update_fields=["failures", "versions", "error", "seen_version", "seen_at"])


def _store(tournament_id: UUID, seen: _Seen) -> None:
    """Make the stored findings about this record those that were found. Needs the screening's lock."""
    found = {one.key: one for one in seen.findings}
    subjects = [one.subject for one in found.values()]
    names = _names(*seen.scopes)
    about = Q(detector__in=names) & (seen.about | Q(subject__in=subjects))
    stored = list(Finding.objects.filter(about, tournament_id=tournament_id))
    by_key = {(row.detector, row.version, row.subject): row for row in stored}
    kept = set()
    for key, one in found.items():
        row = by_key.get(key) or _earlier(stored, one)
        row = _create(tournament_id, one) if row is None else _renew(row, one)
        kept.add(row.pk)
    for row in stored:
        if row.pk not in kept and row.gone_at is None:
            row.gone_at = timezone.now()
            row.save(update_fields=["gone_at"])
            _remember(row, ReviewKind.GONE)


def _earlier(stored: Iterable[Finding], one: Found) -> Finding | None:
    """The same finding with the same evidence by an earlier version: it keeps its case."""
    return next(
        (
            row
            for row in stored
            if (row.detector, row.subject, row.fingerprint) == (one.detector, one.subject, one.fingerprint)
        ),
        None,
    )


def _create(tournament_id: UUID, one: Found) -> Finding:
    """A new case with the next number; the one that another worker stored in the same moment."""
    for _ in range(NUMBERS_TRIED):
        cases = Finding.objects.filter(tournament_id=tournament_id)
        number = (cases.aggregate(last=Max("number"))["last"] or 0) + 1
        try:
            with transaction.atomic():
                return Finding.objects.create(tournament_id=tournament_id, number=number, **_columns(one))
        except IntegrityError:
            same = Finding.objects.filter(
                detector=one.detector, version=one.version, subject=one.subject
            ).first()
            if same is not None:
                return same
    raise RuntimeError("no free case number")


def _columns(one: Found) -> dict[str, Any]:
    about = one.about
    return {
        "detector": one.detector,
        "version": one.version,
        "tier": registry.BY_NAME[one.detector].tier,
        "subject": one.subject,
        "match_id": UUID(about.match),
        "hand_id": UUID(about.hand) if about.hand else None,
        "other_match_id": UUID(about.other) if about.other else None,
        "entry_id": UUID(about.entry) if about.entry else None,
        **_content(one),
    }


def _content(one: Found) -> dict[str, Any]:
    return {"code": one.code, "body": one.body(), "fingerprint": one.fingerprint}


def _renew(row: Finding, one: Found) -> Finding:
    """Take over evidence that changed; a closed case with other evidence is open again."""
    if row.fingerprint == one.fingerprint and row.gone_at is None:
        return row
    changed = row.fingerprint != one.fingerprint
    for name, value in _content(one).items():
        setattr(row, name, value)
    row.gone_at = None
    if changed:
        row.changed_at = timezone.now()
        if row.state == FindingState.CLOSED:
            row.state, row.outcome = FindingState.OPEN, ""
    row.save(update_fields=["code", "body", "fingerprint", "gone_at", "changed_at", "state", "outcome"])
    _remember(row, ReviewKind.CHANGED)
    return row


def _remember(row: Finding, kind: ReviewKind) -> None:
    Review.objects.create(finding=row, kind=kind, label=SYSTEM.label)


def _prints_store(match: Match, prints: Prints) -> None:
    """Store the prints first, in a transaction of their own: of two twins looked at in the same moment the
    later one then sees both."""
    with transaction.atomic(durable=True):
        stored = {row.hand_id: row for row in RecordPrint.objects.filter(match=match)}
        if {hand: row.digest for hand, row in stored.items()} == prints:
            return
        RecordPrint.objects.filter(match=match).delete()
        RecordPrint.objects.bulk_create(
            RecordPrint(
                tournament_id=match.tournament_id,
                kind=HANDS if hand_id is None else DEAL,
                digest=digest,
                match=match,
                hand_id=hand_id,
            )
            for hand_id, digest in prints.items()
        )
