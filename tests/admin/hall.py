"""Events in which something of everything was stored, for lists and pages."""

from __future__ import annotations

import contextlib
import itertools
from typing import Any

import fortytwo
from scoring.services.deal import deal_put
from scoring.services.hand import HandEntry, hand_put
from scoring.services.play import call_put, play_put, trump_put
from tables.services.hall import hall_update, table_update, tables_add
from tables.services.holds import match_hold
from tables.services.judge import judge_call
from tables.services.links import links_issue
from tests.support.events import Event, make_tournament
from tournaments.models import IdempotencyRecord, Match
from tournaments.services.announcement import announcement_make
from tournaments.services.officials import invitation_make

_keys = itertools.count(1)

TILES = {
    "N": ["6-6", "6-5", "6-4", "6-3", "6-2", "6-1", "6-0"],
    "E": ["5-5", "5-4", "5-3", "5-2", "5-1", "5-0", "4-4"],
    "S": ["4-3", "4-2", "4-1", "4-0", "3-3", "3-2", "3-1"],
    "W": ["3-0", "2-2", "2-1", "2-0", "1-1", "1-0", "0-0"],
}
"""North bids on sixes and takes every trick with them: nobody else has one."""
SWEEP = [(seat, TILES[seat][trick]) for trick in range(7) for seat in "NESW"]


def full_event(hands: int = 2) -> Event:
    """Three teams and a bye; a match over with hands at every level, something refused, calls and messages."""
    event = make_tournament(3, kind="single-elimination")
    actor, tournament = event.owner.actor, event.tournament
    tables_add(tournament_id=tournament.pk, count=hands, actor=actor, room=f"Room {next(_keys)}")
    hall_update(tournament_id=tournament.pk, actor=actor, missing_minutes=7)
    links_issue(tournament_id=tournament.pk, actor=actor)
    for _ in range(hands):
        event.official("desk")
        invitation_make(tournament_id=tournament.pk, role="desk", actor=actor)
        announcement_make(tournament_id=tournament.pk, text=f"Lunch {next(_keys)}", actor=actor)
        IdempotencyRecord.objects.create(scope="user:1", key=f"k{next(_keys)}", fingerprint="0" * 64)
    first = next(one for one in event.matches() if one.state == "ready")
    match_hold(match_id=first.pk, actor=actor)
    table = tournament.tables.order_by("number").first()
    assert table is not None
    table_update(table_id=table.pk, actor=actor, fixed_entry=event.entry_of("T1").pk)
    event.table_link(first)
    for number in range(hands):
        judge_call(match_id=first.pk, actor=actor, facts={"number": number})
    full_hand(first, actor)
    for number in range(2, hands + 2):
        bid_hand(first, actor, number)
    event.play(first.code)
    event.advance()
    return event


def full_hand(match: Match, actor: Any, number: int = 1) -> Any:
    """A hand recorded to its last tile, with all holdings known, and one illegal tile tried."""
    hand, _ = hand_put(
        match_id=match.pk,
        game_number=1,
        number=number,
        entry=HandEntry(level="full", shaker="W"),
        actor=actor,
    )
    for seat, tiles in TILES.items():
        deal_put(hand_id=hand.pk, seat=seat, tiles=tiles, actor=actor)
    for seq, (seat, call) in enumerate(zip("NESW", ["42", "pass", "pass", "pass"], strict=True), start=1):
        call_put(hand_id=hand.pk, seq=seq, seat=seat, call=call, actor=actor)
    trump_put(hand_id=hand.pk, trump="6", actor=actor)
    with contextlib.suppress(fortytwo.IllegalAction):
        play_put(hand_id=hand.pk, seq=1, seat="N", tile="5-5", actor=actor)
    for seq, (seat, tile) in enumerate(SWEEP, start=1):
        play_put(hand_id=hand.pk, seq=seq, seat=seat, tile=tile, actor=actor)
    return hand


def bid_hand(match: Match, actor: Any, number: int) -> None:
    entry = HandEntry(level="bid", declarer="N", bid="30", made=True, trump_unrecorded=True)
    hand_put(match_id=match.pk, game_number=1, number=number, entry=entry, actor=actor)
