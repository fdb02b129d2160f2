"""`manage.py check`: Django's checks, then which search the solver uses here.

A fact and no issue, so it is a line of its own: as a system check it would stand above the output of every
other command too.
"""

from typing import Any

from django.core.management.commands.check import Command as DjangoCheck

from fortytwo.solver import backend, why_pure


class Command(DjangoCheck):
    def handle(self, *app_labels: Any, **options: Any) -> None:
        super().handle(*app_labels, **options)
        if not options["list_tags"]:
            why = f" ({why_pure()})" if why_pure() else ""
            self.stdout.write(f"Solver: {backend()}{why}.")
