"""A whole event through REST on a running site: web, worker and beat in processes of their own."""

from pathlib import Path

import pytest

from scoring.simulation.export import export_text
from scoring.simulation.plans import Habits, Mix
from tests.e2e.simulating import simulate, site_export
from tests.serving import running_site
from tests.simulation.paper import DOUBLE, SINGLE, paper_export

SLUG = "simulated-championship"
pytestmark = pytest.mark.timeout(300)


@pytest.mark.database
def test_sixteen_teams_at_all_levels(tmp_path: Path) -> None:
    """The result is the one on paper, to the byte, as REST shows it and as the database holds it."""
    with running_site(tmp_path) as site:
        said = simulate(
            site,
            tmp_path / "export.json",
            *("--teams", "16", "--tables", "6", "--best-of", "1", "--seed", "10"),
            *("--mix", "70,22,8", "--disputes", "0.2", "--slips", "0.4"),
        )
        stored = site_export(site.environment, SLUG)
    paper = paper_export(16, Habits(10, mix=Mix(70, 22, 8)), kind=DOUBLE, best_of=1)
    assert (tmp_path / "export.json").read_text() == stored == export_text(paper)
    assert f"Champion: {paper['champion']}, after" in said
    assert "Every team has its losses, every match is closed, the placings agree." in said
    assert "must_follow" in said
    assert "though they were right" not in said


def test_single_elimination_for_five_teams(tmp_path: Path) -> None:
    with running_site(tmp_path) as site:
        simulate(
            site,
            tmp_path / "export.json",
            *("--teams", "5", "--tables", "2", "--kind", SINGLE, "--third-place", "--mix", "100,0,0"),
        )
        stored = site_export(site.environment, SLUG)
    paper = paper_export(5, Habits(1, mix=Mix(100, 0, 0)), kind=SINGLE, third_place=True)
    assert (tmp_path / "export.json").read_text() == stored == export_text(paper)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_the_size_of_a_state_championship(tmp_path: Path) -> None:
    with running_site(tmp_path) as site:
        said = simulate(site, tmp_path / "export.json", "--teams", "147", "--tables", "40")
        stored = site_export(site.environment, SLUG)
    assert (tmp_path / "export.json").read_text() == stored == export_text(paper_export(147, Habits(1)))
    assert "Every team has its losses, every match is closed, the placings agree." in said
