"""`manage.py prepare`: bring database and static files up to date, before the site's processes start."""

from typing import Any

from django.core.management.base import BaseCommand

from deploy.prepare import prepare_site


class Command(BaseCommand):
    help = "Migrate, and collect the static files. Repeating it changes nothing."
    requires_system_checks = []  # `make check` has them; here they cost seconds

    def handle(self, *args: Any, **options: Any) -> None:
        prepare_site()
