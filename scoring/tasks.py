"""Jobs of fair play. Each takes ids, reads again, and changes nothing the second time."""

from uuid import UUID

from celery import shared_task

from scoring.services.screening import hand_screen, match_screen, screenings_sweep


@shared_task(name="scoring.screen_hand")
def screen_hand(hand_id: str) -> None:
    """Show a closed hand to the detectors."""
    hand_screen(hand_id=UUID(hand_id))


@shared_task(name="scoring.screen_match")
def screen_match(match_id: str) -> None:
    """Show a settled match, with its hands and its surroundings, to the detectors."""
    match_screen(match_id=UUID(match_id))


@shared_task(name="scoring.sweep_screening")
def sweep_screening() -> None:
    """Find hands and matches whose screening was lost, or was done by older detectors."""
    screenings_sweep()
