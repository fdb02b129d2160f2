"""What a result would do to the bracket, worked out without writing or locking anything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast
from uuid import UUID

from tournaments.draw import advance
from tournaments.draw.plan import Place
from tournaments.draw.state import Outcome as DrawnOutcome
from tournaments.draw.state import Result as DrawnResult
from tournaments.draw.state import Slot
from tournaments.enums import CLOSED, DrawState, SlotState, SourceKind
from tournaments.models import Entry, Match, Stage
from tournaments.models import Slot as StoredSlot
from tournaments.selectors.bracket import BracketRows, bracket_rows
from tournaments.selectors.plan import PLACE_OF_SIDE, SIDE_OF_PLACE, drawn_result, drawn_slot, stage_plan


@dataclass(frozen=True, slots=True)
class PlaceChange:
    """One place of the bracket that would change; a team's name, 'nobody', or '' while unknown."""

    match: str
    side: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class WithdrawalPreview:
    """What a withdrawal would do: the open match that it touches, who goes on there, and the places that change.

    `winner` is a team's name, or '' while the other side is unknown: then nothing changes yet.
    """

    match: Match | None
    winner: str
    changes: list[PlaceChange]


def withdrawal_preview(entry: Entry) -> WithdrawalPreview:
    """What would follow if the team left now. At most nine queries."""
    slot = (
        StoredSlot.objects.filter(entry=entry, match__stage__draw_state=DrawState.PUBLISHED)
        .exclude(match__state__in=CLOSED)
        .select_related("match")
        .order_by("match__number")
        .first()
    )
    if slot is None:
        return WithdrawalPreview(None, "", [])
    other = StoredSlot.objects.filter(match=slot.match).exclude(pk=slot.pk).select_related("entry").first()
    if other is None or other.state != SlotState.FILLED or other.entry is None:
        return WithdrawalPreview(slot.match, "", [])
    changes = result_preview(slot.match, outcome="withdrawal", winner_side=other.side)
    return WithdrawalPreview(slot.match, other.entry.name, changes)


def result_preview(match: Match, *, outcome: str, winner_side: str) -> list[PlaceChange]:
    """The places that would be filled or changed if `match` ended like this, in order. Seven queries."""
    stage = Stage.objects.select_related("tournament").get(pk=match.stage_id)
    bracket = bracket_rows(stage)
    entries = {entry.pk: entry for entry in Entry.objects.filter(tournament_id=stage.tournament_id)}
    offset = stage.first_number - 1
    results = {
        row.number - offset: result
        for row in bracket.matches
        if (result := drawn_result(row.outcome, row.winner_side)) is not None
    }
    winner = PLACE_OF_SIDE[winner_side] if winner_side else None
    results[match.number - offset] = DrawnResult(cast(DrawnOutcome, outcome), winner)
    gone = sorted(
        (one for one in entries.values() if one.is_out and one.withdrawn_at),
        key=lambda one: (one.withdrawn_at, one.pk),
    )
    state = advance.derive(stage_plan(stage), _seed_order(bracket), results, tuple(one.pk for one in gone))
    stored = _stored(bracket, offset)
    return [
        PlaceChange(
            match=f"M{change.place.match + offset}",
            side=SIDE_OF_PLACE[change.place.side],
            before=_shown(change.before, entries),
            after=_shown(change.after, entries),
        )
        for change in advance.changes(stored, state)
        if (change.before.status, change.before.entry) != (change.after.status, change.after.entry)
    ]


def _seed_order(bracket: BracketRows) -> list[UUID]:
    """The drawn entries by the seed number of the draw."""
    drawn = {
        side.source_seed: side.entry_id
        for match in bracket.matches
        for side in match.sides
        if side.source_kind == SourceKind.SEED and side.source_seed is not None and side.entry_id is not None
    }
    return [drawn[seed] for seed in sorted(drawn)]


def _stored(bracket: BracketRows, offset: int) -> dict[Place, Slot[UUID]]:
    return {
        Place(match.number - offset, PLACE_OF_SIDE[side.side]): drawn_slot(
            side.state, side.entry_id, side.cause
        )
        for match in bracket.matches
        for side in match.sides
    }


def _shown(slot: Slot[UUID], entries: dict[UUID, Entry]) -> str:
    if slot.entry is not None:
        return entries[slot.entry].name
    return "nobody" if slot.status == "empty" else ""
