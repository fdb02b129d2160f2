"""Every page and button of those who run a tournament: who may use it, and a request that succeeds.

The words of `what` are those of docs/permissions.md, which a test compares with this table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.test import Client

from scoring.services.game import result_put
from tables.addresses import COOKIE
from tables.tokens import code_of, token_of
from tests.api.table import (
    Scene,
    all_settled,
    drafted,
    entered,
    hand_up_to,
    held,
    in_state,
    invited,
    judged,
    one_game,
    ready,
    settled,
    told,
    undrawn,
    unentered,
    waiting,
    with_a_bye,
    withdrawn,
)
from tests.support.addresses import Address
from tests.support.callers import Caller
from tests.support.events import games
from tournaments.models import Announcement, Entry, Invitation

OFFICIALS = ("scorer", "desk", "director", "owner")
LINKS = ("table", "team", "seat")
EVERYBODY = ("visitor", *LINKS, "foreigner", *OFFICIALS)

SCORER = frozenset(OFFICIALS)
DESK = frozenset({"desk", "director", "owner"})
DIRECTOR = frozenset({"director", "owner"})
OWNER = frozenset({"owner"})
HOLDERS = frozenset(LINKS)
ACCOUNTS = frozenset({*OFFICIALS, "foreigner"})

Body = Mapping[str, Any] | Callable[[Scene], Mapping[str, Any]]


@dataclass(frozen=True)
class Row:
    """`allowed` are served, and their act is done; all others are refused and nothing changes."""

    what: str
    method: str
    pattern: str
    allowed: frozenset[str]
    body: Body = field(default_factory=dict)
    prepare: Callable[[Scene], object] = lambda scene: None
    values: Mapping[str, Any] = field(default_factory=dict)


def client_of(caller: Caller) -> Client:
    """A browser of the caller: signed in, or with the cookie of its link."""
    client = Client()
    if caller.user is not None:
        client.force_login(caller.user)
    if caller.link is not None:
        client.cookies[COOKIE] = token_of(caller.link.pk)
    return client


def send(scene: Scene, row: Row, name: str) -> Any:
    """The answer to the row's request."""
    body = row.body(scene) if callable(row.body) else row.body
    path = Address(row.pattern, ()).path({**values_of(scene), **row.values})
    act = getattr(client_of(scene.callers[name]), row.method.lower())
    return act(path, body)


def values_of(scene: Scene) -> dict[str, Any]:
    """What fills the addresses: the first match, its first team, and whatever a row has prepared."""
    hand = scene.match.game_records.values_list("hands", flat=True).first()
    invitation = Invitation.objects.filter(tournament=scene.event.tournament).first()
    message = Announcement.objects.filter(tournament=scene.event.tournament).first()
    call = scene.match.judge_calls.first()
    scorer = scene.callers["scorer"].user
    assert scorer is not None
    nobody = "01a00000-0000-7000-8000-000000000000"
    return {
        "slug": scene.event.slug,
        "number": 1,
        "hand_id": hand or nobody,
        "call_id": call.pk if call else nobody,
        "invitation_id": invitation.pk if invitation else nobody,
        "message_id": message.pk if message else nobody,
        "user_id": scorer.pk,
        "kind": "table",
        "game": 1,
        "hand": 1,
        "seq": 1,
    }


def entered_by_table(scene: Scene) -> None:
    result_put(match_id=scene.match.pk, games=games("7-3,7-4"), actor=scene.callers["table"].actor)


def entered_by_owner(scene: Scene) -> None:
    result_put(match_id=scene.match.pk, games=games("7-3,7-4"), actor=scene.event.owner.actor)


def code_of_loser(scene: Scene) -> dict[str, Any]:
    link = scene.event.team_link(scene.event.entry(scene.match, "EW")).link
    assert link is not None
    return {"version": 1, "side": "EW", "code": code_of(link.pk)}


def substitute(scene: Scene) -> dict[str, Any]:
    entry = Entry.objects.get(tournament=scene.event.tournament, number=1)
    member = entry.members.get(position=1)
    return {"sub-leaving": str(member.player_id), "sub-name": "Ruth"}


SETTINGS = {
    "name": "Renamed",
    "time_zone": "America/Chicago",
    "visibility": "public",
    "missing_minutes": 5,
    "venue": "",
}
NEW = {**SETTINGS, "kind": "double-elimination", "best_of": 3, "preset": "online-championship", "tables": 2}
TWO_GAMES = {"ns1": 7, "ew1": 3, "ns2": 7, "ew2": 4}
OTHER_GAMES = {"ns1": 3, "ew1": 7, "ns2": 4, "ew2": 7}
HAND = {"bid": "30", "seat": "N", "how": "made"}

R = "run/<slug:slug>/"
M = f"{R}matches/<match_code:number>/"
E = f"{R}teams/<int:number>/"
B = f"{R}tables/<int:number>/"
L = "link/<match_code:number>/"
M1 = {"number": 1}
EVENT_PAGES = ("", "placings/", "floor/", "matches/")
DESK_PAGES = (
    *("teams/", "teams/add/", "teams/seeds/", "cards/", "screens/", "log/"),
    *("paper/", "paper/scoresheets.pdf", "paper/<str:kind>-cards.pdf", "paper/bracket.pdf"),
)

ROWS = [
    Row("make an event", "GET", "run/", ACCOUNTS),
    Row("make an event", "GET", "run/events/new/", ACCOUNTS),
    Row("make an event", "POST", "run/events/new/", ACCOUNTS, NEW),
    *(Row("look at event, floor and matches", "GET", R + page, SCORER) for page in EVENT_PAGES),
    *(Row("look at desk, cards, paper, screens and log", "GET", R + page, DESK) for page in DESK_PAGES),
    Row("look at the sheet of a match", "GET", M, SCORER, values=M1),
    Row("look at a team's sheet", "GET", E, DESK),
    Row("settings", "GET", f"{R}settings/", DIRECTOR),
    Row("settings", "POST", f"{R}settings/", DIRECTOR, SETTINGS),
    Row("start, finish, reopen", "POST", f"{R}move/", DIRECTOR, {"move": "finish"}, all_settled),
    Row(
        "enter teams",
        "POST",
        f"{R}teams/add/",
        DESK,
        {"text": "New ones, Ann, Bea", "enter": "yes"},
        in_state("registration"),
    ),
    Row("draw a late team into a bye", "GET", f"{R}teams/late/", DIRECTOR),
    Row(
        "draw a late team into a bye",
        "POST",
        f"{R}teams/late/",
        DIRECTOR,
        {"name": "Late ones", "first": "Ann", "second": "Bea"},
        with_a_bye,
    ),
    Row("take teams off the list", "POST", f"{R}teams/remove/", DESK, {"numbers": "1"}, unentered),
    Row("check in", "POST", f"{E}check-in/", DESK, {"here": "yes"}),
    Row("set seeds", "POST", f"{R}teams/seeds/", DESK, {"seed-1": 9}),
    Row("change name, seed and rating", "POST", f"{E}change/", DESK, {"name": "Renamed", "seed": 8}),
    Row("substitute", "POST", f"{E}substitute/", DESK, substitute),
    Row("withdraw a team", "GET", f"{E}withdraw/", DESK),
    Row("withdraw a team", "POST", f"{E}withdraw/", DESK, {"withdraw": "yes"}),
    Row("disqualify a team", "POST", f"{E}withdraw/", DIRECTOR, {"disqualify": "yes"}),
    Row("reinstate a team", "POST", f"{E}reinstate/", DIRECTOR, {}, withdrawn),
    Row("draw", "GET", f"{R}draw/", DIRECTOR),
    Row("draw", "POST", f"{R}draw/make/", DIRECTOR, {"method": "seed"}, undrawn),
    Row("publish the draw", "POST", f"{R}draw/publish/", DIRECTOR, {}, drafted),
    Row("take the draw back", "GET", f"{R}draw/reset/", DIRECTOR),
    Row("take the draw back", "POST", f"{R}draw/reset/", DIRECTOR, {"sure": "yes"}),
    Row("calling by itself", "POST", f"{R}floor/auto/", DESK, {"on": "no"}),
    Row("call, move and free", "POST", f"{B}call/", DESK, {"match": "M1"}, ready, {"number": 2}),
    Row("call, move and free", "POST", f"{M}call/", DESK, {"table": 2}, ready, M1),
    Row("call, move and free", "POST", f"{M}move/", DESK, {"table": 2}, values=M1),
    Row("call, move and free", "POST", f"{B}free/", DESK),
    Row("open, keep and close tables", "POST", f"{B}state/", DESK, {"state": "closed"}, values={"number": 2}),
    Row("fix a table for a team", "POST", f"{B}fixed/", DESK, {"team": 3}, values={"number": 2}),
    Row("set up tables", "POST", f"{R}cards/tables/", DESK, {"count": 1}),
    Row("hold a match back", "POST", f"{M}hold/", DESK, {}, waiting, M1),
    Row("hold a match back", "POST", f"{M}release/", DESK, {}, held, M1),
    Row("say that they sat down", "POST", f"{M}start/", SCORER, {}, values=M1),
    Row("answer a call for a judge", "POST", f"{R}judge/<uuid:call_id>/", DESK, {}, judged),
    Row("enter a whole match", "GET", f"{M}enter/", SCORER, values=M1),
    Row("enter a whole match", "POST", f"{M}enter/", SCORER, TWO_GAMES, values=M1),
    Row(
        "enter at the desk, counting at once",
        "POST",
        f"{M}enter/",
        DESK,
        {**TWO_GAMES, "desk": "on", "reason": "slip"},
        values=M1,
    ),
    Row("settle a result", "POST", f"{M}settle/", DESK, {"version": 1}, entered, M1),
    Row("dispute for a side", "POST", f"{M}dispute/", SCORER, {}, entered, M1),
    Row("take an unsettled entry back", "POST", f"{M}take-back/", DESK, {}, entered, M1),
    Row("undo the last hand or game", "POST", f"{M}undo/", SCORER, {}, one_game, M1),
    Row("correct a final result", "GET", f"{M}correct/", DESK, {}, settled, M1),
    Row(
        "correct a final result",
        "POST",
        f"{M}correct/",
        DESK,
        {**OTHER_GAMES, "reason": "wrong way round", "sure": "yes"},
        settled,
        M1,
    ),
    Row("forfeit", "GET", f"{M}forfeit/", DESK, values=M1),
    Row("forfeit", "POST", f"{M}forfeit/", DESK, {"side": "NS", "reason": "late", "sure": "yes"}, values=M1),
    Row("make, renew and take back cards", "POST", f"{R}cards/issue/", DESK),
    Row(
        "make, renew and take back cards",
        "POST",
        f"{R}cards/<str:kind>/<int:number>/",
        DESK,
        {"act": "renew"},
    ),
    Row("roles and invitations", "GET", f"{R}people/", DIRECTOR),
    Row("roles and invitations", "POST", f"{R}people/invite/", DIRECTOR, {"role": "desk"}),
    Row("roles and invitations", "POST", f"{R}people/<int:user_id>/", DIRECTOR, {"role": "desk"}),
    Row(
        "roles and invitations",
        "POST",
        f"{R}people/invitations/<uuid:invitation_id>/",
        DIRECTOR,
        {},
        invited,
    ),
    Row("make directors and owners", "POST", f"{R}people/invite/", OWNER, {"role": "director"}),
    Row("make directors and owners", "POST", f"{R}people/<int:user_id>/", OWNER, {"role": "owner"}),
    Row("messages to everybody", "POST", f"{R}screens/", DESK, {"text": "Lunch"}),
    Row("messages to everybody", "POST", f"{R}screens/<uuid:message_id>/end/", DESK, {}, told),
]


def _table_rows(where: str, allowed: frozenset[str]) -> list[Row]:
    """The table page's acts: the same behind a link and at a match for officials."""
    return [
        Row("enter hands and games", "GET", f"{where}hand/", allowed, values=M1),
        Row("enter hands and games", "GET", f"{where}marks/", allowed, values=M1),
        Row("enter hands and games", "POST", f"{where}start/", allowed, values=M1),
        Row(
            "enter hands and games",
            "POST",
            f"{where}games/<int:game>/hands/<int:hand>/",
            allowed,
            HAND,
            values=M1,
        ),
        Row(
            "enter hands and games",
            "POST",
            f"{where}games/<int:game>/",
            allowed,
            {"ns": 7, "ew": 2},
            values=M1,
        ),
        Row(
            "undo the last hand or game",
            "POST",
            f"{where}undo/",
            allowed,
            {"game": 1, "hand": 0},
            one_game,
            M1,
        ),
        Row("ask for a judge", "GET", f"{where}judge/", allowed, values=M1),
        Row("ask for a judge", "POST", f"{where}judge/", allowed, {"note": "renege"}, values=M1),
        Row("record tile by tile", "POST", f"{where}full/", allowed, {"shaker": "W"}, values=M1),
        Row(
            "record tile by tile",
            "GET",
            f"{where}hands/<uuid:hand_id>/",
            allowed,
            {},
            hand_up_to("call"),
            M1,
        ),
        Row(
            "record tile by tile",
            "POST",
            f"{where}hands/<uuid:hand_id>/calls/<int:seq>/",
            allowed,
            {"seat": "N", "call": "30"},
            hand_up_to("call"),
            M1,
        ),
        Row(
            "record tile by tile",
            "POST",
            f"{where}hands/<uuid:hand_id>/trump/",
            allowed,
            {"trump": "6"},
            hand_up_to("trump"),
            M1,
        ),
        Row(
            "record tile by tile",
            "POST",
            f"{where}hands/<uuid:hand_id>/plays/<int:seq>/",
            allowed,
            {"seat": "N", "tile": "6-6"},
            hand_up_to("play"),
            M1,
        ),
    ]


P = f"{M}play/"
TABLE_ROWS = [
    Row("open the table page", "GET", "link/", HOLDERS),
    Row("open the table page", "GET", P, SCORER, values=M1),
    *_table_rows(L, HOLDERS),
    *_table_rows(P, SCORER),
    Row(
        "confirm for the losing side",
        "POST",
        f"{L}confirm/",
        frozenset({"team"}),
        {"version": 1},
        entered_by_table,
        M1,
    ),
    Row(
        "confirm with the other side's code",
        "POST",
        f"{L}code/",
        HOLDERS,
        code_of_loser,
        entered_by_table,
        M1,
    ),
    Row("dispute", "POST", f"{L}dispute/", HOLDERS, {}, entered_by_table, M1),
    Row(
        "take one's own entry back", "POST", f"{L}take-back/", frozenset({"table"}), {}, entered_by_table, M1
    ),
    Row(
        "take one's own call for a judge back",
        "POST",
        f"{L}judge/<uuid:call_id>/",
        frozenset({"table"}),
        {},
        judged,
        M1,
    ),
    Row("settle a result", "POST", f"{P}confirm/", DESK, {"version": 1}, entered_by_table, M1),
    Row(
        "confirm with the other side's code", "POST", f"{P}code/", SCORER, code_of_loser, entered_by_table, M1
    ),
    Row("dispute for a side", "POST", f"{P}dispute/", SCORER, {}, entered_by_table, M1),
    Row("take an unsettled entry back", "POST", f"{P}take-back/", DESK, {}, entered_by_table, M1),
    Row("answer a call for a judge", "POST", f"{P}judge/<uuid:call_id>/", DESK, {}, judged, M1),
]
