"""Brings the database and the static files up to date before the site's processes start."""

from django.conf import settings
from django.core.management import call_command
from django.db import connections


def prepare_site() -> None:
    """Migrate, and collect static files where they are served from a folder. Repeating it changes nothing."""
    call_command("migrate", interactive=False, verbosity=0)
    if settings.STATIC_ROOT:
        call_command("collectstatic", interactive=False, verbosity=0)
    connections.close_all()
