"""Who came where in a stage, computed from confirmed results each time; nothing is incremented."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from uuid import UUID

from tournaments.draw.placings import EntryFacts, Exit, Prize, placings
from tournaments.enums import EntryStatus, MatchState, Outcome, Section
from tournaments.models import Entry, Stage
from tournaments.selectors.bracket import BracketRows, MatchRow, RoundRow, SideRow, bracket_rows


@dataclass(frozen=True, slots=True)
class PlacingRow:
    """One line of the placings. `label` is '5' or '=5'; `exit` the key of the round where the team went out."""

    rank: int
    label: str
    standing: str
    entry_id: UUID
    number: int
    name: str
    still_in: bool
    withdrawn: bool
    won: int
    lost: int
    marks_for: int
    marks_against: int
    exit: str
    exit_match: str
    exit_by: str


@dataclass(slots=True)
class _Tally:
    won: int = 0
    lost: int = 0
    marks_for: int = 0
    marks_against: int = 0
    exit: Exit | None = None
    exit_key: str = ""
    is_third: bool = False


def placing_rows(stage: Stage) -> list[PlacingRow]:
    """The placings of a stage, best first. Six queries; before the draw is published: nobody."""
    return placing_rows_of(bracket_rows(stage))


def placing_rows_of(bracket: BracketRows) -> list[PlacingRow]:
    """The placings of a bracket that was read already. One query more."""
    if not bracket.rounds:
        return []
    tallies = _tallies(bracket)
    champion_id = bracket.stage.tournament.champion_id
    drawn = {side.entry_id for match in bracket.matches for side in match.sides}
    entries = {entry.pk: entry for entry in _entries(bracket.stage) if entry.pk in drawn}
    facts = [
        EntryFacts(
            entry=entry,
            losses=tallies[pk].lost,
            exit=tallies[pk].exit,
            is_champion=pk == champion_id,
            is_third=tallies[pk].is_third,
            withdrawn=entry.is_out,
            marks_for=tallies[pk].marks_for,
            marks_against=tallies[pk].marks_against,
        )
        for pk, entry in entries.items()
    ]
    return [
        PlacingRow(
            rank=line.rank,
            label=line.label,
            standing=line.standing,
            entry_id=line.entry.pk,
            number=line.entry.number,
            name=line.entry.name,
            still_in=line.standing == "still-in",
            withdrawn=line.entry.status in {EntryStatus.WITHDRAWN, EntryStatus.DISQUALIFIED},
            won=tallies[line.entry.pk].won,
            lost=tallies[line.entry.pk].lost,
            marks_for=line.facts.marks_for,
            marks_against=line.facts.marks_against,
            exit=tallies[line.entry.pk].exit_key,
            exit_match=f"M{line.facts.exit.match}" if line.facts.exit else "",
            exit_by=line.facts.exit.by if line.facts.exit else "",
        )
        for line in placings(facts)
    ]


def _entries(stage: Stage) -> list[Entry]:
    return list(Entry.objects.filter(tournament_id=stage.tournament_id).order_by("number"))


def _tallies(bracket: BracketRows) -> dict[UUID | None, _Tally]:
    tallies: dict[UUID | None, _Tally] = defaultdict(_Tally)
    by_code = {match.code: match for match in bracket.matches}
    for round_ in bracket.rounds:
        for match in round_.matches:
            if match.outcome:
                for side, other in (match.sides, match.sides[::-1]):
                    _count(tallies[side.entry_id], side, other, match, round_, by_code)
    return tallies


def _count(
    tally: _Tally,
    side: SideRow,
    other: SideRow,
    match: MatchRow,
    round_: RoundRow,
    by_code: dict[str, MatchRow],
) -> None:
    tally.marks_for += sum(side.marks)
    tally.marks_against += sum(other.marks)
    if side.won:
        tally.won += 1
        tally.is_third = tally.is_third or round_.section == Section.THIRD_PLACE
        return
    tally.lost += 1
    if _goes_on(side, match, by_code):
        return
    tally.exit_key = round_.key
    tally.exit = Exit(
        order=round_.play_order,
        section=Section(round_.section).value,
        round_number=round_.number,
        match=match.number,
        by="lost" if match.outcome == Outcome.PLAYED else Outcome(match.outcome).value,
        prize=_prize(match, round_, by_code),
    )


def _goes_on(side: SideRow, match: MatchRow, by_code: dict[str, MatchRow]) -> bool:
    """Does the team that did not win this match have another one to play?"""
    if match.outcome == Outcome.DOUBLE_FORFEIT or not match.loser_to:
        return False
    target = by_code[match.loser_to]
    if target.is_reset and target.state == MatchState.VOID:
        return False
    slot = next(one for one in target.sides if one.source_match == match.code and one.source_kind == "loser")
    return not slot.nobody


def _prize(match: MatchRow, round_: RoundRow, by_code: dict[str, MatchRow]) -> Prize | None:
    if round_.section == Section.THIRD_PLACE:
        return "third-place"
    if not match.winner_to:
        return "title"
    target = by_code[match.winner_to]
    return "title" if target.is_reset and target.state == MatchState.VOID else None
