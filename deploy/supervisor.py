"""Runs the site's processes: web, Celery worker and beat. One that dies is started again.

The supervisor opens the web socket itself and hands it to its web processes, so that browsers wait a moment
instead of being turned away while a web process is replaced. Children never outlive it: on Linux the kernel
kills them with it.
"""

import http.client
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO

from prometheus_client.multiprocess import mark_process_dead

from deploy import pulse
from deploy.addresses import ANY, LOOPBACK, allowed_hosts, lan_address
from deploy.processes import kill_group, start_child
from deploy.settings.base import VAR_DIR

CALM = 30.0  # seconds of life after which a child's next death counts as its first
PAUSES = (0.1, 0.5, 1.0, 2.0, 5.0, 10.0)  # seconds before a restart, by how often the child died in a row
SILENCE = (
    35.0  # seconds without a finished task after which a worker is taken for stuck; sweeps come every 10
)
LOOK_AROUND = 10.0  # seconds between two looks at the machine's addresses
PATIENCE = 10.0  # seconds that children get to end

CELERY = ("-m", "celery", "-A", "deploy.celery_app", "--quiet")
WORKER = (
    *("worker", "--pool=threads", "--loglevel=WARNING"),
    *("--without-gossip", "--without-mingle", "--without-heartbeat"),
)
BEAT = ("beat", "--loglevel=WARNING", "--pidfile=")

Report = Callable[[str], None]


class SupervisorError(Exception):
    """The site cannot run here; the text says why and what to do."""


class Child:
    """One supervised process; `pulse` where it leaves signs of life."""

    def __init__(
        self, name: str, command: list[str], fds: tuple[int, ...] = (), pulse: "Pulse | None" = None
    ) -> None:
        self.name = name
        self.command = command
        self.fds = fds
        self.pulse = pulse
        self.process: subprocess.Popen[bytes] | None = None
        self.started_at = 0.0
        self.start_at = 0.0
        self.deaths = 0


class Pulse:
    """The file that a worker touches after each task, watched by its changes: clocks may jump."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._last = 0.0
        self._changed_at = 0.0

    def silence(self, started_at: float) -> float:
        """Seconds since the worker that started at `started_at` (monotonic) last ended a task, or since then."""
        with suppress(FileNotFoundError):
            touched = self.path.stat().st_mtime
            if touched != self._last:
                self._last, self._changed_at = touched, time.monotonic()
        return time.monotonic() - max(self._changed_at, started_at)


class Supervisor:
    """Web, worker and beat of one site; several of the first two where asked for.

    `start` opens the port and starts them, `wait_ready` returns once the web answers, `stop` ends them all.
    `environment` adds to this process's; with `logs`, each child writes to a file of its name there instead
    of this process's output.
    """

    def __init__(
        self,
        *,
        host: str = "127.0.0.1",
        port: int = 8000,
        web_processes: int = 1,
        worker_processes: int = 1,
        worker_threads: int = 2,
        environment: Mapping[str, str] | None = None,
        logs: Path | None = None,
        report: Report | None = None,
    ) -> None:
        self.host = host
        self.port = port
        self._web_processes = web_processes
        self._worker_processes = worker_processes
        self._worker_threads = worker_threads
        self.environment = dict(environment or {})
        self._logs = logs
        self._report = report or (lambda line: print(line, file=sys.stderr, flush=True))  # noqa: T201
        self._socket: socket.socket | None = None
        self._children: list[Child] = []
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()
        self._environment: dict[str, str] = {}
        self._hosts: list[str] = []
        self._hosts_seen_at = 0.0
        self._folder = tempfile.TemporaryDirectory(prefix="seven-marks-")

    @property
    def url(self) -> str:
        """The address that people type: the LAN address when the site listens everywhere."""
        host = lan_address() if self.host in ANY else self.host
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"

    @property
    def local_url(self) -> str:
        """The address for programs on this machine."""
        return f"http://127.0.0.1:{self.port}" if self.host in ANY else self.url

    def start(self) -> None:
        """Open the port (0 takes a free one) and start the children; SupervisorError when it is taken."""
        self._socket = _listen(self.host, self.port)
        self.port = self._socket.getsockname()[1]
        self._see_hosts()
        self._children = self._make_children(self._socket.fileno())
        self._stopping.clear()
        # All children are started by one thread that lives as long as they should (see start_child).
        self._thread = threading.Thread(target=self._watch, name="supervisor", daemon=True)
        self._thread.start()

    def wait_ready(self, patience: float = 60.0) -> None:
        """Return once the web answers; SupervisorError when it dies twice first or takes too long."""
        deadline = time.monotonic() + patience
        web = self._children[0]
        while time.monotonic() < deadline:
            if self._answers():
                return
            if web.deaths >= 2:
                raise SupervisorError("The web process does not start; what it wrote says why.")
            time.sleep(0.05)
        raise SupervisorError(f"The site does not answer at {self.local_url} after {patience:.0f} s.")

    def stop(self) -> None:
        """End all children, gently at first, and close the port. Harmless when nothing runs."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def pids(self) -> dict[str, int]:
        """The process number of each child that lives: `web` (`web-2`...), `worker` (`worker-2`...), `beat`."""
        return {
            child.name: child.process.pid
            for child in self._children
            if child.process is not None and child.process.poll() is None
        }

    def __enter__(self) -> "Supervisor":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _site_environment(self) -> dict[str, str]:
        """Where the site listens everywhere, its hosts and links are those of the local network."""
        environment = {
            "PYTHONWARNINGS": "ignore:You're running the worker with superuser",
            "DJANGO_SETTINGS_MODULE": os.environ.get("DJANGO_SETTINGS_MODULE", "deploy.settings.embedded"),
        }
        if self.host in ANY:
            hosts = [*filter(None, os.environ.get("ALLOWED_HOSTS", "").split(",")), *self._hosts]
            origins = [*filter(None, os.environ.get("CSRF_TRUSTED_ORIGINS", "").split(","))]
            environment |= {
                "ALLOWED_HOSTS": ",".join(hosts),
                "CSRF_TRUSTED_ORIGINS": ",".join(
                    [*origins, *(f"http://{host}:{self.port}" for host in hosts)]
                ),
                "PUBLIC_BASE_URL": os.environ.get("PUBLIC_BASE_URL") or self.url,
                "LAN_ADDRESSES": ",".join(
                    f"http://{host}:{self.port}" for host in self._hosts if host not in LOOPBACK
                ),
            }
        return environment

    def _make_children(self, fd: int) -> list[Child]:
        python = sys.executable
        signs = self._signs()
        worker = [python, *CELERY, *WORKER, f"--concurrency={self._worker_threads}"]
        serve = [python, "-m", "deploy.serve", "--fd", str(fd)]
        return [
            *(Child(name, serve, (fd,)) for name in _names("web", self._web_processes)),
            *(
                Child(name, [*worker, f"--hostname={name}@%h"], pulse=Pulse(signs / name))
                for name in _names("worker", self._worker_processes)
            ),
            Child("beat", [python, *CELERY, *BEAT]),
        ]

    def _signs(self) -> Path:
        """The folder of signs of life, in the site's data folder; made here, so that trouble is told at once."""
        folder = Path(self._environment.get("SEVEN_MARKS_VAR") or VAR_DIR) / "pulse"
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SupervisorError(
                f"Cannot write to {folder}: {error.strerror}. Set SEVEN_MARKS_VAR to a folder that can be written."
            ) from None
        return folder

    def _watch(self) -> None:
        try:
            while not self._stopping.is_set():
                for child in self._children:
                    self._look_after(child)
                self._follow_network()
                self._stopping.wait(0.1)
        finally:
            self._end_children()

    def _see_hosts(self) -> None:
        self._hosts = allowed_hosts()
        self._hosts_seen_at = time.monotonic()
        self._environment = {
            **os.environ,
            **self._site_environment(),
            **self._shared_figures(),
            **self.environment,
        }

    def _shared_figures(self) -> dict[str, str]:
        """Several web processes answer at one port: their figures must add up, whichever of them is asked."""
        if self._web_processes == 1:
            return {}
        folder = Path(self._folder.name) / "metrics"
        folder.mkdir(exist_ok=True)
        return {"PROMETHEUS_MULTIPROC_DIR": str(folder)}

    def _follow_network(self) -> None:
        """A laptop that changes its network gets another address: the web processes must hear of it."""
        if self.host not in ANY or time.monotonic() - self._hosts_seen_at < LOOK_AROUND:
            return
        before = self._hosts
        self._see_hosts()
        if self._hosts != before:
            self._report(f"The network changed: the site is at {self.url} now.")
            for child in self._children:
                if child.name.startswith("web") and child.process is not None:
                    child.process.terminate()

    def _look_after(self, child: Child) -> None:
        now = time.monotonic()
        if child.process is None:
            if now >= child.start_at:
                self._launch(child)
        elif child.pulse is not None and child.pulse.silence(child.started_at) > SILENCE:
            self._report(f"{child.name} takes no work for {SILENCE:.0f} s; starting it again.")
            kill_group(child.process)
            child.process, child.start_at = None, now
        elif child.process.poll() is not None:
            kill_group(child.process)
            if now - child.started_at > CALM:
                child.deaths = 0
            pause = PAUSES[min(child.deaths, len(PAUSES) - 1)]
            child.deaths += 1
            self._report(
                f"{child.name} ended ({_how(child.process.returncode)}); starting it again in {pause} s."
            )
            self._forget_figures(child.process.pid)
            child.process = None
            child.start_at = now + pause

    def _forget_figures(self, pid: int) -> None:
        """The open streams of a process that died are open no more."""
        if folder := self._environment.get("PROMETHEUS_MULTIPROC_DIR"):
            mark_process_dead(pid, folder)  # type: ignore[no-untyped-call]

    def _launch(self, child: Child) -> None:
        output = self._log_of(child)
        try:
            child.process = start_child(
                child.command,
                env={**self._environment, pulse.NAME: child.name},
                cwd=Path(__file__).resolve().parent.parent,
                output=output,
                pass_fds=child.fds,
            )
            child.started_at = time.monotonic()
        finally:
            if output is not None:
                output.close()

    def _log_of(self, child: Child) -> IO[bytes] | None:
        if self._logs is None:
            return None
        self._logs.mkdir(parents=True, exist_ok=True)
        return (self._logs / f"{child.name}.log").open("ab")

    def _end_children(self) -> None:
        running = [child.process for child in self._children if child.process is not None]
        for process in running:
            with suppress(ProcessLookupError):
                process.send_signal(signal.SIGTERM)
        deadline = time.monotonic() + PATIENCE
        for process in running:
            with suppress(subprocess.TimeoutExpired):
                process.wait(max(0.0, deadline - time.monotonic()))
            kill_group(process)
        for child in self._children:
            child.process = None

    def _answers(self) -> bool:
        connection = http.client.HTTPConnection(
            "127.0.0.1" if self.host in ANY else self.host, self.port, timeout=10
        )
        try:
            connection.request("HEAD", "/")
            connection.getresponse()
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()
        return True


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(2048)
    except OSError as error:
        listener.close()
        raise SupervisorError(
            f"Cannot listen on {host} port {port}: {error.strerror}. Choose another, such as PORT={port + 1}."
        ) from None
    return listener


def _names(kind: str, count: int) -> list[str]:
    return [kind if number == 1 else f"{kind}-{number}" for number in range(1, count + 1)]


def _how(status: int) -> str:
    return f"killed by {signal.Signals(-status).name}" if status < 0 else f"exit status {status}"
