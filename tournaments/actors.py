"""Who acts: an account, the holder of a link, or the program itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import UUID

from tournaments.enums import ActorKind

if TYPE_CHECKING:
    from django.contrib.auth.models import AbstractBaseUser


@dataclass(frozen=True, slots=True)
class Actor:
    """The author of an act.

    A link holder carries what its link opens: `table_id`, `entry_id`, or `match_id` with `seat`.
    A table link also carries the match being played at that table (`match_id`).
    """

    kind: ActorKind
    label: str
    user: AbstractBaseUser | None = None
    link_id: UUID | None = None
    tournament_id: UUID | None = None
    table_id: UUID | None = None
    entry_id: UUID | None = None
    match_id: UUID | None = None
    seat: str = ""

    @property
    def is_link(self) -> bool:
        return self.kind in {ActorKind.TABLE, ActorKind.TEAM, ActorKind.SEAT}

    def same_as(self, *, user_id: Any, link_id: UUID | None) -> bool:
        """True when the stored author (account id, link id) is this actor."""
        if self.user is not None:
            # A visitor's account has no id, and neither has an author who held a link.
            return self.user.pk is not None and bool(user_id == self.user.pk)
        return self.link_id is not None and self.link_id == link_id

    @property
    def scope(self) -> str:
        """A text that is the same for every request of this actor and for nobody else."""
        if self.user is not None:
            return f"user:{self.user.pk}"
        return f"link:{self.link_id}" if self.link_id else self.kind


SYSTEM = Actor(kind=ActorKind.SYSTEM, label="Seven Marks")


def user_actor(user: Any) -> Actor:
    """The actor for a signed-in account."""
    return Actor(kind=ActorKind.USER, label=user.get_full_name() or user.get_username(), user=user)
