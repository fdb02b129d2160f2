"""The whole API as a table: each method of each address, who may use it, and a request that succeeds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from scoring.models import Finding
from tables.models import Table
from tables.services.hall import tables_add
from tables.services.holds import match_hold
from tables.services.judge import judge_call
from tables.tokens import code_of
from tests.support.addresses import Address
from tests.support.callers import VISITOR, Caller
from tests.support.events import Event, account, make_tournament
from tournaments.models import Announcement, Entry, Invitation, Match, Stage, Tournament
from tournaments.services.announcement import announcement_make
from tournaments.services.draw import stage_draw, stage_publish, stage_reset
from tournaments.services.entry import entry_withdraw
from tournaments.services.officials import invitation_make

OFFICIALS = ("scorer", "desk", "director", "owner")
LINKS = ("table", "team", "seat")
FOREIGN = ("foreigner", "foreign link")
EVERYBODY = ("visitor", *OFFICIALS, *LINKS, *FOREIGN)

ANYONE = frozenset(EVERYBODY)
ACCOUNTS = frozenset({*OFFICIALS, "foreigner"})
RECORDERS = frozenset({*OFFICIALS, *LINKS})
DESK = frozenset({"desk", "director", "owner"})
DIRECTOR = frozenset({"director", "owner"})
OTHER_SIDE = frozenset({"seat", *DESK})
"""The seat is north; the team entered from the other side."""
ENTERING_SIDE = frozenset({"team", *DESK})


@dataclass
class Scene:
    """A tournament of four teams whose first match is called to table 1, and everybody around it."""

    event: Event
    match: Match
    callers: dict[str, Caller]

    @property
    def path(self) -> str:
        return f"/api/v1/matches/{self.match.pk}/"

    def values(self) -> dict[str, Any]:
        tournament = self.event.tournament
        entry = Entry.objects.get(tournament=tournament, number=1)
        scorer = self.callers["scorer"].user
        assert scorer is not None
        found = {
            "hand_id": self.match.game_records.values_list("hands", flat=True).first(),
            "call_id": self.match.judge_calls.values_list("pk", flat=True).first(),
            "invitation_id": Invitation.objects.filter(tournament=tournament)
            .values_list("pk", flat=True)
            .first(),
            "message_id": Announcement.objects.filter(tournament=tournament)
            .values_list("pk", flat=True)
            .first(),
        }
        return {
            **{name: pk for name, pk in found.items() if pk is not None},
            "slug": self.event.slug,
            "number": 1,
            "hand": 1,
            "match_id": self.match.pk,
            "entry_id": entry.pk,
            "player_id": entry.members.first().player_id,
            "table_id": self.table(1).pk,
            "seat": "N",
            "seq": 1,
            "username": scorer.username,
        }

    def path_of(self, row: Row) -> str:
        return Address(f"api/v1/{row.pattern}", ()).path({**self.values(), **row.values})

    def table(self, number: int) -> Table:
        return Table.objects.get(tournament=self.event.tournament, number=number)


Body = dict[str, Any] | Callable[[Scene], dict[str, Any]]


@dataclass(frozen=True)
class Row:
    """`allowed` get an answer below 300 after `prepare`; everybody else is refused."""

    method: str
    pattern: str
    allowed: frozenset[str]
    body: Body = field(default_factory=dict)
    prepare: Callable[[Scene], object] = lambda scene: None
    values: Mapping[str, str] = field(default_factory=dict)
    refused: int = 403
    """For those who are somebody; a visitor gets 401, and whoever may not see the event 404."""
    private: bool = True
    """Is the address part of one tournament?"""
    unlinked: frozenset[str] = frozenset()
    """Links that open nothing any more, since `prepare` takes their match away."""


def in_state(state: str) -> Callable[[Scene], object]:
    return lambda scene: Tournament.objects.filter(pk=scene.event.tournament.pk).update(state=state)


def undrawn(scene: Scene) -> None:
    Stage.objects.filter(tournament=scene.event.tournament).update(draw_state="none")


def drafted(scene: Scene) -> None:
    Stage.objects.filter(tournament=scene.event.tournament).update(draw_state="draft")


def entered(scene: Scene) -> None:
    done = scene.callers["team"].client.put(f"{scene.path}result/", {"scores": "3-7,4-7"})
    assert done.status_code == 201


def settled(scene: Scene) -> None:
    scene.event.play("M1")


def all_settled(scene: Scene) -> None:
    scene.event.play_all()


def one_game(scene: Scene) -> None:
    assert scene.event.owner.client.put(f"{scene.path}games/1/", {"NS": 7, "EW": 1}).status_code == 201


def withdrawn(scene: Scene) -> None:
    Stage.objects.filter(tournament=scene.event.tournament).update(draw_state="none")
    entry_withdraw(entry_id=scene.event.entry(scene.match, "NS").pk, actor=scene.event.owner.actor)


def here(scene: Scene, **changes: Any) -> None:
    Match.objects.filter(pk=scene.match.pk).update(**changes)


def ready(scene: Scene) -> None:
    """The match is called back: its table is free, it is ready."""
    scene.match.seatings.all().delete()
    here(scene, state="ready", called_at=None)


def waiting(scene: Scene) -> None:
    ready(scene)
    here(scene, state="waiting")


def held(scene: Scene) -> None:
    ready(scene)
    match_hold(match_id=scene.match.pk, actor=scene.event.owner.actor)


def judged(scene: Scene) -> None:
    judge_call(match_id=scene.match.pk, actor=scene.callers["table"].actor)


def invited(scene: Scene) -> None:
    invitation_make(tournament_id=scene.event.tournament.pk, role="scorer", actor=scene.event.owner.actor)


def told(scene: Scene) -> None:
    announcement_make(tournament_id=scene.event.tournament.pk, text="Lunch", actor=scene.event.owner.actor)


def with_a_bye(scene: Scene) -> None:
    """The draw is made again without its last team, so that there is a bye."""
    owner, stage = scene.event.owner.actor, scene.event.stage
    stage_reset(stage_id=stage.pk, actor=owner)
    Entry.objects.filter(tournament=scene.event.tournament, number=4).update(status="withdrawn")
    stage_draw(stage_id=stage.pk, actor=owner)
    stage_publish(stage_id=stage.pk, actor=owner)


def unentered(scene: Scene) -> None:
    """Nobody is in a draw: teams can be taken off the list."""
    Stage.objects.filter(tournament=scene.event.tournament).update(draw_state="none")
    Match.objects.filter(tournament=scene.event.tournament).delete()
    in_state("registration")(scene)


def hand_up_to(part: str) -> Callable[[Scene], None]:
    """A hand without a known deal, shaken by west: north bids 30 on sixes and leads."""

    def prepare(scene: Scene) -> None:
        client = scene.event.owner.client
        opened = client.put(f"{scene.path}games/1/hands/1/", {"level": "full", "shaker": "W"})
        path = f"/api/v1/hands/{opened.json()['id']}/"
        if part == "call":
            return
        for seq, (seat, call) in enumerate(zip("NESW", ["30", "pass", "pass", "pass"], strict=True), start=1):
            assert client.put(f"{path}calls/{seq}/", {"seat": seat, "call": call}).status_code == 201
        if part == "play":
            assert client.put(f"{path}trump/", {"trump": "6"}).status_code == 201

    return prepare


def substitute(scene: Scene) -> dict[str, Any]:
    leaving = scene.event.entry(scene.match, "NS").members.first().player_id
    return {"leaving": str(leaving), "name": "Ruth"}


def side_code(scene: Scene) -> dict[str, Any]:
    link = scene.event.team_link(scene.event.entry(scene.match, "NS")).link
    assert link is not None
    return {"version": 1, "side": "NS", "code": code_of(link.pk)}


def with_case(state: str) -> Callable[[Scene], object]:
    """Case 1 of fair play, as a detector would store it."""
    return lambda scene: Finding.objects.create(
        tournament=scene.event.tournament,
        number=1,
        detector="clock",
        version=1,
        tier="C",
        subject=str(scene.match.pk),
        code="record_impossible",
        match=scene.match,
        body={"facts": {}, "figures": [], "toward": [], "away": [], "reasons": []},
        fingerprint="0" * 64,
        state=state,
        outcome="no-action" if state == "closed" else "",
    )


CLOSE_TOGETHER = {"numbers": [1], "outcome": "no-action", "note": "the clock was wrong"}
NEW_TEAM = {"name": "Late ones", "players": ["Ann", "Bea"]}
TILES = ["6-6", "6-5", "6-4", "6-3", "6-2", "6-1", "6-0"]
T = "tournaments/<slug:slug>/"
E = f"{T}entries/<uuid:entry_id>/"
M = "matches/<uuid:match_id>/"
H = "hands/<uuid:hand_id>/"
B = "tables/<uuid:table_id>/"
ACT = "<slug:act>/"
F = f"{T}findings/"

ROWS = [
    Row("POST", "token/", ANYONE, lambda scene: SIGN_IN, private=False),
    Row("GET", "tournaments/", ANYONE, private=False),
    Row("POST", "tournaments/", ACCOUNTS, {"name": "New"}, private=False),
    Row("GET", T, ANYONE),
    Row("PATCH", T, DIRECTOR, {"venue": "KC Hall"}),
    Row("GET", f"{T}officials/", DIRECTOR),
    Row("POST", f"{T}officials/", DIRECTOR, lambda scene: {"username": "somebody", "role": "desk"}),
    Row("DELETE", f"{T}officials/<str:username>/", DIRECTOR),
    Row("GET", f"{T}invitations/", DIRECTOR),
    Row("POST", f"{T}invitations/", DIRECTOR, {"role": "scorer", "note": "for Ruth"}),
    Row("POST", f"{T}invitations/<uuid:invitation_id>/revoke/", DIRECTOR, prepare=invited),
    Row("GET", f"{T}messages/", ANYONE),
    Row("POST", f"{T}messages/", DESK, {"text": "Lunch", "minutes": 30}),
    Row("POST", f"{T}messages/<uuid:message_id>/end/", DESK, prepare=told),
    Row("GET", f"{T}log/", DESK),
    Row("GET", f"{T}entries/", ANYONE),
    Row("POST", f"{T}entries/", DESK, NEW_TEAM, in_state("registration")),
    Row("POST", f"{T}entries/import/", DESK, {"entries": [NEW_TEAM]}, in_state("registration")),
    Row("POST", f"{T}entries/import/", DESK, {"entries": [NEW_TEAM], "dry_run": True}),
    Row(
        "POST",
        f"{T}entries/remove/",
        DESK,
        lambda scene: {"entries": [str(scene.event.entry_of("T1").pk)]},
        unentered,
        unlinked=frozenset({"seat"}),
    ),
    Row(
        "PUT",
        f"{T}seeds/",
        DESK,
        lambda scene: {"seeds": [{"entry": str(scene.event.entry_of("T1").pk), "seed": 9}]},
    ),
    Row("GET", E, ANYONE),
    Row("PATCH", E, DESK, {"rating": 1500}),
    *(Row("POST", f"{E}{ACT}", DESK, values={"act": act}) for act in ("check-in", "check-out", "withdraw")),
    Row("POST", f"{E}{ACT}", DIRECTOR, values={"act": "disqualify"}),
    Row("POST", f"{E}{ACT}", DIRECTOR, prepare=withdrawn, values={"act": "reinstate"}),
    Row("POST", f"{E}{ACT}", DESK, substitute, values={"act": "substitute"}),
    Row("GET", f"{T}stages/<int:number>/", ANYONE),
    Row("PATCH", f"{T}stages/<int:number>/", DIRECTOR, {"best_of": 5}, undrawn),
    Row(
        "POST",
        f"{T}stages/<int:number>/late-entries/",
        DIRECTOR,
        NEW_TEAM,
        with_a_bye,
        unlinked=frozenset({"seat"}),
    ),
    Row("POST", f"{T}stages/<int:number>/{ACT}", DIRECTOR, {}, undrawn, {"act": "draw"}),
    Row("POST", f"{T}stages/<int:number>/{ACT}", DIRECTOR, {}, drafted, {"act": "publish"}),
    Row("POST", f"{T}stages/<int:number>/{ACT}", DIRECTOR, values={"act": "reset"}),
    Row("POST", f"{T}stages/<int:number>/{ACT}", DIRECTOR, values={"act": "advance"}),
    *(Row("GET", f"{T}{part}/", ANYONE) for part in ("bracket", "standings", "matches", "tables")),
    Row("POST", f"{T}open-registration/", DIRECTOR, prepare=in_state("draft")),
    Row("POST", f"{T}open-checkin/", DIRECTOR, prepare=in_state("registration")),
    Row("POST", f"{T}start/", DIRECTOR, prepare=in_state("check-in")),
    Row("POST", f"{T}finish/", DIRECTOR, prepare=all_settled),
    Row("POST", f"{T}archive/", DIRECTOR, prepare=in_state("finished")),
    Row("POST", f"{T}reopen/", DIRECTOR, prepare=in_state("archived")),
    Row("GET", M, ANYONE),
    Row("GET", f"{M}result/", ANYONE),
    Row("PUT", f"{M}result/", RECORDERS, {"scores": "7-4,7-3"}),
    Row("PUT", f"{M}result/", DESK, {"scores": "7-4,7-3", "desk": True, "reason": "slip"}),
    Row("POST", f"{M}result/confirm/", OTHER_SIDE, {"version": 1}, entered),
    Row("POST", f"{M}result/confirm-with-code/", RECORDERS, side_code, entered),
    Row("POST", f"{M}result/dispute/", RECORDERS, {}, entered),
    Row("POST", f"{M}result/take-back/", ENTERING_SIDE, {}, entered),
    Row("POST", f"{M}result/correct/", DESK, {"scores": "4-7,3-7", "reason": "wrong way round"}, settled),
    Row("POST", f"{M}forfeit/", DESK, {"side": "NS", "reason": "not here"}),
    Row("POST", f"{M}undo/", RECORDERS, {}, one_game),
    Row("GET", f"{M}games/", ANYONE),
    Row("PUT", f"{M}games/<int:number>/", RECORDERS, {"NS": 7, "EW": 1}),
    Row("GET", f"{M}games/<int:number>/hands/<int:hand>/", ANYONE, prepare=hand_up_to("call")),
    Row(
        "PUT",
        f"{M}games/<int:number>/hands/<int:hand>/",
        RECORDERS,
        {"level": "marks", "winner": "NS", "marks": 1},
    ),
    Row("POST", f"{M}start/", RECORDERS),
    Row("POST", f"{M}move/", DESK, lambda scene: {"table": str(scene.table(2).pk)}),
    Row("POST", f"{M}hold/", DESK, {"reason": "one is on the road"}, ready),
    Row("POST", f"{M}release/", DESK, prepare=held),
    Row("GET", f"{M}judge-calls/", RECORDERS, prepare=judged),
    Row("POST", f"{M}judge-calls/", RECORDERS, {"note": "a renege?"}),
    Row("POST", "judge-calls/<uuid:call_id>/answer/", DESK | {"table"}, prepare=judged),
    Row("POST", f"{M}seats/<str:seat>/link/", DESK),
    Row("POST", f"{M}seats/<str:seat>/revoke-link/", DESK),
    Row("GET", "matches/<uuid:match_id>.42", ANYONE),
    Row("POST", "matches/<uuid:match_id>.42", RECORDERS, {"text": "42 notation 1\nhand\nresult 1-0\n"}),
    Row("GET", "hands/<uuid:hand_id>.42", ANYONE, prepare=hand_up_to("call")),
    Row("GET", H, ANYONE, prepare=hand_up_to("call")),
    Row("GET", f"{H}deal/", ANYONE, prepare=hand_up_to("call")),
    Row("GET", f"{H}legal/", RECORDERS, prepare=hand_up_to("call")),
    Row("PUT", f"{H}deal/<str:seat>/", RECORDERS, {"tiles": TILES}, hand_up_to("call")),
    Row("PUT", f"{H}calls/<int:seq>/", RECORDERS, {"seat": "N", "call": "30"}, hand_up_to("call")),
    Row("PUT", f"{H}trump/", RECORDERS, {"trump": "6"}, hand_up_to("trump")),
    Row("PUT", f"{H}plays/<int:seq>/", RECORDERS, {"seat": "N", "tile": "6-6"}, hand_up_to("play")),
    Row("POST", f"{M}from-paper/", frozenset(OFFICIALS), {"from_paper": True}),
    Row("GET", F, DIRECTOR),
    Row("GET", f"{F}coverage/", DIRECTOR),
    Row("GET", f"{F}<int:number>/", DIRECTOR, prepare=with_case("open")),
    Row("POST", f"{F}<int:number>/note/", DIRECTOR, {"note": "asked the table"}, with_case("open")),
    Row("POST", f"{F}<int:number>/close/", DIRECTOR, {"outcome": "talked"}, with_case("open")),
    Row("POST", f"{F}<int:number>/reopen/", DIRECTOR, {}, with_case("closed")),
    Row("POST", f"{F}close/", DIRECTOR, CLOSE_TOGETHER, with_case("open")),
    Row("POST", f"{T}from-paper/", DIRECTOR, {"from_paper": True}),
    Row("PUT", f"{T}players/<uuid:player_id>/account/", DIRECTOR, {"username": "somebody"}),
    Row("GET", "players/", ANYONE, private=False),
    Row("GET", "players/<uuid:player_id>/", ANYONE),
    Row("GET", "teams/", ANYONE, private=False),
    Row("POST", f"{T}tables/", DESK, {"count": 1}),
    Row("POST", f"{T}links/", DESK),
    Row("GET", f"{T}hall/", frozenset(OFFICIALS)),
    Row("PATCH", f"{T}hall/", DESK, {"calls_itself": False, "missing_minutes": 10}),
    Row("GET", f"{T}holds/", frozenset(OFFICIALS), prepare=held),
    Row("GET", f"{T}judge-calls/", frozenset(OFFICIALS), prepare=judged),
    Row("GET", B, ANYONE),
    Row("PATCH", B, DESK, {"room": "Annex"}),
    Row("POST", f"{B}call/", DESK, lambda scene: {"match": str(scene.match.pk)}),
    *(Row("POST", f"{B}{act}/", DESK) for act in ("free", "reserve", "link", "revoke-link")),
    *(Row("POST", f"entries/<uuid:entry_id>/{act}/", DESK) for act in ("link", "revoke-link")),
    Row("GET", "link/", frozenset({*LINKS, "foreign link"}), refused=401, private=False),
]
SIGN_IN = {"username": "somebody", "password": "correct horse"}


def build(visibility: str) -> Scene:
    event = make_tournament(4, visibility=visibility)
    match = event.match("M1")
    tables_add(tournament_id=event.tournament.pk, count=1, actor=event.owner.actor)
    elsewhere = make_tournament(4, name="Elsewhere")
    # Table 1 is free; the match is called to it by the link of its own table.
    Table.objects.all().delete()
    table = event.table_link(match)
    tables_add(tournament_id=event.tournament.pk, count=1, actor=event.owner.actor)
    sides = event.side_links(match)
    callers = {
        "visitor": VISITOR,
        **{role: event.official(role) for role in OFFICIALS[:-1]},
        "owner": event.owner,
        "table": table,
        "team": sides["EW"],
        "seat": event.seat_links(match)["N"],
        "foreigner": elsewhere.owner,
        "foreign link": elsewhere.team_link(elsewhere.entry_of("T1")),
    }
    account("somebody", password="correct horse")
    return Scene(event, event.match("M1"), callers)


def send(scene: Scene, row: Row, caller: Caller, body: Any = None) -> Any:
    """The answer to the row's request, or to one with another body. `prepare` comes before."""
    if body is None:
        body = row.body(scene) if callable(row.body) else row.body
    act = getattr(caller.client, row.method.lower())
    path = scene.path_of(row)
    return act(path) if row.method == "GET" else act(path, body)
