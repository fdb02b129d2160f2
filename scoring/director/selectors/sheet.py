"""One match as the desk sees it: everything entered, everything that happened, and what an act would change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from scoring.director.selectors.log import match_log
from scoring.enums import HandState, Level
from scoring.models import Game, Hand
from scoring.pages import words
from scoring.pages.live import seat_names
from scoring.pages.matches import MatchView, match_views
from tables.enums import TableState
from tables.models import Hold, JudgeCall, Seating, Table
from tournaments.enums import (
    CLOSED,
    OPEN_FOR_PLAY,
    OPEN_FOR_RESULT,
    DrawState,
    MatchState,
    Outcome,
    ResultState,
    Role,
)
from tournaments.models import Match, Result, Tournament
from tournaments.rulesets import GameMarks, check_games, match_rules
from tournaments.selectors.preview import PlaceChange, result_preview
from tournaments.services.result import forfeit_outcome

FILTERS = {
    "open": OPEN_FOR_RESULT,
    "settle": frozenset({MatchState.ENTERED, MatchState.DISPUTED}),
    "waiting": frozenset({MatchState.WAITING, MatchState.LOCKED}),
    "final": CLOSED,
}
PER_PAGE = 80


@dataclass(frozen=True, slots=True)
class EntryRow:
    """One entry of a result. `can_settle` says that it waits and the reader may make it count."""

    version: int
    scores: tuple[tuple[int, int], ...]
    outcome: str
    winner: str
    who: str
    result: Result
    is_own: bool
    can_settle: bool


@dataclass(frozen=True, slots=True)
class HandLine:
    """One hand in the record of a match; a hand that was taken back is shown as such."""

    number: int
    text: str
    is_void: bool
    is_live: bool
    is_full: bool
    marks: int
    side: str


@dataclass(frozen=True, slots=True)
class GameLines:
    number: int
    ns: int
    ew: int
    is_whole: bool
    is_live: bool
    hands: tuple[HandLine, ...]


@dataclass(frozen=True, slots=True)
class Preview:
    """What a result would change: places of the bracket, and matches that stand in its way."""

    changes: list[PlaceChange]
    blocked: list[str]


def sheet_context(tournament: Tournament, match: Match, *, role: Role, user: Any) -> dict[str, Any]:
    """The sheet. At most 24 queries, however much was played."""
    view = match_views(tournament.slug, [match], marks_target=match_rules(match).target)[0]
    results = list(match.results.order_by("-version"))
    seating = Seating.objects.filter(match=match, freed_at__isnull=True).select_related("table").first()
    state = MatchState(match.state)
    games = games_of_sheet(match)
    return {
        "match": view,
        "row": match,
        "entries": [_entry(result, view, user, state) for result in results],
        "games": games,
        "has_record": any(game.is_whole or any(not hand.is_void for hand in game.hands) for game in games),
        "log": match_log(match.pk),
        "table": seating.table.number if seating else None,
        "free_tables": free_numbers(tournament),
        "held": Hold.objects.filter(match=match, ended_at__isnull=True).first(),
        "judges": list(JudgeCall.objects.filter(match=match, answered_at__isnull=True)),
        "best_of": words.best_of_words(match.best_of),
        "can_play": state in OPEN_FOR_PLAY,
        "can_result": state in OPEN_FOR_RESULT,
        "can_settle": state in {MatchState.ENTERED, MatchState.DISPUTED},
        "can_correct": state is MatchState.CONFIRMED,
        "can_hold": state in {MatchState.WAITING, MatchState.READY, MatchState.LOCKED},
        "is_desk_role": role != Role.SCORER,
    }


def free_numbers(tournament: Tournament) -> list[int]:
    """Tables to which a match could be called by hand. One query."""
    taken = Seating.objects.filter(table__tournament=tournament, freed_at__isnull=True).values("table_id")
    rows = Table.objects.filter(tournament=tournament).exclude(state=TableState.CLOSED).exclude(pk__in=taken)
    return list(rows.order_by("number").values_list("number", flat=True))


def _entry(result: Result, view: MatchView, user: Any, state: MatchState) -> EntryRow:
    names = {"NS": view.ns.name, "EW": view.ew.name, "": ""}
    waits = result.state == ResultState.ENTERED and state in {MatchState.ENTERED, MatchState.DISPUTED}
    return EntryRow(
        version=result.version,
        scores=tuple((game["NS"], game["EW"]) for game in result.games),
        outcome=words.outcome_word(result.outcome),
        winner=names[result.winner_side],
        who=result.entered_label,
        result=result,
        is_own=result.entered_by_id is not None and result.entered_by_id == user.pk,
        can_settle=waits,
    )


def games_of_sheet(match: Match) -> list[GameLines]:
    """The record with everything taken back. Three queries."""
    names = seat_names(match.pk)
    hands: dict[Any, list[HandLine]] = {}
    for hand in Hand.objects.filter(game__match=match).order_by("number", "started_at"):
        hands.setdefault(hand.game_id, []).append(_hand(hand, names))
    return [
        GameLines(
            number=game.number,
            ns=game.marks_ns,
            ew=game.marks_ew,
            is_whole=game.whole,
            is_live=not game.winner_side,
            hands=tuple(hands.get(game.pk, ())),
        )
        for game in Game.objects.filter(match=match).order_by("number")
    ]


def _hand(hand: Hand, names: dict[str, str]) -> HandLine:
    ns, ew = hand.marks_ns, hand.marks_ew
    parts = []
    if hand.bid:
        parts.append(words.call_words(hand.bid))
    if hand.declarer:
        parts.append(names.get(hand.declarer) or words.seat_name(hand.declarer))
    if hand.trump:
        parts.append(words.trump_short(hand.trump))
    if hand.ending:
        parts.append(str(hand.get_ending_display()).lower())
    elif hand.level == Level.MARKS:
        parts.append(str(hand.get_level_display()).lower())
    return HandLine(
        number=hand.number,
        text=" · ".join(parts),
        is_void=hand.state == HandState.VOID,
        is_live=hand.state == HandState.LIVE,
        is_full=hand.level == Level.FULL,
        marks=max(ns, ew),
        side="NS" if ns > ew else "EW" if ew > ns else "",
    )


def games_preview(match: Match, games: list[GameMarks]) -> Preview:
    """What the match ending with these games would change. Raises as `check_games`. Eight queries."""
    score = check_games(games, best_of=match.best_of, rules=match_rules(match))
    return _preview(match, Outcome.PLAYED, score.winner_side)


def forfeit_preview(match: Match, side: str) -> Preview:
    """What a forfeit of `side` would change. Eight queries."""
    outcome, winner_side = forfeit_outcome(side)
    return _preview(match, outcome, winner_side)


def _preview(match: Match, outcome: str, winner_side: str) -> Preview:
    changes = result_preview(match, outcome=outcome, winner_side=winner_side)
    numbers = {int(change.match[1:]) for change in changes}
    begun = Match.objects.filter(stage=match.stage_id, number__in=numbers, has_play=True)
    return Preview(changes, [one.code for one in begun.order_by("number")])


def matches_context(
    tournament: Tournament, *, state: str, query: str, number: int, draft: bool
) -> dict[str, Any]:
    """The list of matches, filtered by state and by a code, team or player. At most twelve queries."""
    rows = Match.objects.filter(tournament=tournament).select_related("round")
    if not draft:
        rows = rows.filter(stage__draw_state=DrawState.PUBLISHED)
    if state in FILTERS:
        rows = rows.filter(state__in=FILTERS[state])
    if query:
        rows = rows.filter(_query(query)).distinct()
    rows = rows.order_by("-closed_at", "number") if state == "final" else rows.order_by("number")
    first = (number - 1) * PER_PAGE
    found = list(rows[first : first + PER_PAGE + 1])
    return {
        "matches": match_views(tournament.slug, found[:PER_PAGE]),
        "state": state if state in FILTERS else "",
        "query": query,
        "number": number,
        "has_more": len(found) > PER_PAGE,
    }


def _query(query: str) -> Q:
    digits = query.lstrip("Mm")
    words_ = Q(slots__entry__name__icontains=query) | Q(
        slots__entry__members__player__name__icontains=query, slots__entry__members__until__isnull=True
    )
    if digits.isascii() and digits.isdigit():
        words_ |= Q(number=int(digits[:6]))
    return words_


def stored_games(match: Match, results: Sequence[Result] | None = None) -> list[GameMarks]:
    """What a form of this match starts with: the result that counts or waits, else the games recorded. Two queries."""
    rows = results if results is not None else list(match.results.order_by("-version"))
    for wanted in (ResultState.CONFIRMED, ResultState.ENTERED):
        for result in rows:
            if result.state == wanted and result.games:
                return [GameMarks(NS=game["NS"], EW=game["EW"]) for game in result.games]
    closed = Game.objects.filter(match=match).exclude(winner_side="").order_by("number")
    return [GameMarks(NS=game.marks_ns, EW=game.marks_ew) for game in closed]
