"""The words for switches, the page made of them, and the command that shows it."""

import json
from pathlib import Path

import pytest

from fortytwo import CHOICES, PRESETS
from fortytwo.__main__ import main
from fortytwo.presets_page import markdown
from fortytwo.switch_texts import EVENT_TITLES, SWITCH_TEXTS, describe

PAGE = Path(__file__).parents[2] / "docs" / "rules-and-presets.md"


def run(capsys, *words):
    status = main(words)
    out, err = capsys.readouterr()
    return status, out, err


def test_page_is_as_the_code_makes_it():
    assert PAGE.read_text(encoding="utf-8") == markdown()


def test_every_switch_and_value_has_words():
    assert list(SWITCH_TEXTS) == list(CHOICES)
    for name, values in CHOICES.items():
        phrases = [SWITCH_TEXTS[name].phrase(value) for value in values]
        assert all(phrases)
        assert len(set(phrases)) == len(phrases), name


def test_page_shows_each_preset_against_the_default():
    page = markdown()
    for name, preset in PRESETS.items():
        assert f"### `{name}`\n\n{preset.source}\n" in page
    assert "- Nello: **on, from 1 mark** (default: off)" in page
    assert "| A game is played to (250 in points unless said otherwise) |" in page
    assert "- A forfeit counts: **7-0**" in page
    assert "`forced_special` and `nello`" in page


def test_all_that_presets_bring_along_has_a_title():
    assert set(EVENT_TITLES) == {name for preset in PRESETS.values() for name in preset.event}


def test_switches_are_described():
    assert describe("nello", 1) == "Nello: on, from 1 mark"
    assert describe("nello", 2) == "Nello: on, from 2 marks"
    assert describe("plunge", True) == "Plunge: on, 4 doubles, 4 marks"
    assert describe("target", 250) == "A game is played to: 250"


def test_command_presets(capsys):
    status, out, err = run(capsys, "presets", "--markdown")
    assert (status, out, err) == (0, markdown(), "")
    status, out, _ = run(capsys, "presets", "timpson")
    assert out == (
        "timpson: Timpson 42 tournament.\n"
        "  Everyone passes: the shaker must bid at least 30\n"
        "  Plunge: on, 4 doubles, 4 marks\n"
    )
    listed = json.loads(run(capsys, "presets", "--json")[1])
    assert list(listed) == list(PRESETS)
    assert listed["timpson"]["switches"] == {"all_pass": "force_30", "plunge": True}
    assert run(capsys, "presets")[1].startswith("online-championship: ")


@pytest.mark.parametrize("words", [["presets", "texas"], ["presets", "texas", "--json"]])
def test_command_presets_refuses_an_unknown_name(capsys, words):
    status, out, err = run(capsys, *words)
    assert status == 1
    assert "unknown_preset" in out + err
