"""Jobs of the bracket. Each takes ids, reads again, and does nothing the second time."""

import logging
from datetime import timedelta
from uuid import UUID

from celery import shared_task
from django.utils import timezone

from tournaments.enums import MatchState
from tournaments.models import IdempotencyRecord, Match
from tournaments.services.announcement import announcements_expire
from tournaments.services.bracket import bracket_advance
from tournaments.services.result import silent_results_confirm

logger = logging.getLogger(__name__)


@shared_task(name="tournaments.advance_bracket")
def advance_bracket(stage_id: str) -> None:
    """Move on the teams of the stage's closed matches."""
    bracket_advance(stage_id=UUID(stage_id))


@shared_task(name="tournaments.sweep_advances")
def sweep_advances() -> None:
    """Find stages whose advance was lost. One query when there is nothing to do."""
    waiting = Match.objects.filter(closed_at__isnull=False, advanced_at__isnull=True)
    for stage_id in waiting.order_by().values_list("stage_id", flat=True).distinct():
        try:
            bracket_advance(stage_id=stage_id)
        except Exception:
            # One stage that always fails must not keep the others waiting.
            logger.exception("Stage %s cannot be advanced", stage_id)


@shared_task(name="tournaments.confirm_silent")
def confirm_silent() -> None:
    """Settle entries that nobody answered in the time that their tournament allows."""
    waiting = Match.objects.filter(state=MatchState.ENTERED, tournament__auto_confirm_minutes__isnull=False)
    for match_id in waiting.values_list("pk", flat=True):
        silent_results_confirm(match_id=match_id)


@shared_task(name="tournaments.end_messages")
def end_messages() -> None:
    """Take messages off the pages when their time is up."""
    announcements_expire()


@shared_task(name="tournaments.forget_idempotency_keys")
def forget_idempotency_keys() -> None:
    """Drop answers kept for repeated requests after a day."""
    IdempotencyRecord.objects.filter(created_at__lt=timezone.now() - timedelta(days=1)).delete()
