"""Runs rounds: each in a process of its own, on data of its own, with the code of one checkout."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg

from tests.bench.figures import Figure
from tests.bench.machine import load
from tests.bench.site import WEB_PROCESSES
from tests.services.postgresql import PostgreSQL
from tests.serving import ROOT, own_data

NOT_COPIED = (".git", ".venv", ".boot", "var", "build", "tests", "node_modules", "__pycache__")
SETTINGS = "tests.bench.settings"


@dataclass(frozen=True)
class Measured:
    """One round: where, what, and the load average before and after."""

    section: str
    database: str
    checkout: Path
    figures: list[Figure]
    load: tuple[float, float]


class RoundFailedError(Exception):
    """A round ended without figures; the text says which."""


class Bench:
    """Use as a context manager. It starts PostgreSQL when the first round needs it."""

    def __init__(self, *, web_processes: int) -> None:
        self._web_processes = web_processes
        self._running = ExitStack()
        self._server = os.environ.get("DATABASE_URL", "")
        self._copies: dict[Path, Path] = {}
        self._compiled = ""

    def __enter__(self) -> Bench:
        return self

    def __exit__(self, *_: object) -> None:
        self._running.close()

    @property
    def postgresql(self) -> str:
        """Version of the PostgreSQL that rounds ran on; "" when none did."""
        if not self._server:
            return ""
        with psycopg.connect(self._server) as connection:
            row = connection.execute("SHOW server_version").fetchone()
        return str(row[0]) if row else ""

    def run(self, section: str, database: str, checkout: Path) -> Measured:
        """One round of a section; RoundFailedError when it does not end well."""
        before, root = load(), self._folder(checkout)
        with (
            tempfile.TemporaryDirectory(prefix="seven-marks-bench-") as folder,
            self._data(database, Path(folder), root) as environment,
        ):
            figures = self._measure(section, root, environment, Path(folder) / "figures.json")
        return Measured(section, database, checkout, figures, (before, load()))

    def _measure(self, section: str, root: Path, environment: dict[str, str], target: Path) -> list[Figure]:
        done = subprocess.run(
            [sys.executable, "-m", "tests.bench.one_round", section, str(target)],
            cwd=root,
            env={**self._plain(), **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        if done.returncode != 0 or not target.exists():
            raise RoundFailedError(f"{section} in {root}:\n{done.stdout[-2000:]}{done.stderr[-4000:]}")
        return [Figure(**figure) for figure in json.loads(target.read_text())]

    @contextmanager
    def _data(self, database: str, folder: Path, root: Path) -> Iterator[dict[str, str]]:
        """The environment that names an empty, migrated database; empty for a section without one."""
        if not database:
            yield {}
            return
        server = self._postgresql() if database == "postgresql" else ""
        with own_data(folder, server=server, root=root) as environment:
            yield {**environment, "DJANGO_SETTINGS_MODULE": SETTINGS}

    def _postgresql(self) -> str:
        if not self._server:
            server = PostgreSQL(durable=True)
            self._running.callback(server.stop)
            server.start()
            self._server = server.url
        return self._server

    def _plain(self) -> dict[str, str]:
        """Our environment, with compiled modules kept for the next round: starting costs less then."""
        if not self._compiled:
            self._compiled = self._temporary()
        dropped = {"DATABASE_URL", "PYTHONDONTWRITEBYTECODE"}
        kept = {name: value for name, value in os.environ.items() if name not in dropped}
        return {
            **kept,
            "PYTHONPYCACHEPREFIX": self._compiled,
            WEB_PROCESSES: str(self._web_processes),
        }

    def _folder(self, checkout: Path) -> Path:
        """Where to run: a copy of another checkout with our `tests`, so that both are measured alike."""
        if checkout == ROOT:
            return ROOT
        if checkout not in self._copies:
            copy = Path(self._temporary()) / "checkout"
            shutil.copytree(checkout, copy, ignore=shutil.ignore_patterns(*NOT_COPIED))
            shutil.copytree(ROOT / "tests", copy / "tests")
            self._copies[checkout] = copy
        return self._copies[checkout]

    def _temporary(self) -> str:
        return self._running.enter_context(tempfile.TemporaryDirectory(prefix="seven-marks-bench-"))
