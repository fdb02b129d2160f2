"""Stored rows as the values of the pure `tournaments.draw`; nothing here reads the database."""

from typing import cast
from uuid import UUID

from tournaments.draw import double_elimination, single_elimination
from tournaments.draw.errors import DrawError
from tournaments.draw.plan import Plan
from tournaments.draw.plan import Side as Place
from tournaments.draw.state import Cause, CauseReason, Outcome, Result, Slot, SlotStatus
from tournaments.enums import GrandFinal, Side, StageKind
from tournaments.errors import AgainstRules
from tournaments.models import Stage

SIDE_OF_PLACE: dict[Place, Side] = {"a": Side.NS, "b": Side.EW}
PLACE_OF_SIDE: dict[str, Place] = {"NS": "a", "EW": "b"}


def stage_plan(stage: Stage) -> Plan:
    """The plan that the stage's bracket was drawn by. Raises AgainstRules for a field that cannot be drawn."""
    size = stage.size or 0
    try:
        if stage.kind == StageKind.SINGLE_ELIMINATION:
            return single_elimination.build(size, third_place=stage.third_place)
        return double_elimination.build(size, grand_final_reset=stage.grand_final == GrandFinal.RESET)
    except DrawError as error:
        raise AgainstRules(error.code, str(error), **error.facts) from error


def drawn_slot(state: str, entry_id: UUID | None, cause: str) -> Slot[UUID]:
    """A stored slot; only the reason of its cause is kept."""
    return Slot(cast(SlotStatus, state), entry_id, Cause(None, cast(CauseReason, cause)) if cause else None)


def drawn_result(outcome: str, winner_side: str) -> Result[UUID] | None:
    """A confirmed result, or None where `outcome` is empty."""
    if not outcome:
        return None
    return Result(cast(Outcome, outcome), PLACE_OF_SIDE[winner_side] if winner_side else None)
