"""Which parts of which tournaments changed; feeds live pages and conditional answers."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from tournaments.models import Revision


@dataclass(frozen=True, slots=True)
class RevisionChange:
    tournament_id: UUID
    slug: str
    visibility: str
    part: str
    number: int
    changed_at: datetime


def revisions_since(moment: datetime) -> list[RevisionChange]:
    """Parts changed at or after `moment`, oldest first. One query, by index."""
    rows = (
        Revision.objects.filter(changed_at__gte=moment)
        .order_by("changed_at")
        .values_list(
            "tournament_id", "tournament__slug", "tournament__visibility", "part", "number", "changed_at"
        )
    )
    return [RevisionChange(*row) for row in rows]


def revision_numbers(tournament_id: UUID, parts: list[str]) -> dict[str, int]:
    """Each part's revision, 0 for one that never changed. One query."""
    found = dict(
        Revision.objects.filter(tournament_id=tournament_id, part__in=parts).values_list("part", "number")
    )
    return {part: found.get(part, 0) for part in parts}
