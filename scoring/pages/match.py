"""One match: its score, the hand on the table, every game and hand recorded so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _

from scoring.enums import Ending, HandState, Level
from scoring.models import Hand
from scoring.pages import words
from scoring.pages.live import Board, board, seat_names
from scoring.pages.matches import MatchView, match_views
from scoring.pages.stage import marks_target
from tournaments.enums import DrawState, ResultState
from tournaments.models import Match, Result, Tournament
from tournaments.rulesets import match_rules


@dataclass(frozen=True, slots=True)
class HandRow:
    """One hand in the list. `key` opens it where every tile is recorded."""

    number: int
    key: str
    is_live: bool
    bidder: str
    bid: str
    trump: str
    outcome: str
    is_made: bool
    is_set: bool
    points: str
    marks: int
    side: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game with its hands from the first to the last."""

    number: int
    ns: int
    ew: int
    winner: str
    is_live: bool
    hands: tuple[HandRow, ...]


def match_of(tournament: Tournament, number: int) -> Match:
    """The match, when its draw is published; Http404 else. One query."""
    match = (
        Match.objects.filter(tournament=tournament, number=number, stage__draw_state=DrawState.PUBLISHED)
        .select_related("round", "stage", "tournament")
        .first()
    )
    if match is None:
        raise Http404
    return match


def match_context(tournament: Tournament, number: int, chosen: str) -> dict[str, Any]:
    """The page of a match; `chosen` is a hand's key such as "2.5", or empty. At most eighteen queries."""
    match = match_of(tournament, number)
    rules = match_rules(match)
    view = match_views(tournament.slug, [match], marks_target=rules.target)[0]
    hands = list(
        Hand.objects.filter(game__match=match)
        .exclude(state=HandState.VOID)
        .select_related("game")
        .order_by("game__number", "number")
    )
    shown = _chosen(hands, chosen)
    names = seat_names(match.pk) if hands else {}
    lies = board(shown, rules, view) if shown is not None else None
    games = _games(match, view, hands, names, shown)
    confirmed = Result.objects.filter(match=match, state=ResultState.CONFIRMED).first()
    return {
        "match": view,
        "board": lies,
        "is_live_board": lies is not None and lies.is_live,
        "games": games,
        "has_hands": any(game.hands for game in games),
        "settled_at": confirmed.settled_at if confirmed else None,
        "waits": _waits(view),
        "best_of": words.best_of_words(view.best_of),
        "chosen": chosen,
        "match_file": reverse("match-notation", args=[match.pk]) if games else "",
        "hand_file": reverse("hand-notation", args=[shown.pk]) if shown is not None else "",
    }


def cell_context(tournament: Tournament, number: int) -> dict[str, Any]:
    """The match as a cell of the bracket. Eleven queries."""
    match = match_of(tournament, number)
    target = marks_target(tournament, match.stage)
    return {"match": match_views(tournament.slug, [match], marks_target=target)[0]}


def _chosen(hands: list[Hand], key: str) -> Hand | None:
    """The hand asked for, else the one being played, else the last with every tile."""
    full = [hand for hand in hands if hand.level == Level.FULL]
    asked = [hand for hand in full if key and hand_key(hand) == key]
    live = [hand for hand in full if hand.state == HandState.LIVE]
    return next(iter([*asked, *live, *reversed(full)]), None)


def hand_key(hand: Hand) -> str:
    """A hand's address within its match: game and number."""
    return f"{hand.game.number}.{hand.number}"


def _games(
    match: Match, view: MatchView, hands: list[Hand], names: dict[str, str], shown: Hand | None
) -> tuple[GameRow, ...]:
    by_game: dict[int, list[Hand]] = {}
    for hand in hands:
        by_game.setdefault(hand.game.number, []).append(hand)
    return tuple(
        GameRow(
            number=game.number,
            ns=game.ns,
            ew=game.ew,
            winner=game.winner,
            is_live=game.is_live,
            hands=tuple(_hand_row(hand, names, shown) for hand in by_game.get(game.number, [])),
        )
        for game in view.games
    )


def _hand_row(hand: Hand, names: dict[str, str], shown: Hand | None) -> HandRow:
    ns, ew = hand.marks_ns, hand.marks_ew
    bidder = names.get(hand.declarer) or (words.seat_name(hand.declarer) if hand.declarer else "")
    is_live = hand.state == HandState.LIVE
    points = ""
    has_points = hand.ending != Ending.THROWN_IN and not words.special_words(hand.trump)
    if hand.points_ns is not None and hand.points_ew is not None and has_points:
        points = f"{hand.points_ns}–{hand.points_ew}"
    return HandRow(
        number=hand.number,
        key=hand_key(hand) if hand.level == Level.FULL else "",
        is_live=is_live,
        bidder=bidder,
        bid=words.call_words(hand.bid) if hand.bid else "",
        trump=words.trump_short(hand.trump) if hand.trump else "",
        outcome=_("being played") if is_live else hand.get_ending_display() if hand.ending else "",
        is_made=hand.ending == Ending.MADE,
        is_set=hand.ending == Ending.SET,
        points=points,
        marks=max(ns, ew),
        side="NS" if ns > ew else "EW" if ew > ns else "",
        is_chosen=shown is not None and shown.pk == hand.pk,
    )


def _waits(view: MatchView) -> str:
    """Who or what the match waits for, as a sentence; empty when it is being played or over."""
    if view.is_known or view.is_final or view.is_void:
        return ""
    names = [side.label for side in view.sides if side.team is None and not side.is_empty]
    return _("Waits for: %(names)s.") % {"names": _(" and ").join(names)} if names else ""


__all__ = ["Board", "cell_context", "hand_key", "match_context", "match_of"]
