"""The director's box: words and signs for each state, who sees it, and what it costs."""

from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.template.loader import render_to_string
from django.test import Client
from django.test.utils import CaptureQueriesContext

from deploy import pulse
from deploy.health.levels import GIGABYTE
from deploy.health.readings import Readings
from deploy.templatetags.upkeep import age_words, lines_of, upkeep
from tests.support.events import make_tournament

WELL = Readings(
    database="",
    waiting=0,
    queue_age=0.0,
    sweep_age=6.0,
    worker_age=1.0,
    beat_age=1.0,
    snapshot_age=40.0,
    disk_free=12 * GIGABYTE,
)


def _with(**changes: Any) -> Readings:
    fields = {name: getattr(WELL, name) for name in WELL.__slots__}
    return Readings(**{**fields, **changes})


@pytest.mark.parametrize(
    ("changes", "key", "level", "said"),
    [
        ({}, "queue", "well", "No team waits to be moved on."),
        (
            {"waiting": 1, "queue_age": 2.0},
            "queue",
            "well",
            "1 closed match waits to move its teams on, since 2 seconds.",
        ),
        (
            {"waiting": 3, "queue_age": 100.0},
            "queue",
            "look",
            "3 closed matches wait to move their teams on, the first since 2 minutes.",
        ),
        ({"waiting": None, "queue_age": None}, "queue", "act", "This cannot be read just now."),
        ({}, "rounds", "well", "The last round was 6 seconds ago."),
        ({"sweep_age": 60.0}, "rounds", "look", "The last round was 60 seconds ago."),
        ({"sweep_age": 7200.0}, "rounds", "act", "The last round was 2 hours ago."),
        ({"sweep_age": None}, "rounds", "act", "The program has made no round yet."),
        ({"snapshot_age": 200.0}, "copies", "look", "The last copy of the data was taken 3 minutes ago."),
        ({"snapshot_age": None}, "copies", "act", "There is no copy of the data."),
        ({"disk_free": GIGABYTE}, "disk", "look", "1.0 GB are left."),
        ({"disk_free": 100_000_000}, "disk", "act", "0.1 GB are left."),
        ({"disk_free": None}, "disk", "act", "The disk cannot be read."),
    ],
)
def test_line_says_how_it_is_and_what_to_do(changes: dict[str, Any], key: str, level: str, said: str) -> None:
    line = next(line for line in lines_of(_with(**changes)) if line.key == key)
    assert (line.level, line.said) == (level, said)
    assert bool(line.todo) == (level != "well")


@pytest.mark.parametrize(
    ("seconds", "words"), [(0, "0 seconds"), (1, "1 second"), (120, "2 minutes"), (9000, "2 hours")]
)
def test_age_is_told_in_a_sensible_unit(seconds: float, words: str) -> None:
    assert age_words(seconds) == words


def test_each_state_has_a_word_and_a_shape_of_its_own() -> None:
    """Colour is third: a grey print must tell them apart."""
    signs = {
        level: render_to_string("director/_upkeep_sign.html", {"level": level, "size": 16})
        for level in ("well", "look", "act")
    }
    assert len(set(signs.values())) == 3


@pytest.mark.django_db
def test_box_is_for_directors(client: Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(settings, "VAR_DIR", tmp_path)
    event = make_tournament(4)
    shown = {}
    for role in ("scorer", "desk", "director"):
        user = event.official(role).user
        assert user is not None
        client.force_login(user)
        shown[role] = "upkeep-lines" in client.get(f"/run/{event.slug}/").content.decode()
    assert shown == {"scorer": False, "desk": False, "director": True}


@pytest.mark.django_db
def test_page_takes_as_many_queries_however_much_waits(client: Client) -> None:
    counts = []
    for teams, played in ((4, ["M1"]), (32, ["M1", "M2", "M3", "M4", "M5", "M6"])):
        event = make_tournament(teams)
        for code in played:
            event.play(code)
        assert event.owner.user is not None
        client.force_login(event.owner.user)
        with CaptureQueriesContext(connection) as queries:
            assert client.get(f"/run/{event.slug}/").status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1]
    with CaptureQueriesContext(connection) as queries:
        upkeep("UTC")
    assert len(queries) == 2


@pytest.mark.django_db
def test_worker_that_went_silent_is_told_on_the_page(
    client: Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(settings, "VAR_DIR", tmp_path)
    event = make_tournament(4)
    assert event.owner.user is not None
    client.force_login(event.owner.user)
    page = f"/run/{event.slug}/"
    assert "The program has made no round yet." in client.get(page).content.decode()
    for task in settings.SWEEPS_WATCHED:
        pulse.touch(f"task-{task}")
    assert "The last round was 0 seconds ago." in client.get(page).content.decode()
