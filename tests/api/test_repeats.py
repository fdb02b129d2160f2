"""Requests sent twice: with an Idempotency-Key, by their address, and reads with an ETag."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.support.callers import VISITOR
from tests.support.events import Event, account, make_tournament
from tournaments.models import IdempotencyRecord, LogEntry, Tournament
from tournaments.selectors import revision_numbers

pytestmark = pytest.mark.django_db


def team(name: str) -> dict[str, Any]:
    return {"name": name, "players": [f"{name} A", f"{name} B"]}


def with_key(event: Event, part: str, body: dict[str, Any], key: str = "k", who: Any = None) -> Any:
    client = (who or event.owner).client
    return client.post(f"{event.path}{part}", body, HTTP_IDEMPOTENCY_KEY=key)


def test_same_key_and_body_is_one_act_and_the_same_answer() -> None:
    event = make_tournament(0, published=False)

    first = with_key(event, "entries/", team("One"))
    again = [with_key(event, "entries/", team("One")) for _ in range(2)]

    assert first.status_code == 201
    assert [(one.status_code, one.content) for one in again] == [(201, first.content)] * 2
    assert list(event.tournament.entries.values_list("name", flat=True)) == ["One"]
    assert len(event.log_of("entries.added")) == 1


def test_refusal_is_repeated_too() -> None:
    event = make_tournament(0, published=False)
    with_key(event, "entries/", team("One"), "first")

    refused = [with_key(event, "entries/", team("one")) for _ in range(2)]

    assert [one.status_code for one in refused] == [409, 409]
    assert refused[0].content == refused[1].content
    assert refused[1]["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("change", ["body", "path", "query"])
def test_same_key_for_another_request_is_a_conflict(change: str) -> None:
    event = make_tournament(0, published=False)
    assert with_key(event, "entries/", team("One")).status_code == 201
    part = {"path": "tables/", "query": "entries/?preview=1"}.get(change, "entries/")

    refused = with_key(event, part, team("Two" if change == "body" else "One"))

    assert (refused.status_code, refused.json()["code"]) == (409, "idempotency_key_reused")
    assert event.tournament.entries.count() == 1


def test_preview_and_the_act_itself_are_different_requests() -> None:
    event = make_tournament(2, kind="single-elimination")
    path = f"/api/v1/matches/{event.match('M1').pk}/forfeit/"
    body = {"side": "NS", "reason": "not here"}
    client = event.owner.client

    preview = client.post(f"{path}?preview=1", body, HTTP_IDEMPOTENCY_KEY="k")
    done = client.post(path, body, HTTP_IDEMPOTENCY_KEY="k")

    assert preview.status_code == 200
    assert (done.status_code, done.json()["code"]) == (409, "idempotency_key_reused")
    assert event.match("M1").state == "ready"


def test_keys_of_different_callers_have_nothing_to_do_with_each_other() -> None:
    event = make_tournament(2, kind="single-elimination")
    match = event.match("M1")
    sides = event.side_links(match)
    path = f"/api/v1/matches/{match.pk}/result/dispute/"
    sides["NS"].client.put(f"/api/v1/matches/{match.pk}/result/", {"scores": "7-4,7-3"})

    answers = [
        caller.client.post(path, {}, HTTP_IDEMPOTENCY_KEY="k").status_code
        for caller in (sides["EW"], event.owner, account(), VISITOR)
    ]

    assert answers == [200, 200, 403, 401]


def test_visitor_stores_nothing_even_with_a_key() -> None:
    event = make_tournament(0, published=False)

    answers = [with_key(event, "entries/", team("One"), "k", VISITOR) for _ in range(2)]

    assert [one.status_code for one in answers] == [401, 401]
    assert not IdempotencyRecord.objects.exists()


def test_answer_with_times_is_repeated_to_the_byte() -> None:
    event = make_tournament(2, kind="single-elimination")
    event.table_link(event.match("M1"))
    table = event.tournament.tables.get()
    path = f"/api/v1/tables/{table.pk}/call/"
    body = {"match": str(event.match("M1").pk)}

    first, again = (event.owner.client.post(path, body, HTTP_IDEMPOTENCY_KEY="k") for _ in range(2))

    assert first.status_code == 200
    assert first.json()["match"]["called_at"]
    assert again.content == first.content


def test_key_of_a_request_that_is_still_running_waits_until_it_is_given_up() -> None:
    event = make_tournament(0, published=False)
    with_key(event, "entries/", team("One"))
    event.tournament.entries.all().delete()
    record = IdempotencyRecord.objects.get()
    record.status, record.body = None, None
    record.save()

    running = with_key(event, "entries/", team("One"))
    IdempotencyRecord.objects.update(created_at=timezone.now() - timedelta(seconds=61))
    taken_over = with_key(event, "entries/", team("One"))

    assert (running.status_code, running.json()["code"]) == (409, "request_running")
    assert taken_over.status_code == 201


@pytest.mark.parametrize(("key", "status"), [("x" * 120, 201), ("x" * 121, 400), ("é 'ü'", 201)])
def test_keys_have_a_limit(key: str, status: int) -> None:
    event = make_tournament(0, published=False)

    assert with_key(event, "entries/", team("One"), key).status_code == status
    assert event.tournament.entries.count() == (status == 201)


def test_answers_with_secrets_are_not_kept() -> None:
    event = make_tournament(2)
    event.table_link(event.match("M1"))

    first, again = (with_key(event, "links/", {}) for _ in range(2))

    assert (first.status_code, again.status_code) == (200, 200)
    assert first.json()["teams"][0]["token"]
    assert not IdempotencyRecord.objects.exists()


def test_puts_are_repeats_by_their_address() -> None:
    event = make_tournament(2, kind="single-elimination")
    match = event.match("M1")
    client = event.owner.client
    path = f"/api/v1/matches/{match.pk}/"

    statuses = [client.put(f"{path}games/1/", {"NS": 7, "EW": 4}).status_code for _ in range(3)]
    statuses += [client.put(f"{path}result/", {"scores": "7-4,7-3"}).status_code for _ in range(3)]

    assert statuses == [201, 200, 200, 201, 200, 200]
    assert LogEntry.objects.filter(match=match).count() == 2
    assert match.results.count() == 1


@pytest.mark.parametrize("part", ["", "bracket/", "standings/", "tables/"])
def test_etag_of_a_part_holds_until_the_part_changes(part: str) -> None:
    event = make_tournament(4, kind="single-elimination")
    client = VISITOR.client
    path = f"{event.path}{part}"
    etag = client.get(path)["ETag"]
    assert client.get(path, HTTP_IF_NONE_MATCH=f'"other", W/{etag}').status_code == 304

    event.play("M1")
    event.advance()

    fresh = client.get(path, HTTP_IF_NONE_MATCH=etag)
    assert (fresh.status_code, fresh["ETag"] != etag) == (200, True)
    assert (
        fresh.json()["revision"]
        == revision_numbers(event.tournament.pk, ["home", "bracket", "placings", "tables"])[
            {"": "home", "standings/": "placings"}.get(part, part.strip("/"))
        ]
    )


def test_event_that_turns_private_is_gone_for_whoever_holds_its_etag() -> None:
    event = make_tournament(4)
    etag = VISITOR.client.get(f"{event.path}bracket/")["ETag"]
    Tournament.objects.update(visibility="private")

    assert VISITOR.client.get(f"{event.path}bracket/", HTTP_IF_NONE_MATCH=etag).status_code == 404
