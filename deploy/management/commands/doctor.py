"""`manage.py doctor`: what is amiss with this site, and what to do about it."""

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from deploy.health.doctor import examine, report


class Command(BaseCommand):
    help = "Look for what is amiss with this site. Exit status 1 when something is; nothing is changed."
    requires_system_checks = []  # `make check` has them; here they would hide what they stumble over

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="for programs")

    def handle(self, *args: Any, **options: Any) -> None:
        found, facts = examine()
        if options["json"]:
            self.stdout.write(json.dumps(report(found, facts), indent=1))
        else:
            for finding in found:
                self.stdout.write(f"{finding.code}: {finding.sentence}\n    {finding.remedy}")
            known = {name: value for name, value in facts.items() if isinstance(value, str)}
            self.stdout.write("; ".join(f"{name}: {value}" for name, value in known.items()))
            self.stdout.write("All is well." if not found else f"{len(found)} findings.")
        if found:
            sys.exit(1)
