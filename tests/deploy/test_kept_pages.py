"""Public pages that the front gives out again, on the whole web application: the same bytes as Django's own answer,
never old, never to a stranger."""

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import httpx
import pytest
from django.conf import settings
from django.core.cache import cache
from django.core.signals import request_started

from deploy.asgi import make_application
from deploy.health.asgi import Observed
from tables.addresses import COOKIE
from tables.models import AccessLink
from tables.services.links import links_issue
from tables.tokens import token_of
from tests.pages.event import event, finish
from tests.serving import running
from tournaments.services.draw import stage_reset
from tournaments.services.tournament import tournament_update

SOON = 1.3  # seconds after which nobody may see what was true before
TAILS = (
    "",
    "bracket/",
    "bracket/?part=losers",
    "bracket/?fragment=bracket",
    "standings/",
    "tables/",
    "teams/1/",
    "matches/M1/",
    "results.csv",
)


@pytest.fixture(autouse=True)
def _fresh_pages() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@contextmanager
def django_asked() -> Iterator[list[str]]:
    """The paths of the requests that reach Django meanwhile."""
    seen: list[str] = []

    def note(environ: dict[str, str], **_: object) -> None:
        seen.append(environ["PATH_INFO"])

    request_started.connect(note)
    try:
        yield seen
    finally:
        request_started.disconnect(note)


def raw(site: str, path: str, **headers: str) -> bytes:
    """The answer as it comes from the wire, without the lines that differ each time."""
    place = urlsplit(site)
    lines = [f"GET {path} HTTP/1.1", f"Host: {place.netloc}", "Connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    with socket.create_connection((place.hostname or "", place.port or 0), timeout=10) as connection:
        connection.sendall("\r\n".join([*lines, "", ""]).encode())
        data = b"".join(iter(lambda: connection.recv(65536), b""))
    head, _, body = data.partition(b"\r\n\r\n")
    kept = [line for line in head.split(b"\r\n") if not line.startswith((b"date:", b"x-request-id:"))]
    return b"\r\n".join([*kept, b"", body])


def etag_of(answer: bytes) -> str:
    line = next(line for line in answer.split(b"\r\n") if line.startswith(b"etag: "))
    return line.partition(b" ")[2].decode()


def watch(ask: Callable[[], httpx.Response], seconds: float) -> list[tuple[float, httpx.Response]]:
    """Answers of the next seconds, each with when it was asked for, in seconds from now."""
    began = time.monotonic()
    seen = []
    while (at := time.monotonic() - began) < seconds:
        seen.append((at, ask()))
        time.sleep(0.02)
    return seen


@pytest.mark.parametrize("tail", TAILS)
def test_kept_page_is_djangos_own_answer_to_the_byte(live_site: str, tail: str) -> None:
    path = f"/t/{event(4, tables=2).slug}/{tail}"
    with django_asked() as asked:
        djangos = raw(live_site, path)
        known = etag_of(djangos)
        djangos_unchanged = raw(live_site, path, If_None_Match=known)
        assert len(asked) == 2
        assert raw(live_site, path) == djangos
        assert raw(live_site, path, If_None_Match=f'"other", W/{known}') == djangos_unchanged
        assert len(asked) == 2
    assert djangos.startswith(b"HTTP/1.1 200 OK\r\n")
    assert djangos_unchanged.startswith(b"HTTP/1.1 304 Not Modified\r\n")
    for name in (
        b"content-security-policy",
        b"x-frame-options",
        b"referrer-policy",
        b"vary",
        b"cache-control",
    ):
        assert b"\r\n" + name + b": " in djangos


def test_many_readers_cost_django_hardly_anything(live_site: str) -> None:
    path = f"/t/{event(4, tables=2).slug}/standings/"
    with django_asked() as asked, httpx.Client(base_url=live_site) as reader:
        answers = watch(lambda: reader.get(path), 2.5)
    assert len(answers) > 50
    assert {answer.status_code for _, answer in answers} == {200}
    assert len(asked) == 1


def test_change_is_seen_within_a_second_by_readers_who_ask_all_the_time(live_site: str) -> None:
    made = event(4, tables=2)
    path = f"/t/{made.slug}/bracket/"
    with httpx.Client(base_url=live_site) as reader:
        watch(lambda: reader.get(path), 0.8)
        tournament_update(tournament_id=made.tournament.pk, actor=made.owner, name="Another Name")
        renamed = watch(lambda: reader.get(path), SOON + 0.5)
        before = reader.get(path).headers["ETag"]
        finish(made, 1)
        played = watch(lambda: reader.get(path, headers={"If-None-Match": before}), SOON + 0.5)
    assert any(at < SOON for at, answer in renamed if "Another Name" in answer.text)
    assert all("Another Name" in answer.text for at, answer in renamed if at > SOON)
    assert [answer.status_code for at, answer in played if at > SOON and answer.status_code != 200] == []


@pytest.mark.parametrize("change", ["private", "unpublished"])
def test_page_that_was_taken_back_is_gone_within_a_second(live_site: str, change: str) -> None:
    made = event(4, tables=2, started=False)
    path = f"/t/{made.slug}/bracket/"
    team = made.tournament.entries.first()
    assert team is not None
    with httpx.Client(base_url=live_site) as reader:
        assert all(team.name in answer.text for _, answer in watch(lambda: reader.get(path), 0.8))
        if change == "private":
            tournament_update(tournament_id=made.tournament.pk, actor=made.owner, visibility="private")
        else:
            stage_reset(stage_id=made.stage.pk, actor=made.owner)
        answers = watch(lambda: reader.get(path), SOON + 0.5)
        others = [reader.get(f"{path}{query}") for query in ("", "?part=losers", "?fragment=heads")]
    assert [at for at, answer in answers if at > SOON and team.name in answer.text] == []
    expected = 404 if change == "private" else 200
    assert {answer.status_code for answer in others} == {expected}
    assert answers[-1][1].status_code == expected


def test_private_event_is_shown_to_its_own_and_to_nobody_after_them(live_site: str) -> None:
    made = event(4, tables=2, visibility="private")
    path = f"/t/{made.slug}/"
    link = links_issue(tournament_id=made.tournament.pk, actor=made.owner)[0]
    own = {COOKIE: token_of(link.pk)}
    statuses = []
    for cookies in (None, own, None, own, None):
        statuses.append(httpx.get(f"{live_site}{path}", cookies=cookies).status_code)
    assert statuses == [404, 200, 404, 200, 404]
    AccessLink.objects.filter(pk=link.pk).delete()
    assert httpx.get(f"{live_site}{path}", cookies=own).status_code == 404


def test_whoever_holds_a_link_gets_the_kept_public_page(live_site: str) -> None:
    made = event(4, tables=2)
    path = f"/t/{made.slug}/"
    link = links_issue(tournament_id=made.tournament.pk, actor=made.owner)[0]
    with django_asked() as asked:
        stranger = raw(live_site, path)
        assert raw(live_site, path, Cookie=f"{COOKIE}={token_of(link.pk)}") == stranger
    assert len(asked) == 1


def test_what_is_no_plain_request_goes_to_django(live_site: str) -> None:
    path = f"/t/{event(4, tables=2).slug}/bracket/"
    with httpx.Client(base_url=live_site) as reader:
        reader.get(path)
        with django_asked() as asked:
            for act in (
                lambda: reader.head(path),
                lambda: reader.post(path),
                lambda: reader.get(path, headers={"Authorization": "Token x"}),
                lambda: reader.get(path, headers={"Cookie": f"{settings.SESSION_COOKIE_NAME}=abc"}),
                lambda: reader.get(f"{path}?q=pecan"),
                lambda: reader.get(f"{path}?part=winners&part=losers"),
                lambda: reader.get(path, headers={"Host": "elsewhere.example"}),
            ):
                before = len(asked)
                act()
                assert len(asked) == before + 1
            assert reader.get(path, headers={"Host": "elsewhere.example"}).status_code == 400
            assert reader.head(path).content == b""
            count = len(asked)
            assert reader.get(path).status_code == 200
            assert len(asked) == count


def test_each_language_has_pages_of_its_own(live_site: str, settings: pytest.FixtureRequest) -> None:
    settings.LANGUAGES = [("en", "English"), ("es", "Español")]  # type: ignore[attr-defined]
    path = f"{live_site}/t/{event(4, tables=2).slug}/"
    languages = []
    for sent in ("es-MX,es;q=0.9", "en-GB", "es-MX,es;q=0.9", "en-GB"):
        languages.append(httpx.get(path, headers={"Accept-Language": sent}).headers["Content-Language"])
    chosen = httpx.get(path, headers={"Accept-Language": "en-GB", "Cookie": "django_language=es"})
    assert languages == ["es", "en", "es", "en"]
    assert chosen.headers["Content-Language"] == "es"


def test_every_answer_has_an_id_of_its_own(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
    path = f"/t/{event(4, tables=2).slug}/"
    front = make_application()
    with running(Observed(front)) as site:
        seen = [httpx.get(f"{site.url}{path}").headers for _ in range(3)]
        sent = httpx.get(f"{site.url}{path}", headers={"X-Request-ID": "my-own-identity"})
    front.django.executor.shutdown()  # type: ignore[attr-defined]
    assert len({headers["X-Request-ID"] for headers in seen}) == 3
    assert sent.headers["X-Request-ID"] == "my-own-identity"
