"""A player: the teams played in, and how they did. Only public tournaments are named."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import F
from django.http import Http404
from django.urls import reverse

from scoring.pages.matches import pair_words
from tournaments.enums import Lifecycle, Outcome, ResultState, Visibility
from tournaments.models import EntryPlayer, Player, Result


@dataclass(frozen=True, slots=True)
class Played:
    """One tournament of a player. Marks are those of matches that the player sat in."""

    tournament: str
    tournament_url: str
    starts_at: datetime | None
    time_zone: str
    team: str
    team_url: str
    partner: str
    won: int
    lost: int
    marks_for: int
    marks_against: int
    is_champion: bool
    is_substitute: bool


def player_context(player_id: UUID) -> dict[str, Any]:
    """Four queries, however much was played. Http404 for a player nobody may see."""
    player = Player.objects.filter(pk=player_id).first()
    if player is None:
        raise Http404
    memberships = list(
        EntryPlayer.objects.filter(player=player, entry__tournament__visibility=Visibility.PUBLIC)
        .exclude(entry__tournament__state=Lifecycle.DRAFT)
        .select_related("entry__tournament")
        .order_by(F("entry__tournament__starts_at").desc(nulls_last=True), "-since")
    )
    if not memberships:
        raise Http404
    entries = {member.entry_id: member for member in reversed(memberships)}
    partners: dict[UUID, list[str]] = {}
    others = EntryPlayer.objects.filter(entry__in=list(entries), until__isnull=True).exclude(player=player)
    for entry_id, name in others.order_by("position").values_list("entry_id", "player__name"):
        partners.setdefault(entry_id, []).append(name)
    totals = _totals(player, list(entries))
    played = [
        _played(entries[entry_id], pair_words(partners.get(entry_id, [])), totals.get(entry_id, (0, 0, 0, 0)))
        for entry_id in dict.fromkeys(member.entry_id for member in memberships)
    ]
    return {
        "player": player.name,
        "played": played,
        "won": sum(one.won for one in played),
        "lost": sum(one.lost for one in played),
        "events": len(played),
    }


def _totals(player: Player, entries: list[UUID]) -> dict[UUID, tuple[int, int, int, int]]:
    """Matches won and lost, marks for and against, by entry, where the player was in the line-up."""
    rows = Result.objects.filter(state=ResultState.CONFIRMED, match__slots__entry__in=entries).values_list(
        "match__slots__entry",
        "match__slots__side",
        "winner_side",
        "marks_ns",
        "marks_ew",
        "lineups",
        "outcome",
    )
    totals: dict[UUID, tuple[int, int, int, int]] = {}
    for entry_id, side, winner, ns, ew, lineups, outcome in rows:
        if str(player.pk) not in lineups.get(side, []) and outcome == Outcome.PLAYED:
            continue
        won, lost, scored, against = totals.get(entry_id, (0, 0, 0, 0))
        own, other = (ns, ew) if side == "NS" else (ew, ns)
        totals[entry_id] = (won + (winner == side), lost + (winner != side), scored + own, against + other)
    return totals


def _played(member: EntryPlayer, partner: str, totals: tuple[int, int, int, int]) -> Played:
    entry, tournament = member.entry, member.entry.tournament
    return Played(
        tournament=tournament.name,
        tournament_url=reverse("tournament", args=[tournament.slug]),
        starts_at=tournament.starts_at,
        time_zone=tournament.time_zone,
        team=entry.name,
        team_url=reverse("team", args=[tournament.slug, entry.number]),
        partner=partner,
        won=totals[0],
        lost=totals[1],
        marks_for=totals[2],
        marks_against=totals[3],
        is_champion=tournament.champion_id == entry.pk,
        is_substitute=member.substitute,
    )
