"""Records brought into the database by the services, and screened as the jobs do."""

from __future__ import annotations

import random
from typing import Any

import fortytwo
from scoring.models import Finding, Hand, RecordPrint, Review, Screening
from scoring.services.game import result_put
from scoring.services.hand import HandEntry, hand_put
from scoring.services.play import call_put, play_put, trump_put
from scoring.services.screening import hand_screen, match_screen
from tests.fairplay import records
from tests.fairplay.records import injected
from tests.support.callers import Caller
from tests.support.events import Event, games, make_tournament
from tournaments.models import Match
from tournaments.services.result import result_confirm


def reneging(seed: int = 1, *, unexplained: bool = False) -> fortytwo.Hand:
    """A hidden record, over as soon as it is settled, that contradicts itself."""
    from scoring.fairplay.contradictions import look

    rng = random.Random(seed)
    while True:
        record = injected("renege", rng, to_the_end=False)
        found = look(records.facts(record)).findings
        if found and (found[0].code == "possible_renege") == unexplained:
            return record


def honest(seed: int = 1) -> fortytwo.Hand:
    return records.without_deal(records.honest(random.Random(seed), to_the_end=False))


def store(
    who: Caller, match: Match, record: fortytwo.Hand, *, game: int = 1, number: int = 1, **more: Any
) -> Hand:
    """The record tile by tile, as a recorder sends it."""
    entry = HandEntry(level="full", shaker=str(record.shaker), **more)
    row, _ = hand_put(match_id=match.pk, game_number=game, number=number, entry=entry, actor=who.actor)
    for seq, (seat, call) in enumerate(record.auction.by_seat(), start=1):
        call_put(hand_id=row.pk, seq=seq, seat=str(seat), call=str(call), actor=who.actor)
    trump_put(hand_id=row.pk, trump=str(record.trump), actor=who.actor)
    for seq, play in enumerate(record.plays, start=1):
        play_put(hand_id=row.pk, seq=seq, seat=str(play.seat), tile=str(play.tile), actor=who.actor)
    row.refresh_from_db()
    return row


def settle(event: Event, match: Match, scores: str = "7-4,7-3", *, desk: bool = True) -> None:
    """The result, at the desk or by two officials."""
    if desk:
        result_put(
            match_id=match.pk, games=games(scores), actor=event.owner.actor, desk=True, reason="paper slip"
        )
        return
    scorer, other = event.official("scorer"), event.official("desk")
    entered = result_put(match_id=match.pk, games=games(scores), actor=scorer.actor)
    result_confirm(match_id=match.pk, version=entered.result.version, actor=other.actor)


def screen(record: Hand | Match) -> bool:
    if isinstance(record, Hand):
        return hand_screen(hand_id=record.pk)
    return match_screen(match_id=record.pk)


def codes(event: Event, **where: Any) -> list[str]:
    """The codes of the cases that the record supports, in order of their numbers."""
    rows = Finding.objects.filter(tournament=event.tournament, gone_at__isnull=True, **where)
    return list(rows.order_by("number").values_list("code", flat=True))


def one_match(teams: int = 4, **fields: Any) -> tuple[Event, Match]:
    event = make_tournament(teams, kind="single-elimination", **fields)
    return event, event.match("M1")


def everything() -> list[Any]:
    """Every stored row of fair play but the times of screening, in one comparable value."""
    return [
        list(Finding.objects.order_by("pk").values()),
        list(Review.objects.order_by("pk").values()),
        list(RecordPrint.objects.order_by("pk").values()),
        list(
            Screening.objects.order_by("pk").values("hand", "match", "versions", "seen_version", "failures")
        ),
    ]


def bid_hand(who: Caller, match: Match, game: int, number: int, **more: Any) -> Hand:
    entry = HandEntry(
        **{
            "level": "bid",
            "shaker": "NESW"[(number - 1) % 4],
            "declarer": "N",
            "bid": "34",
            "trump": "5",
            "made": True,
            **more,
        }
    )
    return hand_put(match_id=match.pk, game_number=game, number=number, entry=entry, actor=who.actor)[0]
