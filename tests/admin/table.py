"""Every list, page and act of the admin: who may use it, and a request that succeeds.

The words of `what` are those of docs/permissions.md. Everybody here has the staff mark; a test of its own says
what happens without it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.contrib.admin import site
from django.db.models import Model

from scoring.models import Call, Game, Hand, Holding, Play, RefusedAttempt
from scoring.services.hand import HandEntry, hand_put
from tables.models import (
    AccessLink,
    Hall,
    Hold,
    JudgeCall,
    Room,
    SeatAssignment,
    Seating,
    Table,
)
from tables.services.hall import hall_update
from tests.admin.hall import bid_hand, full_hand
from tests.api.table import (
    Scene,
    all_settled,
    drafted,
    entered,
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
from tests.director.table import DESK, DIRECTOR, OTHER_GAMES, OWNER, SCORER, SETTINGS, TWO_GAMES
from tournaments.admin.acts import Acting
from tournaments.models import (
    Announcement,
    Bye,
    Entry,
    EntryPlayer,
    IdempotencyRecord,
    Invitation,
    LogEntry,
    Match,
    Official,
    Player,
    Result,
    Revision,
    Round,
    Slot,
    Stage,
    Team,
    Tournament,
)

Body = Mapping[str, Any] | Callable[[Scene], Mapping[str, Any]]
Prepare = Callable[[Scene], object]


def _nothing(scene: Scene) -> None:
    pass


@dataclass(frozen=True)
class ListRow:
    """A list with the pages of its records: `allowed` see the event's rows there, nobody else any."""

    what: str
    model: type[Model]
    allowed: frozenset[str]
    prepare: Prepare = _nothing


@dataclass(frozen=True)
class ActRow:
    """An act: `allowed` do it, all others are refused and nothing changes."""

    what: str
    model: type[Model]
    act: str
    allowed: frozenset[str]
    body: Body = field(default_factory=dict)
    prepare: Prepare = _nothing


def row_of(scene: Scene, model: type[Model]) -> Any:
    """The record of the scene's event that a row is about."""
    listed: Any = site._registry[model]
    tournament, match = scene.event.tournament, scene.match
    if model is Tournament:
        return tournament
    if model is Match:
        return match
    if model is Entry:
        return Entry.objects.get(tournament=tournament, number=1)
    if model is Table:
        return scene.table(1)
    if model is Official:
        return Official.objects.get(tournament=tournament, role="scorer")
    if model in (Player, Team):
        return model.objects.order_by("pk").first()  # type: ignore[attr-defined]
    rows = model.objects.filter(**{listed.tournament_path: tournament})  # type: ignore[attr-defined]
    return rows.order_by("pk").first()


def played(scene: Scene) -> None:
    """A hand tile by tile with something refused; then the match is over."""
    full_hand(scene.match, scene.event.owner.actor)
    scene.event.play("M1")


def a_hand(scene: Scene) -> None:
    bid_hand(scene.match, scene.event.owner.actor, 1)


def a_live_hand(scene: Scene) -> None:
    entry = HandEntry(level="full", shaker="W")
    hand_put(match_id=scene.match.pk, game_number=1, number=1, entry=entry, actor=scene.event.owner.actor)


def a_hall(scene: Scene) -> None:
    hall_update(tournament_id=scene.event.tournament.pk, actor=scene.event.owner.actor, missing_minutes=9)


def a_room(scene: Scene) -> None:
    Room.objects.create(tournament=scene.event.tournament, name="Annex")


def a_card(scene: Scene) -> None:
    """The link of table 1 alone, so that it is the one that an act is about."""
    AccessLink.objects.filter(tournament=scene.event.tournament).exclude(table=scene.table(1)).delete()


def version_of(scene: Scene) -> dict[str, Any]:
    return {"version": scene.match.results.latest("version").version, "reason": "seen"}


def substitute(scene: Scene) -> dict[str, Any]:
    member = Entry.objects.get(tournament=scene.event.tournament, number=1).members.get(position=1)
    return {"leaving": str(member.player_id), "name": "Ruth"}


LOOK = "look at event, floor and matches"
SHEET = "look at the sheet of a match"
BACK_ROOM = "look at desk, cards, paper, screens and log"
OFFICES = "roles and invitations"

LISTS = [
    *(
        ListRow(LOOK, model, SCORER)
        for model in (
            Tournament,
            Entry,
            EntryPlayer,
            Player,
            Team,
            Match,
            Round,
            Slot,
            Table,
            Seating,
            SeatAssignment,
        )
    ),
    ListRow(LOOK, Bye, SCORER, with_a_bye),
    ListRow(LOOK, Hall, SCORER, a_hall),
    ListRow(LOOK, Room, SCORER, a_room),
    ListRow(LOOK, Hold, SCORER, held),
    ListRow(LOOK, JudgeCall, SCORER, judged),
    ListRow(SHEET, Result, SCORER, entered),
    *(ListRow(SHEET, model, SCORER, played) for model in (Game, Hand, Holding, Call, Play, RefusedAttempt)),
    *(ListRow(BACK_ROOM, model, DESK) for model in (LogEntry, Revision, AccessLink)),
    ListRow(BACK_ROOM, Announcement, DESK, told),
    ListRow("draw", Stage, DIRECTOR),
    ListRow(OFFICES, Official, DIRECTOR),
    ListRow(OFFICES, Invitation, DIRECTOR, invited),
]
ADMINISTRATORS_ONLY = {IdempotencyRecord}

LIFE = "start, finish, reopen"
ENTER = "enter teams"
CARDS = "make, renew and take back cards"
TABLES = "open, keep and close tables"
CALL = "call, move and free"
CHECK = "check in"
CHANGE = "change name, seed and rating"
TEAM = {"name": "New ones", "first": "Ann", "second": "Bea"}

EVENT_ACTS = [
    ActRow(LIFE, Tournament, "open-registration", DIRECTOR, {}, in_state("draft")),
    ActRow(LIFE, Tournament, "open-checkin", DIRECTOR, {}, in_state("registration")),
    ActRow(LIFE, Tournament, "start", DIRECTOR, {}, in_state("check-in")),
    ActRow(LIFE, Tournament, "finish", DIRECTOR, {}, all_settled),
    ActRow(LIFE, Tournament, "archive", DIRECTOR, {}, in_state("finished")),
    ActRow(LIFE, Tournament, "reopen", DIRECTOR, {}, in_state("archived")),
    ActRow("settings", Tournament, "settings", DIRECTOR, SETTINGS),
    ActRow(ENTER, Tournament, "enter-teams", DESK, {"text": "New ones, Ann, Bea"}, in_state("registration")),
    ActRow(ENTER, Tournament, "enter-team", DESK, TEAM, in_state("registration")),
    ActRow("draw a late team into a bye", Tournament, "enter-late", DIRECTOR, TEAM, with_a_bye),
    *(
        row
        for model in (Tournament, Stage)
        for row in (
            ActRow("draw", model, "draw", DIRECTOR, {"method": "seed"}, undrawn),
            ActRow("publish the draw", model, "publish", DIRECTOR, {}, drafted),
            ActRow("take the draw back", model, "reset", DIRECTOR),
        )
    ),
    ActRow("set up tables", Tournament, "tables", DESK, {"count": 1}),
    ActRow("calling by itself", Tournament, "hall", DESK, {"missing_minutes": 8}),
    ActRow("calling by itself", Hall, "change", DESK, {"missing_minutes": 8}, a_hall),
    ActRow(CARDS, Tournament, "cards", DESK),
    ActRow("messages to everybody", Tournament, "message", DESK, {"text": "Lunch"}),
    ActRow("messages to everybody", Announcement, "end", DESK, {}, told),
    ActRow(OFFICES, Tournament, "role", DIRECTOR, {"username": "somebody", "role": "desk"}),
    ActRow("make directors and owners", Tournament, "role", OWNER, {"username": "somebody", "role": "owner"}),
    ActRow(OFFICES, Tournament, "invite", DIRECTOR, {"role": "desk"}),
    ActRow("make directors and owners", Tournament, "invite", OWNER, {"role": "director"}),
    ActRow(OFFICES, Official, "role", DIRECTOR, {"role": "desk"}),
    ActRow("make directors and owners", Official, "role", OWNER, {"role": "director"}),
    ActRow(OFFICES, Official, "remove", DIRECTOR),
    ActRow(OFFICES, Invitation, "revoke", DIRECTOR, {}, invited),
]
TEAM_ACTS = [
    ActRow(CHECK, Entry, "check-in", DESK),
    ActRow(
        CHECK,
        Entry,
        "check-out",
        DESK,
        {},
        lambda scene: Entry.objects.filter(number=1).update(status="checked-in"),
    ),
    ActRow(CHANGE, Entry, "change", DESK, {"name": "Renamed", "seed": 8}),
    ActRow("substitute", Entry, "substitute", DESK, substitute),
    ActRow("withdraw a team", Entry, "withdraw", DESK, {"reason": "ill"}),
    ActRow("disqualify a team", Entry, "disqualify", DIRECTOR, {"reason": "late again"}),
    ActRow("reinstate a team", Entry, "reinstate", DIRECTOR, {}, withdrawn),
    ActRow("take teams off the list", Entry, "remove", DESK, {}, unentered),
    ActRow(
        CARDS,
        Entry,
        "issue_links",
        DESK,
        {},
        lambda scene: AccessLink.objects.filter(entry__number=1).delete(),
    ),
    ActRow(CARDS, Entry, "renew_links", DESK),
    ActRow(
        CARDS,
        Entry,
        "revoke_links",
        DESK,
        {},
        lambda scene: scene.event.team_link(Entry.objects.get(tournament=scene.event.tournament, number=1)),
    ),
]
HALL_ACTS = [
    *(ActRow(TABLES, Table, act, DESK) for act in ("open_tables", "reserve_tables", "close_tables")),
    ActRow(CALL, Table, "free_tables", DESK),
    ActRow("fix a table for a team", Table, "fixed", DESK, {"entry": ""}),
    ActRow("set up tables", Table, "room", DESK, {"room": "Annex"}),
    ActRow(
        CARDS,
        Table,
        "issue_links",
        DESK,
        {},
        lambda scene: AccessLink.objects.filter(table=scene.table(1)).delete(),
    ),
    ActRow(CARDS, Table, "renew_links", DESK),
    ActRow(CARDS, Table, "revoke_links", DESK),
    ActRow(CARDS, AccessLink, "renew_links", DESK, {}, a_card),
    ActRow(CARDS, AccessLink, "revoke_links", DESK, {}, a_card),
    ActRow("hold a match back", Hold, "release", DESK, {}, held),
    ActRow("answer a call for a judge", JudgeCall, "answer", DESK, {}, judged),
]
MATCH_ACTS = [
    ActRow(CALL, Match, "call", DESK, {"table": 2}, ready),
    ActRow(CALL, Match, "move", DESK, {"table": 2}),
    ActRow("hold a match back", Match, "hold", DESK, {}, waiting),
    ActRow("hold a match back", Match, "release", DESK, {}, held),
    ActRow("ask for a judge", Match, "judge", SCORER, {"note": "renege"}),
    ActRow("say that they sat down", Match, "start", SCORER),
    ActRow("undo the last hand or game", Match, "undo", SCORER, {}, one_game),
    ActRow("undo the last hand or game", Hand, "void", SCORER, {}, a_hand),
    ActRow("enter a whole match", Match, "enter", SCORER, TWO_GAMES),
    ActRow(
        "enter at the desk, counting at once",
        Match,
        "enter",
        DESK,
        {**TWO_GAMES, "desk": "on", "reason": "slip"},
    ),
    ActRow("settle a result", Match, "settle", DESK, version_of, entered),
    ActRow("settle a result", Result, "settle", DESK, {}, entered),
    ActRow("dispute for a side", Match, "dispute", SCORER, {}, entered),
    ActRow("take an unsettled entry back", Match, "take-back", DESK, {}, entered),
    ActRow("forfeit", Match, "forfeit", DESK, {"side": "NS", "reason": "late"}),
    ActRow("correct a final result", Match, "correct", DESK, {**OTHER_GAMES, "reason": "swapped"}, settled),
]
ACTS = [*EVENT_ACTS, *TEAM_ACTS, *HALL_ACTS, *MATCH_ACTS]


@dataclass(frozen=True)
class RecordRow:
    """A form of *Record hand*; `hand` says that it is on the page of a hand in full play."""

    what: str
    body: Mapping[str, Any]
    prepare: Prepare = _nothing
    hand: bool = False


FIRST = {"game": 1, "hand": 1}
RECORDS = [
    RecordRow("enter hands and games", {"way": "marks", **FIRST, "winner": "NS", "marks": 1}),
    RecordRow("enter hands and games", {"way": "game", **FIRST, "ns": 7, "ew": 2}),
    RecordRow(
        "enter hands and games",
        {"way": "bid", **FIRST, "bid": "30", "declarer": "N", "how": "made", "trump": "5"},
    ),
    RecordRow("record tile by tile", {"way": "full", **FIRST, "shaker": "W"}),
    RecordRow(
        "record tile by tile", {"what": "call", "seq": 1, "seat": "N", "call": "30"}, a_live_hand, hand=True
    ),
    RecordRow(
        "record tile by tile",
        {"what": "tiles", "seat": "N", "tiles": "6-6 6-5 6-4 6-3 6-2 6-1 6-0"},
        a_live_hand,
        hand=True,
    ),
]


def acts_of_the_admin() -> set[tuple[type[Model], str]]:
    """Every act that exists."""
    return {
        (model, act.name)
        for model, one in site._registry.items()
        if isinstance(one, Acting)
        for act in one.acts
    }
