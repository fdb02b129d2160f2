"""`manage.py restore`: put a snapshot in the database's place."""

from argparse import ArgumentParser
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from deploy.sitelock import SiteLock, SiteRunsError
from deploy.snapshots import SnapshotError, latest, restore


class Command(BaseCommand):
    help = "Put a snapshot in the database's place. The replaced database is kept beside it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("snapshot", nargs="?", default="latest", help="a file, or latest (the default)")
        parser.add_argument(
            "--from", dest="folder", type=Path, help="where latest is sought; default SNAPSHOT_DIR"
        )
        parser.add_argument("--force", action="store_true", help="although the site runs")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with nullcontext() if options["force"] else SiteLock(Path(settings.VAR_DIR)):
                self._restore(options["snapshot"], options["folder"] or Path(settings.SNAPSHOT_DIR))
        except SiteRunsError as error:
            raise CommandError(f"{error} Stop it first; --force restores all the same.") from None
        except SnapshotError as error:
            raise CommandError(str(error)) from None

    def _restore(self, wanted: str, folder: Path) -> None:
        snapshot = latest(folder) if wanted == "latest" else Path(wanted)
        kept = restore(snapshot)
        self.stdout.write(f"Restored {snapshot}.")
        if kept:
            self.stdout.write(f"The database that it replaced is kept as {kept}.")
