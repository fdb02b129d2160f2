"""`manage.py inventory`: what the database holds, to compare it with another."""

import json
from typing import Any

from django.core.management.base import BaseCommand

from deploy.snapshots.inventory import take_inventory


class Command(BaseCommand):
    help = "Print rows of each table and a digest of each tournament, as JSON: equal for equal databases."
    requires_system_checks = []  # `make check` has them; here they cost seconds

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(json.dumps(take_inventory(), indent=1, sort_keys=True))
