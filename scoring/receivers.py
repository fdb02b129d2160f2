"""News from below: a match was settled, so it is to be looked at."""

from typing import Any
from uuid import UUID

from django.dispatch import receiver

from tournaments.queue import enqueue
from tournaments.signals import match_closed


@receiver(match_closed)
def on_match_closed(*, match_id: UUID, **_: Any) -> None:
    """Ask for the screening of the match once its result has committed."""
    enqueue("scoring.screen_match", match_id)
