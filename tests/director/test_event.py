"""A new event in one form, its page with the next step, its settings, and two events of one name."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest

from scoring.director.selectors.dashboard import dashboard_context
from tables.models import Hall, Table
from tests.director.table import NEW, client_of
from tests.support.events import account, make_tournament, new_entries
from tournaments.models import Tournament
from tournaments.services.entry import entries_add

pytestmark = pytest.mark.django_db


def create(client: Any, **changes: Any) -> Any:
    return client.post("/run/events/new/", {**NEW, **changes})


def test_new_event_in_one_form() -> None:
    owner = account("dana")
    client = client_of(owner)
    form = client.get("/run/events/new/").context["form"]
    assert form.initial["kind"] == "double-elimination"
    answer = create(
        client,
        name="Pecan Creek Open",
        starts_at="2027-03-06T08:15",
        time_zone="America/Chicago",
        kind="single-elimination",
        best_of=5,
        third_place="on",
        tables=3,
        missing_minutes=7,
        visibility="private",
    )
    made = Tournament.objects.get()
    assert answer["Location"] == f"/run/{made.slug}/"
    stage = made.stages.get()
    assert (made.name, made.visibility, made.starts_at) == (
        "Pecan Creek Open",
        "private",
        datetime(2027, 3, 6, 14, 15, tzinfo=UTC),
    )
    assert (stage.kind, stage.best_of, stage.third_place) == ("single-elimination", 5, True)
    assert Table.objects.filter(tournament=made).count() == 3
    assert Hall.objects.get(tournament=made).missing_minutes == 7
    assert made.officials.get().user == owner.user


def test_new_event_without_a_name_keeps_what_was_typed() -> None:
    answer = create(client_of(account()), name="", venue="KC Hall", tables=12)
    assert answer.status_code == 422
    assert answer.context["form"].errors == {"name": ["Name is missing."]}
    body = answer.content.decode()
    assert 'value="KC Hall"' in body
    assert 'value="12"' in body
    assert not Tournament.objects.exists()


def test_two_events_of_one_name_are_both_reachable() -> None:
    client = client_of(account())
    slugs = [create(client, name="Fall Open")["Location"] for _ in range(2)]
    assert slugs == ["/run/fall-open/", "/run/fall-open-2/"]
    assert [client.get(slug).status_code for slug in slugs] == [200, 200]
    page = client.get("/run/").content.decode()
    assert all(slug in page for slug in slugs)


def test_event_called_like_a_page_has_a_page() -> None:
    client = client_of(account())
    for name in ("Events", "New", "Link"):
        address = create(client, name=name)["Location"]
        assert client.get(address).status_code == 200
    assert client.get("/run/events/new/").context["form"] is not None


def next_step(tournament: Tournament) -> str:
    return str(dashboard_context(tournament)["progress"].title)


def test_next_step_is_always_said() -> None:
    event = make_tournament(0, published=False)
    client = client_of(event.owner)
    path = f"/run/{event.slug}/"
    steps = [next_step(event.fresh())]

    def then(act: Any = None) -> None:
        if act is not None:
            act()
        steps.append(next_step(event.fresh()))

    then(
        lambda: entries_add(
            tournament_id=event.tournament.pk, entries=new_entries(4), actor=event.owner.actor
        )
    )
    then(lambda: client.post(f"{path}move/", {"move": "open-checkin"}))
    then(lambda: [client.post(f"{path}teams/{number}/check-in/", {"here": "yes"}) for number in (1, 2, 3, 4)])
    then(lambda: client.post(f"{path}draw/make/", {"method": "seed"}))
    then(lambda: client.post(f"{path}draw/publish/"))
    then(lambda: client.post(f"{path}cards/tables/", {"count": 2}))
    then(lambda: client.post(f"{path}move/", {"move": "start"}))
    then(event.play_all)
    then(lambda: client.post(f"{path}move/", {"move": "finish"}))
    assert steps == [
        "Enter the teams",
        "Open check-in",
        "Check the teams in",
        "Make the draw",
        "Look at the draw, then publish it",
        "Set up the tables",
        "Start play",
        "Play is on",
        "Finish the event",
        "The event is over",
    ]
    assert client.get(path).status_code == 200
    assert "Champion: T1" in client.get(path).content.decode()


def test_finishing_is_undone_by_its_button() -> None:
    event = make_tournament(2)
    event.play_all()
    client = client_of(event.owner)
    answer = client.post(f"/run/{event.slug}/move/", {"move": "finish"}, follow=True)
    assert event.fresh().state == "finished"
    assert 'name="move" value="reopen"' in answer.content.decode()
    client.post(f"/run/{event.slug}/move/", {"move": "reopen"})
    assert event.fresh().state == "running"


def test_settings_offer_only_what_can_still_change() -> None:
    event = make_tournament(4)
    client = client_of(event.owner)
    page = client.get(f"/run/{event.slug}/settings/")
    assert {"kind", "best_of", "preset"} & set(page.context["form"].fields) == set()
    client.post(
        f"/run/{event.slug}/settings/",
        {
            "name": "Renamed",
            "time_zone": "America/Denver",
            "visibility": "unlisted",
            "missing_minutes": 9,
            "kind": "single-elimination",
        },
    )
    changed = event.fresh()
    assert (changed.name, changed.time_zone, changed.visibility) == ("Renamed", "America/Denver", "unlisted")
    assert event.stage.kind == "double-elimination"


def test_settings_before_the_draw_change_the_format() -> None:
    event = make_tournament(4, published=False)
    client = client_of(event.owner)
    page = client.get(f"/run/{event.slug}/settings/").content.decode()
    values = dict(re.findall(r'name="(\w+)"[^>]*value="([^"]*)"', page))
    client.post(
        f"/run/{event.slug}/settings/",
        {
            "name": values["name"],
            "time_zone": "America/Chicago",
            "visibility": "public",
            "kind": "single-elimination",
            "best_of": 1,
            "preset": "straight-guide",
            "missing_minutes": 5,
        },
    )
    assert (event.stage.kind, event.stage.best_of, event.fresh().preset) == (
        "single-elimination",
        1,
        "straight-guide",
    )


def test_start_without_a_draw_is_refused_with_the_reason() -> None:
    event = make_tournament(4, published=False)
    answer = client_of(event.owner).post(f"/run/{event.slug}/move/", {"move": "start"}, follow=True)
    assert "Publish the draw before the start." in answer.content.decode()
    assert event.fresh().state == "draft"
