"""The site's own server in a thread, and the whole site in processes."""

import atexit
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from deploy.front.app import Front
from deploy.serve import Server, make_server
from deploy.supervisor import Supervisor

ROOT = Path(__file__).resolve().parent.parent


@dataclass
class Running:
    """A served front."""

    url: str
    front: Front
    server: Server
    thread: threading.Thread


@contextmanager
def running(front: Front) -> Iterator[Running]:
    """Serve `front` on a free port in a thread until the block ends."""
    server = make_server(front)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive()
            time.sleep(0.005)
        port = server.servers[0].sockets[0].getsockname()[1]
        yield Running(f"http://127.0.0.1:{port}", front, server, thread)
    finally:
        server.should_exit = True
        thread.join(10)
        assert not thread.is_alive()


@contextmanager
def running_site(folder: Path, *, broker_url: str = "", **variables: str) -> Iterator[Supervisor]:
    """Web, worker and beat as `manage.py run` starts them, on an empty database of their own.

    Each process writes to a file in `folder/log`. Kill what `pids()` names; `manage(site.environment, ...)`
    runs a command on the same data.
    """
    with own_data(folder, **({"BROKER_URL": broker_url} if broker_url else {}), **variables) as environment:
        site = Supervisor(port=0, environment=environment, logs=folder / "log", report=lambda line: None)
        try:
            site.start()
            site.wait_ready()
            yield site
        finally:
            site.stop()


@contextmanager
def own_data(
    folder: Path, *, server: str | None = None, root: Path = ROOT, **variables: str
) -> Iterator[dict[str, str]]:
    """The environment of the embedded site with an empty, migrated database of its own.

    The database is SQLite in `folder`, or a new one on the server of DATABASE_URL; `server` says otherwise.
    Its tables are those of the checkout at `root`.
    """
    server = os.environ.get("DATABASE_URL", "") if server is None else server
    environment = {"DJANGO_SETTINGS_MODULE": "deploy.settings.embedded", "SEVEN_MARKS_VAR": str(folder)}
    if not server:
        shutil.copy(_migrated_file(root), folder / "seven-marks.sqlite3")
        yield {**environment, "DATABASE_URL": "", **variables}
        return
    name = f"site_{secrets.token_hex(6)}"
    template = _migrated_template(server, root)
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        try:
            yield {**environment, "DATABASE_URL": _on_server(server, name), **variables}
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def manage(environment: dict[str, str], *arguments: str, root: Path = ROOT) -> str:
    """Run `manage.py` with the variables added; returns its output, fails with it."""
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=root,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@cache
def _migrated_file(root: Path) -> Path:
    """An empty database, migrated once for all tests of this process."""
    folder = Path(tempfile.mkdtemp(prefix="seven-marks-empty-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    environment = {"DJANGO_SETTINGS_MODULE": "deploy.settings.embedded", "SEVEN_MARKS_VAR": str(folder)}
    manage({**environment, "DATABASE_URL": ""}, "migrate", "--verbosity=0", root=root)
    return folder / "seven-marks.sqlite3"


@cache
def _migrated_template(server: str, root: Path) -> str:
    """The same on PostgreSQL: a database to copy."""
    name = f"empty_{secrets.token_hex(6)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    settings = {"DJANGO_SETTINGS_MODULE": "deploy.settings.test", "DATABASE_URL": _on_server(server, name)}
    manage(settings, "migrate", "--verbosity=0", root=root)
    return name


def _on_server(server: str, name: str) -> str:
    return urlsplit(server)._replace(path=f"/{name}").geturl()
