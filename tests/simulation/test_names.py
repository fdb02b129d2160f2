"""Invented teams: the same for the same seed, all different, some of them hard to store and to show."""

import unicodedata

import pytest

from scoring.simulation.names import MOST_TEAMS, SPECIAL, team_names
from tournaments.models import searchable


def test_names_are_equal_for_equal_seeds_and_differ_for_others() -> None:
    assert team_names(64, 7) == team_names(64, 7)
    assert team_names(64, 7) != team_names(64, 8)


@pytest.mark.parametrize("count", [2, 3, 16, 147, MOST_TEAMS])
def test_names_are_different_for_the_site_too(count: int) -> None:
    teams = team_names(count, 1)
    assert len(teams) == count
    assert len({searchable(team.name) for team in teams}) == count
    people = [player for team in teams for player in team.players]
    assert len(set(people)) == 2 * count
    assert all(1 <= len(name) <= 120 for name in [*people, *(team.name for team in teams)])


def test_names_of_a_field_hold_every_hard_one() -> None:
    text = "".join(team.name for team in team_names(16, 3))
    assert {name for name, _ in SPECIAL} <= {team.name for team in team_names(16, 3)}
    assert any(unicodedata.decomposition(char) for char in text)
    assert "'" in text
    assert any(unicodedata.bidirectional(char) == "R" for char in text)
    assert any(ord(char) > 0xFFFF for char in text)
    assert max(len(team.name) for team in team_names(16, 3)) > 100
