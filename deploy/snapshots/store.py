"""A folder of snapshots: taking one, throwing old ones away, putting one back."""

import os
import re
import shutil
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import ModuleType
from typing import Any

from django.conf import settings
from django.db import connections

from deploy.snapshots import postgresql, sqlite
from deploy.snapshots.errors import SnapshotError

RECENT = 10  # the newest that are kept
HOURS = 48  # hours of which the newest is kept
_NAME = re.compile(r"seven-marks-(\d{8}T\d{6}Z)\.(?:sqlite3|dump)")
_KEY = "secret-key"


def take(folder: Path, *, now: datetime | None = None, moment: str = "") -> Path:
    """Store a verified copy of the database in `folder` and return its path; SnapshotError, leaving nothing.

    `moment` is an exported snapshot of PostgreSQL: the copy is of the database as it was then.

    The key that signs table and team links goes with it, where it is a file of ours: without it a restored
    site would refuse every printed code.
    """
    kind, database = _kind_and_database()
    path = folder / f"seven-marks-{_stamp(now or datetime.now(UTC))}{kind.SUFFIX}"
    partial = path.with_name(f".{path.name}.partial")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for leftover in folder.glob(".seven-marks-*.partial"):
            leftover.unlink()
        kind.copy(database, partial, **({"moment": moment} if moment else {}))
        kind.verify(partial)
        _settle(partial)
        partial.rename(path)
        _copy_key(_var() / _KEY, folder / _KEY)
        _settle(folder)
    except OSError as error:
        with suppress(OSError):
            partial.unlink()
        raise SnapshotError(f"No snapshot in {folder}: {error.strerror or error}.") from None
    except SnapshotError:
        with suppress(OSError):
            partial.unlink()
        raise
    return path


def stored(folder: Path) -> list[Path]:
    """The snapshots in `folder`, oldest first."""
    found = folder.iterdir() if folder.is_dir() else iter(())
    return sorted(path for path in found if _NAME.fullmatch(path.name))


def latest(folder: Path) -> Path:
    """The newest snapshot; SnapshotError when there is none."""
    found = stored(folder)
    if not found:
        raise SnapshotError(f"There is no snapshot in {folder}.")
    return found[-1]


def taken_at(snapshot: Path) -> datetime | None:
    """When a snapshot was taken, by its name."""
    match = _NAME.fullmatch(snapshot.name)
    return datetime.strptime(match[1], "%Y%m%dT%H%M%S%z") if match else None


def rotate(folder: Path, *, now: datetime | None = None) -> list[Path]:
    """Remove all but the last ten and the newest of each hour of two days; returns what went."""
    found = stored(folder)
    oldest = (now or datetime.now(UTC)) - timedelta(hours=HOURS)
    newest_of_hour = {
        moment.strftime("%Y%m%d%H"): path for path in found if (moment := taken_at(path)) and moment >= oldest
    }
    kept = {*found[-RECENT:], *newest_of_hour.values()}
    gone = [path for path in found if path not in kept]
    for path in gone:
        path.unlink(missing_ok=True)
    return gone


def restore(snapshot: Path, *, now: datetime | None = None) -> str:
    """Put a snapshot in the database's place; returns where the replaced database is kept, if there was one.

    The site must not run. The snapshot is verified first, so that a damaged one changes nothing.
    """
    if not snapshot.is_file():
        raise SnapshotError(f"There is no file {snapshot}.")
    kind, database = _kind_and_database()
    if snapshot.suffix != kind.SUFFIX:
        raise SnapshotError(f"{snapshot.name} does not fit this site's database, which needs {kind.SUFFIX}.")
    kind.verify(snapshot)
    connections.close_all()
    stamp = _stamp(now or datetime.now(UTC))
    try:
        kept = str(kind.replace(database, snapshot, stamp))
        _replace_key(snapshot.with_name(_KEY), stamp)
    except OSError as error:
        raise SnapshotError(f"Nothing was restored: {error}.") from None
    return kept


def _kind_and_database() -> tuple[ModuleType, Mapping[str, Any]]:
    database = connections["default"].settings_dict
    return (sqlite if database["ENGINE"].endswith("sqlite3") else postgresql), database


def _var() -> Path:
    return Path(settings.VAR_DIR)


def _stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _settle(path: Path) -> None:
    """Wait until the disk has it; a folder on some USB sticks cannot be asked."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError:
        if path.is_file():
            raise
    finally:
        os.close(descriptor)


def _copy_key(source: Path, target: Path) -> None:
    if source.exists() and not (target.exists() and target.read_bytes() == source.read_bytes()):
        fresh = target.with_name(f".{target.name}.partial")
        fresh.unlink(missing_ok=True)
        fresh.touch(mode=0o600)
        fresh.write_bytes(source.read_bytes())
        fresh.rename(target)


def _replace_key(key: Path, stamp: str) -> None:
    place = _var() / _KEY
    if not key.exists() or (place.exists() and place.read_bytes() == key.read_bytes()):
        return
    if place.exists():
        shutil.copy2(place, place.with_name(f"{_KEY}-replaced-{stamp}"))
    _copy_key(key, place)
