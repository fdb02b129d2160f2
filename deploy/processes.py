"""Child processes that end with their parent, and ports: for the supervisor and for the services of tests."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import IO

_LEASH = Path(__file__).with_name("leash.py")


def start_child(
    command: Sequence[str],
    *,
    env: Mapping[str, str] | None = None,
    cwd: Path | str | None = None,
    output: IO[bytes] | None = None,
    death_signal: int = signal.SIGKILL,
    user: str = "",
    pass_fds: Collection[int] = (),
) -> subprocess.Popen[bytes]:
    """Start `command` in a session of its own, so that Ctrl-C reaches the parent alone.

    On Linux the kernel sends it `death_signal` when the calling thread ends, however it ends; so call this
    from a thread that lives as long as the child should. `user` drops root's rights.
    """
    return subprocess.Popen(
        [sys.executable, "-I", "-S", str(_LEASH), str(os.getpid()), str(int(death_signal)), user, *command],
        env=env,
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT if output is not None else None,
        start_new_session=True,
        pass_fds=pass_fds,
    )


def stop_child(
    child: subprocess.Popen[bytes], *, gentle: int = signal.SIGTERM, patience: float = 10.0
) -> None:
    """Ask the child to end, and kill what is left of its group after `patience` seconds."""
    if child.poll() is None:
        child.send_signal(gentle)
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(patience)
    kill_group(child)


def kill_group(child: subprocess.Popen[bytes]) -> None:
    """Kill the child and everything it started in its session."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()


def free_port(host: str = "127.0.0.1") -> int:
    """A TCP port that nobody listened on a moment ago."""
    with socket.socket() as probe:
        probe.bind((host, 0))
        port: int = probe.getsockname()[1]
        return port


def wait_for_port(host: str, port: int, *, child: subprocess.Popen[bytes], patience: float) -> bool:
    """True once `host:port` accepts; False when the child ends or `patience` seconds pass first."""
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline and child.poll() is None:
        try:
            socket.create_connection((host, port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return True
    return False
