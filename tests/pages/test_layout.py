"""Where the cells of a bracket stand. Drawn from real draws."""

import itertools

import pytest

from scoring.pages.bracket import CELL_HEIGHT, GAP, Board, board, parts_of
from scoring.pages.stage import stage_view
from tests.pages.event import event

pytestmark = pytest.mark.django_db


def _boards(teams: int, **options: object) -> dict[str, Board]:
    made = event(teams, tables=0, started=False, **options)  # type: ignore[arg-type]
    stage = stage_view(made.tournament)
    return {part: board(part, stage.matches, stage.byes) for part in parts_of(stage.matches)}


def _cells(one: Board) -> list[tuple[str, int, int]]:
    return [(cell.match.code, cell.x, cell.y) for column in one.columns for cell in column.cells]


@pytest.mark.parametrize("teams", [2, 3, 5, 11, 12, 13, 16, 33, 64])
def test_no_two_cells_overlap_and_every_match_is_drawn(teams: int) -> None:
    boards = _boards(teams)
    drawn: set[str] = set()
    for one in boards.values():
        cells = _cells(one)
        drawn |= {code for code, _x, _y in cells}
        for column in one.columns:
            heights = sorted(cell.y for cell in column.cells)
            assert all(lower - upper >= CELL_HEIGHT + 24 for upper, lower in itertools.pairwise(heights))
        assert all(0 <= x < one.width and 0 <= y < one.height for _code, x, y in cells)
    stage_matches = 2 * teams - 2  # the reset match is absent until it is needed
    assert len(drawn) == stage_matches


@pytest.mark.parametrize("teams", [4, 8, 13, 16])
def test_lines_lead_from_every_match_to_the_next(teams: int) -> None:
    boards = _boards(teams)
    winners = boards["winners"]
    assert len(winners.lines) == winners.matches - 1
    assert {line.source for line in winners.lines} < {code for code, _x, _y in _cells(winners)}
    for line in winners.lines:
        assert "V" in line.path
        assert line.path.startswith("M")


def test_match_stands_in_the_middle_of_those_that_feed_it() -> None:
    winners = _boards(8)["winners"]
    first, second, third = (sorted(cell.y for cell in column.cells) for column in winners.columns)
    assert second == [(first[0] + first[1]) // 2, (first[2] + first[3]) // 2]
    assert third == [(second[0] + second[1]) // 2]
    assert [column.x for column in winners.columns] == [0, 284 + GAP, 2 * (284 + GAP)]


def test_byes_draw_no_box_and_take_no_room() -> None:
    winners = _boards(147)["winners"]
    assert len(winners.columns[0].cells) == 19
    assert winners.columns[0].head.byes == "109 byes"
    assert len(winners.columns[1].cells) == 64
    assert winners.height < 64 * 96 + 150


def test_single_elimination_is_one_part_with_third_place_below_the_final() -> None:
    boards = _boards(8, kind="single-elimination", stage={"third_place": True})
    assert list(boards) == ["winners"]
    last = boards["winners"].columns[-1]
    assert [cell.match.round.key for cell in last.cells] == ["final", "third-place"]
    assert last.cells[1].y > last.cells[0].y


def test_finals_show_the_last_rounds_of_both_sides() -> None:
    finals = _boards(147)["finals"]
    keys = [column.head.key for column in finals.columns]
    assert keys == [
        "winners-semifinals",
        "winners-final",
        "losers-10",
        "losers-11",
        "losers-12",
        "losers-final",
        "grand-final",
    ]
    assert finals.reset_line == ""
