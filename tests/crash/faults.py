"""Whole events on a site that something befalls: the grounds on which the load-and-fault suite plays.

FAULT_TEAMS is the number of teams (64), FAULT_DAY_TEAMS that of the day of marks only (256): with 16 and 32 every
fault is seen in minutes. Matches are single games but where a test says otherwise.
"""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from deploy.supervisor import Supervisor
from scoring.simulation.export import export_text
from scoring.simulation.plans import Habits, Mix
from tests.crash.harm import Harm
from tests.e2e.simulating import Simulation, site_export
from tests.services.redis import Redis
from tests.serving import manage, own_data
from tests.simulation.paper import paper_export

TEAMS = int(os.environ.get("FAULT_TEAMS", "64"))
DAY_TEAMS = int(os.environ.get("FAULT_DAY_TEAMS", "256"))
ON_POSTGRESQL = bool(os.environ.get("DATABASE_URL"))
MIXED = Mix(88, 10, 2)
AT_MOST = 840.0  # seconds: each fault is a run of its own of less than a quarter of an hour
SLUG = "tried-open"
INVARIANTS = Path(__file__).with_name("invariants.py").read_text()

EMBEDDED = {"DJANGO_SETTINGS_MODULE": "deploy.settings.embedded"}

Mischief = Callable[[Harm, int], None]
"""Does harm while an event is played whose matches it is told the number of."""


@dataclass
class Grounds:
    """A running site, with its data in `folder`; `redis` is its broker where it runs on PostgreSQL."""

    site: Supervisor
    folder: Path
    environment: Mapping[str, str]
    redis: Redis | None

    @property
    def database(self) -> str:
        """The address of the PostgreSQL database; empty for SQLite."""
        return self.environment["DATABASE_URL"]

    def play(self, mischief: Mischief, *, teams: int = TEAMS, mix: Mix = MIXED, best_of: int = 1) -> str:
        """Play an event while the mischief goes on, and see that it is as if nothing had been."""
        export = self.folder / "export.json"
        simulation = Simulation(
            self.site,
            export,
            *("--name", "Tried Open", "--teams", str(teams), "--tables", str(max(4, min(20, teams // 3)))),
            *("--seed", "64", "--mix", f"{mix.marks},{mix.bid},{mix.full}", "--best-of", str(best_of)),
        )
        try:
            harm = Harm(
                self.site,
                self.folder,
                SLUG,
                database=self.database,
                goes_on=lambda: simulation.process.poll() is None,
            )
            # A double elimination of n teams has 2n - 2 matches, and one more where the losers' champion wins.
            mischief(harm, 2 * teams - 2)
            said = simulation.finish(AT_MOST)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{simulation.said}") from error
        finally:
            simulation.kill()
        untroubled = export_text(paper_export(teams, Habits(64, mix=mix), best_of=best_of))
        assert export.read_text() == untroubled
        assert site_export(self.environment, SLUG) == untroubled
        told = manage({**self.environment, "EVENT": SLUG}, "shell", "--verbosity=0", "-c", INVARIANTS)
        assert json.loads(told) == {}
        return said


@contextmanager
def grounds(
    folder: Path,
    *,
    web_processes: int = 1,
    worker_processes: int = 1,
    database: str = "",
    through: Callable[[str], str] = lambda url: url,
    **variables: str,
) -> Iterator[Grounds]:
    """A site on an empty database: SQLite with a broker of files, or PostgreSQL with Redis.

    `database` is one on another server than that of DATABASE_URL; `through` gives the address at which the
    site finds its database, when something stands between.
    """
    folder.mkdir(exist_ok=True)
    with ExitStack() as stack:
        redis = None
        if ON_POSTGRESQL:
            redis = Redis()
            stack.callback(redis.close)
            redis.start()
            variables["BROKER_URL"] = redis.url
        if database:
            environment = {**EMBEDDED, "SEVEN_MARKS_VAR": str(folder), "DATABASE_URL": database, **variables}
            manage(environment, "migrate", "--verbosity=0")
        else:
            environment = stack.enter_context(own_data(folder, **variables))
        site = Supervisor(
            port=0,
            web_processes=web_processes,
            worker_processes=worker_processes,
            environment={**environment, "DATABASE_URL": through(environment["DATABASE_URL"])},
            logs=folder / "log",
            report=lambda line: None,
        )
        stack.callback(site.stop)
        site.start()
        site.wait_ready(120)
        yield Grounds(site, folder, environment, redis)
