"""Every detector, and how a record is shown to all of them.

A record that was looked at carries `versions(...)`: when a detector is added or changes its version, whatever
was looked at before is looked at again. Statistical detectors will be further entries.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from scoring.fairplay import (
    claims,
    contradictions,
    durations,
    entries,
    score,
    specials,
    twins,
    two_tables,
)
from scoring.fairplay.facts import EventFacts, HandFacts, MatchFacts
from scoring.fairplay.types import Detector, Finding, Scope

DETECTORS: tuple[Detector[Any], ...] = (
    contradictions.DETECTOR,
    specials.DETECTOR,
    score.OF_HAND,
    claims.DETECTOR,
    durations.OF_HAND,
    score.OF_MATCH,
    entries.PLAYERS,
    entries.OWN_ENTRY,
    entries.DESK_ENTRY,
    durations.OF_MATCH,
    entries.ONE_SCORER_OF_TEAM,
    two_tables.DETECTOR,
    twins.DEALS,
    twins.HAND_LISTS,
)

BY_NAME = MappingProxyType({detector.name: detector for detector in DETECTORS})


@dataclass(frozen=True, slots=True)
class Sight:
    """What all detectors of a scope made of one record."""

    findings: tuple[Finding, ...]
    untestable: dict[str, str]
    """By detector: the code that says why it could not look."""


def of_scope(*scopes: Scope) -> tuple[Detector[Any], ...]:
    """The detectors that read such records, in their order."""
    return tuple(detector for detector in DETECTORS if detector.scope in scopes)


def versions(*scopes: Scope) -> str:
    """One text for all detectors of these scopes with their versions."""
    return " ".join(detector.label for detector in of_scope(*scopes))


def look_at_hand(record: HandFacts) -> Sight:
    """A closed hand before every detector of hands."""
    return _sight(of_scope(Scope.HAND), record)


def look_at_match(record: MatchFacts) -> Sight:
    """A settled match before every detector of matches."""
    return _sight(of_scope(Scope.MATCH), record)


def look_at_event(record: EventFacts) -> Sight:
    """A settled match and its surroundings before every detector of events."""
    return _sight(of_scope(Scope.EVENT), record)


def _sight(detectors: Iterable[Detector[Any]], record: object) -> Sight:
    findings: list[Finding] = []
    untestable = {}
    for detector in detectors:
        looked = detector.look(record)
        findings += looked.findings
        if looked.untestable:
            untestable[detector.name] = looked.untestable
    return Sight(tuple(findings), untestable)
