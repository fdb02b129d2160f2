"""Tokens for scripts: given for a name and password, with limited tries, and never past a second step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.core.cache import cache
from rest_framework.test import APIClient

from tests.support.events import account, make_tournament

pytestmark = pytest.mark.django_db

PASSWORD = "correct horse battery"


@pytest.fixture(autouse=True)
def _no_tries_before() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def sign_in(username: str, password: str = PASSWORD) -> Any:
    return APIClient().post("/api/v1/token/", {"username": username, "password": password})


def test_token_is_the_same_each_time_and_opens_the_account() -> None:
    event = make_tournament(2)
    event.owner.user.set_password(PASSWORD)
    event.owner.user.save()

    first, again = sign_in(event.owner.user.username), sign_in(event.owner.user.username)

    assert (first.status_code, first.json()) == (200, again.json())
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {first.json()['token']}")
    assert client.patch(event.path, {"venue": "KC Hall"}).status_code == 200


@pytest.mark.parametrize(
    ("username", "password"), [("somebody", "wrong"), ("nobody", PASSWORD), ("somebody", " ")]
)
def test_wrong_name_and_wrong_password_get_the_same_answer(username: str, password: str) -> None:
    account("somebody", password=PASSWORD)

    refused = sign_in(username, password)

    assert (refused.status_code, refused.json()["code"]) == (403, "sign_in_failed")


def test_account_that_was_switched_off_gets_no_token() -> None:
    account("somebody", password=PASSWORD, is_active=False)

    assert sign_in("somebody").json()["code"] == "sign_in_failed"


def test_password_alone_is_not_enough_for_an_account_with_a_second_step() -> None:
    caller = account("somebody", password=PASSWORD)
    Authenticator.objects.create(user=caller.user, type=Authenticator.Type.TOTP, data={"secret": "x"})

    refused = sign_in("somebody")

    assert (refused.status_code, refused.json()["code"]) == (403, "second_step")
    assert "token" not in refused.json()


def test_tries_are_limited() -> None:
    account("somebody", password=PASSWORD)

    answers = [sign_in("somebody", f"guess {number}") for number in range(12)]

    assert [answer.status_code for answer in answers] == [403] * 10 + [429] * 2
    assert int(answers[-1]["Retry-After"]) > 0
    assert sign_in("somebody").status_code == 429
