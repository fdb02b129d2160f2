"""`manage.py simulate_tournament` beside a running site, as a process of its own."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from deploy.supervisor import Supervisor
from tests.serving import ROOT, manage

AT_MOST = 900.0  # seconds


class Simulation:
    """A simulation that was started; `finish` returns what it printed once it ended well."""

    def __init__(self, site: Supervisor, export: Path, *arguments: str) -> None:
        self.export = export
        self._log = export.with_suffix(".log")
        command = [sys.executable, "manage.py", "simulate_tournament", "--base-url", site.url]
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(
                [*command, "--speed", "max", "--export", str(export), *arguments],
                cwd=ROOT,
                env={**os.environ, **site.environment},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    @property
    def said(self) -> str:
        return self._log.read_text()

    def finish(self, patience: float = AT_MOST) -> str:
        try:
            status = self.process.wait(patience)
        finally:
            self.kill()
        assert status == 0, self.said
        return self.said

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


def simulate(site: Supervisor, export: Path, *arguments: str) -> str:
    """Play a whole event; what was printed."""
    return Simulation(site, export, *arguments).finish()


def site_export(environment: Mapping[str, str], slug: str) -> str:
    """The canonical export as the site itself writes it."""
    code = (
        "import sys; from tournaments.models import Tournament; "
        "from tournaments.selectors.export import canonical_export; "
        f"sys.stdout.write(canonical_export(Tournament.objects.get(slug={slug!r})))"
    )
    return manage(dict(environment), "shell", "--verbosity=0", "-c", code)


def wait_until(condition: Callable[[], bool], patience: float = 60.0) -> None:
    deadline = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)
