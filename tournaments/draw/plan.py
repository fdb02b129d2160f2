"""The plan of a bracket: every match, where its two sides come from and where its teams go.

Terms
-----
place       one side of one match, `Place(12, "a")`.
source      where the team of a place comes from: a seed, the winner or the loser of an earlier match.
bye         a team passes a round without a match. It is not a match and has no number.
number      a match's number in the plan, 1 for M1; a match's sources always have smaller numbers.
position    the vertical place of a match or bye in its round of the full bracket, 0 at the top;
            `PlannedRound.places` says of how many, so a page draws it at (position + 0.5) / places.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal, TypeAlias

from tournaments.draw.errors import DrawError

MIN_SIZE = 2
MAX_SIZE = 1024

Side: TypeAlias = Literal["a", "b"]
Section: TypeAlias = Literal["winners", "losers", "finals", "third-place"]
SourceKind: TypeAlias = Literal["seed", "winner", "loser"]
Kind: TypeAlias = Literal["single-elimination", "double-elimination"]

SIDES: tuple[Side, Side] = ("a", "b")


@dataclass(frozen=True, slots=True)
class Seed:
    """The team at this number of the seed order, counted from 1. Written `S3`."""

    kind: ClassVar[SourceKind] = "seed"
    number: int

    def __str__(self) -> str:
        return f"S{self.number}"


@dataclass(frozen=True, slots=True)
class WinnerOf:
    """The winner of an earlier match. Written `W12`."""

    kind: ClassVar[SourceKind] = "winner"
    match: int

    def __str__(self) -> str:
        return f"W{self.match}"


@dataclass(frozen=True, slots=True)
class LoserOf:
    """The loser of an earlier match. Written `L12`."""

    kind: ClassVar[SourceKind] = "loser"
    match: int

    def __str__(self) -> str:
        return f"L{self.match}"


Source: TypeAlias = Seed | WinnerOf | LoserOf


@dataclass(frozen=True, slots=True)
class Place:
    """One side of one match."""

    match: int
    side: Side


@dataclass(frozen=True, slots=True)
class Feeds:
    """Where the two teams of a match go on to; None where that team goes nowhere."""

    winner: Place | None
    loser: Place | None


@dataclass(frozen=True, slots=True)
class PlannedMatch:
    """A match that will be played (a reset match: perhaps). Sides are `sources[0]` = a, `sources[1]` = b."""

    number: int
    section: Section
    round_number: int
    position: int
    sources: tuple[Source, Source]
    is_final: bool = False
    is_reset: bool = False
    is_third_place: bool = False

    @property
    def code(self) -> str:
        """What people call it: `M126`."""
        return f"M{self.number}"


@dataclass(frozen=True, slots=True)
class PlannedBye:
    """A team that passes one round unplayed and appears next at `into`."""

    section: Section
    round_number: int
    position: int
    source: Source
    into: Place


@dataclass(frozen=True, slots=True)
class PlannedRound:
    """A round with at least one match.

    `number` counts within the section, `play_order` over the whole plan. `key` names the title: `round-2`,
    `quarterfinals`, `semifinals`, `final`, `third-place` in single elimination; `winners-3`,
    `winners-semifinals`, `winners-final`, `losers-4`, `losers-final`, `grand-final`, `reset` in double
    elimination.
    """

    section: Section
    number: int
    play_order: int
    key: str
    matches: int
    byes: int
    places: int


@dataclass(frozen=True, slots=True)
class Plan:
    """A whole bracket. Rounds are in play order, matches by number, byes in the order of their rounds.

    Raises ValueError when the matches do not hang together: that is a fault of the builder, never of the
    input.
    """

    kind: Kind
    size: int
    rounds: tuple[PlannedRound, ...]
    matches: tuple[PlannedMatch, ...]
    byes: tuple[PlannedBye, ...]
    _feeds: tuple[Feeds, ...] = field(init=False, repr=False, compare=False)
    _seed_places: Mapping[int, Place] = field(init=False, repr=False, compare=False)
    _rounds_by_name: Mapping[tuple[Section, int], PlannedRound] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        places = _places_by_source(self.matches)
        feeds = tuple(
            Feeds(places.get(WinnerOf(match.number)), places.get(LoserOf(match.number)))
            for match in self.matches
        )
        seeds = {source.number: place for source, place in places.items() if isinstance(source, Seed)}
        if sorted(seeds) != list(range(1, self.size + 1)):
            raise ValueError("every seed must enter the bracket exactly once")
        object.__setattr__(self, "_feeds", feeds)
        object.__setattr__(self, "_seed_places", seeds)
        object.__setattr__(self, "_rounds_by_name", {(one.section, one.number): one for one in self.rounds})

    def match(self, number: int) -> PlannedMatch:
        """The match with this number. Raises KeyError."""
        if not 1 <= number <= len(self.matches):
            raise KeyError(number)
        return self.matches[number - 1]

    def feeds(self, number: int) -> Feeds:
        """Where the winner and the loser of this match go. Raises KeyError."""
        if not 1 <= number <= len(self.matches):
            raise KeyError(number)
        return self._feeds[number - 1]

    def round_of(self, part: PlannedMatch | PlannedBye) -> PlannedRound:
        """The round of a match or bye."""
        return self._rounds_by_name[part.section, part.round_number]

    def matches_in(self, one: PlannedRound) -> tuple[PlannedMatch, ...]:
        """The matches of a round, from the top."""
        return tuple(m for m in self.matches if (m.section, m.round_number) == (one.section, one.number))

    def byes_in(self, one: PlannedRound) -> tuple[PlannedBye, ...]:
        """The byes of a round, from the top."""
        return tuple(b for b in self.byes if (b.section, b.round_number) == (one.section, one.number))

    def entry_place(self, seed: int) -> Place:
        """The place at which this seed plays its first match. Raises KeyError."""
        return self._seed_places[seed]

    @property
    def final(self) -> PlannedMatch:
        """The final, or the grand final."""
        return next(match for match in reversed(self.matches) if match.is_final)

    @property
    def reset(self) -> PlannedMatch | None:
        """The match that is played only when the losers' side wins the grand final."""
        return self.matches[-1] if self.matches[-1].is_reset else None

    @property
    def third_place(self) -> PlannedMatch | None:
        """The match for third place, when the plan has one."""
        return next((match for match in self.matches if match.is_third_place), None)

    def way(self, place: Place) -> Iterator[Place]:
        """The places a team passes through from here while it keeps winning, this one included."""
        here: Place | None = place
        while here is not None:
            yield here
            here = self._feeds[here.match - 1].winner


def parse_source(text: str) -> Source:
    """Read `S3`, `W12` or `L12` back. Raises DrawError `source_unreadable`."""
    found = re.fullmatch(r"([SWL])([1-9][0-9]{0,5})", text)
    if found is None:
        raise DrawError("source_unreadable", f"'{text}' is not a source like S3, W12 or L12.", text=text)
    number = int(found[2])
    if found[1] == "S":
        return Seed(number)
    return WinnerOf(number) if found[1] == "W" else LoserOf(number)


def check_size(size: int) -> None:
    """Refuse a field that no bracket can be drawn for. Raises DrawError `size_out_of_range`."""
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise DrawError(
            "size_out_of_range",
            f"A bracket takes {MIN_SIZE} to {MAX_SIZE:,} teams, not {size}.",
            size=size,
            minimum=MIN_SIZE,
            maximum=MAX_SIZE,
        )


def _places_by_source(matches: tuple[PlannedMatch, ...]) -> dict[Source, Place]:
    """The one place each source feeds. Raises ValueError when it feeds two, or is played too late."""
    places: dict[Source, Place] = {}
    for index, match in enumerate(matches, start=1):
        if match.number != index:
            raise ValueError(f"match {index} has the number {match.number}")
        for side, source in zip(SIDES, match.sources, strict=True):
            if source in places:
                raise ValueError(f"{source} feeds two places")
            if not isinstance(source, Seed) and not 1 <= source.match < index:
                raise ValueError(f"{match.code} is fed by {source}, which is not played before it")
            places[source] = Place(index, side)
    return places
