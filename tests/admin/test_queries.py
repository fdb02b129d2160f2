"""Every list of the admin asks the same number of queries for few rows and for many, and opens fast with 10,000."""

from __future__ import annotations

import time

import pytest
from django.contrib.admin import site
from django.contrib.auth.models import User
from django.db import connection
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext

from scoring.models import Game, Hand, Play
from tests.admin.desk import listing
from tests.admin.hall import full_event
from tests.support.events import account, make_tournament
from tournaments.models import Entry, LogEntry, Match, Official

pytestmark = pytest.mark.django_db


def admin() -> Client:
    client = Client()
    client.force_login(account(is_staff=True, is_superuser=True).user)  # type: ignore[arg-type]
    return client


def asked(client: Client, user: User | None = None) -> dict[type[Model], tuple[int, int]]:
    """By model: how many rows its list shows, and how many queries that took."""
    found = {}
    for model in site._registry:
        with CaptureQueriesContext(
            connection,
        ) as queries:
            answer = client.get(listing(model))
        assert answer.status_code in {200, 403}, model
        if answer.status_code == 200:
            found[model] = (len(answer.context["cl"].result_list), len(queries))
    return found


def test_no_list_asks_more_for_more_rows() -> None:
    """For an administrator of the site, and for somebody with an office in each event."""
    everywhere = admin()
    first = full_event(1)
    director = first.official("director").user
    assert director is not None
    User.objects.filter(pk=director.pk).update(is_staff=True)
    somewhere = Client()
    somewhere.force_login(director)
    clients = (everywhere, somewhere)
    for client in clients:
        client.get("/admin/")
    few = [asked(client) for client in clients]
    for _ in range(2):
        event = full_event(4)
        Official.objects.create(tournament=event.tournament, user=director, role="director")
    many = [asked(client) for client in clients]
    for before, after in zip(few, many, strict=True):
        ours = [one for one in before if one._meta.app_label in {"tournaments", "tables", "scoring"}]
        assert [one for one in ours if after[one][0] <= before[one][0]] == []
        grown = {
            one._meta.label: (before[one], after[one]) for one in before if after[one][1] > before[one][1]
        }
        assert grown == {}
        assert max(queries for _rows, queries in after.values()) <= 12


def ten_thousand_rows() -> None:
    """Of each of the longest lists."""
    event = make_tournament(4)
    tournament, stage = event.tournament, event.stage
    match = event.match("M1")
    number = 10_000
    LogEntry.objects.bulk_create(
        (
            LogEntry(
                tournament=tournament,
                action="play.recorded",
                actor_kind="user",
                actor_label="Dana",
                match=match,
                facts={"seat": "N", "tile": "6-6"},
            )
            for _ in range(number)
        ),
        batch_size=500,
    )
    Match.objects.bulk_create(
        (
            Match(
                tournament=tournament,
                stage=stage,
                round=match.round,
                number=100 + one,
                position=1,
                best_of=3,
            )
            for one in range(number)
        ),
        batch_size=500,
    )
    game = Game.objects.create(match=match, number=1)
    hands = Hand.objects.bulk_create(
        (
            Hand(
                game=game, number=one, level="full", state="closed", entered_kind="user", entered_label="Dana"
            )
            for one in range(1, number + 1)
        ),
        batch_size=500,
    )
    Play.objects.bulk_create((Play(hand=hand, seq=1, seat="N", tile="6-6") for hand in hands), batch_size=500)


@pytest.mark.long
@pytest.mark.parametrize("query", [{}, {"q": "dana"}], ids=["plain", "searched"])
def test_lists_of_ten_thousand_rows_open_within_two_seconds(query: dict[str, str]) -> None:
    client = admin()
    ten_thousand_rows()
    took = {}
    for model in (LogEntry, Match, Hand, Play, Entry):
        client.get(listing(model))
        start = time.perf_counter()
        assert client.get(listing(model), query).status_code == 200
        took[model.__name__] = time.perf_counter() - start
    assert max(took.values()) < 2.0, took
