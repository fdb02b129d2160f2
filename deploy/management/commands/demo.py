"""`manage.py demo`: the whole site with a sample championship being played in it, until Ctrl-C."""

import asyncio
import os
import secrets
import signal
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connections
from django.shortcuts import resolve_url

from deploy.prepare import prepare_site
from deploy.sitelock import SiteLock, SiteRunsError
from deploy.snapshots import SnapshotClock
from deploy.supervisor import Supervisor, SupervisorError
from scoring.simulation.accounts import account_with_password, tokens_here
from scoring.simulation.client import SimulationError
from scoring.simulation.event import EventSpec
from scoring.simulation.names import MOST_TEAMS
from scoring.simulation.pace import Pace
from scoring.simulation.plans import Habits
from scoring.simulation.play import Settings, event_play
from scoring.simulation.progress import Progress
from tournaments.models import Tournament

DIRECTOR, DESK = "director", "desk"
NAME = "Sample State Championship"
MOST_TABLES = 40
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # nothing that looks like something else


class Command(BaseCommand):
    help = "Run the site and play a sample championship in it; serve on after the champion, until Ctrl-C."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="0.0.0.0 lets phones on the network in")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--teams", type=int, default=147)
        parser.add_argument(
            "--speed", default="1", help="2 is twice as fast; max does not wait between two acts"
        )
        parser.add_argument("--seed", type=int, help="another event; without it each demo has one of its own")
        parser.add_argument("--once", action="store_true", help="stop after the champion")

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.ending = ""  # the line that changes ends without one
        try:
            speed = Pace.parse_speed(options["speed"])
        except ValueError:
            raise CommandError("SPEED is a number above 0, such as 2, or max.") from None
        if not 2 <= options["teams"] <= MOST_TEAMS:
            raise CommandError(f"Choose 2 to {MOST_TEAMS} teams.")
        try:
            with SiteLock(Path(settings.VAR_DIR)):
                self._run(options, Pace(speed=speed))
        except SiteRunsError as error:
            raise CommandError(f"{error} Stop it first, or set SEVEN_MARKS_VAR to another folder.") from None
        except SupervisorError as error:
            raise CommandError(f"{error} (The processes write to {settings.VAR_DIR}/log.)") from None
        except SimulationError as error:
            raise CommandError(str(error)) from None
        except KeyboardInterrupt:
            self.stdout.write("\nStopped.\n")

    def _run(self, options: dict[str, Any], pace: Pace) -> None:
        progress = Progress(self.stdout)
        progress.say("Preparing the database and the static files.")
        prepare_site()
        password = _password(Path(settings.VAR_DIR) / "demo-password")
        account_with_password(DIRECTOR, password)
        tokens = tokens_here(director=DIRECTOR, desk=DESK)
        earlier = Tournament.objects.filter(simulated=True).count()
        connections.close_all()
        # Each process writes to a file, so that nothing but the event's own lines is on the screen.
        logs = Path(settings.VAR_DIR) / "log"
        supervisor = Supervisor(host=options["host"], port=options["port"], logs=logs, report=progress.say)
        with supervisor:
            supervisor.wait_ready()
            progress.say(f"\nSeven Marks runs at {supervisor.url}")
            progress.say(
                f"Sign in as the director at {supervisor.url}{resolve_url(settings.LOGIN_URL)}: "
                f"name {DIRECTOR}, password {password}\n"
            )
            play = Settings(
                base_url=supervisor.local_url,
                spec=_spec(options, earlier),
                tokens=tokens,
                pace=pace,
                shown_url=supervisor.url,
            )
            with SnapshotClock(progress.say):
                asyncio.run(_play_and_serve(play, progress, once=options["once"]))
            progress.say("Stopping.")


async def _play_and_serve(play: Settings, progress: Progress, *, once: bool) -> None:
    """Play the event, then wait to be stopped. What went wrong with the event is raised at the end."""
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    playing = asyncio.create_task(event_play(play, progress))
    stopped = asyncio.create_task(stop.wait())
    await asyncio.wait({playing, stopped}, return_when=asyncio.FIRST_COMPLETED)
    if not playing.done():
        playing.cancel()
        await asyncio.wait({playing})
        return
    problem = playing.exception()
    if problem is not None:
        progress.say(f"The championship stopped: {problem}")
    if not once:
        progress.say(f"\nStill serving at {play.shown_url} - stop it with Ctrl-C.")
        await stopped
    stopped.cancel()
    if problem is not None:
        raise problem


def _spec(options: dict[str, Any], earlier: int) -> EventSpec:
    """The event: another one beside those of earlier demos."""
    number = earlier + 1
    seed = number if options["seed"] is None else options["seed"]
    return EventSpec(
        name=NAME if number == 1 else f"{NAME} {number}",
        teams=options["teams"],
        tables=max(1, min(MOST_TABLES, options["teams"] // 2)),
        kind="double-elimination",
        best_of=3,
        habits=Habits(seed=seed),
        run=secrets.token_hex(8),
    )


def _password(path: Path) -> str:
    """The password kept in `path`, made once."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text().strip()
    password = "-".join("".join(secrets.choice(LETTERS) for _ in range(4)) for _ in range(3))
    with os.fdopen(descriptor, "w") as file:
        file.write(password + "\n")
    return password
