"""Names are stored as typed, found without accents, and harmless wherever they are read again."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support.callers import VISITOR
from tests.support.doors import DONE, Answer, Door
from tests.support.events import account, make_tournament
from tournaments.models import Entry, Player, Team, searchable
from tournaments.services.entry import entry_update

pytestmark = pytest.mark.django_db

NAMES = [
    "José Peña / Niño",
    "O'Brien",
    "👩‍👩‍👧‍👦 Family & Co 🁫",
    "שלום בית",
    "e\u0301 not composed",
    "x" * 120,
    "🁣" * 120,
    "ﷺ" * 120,
    "<script>alert(1)</script>",
    "=2+5",
    '"; DROP TABLE tournaments_entry; --',
    "\u202eright to left",
    "%_\\ wild",
    "line\u2028separator",
    "{{ 7 * 6 }}{% now %}",
]


def named(name: str, number: int) -> dict[str, Any]:
    return {"name": name, "players": [name, f"{name[:110]} {number}"], "seed": number}


def test_names_are_stored_as_typed_and_found_everywhere(door: Door) -> None:
    event = make_tournament(0, published=False)
    entries = [named(name, number) for number, name in enumerate(NAMES, start=1)]

    assert door.add_entries(event.owner, event, entries) == DONE
    assert door.draw(event.owner, event) == DONE
    assert door.publish(event.owner, event) == DONE

    assert list(Entry.objects.order_by("number").values_list("name", flat=True)) == NAMES
    assert list(Team.objects.order_by("pk").values_list("name", flat=True)) == NAMES
    client = VISITOR.client
    listed = client.get(f"{event.path}entries/").json()["results"]
    assert [row["name"] for row in listed] == NAMES
    assert [row["players"][0]["name"] for row in listed] == NAMES
    placed = client.get(f"{event.path}standings/").json()["placings"]
    assert sorted(row["name"] for row in placed) == sorted(NAMES)
    shown = client.get(f"{event.path}bracket/").json()["rounds"]
    in_bracket = {side["name"] for row in shown for match in row["matches"] for side in match["sides"]}
    assert in_bracket - {""} == set(NAMES)
    for name in NAMES:
        found = [row["name"] for row in client.get("/api/v1/teams/", {"search": name}).json()["results"]]
        assert name in found, name
        found = [row["name"] for row in client.get("/api/v1/players/", {"search": name}).json()["results"]]
        assert name in found, name


@pytest.mark.parametrize("search", ["jose pena", "JOSÉ", "niño", "José Peña / Niño", "NINO"])
def test_search_needs_neither_accents_nor_case(search: str) -> None:
    event = make_tournament(0, published=False)
    event.owner.client.post(f"{event.path}entries/", named("José Peña / Niño", 1))
    event.owner.client.post(f"{event.path}entries/", named("Jorge Perez", 2))

    found = VISITOR.client.get("/api/v1/teams/", {"search": search}).json()["results"]

    assert [row["name"] for row in found] == ["José Peña / Niño"]


def test_searching_for_wild_cards_finds_only_those_characters() -> None:
    event = make_tournament(0, published=False)
    for number, name in enumerate(["100% Sure", "1000 Sure", "A_B", "AxB"], start=1):
        event.owner.client.post(f"{event.path}entries/", named(name, number))

    def found(search: str) -> list[str]:
        rows = VISITOR.client.get("/api/v1/teams/", {"search": search}).json()["results"]
        return [row["name"] for row in rows]

    assert [found(search) for search in ("100%", "a_b", "sure", "zzz")] == [
        ["100% Sure"],
        ["A_B"],
        ["100% Sure", "1000 Sure"],
        [],
    ]


@pytest.mark.parametrize("name", ["", "   ", "x" * 121, "nul\x00in it", "\ud800", 7, None, ["a"], {"a": 1}])
def test_unreadable_names_are_refused_and_nothing_is_stored(name: Any) -> None:
    event = make_tournament(0, published=False)
    before = Player.objects.count()
    good = named("Good", 1)
    for bad in ({**good, "name": name}, {**good, "players": ["Ann", name]}):
        if isinstance(name, int):
            continue
        for path, body in (("entries/", bad), ("entries/import/", {"entries": [good, bad]})):
            answer = event.owner.client.post(
                f"{event.path}{path}", json.dumps(body), content_type="application/json"
            )
            assert answer.status_code == 400, (path, name)
    assert (Entry.objects.count(), Player.objects.count(), Team.objects.count()) == (0, before, 0)


def test_same_team_name_twice_is_refused_with_its_line(door: Door) -> None:
    event = make_tournament(0, published=False)
    assert door.add_entries(event.owner, event, [named("José Peña", 1)]) == DONE

    again = door.add_entries(event.owner, event, [named("Other", 2), named("jose PENA", 3)])

    assert (again, again.facts["line"], again.facts["name"]) == (
        Answer(409, "team_name_taken"),
        1,
        "jose PENA",
    )
    assert list(Entry.objects.values_list("name", flat=True)) == ["José Peña"]


def test_entry_is_renamed_on_every_page_at_once() -> None:
    event = make_tournament(2, kind="single-elimination")
    entry = event.entry_of("T1")
    client = event.owner.client
    etag = VISITOR.client.get(f"{event.path}bracket/")["ETag"]

    renamed = client.patch(f"{event.path}entries/{entry.pk}/", {"name": "Ñandú <b>"})

    assert (renamed.status_code, renamed.json()["name"]) == (200, "Ñandú <b>")
    entry.refresh_from_db()
    assert (entry.name, entry.search_name) == ("Ñandú <b>", searchable("Ñandú <b>"))
    fresh = VISITOR.client.get(f"{event.path}bracket/", headers={"If-None-Match": etag})
    assert fresh.status_code == 200
    assert "Ñandú <b>" in {side["name"] for side in fresh.json()["rounds"][0]["matches"][0]["sides"]}


def test_entry_is_not_renamed_to_a_name_that_is_taken() -> None:
    event = make_tournament(2, kind="single-elimination")
    entry = event.entry_of("T1")
    client = event.owner.client

    answer = client.patch(f"{event.path}entries/{entry.pk}/", {"name": "t2"})

    assert (answer.status_code, answer.json()["code"]) == (409, "team_name_taken")
    assert client.patch(f"{event.path}entries/{entry.pk}/", {"name": "t1"}).status_code == 200
    assert entry_update(entry_id=entry.pk, actor=event.owner.actor, name="T1").name == "T1"


def test_tournaments_of_the_same_name_are_both_reachable() -> None:
    owner = account()
    made = [
        owner.client.post("/api/v1/tournaments/", {"name": name, "visibility": "public"}).json()
        for name in ["Fiesta ’26", "Fiesta '26", "FIESTA 26", "🁫", "שלום", "fiesta-26"]
    ]

    slugs = [row["slug"] for row in made]
    assert slugs == ["fiesta-26", "fiesta-26-2", "fiesta-26-3", "tournament", "tournament-2", "fiesta-26-4"]
    for row in made:
        shown = VISITOR.client.get(f"/api/v1/tournaments/{row['slug']}/").json()
        assert (shown["id"], shown["name"]) == (row["id"], row["name"])
