"""The site's own server in a thread, and the whole site in processes."""

import os
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
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

    It is SQLite in `folder`, or a new database of the server of DATABASE_URL. Each process writes to a file in
    `folder/log`. Kill what `pids()` names.
    """
    with _own_database() as database:
        environment = {
            "DJANGO_SETTINGS_MODULE": "deploy.settings.embedded",
            "SEVEN_MARKS_VAR": str(folder),
            "DATABASE_URL": database,
            **({"BROKER_URL": broker_url} if broker_url else {}),
            **variables,
        }
        manage(environment, "migrate", "--verbosity=0")
        site = Supervisor(port=0, environment=environment, logs=folder / "log", report=lambda line: None)
        try:
            site.start()
            site.wait_ready()
            yield site
        finally:
            site.stop()


def manage(environment: dict[str, str], *arguments: str) -> str:
    """Run `manage.py` with the variables added; returns its output, fails with it."""
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@contextmanager
def _own_database() -> Iterator[str]:
    """The address of a new database on the server of DATABASE_URL, or an empty text for SQLite."""
    server = os.environ.get("DATABASE_URL", "")
    if not server:
        yield ""
        return
    name = f"site_{secrets.token_hex(6)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        try:
            yield urlsplit(server)._replace(path=f"/{name}").geturl()
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
