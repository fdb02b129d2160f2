"""Processes are killed, the broker is away, the recorder is started anew: the event is the same to the byte."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.supervisor import Supervisor
from scoring.simulation.export import export_text
from scoring.simulation.plans import Habits, Mix
from tests.crash.harm import Harm
from tests.e2e.simulating import Simulation, simulate, site_export
from tests.services.redis import Redis
from tests.serving import manage, running_site
from tests.simulation.paper import paper_export

SMALL = ("--teams", "4", "--tables", "2", "--best-of", "1", "--mix", "70,30,0", "--seed", "5")
SLOWLY = ("--speed", "1", "--pace", "0.7")
MEDDLE = Path(__file__).with_name("meddle.py")
pytestmark = pytest.mark.timeout(300)


def small_on_paper() -> str:
    """Undisturbed runs are equal to this, as the tests of whole events say."""
    return export_text(paper_export(4, Habits(5, mix=Mix(70, 30, 0)), best_of=1))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("site")


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[Supervisor]:
    with running_site(folder, DATABASE_URL="") as site:
        yield site


def test_worker_killed_in_a_task_and_web_killed(site: Supervisor, folder: Path, tmp_path: Path) -> None:
    simulation = Simulation(site, tmp_path / "export.json", *SMALL, *SLOWLY, "--name", "Killed")
    harm = Harm(site, folder, "killed")
    harm.wait_for(2)
    harm.kill_worker_in_a_task()
    harm.kill("web")
    simulation.finish()
    assert (tmp_path / "export.json").read_text() == small_on_paper()
    assert site_export(site.environment, "killed") == small_on_paper()


def test_recorder_started_anew(site: Supervisor, folder: Path, tmp_path: Path) -> None:
    first = Simulation(site, tmp_path / "never.json", *SMALL, *SLOWLY, "--name", "Anew")
    Harm(site, folder, "anew").wait_for(3)
    first.kill()
    simulate(site, tmp_path / "export.json", *SMALL, "--resume", "anew")
    assert (tmp_path / "export.json").read_text() == small_on_paper()


def test_somebody_else_writes_too(site: Supervisor, folder: Path, tmp_path: Path) -> None:
    """Other marks for the first game of a match: the desk enters what was planned, and the event goes on."""
    simulation = Simulation(site, tmp_path / "export.json", *SMALL, *SLOWLY, "--name", "Meddled")
    Harm(site, folder, "meddled").wait_for(1)
    code = manage(site.environment, "shell", "--verbosity=0", "-c", MEDDLE.read_text()).strip()
    said = simulation.finish()
    assert f"Entered at the desk because somebody else wrote: {code}." in said
    assert (tmp_path / "export.json").read_text() == small_on_paper()


@pytest.mark.redis
@pytest.mark.timeout(300)
def test_redis_stopped_for_a_while(redis_server: Redis, tmp_path: Path) -> None:
    """While the broker is away every write is taken; when it is back, what waited moves on."""
    folder = tmp_path / "site"
    folder.mkdir()
    with running_site(folder, broker_url=redis_server.url, DATABASE_URL="") as site:
        simulation = Simulation(site, tmp_path / "export.json", *SMALL, *SLOWLY)
        harm = Harm(site, folder, "simulated-championship")
        harm.wait_for(2)
        redis_server.stop()
        time.sleep(6)
        redis_server.start()
        simulation.finish()
    assert (tmp_path / "export.json").read_text() == small_on_paper()
