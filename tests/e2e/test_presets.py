"""Events by three presets, played to their champions on one running site: forced bids, plunge and nello occur."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

import fortytwo
from scoring.simulation.export import export_text
from scoring.simulation.plans import Habits, Mix
from tests.e2e.simulating import simulate
from tests.serving import running_site
from tests.simulation.paper import SINGLE, paper_export

SEEDS = {"timpson": 28, "lechner-house": 29, "straight-guide": 28}
"""By preset the seed of a small event in which everything that it is known for occurs."""
MIX = "0,30,70"
pytestmark = pytest.mark.timeout(300)


@dataclass(frozen=True)
class Stored:
    """A hand as REST shows it, with its address among the public pages."""

    shown: dict[str, Any]
    page: str

    @property
    def calls(self) -> list[str]:
        return [call["call"] for call in self.shown["view"]["calls"]] if "view" in self.shown else []

    @property
    def is_forced(self) -> bool:
        """The shaker bid because everybody else had passed."""
        return self.calls[:3] == ["pass"] * 3 and len(self.calls) == 4 and self.calls[3] != "pass"


def test_presets_are_played_to_their_champions(tmp_path: Path) -> None:
    with running_site(tmp_path) as site, httpx.Client(base_url=site.url) as visitor:
        hands: dict[str, list[Stored]] = {}
        for preset, seed in SEEDS.items():
            said = simulate(
                site,
                tmp_path / f"{preset}.json",
                *("--name", preset, "--preset", preset, "--seed", str(seed), "--mix", MIX),
                *("--teams", "4", "--tables", "2", "--kind", SINGLE, "--best-of", "1"),
            )
            rules = fortytwo.preset(preset).ruleset()
            paper = paper_export(4, Habits(seed, rules=rules, mix=Mix.parse(MIX)), kind=SINGLE, best_of=1)
            exported = (tmp_path / f"{preset}.json").read_text()
            assert exported == export_text(paper)
            assert f"Champion: {paper['champion']}, after" in said
            assert "Every team has its losses, every match is closed, the placings agree." in said
            hands[preset] = list(stored_hands(visitor, preset))
        check_timpson(visitor, hands["timpson"])
        check_lechner_house(visitor, hands["lechner-house"])
        check_straight_guide(visitor, hands["straight-guide"])


def check_timpson(visitor: httpx.Client, hands: list[Stored]) -> None:
    plunge = full(hand for hand in hands if hand.shown["bid"].startswith("plunge"))
    view = plunge.shown["view"]
    assert view["tricks"][0]["plays"][0][0] == partner(plunge.shown["declarer"])
    assert max(plunge.shown["marks"].values()) == int(plunge.shown["bid"].removeprefix("plunge"))
    assert re.search(r"plunge \(\d marks\)", page_of(visitor, plunge))
    assert not any(hand.shown["trump"].startswith("nello") for hand in hands)


def check_lechner_house(visitor: httpx.Client, hands: list[Stored]) -> None:
    nello = full(hand for hand in hands if hand.shown["trump"].startswith("nello-"))
    view = nello.shown["view"]
    assert view["sits_out"] == partner(nello.shown["declarer"])
    assert {len(trick["plays"]) for trick in view["tricks"]} == {3}
    page = page_of(visitor, nello)
    assert "Nello, doubles " in page
    assert "sits out" in page
    assert full(hand for hand in hands if hand.shown["bid"].startswith("plunge"))
    assert all(hand.shown["marks"] != {"NS": 0, "EW": 0} for hand in hands)


def check_straight_guide(visitor: httpx.Client, hands: list[Stored]) -> None:
    forced = full(hand for hand in hands if hand.is_forced)
    assert forced.shown["declarer"] == forced.shown["shaker"]
    assert "shook · bid" in page_of(visitor, forced)
    for hand in hands:
        if "view" in hand.shown:
            assert len(hand.shown["view"]["tricks"]) == 7


def stored_hands(visitor: httpx.Client, slug: str) -> Iterator[Stored]:
    matches = visitor.get(f"/api/v1/tournaments/{slug}/matches/").json()["results"]
    assert {match["state"] for match in matches} == {"confirmed"}
    for match in matches:
        for game in visitor.get(f"/api/v1/matches/{match['id']}/games/").json()["games"]:
            for hand in game["hands"]:
                shown = visitor.get(f"/api/v1/hands/{hand['id']}/").json()
                where = f"/t/{slug}/matches/{match['code']}/?hand={game['number']}.{hand['number']}"
                yield Stored(shown, where)


def full(hands: Iterator[Stored]) -> Stored:
    """The first one that was recorded tile by tile."""
    found = next((hand for hand in hands if hand.shown["level"] == "full"), None)
    assert found is not None
    return found


def partner(seat: str) -> str:
    return {"N": "S", "S": "N", "E": "W", "W": "E"}[seat]


def page_of(visitor: httpx.Client, hand: Stored) -> str:
    answer = visitor.get(hand.page)
    assert answer.status_code == 200
    return answer.text
