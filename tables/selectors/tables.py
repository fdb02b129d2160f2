"""The tables as everybody sees them: who plays where."""

from django.db.models import Prefetch, QuerySet

from tables.models import Seating, Table
from tournaments.models import Slot


def tables_shown() -> QuerySet[Table]:
    """Tables with the match that sits there as the only item of `now`, and its teams. Three queries."""
    slots = Prefetch("match__slots", queryset=Slot.objects.select_related("entry"))
    seatings = Seating.objects.filter(freed_at__isnull=True).select_related("match").prefetch_related(slots)
    return Table.objects.select_related("tournament", "room", "fixed_entry").prefetch_related(
        Prefetch("seatings", queryset=seatings, to_attr="now")
    )
