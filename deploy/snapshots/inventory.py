"""What a database holds, in little: to say whether two of them hold the same."""

import hashlib
from collections.abc import Mapping

from django.apps import apps
from django.db import connection

from tournaments.models import Tournament
from tournaments.selectors.export import canonical_export

Inventory = dict[str, str]
"""By name: the number of rows of each table, and a digest of each tournament's canonical export."""


def take_inventory() -> Inventory:
    """The inventory of the site's database, as the transaction sees it. Some queries for each tournament."""
    found = {}
    with connection.cursor() as cursor:
        for table in sorted(model._meta.db_table for model in apps.get_models(include_auto_created=True)):
            cursor.execute(f"SELECT count(*) FROM {connection.ops.quote_name(table)}")
            found[f"rows of {table}"] = str(cursor.fetchone()[0])
    for tournament in Tournament.objects.select_related("champion").order_by("slug"):
        digest = hashlib.sha256(canonical_export(tournament).encode()).hexdigest()
        found[f"tournament {tournament.slug}"] = digest
    return found


def differences(wanted: Mapping[str, str], found: Mapping[str, str]) -> list[str]:
    """Sentences about what differs; none when both hold the same."""
    return [
        f"{name}: {found.get(name, 'missing')}, not {wanted.get(name, 'there')}"
        for name in sorted({*wanted, *found})
        if wanted.get(name) != found.get(name)
    ]
