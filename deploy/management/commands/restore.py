"""`manage.py restore`: put a snapshot in the database's place."""

from argparse import ArgumentParser
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection
from django.db.models import F
from django.utils import timezone

from deploy.sitelock import SiteLock, SiteRunsError
from deploy.snapshots import SnapshotError, latest, restore
from deploy.snapshots.postgresql import others_connected
from tournaments.models import Revision

LOST_CHANGES = 1_000_000  # more than one part can have seen between a snapshot and its restoring


class Command(BaseCommand):
    help = "Put a snapshot in the database's place. The replaced database is kept beside it."
    requires_system_checks = []  # `make check` has them; here they cost seconds

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("snapshot", nargs="?", default="latest", help="a file, or latest (the default)")
        parser.add_argument(
            "--from", dest="folder", type=Path, help="where latest is sought; default SNAPSHOT_DIR"
        )
        parser.add_argument("--force", action="store_true", help="although the site runs")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with nullcontext() if options["force"] else SiteLock(Path(settings.VAR_DIR)):
                if not options["force"]:
                    self._refuse_while_used()
                self._restore(options["snapshot"], options["folder"] or Path(settings.SNAPSHOT_DIR))
        except SiteRunsError as error:
            raise CommandError(f"{error} Stop it first; --force restores all the same.") from None
        except SnapshotError as error:
            raise CommandError(str(error)) from None

    def _refuse_while_used(self) -> None:
        """Processes under systemd hold no lock that is seen from here, but connections that are."""
        if connection.vendor == "postgresql" and (others := others_connected(connection.settings_dict)):
            raise CommandError(
                f"{others} connections use the database: stop the site first (systemctl stop "
                "seven-marks.target); --force restores all the same."
            )

    def _restore(self, wanted: str, folder: Path) -> None:
        snapshot = latest(folder) if wanted == "latest" else Path(wanted)
        kept = restore(snapshot)
        self._outdate_caches()
        self.stdout.write(f"Restored {snapshot}.")
        if kept:
            self.stdout.write(f"The database that it replaced is kept as {kept}.")

    def _outdate_caches(self) -> None:
        """Jump every revision ahead: numbers that browsers saw after the snapshot must not come again."""
        with suppress(DatabaseError):  # the snapshot of an older version: `run` migrates it
            Revision.objects.update(number=F("number") + LOST_CHANGES, changed_at=timezone.now())
