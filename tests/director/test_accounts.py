"""Signing in, the first owner, invitations, limits on tries, and the second step."""

from __future__ import annotations

from datetime import timedelta

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import (
    TOTP,
    format_hotp_value,
    generate_totp_secret,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from tests.director.table import client_of
from tests.support.events import account, make_tournament
from tournaments.errors import Conflict
from tournaments.models import Invitation, Official
from tournaments.services.officials import invitation_accept, invitation_make, invitation_token

pytestmark = pytest.mark.django_db

PASSWORD = "four plain words here"
NEW = {"who": "Dana Holub", "username": "dana", "password": PASSWORD}
LOGIN = "/accounts/login/"


def sign_in(client: Client, username: str, password: str = PASSWORD) -> int:
    return client.post(LOGIN, {"login": username, "password": password}).status_code


def test_first_start_makes_the_owner_and_only_once() -> None:
    client = Client()
    assert client.get(LOGIN)["Location"] == "/accounts/setup/"
    answer = client.post("/accounts/setup/", NEW)
    assert (answer.status_code, answer["Location"]) == (302, "/run/")
    owner = User.objects.get()
    assert (owner.username, owner.is_superuser, owner.first_name) == ("dana", True, "Dana Holub")
    assert client.get("/run/").status_code == 200

    stranger = Client()
    assert stranger.get("/accounts/setup/")["Location"] == LOGIN
    assert stranger.post("/accounts/setup/", {**NEW, "username": "other"})["Location"] == LOGIN
    assert User.objects.count() == 1


@pytest.mark.parametrize(
    ("changes", "field"),
    [({"password": "short"}, "password"), ({"username": "a b"}, "username"), ({"who": ""}, "who")],
)
def test_first_owner_with_something_wrong_is_asked_again(changes: dict[str, str], field: str) -> None:
    answer = Client().post("/accounts/setup/", {**NEW, **changes})
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == [field]
    assert not User.objects.exists()


def test_sign_in_and_out() -> None:
    User.objects.create_user("dana", password=PASSWORD)
    client = Client()
    assert client.get("/run/")["Location"] == f"{LOGIN}?next=/run/"
    assert sign_in(client, "dana", "wrong") == 200
    assert client.get("/run/").status_code == 302
    answer = client.post(f"{LOGIN}?next=/run/events/new/", {"login": "dana", "password": PASSWORD})
    assert answer["Location"] == "/run/events/new/"
    assert client.get("/run/").status_code == 200
    assert client.get("/accounts/logout/").status_code == 200
    client.post("/accounts/logout/")
    assert client.get("/run/").status_code == 302


def test_tries_to_sign_in_are_limited() -> None:
    User.objects.create_user("dana", password=PASSWORD)
    client = Client()
    for _ in range(5):
        assert sign_in(client, "dana", "wrong") == 200
    answer = client.post(LOGIN, {"login": "dana", "password": PASSWORD})
    assert "Too many" in answer.content.decode()
    assert client.get("/run/").status_code == 302


def test_admin_signs_in_by_the_same_door() -> None:
    User.objects.create_superuser("dana", password=PASSWORD)
    answer = Client().get("/admin/login/?next=/admin/")
    assert answer["Location"].startswith(LOGIN)


def test_nobody_signs_up_by_themselves() -> None:
    User.objects.create_user("dana")
    assert Client().get("/accounts/signup/").status_code == 404


def test_second_step_is_asked_for_and_recovery_codes_help() -> None:
    user = User.objects.create_user("dana", password=PASSWORD)
    secret = generate_totp_secret()
    TOTP.activate(user, secret)
    client = Client()
    answer = client.post(LOGIN, {"login": "dana", "password": PASSWORD})
    assert answer["Location"].startswith("/accounts/code/")
    assert client.get("/run/").status_code == 302
    page = client.get("/accounts/code/")
    assert "The code from your phone" in page.content.decode()
    assert client.post("/accounts/code/", {"code": "000000"}).status_code == 200
    assert client.get("/run/").status_code == 302


def test_second_step_is_turned_on_and_off_in_the_browser() -> None:
    user = User.objects.create_user("dana", password=PASSWORD)
    client = Client()
    sign_in(client, "dana")
    again = client.get("/accounts/second-step/on/")["Location"]
    assert client.get(again).status_code == 200
    assert client.post(again, {"password": "wrong"}).status_code == 200
    assert client.post(again, {"password": PASSWORD})["Location"] == "/accounts/second-step/on/"
    page = client.get("/accounts/second-step/on/")
    secret = page.context["form"].secret
    counter = next(iter(yield_hotp_counters_from_time()))
    code = format_hotp_value(hotp_value(secret, counter))
    on = client.post("/accounts/second-step/on/", {"code": code})
    assert on["Location"] == "/accounts/second-step/codes/"
    assert client.get("/accounts/second-step/codes/").status_code == 200
    assert "Second step is on" in client.get("/accounts/").content.decode()
    assert client.get("/accounts/second-step/off/").status_code == 200
    client.post("/accounts/second-step/off/")
    assert not Authenticator.objects.filter(user=user, type=Authenticator.Type.TOTP).exists()


def test_invitation_makes_an_account_with_its_role_once() -> None:
    event = make_tournament(2, visibility="private")
    made = invitation_make(tournament_id=event.tournament.pk, role="desk", actor=event.owner.actor)
    path = f"/accounts/invitation/{invitation_token(made.pk)}/"
    client = Client()
    assert client.get(path).status_code == 200
    answer = client.post(path, NEW)
    assert answer["Location"] == f"/run/{event.slug}/"
    official = Official.objects.get(user__username="dana")
    assert (official.role, official.tournament_id) == ("desk", event.tournament.pk)
    assert client.get(f"/run/{event.slug}/teams/").status_code == 200

    assert Client().get(path).status_code == 410
    assert Client().post(path, {**NEW, "username": "other"}).status_code == 410
    assert not User.objects.filter(username="other").exists()


def test_invitation_is_accepted_by_an_account_that_is_signed_in() -> None:
    event = make_tournament(2)
    made = invitation_make(tournament_id=event.tournament.pk, role="scorer", actor=event.owner.actor)
    guest = account("guest")
    client = client_of(guest)
    path = f"/accounts/invitation/{invitation_token(made.pk)}/"
    assert "You are invited as Scorer" in client.get(path).content.decode()
    client.post(path)
    assert Official.objects.get(user=guest.user).role == "scorer"


def test_invitation_that_was_revoked_or_is_old_or_forged_opens_nothing() -> None:
    event = make_tournament(2)
    make = lambda: invitation_make(tournament_id=event.tournament.pk, role="desk", actor=event.owner.actor)  # noqa: E731
    revoked, old = make(), make()
    Invitation.objects.filter(pk=revoked.pk).update(revoked_at=timezone.now())
    Invitation.objects.filter(pk=old.pk).update(expires_at=timezone.now() - timedelta(minutes=1))
    for token, status in (
        (invitation_token(revoked.pk), 410),
        (invitation_token(old.pk), 410),
        (f"{revoked.pk.hex}:forged", 404),
    ):
        assert Client().get(f"/accounts/invitation/{token}/").status_code == status
    with pytest.raises(Conflict):
        invitation_accept(invitation_id=old.pk, user=event.owner.user)


def test_invitation_never_lowers_a_role() -> None:
    event = make_tournament(2)
    made = invitation_make(tournament_id=event.tournament.pk, role="scorer", actor=event.owner.actor)
    assert invitation_accept(invitation_id=made.pk, user=event.owner.user).role == "owner"


def test_last_owner_stays() -> None:
    event = make_tournament(2)
    client = client_of(event.owner)
    assert event.owner.user is not None
    client.post(f"/run/{event.slug}/people/{event.owner.user.pk}/", {"role": "none"})
    assert Official.objects.get(tournament=event.tournament).role == "owner"
    answer = client.get(f"/run/{event.slug}/people/")
    assert "keeps one owner" in answer.content.decode()


def test_director_sees_no_address_that_would_make_an_owner() -> None:
    event = make_tournament(2)
    director = event.official("director")
    User.objects.filter(pk=director.user.pk).update(is_staff=True)  # type: ignore[union-attr]
    made = {
        role: invitation_make(tournament_id=event.tournament.pk, role=role, actor=event.owner.actor)
        for role in ("owner", "director", "scorer")
    }
    tokens = {role: invitation_token(one.pk) for role, one in made.items()}
    people = f"/run/{event.slug}/people/"
    client = client_of(director)

    def seen(path: str) -> set[str]:
        body = client.get(path, follow=True).content.decode()
        return {role for role, token in tokens.items() if token in body}

    assert seen(people) == {"scorer"}
    assert {role: seen(f"/admin/tournaments/invitation/{one.pk}/change/") for role, one in made.items()} == {
        "owner": set(),
        "director": set(),
        "scorer": {"scorer"},
    }
    assert tokens["owner"] in client_of(event.owner).get(people).content.decode()


def test_account_without_a_password_sets_its_first_one(client: Client) -> None:
    user = User.objects.create_user("june")  # as `createsuperuser --noinput` makes one
    client.force_login(user)
    page = client.get("/accounts/password/")
    assert page.status_code == 302
    assert client.get(page.url).status_code == 200
    form = {"password1": "four plain words here", "password2": "four plain words here"}
    assert client.post(page.url, form).status_code == 302
    user.refresh_from_db()
    assert user.check_password("four plain words here")
