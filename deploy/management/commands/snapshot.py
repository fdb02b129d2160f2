"""`manage.py snapshot`: a verified copy of the database, also while the site runs."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from deploy.snapshots import SnapshotError, take


class Command(BaseCommand):
    help = "Store a verified copy of the database, also while the site runs."
    requires_system_checks = []  # `make check` has them; here they cost seconds

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--to", type=Path, help="a folder, such as a USB stick; default SNAPSHOT_DIR")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            path = take(options["to"] or Path(settings.SNAPSHOT_DIR))
        except SnapshotError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(str(path))
