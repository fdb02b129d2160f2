"""`manage.py run`: the whole site in one command, until Ctrl-C."""

import signal
import threading
from argparse import ArgumentParser
from pathlib import Path
from types import FrameType
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from deploy.prepare import prepare_site
from deploy.sitelock import SiteLock, SiteRunsError
from deploy.snapshots import SnapshotClock
from deploy.supervisor import Supervisor, SupervisorError


class Command(BaseCommand):
    help = "Migrate, then run web, worker and beat together with a snapshot each minute, until Ctrl-C."
    requires_system_checks = []  # `make check` has them; here they cost seconds

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="0.0.0.0 lets phones on the network in")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--workers", type=int, default=2, help="tasks that a worker runs at once")
        parser.add_argument("--worker-processes", type=int, default=1)
        parser.add_argument("--web-processes", type=int, default=1)
        parser.add_argument("--no-snapshots", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        stop = threading.Event()

        def ask_to_stop(number: int, frame: FrameType | None) -> None:
            stop.set()

        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, ask_to_stop)
        supervisor = Supervisor(
            host=options["host"],
            port=options["port"],
            web_processes=options["web_processes"],
            worker_processes=options["worker_processes"],
            worker_threads=options["workers"],
            report=lambda line: self.stderr.write(line),
        )
        try:
            with SiteLock(Path(settings.VAR_DIR)):
                prepare_site()
                with supervisor:
                    supervisor.wait_ready()
                    self.stdout.write(f"Seven Marks runs at {supervisor.url} - stop it with Ctrl-C.")
                    self.stdout.flush()
                    self._wait(stop, None if options["no_snapshots"] else SnapshotClock(self.stderr.write))
                    self.stdout.write("Stopping.")
        except SiteRunsError as error:
            raise CommandError(f"{error} Stop it first, or set SEVEN_MARKS_VAR to another folder.") from None
        except SupervisorError as error:
            raise CommandError(str(error)) from None

    def _wait(self, stop: threading.Event, snapshots: SnapshotClock | None) -> None:
        if snapshots is None:
            stop.wait()
            return
        with snapshots:
            stop.wait()
