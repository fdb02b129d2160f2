import pickle
import re
from pathlib import Path

import pytest

import fortytwo
from fortytwo import (
    CHOICES,
    CODES,
    NOT_BUILT,
    PRESETS,
    FortyTwoError,
    IllegalAction,
    ImpossibleRecord,
    ParseError,
    RulesError,
    Ruleset,
    preset,
)


def code_of(kind, make):
    with pytest.raises(kind) as caught:
        make()
    return caught.value.code


def test_default_of_every_switch_is_its_first_value():
    assert Ruleset().switches() == {name: values[0] for name, values in CHOICES.items()}
    assert Ruleset().differences() == {}


def test_every_value_of_every_switch_is_played():
    assert dict(NOT_BUILT) == {}
    for name, values in CHOICES.items():
        for value in values[:20]:
            beside = {"all_pass": "force_30"} if name == "forced_special" else {}
            assert getattr(Ruleset(**{name: value}, **beside), name) == value


def test_a_value_that_cannot_be_played_yet_is_refused_by_name(monkeypatch):
    monkeypatch.setattr("fortytwo.rules.NOT_BUILT", {"plunge": (True,)})
    monkeypatch.setattr("fortytwo.presets.NOT_BUILT", {"plunge": (True,)})
    assert code_of(RulesError, lambda: Ruleset(plunge=True)) == "switch_not_built"
    assert not preset("timpson").is_playable


def test_switches_round_trip_as_json():
    rules = Ruleset(all_pass="force_31", opening_limit=None, win_by_two=True, lowest_bid=20)
    assert Ruleset.from_switches(rules.switches()) == rules
    assert Ruleset.from_switches(rules.differences()) == rules
    assert hash(Ruleset.from_switches({})) == hash(Ruleset())


@pytest.mark.parametrize(
    "switches",
    [
        {"all_pass": "force_32"},
        {"opening_limit": 4},
        {"opening_limit": True},
        {"win_by_two": 1},
        {"raise_limit": "1"},
        {"lowest_bid": 42},
        {"target": 10**40},
        {"target": 0},
        {"claim": None},
        {"nello": []},
        {"follow_me": {}},
    ],
)
def test_bad_values_are_refused(switches):
    assert code_of(ParseError, lambda: Ruleset.from_switches(switches)) == "bad_switch_value"


def test_unknown_switches_and_no_object_are_refused():
    assert code_of(ParseError, lambda: Ruleset.from_switches({"nelo": 1})) == "unknown_switch"
    assert code_of(ParseError, lambda: Ruleset.from_switches([])) == "bad_field"


def test_points_game_is_played_to_250_unless_said_otherwise():
    assert Ruleset.from_switches({"scoring": "points"}).target == 250
    assert Ruleset(scoring="points") == Ruleset(scoring="points", target=250)
    assert Ruleset(scoring="points", target=500).target == 500
    assert Ruleset.from_switches(Ruleset(scoring="points").differences()) == Ruleset(scoring="points")


@pytest.mark.parametrize(
    ("switches", "first", "second"),
    [
        ({"forced_special": "nello"}, "forced_special", "all_pass"),
        ({"forced_special": "sevens", "all_pass": "throw_in"}, "forced_special", "all_pass"),
        ({"forced_special": "nello", "all_pass": "force_30", "nello": 1}, "forced_special", "nello"),
        ({"forced_special": "sevens", "all_pass": "force_30", "sevens": 2}, "forced_special", "sevens"),
        ({"scoring": "points", "win_by_two": True}, "scoring", "win_by_two"),
        ({"scoring": "points", "target": 7}, "scoring", "target"),
    ],
)
def test_clash_names_both_switches(switches, first, second):
    with pytest.raises(RulesError) as caught:
        Ruleset.from_switches(switches)
    assert (caught.value.code, caught.value.facts["first"], caught.value.facts["second"]) == (
        "switches_clash",
        first,
        second,
    )
    assert first in caught.value.message
    assert second in caught.value.message


def test_what_does_not_clash_is_accepted():
    for special in ("nello", "sevens"):
        assert Ruleset(forced_special=special, all_pass="force_30").forced_special == special
    assert Ruleset(forced_special="nello", all_pass="force_31", sevens=1).sevens == 1


def test_forced_minimum():
    table = {value: Ruleset(all_pass=value).forced_minimum for value in CHOICES["all_pass"]}
    assert table == {"throw_in": None, "force_30": 30, "force_31": 31, "force_42": 42}


def test_presets_are_complete_and_playable():
    assert list(PRESETS) == [
        "online-championship",
        "straight-guide",
        "hallettsville",
        "n42pa",
        "austin-league",
        "westfest",
        "timpson",
        "lechner-house",
    ]
    for name, item in PRESETS.items():
        assert item.is_playable, name
        assert item.source
        assert item.switches.keys() <= CHOICES.keys()
        assert item.ruleset().differences() == dict(item.switches)
    assert preset("online-championship").ruleset() == Ruleset()
    assert code_of(ParseError, lambda: preset("texas")) == "unknown_preset"
    assert code_of(ParseError, lambda: preset(None)) == "unknown_preset"


def test_every_code_is_used_and_every_used_code_is_listed():
    source = "".join(path.read_text() for path in Path(fortytwo.__file__).parent.rglob("*.py"))
    used = set(re.findall(r'(?:Error|IllegalAction|ImpossibleRecord)\(\s*"([a-z0-9_]+)"[,)]', source))
    for pair in re.findall(r'code = "(\w+)" if .* else "(\w+)"', source):
        used |= set(pair)
    assert used | {"hand_impossible"} == set(CODES)


def test_errors_are_one_family_with_facts_and_a_sentence():
    error = IllegalAction("tile_not_held", seat="N", tile="6-4")
    assert isinstance(error, FortyTwoError)
    assert error.to_json() == {
        "code": "tile_not_held",
        "seat": "N",
        "tile": "6-4",
        "message": "N does not hold 6-4.",
    }
    assert IllegalAction("tile_not_held", seat=10**5000, tile="6-4").facts["seat"] == "a huge number"
    score = ImpossibleRecord("score_no_winner", score="7-7")
    assert score.to_json() == {"code": "score_no_winner", "score": "7-7", "message": "7-7 has no winner."}
    again = pickle.loads(pickle.dumps(score))
    assert (again.code, again.fields) == ("score_no_winner", ())
    mixed = FortyTwoError("bad_json", reason="x", a=None, b=True, c=["1", 2], d={"k": 1})
    assert mixed.facts == {"reason": "x", "a": None, "b": True, "c": ["1", "2"], "d": {"k": "1"}}
