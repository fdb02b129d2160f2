"""Jobs of the hall. Each takes ids, reads again, and does nothing the second time."""

import logging
from uuid import UUID

from celery import shared_task

from tables.selectors.hall import tournaments_with_work
from tables.services.assignment import tables_assign
from tables.services.calls import lost_seatings_end

logger = logging.getLogger(__name__)


@shared_task(name="tables.assign_tables")
def assign_tables(tournament_id: str) -> None:
    """Call the next matches of a tournament to its free tables."""
    tables_assign(tournament_id=UUID(tournament_id))


@shared_task(name="tables.sweep_assignments")
def sweep_assignments() -> None:
    """Find assignments that were lost. Two queries when there is nothing to do."""
    lost_seatings_end()
    for tournament_id in tournaments_with_work():
        try:
            tables_assign(tournament_id=tournament_id)
        except Exception:  # one event must not stop the others
            logger.exception(
                "Tables of tournament %s are not assigned; the next sweep tries again.", tournament_id
            )
