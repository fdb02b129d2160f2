"""Lists of teams read and planned, entered once, checked in, seeded, and taken back."""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from openpyxl import Workbook

from tests.director.table import client_of
from tests.support.events import Event, make_tournament
from tournaments.errors import AgainstRules, Unreadable
from tournaments.models import Entry, Player, Team
from tournaments.selectors.importing import (
    Line,
    lines_of_file,
    lines_of_text,
    plan_import,
    text_of_lines,
)

TEXT = "Shakers, June Hollis, Ray Dominguez\nDawes & Tuttle, Clara Dawes, Otis Tuttle, 3"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Shakers, June, Ray", Line(1, "Shakers", ("June", "Ray"))),
        ("Shakers; June; Ray; 7", Line(1, "Shakers", ("June", "Ray"), "7")),
        ("Shakers\tJune\tRay", Line(1, "Shakers", ("June", "Ray"))),
        ('"Hank, Chuy & Co", Hank, Chuy', Line(1, "Hank, Chuy & Co", ("Hank", "Chuy"))),
        ("Shakers, June & Ray", Line(1, "Shakers", ("June", "Ray"))),
        (
            "June Hollis & Ray Dominguez",
            Line(1, "June Hollis & Ray Dominguez", ("June Hollis", "Ray Dominguez")),
        ),
        ("José Peña / Niño; José Peña; Luis Niño", Line(1, "José Peña / Niño", ("José Peña", "Luis Niño"))),
        ("Lonely", Line(1, "Lonely", ())),
        ("=2+5, <b>, فريق", Line(1, "=2+5", ("<b>", "فريق"))),
        ("\nShakers, June, Ray\n\n", Line(1, "Shakers", ("June", "Ray"))),
    ],
)
def test_line_is_read(text: str, wanted: Line) -> None:
    assert lines_of_text(text) == [wanted]


def test_titles_say_which_column_is_which() -> None:
    text = "Seed,Player 1,Player 2,Team\n2,June,Ray,Shakers\n"
    assert lines_of_text(text) == [Line(1, "Shakers", ("June", "Ray"), "2")]


def test_list_reads_back_as_it_was_written() -> None:
    lines = lines_of_text(TEXT)
    assert lines_of_text(text_of_lines(lines)) == lines


def workbook(rows: list[list[Any]]) -> bytes:
    book = Workbook()
    for row in rows:
        book.active.append(row)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def test_workbook_is_read_like_a_list() -> None:
    content = workbook(
        [["Team", "Player 1", "Player 2", "Seed"], ["Shakers", "June", "Ray", 4.0], [None, None]]
    )
    assert lines_of_file("teams.xlsx", content) == [Line(1, "Shakers", ("June", "Ray"), "4")]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_file_is_read_in_any_usual_encoding(encoding: str) -> None:
    content = "Peña; José; Luis".encode(encoding)
    assert lines_of_file("teams.csv", content) == [Line(1, "Peña", ("José", "Luis"))]


def test_file_that_is_no_list_is_refused() -> None:
    with pytest.raises(Unreadable):
        lines_of_file("teams.xlsx", b"PK\x03\x04 broken")
    with pytest.raises(Unreadable):
        lines_of_file("teams.pdf", b"%PDF-1.7")
    with pytest.raises(AgainstRules):
        lines_of_file("teams.csv", b"x" * 1_000_001)


@pytest.fixture
def event(db: None) -> Event:
    return make_tournament(0, published=False)


def kinds(event: Event, text: str) -> list[tuple[str, str]]:
    return [(one.kind, one.why) for one in plan_import(event.tournament, lines_of_text(text)).lines]


def test_plan_says_what_each_line_would_do(event: Event) -> None:
    client = client_of(event.owner)
    client.post(f"/run/{event.slug}/teams/add/", {"text": TEXT, "enter": "yes"})
    plan = kinds(
        event,
        "SHAKERS, june hollis, ray dominguez\n"
        "Shakers, June Hollis, Somebody\n"
        "New, June Hollis, Ann\n"
        "Twins, Bea, Bea\n"
        "Short, Only\n"
        "Late, Cal, Dan, 3\n"
        "Fresh, Eve, Flo, 4\n"
        "Fresh, Eve, Flo, 4\n"
        ", Gil, Hal\n"
        "Odd, Ida, Jim, 0x",
    )
    assert plan == [
        ("same", "entered already"),
        ("conflict", "There is a team of this name with other players."),
        ("conflict", "June Hollis plays in Shakers already."),
        ("conflict", "Both players have the same name."),
        ("conflict", "A team has two players; here are 1."),
        ("conflict", "Seed 3 is taken by Dawes & Tuttle."),
        ("new", ""),
        ("same", "entered already"),
        ("conflict", "The team has no name."),
        ("conflict", "A team has two players; here are 3."),
    ]


def test_import_looks_first_and_enters_once(event: Event) -> None:
    client = client_of(event.owner)
    path = f"/run/{event.slug}/teams/add/"
    looked = client.post(path, {"text": TEXT})
    assert (looked.status_code, Entry.objects.count()) == (200, 0)
    assert len(looked.context["plan"].new) == 2
    upload = SimpleUploadedFile("teams.csv", TEXT.encode())
    assert len(client.post(path, {"file": upload}).context["plan"].new) == 2

    for _ in range(2):
        client.post(path, {"text": TEXT, "enter": "yes"})
    entries = list(Entry.objects.order_by("number").values_list("name", "seed"))
    assert entries == [("Shakers", None), ("Dawes & Tuttle", 3)]
    shakers = Entry.objects.get(number=1)
    members = list(shakers.members.order_by("position").values_list("player__name", flat=True))
    assert members == ["June Hollis", "Ray Dominguez"]
    again = client.post(path, {"text": TEXT}).context["plan"]
    assert (len(again.new), len(again.same)) == (0, 2)


def test_import_is_undone_as_if_it_had_not_been(event: Event) -> None:
    client = client_of(event.owner)
    answer = client.post(f"/run/{event.slug}/teams/add/", {"text": TEXT, "enter": "yes"}, follow=True)
    assert 'name="numbers" value="1,2"' in answer.content.decode()
    client.post(f"/run/{event.slug}/teams/remove/", {"numbers": "1,2"})
    assert (Entry.objects.count(), Team.objects.count(), Player.objects.count()) == (0, 0, 0)
    assert event.log_of("entries.removed") == [{"names": ["Shakers", "Dawes & Tuttle"]}]


@pytest.mark.django_db
def test_team_in_the_draw_withdraws_instead() -> None:
    event = make_tournament(4)
    answer = client_of(event.owner).post(f"/run/{event.slug}/teams/remove/", {"numbers": "1"}, follow=True)
    assert "can withdraw now" in answer.content.decode()
    assert Entry.objects.count() == 4


@pytest.mark.django_db
def test_check_in_by_one_tap_and_back() -> None:
    event = make_tournament(4, published=False)
    client = client_of(event.owner)
    for _ in range(2):
        answer = client.post(f"/run/{event.slug}/teams/2/check-in/", {"here": "yes"}, follow=True)
        assert "T2 is here." in answer.content.decode()
    assert Entry.objects.filter(status="checked-in").count() == 1
    client.post(f"/run/{event.slug}/teams/2/check-in/", {"here": "no"})
    assert not Entry.objects.filter(status="checked-in").exists()


@pytest.mark.django_db
def test_seeds_are_set_at_once_also_when_they_swap() -> None:
    event = make_tournament(4, published=False)
    client = client_of(event.owner)
    path = f"/run/{event.slug}/teams/seeds/"
    client.post(path, {"seed-1": 2, "seed-2": 1, "seed-3": "", "seed-4": 3})
    assert dict(Entry.objects.values_list("number", "seed")) == {1: 2, 2: 1, 3: None, 4: 3}
    answer = client.post(path, {"seed-1": 5, "seed-2": 5, "seed-3": "", "seed-4": ""})
    assert answer.status_code == 422
    assert "cannot both be seed 5" in answer.content.decode()
    assert 'name="seed-1" value="5"' in answer.content.decode()
    assert dict(Entry.objects.values_list("number", "seed")) == {1: 2, 2: 1, 3: None, 4: 3}
    assert client.post(path, {"seed-1": "first"}).status_code == 422


@pytest.mark.django_db
def test_withdrawal_shows_what_it_changes_before_it_is_done() -> None:
    event = make_tournament(4)
    client = client_of(event.owner)
    match = event.match("M1")
    leaving, staying = event.entry(match, "NS"), event.entry(match, "EW")
    path = f"/run/{event.slug}/teams/{leaving.number}/withdraw/"
    page = client.get(path)
    assert f"M1 ends at once: {staying.name} goes on by withdrawal." in page.content.decode()
    assert Entry.objects.filter(status="withdrawn").count() == 0
    client.post(path, {"withdraw": "yes", "reason": "sick"})
    leaving.refresh_from_db()
    assert (leaving.status, event.match("M1").state) == ("withdrawn", "confirmed")


@pytest.mark.django_db
def test_substitute_plays_from_now_on() -> None:
    event = make_tournament(4)
    event.play("M1")
    client = client_of(event.owner)
    entry = event.entry(event.match("M1"), "NS")
    leaving = entry.members.get(position=1).player_id
    bad = client.post(f"/run/{event.slug}/teams/{entry.number}/substitute/", {"sub-leaving": str(leaving)})
    assert bad.status_code == 422
    assert bad.context["substitute"].errors == {"name": ["Who comes is missing."]}
    client.post(
        f"/run/{event.slug}/teams/{entry.number}/substitute/",
        {"sub-leaving": str(leaving), "sub-name": "Ruth", "sub-reason": "ill"},
    )
    now = list(
        entry.members.filter(until__isnull=True).order_by("position").values_list("player__name", flat=True)
    )
    assert now == ["Ruth", "B1"]
    assert str(leaving) in event.match("M1").results.get().lineups["NS"]


def first_round(event: Event) -> set[frozenset[str | None]]:
    first = event.tournament.matches.order_by("round__play_order").values_list("round", flat=True)[0]
    rows = event.tournament.matches.filter(round=first)
    return {frozenset(slot.entry.name for slot in match.slots.all() if slot.entry) for match in rows}


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["single-elimination", "double-elimination"])
@pytest.mark.parametrize("teams", [5, 6, 7, 11, 13])
def test_late_team_gets_the_place_of_a_bye_and_everybody_else_stays(kind: str, teams: int) -> None:
    event = make_tournament(teams, kind=kind)
    before = first_round(event)
    client = client_of(event.owner)
    path = f"/run/{event.slug}/teams/late/"
    client.post(path, {"name": "Late ones", "first": "Ann", "second": "Bea"})
    after = first_round(event)
    (new,) = after - before
    assert before < after
    assert "Late ones" in new
    assert event.entry_of("Late ones").status == "checked-in"
    event.play_all()
    assert event.fresh().champion is not None


@pytest.mark.django_db
def test_late_team_comes_too_late_once_something_is_entered() -> None:
    event = make_tournament(5)
    client = client_of(event.owner)
    late = {"name": "Late ones", "first": "Ann", "second": "Bea"}
    event.play(event.open_matches()[0].code)
    refused = client.post(f"/run/{event.slug}/teams/late/", late)
    assert refused.status_code == 422
    assert "nobody can be drawn in any more" in refused.content.decode()
    full = make_tournament(4, name="Full")
    page = client_of(full.owner).get(f"/run/{full.slug}/teams/late/").content.decode()
    assert "there is no bye for a late team" in page
    assert client_of(full.owner).post(f"/run/{full.slug}/teams/late/", late).status_code == 422
    assert full.tournament.entries.count() == 4
