"""Nobody but a director reaches a case: by no address, event, export, log or refusal."""

from __future__ import annotations

import io
import logging
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.contrib.admin import site
from django.core.cache import cache
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from pypdf import PdfReader
from rest_framework.test import APIClient

from scoring.models import Finding, RecordPrint, Review, Screening
from scoring.services.screening import screenings_sweep
from tables.addresses import COOKIE
from tables.tokens import token_of
from tests.fairplay.stored import reneging, settle, store
from tests.support.callers import VISITOR, Caller
from tests.support.events import Event, account, make_tournament
from tournaments.models import LogEntry, Match, Revision
from tournaments.selectors import canonical_export

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

ROOT = Path(__file__).resolve().parents[2]
VALUES = {"code": "M1", "number": "1", "hand": "1", "game": "1", "seq": "1", "seat": "N", "act": "open"}
OF_THE_PROCESS = ("metrics", "healthz", "readyz")
OF_A_CASE = re.compile(
    r"fair-play/\d|did not follow|contradict|Settled at the desk|wrong_trump|tile_typo|fingerprint",
    re.I,
)


@dataclass
class Scene:
    event: Event
    match: Match
    readers: dict[str, Caller]


def scene() -> Scene:
    event = make_tournament(4, kind="single-elimination")
    match = event.match("M1")
    store(event.owner, match, reneging())
    links = {"table link": event.table_link(event.match("M2")), **event.seat_links(match)}
    sides = event.side_links(match)
    settle(event, match)
    readers = {
        "visitor": VISITOR,
        **links,
        "team NS": sides["NS"],
        "team EW": sides["EW"],
        "scorer": event.official("scorer"),
        "desk": event.official("desk"),
        "other director": make_tournament(2).owner,
        "stranger": account(),
    }
    return Scene(event, match, readers)


def paths(scene: Scene) -> list[str]:
    """Every address of the site that can be filled in, except those that begin a session or end one, and those that
    tell of the process itself."""
    hand = scene.match.game_records.get().hands.get()
    entry = scene.event.entry(scene.match, "NS")
    values = {
        **VALUES,
        "slug": scene.event.slug,
        "match_id": scene.match.pk,
        "hand_id": hand.pk,
        "entry_id": entry.pk,
        "player_id": entry.members.first().player_id,
        "table_id": scene.event.tournament.tables.get().pk,
    }
    found = []
    for pattern in _patterns(get_resolver(), ""):
        if pattern.startswith(
            ("accounts/", "admin/", "link/leave", "api/schema", "api/docs", *OF_THE_PROCESS)
        ):
            continue
        names = re.findall(r"<(?:\w+:)?(\w+)>", pattern)
        if all(name in values for name in names):
            filled = re.sub(
                r"<(?:(\w+):)?(\w+)>",
                lambda hit: "M1" if hit[1] == "match_code" else str(values[hit[2]]),
                pattern,
            )
            found.append("/" + filled)
    slug = scene.event.slug
    more = [f"/t/{slug}/matches/M1/?hand=1.1", f"/api/v1/tournaments/{slug}/log/?page_size=1000"]
    return sorted({*found, *more})


def _patterns(resolver: URLResolver, before: str) -> Iterator[str]:
    for one in resolver.url_patterns:
        pattern = before + str(one.pattern)
        if isinstance(one, URLResolver):
            yield from _patterns(one, pattern)
        elif isinstance(one, URLPattern) and "(?P" not in pattern:
            yield pattern


def clients(caller: Caller) -> Iterator[Any]:
    """The ways in: the API's header, the session of an account, the cookie of a link."""
    yield caller.client
    if caller.user is not None:
        session = Client()
        session.force_login(caller.user)
        yield session
    if caller.link is not None:
        cookie = APIClient()
        cookie.cookies[COOKIE] = token_of(caller.link.pk)
        yield cookie


def everything_read(scene: Scene) -> dict[tuple[str, str], tuple[int, str]]:
    """What each reader gets at each address: the API by its header, pages by session or cookie."""
    cache.clear()
    read = {}
    for name, caller in scene.readers.items():
        ways = list(clients(caller))
        for path in paths(scene):
            answer = (ways[0] if path.startswith("/api/") else ways[-1]).get(path)
            read[name, path] = (answer.status_code, _still(_text(answer)))
    return read


def _text(answer: Any) -> str:
    """What can be read of an answer; of a PDF, its words."""
    if answer.streaming:
        return ""
    if answer.headers.get("Content-Type") == "application/pdf":
        return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(answer.content)).pages)
    return str(answer.content.decode())


def _still(text: str) -> str:
    """The text without times of day, tokens and the names of files."""
    text = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", text)
    text = re.sub(r'data-now="[^"]*"', "", text)
    return re.sub(r"\d{1,2}:\d\d(:\d\d)?|nonce-\w+", "", text)


@pytest.mark.parametrize(
    "names",
    [
        ["desk"],
        pytest.param(
            ["visitor", "table link", "N", "E", "team NS", "team EW", "scorer", "other director", "stranger"],
            marks=[pytest.mark.long, pytest.mark.timeout(600)],
        ),
    ],
    ids=["desk", "all others"],
)
def test_nobody_but_a_director_reads_anything_else_once_there_are_cases(
    settings: Any, names: list[str]
) -> None:
    settings.PAGE_PAUSE_SECONDS = 0
    seen = scene()
    seen.readers = {name: seen.readers[name] for name in names}
    before = everything_read(seen)
    log, revisions = (
        list(LogEntry.objects.values_list("pk")),
        list(Revision.objects.values_list("part", "number")),
    )
    export = canonical_export(seen.event.fresh())
    assert not Finding.objects.exists()

    screenings_sweep()

    assert set(Finding.objects.values_list("detector", flat=True)) >= {"contradiction", "desk-entry"}
    after = everything_read(seen)
    changed = {key: (before[key], answer) for key, answer in after.items() if answer != before[key]}
    assert changed == {}
    assert not Review.objects.exists()
    assert not [key for key, (_status, body) in after.items() if OF_A_CASE.search(body)]
    assert list(LogEntry.objects.values_list("pk")) == log
    assert list(Revision.objects.values_list("part", "number")) == revisions
    assert canonical_export(seen.event.fresh()) == export
    pages = [path for path in paths(seen) if "fair-play" in path or "findings" in path]
    assert len(pages) >= 14


def test_pages_and_addresses_of_cases_are_refused_alike_whether_a_case_exists_or_not() -> None:
    seen = scene()
    screenings_sweep()
    slug = seen.event.slug
    for name in ("visitor", "team NS", "scorer", "desk"):
        for client in clients(seen.readers[name]):
            for tail in ("", "coverage/", "{}/", "{}/note/", "{}/close/", "{}/reopen/"):
                told = []
                for number in (1, 99):
                    path = f"/api/v1/tournaments/{slug}/findings/{tail.format(number)}"
                    for method in (client.get, client.post):
                        answer = method(path)
                        told.append((answer.status_code, answer.content))
                        assert answer.status_code in {401, 403, 405}, (name, path)
                assert told[: len(told) // 2] == told[len(told) // 2 :]
            for tail in (
                "",
                "1/",
                "99/",
                "1/note/",
                "1/close/",
                "1/reopen/",
                "close/",
                "paper/",
                "accounts/",
            ):
                for method in (client.get, client.post):
                    answer = method(f"/run/{slug}/fair-play/{tail}")
                    assert answer.status_code in {302, 403, 405}, (name, tail)
                    assert "fair-play" not in answer.content.decode().replace(slug, "")
    assert not Review.objects.exists()
    assert set(Finding.objects.values_list("state", flat=True)) == {"open"}


def test_private_event_hides_even_that_there_are_pages() -> None:
    event = make_tournament(2, visibility="private")
    stranger = account()
    session = Client()
    session.force_login(stranger.user)  # type: ignore[arg-type]
    assert stranger.client.get(f"{event.path}findings/").status_code == 404
    assert session.get(f"/run/{event.slug}/fair-play/").status_code == 404


def test_director_of_another_event_reaches_no_case() -> None:
    seen = scene()
    screenings_sweep()
    other = make_tournament(2)
    assert other.owner.client.get(f"{seen.event.path}findings/1/").status_code == 403
    assert other.owner.client.get(f"{other.path}findings/1/").status_code == 404


def test_admin_knows_no_case() -> None:
    assert not {Finding, Review, Screening, RecordPrint} & set(site._registry)


def test_jobs_log_no_more_than_ids(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = scene()
    from scoring.fairplay import registry

    with caplog.at_level(logging.DEBUG, logger="scoring"):
        screenings_sweep()
        monkeypatch.setattr(registry, "look_at_match", lambda record: 1 / 0)
        Screening.objects.update(versions="")
        screenings_sweep()
    ours = [record for record in caplog.records if record.name.startswith("scoring")]
    assert [record.getMessage() for record in ours] == [
        f"A record cannot be screened: {{'match_id': UUID('{seen.match.pk}')}}"
    ]


def test_two_words_appear_nowhere() -> None:
    """Fair play blames nobody: not in a sentence, a name or a comment."""
    words = re.compile("che" + "at|guil" + "ty", re.IGNORECASE)
    tracked = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    ).stdout.decode()
    names = [name for name in tracked.split("\0") if name and not name.endswith((".lock", ".woff2", ".png"))]
    found = [
        name
        for name in names
        if (ROOT / name).is_file()
        and "/vendor/" not in name
        and words.search((ROOT / name).read_text(errors="ignore"))
    ]
    assert found == []
