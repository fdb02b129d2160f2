"""Event streams over the real database: who may follow what, and how soon a change is heard."""

import time
from datetime import timedelta

import httpx
import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from tables.addresses import COOKIE
from tables.enums import LinkKind
from tables.models import AccessLink, Table
from tables.tokens import token_of
from tests.deploy.streams import follow
from tournaments.enums import Role, Visibility
from tournaments.models import Official, Revision, Tournament

EVENTS = "/api/v1/events/"


def _tournament(slug: str, visibility: Visibility) -> Tournament:
    tournament = Tournament.objects.create(slug=slug, name=slug, visibility=visibility)
    # Older than what a stream remembers, so that the database is asked who may follow.
    Revision.objects.filter(tournament=tournament).update(changed_at=timezone.now() - timedelta(days=1))
    return tournament


def _status(site: str, slug: str, cookies: dict[str, str] | None = None) -> int:
    with httpx.stream("GET", f"{site}{EVENTS}?tournament={slug}", cookies=cookies, timeout=5) as answer:
        return answer.status_code


def _session(user: User) -> dict[str, str]:
    client = Client()
    client.force_login(user)
    return {settings.SESSION_COOKIE_NAME: client.cookies[settings.SESSION_COOKIE_NAME].value}


def test_open_tournaments_are_followed_by_everybody(live_site: str) -> None:
    _tournament("public", Visibility.PUBLIC)
    _tournament("unlisted", Visibility.UNLISTED)
    assert [_status(live_site, slug) for slug in ("public", "unlisted", "nowhere")] == [200, 200, 404]


def test_private_tournament_is_followed_by_its_officials(live_site: str) -> None:
    tournament = _tournament("private", Visibility.PRIVATE)
    director = User.objects.create_user("director")
    stranger = User.objects.create_user("stranger")
    Official.objects.create(tournament=tournament, user=director, role=Role.DIRECTOR)
    answers = [
        _status(live_site, "private", cookies)
        for cookies in (
            None,
            _session(director),
            _session(stranger),
            {settings.SESSION_COOKIE_NAME: "made-up"},
        )
    ]
    assert answers == [404, 200, 404, 404]


def test_private_tournament_is_followed_by_its_link_holders_until_revoked(live_site: str) -> None:
    tournament = _tournament("private", Visibility.PRIVATE)
    other = _tournament("other", Visibility.PRIVATE)
    table = Table.objects.create(tournament=tournament, number=1)
    link = AccessLink.objects.create(tournament=tournament, kind=LinkKind.TABLE, table=table)
    cookies = {COOKIE: token_of(link.pk)}
    assert [_status(live_site, slug, cookies) for slug in ("private", other.slug)] == [200, 404]
    AccessLink.objects.update(revoked_at=timezone.now())
    assert _status(live_site, "private", cookies) == 404


@pytest.mark.parametrize("part", ["home", "match:M12"])
def test_change_is_heard_within_a_second(live_site: str, part: str) -> None:
    tournament = _tournament("public", Visibility.PUBLIC)
    with follow(live_site, "public") as stream:
        stream.block()
        Revision.objects.create(tournament=tournament, part=part, number=7, changed_at=timezone.now())
        started = time.monotonic()
        assert stream.event() == ("revision", {"tournament": "public", "parts": {part: 7}})
        assert time.monotonic() - started < 1.5
