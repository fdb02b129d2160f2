"""`manage.py simulate_tournament`: plays a whole event through the REST API of a running server."""

import asyncio
import secrets
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from scoring.simulation.accounts import tokens_here
from scoring.simulation.client import SimulationError
from scoring.simulation.event import EventSpec, Tokens, rules_of
from scoring.simulation.export import export_text
from scoring.simulation.names import MOST_TEAMS
from scoring.simulation.pace import MATCH_SECONDS, Pace
from scoring.simulation.plans import Habits, Mix
from scoring.simulation.play import Settings, event_play
from scoring.simulation.progress import Progress


class Command(BaseCommand):
    help = (
        "Build an event of invented teams and play it to its champion through the REST API of a running server. "
        "The same seed gives the same event."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--base-url", default="http://127.0.0.1:8000", help="where the server answers")
        parser.add_argument("--name", default="Simulated championship")
        parser.add_argument("--teams", type=int, default=147)
        parser.add_argument("--tables", type=int, default=40, help="matches that are played at once")
        parser.add_argument(
            "--kind", default="double-elimination", choices=["double-elimination", "single-elimination"]
        )
        parser.add_argument("--best-of", type=int, default=3, choices=[1, 3, 5, 7])
        parser.add_argument("--grand-final", default="reset", choices=["reset", "single"])
        parser.add_argument("--third-place", action="store_true")
        parser.add_argument("--preset", default="online-championship", help="rules, by the name of a preset")
        parser.add_argument("--visibility", default="public", choices=["public", "unlisted", "private"])
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument(
            "--mix", default="85,10,5", help="percent of matches: marks only, bid level, full play"
        )
        parser.add_argument(
            "--disputes", type=float, default=0.02, help="share of results that the desk settles"
        )
        parser.add_argument(
            "--slips", type=float, default=0.04, help="share of matches with a try that must be refused"
        )
        parser.add_argument(
            "--pace", type=float, default=MATCH_SECONDS, help="seconds of a usual match at speed 1"
        )
        parser.add_argument("--speed", default="1", help="times as fast, or max")
        parser.add_argument("--connections", type=int, default=8, help="requests under way at once")
        parser.add_argument("--token", default="", help="the director's, for a server elsewhere")
        parser.add_argument(
            "--desk-token", default="", help="an official's who settles disputes; else --token"
        )
        parser.add_argument(
            "--resume", default="", metavar="SLUG", help="play on an event that was begun with these options"
        )
        parser.add_argument(
            "--export", type=Path, help="file for the canonical export, equal for equal events"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            settings = self._settings(options)
        except (ValueError, SimulationError) as error:
            raise CommandError(str(error)) from None
        self.stdout.ending = ""  # the line that changes ends without one
        progress = Progress(self.stdout if options["verbosity"] else None)
        try:
            outcome, _ = asyncio.run(event_play(settings, progress))
        except SimulationError as error:
            raise CommandError(str(error)) from None
        except KeyboardInterrupt:
            raise CommandError("Stopped.") from None
        if options["export"]:
            options["export"].write_text(export_text(outcome.export))

    def _settings(self, options: dict[str, Any]) -> Settings:
        if not 2 <= options["teams"] <= MOST_TEAMS:
            raise ValueError(f"Choose 2 to {MOST_TEAMS} teams.")
        habits = Habits(
            seed=options["seed"],
            rules=rules_of(options["preset"]),
            mix=Mix.parse(options["mix"]),
            disputes=options["disputes"],
            slips=options["slips"],
        )
        spec = EventSpec(
            name=options["name"],
            teams=options["teams"],
            tables=options["tables"],
            kind=options["kind"],
            best_of=options["best_of"],
            habits=habits,
            run=secrets.token_hex(8),
            preset=options["preset"],
            grand_final=options["grand_final"],
            third_place=options["third_place"],
            visibility=options["visibility"],
        )
        return Settings(
            base_url=options["base_url"],
            spec=spec,
            tokens=self._tokens(options),
            pace=Pace(options["pace"], Pace.parse_speed(options["speed"])),
            connections=options["connections"],
            resume=options["resume"],
        )

    def _tokens(self, options: dict[str, Any]) -> Tokens:
        director = options["token"]
        if director:
            return Tokens(f"Token {director}", f"Token {options['desk_token'] or director}")
        try:
            return tokens_here()
        except DatabaseError as error:
            raise SimulationError(
                f"The site's database cannot be used here ({error}). Give --token for a server elsewhere."
            ) from error
