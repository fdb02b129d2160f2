"""Snapshots of a SQLite database: its own backup interface, which a running site does not disturb."""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from deploy.snapshots.errors import SnapshotError

SUFFIX = ".sqlite3"
_SIDE_FILES = ("-wal", "-shm", "-journal")


def copy(database: Mapping[str, Any], target: Path) -> None:
    """Write a consistent copy of the live database to `target`."""
    source = Path(str(database["NAME"]))
    if not source.exists():
        raise SnapshotError(f"There is no database at {source} yet.")
    _copy(source, target)


def verify(snapshot: Path) -> None:
    """SnapshotError unless the file is a whole database of this site."""
    try:
        with closing(sqlite3.connect(f"{snapshot.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            answer = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
            connection.execute("SELECT count(*) FROM django_migrations").fetchone()
    except sqlite3.Error as error:
        raise SnapshotError(f"{snapshot.name} is no whole copy: {error}.") from None
    if answer != "ok":
        raise SnapshotError(f"{snapshot.name} is damaged: {answer}.")


def replace(database: Mapping[str, Any], snapshot: Path, stamp: str) -> str:
    """Put the snapshot in the database's place; the replaced one is kept, and where is returned."""
    place = Path(str(database["NAME"]))
    fresh = place.with_name(f"{place.name}.restoring")
    fresh.unlink(missing_ok=True)
    place.parent.mkdir(parents=True, exist_ok=True)
    _copy(snapshot, fresh)
    verify(fresh)
    kept = place.with_name(f"{place.stem}-replaced-{stamp}{place.suffix}")
    for suffix in ("", *_SIDE_FILES):  # its log goes with it: another database must not meet it
        beside = Path(f"{place}{suffix}")
        if beside.exists():
            beside.rename(f"{kept}{suffix}")
    fresh.rename(place)
    return str(kept) if kept.exists() else ""


def _copy(source: Path, target: Path) -> None:
    try:
        with (
            closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True, timeout=20)) as live,
            closing(sqlite3.connect(target)) as backup,
        ):
            live.backup(backup)
            backup.execute("PRAGMA journal_mode=DELETE")  # one file, without a log beside it
    except sqlite3.Error as error:
        target.unlink(missing_ok=True)
        raise SnapshotError(f"Cannot copy {source.name}: {error}.") from None
