"""The site's processes: started together, replaced when they die, gone when their supervisor is."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from deploy.supervisor import Child, Supervisor, SupervisorError
from tests.serving import ROOT, running_site

pytestmark = pytest.mark.timeout(300)  # whole processes start here, also on a busy machine

LOGIN = "/admin/login/"


def test_children_that_are_killed_are_replaced(tmp_path: Path) -> None:
    with running_site(tmp_path) as site:
        before = site.pids()
        assert set(before) == {"web", "worker", "beat"}
        for pid in before.values():
            os.kill(pid, signal.SIGKILL)
        # The socket outlives the web process: this request waits for the next one.
        assert httpx.get(site.url + LOGIN, timeout=30).status_code < 400
        _wait_until(lambda: set(site.pids()) == set(before))
        assert not set(site.pids().values()) & set(before.values())
        port = site.port
    assert site.pids() == {}
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", port)) != 0


def test_taken_port_is_one_clear_sentence() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(
            SupervisorError, match=f"Cannot listen on 127.0.0.1 port {port}: Address already in use"
        ):
            Supervisor(port=port).start()


def test_web_that_cannot_start_is_said_so() -> None:
    said: list[str] = []
    site = Supervisor(port=0, environment={"DJANGO_SETTINGS_MODULE": "nowhere"}, report=said.append)
    try:
        site.start()
        with pytest.raises(SupervisorError, match="does not start"):
            site.wait_ready(30)
    finally:
        site.stop()
    assert any(
        re.fullmatch(r"web ended \(exit status 1\); starting it again in 0.1 s\.", line) for line in said
    )


def test_listening_everywhere_names_the_lan_address(monkeypatch: pytest.MonkeyPatch) -> None:
    addresses = ["192.0.2.7"]
    monkeypatch.setattr("deploy.supervisor.lan_address", lambda: addresses[0])
    monkeypatch.setattr("deploy.supervisor.allowed_hosts", lambda: ["localhost", *addresses, "laptop.local"])
    monkeypatch.setattr("deploy.supervisor.LOOK_AROUND", 0.1)
    monkeypatch.setenv("ALLOWED_HOSTS", "hall.example")
    said: list[str] = []
    site = Supervisor(host="0.0.0.0", port=0, report=said.append)
    site._make_children = lambda fd: [Child("web", ["sleep", "60"])]  # type: ignore[method-assign]
    with site:
        _wait_until(lambda: bool(site.pids()))
        told = _environment(site.pids()["web"])
        port = site.port
        assert site.local_url == f"http://127.0.0.1:{port}"
        assert told["ALLOWED_HOSTS"] == "hall.example,localhost,192.0.2.7,laptop.local"
        assert f"http://192.0.2.7:{port}" in told["CSRF_TRUSTED_ORIGINS"].split(",")
        assert told["PUBLIC_BASE_URL"] == f"http://192.0.2.7:{port}"
        assert told["LAN_ADDRESSES"] == f"http://192.0.2.7:{port},http://laptop.local:{port}"

        addresses[0] = "198.51.100.9"  # another network
        _wait_until(lambda: len(said) == 2 and bool(site.pids()))
        assert said[0] == f"The network changed: the site is at http://198.51.100.9:{port} now."
        assert _environment(site.pids()["web"])["PUBLIC_BASE_URL"] == f"http://198.51.100.9:{port}"


@pytest.fixture
def run(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """`manage.py run` on a free port, ready."""
    environment = {
        **os.environ,
        "SEVEN_MARKS_VAR": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "deploy.settings.embedded",
    }
    environment.pop("DATABASE_URL", None)
    process = subprocess.Popen(
        [sys.executable, "manage.py", "run", "--port", "0"],
        cwd=ROOT,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    yield process
    process.kill()
    process.wait()


def test_run_stops_cleanly_though_a_connection_is_open(run: subprocess.Popen[str]) -> None:
    url = _address(run)
    port = int(url.rsplit(":", 1)[1])
    children = _children(run.pid)
    assert len(children) == 3
    with socket.create_connection(("127.0.0.1", port)) as stream:
        stream.sendall(b"GET /static/admin/css/base.css HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert stream.recv(12) == b"HTTP/1.1 200"
        started = time.monotonic()
        run.send_signal(signal.SIGTERM)
        assert run.wait(15) == 0
    assert time.monotonic() - started < 8
    assert [pid for pid in children if _lives(pid)] == []


def test_children_end_with_a_supervisor_that_is_killed(run: subprocess.Popen[str]) -> None:
    _address(run)
    children = _children(run.pid)
    assert len(children) == 3
    run.kill()
    _wait_until(lambda: not any(_lives(pid) for pid in children), 3)


def _environment(pid: int) -> dict[str, str]:
    """The variables that a process was started with."""
    told = Path(f"/proc/{pid}/environ").read_bytes().decode().split("\0")
    return dict(line.split("=", 1) for line in told if "=" in line)


def _address(run: subprocess.Popen[str]) -> str:
    """The address that it prints once it is ready."""
    assert run.stdout is not None
    lines = []
    for line in run.stdout:
        lines.append(line)
        if found := re.search(r"runs at (\S+)", line):
            return found[1]
    raise AssertionError("".join(lines))


def _children(parent: int) -> list[int]:
    pids = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]
    return [pid for pid in pids if _state_and_parent(pid)[1:] == (str(parent),)]


def _lives(pid: int) -> bool:
    return _state_and_parent(pid)[0] not in {"", "Z"}


def _state_and_parent(pid: int) -> tuple[str, ...]:
    """The letter of its state and its parent's number; empty texts for a process that is gone."""
    try:
        told = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ("", "")
    return tuple(told.rsplit(")", 1)[1].split()[:2])


def _wait_until(condition: Callable[[], bool], patience: float = 20) -> None:
    deadline = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)
