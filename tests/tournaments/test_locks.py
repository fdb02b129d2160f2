"""The rows of revisions are shared by everybody, so a write touches them last and locks nothing after them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.support.events import Event, make_tournament
from tournaments.services.entry import entry_withdraw
from tournaments.services.result import match_forfeit

pytestmark = pytest.mark.django_db


def chain_of_walkovers(event: Event) -> None:
    """T1 has won and withdrawn; its next opponent comes, wins by rule, and so on in one advance."""
    event.play("M1")
    event.advance()
    entry_withdraw(entry_id=event.entry_of("T1").pk, actor=event.owner.actor)
    event.play("M2")
    event.play("M3")
    event.play("M4")
    event.advance()


def withdrawal_of_a_team_that_plays(event: Event) -> None:
    entry_withdraw(entry_id=event.entry_of("T1").pk, actor=event.owner.actor)
    entry_withdraw(entry_id=event.entry_of("T2").pk, actor=event.owner.actor, disqualified=True)


def forfeit(event: Event) -> None:
    match_forfeit(match_id=event.match("M1").pk, side="both", actor=event.owner.actor, reason="not here")
    event.advance()


def last_game_of_a_match(event: Event) -> None:
    for number in (1, 2):
        event.owner.client.put(
            f"/api/v1/matches/{event.match('M1').pk}/games/{number}/", {"NS": 7, "EW": number}
        )


def last_hand_of_a_game(event: Event) -> None:
    for number in range(1, 5):
        event.owner.client.put(
            f"/api/v1/matches/{event.match('M1').pk}/games/1/hands/{number}/",
            {"level": "marks", "winner": "NS", "marks": 2},
        )


def correction(event: Event) -> None:
    event.play("M1")
    event.advance()
    event.owner.client.post(
        f"/api/v1/matches/{event.match('M1').pk}/result/correct/",
        {"scores": "4-7,3-7", "reason": "wrong way"},
    )


@pytest.mark.parametrize(
    "act",
    [
        chain_of_walkovers,
        withdrawal_of_a_team_that_plays,
        forfeit,
        last_game_of_a_match,
        last_hand_of_a_game,
        correction,
    ],
)
def test_revisions_are_the_last_rows_of_every_write(act: Callable[[Event], None]) -> None:
    event = make_tournament(8)
    with CaptureQueriesContext(connection) as queries:
        act(event)

    after_revisions: list[str] = []
    at_the_end = False
    for query in queries:
        sql = query["sql"]
        if sql.startswith(("SAVEPOINT", "RELEASE", "BEGIN", "COMMIT")):
            at_the_end = False
        elif '"tournaments_revision"' in sql and sql.startswith(("UPDATE", "INSERT")):
            at_the_end = True
        elif at_the_end and '"tournaments_revision"' not in sql:
            after_revisions.append(sql[:100])
    assert after_revisions == []


def test_disqualification_stays_and_keeps_its_place_in_the_order_of_withdrawals() -> None:
    event = make_tournament(4, published=False)
    entry = event.entry_of("T1")
    desk = event.official("desk")
    path = f"{event.path}entries/{entry.pk}/"

    assert desk.client.post(f"{path}withdraw/").json()["status"] == "withdrawn"
    entry.refresh_from_db()
    left_at = entry.withdrawn_at
    assert desk.client.post(f"{path}disqualify/").status_code == 403
    assert event.owner.client.post(f"{path}disqualify/").json()["status"] == "disqualified"
    assert desk.client.post(f"{path}withdraw/").json()["status"] == "disqualified"

    entry.refresh_from_db()
    assert (entry.status, entry.withdrawn_at) == ("disqualified", left_at)
