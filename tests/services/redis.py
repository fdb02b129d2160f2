"""A Redis or Valkey server of our own: random port on 127.0.0.1, append-only file in a temporary folder."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from deploy.processes import free_port, kill_group, start_child, stop_child, wait_for_port
from tests.services.apt import find_or_install
from tests.services.missing import ServiceMissingError


class Redis:
    """One server; after `stop`, `start` brings it back on the same port with what it held.

    `close` removes its data too.
    """

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="seven-marks-redis-"))
        self._child: subprocess.Popen[bytes] | None = None
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Start the server and wait until it accepts; ServiceMissingError when it cannot be had."""
        options = {
            "port": str(self.port),
            "bind": "127.0.0.1",
            "dir": str(self._folder),
            "save": "",
            "appendonly": "yes",
            "appendfsync": "everysec",
        }
        command = [find_redis()]
        for name, value in options.items():
            command += [f"--{name}", value]
        with (self._folder / "log").open("ab") as log:
            self._child = start_child(command, cwd=self._folder, output=log)
        if not wait_for_port("127.0.0.1", self.port, child=self._child, patience=20):
            self.stop()
            raise ServiceMissingError(f"Redis does not start on port {self.port}")

    def stop(self) -> None:
        """Stop the server and keep its data; harmless when it is not running."""
        if self._child is not None:
            stop_child(self._child)
            self._child = None

    def kill(self) -> None:
        """Kill the server as it is; what it had not written in the last second is lost."""
        if self._child is not None:
            kill_group(self._child)
            self._child = None

    def close(self) -> None:
        """Stop the server and remove its data."""
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)


def find_redis() -> str:
    """The server's binary, installed if need be."""
    return os.environ.get("REDIS_SERVER") or find_or_install(
        ["redis-server", "valkey-server"], ["redis-server"]
    )
