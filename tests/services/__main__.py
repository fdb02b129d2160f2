"""`python -m tests.services COMMAND...` starts the services, runs the command, stops them whatever happens.

The command finds DATABASE_URL, REDIS_URL, REDIS_SERVER and CHROMIUM in its environment. A service that cannot
be had is named in one line with what that skips; with CI set it ends the run instead.
"""

import os
import signal
import subprocess
import sys
from contextlib import ExitStack
from types import FrameType

from tests.services.chromium import find_chromium
from tests.services.missing import ServiceMissingError
from tests.services.postgresql import PostgreSQL
from tests.services.redis import Redis, find_redis


def main(command: list[str]) -> int:
    """Run `command` with the services; its exit status, or 1 where CI lacks a service."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _exit)
    environment = dict(os.environ)
    missing = []
    with ExitStack() as running:
        for start, skips in (
            (_start_postgresql, "the whole run on PostgreSQL"),
            (_start_redis, "tests marked redis"),
            (_find_browser, "tests marked browser"),
        ):
            try:
                environment |= start(running)
            except ServiceMissingError as error:
                missing.append(f"services: {error}; this skips {skips}.")
        print("\n".join(missing), end="\n" if missing else "", flush=True)
        if missing and os.environ.get("CI"):
            return 1
        return _run(command, environment)


def _start_postgresql(running: ExitStack) -> dict[str, str]:
    server = PostgreSQL()
    running.callback(server.stop)
    server.start()
    return {"DATABASE_URL": server.url}


def _start_redis(running: ExitStack) -> dict[str, str]:
    binary = find_redis()
    server = Redis()
    running.callback(server.close)
    server.start()
    return {"REDIS_URL": server.url, "REDIS_SERVER": binary}


def _find_browser(running: ExitStack) -> dict[str, str]:
    return {"CHROMIUM": find_chromium()}


def _run(command: list[str], environment: dict[str, str]) -> int:
    """Run it in our process group, so that Ctrl-C reaches it too, and outlive it."""
    child = subprocess.Popen(command, env=environment)
    try:
        while True:
            try:
                return child.wait()
            except KeyboardInterrupt:
                continue
    finally:
        if child.poll() is None:
            child.terminate()
            child.wait()


def _exit(number: int, frame: FrameType | None) -> None:
    sys.exit(128 + number)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
