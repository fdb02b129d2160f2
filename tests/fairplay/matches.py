"""Settled matches as detectors read them, without a database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import fortytwo
from fortytwo import PerSide, Ruleset
from scoring.fairplay.facts import EventFacts, GameFacts, HandFacts, MatchFacts, ResultFacts, Settled

NINE = datetime(2027, 3, 6, 15, 0, tzinfo=UTC)


def at(minutes: float) -> datetime:
    return NINE + timedelta(minutes=minutes)


def scores(text: str) -> tuple[PerSide, ...]:
    return tuple(fortytwo.parse_scores(text))


def result(games: str = "7-4,7-3", **more: Any) -> ResultFacts:
    """North and South entered by one account and settled by another, unless said otherwise."""
    played = scores(games)
    wins = PerSide(sum(one.ns > one.ew for one in played), sum(one.ew > one.ns for one in played))
    total = PerSide()
    for one in played:
        total += one
    fields: dict[str, Any] = {
        "version": 1,
        "outcome": "played",
        "winner": "NS" if wins.ns > wins.ew else "EW",
        "games": played,
        "wins": wins,
        "marks": total,
        "entered_by": "7",
        "entered_at": at(40),
        "settled_by": "8",
        "settled_at": at(41),
        "way": "official",
    }
    return ResultFacts(**{**fields, **more})


def match(code: str = "M1", *, result: ResultFacts | None = None, **more: Any) -> MatchFacts:
    fields: dict[str, Any] = {
        "id": f"id-{code}",
        "code": code,
        "best_of": 3,
        "rules": Ruleset(),
        "called_at": at(0),
        "started_at": at(1),
        "closed_at": at(41),
    }
    return MatchFacts(result=result or globals()["result"](), **{**fields, **more})


def hand(game: int, number: int, ns: int, ew: int, ended: float, **more: Any) -> HandFacts:
    """A marks-only hand that was recorded so many minutes after nine."""
    fields: dict[str, Any] = {
        "id": f"h{game}.{number}",
        "match_id": "id-M1",
        "match": "M1",
        "game": game,
        "number": number,
        "level": "marks",
        "rules": Ruleset(),
        "marks": PerSide(ns, ew),
        "started_at": at(ended),
        "ended_at": at(ended),
    }
    return HandFacts(**{**fields, **more})


def game(number: int, score: str, hands: Sequence[HandFacts] = (), **more: Any) -> GameFacts:
    (marks,) = scores(score)
    winner = "NS" if marks.ns > marks.ew else "EW"
    fields: dict[str, Any] = {"winner": winner, "is_closed": True, "whole": not hands, "hands": tuple(hands)}
    return GameFacts(number, marks, **{**fields, **more})


def seven_hands(number: int, minutes: Sequence[float], **more: Any) -> GameFacts:
    """A game of seven made one-mark hands."""
    return game(number, "7-0", [hand(number, at + 1, 1, 0, when) for at, when in enumerate(minutes)], **more)


def event(one: MatchFacts, **more: Any) -> EventFacts:
    return EventFacts(one, **more)


def settled(code: str, entered: str, by: str) -> Settled:
    return Settled(f"id-{code}", code, entered, by)


def changed(value: Any, **more: Any) -> Any:
    return replace(value, **more)
