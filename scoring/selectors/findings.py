"""Cases of fair play as directors read them, and which records still have to be looked at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from scoring.enums import FindingState, HandState, Level
from scoring.fairplay import registry
from scoring.fairplay.types import Scope
from scoring.models import Finding, Hand, Review, Screening
from tournaments.actors import Actor
from tournaments.enums import MatchState, Role
from tournaments.errors import NotThere
from tournaments.models import EntryPlayer, Match, Tournament
from tournaments.permissions import has_role

MOST_FAILURES = 3
"""Failures after which a record is set aside until a detector changes."""
MOST_REVIEWS = 200
"""Looks and acts that a case shows."""
VERSIONS_OF_HAND = registry.versions(Scope.HAND)
VERSIONS_OF_MATCH = registry.versions(Scope.HAND, Scope.MATCH, Scope.EVENT)

_DONE = Q(failures=0) | Q(failures__gte=MOST_FAILURES)


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of an event was looked at. `untestable` counts matches by detector and reason."""

    matches: int
    matches_done: int
    hands_full: int
    hands_bid: int
    hands_marks: int
    set_aside: int
    untestable: tuple[tuple[str, str, int], ...]


def matches_to_screen() -> QuerySet[Match, UUID]:
    """Ids of settled matches that were not looked at as they stand now, the longest settled first."""
    seen = Screening.objects.filter(
        _DONE,
        match=OuterRef("pk"),
        versions=VERSIONS_OF_MATCH,
        seen_version=OuterRef("result_version"),
        seen_at=OuterRef("closed_at"),
    )
    settled = Match.objects.filter(state=MatchState.CONFIRMED, closed_at__isnull=False)
    waiting = settled.filter(~Exists(seen))
    return waiting.order_by("closed_at").values_list("pk", flat=True)


def hands_to_screen() -> QuerySet[Hand, UUID]:
    """Ids of closed hands above marks only that were not looked at, alone or with their match."""
    alone = Screening.objects.filter(_DONE, hand=OuterRef("pk"), versions=VERSIONS_OF_HAND)
    with_match = Screening.objects.filter(
        match=OuterRef("game__match"), versions=VERSIONS_OF_MATCH, seen_at__isnull=False
    )
    closed = Hand.objects.filter(state=HandState.CLOSED).exclude(level=Level.MARKS)
    waiting = closed.filter(~Exists(alone), ~Exists(with_match))
    return waiting.order_by("ended_at").values_list("pk", flat=True)


def require_director(actor: Actor, tournament_id: UUID) -> None:
    """Raise NotThere for everybody but a director, so that nobody else learns whether there is a case."""
    if not has_role(actor, tournament_id, Role.DIRECTOR):
        raise NotThere("not_found", "There is no such case.")


def cases_of(tournament: Tournament) -> QuerySet[Finding]:
    """The cases of an event with their matches, newest first. One query."""
    rows = Finding.objects.filter(tournament=tournament).select_related("match__round")
    return rows.order_by("-number")


def case_of(tournament_id: UUID, number: int) -> Finding:
    """One case with its match and tournament; NotThere when there is none. One query."""
    found = (
        Finding.objects.select_related(
            "tournament",
            "match__round",
            "match__tournament",
            "match__stage",
            "other_match",
            "entry",
            "hand__game",
        )
        .filter(tournament_id=tournament_id, number=number)
        .first()
    )
    if found is None:
        raise NotThere("not_found", "There is no such case.")
    return found


def case_counts(tournament: Tournament) -> dict[str, int]:
    """Cases by state, with `gone` for those that the record does not support any more. One query."""
    counted = Finding.objects.filter(tournament=tournament).aggregate(
        **{
            str(state): Count("pk", filter=Q(state=state, gone_at__isnull=True))
            for state in FindingState.values
        },
        gone=Count("pk", filter=Q(gone_at__isnull=False)),
    )
    return {key: int(value) for key, value in counted.items()}


def coverage_of(tournament: Tournament) -> Coverage:
    """What was looked at and what could not be tested. Four queries."""
    settled = Match.objects.filter(tournament=tournament, state=MatchState.CONFIRMED)
    screened = Screening.objects.filter(match__tournament=tournament, screened_at__isnull=False)
    done = screened.filter(match__result_version=F("seen_version"), match__closed_at=F("seen_at"))
    levels = dict(
        Hand.objects.filter(game__match__tournament=tournament, state=HandState.CLOSED)
        .order_by()
        .values_list("level")
        .annotate(number=Count("pk"))
    )
    aside = Screening.objects.filter(
        Q(match__tournament=tournament) | Q(hand__game__match__tournament=tournament),
        failures__gte=MOST_FAILURES,
    )
    why: dict[tuple[str, str], int] = {}
    reasons = list(done.values_list("untestable", flat=True))
    for untestable in reasons:
        for detector, code in untestable.items():
            why[detector, code] = why.get((detector, code), 0) + 1
    return Coverage(
        matches=settled.count(),
        matches_done=len(reasons),
        hands_full=levels.get(Level.FULL, 0),
        hands_bid=levels.get(Level.BID, 0),
        hands_marks=levels.get(Level.MARKS, 0),
        set_aside=aside.count(),
        untestable=tuple((detector, code, number) for (detector, code), number in sorted(why.items())),
    )


def reviews_of(finding: Finding) -> list[Review]:
    """Every look at the case and every act on it, newest first. One query."""
    return list(finding.reviews.order_by("-at", "-pk")[:MOST_REVIEWS])


def account_rows(tournament: Tournament) -> dict[str, Any]:
    """The players of an event to choose from, and those tied to an account; its officials. Two queries."""
    members = (
        EntryPlayer.objects.filter(tournament=tournament)
        .select_related("player__user", "entry")
        .order_by("player__search_name", "pk")
    )
    seen: dict[UUID, EntryPlayer] = {}
    for member in members:
        seen.setdefault(member.player_id, member)
    officials = tournament.officials.select_related("user").order_by("user__username")
    return {
        "tied": [member for member in seen.values() if member.player.user_id is not None],
        "players": list(seen.values()),
        "officials": [one.user.get_username() for one in officials],
    }
