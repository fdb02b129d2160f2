"""What is checked at the end: good events pass, and each kind of damage is found."""

import copy
from collections.abc import Callable

import pytest

from scoring.simulation.checks import findings
from scoring.simulation.export import Export, export_text
from scoring.simulation.plans import Habits, Mix
from tests.simulation.paper import DOUBLE, SINGLE, paper_export

MARKS = Mix(100, 0, 0)


@pytest.mark.parametrize("teams", [2, 3, 4, 5, 8, 11, 13, 16, 33, 64])
@pytest.mark.parametrize("single_final", [False, True])
def test_double_elimination_holds(teams: int, single_final: bool) -> None:
    for seed in range(1 if teams > 16 else 3):
        export = paper_export(teams, Habits(seed, mix=MARKS), best_of=1, single_final=single_final)
        assert findings(export, kind=DOUBLE, teams=teams, single_final=single_final) == []


@pytest.mark.parametrize("teams", [4, 7, 16, 33])
@pytest.mark.parametrize("third_place", [False, True])
def test_single_elimination_holds(teams: int, third_place: bool) -> None:
    export = paper_export(teams, Habits(teams, mix=MARKS), kind=SINGLE, third_place=third_place)
    assert findings(export, kind=SINGLE, teams=teams, third_place=third_place) == []


def test_full_size_holds_and_is_equal_to_the_byte_each_time() -> None:
    export = paper_export(147, Habits(seed=1, mix=MARKS), best_of=1)
    assert findings(export, kind=DOUBLE, teams=147) == []
    assert export_text(export) == export_text(paper_export(147, Habits(seed=1, mix=MARKS), best_of=1))


def test_another_seed_is_another_event() -> None:
    one, other = (paper_export(8, Habits(seed, mix=MARKS)) for seed in (1, 2))
    assert export_text(one) != export_text(other)


def _no_champion(export: Export) -> None:
    export["champion"] = None


def _other_champion(export: Export) -> None:
    export["champion"] = export["stages"][0]["placings"][3]["team"]


def _open_match(export: Export) -> None:
    export["stages"][0]["matches"][4] |= {"state": "entered", "outcome": "", "winner": None}


def _winner_swapped(export: Export) -> None:
    match = export["stages"][0]["matches"][2]
    match["winner"] = next(team for team in match["teams"] if team != match["winner"])


def _strange_winner(export: Export) -> None:
    export["stages"][0]["matches"][2]["winner"] = "Nobody"


def _impossible_game(export: Export) -> None:
    export["stages"][0]["matches"][3]["games"][0] = [7, 7]


def _team_missing(export: Export) -> None:
    export["stages"][0]["placings"].pop()


def _marks_differ(export: Export) -> None:
    export["stages"][0]["placings"][2]["for"] += 1


def _match_lost(export: Export) -> None:
    match = export["stages"][0]["matches"][1]
    match |= {"state": "void", "outcome": "", "games": [], "winner": None}


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (_no_champion, "Nobody is champion."),
        (_other_champion, "is champion with 2 losses"),
        (_open_match, "M5 is entered"),
        (_winner_swapped, "is out with"),
        (_strange_winner, "does not play in it"),
        (_impossible_game, "no game ends 7-7"),
        (_team_missing, "The placings hold 7 teams"),
        (_marks_differ, "the placings say"),
        (_match_lost, "is out with 1 losses"),
    ],
)
def test_damage_is_found(damage: Callable[[Export], None], said: str) -> None:
    export = copy.deepcopy(paper_export(8, Habits(seed=4, mix=MARKS), best_of=1))
    damage(export)
    assert said in "\n".join(findings(export, kind=DOUBLE, teams=8))


def test_teams_of_a_forfeited_match_are_apart() -> None:
    """Both semi-finalists of one half did not appear: neither they nor the champion by a bye lack a loss."""
    export = copy.deepcopy(paper_export(4, Habits(seed=4, mix=MARKS), kind=SINGLE))
    semi, _, final = export["stages"][0]["matches"]
    if export["champion"] in semi["teams"]:
        semi = export["stages"][0]["matches"][1]
    semi |= {"outcome": "double-forfeit", "games": [], "winner": None}
    final |= {"state": "void", "outcome": "", "games": [], "winner": None}
    said = findings(export, kind=SINGLE, teams=4)
    assert [line for line in said if "losses" in line] == []
