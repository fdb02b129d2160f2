"""What is printed: every match, name and code is on the paper, once, and only what its reader may see."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
from pypdf import PdfReader

from scoring.pages.stage import stage_view
from scoring.paper.bracket import pages
from scoring.services.game import result_put
from tables.services.assignment import tables_assign
from tables.services.hall import tables_add
from tables.services.links import links_issue
from tables.tokens import code_of
from tests.director.table import client_of
from tests.support.events import Event, games, make_tournament
from tournaments.enums import MatchState

pytestmark = pytest.mark.django_db

MARKUP = "*Bold* & _Co_ #1 $x$ <b> @ref"


def printed(event: Event, tail: str) -> list[str]:
    """The words of each page of a PDF."""
    answer = client_of(event.owner).get(f"/run/{event.slug}/paper/{tail}")
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/pdf")
    return [" ".join(page.extract_text().split()) for page in PdfReader(io.BytesIO(answer.content)).pages]


def refused(event: Event, tail: str) -> Any:
    return client_of(event.owner).get(f"/run/{event.slug}/paper/{tail}", follow=True)


def size(event: Event, tail: str) -> tuple[int, int]:
    answer = client_of(event.owner).get(f"/run/{event.slug}/paper/{tail}")
    box = PdfReader(io.BytesIO(answer.content)).pages[0].mediabox
    return round(box.width), round(box.height)


def codes(text: str) -> list[str]:
    return re.findall(r"\bM[1-9][0-9]*\b", text)


def test_sheet_of_each_waiting_match_has_its_table_and_names() -> None:
    event = make_tournament(5, names=[MARKUP, "T2", "T3", "T4", "T5"])
    tables_add(tournament_id=event.tournament.pk, count=2, actor=event.owner.actor)
    tables_assign(tournament_id=event.tournament.pk)
    waiting = [one for one in stage_view(event.tournament).matches if one.state in {"ready", "called"}]

    (page,) = printed(event, "scoresheets.pdf")

    assert len(waiting) == 2
    for match in waiting:
        assert page.count(f"{match.code} · {match.round.name}") == 1
        assert all(side.name in page for side in match.sides)
    assert page.count("Game 3") == 2


def test_one_match_is_printed_whatever_its_state_and_blank_ones_beside_it() -> None:
    event = make_tournament(4, names=[MARKUP, "T2", "T3", "T4"])
    match = event.match("M1")
    result_put(match_id=match.pk, games=games("7-4,7-3"), actor=event.owner.actor)

    (page,) = printed(event, "scoresheets.pdf?match=M1&blank=1")

    assert MARKUP in page
    assert "Match ________" in page


def test_cards_show_every_team_with_its_digits_and_no_link_of_anybody_else() -> None:
    event = make_tournament(7)
    links_issue(tournament_id=event.tournament.pk, actor=event.owner.actor)

    pages_ = printed(event, "team-cards.pdf")

    digits = [code_of(link.pk) for link in event.tournament.links.filter(kind="team")]
    assert len(pages_) == 2
    text = " ".join(pages_)
    found = re.findall(r"Code ((?:\d ?){3}\d)", text)
    assert sorted(one.replace(" ", "") for one in found) == sorted(digits)


def test_nothing_to_print_is_said() -> None:
    event = make_tournament(4, published=False, running=False)
    for tail, sentence in (
        ("scoresheets.pdf", "No match waits"),
        ("bracket.pdf", "not published yet"),
        ("team-cards.pdf", "no cards yet"),
    ):
        assert sentence in refused(event, tail).content.decode()


@pytest.mark.parametrize(
    "tail", ["scoresheets.pdf?match=M99", "scoresheets.pdf?blank=x", "scoresheets.pdf?match=-1"]
)
def test_what_is_not_there_is_not_printed(tail: str) -> None:
    assert refused(make_tournament(4), tail).status_code == 404


def test_paper_is_letter_in_america_and_as_asked() -> None:
    event = make_tournament(4, time_zone="America/Chicago")
    assert size(event, "bracket.pdf") == (792, 612)
    assert size(event, "bracket.pdf?paper=a4") == (842, 595)
    assert size(event, "bracket.pdf?paper=poster") == (792, 612)
    assert size(make_tournament(4, time_zone="Europe/Dublin"), "bracket.pdf") == (842, 595)


@pytest.mark.parametrize("teams", [2, 3, 16, 37, 147])
def test_every_match_is_on_one_page_of_its_part(teams: int) -> None:
    event = make_tournament(teams)
    stage = stage_view(event.tournament)
    placed = {
        part: sorted(
            cell.match.code
            for _title, board in pages(part, stage.matches, stage.byes)
            for column in board.columns
            for cell in column.cells
        )
        for part in ("winners", "losers")
    }
    for part, found in placed.items():
        assert found == sorted(one.code for one in stage.matches if one.round.section == part)


def test_bracket_of_a_large_field_is_printed_whole() -> None:
    event = make_tournament(37)
    text = " ".join(printed(event, "bracket.pdf"))
    shown = {one.code for one in stage_view(event.tournament).matches if one.state != MatchState.LOCKED}
    assert shown <= set(codes(text))
