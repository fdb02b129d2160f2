"""Revisions, ETags, how often a page is rendered, and how many queries it takes."""

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.pages.event import Event, event, full_hand, play, record_live
from tournaments.models import Tournament
from tournaments.services.entry import entries_add, entry_check_in
from tournaments.services.log import revisions_bump
from tournaments.services.tournament import tournament_update

pytestmark = pytest.mark.django_db

PAGES = {
    "": "home",
    "bracket/": "bracket",
    "bracket/?part=losers": "bracket",
    "standings/": "placings",
    "tables/": "tables",
    "teams/": "placings",
    "results/": "home",
    "matches/M1/": "match:M1",
    "results.csv": "placings",
    "standings.csv": "placings",
}


def _queries(path: str, **headers: str) -> int:
    with CaptureQueriesContext(
        connection,
    ) as seen:
        answer = Client().get(path, headers=headers)
    assert answer.status_code in {200, 304}
    return len(seen)


def _etag(path: str) -> str:
    return str(Client().get(path).headers["ETag"])


@pytest.mark.parametrize(("tail", "part"), PAGES.items())
def test_page_known_to_the_browser_takes_one_query(tail: str, part: str) -> None:
    made = event(4, tables=2)
    path = f"/t/{made.slug}/{tail}"
    etag = _etag(path)
    with CaptureQueriesContext(connection) as seen:
        answer = Client().get(path, headers={"If-None-Match": etag})
    assert (answer.status_code, len(seen), answer.content) == (304, 1, b"")
    revisions_bump(made.tournament.pk, part)
    assert Client().get(path, headers={"If-None-Match": etag}).status_code == 200
    assert _etag(path) != etag


@pytest.mark.parametrize("tail", PAGES)
def test_page_is_rendered_once_for_a_revision(tail: str) -> None:
    made = event(4, tables=2)
    path = f"/t/{made.slug}/{tail}"
    first = Client().get(path).content
    assert _queries(path) == 1
    assert Client().get(path).content == first


def test_other_part_does_not_touch_a_page() -> None:
    made = event(4, tables=2)
    etag = _etag(f"/t/{made.slug}/standings/")
    full_hand(made, made.live()[0], plays=3)
    assert _etag(f"/t/{made.slug}/standings/") == etag


def test_weakened_etag_still_counts() -> None:
    made = event(4)
    path = f"/t/{made.slug}/"
    assert Client().get(path, headers={"If-None-Match": f"W/{_etag(path)}"}).status_code == 304


def test_page_that_was_just_rendered_rests(settings: object) -> None:
    settings.PAGE_PAUSE_SECONDS = 0.5  # type: ignore[attr-defined]
    made = event(4)
    path = f"/t/{made.slug}/standings/"
    first = Client().get(path)
    revisions_bump(made.tournament.pk, "placings")
    resting = Client().get(path)
    assert (resting.content, resting.headers["ETag"]) == (first.content, first.headers["ETag"])
    cache.clear()
    assert Client().get(path).headers["ETag"] != first.headers["ETag"]


def test_page_that_somebody_renders_is_served_as_it_was() -> None:
    made = event(4)
    path = f"/t/{made.slug}/standings/"
    first = Client().get(path)
    revisions_bump(made.tournament.pk, "placings")
    slot = f"page:{made.tournament.pk}/standings//:en:open"
    assert cache.get(slot) is not None
    cache.add(f"{slot}:making", True, 10)
    assert Client().get(path).headers["ETag"] == first.headers["ETag"]
    cache.delete(f"{slot}:making")
    assert Client().get(path).headers["ETag"] != first.headers["ETag"]


def test_name_and_visibility_change_every_page() -> None:
    made = event(4)
    path = f"/t/{made.slug}/matches/M1/"
    etag = _etag(path)
    tournament_update(tournament_id=made.tournament.pk, actor=made.owner, name="Another Name")
    assert "Another Name" in Client().get(path).content.decode()
    second = _etag(path)
    assert second != etag
    tournament_update(tournament_id=made.tournament.pk, actor=made.owner, visibility="unlisted")
    assert _etag(path) != second


def test_team_page_follows_its_own_matches() -> None:
    made = event(8, tables=4)
    match = made.live()[0]
    numbers = [slot.entry.number for slot in match.slots.select_related("entry") if slot.entry]
    other = next(
        slot.entry.number
        for one in made.live()[1:2]
        for slot in one.slots.select_related("entry")
        if slot.entry
    )
    own_path, other_path = (f"/t/{made.slug}/teams/{number}/" for number in (numbers[0], other))
    own, their = _etag(own_path), _etag(other_path)
    full_hand(made, match, plays=2)
    assert _etag(own_path) != own
    assert _etag(other_path) == their


def test_bodies_name_no_reader() -> None:
    made = event(4, tables=2)
    signed_in = Client()
    signed_in.force_login(made.owner.user)  # type: ignore[arg-type]
    for tail in PAGES:
        path = f"/t/{made.slug}/{tail}"
        assert signed_in.get(path).content == Client().get(path).content
        assert "Set-Cookie" not in Client().get(path).headers


QUERIES = {
    "": 33,
    "bracket/": 14,
    "bracket/?part=losers": 14,
    "bracket/?part=finals": 14,
    "bracket/?fragment=heads": 5,
    "standings/": 12,
    "tables/": 15,
    "teams/": 13,
    "teams/1/": 31,
    "results/": 14,
    "matches/M1/": 14,
    "matches/M1/?fragment=cell": 11,
    "results.csv": 13,
    "standings.csv": 11,
}
"""What each page takes when it has to be rendered."""


def test_pages_take_the_same_queries_for_few_and_many() -> None:
    few, many = (_busy(teams) for teams in (6, 30))
    counts = [{tail: _queries(f"/t/{made.slug}/{tail}") for tail in QUERIES} for made in (few, many)]
    assert counts == [QUERIES, QUERIES]


def _busy(teams: int) -> Event:
    made = play(event(teams, tables=teams), 62)
    full_hand(made, made.live()[0], plays=5)
    record_live(made)
    return made


def test_archive_takes_one_query_for_one_and_thirty() -> None:
    event(2, name="First", tables=0, started=False)
    assert _queries("/") == 1
    for number in range(29):
        Tournament.objects.create(
            slug=f"event-{number}", name=f"Event {number}", visibility="public", state="finished"
        )
    cache.clear()
    assert _queries("/") == 1


def test_teams_before_play_take_the_same_queries() -> None:
    made = event(4, published=False, started=False)
    few = _queries(f"/t/{made.slug}/teams/")
    more = [{"name": f"Team {number}", "players": [f"A {number}", f"B {number}"]} for number in range(30)]
    entries = entries_add(tournament_id=made.tournament.pk, entries=more, actor=made.owner)  # type: ignore[arg-type]
    entry_check_in(entry_id=entries[0].pk, actor=made.owner)
    cache.clear()
    assert _queries(f"/t/{made.slug}/teams/") == few


def test_finished_event_takes_few_queries() -> None:
    made = play(event(4, tables=2))
    assert _queries(f"/t/{made.slug}/") == 37
