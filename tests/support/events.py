"""Events made by the services: a drawn tournament of n teams, matches played, teams moved on."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User

from scoring.services.game import result_put
from tables.enums import LinkKind
from tables.services.calls import match_call
from tables.services.hall import tables_add
from tables.services.links import LinkTarget, link_issue
from tests.support.callers import Caller, link_caller, user_caller
from tournaments.draw.advance import derive
from tournaments.draw.plan import Place
from tournaments.draw.state import BracketState, Result
from tournaments.enums import OPEN_FOR_RESULT
from tournaments.models import Entry, Match, Slot, Stage, Tournament
from tournaments.models import Result as StoredResult
from tournaments.selectors.plan import PLACE_OF_SIDE, SIDE_OF_PLACE, stage_plan
from tournaments.services.bracket import bracket_advance
from tournaments.services.draw import stage_draw, stage_publish
from tournaments.services.entry import entries_add
from tournaments.services.tournament import official_set, tournament_create, tournament_move

_numbers = itertools.count(1)

GAMES = {"NS": "7-4,7-3", "EW": "5-7,7-6,2-7"}
"""A best of three for each winner."""


@dataclass
class Event:
    """A tournament with one stage and its owner."""

    tournament: Tournament
    owner: Caller

    @property
    def slug(self) -> str:
        return self.tournament.slug

    @property
    def path(self) -> str:
        return f"/api/v1/tournaments/{self.slug}/"

    @property
    def stage(self) -> Stage:
        return self.tournament.stages.select_related("tournament__champion").get()

    def fresh(self) -> Tournament:
        """The tournament as it is stored now."""
        return Tournament.objects.select_related("champion").get(pk=self.tournament.pk)

    def official(self, role: str) -> Caller:
        """A new account with this role."""
        caller = account()
        official_set(
            tournament_id=self.tournament.pk, user=caller.actor.user, role=role, actor=self.owner.actor
        )
        return caller

    def match(self, code: str) -> Match:
        return Match.objects.select_related("tournament", "stage", "round").get(
            tournament=self.tournament, number=int(code[1:])
        )

    def matches(self, *states: str) -> list[Match]:
        rows = Match.objects.filter(tournament=self.tournament).select_related("tournament", "stage", "round")
        return list(rows.filter(state__in=states) if states else rows)

    def open_matches(self) -> list[Match]:
        return self.matches(*OPEN_FOR_RESULT)

    def entry(self, match: Match, side: str) -> Entry:
        entry = match.slots.select_related("entry").get(side=side).entry
        assert entry is not None
        return entry

    def entry_of(self, name: str) -> Entry:
        return Entry.objects.get(tournament=self.tournament, name=name)

    def advance(self) -> int:
        return bracket_advance(stage_id=self.stage.pk)

    def play(self, code: str, winner: str = "NS") -> None:
        """Enter a result at the desk, which counts at once; the bracket does not move yet."""
        result_put(
            match_id=self.match(code).pk,
            games=games(GAMES[winner]),
            actor=self.owner.actor,
            desk=True,
            reason="paper slip",
        )

    def play_all(self, pick: Callable[[Match], str] = lambda match: "NS") -> list[str]:
        """Play to the end, advancing after each match; the codes in the order of play."""
        played = []
        while open_now := self.open_matches():
            self.play(open_now[0].code, pick(open_now[0]))
            self.advance()
            played.append(open_now[0].code)
        return played

    def teams(self) -> dict[str, list[str | None]]:
        """By match code: the names on both sides, None while unknown, '-' where nobody will come."""
        shown: dict[str, list[str | None]] = {}
        for slot in Slot.objects.filter(match__tournament=self.tournament).select_related("match", "entry"):
            name = slot.entry.name if slot.entry else "-" if slot.state == "empty" else None
            shown.setdefault(slot.match.code, []).append(name)
        return shown

    def states(self) -> dict[str, str]:
        """By match code: its state."""
        return {match.code: match.state for match in self.matches()}

    def log_of(self, action: str) -> list[dict[str, Any]]:
        """The facts of every log entry of this act, oldest first."""
        rows = self.tournament.log.filter(action=action).order_by("at", "pk")
        return list(rows.values_list("facts", flat=True))

    def team_link(self, entry: Entry) -> Caller:
        target = LinkTarget(LinkKind.TEAM, entry.pk)
        return link_caller(link_issue(target=target, actor=self.owner.actor))

    def side_links(self, match: Match) -> dict[str, Caller]:
        return {side: self.team_link(self.entry(match, side)) for side in ("NS", "EW")}

    def seat_links(self, match: Match) -> dict[str, Caller]:
        targets = {seat: LinkTarget(LinkKind.SEAT, match.pk, seat) for seat in "NESW"}
        return {
            seat: link_caller(link_issue(target=target, actor=self.owner.actor))
            for seat, target in targets.items()
        }

    def table_link(self, match: Match) -> Caller:
        """The link of a new table, to which the match is called."""
        (table,) = tables_add(tournament_id=self.tournament.pk, count=1, actor=self.owner.actor)
        match_call(match_id=match.pk, table_id=table.pk, actor=self.owner.actor)
        return link_caller(link_issue(target=LinkTarget(LinkKind.TABLE, table.pk), actor=self.owner.actor))


def account(username: str = "", **fields: Any) -> Caller:
    """A new account without any role, with a token."""
    return user_caller(User.objects.create_user(username or f"account-{next(_numbers)}", **fields))


def make_tournament(
    teams: int = 4,
    *,
    kind: str = "double-elimination",
    names: Sequence[str] = (),
    published: bool = True,
    running: bool = True,
    visibility: str = "public",
    stage: dict[str, Any] | None = None,
    **fields: Any,
) -> Event:
    """A tournament of teams T1, T2, ... seeded in that order, drawn and under way."""
    owner = account()
    tournament = tournament_create(
        name=fields.pop("name", "Lone Star Open"),
        actor=owner.actor,
        stage={"kind": kind, **(stage or {})},
        visibility=visibility,
        **fields,
    )
    event = Event(tournament, owner)
    if teams:
        entries_add(tournament_id=tournament.pk, entries=new_entries(teams, names=names), actor=owner.actor)
    if published:
        stage_draw(stage_id=event.stage.pk, actor=owner.actor)
        stage_publish(stage_id=event.stage.pk, actor=owner.actor)
    if published and running:
        event.tournament = tournament_move(tournament_id=tournament.pk, move="start", actor=owner.actor)
    return event


def new_entries(teams: int, *, names: Sequence[str] = ()) -> list[Any]:
    return [
        {
            "name": names[number - 1] if names else f"T{number}",
            "players": [f"A{number}", f"B{number}"],
            "seed": number,
        }
        for number in range(1, teams + 1)
    ]


def games(scores: str) -> list[Any]:
    """'7-4,7-3' as marks by side."""
    pairs = [score.split("-") for score in scores.split(",")]
    return [{"NS": int(ns), "EW": int(ew)} for ns, ew in pairs]


def random_pick(seed: int) -> Callable[[Match], str]:
    rng = random.Random(seed)
    return lambda match: rng.choice(["NS", "EW"])


def derived(event: Event) -> BracketState[Any]:
    """The whole bracket as the pure draw derives it from the confirmed results and the withdrawals."""
    stage = event.stage
    plan = stage_plan(stage)
    entries = list(Entry.objects.filter(tournament=event.tournament).order_by("seed"))
    out = [entry for entry in entries if entry.is_out]
    out.sort(key=lambda entry: (entry.withdrawn_at, entry.pk))
    results: dict[int, Result[Any]] = {
        row.match.number: Result(
            row.outcome,  # type: ignore[arg-type]
            PLACE_OF_SIDE[row.winner_side] if row.winner_side else None,
        )
        for row in StoredResult.objects.filter(match__stage=stage, state="confirmed").select_related("match")
    }
    return derive(plan, [entry.pk for entry in entries], results, [entry.pk for entry in out])


def stored_slots(event: Event) -> dict[Place, tuple[str, Any]]:
    """Every place with its state and team as stored."""
    places = {str(side): place for place, side in SIDE_OF_PLACE.items()}
    rows = Slot.objects.filter(match__stage=event.stage).select_related("match")
    return {Place(row.match.number, places[row.side]): (row.state, row.entry_id) for row in rows}


def derived_slots(state: BracketState[Any]) -> dict[Place, tuple[str, Any]]:
    return {place: (slot.status, slot.entry) for place, slot in state.slots.items()}
