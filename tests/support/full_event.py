"""A site with something of everything: matches in every state, hands half played, calls, messages, cases.

Requests that are made up at random find there what they name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scoring.models import Finding, Hand
from scoring.services.game import result_put
from scoring.services.hand import HandEntry, hand_put
from scoring.services.play import call_put, play_put, trump_put
from tables.models import JudgeCall, Table
from tables.services.calls import match_call, match_start
from tables.services.hall import tables_add
from tables.services.holds import match_hold
from tables.services.judge import judge_answer, judge_call
from tables.tokens import code_of
from tests.support.callers import VISITOR, Caller
from tests.support.events import Event, account, games, make_tournament
from tournaments.models import Announcement, Entry, EntryPlayer, Invitation, Match
from tournaments.services.announcement import announcement_end, announcement_make
from tournaments.services.entry import entry_withdraw
from tournaments.services.officials import invitation_make
from tournaments.services.result import match_forfeit, result_dispute
from tournaments.services.tournament import official_set, tournament_move


@dataclass(frozen=True)
class FullSite:
    """`worlds` says of each event, by parameter, what there is to name; the first event has the most."""

    callers: Mapping[str, Caller]
    worlds: list[dict[str, list[Any]]]


def make_full_site() -> FullSite:
    """Some events, their owner, the link of a table where a hand is played, and a team that may confirm."""
    event = make_tournament(16, name="Everything")
    owner = event.owner
    tables = tables_add(tournament_id=event.tournament.pk, count=6, actor=owner.actor)
    table = event.table_link(event.match("M1"))
    _play_half(event)
    team = _results(event, tables)
    _around(event, table)
    account("somebody", password="correct horse")
    others = _others(owner)
    callers = {"owner": owner, "table": table, "team": team, "visitor": VISITOR}
    main = _world(event, event)
    return FullSite(callers, [main, *({**main, **_world(other, event)} for other in others)])


def _play_half(event: Event) -> None:
    """M1: a game as a whole, then a hand of each level; M2: a hand of which a trick is played."""
    actor = event.owner.actor
    first, second = event.match("M1"), event.match("M2")
    event.owner.client.put(f"/api/v1/matches/{first.pk}/games/1/", {"NS": 7, "EW": 4})
    for number, entry in enumerate(
        [
            HandEntry(level="marks", shaker="W", winner="NS", marks=2),
            HandEntry(level="bid", declarer="E", bid="31", trump="5", points=33),
            HandEntry(level="full"),
        ],
        start=1,
    ):
        hand_put(match_id=first.pk, game_number=2, number=number, entry=entry, actor=actor)
    hand, _ = hand_put(
        match_id=second.pk,
        game_number=1,
        number=1,
        entry=HandEntry(
            level="full", shaker="W", deal={"N": ["6-6", "6-5", "6-4", "6-3", "5-5", "5-0", "1-0"]}
        ),
        actor=actor,
    )
    for seq, (seat, call) in enumerate(zip("NESW", ["32", "pass", "pass", "pass"], strict=True), start=1):
        call_put(hand_id=hand.pk, seq=seq, seat=seat, call=call, actor=actor)
    trump_put(hand_id=hand.pk, trump="6", actor=actor)
    play_put(hand_id=hand.pk, seq=1, seat="N", tile="6-6", actor=actor)


def _results(event: Event, tables: list[Table]) -> Caller:
    """M3 called, M4 entered, M5 disputed, M6 final, M7 forfeit, M8 held; the team that may confirm M4."""
    actor = event.owner.actor
    match_call(match_id=event.match("M3").pk, table_id=tables[1].pk, actor=actor)
    match_start(match_id=event.match("M4").pk, actor=actor)
    sides = event.side_links(event.match("M4"))
    result_put(match_id=event.match("M4").pk, games=games("7-4,7-3"), actor=sides["NS"].actor)
    disputed = event.match("M5")
    result_put(match_id=disputed.pk, games=games("7-4,5-7,7-3"), actor=actor)
    result_dispute(match_id=disputed.pk, actor=event.side_links(disputed)["EW"].actor, reason="it was 4-7")
    event.play("M6")
    match_forfeit(match_id=event.match("M7").pk, side="EW", actor=actor, reason="not here")
    match_hold(match_id=event.match("M8").pk, actor=actor, reason="one is on the road")
    event.advance()
    return sides["EW"]


def _around(event: Event, table: Caller) -> None:
    """Officials, invitations, messages, calls for a judge, a case, a team that left."""
    tournament, actor = event.tournament, event.owner.actor
    for role in ("scorer", "desk", "director"):
        event.official(role)
        invitation_make(tournament_id=tournament.pk, role=role, actor=actor)
    ended = announcement_make(tournament_id=tournament.pk, text="Good morning", actor=actor)
    announcement_end(announcement_id=ended.pk, actor=actor)
    announcement_make(tournament_id=tournament.pk, text="Lunch at noon", actor=actor, minutes=30)
    answered = judge_call(match_id=event.match("M2").pk, actor=actor)
    judge_answer(call_id=answered.pk, actor=actor)
    judge_call(match_id=event.match("M1").pk, actor=table.actor, note="a renege?")
    entry_withdraw(entry_id=event.entry(event.match("M6"), "EW").pk, actor=actor)
    Finding.objects.create(
        tournament=tournament,
        number=1,
        detector="clock",
        version=1,
        tier="C",
        subject=str(event.match("M6").pk),
        code="record_impossible",
        match=event.match("M6"),
        body={"facts": {}, "figures": [], "toward": [], "away": [], "reasons": []},
        fingerprint="0" * 64,
    )


def _others(owner: Caller) -> list[Event]:
    """Events before and after play, and one that the owner of the others may not see."""
    events = [
        make_tournament(5, published=False, name="Before the draw"),
        make_tournament(5, running=False, name="With a bye"),
        make_tournament(2, kind="single-elimination", name="Played"),
    ]
    events[-1].play_all()
    events.append(make_tournament(2, kind="single-elimination", name="Over"))
    events[-1].play_all()
    tournament_move(tournament_id=events[-1].tournament.pk, move="finish", actor=events[-1].owner.actor)
    for event in events:
        official_set(
            tournament_id=event.tournament.pk, user=owner.user, role="owner", actor=event.owner.actor
        )
    return [*events, make_tournament(4, visibility="private", name="Of others")]


def _world(event: Event, main: Event) -> dict[str, list[Any]]:
    """By parameter: what there is of it in the event."""
    usernames = [one.user.get_username() for one in main.tournament.officials.select_related("user")]
    links = [main.team_link(main.entry(main.match("M4"), side)).link for side in ("EW", "NS")]
    which = {"tournament": event.tournament}
    matches = _keys(Match, **which)
    found: dict[str, list[Any]] = {
        "slug": [event.slug],
        # Those of the first round, whose teams are known, more often than the others.
        "match_id": [*matches[:8] * 8, *matches[8:]],
        "hand_id": _keys(Hand, game__match__tournament=event.tournament, level="full")
        + _keys(Hand, game__match__tournament=event.tournament),
        "entry_id": _keys(Entry, **which),
        "player_id": _keys(EntryPlayer, "player", **which),
        "table_id": _keys(Table, **which),
        "call_id": _keys(JudgeCall, match__tournament=event.tournament),
        "invitation_id": _keys(Invitation, **which),
        "message_id": _keys(Announcement, **which),
        "number": [1, 1, 2],
        "hand": [1, 2, 3, 4],
        "seq": [1, 2, 1, 2, 5],
        "seat": ["N", "E", "S", "W"],
        "username": [*usernames, "somebody"],
        "code": [code_of(link.pk) for link in links if link is not None],
    }
    return {name: options for name, options in found.items() if options}


def _keys(model: Any, field: str = "pk", **which: Any) -> list[str]:
    rows = model.objects.filter(**which).order_by("pk")
    return list(dict.fromkeys(str(key) for key in rows.values_list(field, flat=True)))
