"""What every detector speaks: `Finding`, `Item`, `Reason`, `Looked`.

*About*: the rows that a finding is about, by their ids. *Subject*: the key under which a finding is stored
once for each version of its detector, so that looking twice finds it once.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Generic, TypeVar

Fact = str | int | float | bool | None | list[Any] | dict[str, Any]
Facts = Mapping[str, Fact]

R = TypeVar("R")


class Tier(StrEnum):
    """What kind of statement a finding is."""

    RULE = "R"
    """True or false of the record. What explains it innocently is an error of recording."""


class Scope(StrEnum):
    """What a detector reads."""

    HAND = "hand"
    MATCH = "match"
    EVENT = "event"
    """One match among the others of its tournament."""


class Tried(StrEnum):
    """What became of an innocent reason."""

    FITS = "fits"
    """Tested: the record would agree with itself."""
    NO_FIT = "no-fit"
    """Tested: it does not explain the record."""
    OPEN = "open"
    """The record cannot tell; somebody has to ask."""
    UNTESTABLE = "untestable"
    """What would be needed was not recorded."""


@dataclass(frozen=True, slots=True)
class About:
    """Ids of the rows: `other` is a second match, `entry` a team. Empty where it does not apply."""

    match: str
    hand: str = ""
    other: str = ""
    entry: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """One piece of evidence. `match` is a code such as M12; `game` and `hand` are 0 where none is meant."""

    code: str
    facts: Facts = field(default_factory=dict)
    match: str = ""
    game: int = 0
    hand: int = 0

    def to_json(self) -> dict[str, Any]:
        return {
            "code": self.code,
            "facts": dict(self.facts),
            "match": self.match,
            "game": self.game,
            "hand": self.hand,
        }


@dataclass(frozen=True, slots=True)
class Reason:
    """An innocent explanation and what became of it. `ways` are all that survive, the smallest change first."""

    code: str
    tried: Tried
    facts: Facts = field(default_factory=dict)
    ways: tuple[Item, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "code": self.code,
            "tried": self.tried.value,
            "facts": dict(self.facts),
            "ways": [way.to_json() for way in self.ways],
        }


@dataclass(frozen=True, slots=True)
class Finding:
    """One observation. `code` and `facts` make its sentence, `figures` the few numbers that weigh it."""

    detector: str
    version: int
    subject: str
    code: str
    about: About
    facts: Facts = field(default_factory=dict)
    figures: tuple[Item, ...] = ()
    toward: tuple[Item, ...] = ()
    away: tuple[Item, ...] = ()
    reasons: tuple[Reason, ...] = ()

    @property
    def key(self) -> tuple[str, int, str]:
        return self.detector, self.version, self.subject

    def body(self) -> dict[str, Any]:
        """Everything but the key, as JSON."""
        return {
            "code": self.code,
            "facts": dict(self.facts),
            "figures": [item.to_json() for item in self.figures],
            "toward": [item.to_json() for item in self.toward],
            "away": [item.to_json() for item in self.away],
            "reasons": [reason.to_json() for reason in self.reasons],
        }

    @property
    def fingerprint(self) -> str:
        """Equal for equal bodies."""
        text = json.dumps(self.body(), sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Looked:
    """What came of looking. `untestable` says in a code why nothing could be said; it is not "all well"."""

    findings: tuple[Finding, ...] = ()
    untestable: str = ""


@dataclass(frozen=True, slots=True)
class Detector(Generic[R]):
    """One way of looking. A change of what it finds is a new `version`.

    `inputs` is what has to be recorded, `null` what is so when nothing is wrong, `innocent` the codes of the
    reasons that it tries or names.
    """

    name: str
    version: int
    scope: Scope
    look: Callable[[R], Looked]
    inputs: tuple[str, ...]
    null: str
    innocent: tuple[str, ...]
    tier: Tier = Tier.RULE

    @property
    def label(self) -> str:
        return f"{self.name}.{self.version}"
