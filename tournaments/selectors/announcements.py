"""Messages that everybody sees."""

from datetime import datetime
from uuid import UUID

from django.db.models import Q, QuerySet

from tournaments.models import Announcement


def showing(tournament_id: UUID, now: datetime) -> QuerySet[Announcement]:
    """The messages that are to be seen at this moment, newest first. One query."""
    return Announcement.objects.filter(
        Q(until__isnull=True) | Q(until__gt=now), tournament=tournament_id, ended_at__isnull=True
    )
