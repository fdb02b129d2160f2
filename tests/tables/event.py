"""A small event made by the services, for the tests of tables and links."""

import itertools
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction

from tables.models import AccessLink, Seating, Table
from tables.selectors.links import actor_of_link, link_of_token
from tables.services.hall import tables_add
from tables.tokens import token_of
from tournaments.actors import Actor, user_actor
from tournaments.enums import StageKind
from tournaments.models import Entry, Match, Result, Stage, Tournament
from tournaments.services.bracket import bracket_advance
from tournaments.services.draw import stage_draw, stage_publish
from tournaments.services.entry import entries_add
from tournaments.services.locks import match_lock
from tournaments.services.result import result_confirm, result_enter_locked
from tournaments.services.tournament import official_set, tournament_create, tournament_move

_accounts = itertools.count(1)
SCORE = {"NS": [{"NS": 7, "EW": 4}], "EW": [{"NS": 3, "EW": 7}]}


@dataclass
class Event:
    """A tournament of best-of-one matches with its owner."""

    tournament: Tournament
    owner: Actor

    @property
    def id(self) -> UUID:
        return self.tournament.pk

    @property
    def stage(self) -> Stage:
        return self.tournament.stages.get()

    def match(self, number: int) -> Match:
        return Match.objects.select_related("tournament").get(tournament=self.tournament, number=number)

    def table(self, number: int) -> Table:
        return Table.objects.get(tournament=self.tournament, number=number)

    def team(self, match: Match, side: str) -> Entry:
        entry = match.slots.select_related("entry").get(side=side).entry
        assert entry is not None
        return entry

    def sitting(self) -> dict[int, int]:
        """By number of the match: number of the table where it is now."""
        rows = Seating.objects.filter(table__tournament=self.tournament, freed_at__isnull=True)
        return dict(rows.order_by("match__number").values_list("match__number", "table__number"))

    def official(self, role: str) -> Actor:
        """A new account with this role."""
        actor = account()
        official_set(tournament_id=self.id, user=actor.user, role=role, actor=self.owner)
        return actor

    def enter(self, match: Match, winner: str, actor: Actor | None = None) -> Result:
        """Enter a result of one game; it waits for confirmation."""
        with transaction.atomic():
            entered = result_enter_locked(match_lock(match.pk), SCORE[winner], actor=actor or self.owner)
        return entered.result

    def play(self, match: Match, winner: str) -> Result:
        """Enter a result and settle it; the bracket moves on."""
        result = self.enter(match, winner)
        settled = result_confirm(match_id=match.pk, version=result.version, actor=self.owner, reason="played")
        bracket_advance(stage_id=match.stage_id)
        return settled


def account() -> Actor:
    """A new account without any role."""
    return user_actor(User.objects.create_user(f"account-{next(_accounts)}"))


def make_event(
    *,
    teams: int = 4,
    tables: int = 0,
    start: bool = True,
    kind: str = StageKind.SINGLE_ELIMINATION,
    **fields: Any,
) -> Event:
    """`teams` teams seeded by their numbers, drawn and published; running when `start`."""
    owner = account()
    tournament = tournament_create(
        name="Hearne Open",
        actor=owner,
        stage={"kind": kind, "best_of": 1},
        **{"visibility": "public", **fields},
    )
    event = Event(tournament, owner)
    names = [
        {"name": f"Team {number}", "players": [f"First {number}", f"Second {number}"], "seed": number}
        for number in range(1, teams + 1)
    ]
    entries_add(tournament_id=tournament.pk, entries=names, actor=owner)
    if tables:
        tables_add(tournament_id=tournament.pk, count=tables, actor=owner)
    stage_draw(stage_id=event.stage.pk, actor=owner)
    stage_publish(stage_id=event.stage.pk, actor=owner)
    if start:
        event.tournament = tournament_move(tournament_id=tournament.pk, move="start", actor=owner)
    return event


def holder(link: AccessLink) -> Actor:
    """The actor that holds the link now."""
    found = link_of_token(token_of(link.pk))
    assert found is not None
    return actor_of_link(found)
