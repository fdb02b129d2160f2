"""A backup that is proved: restored beside the live database, and compared with what it was taken of.

The comparison is exact though the site goes on: archive and inventory are of one exported snapshot.
"""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from django.conf import settings
from django.db import connection, transaction

from deploy.snapshots import postgresql
from deploy.snapshots.errors import SnapshotError
from deploy.snapshots.inventory import Inventory, differences, take_inventory
from deploy.snapshots.store import rotate, take


def backup(folder: Path) -> tuple[Path, Inventory]:
    """Store a proved copy of a PostgreSQL database in `folder`; SnapshotError, keeping none that differs."""
    if connection.vendor != "postgresql":
        raise SnapshotError(
            "This site keeps its data in SQLite, whose copies are whole: use manage.py snapshot."
        )
    with transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            cursor.execute("SET LOCAL statement_timeout = 0")
            cursor.execute("SELECT pg_export_snapshot()")
            moment = str(cursor.fetchone()[0])
        wanted = take_inventory()
        path = take(folder, moment=moment)
    try:
        prove(path, wanted)
    except SnapshotError:
        path.unlink(missing_ok=True)
        raise
    rotate(folder)
    return path, wanted


def prove(path: Path, wanted: Inventory) -> None:
    """SnapshotError unless the snapshot, restored beside, holds what is `wanted`."""
    database = connection.settings_dict
    with postgresql.restored_beside(database, path) as scratch:
        found = _inventory_of(_url(database, scratch))
    if differing := differences(wanted, found):
        raise SnapshotError(f"{path.name} does not hold what the database held: {'; '.join(differing[:5])}.")


def _inventory_of(url: str) -> Inventory:
    """The inventory of another database, taken by a process whose site that is."""
    done = subprocess.run(
        [sys.executable, "manage.py", "inventory"],
        cwd=settings.BASE_DIR,
        env={**os.environ, "DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": settings.SETTINGS_MODULE},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise SnapshotError(f"The restored copy cannot be read: {reason}")
    found: Inventory = json.loads(done.stdout)
    return found


def _url(database: Mapping[str, Any], name: str) -> str:
    user, password = (quote(str(database[key]), safe="") for key in ("USER", "PASSWORD"))
    host, port = str(database["HOST"]), str(database["PORT"])
    account = f"{user}:{password}@" if user else ""
    return f"postgresql://{account}{host}{f':{port}' if port else ''}/{quote(name, safe='')}"
