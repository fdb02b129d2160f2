"""The table page itself: what the match is doing, and what its reader can do about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from scoring.entry.hands import Standing, standing_of
from scoring.entry.visit import Visit
from scoring.enums import Ending, HandState, Level
from scoring.models import Game, Hand
from scoring.pages import words
from scoring.pages.live import seat_names
from scoring.pages.matches import MatchView, match_views
from tables.enums import JudgeCallKind
from tables.models import JudgeCall
from tournaments.enums import MatchState, ResultState
from tournaments.models import Match, Result
from tournaments.rulesets import match_rules
from tournaments.selectors.announcements import showing
from tournaments.services.result import confirming_side


@dataclass(frozen=True, slots=True)
class HandLine:
    """One hand of the game being played, newest first."""

    number: int
    bid: str
    who: str
    is_made: bool
    is_set: bool
    is_passed: bool
    is_live: bool
    side: str
    marks: int
    id: str


@dataclass(frozen=True, slots=True)
class Last:
    """The newest record: a hand of a game, or a whole game (`hand` is 0 then)."""

    game: int
    hand: int


@dataclass(frozen=True, slots=True)
class Waiting:
    """A result that waits: who entered it, who is asked, until when silence will do."""

    result: Result
    rivals: tuple[Result, ...]
    asked_side: str
    asked_name: str
    is_mine: bool
    until: datetime | None


def page_context(visit: Visit) -> dict[str, Any]:
    """Everything on the page. At most 24 queries, however many hands were played."""
    now = timezone.now()
    base: dict[str, Any] = {
        "visit": visit,
        "tournament": visit.tournament,
        "zone": visit.tournament.time_zone,
        "now": now,
        "announcements": list(showing(visit.tournament.pk, now)),
    }
    match = visit.match
    if match is None:
        return {**base, "screen": "none", "last": last_here(visit)}
    view = match_views(visit.tournament.slug, [match], marks_target=match_rules(match).target)[0]
    judges = list(JudgeCall.objects.filter(match=match, answered_at__isnull=True).order_by("-called_at"))
    base |= {
        "match": view,
        "own": next((side for side in view.sides if side.side == visit.side), None),
        "asked_judge": next((call for call in judges if call.kind == JudgeCallKind.ASKED), None),
        "differing": next((call for call in judges if call.kind == JudgeCallKind.DIFFERS), None),
        "last_record": last_record(match),
    }
    screen = screen_of(match)
    if screen == "playing":
        base |= _playing(match)
    if screen in {"entered", "disputed"}:
        waiting = waiting_of(visit, match, view)
        base["waiting"] = waiting
        if screen == "entered" and visit.side and waiting.asked_side == visit.side:
            screen = "confirm"
    return {**base, "screen": screen}


def screen_of(match: Match) -> str:
    """Which of the page's faces the match needs."""
    return {
        MatchState.LOCKED: "waiting",
        MatchState.WAITING: "waiting",
        MatchState.READY: "ready",
        MatchState.CALLED: "called",
        MatchState.PLAYING: "playing",
        MatchState.ENTERED: "entered",
        MatchState.DISPUTED: "disputed",
        MatchState.CONFIRMED: "final",
        MatchState.VOID: "final",
    }[MatchState(match.state)]


def _playing(match: Match) -> dict[str, Any]:
    standing = standing_of(match)
    names = seat_names(match.pk)
    return {
        "standing": standing,
        "shaker": shaker_words(standing, names),
        "lines": hand_lines(match, standing, names),
    }


def shaker_words(standing: Standing, names: dict[str, str]) -> str:
    """Who shakes the next hand, by name where it is known."""
    if not standing.shaker:
        return ""
    return _first(names.get(standing.shaker, "")) or words.seat_name(standing.shaker)


def hand_lines(match: Match, standing: Standing, names: dict[str, str]) -> list[HandLine]:
    """The hands of the game being played, newest first. One query."""
    hands = Hand.objects.filter(game__match=match, game__number=standing.game).exclude(state=HandState.VOID)
    return [_line(hand, names) for hand in hands.order_by("-number")]


def _line(hand: Hand, names: dict[str, str]) -> HandLine:
    ns, ew = hand.marks_ns, hand.marks_ew
    who = _first(names.get(hand.declarer, "")) or (words.seat_name(hand.declarer) if hand.declarer else "")
    return HandLine(
        number=hand.number,
        bid=words.call_words(hand.bid) if hand.bid else "",
        who=who,
        is_made=hand.ending == Ending.MADE,
        is_set=hand.ending == Ending.SET,
        is_passed=hand.ending == Ending.THROWN_IN,
        is_live=hand.state == HandState.LIVE,
        side="NS" if ns > ew else "EW" if ew > ns else "",
        marks=max(ns, ew),
        id=str(hand.pk) if hand.level == Level.FULL else "",
    )


def _first(name: str) -> str:
    """The first word of a name, for tight places."""
    return name.split()[0] if name.split() else ""


def last_record(match: Match) -> Last | None:
    """What undo would take back; None for nothing. Two queries."""
    games = list(Game.objects.filter(match=match).order_by("-number"))
    standing = Hand.objects.filter(game__match=match).exclude(state=HandState.VOID)
    newest = dict(standing.order_by("number").values_list("game_id", "number"))
    for game in games:
        if game.pk in newest:
            return Last(game.number, newest[game.pk])
        if game.whole:
            return Last(game.number, 0)
    return None


def waiting_of(visit: Visit, match: Match, view: MatchView) -> Waiting:
    """The entries that wait. One query."""
    rivals = tuple(match.results.filter(state=ResultState.ENTERED).order_by("version"))
    result = rivals[-1]
    side = confirming_side(result)
    minutes = visit.tournament.auto_confirm_minutes
    until = None
    if minutes is not None and match.entered_at is not None:
        until = match.entered_at + timedelta(minutes=minutes)
    actor = visit.actor
    mine = (bool(visit.side) and visit.side == result.entered_side) or actor.same_as(
        user_id=result.entered_by_id, link_id=result.entered_link
    )
    return Waiting(
        result=result,
        rivals=rivals,
        asked_side=side,
        asked_name=(view.ns if side == "NS" else view.ew).name,
        is_mine=mine,
        until=until,
    )


def last_here(visit: Visit) -> MatchView | None:
    """The last match that was played here, or by this team. At most ten queries."""
    link = visit.link
    if link is None:
        return None
    rows = Match.objects.filter(state=MatchState.CONFIRMED).select_related("round")
    if link.table_id is not None:
        rows = rows.filter(seatings__table=link.table_id)
    elif link.entry_id is not None:
        rows = rows.filter(slots__entry=link.entry_id)
    else:
        return None
    last = rows.order_by("-closed_at").first()
    return match_views(visit.tournament.slug, [last])[0] if last else None


def names_of(view: MatchView) -> dict[str, str]:
    """The teams' names by side."""
    return {"NS": view.ns.name, "EW": view.ew.name}


def seats_of(match: Match, view: MatchView, seats: Sequence[str] = "NESW") -> list[dict[str, str]]:
    """The four seats in the order of the screen: first partner, then the other side's. One query."""
    names = seat_names(match.pk)
    sides = {"N": "NS", "S": "NS", "E": "EW", "W": "EW"}
    teams = names_of(view)
    return [
        {
            "seat": seat,
            "side": sides[seat],
            "name": names.get(seat, ""),
            "short": _first(names.get(seat, "")) or words.seat_name(seat),
            "team": teams[sides[seat]],
            "word": words.seat_name(seat),
        }
        for seat in seats
    ]
