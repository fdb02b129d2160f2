"""A published bracket as rows for pages, the API and exports: rounds, matches with both sides, byes."""

from __future__ import annotations

from dataclasses import dataclass, field
from uuid import UUID

from tournaments.enums import OPEN_FOR_RESULT, DrawState, MatchState, ResultState, SlotState, SourceKind
from tournaments.models import Bye, Match, Result, Round, Slot, Stage


@dataclass(frozen=True, slots=True)
class SideRow:
    """One half of a match. `entry_id` is None while the team is unknown; `source` then says where from."""

    side: str
    entry_id: UUID | None
    number: int | None
    name: str
    seed: int | None
    source_kind: str
    source_seed: int | None
    source_match: str
    state: str
    cause: str
    marks: tuple[int, ...] = ()
    games: int = 0
    won: bool = False

    @property
    def nobody(self) -> bool:
        """No team will ever come here."""
        return self.state == SlotState.EMPTY


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match with its two sides (NS first). `outcome` is '' until a result counts."""

    id: UUID
    code: str
    number: int
    round_key: str
    section: str
    position: int
    best_of: int
    state: str
    is_reset: bool
    advance_pending: bool
    outcome: str
    winner_side: str
    sides: tuple[SideRow, SideRow]
    winner_to: str
    loser_to: str


@dataclass(frozen=True, slots=True)
class ByeRow:
    """A team passing a round; `entry_id` is None while the team is unknown."""

    position: int
    entry_id: UUID | None
    name: str
    source_kind: str
    source_match: str
    into_match: str
    into_side: str
    instead_of: str


@dataclass(slots=True)
class RoundRow:
    """A round with its matches and byes from the top."""

    key: str
    section: str
    number: int
    play_order: int
    places: int
    best_of: int
    matches: list[MatchRow] = field(default_factory=list)
    byes: list[ByeRow] = field(default_factory=list)

    @property
    def done(self) -> bool:
        """Every match of the round is closed; byes are done from the start."""
        return all(match.state in {MatchState.CONFIRMED, MatchState.VOID} for match in self.matches)


@dataclass(frozen=True, slots=True)
class BracketRows:
    """A whole stage. `rounds` is empty while the draw is not published, unless a draft was asked for."""

    stage: Stage
    rounds: list[RoundRow]

    @property
    def matches(self) -> list[MatchRow]:
        return [match for round_ in self.rounds for match in round_.matches]

    @property
    def current_rounds(self) -> list[RoundRow]:
        """Rounds with a match that can be played or settled now. Byes never hold a round open."""
        return [
            round_
            for round_ in self.rounds
            if any(match.state in OPEN_FOR_RESULT for match in round_.matches)
        ]


def bracket_rows(stage: Stage, *, draft: bool = False) -> BracketRows:
    """The bracket of `stage`. Five queries for any size; with `draft` an unpublished draw is shown too."""
    if stage.draw_state != DrawState.PUBLISHED and not (draft and stage.draw_state == DrawState.DRAFT):
        return BracketRows(stage, [])
    rounds = {
        row.pk: RoundRow(row.key, row.section, row.number, row.play_order, row.places, row.best_of)
        for row in Round.objects.filter(stage=stage).order_by("play_order")
    }
    matches = list(Match.objects.filter(stage=stage).order_by("round__play_order", "position", "number"))
    codes = {match.pk: match.code for match in matches}
    slots = list(Slot.objects.filter(match__stage=stage).select_related("entry"))
    results = _results(stage)
    by_match: dict[UUID, dict[str, Slot]] = {}
    feeds: dict[tuple[UUID, str], str] = {}
    for slot in slots:
        by_match.setdefault(slot.match_id, {})[slot.side] = slot
        if slot.source_match_id is not None:
            feeds[slot.source_match_id, slot.source_kind] = codes[slot.match_id]
    for match in matches:
        row = rounds[match.round_id]
        row.matches.append(_match_row(match, row, by_match[match.pk], results.get(match.pk), codes, feeds))
    for bye in Bye.objects.filter(stage=stage).select_related("entry").order_by("position"):
        rounds[bye.round_id].byes.append(_bye_row(bye, codes))
    return BracketRows(stage, list(rounds.values()))


def _results(stage: Stage) -> dict[UUID, Result]:
    rows = Result.objects.filter(match__stage=stage, state__in=[ResultState.CONFIRMED, ResultState.ENTERED])
    found: dict[UUID, Result] = {}
    for row in rows.order_by("version"):
        if row.state == ResultState.CONFIRMED or row.match_id not in found:
            found[row.match_id] = row
    return found


def _match_row(
    match: Match,
    round_: RoundRow,
    slots: dict[str, Slot],
    result: Result | None,
    codes: dict[UUID, str],
    feeds: dict[tuple[UUID, str], str],
) -> MatchRow:
    counts = result is not None and result.state == ResultState.CONFIRMED
    return MatchRow(
        id=match.pk,
        code=match.code,
        number=match.number,
        round_key=round_.key,
        section=round_.section,
        position=match.position,
        best_of=match.best_of,
        state=match.state,
        is_reset=match.is_reset,
        advance_pending=match.advance_pending,
        outcome=result.outcome if result is not None and counts else "",
        winner_side=result.winner_side if result is not None and counts else "",
        sides=(_side_row(slots["NS"], result, codes), _side_row(slots["EW"], result, codes)),
        winner_to=feeds.get((match.pk, SourceKind.WINNER), ""),
        loser_to=feeds.get((match.pk, SourceKind.LOSER), ""),
    )


def _side_row(slot: Slot, result: Result | None, codes: dict[UUID, str]) -> SideRow:
    side = slot.side
    entry = slot.entry
    return SideRow(
        side=side,
        entry_id=entry.pk if entry else None,
        number=entry.number if entry else None,
        name=entry.name if entry else "",
        seed=entry.seed if entry else None,
        source_kind=slot.source_kind,
        source_seed=slot.source_seed,
        source_match=codes[slot.source_match_id] if slot.source_match_id else "",
        state=slot.state,
        cause=slot.cause,
        marks=tuple(game[side] for game in result.games) if result else (),
        games=(result.games_ns if side == "NS" else result.games_ew) if result else 0,
        won=bool(result and result.state == ResultState.CONFIRMED and result.winner_side == side),
    )


def _bye_row(bye: Bye, codes: dict[UUID, str]) -> ByeRow:
    return ByeRow(
        position=bye.position,
        entry_id=bye.entry_id,
        name=bye.entry.name if bye.entry else "",
        source_kind=bye.source_kind,
        source_match=codes[bye.source_match_id] if bye.source_match_id else "",
        into_match=codes[bye.into_match_id] if bye.into_match_id else "",
        into_side=bye.into_side,
        instead_of=codes[bye.instead_of_id] if bye.instead_of_id else "",
    )
