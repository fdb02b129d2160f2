"""The draw as the director looks at it: who meets whom first, who has a bye, and how it came about."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from scoring.pages.words import round_name
from tournaments.enums import DrawState, EntryStatus, SourceKind
from tournaments.models import Entry, Match, Stage, Tournament
from tournaments.selectors.bracket import BracketRows, MatchRow, RoundRow, bracket_rows


@dataclass(frozen=True, slots=True)
class FirstMatch:
    """A place of the first round: a match, or a team with a bye (`second` is empty then)."""

    code: str
    first: str
    first_seed: int | None
    second: str
    second_seed: int | None
    position: int

    @property
    def is_bye(self) -> bool:
        return not self.second


@dataclass(frozen=True, slots=True)
class RoundLine:
    """How many matches and byes a round has."""

    name: str
    matches: int
    byes: int
    best_of: int


def draw_context(tournament: Tournament) -> dict[str, Any]:
    """The page of the draw. At most nine queries for any field."""
    stage = tournament.stages.order_by("number").first()
    statuses = Counter(Entry.objects.filter(tournament=tournament).values_list("status", flat=True))
    here, entered = statuses[EntryStatus.CHECKED_IN], statuses[EntryStatus.ENTERED]
    context: dict[str, Any] = {
        "stage": stage,
        "here": here,
        "drawn": here or entered,
        "left_out": entered if here else 0,
        "teams": here + entered,
    }
    if stage is None or stage.draw_state == DrawState.NONE:
        return {**context, "state": DrawState.NONE}
    bracket = bracket_rows(stage, draft=True)
    first = next((one for one in bracket.rounds if one.places), None)
    return {
        **context,
        "state": stage.draw_state,
        "pairs": first_round(first, bracket) if first else [],
        "rounds": [
            RoundLine(round_name(one.key), len(one.matches), len(one.byes), one.best_of)
            for one in bracket.rounds
        ],
        "matches": len(bracket.matches),
        "is_stale": _is_stale(tournament, stage, bracket, here),
        "has_play": Match.objects.filter(stage=stage, has_play=True).exists(),
    }


def first_round(first: RoundRow, bracket: BracketRows) -> list[FirstMatch]:
    """The first round from the top, byes at their places. No query."""
    found = [_pair(match) for match in first.matches]
    seeds = {
        (side.entry_id): side.source_seed
        for match in bracket.matches
        for side in match.sides
        if side.source_kind == SourceKind.SEED
    }
    found += [FirstMatch("", bye.name, seeds.get(bye.entry_id), "", None, bye.position) for bye in first.byes]
    return sorted(found, key=lambda one: one.position)


def _pair(match: MatchRow) -> FirstMatch:
    first, second = match.sides
    return FirstMatch(
        match.code, first.name, first.source_seed, second.name, second.source_seed, match.position
    )


def _is_stale(tournament: Tournament, stage: Stage, bracket: BracketRows, here: int) -> bool:
    """A draft that leaves out somebody who came since, or holds somebody who left."""
    if stage.draw_state != DrawState.DRAFT:
        return False
    drawn = {side.entry_id for match in bracket.matches for side in match.sides if side.entry_id}
    wanted = Entry.objects.filter(tournament=tournament)
    wanted = (
        wanted.filter(status=EntryStatus.CHECKED_IN)
        if here
        else wanted.exclude(status__in=[EntryStatus.WITHDRAWN, EntryStatus.DISQUALIFIED])
    )
    return drawn != set(wanted.values_list("pk", flat=True))
