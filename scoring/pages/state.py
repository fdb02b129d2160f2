"""Which tournament a page is about, who may see it, and the revision that the page has now."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import FilteredRelation, Q
from django.http import Http404, HttpRequest

from tables.addresses import COOKIE
from tables.selectors.links import link_of_token
from tournaments.enums import Visibility
from tournaments.models import Revision, Tournament
from tournaments.permissions import role_of

MESSAGES = "messages"
"""The part that every page of a tournament shows: what the director says to all."""

_FIELDS = ("id", "visibility", "name", "venue", "time_zone", "starts_at", "state", "champion_id", "simulated")
_LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


class Source(NamedTuple):
    """What a page is made of."""

    tournament_id: UUID
    slug: str
    parts: frozenset[str]


@dataclass(frozen=True, slots=True)
class PageState:
    """One tournament and the revisions of the parts asked for.

    `about` stands for the tournament's own row, which every page shows in its head.
    """

    source: Source
    visibility: str
    about: str
    revisions: dict[str, int]
    changed_at: datetime

    @property
    def tournament_id(self) -> UUID:
        return self.source.tournament_id

    @property
    def version(self) -> str:
        """Changes whenever a page of these parts may look different."""
        return _version(self.about, self.revisions, self.source)

    @property
    def is_private(self) -> bool:
        return self.visibility == Visibility.PRIVATE

    @property
    def is_listed(self) -> bool:
        return self.visibility == Visibility.PUBLIC

    def with_parts(self, parts: list[str]) -> PageState:
        """The same tournament with the revisions of these parts added. One query."""
        rows = list(
            Revision.objects.filter(tournament_id=self.tournament_id, part__in=parts).values_list(
                "part", "number", "changed_at"
            )
        )
        return PageState(
            self.source._replace(parts=self.source.parts.union(parts)),
            self.visibility,
            self.about,
            {**self.revisions, **{part: number for part, number, _ in rows}},
            max([self.changed_at, *(changed for _, _, changed in rows)]),
        )


def page_state(request: HttpRequest, slug: str, parts: tuple[str, ...]) -> PageState:
    """The tournament behind `slug` as this request may see it, with the revisions of `parts` and of its messages;
    Http404 for what it may not see. One query, one or two more where the tournament is private."""
    parts = (*parts, MESSAGES)
    rows = list(
        Tournament.objects.filter(slug=slug)
        .annotate(part=FilteredRelation("revisions", condition=Q(revisions__part__in=parts)))
        .values_list(*_FIELDS, "part__part", "part__number", "part__changed_at")
    )
    if not rows:
        raise Http404
    tournament_id, visibility = rows[0][0], rows[0][1]
    if visibility == Visibility.PRIVATE and not _may_see_private(request, tournament_id):
        raise Http404
    return PageState(
        source=Source(tournament_id, slug, frozenset(parts)),
        visibility=visibility,
        about=_digest(rows[0][1 : len(_FIELDS)]),
        revisions={row[-3]: row[-2] for row in rows if row[-3] is not None},
        changed_at=max((row[-1] for row in rows if row[-1] is not None), default=_LONG_AGO),
    )


def open_versions(sources: Collection[Source]) -> dict[Source, str]:
    """The version that a page of each source has now; only of tournaments that everybody may see. One query."""
    parts = frozenset[str]().union(*(source.parts for source in sources))
    rows = (
        Tournament.objects.filter(pk__in={source.tournament_id for source in sources})
        .exclude(visibility=Visibility.PRIVATE)
        .annotate(part=FilteredRelation("revisions", condition=Q(revisions__part__in=parts)))
        .values_list(*_FIELDS, "slug", "part__part", "part__number")
    )
    about: dict[tuple[UUID, str], str] = {}
    revisions: dict[UUID, dict[str, int]] = {}
    for *fields, slug, part, number in rows:
        about[fields[0], slug] = _digest(tuple(fields[1:]))
        revisions.setdefault(fields[0], {})[part] = number
    return {
        source: _version(about[source[:2]], revisions[source.tournament_id], source)
        for source in sources
        if source[:2] in about
    }


def _version(about: str, revisions: dict[str, int], source: Source) -> str:
    """The parts' revisions count together: each only grows."""
    return f"{about}.{sum(revisions.get(part, 0) for part in source.parts)}"


def _may_see_private(request: HttpRequest, tournament_id: UUID) -> bool:
    """Officials by their session, and whoever opened a link of this tournament."""
    if role_of(getattr(request, "user", None), tournament_id) is not None:
        return True
    link = link_of_token(request.COOKIES.get(COOKIE, ""))
    return link is not None and link.tournament_id == tournament_id


def _digest(values: tuple[Any, ...]) -> str:
    return hashlib.sha256(repr(values).encode()).hexdigest()[:10]
