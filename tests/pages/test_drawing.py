"""The tile, the tally and the other drawings."""

import re

import pytest
from django.template import Context, Template
from django.utils.translation import override

from fortytwo.tiles import TILES
from tournaments.templatetags import drawing


def _render(source: str, **values: object) -> str:
    return Template("{% load seven_marks %}" + source).render(Context(values))


def _pips(svg: str) -> int:
    return svg.count("h0")


@pytest.mark.parametrize("tile", TILES, ids=str)
def test_domino_has_the_pips_of_its_tile(tile: object) -> None:
    svg = _render("{% domino tile %}", tile=str(tile))
    assert _pips(svg) == tile.pips  # type: ignore[attr-defined]


def test_domino_wears_its_count_and_says_it() -> None:
    counted = {str(tile) for tile in TILES if 'class="count"' in _render("{% domino tile %}", tile=str(tile))}
    assert counted == {"5-5", "6-4", "5-0", "4-1", "3-2"}
    assert 'aria-label="6-4, counts 10"' in _render('{% domino "6-4" %}')
    assert 'aria-label="6-3"' in _render('{% domino "6-3" %}')


def test_domino_face_down_shows_no_pip() -> None:
    svg = _render('{% domino state="down" height=44 %}')
    assert _pips(svg) == 0
    assert 'aria-label="face down"' in svg


def test_lying_domino_turns_its_pips_and_not_its_edge() -> None:
    svg = drawing.domino(6, 4, height=76, lying=True)
    assert 'viewBox="0 0 88 44" width="76"' in svg or 'width="76" height="38"' in svg
    assert re.search(r'class="edge"[^>]*transform', svg) is None
    assert "rotate(-90)" in svg


@pytest.mark.parametrize("marks", range(10))
def test_tally_draws_a_stroke_a_mark_and_writes_the_raw_count(marks: int) -> None:
    html = _render("{% all_tally marks %}", marks=marks)
    assert html.count('class="earned"') == min(marks, 7)
    assert html.count('class="to-come"') == 7 - min(marks, 7)
    assert f">{marks}</b>" in html
    assert f'aria-label="{marks} of 7 marks"' in html


def test_tally_previews_what_would_be() -> None:
    html = _render("{% all_tally 4 preview=6 %}")
    assert (html.count('class="earned"'), html.count('class="ahead"')) == (4, 2)
    assert 'aria-label="4 of 7 marks, would be 6"' in html


def test_tally_of_another_target_is_a_numeral_only() -> None:
    html = _render("{% all_tally 4 target=5 %}")
    assert "<svg" not in html
    assert "4 of 5 marks" in html


@pytest.mark.parametrize(("won", "needed", "drawn"), [(0, 2, 0), (1, 2, 1), (3, 3, 3)])
def test_rings_fill_from_below(won: int, needed: int, drawn: int) -> None:
    svg = drawing.rings(won, needed)
    heights = {kind: re.findall(rf'class="{kind}" cx="5" cy="([\d.]+)"', svg) for kind in ("won", "open")}
    assert (len(heights["won"]), len(heights["open"])) == (drawn, needed - drawn)
    if heights["won"] and heights["open"]:
        assert min(map(float, heights["won"])) > max(map(float, heights["open"]))


def test_best_of_one_has_no_rings() -> None:
    assert drawing.rings(1, 1) == ""


def test_names_in_tags_are_escaped() -> None:
    html = _render('{% chip "playing" word %}', word="<b>&")
    assert "&lt;b&gt;&amp;" in html
    assert "<b>&" not in html


def test_numbers_for_drawings_do_not_follow_the_language() -> None:
    with override("es"):
        assert _render("{{ value|unlocalize_number }}", value=12.5) == "12.5"
