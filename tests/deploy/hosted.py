"""The files of the hosted shape as values: units with their commands, and the environment of the example."""

import json
import os
import re
import shlex
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from deploy.processes import free_port, start_child, stop_child
from tests.e2e.simulating import wait_until
from tests.services.caddy import find_caddy
from tests.serving import ROOT, manage

HOSTED = ROOT / "deploy" / "hosted"


@dataclass(frozen=True)
class Unit:
    """A service of systemd: what it starts, and the variables that it adds."""

    name: str
    command: list[str]
    environment: dict[str, str]

    def started_as(self, instance: str) -> list[str]:
        """The command of one instance, as systemd would fill it in."""
        return [word.replace("%i", instance).replace("%H", "host") for word in self.command]


def units() -> list[Unit]:
    """Every service, by name."""
    return [_unit(path) for path in sorted((HOSTED / "systemd").glob("*.service"))]


def example_environment(folder: Path) -> dict[str, str | None]:
    """The example with its blanks filled in and its data in `folder`."""
    lines = (HOSTED / ".env.example").read_text().splitlines()
    named = dict(line.split("=", 1) for line in lines if re.match(r"[A-Z_]+=", line))
    return {
        **named,
        "SECRET_KEY": "Jq3-fW8_zN5vR2xK7mB4tY9hL6cD1gS0pQwErTyUiOaSdFgHjK",
        "SEVEN_MARKS_VAR": str(folder),
        "SNAPSHOT_DIR": str(folder / "snapshots"),
    }


def _unit(path: Path) -> Unit:
    text = path.read_text()
    found = re.search(r"^ExecStart=(.*)$", text, re.M)
    assert found, path
    environment = dict(line.split("=", 1) for line in re.findall(r"^Environment=(.*)$", text, re.M))
    return Unit(path.name, shlex.split(found[1]), environment)


class HostedSite:
    """PostgreSQL and Redis are there; this starts the units' commands and the proxy, and starts again what ends.

    Each process writes to a file of its name in `folder/log`. `notified` is what the units told systemd.
    """

    def __init__(self, folder: Path, *, database: str, broker: str) -> None:
        self.folder = folder
        self.ports = {name: free_port() for name in ("web-1", "web-2", "proxy")}
        self.url = f"http://127.0.0.1:{self.ports['proxy']}"
        self.environment: dict[str, str] = {
            **{name: value for name, value in example_environment(folder).items() if value is not None},
            "DATABASE_URL": database,
            "BROKER_URL": broker,
            "PUBLIC_BASE_URL": self.url,
            "HTTPS": "0",  # a certificate needs a name that the world can ask for
            "SITE_ADDRESS": f"http://:{self.ports['proxy']}",
            "WEB_UPSTREAMS": " ".join(f"127.0.0.1:{self.ports[name]}" for name in ("web-1", "web-2")),
            "XDG_DATA_HOME": str(folder / "caddy"),
            "XDG_CONFIG_HOME": str(folder / "caddy"),
        }
        self.notified: dict[str, set[str]] = {}
        self._children: dict[str, subprocess.Popen[bytes]] = {}
        self._sockets: dict[str, socket.socket] = {}
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="hosted site")

    def start(self) -> None:
        """Start everything and wait until the proxy passes on what both web processes answer."""
        (self.folder / "log").mkdir(parents=True, exist_ok=True)
        manage(self.environment, "prepare")
        self._thread.start()
        wait_until(lambda: all(self._answers(port) for port in self.ports.values()), 120)

    def stop(self) -> None:
        """End everything."""
        self._stopping.set()
        self._thread.join()
        for outlet in self._sockets.values():
            outlet.close()

    def kill(self, name: str) -> None:
        """Kill a process as it is; the next look starts it again, as systemd would after a second."""
        self._children[name].kill()

    def log(self, name: str) -> list[dict[str, Any]]:
        """The lines of a process that are JSON."""
        lines = (self.folder / "log" / f"{name}.log").read_text().splitlines()
        return [json.loads(line) for line in lines if line.startswith("{")]

    def _commands(self) -> dict[str, tuple[list[str], dict[str, str]]]:
        by_name = {unit.name: unit for unit in units()}
        web, worker = by_name["seven-marks-web@.service"], by_name["seven-marks-worker@.service"]
        beat = by_name["seven-marks-beat.service"]
        commands: dict[str, tuple[list[str], dict[str, str]]] = {
            **{name: (web.started_as(str(self.ports[name])), web.environment) for name in ("web-1", "web-2")},
            **{
                f"worker-{number}": (
                    worker.started_as(number),
                    {name: value.replace("%i", number) for name, value in worker.environment.items()},
                )
                for number in ("1", "2")
            },
            "beat": (beat.started_as(""), beat.environment),
        }
        proxy = [find_caddy(), "run", "--config", str(HOSTED / "Caddyfile"), "--adapter", "caddyfile"]
        return {
            **{name: ([sys.executable, *command[1:]], extra) for name, (command, extra) in commands.items()},
            "proxy": (proxy, {}),
        }

    def _watch(self) -> None:
        """One thread starts all children, since the kernel ends them with it."""
        commands = self._commands()
        try:
            while not self._stopping.wait(0.2):
                for name, (command, extra) in commands.items():
                    child = self._children.get(name)
                    if child is None or child.poll() is not None:
                        if child is not None:
                            self._stopping.wait(1)
                        self._children[name] = self._launch(name, command, extra)
                    self._hear(name)
        finally:
            for child in self._children.values():
                child.terminate()
            for child in self._children.values():
                stop_child(child)

    def _launch(self, name: str, command: list[str], extra: dict[str, str]) -> "subprocess.Popen[bytes]":
        if name not in self._sockets:
            self._sockets[name] = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
            self._sockets[name].bind(str(self.folder / f"{name}.sock"))
        with (self.folder / "log" / f"{name}.log").open("ab") as log:
            return start_child(
                command,
                env={
                    **os.environ,
                    **self.environment,
                    **extra,
                    "NOTIFY_SOCKET": str(self.folder / f"{name}.sock") if name != "proxy" else "",
                },
                cwd=ROOT,
                output=log,
            )

    def _hear(self, name: str) -> None:
        with suppress(BlockingIOError):
            while True:
                self.notified.setdefault(name, set()).add(self._sockets[name].recv(200).decode())

    def _answers(self, port: int) -> bool:
        try:
            return httpx.get(f"http://127.0.0.1:{port}/readyz", timeout=5).status_code == 200
        except httpx.TransportError:
            return False
