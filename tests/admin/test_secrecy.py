"""While a hand is live nobody learns in the admin what a seat holds; and its secrets are shown to nobody."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.admin import site
from django.urls import reverse

from scoring.models import Holding, Play, RefusedAttempt
from scoring.services.deal import deal_put
from scoring.services.hand import HandEntry, hand_put
from scoring.services.play import call_put, play_put, trump_put
from tests.admin.desk import Desk, listing, page, said, staff
from tests.admin.hall import TILES
from tests.support.events import Event, account
from tournaments.errors import AgainstRules
from tournaments.models import IdempotencyRecord

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

TILE = re.compile(r"\b([0-6]-[0-6])\b")


def live_hand(event: Event) -> Any:
    """The owner knows all tiles; north led the double six; the owner tried something illegal for east."""
    match, actor = event.match("M1"), event.owner.actor
    entry = HandEntry(level="full", shaker="W")
    hand, _ = hand_put(match_id=match.pk, game_number=1, number=1, entry=entry, actor=actor)
    for seat, tiles in TILES.items():
        deal_put(hand_id=hand.pk, seat=seat, tiles=tiles, actor=actor)
    for seq, (seat, call) in enumerate(zip("NESW", ["31", "pass", "pass", "pass"], strict=True), start=1):
        call_put(hand_id=hand.pk, seq=seq, seat=seat, call=call, actor=actor)
    trump_put(hand_id=hand.pk, trump="6", actor=actor)
    play_put(hand_id=hand.pk, seq=1, seat="N", tile="6-6", actor=actor)
    with pytest.raises(AgainstRules):
        play_put(hand_id=hand.pk, seq=2, seat="E", tile="4-3", actor=event.official("scorer").actor)
    return hand


def everybody(event: Event) -> dict[str, Desk]:
    return {
        "scorer": staff(event.official("scorer")),
        "director": staff(event.official("director")),
        "owner": staff(event.owner),
        "administrator": staff(account(), superuser=True),
    }


def tiles_in(answer: Any) -> set[str]:
    text = re.sub(
        r"<svg.*?</svg>|placeholder=\"[^\"]*\"|\d{4}-\d\d-\d\d", "", answer.content.decode(), flags=re.DOTALL
    )
    return set(TILE.findall(text))


def test_no_list_or_page_names_a_tile_that_was_not_played(event: Event) -> None:
    hand = live_hand(event)
    for name, desk in everybody(event).items():
        for model in site._registry:
            if model._meta.app_label not in {"tournaments", "tables", "scoring"}:
                continue
            answer = desk.get(listing(model))
            assert tiles_in(answer) <= {"6-6"}, (name, model)
            rows = answer.context["cl"].result_list if answer.status_code == 200 else []
            for row in list(rows)[:20]:
                assert tiles_in(desk.get(page(row))) <= {"6-6"}, (name, row)
        for model in (Holding, RefusedAttempt, Play):
            assert list(desk.get(listing(model)).context["cl"].result_list) == []
    assert hand.holdings.count() == 4


def test_page_of_a_live_hand_offers_the_same_whatever_the_seats_hold(event: Event) -> None:
    hand = live_hand(event)
    desks = everybody(event)
    del desks["owner"]  # whoever typed the tiles in may be told
    path = reverse("admin:tournaments_match_record_hand", args=[event.match("M1").pk, hand.pk])

    def shown() -> dict[str, str]:
        return {name: _without_token(desk.get(path)) for name, desk in desks.items()}

    with_tiles = shown()
    Holding.objects.all().delete()
    assert shown() == with_tiles


def test_tiles_and_refusals_show_once_the_match_is_over(event: Event) -> None:
    live_hand(event)
    event.play("M1")
    desk = staff(event.official("scorer"))
    assert len(desk.get(listing(Holding)).context["cl"].result_list) == 4
    assert [one.code for one in desk.get(listing(RefusedAttempt)).context["cl"].result_list] == [
        "tile_not_held"
    ]


def test_answers_that_were_given_are_shown_to_nobody() -> None:
    record = IdempotencyRecord.objects.create(
        scope="user:1", key="k1", fingerprint="f" * 64, status=201, body={"token": "s3cret"}
    )
    admin = staff(account(), superuser=True)
    for path in (listing(IdempotencyRecord), page(record)):
        assert "s3cret" not in admin.get(path).content.decode()


def test_accounts_are_for_administrators_and_tokens_are_only_taken_back(event: Event) -> None:
    user, token = event.owner.user, event.owner.credentials.removeprefix("Token ")
    assert user is not None
    admin = staff(account(), superuser=True)
    paths = (
        "/admin/",
        "/admin/auth/user/",
        f"/admin/auth/user/{user.pk}/change/",
        "/admin/mfa/authenticator/",
    )
    for path in paths:
        answer = admin.get(path)
        assert answer.status_code == 200
        assert token not in answer.content.decode()
    assert event.owner.client.get("/api/v1/tournaments/").status_code == 200
    assert said(admin.many([user], "revoke_tokens")) == ["1 token is taken back."]
    assert event.owner.client.get("/api/v1/tournaments/").status_code == 401
    assert admin.client.post(f"/admin/auth/user/{user.pk}/delete/", {"post": "yes"}).status_code == 403
    director = staff(event.official("director"))
    assert [director.get(path).status_code for path in paths] == [200, 403, 403, 403]


def _without_token(answer: Any) -> str:
    assert answer.status_code == 200
    return re.sub(r'name="csrfmiddlewaretoken" value="[^"]*"', "", answer.content.decode())
