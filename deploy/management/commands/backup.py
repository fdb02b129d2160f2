"""`manage.py backup`: a copy of a PostgreSQL database that was restored beside it and compared."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from deploy.snapshots import SnapshotError
from deploy.snapshots.proof import backup


class Command(BaseCommand):
    help = (
        "Store a copy of the PostgreSQL database, restore it beside and compare the two; also while the site "
        "runs. Old copies go: ten, and one for each hour of two days, stay."
    )
    requires_system_checks = []  # `make check` has them; here they cost seconds

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--to", type=Path, help="a folder; default SNAPSHOT_DIR")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            path, inventory = backup(options["to"] or Path(settings.SNAPSHOT_DIR))
        except SnapshotError as error:
            raise CommandError(str(error)) from None
        events = sum(name.startswith("tournament ") for name in inventory)
        self.stdout.write(f"{path} (proved: {len(inventory) - events} tables, {events} tournaments)")
