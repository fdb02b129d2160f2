"""Snapshots: whole, rotated, restored; a damaged one changes nothing."""

import os
import sqlite3
import threading
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest
from django.contrib.auth.models import Group
from django.db import connections

from deploy.sitelock import SiteLock, SiteRunsError
from deploy.snapshots import SnapshotClock, SnapshotError, latest, restore, rotate, take
from tests.serving import manage, own_data

NOON = datetime(2026, 3, 7, 12, 0, tzinfo=UTC)
ON_POSTGRESQL = bool(os.environ.get("DATABASE_URL"))


@pytest.mark.database
@pytest.mark.timeout(300)
def test_restoring_the_last_snapshot_brings_back_what_was_lost(tmp_path: Path) -> None:
    with own_data(tmp_path) as environment:
        _execute(environment, "INSERT INTO auth_group (name) VALUES ('Zoë')")
        (tmp_path / "secret-key").write_text("the key of the printed codes")
        snapshot = Path(manage(environment, "snapshot").strip())
        _execute(environment, "INSERT INTO auth_group (name) VALUES ('too late')")
        (tmp_path / "secret-key").write_text("another key")

        told = manage(environment, "restore")

        assert told.startswith(f"Restored {snapshot}.")
        assert "is kept as" in told
        assert _execute(environment, "SELECT name FROM auth_group") == [("Zoë",)]
        assert (tmp_path / "secret-key").read_text() == "the key of the printed codes"
        manage(environment, "migrate", "--check")
        manage(environment, "restore", str(snapshot))  # and once more, over the restored one
        assert _execute(environment, "SELECT name FROM auth_group") == [("Zoë",)]


@pytest.mark.database
@pytest.mark.timeout(300)
def test_restore_refuses_while_the_site_runs(tmp_path: Path) -> None:
    said = rf"The site is running \(process {os.getpid()}\)"
    with own_data(tmp_path) as environment, SiteLock(tmp_path), pytest.raises(AssertionError, match=said):
        manage(environment, "restore")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("damage", ["cut", "zeroes", "empty"])
def test_damaged_snapshot_changes_nothing(tmp_path: Path, damage: str) -> None:
    Group.objects.create(name="Zoë")
    snapshot = take(tmp_path)
    whole = snapshot.read_bytes()
    half = len(whole) // 2
    snapshot.write_bytes({"cut": whole[:half], "zeroes": whole[:half] + bytes(half), "empty": b""}[damage])
    with pytest.raises(SnapshotError):
        restore(snapshot)
    assert Group.objects.get().name == "Zoë"


@pytest.mark.django_db(transaction=True)
def test_snapshot_is_taken_while_a_writer_is_in_its_transaction(tmp_path: Path) -> None:
    with connections["default"].cursor() as cursor:
        cursor.execute("BEGIN")
        cursor.execute("INSERT INTO auth_group (name) VALUES ('not yet')")
        taken: list[Path] = []
        thread = threading.Thread(target=lambda: taken.append(take(tmp_path)))
        thread.start()
        thread.join(20)
        cursor.execute("ROLLBACK")
    assert [path.parent for path in taken] == [tmp_path]
    assert latest(tmp_path) == taken[0]
    assert [path.name for path in tmp_path.iterdir() if "partial" in path.name] == []


@pytest.mark.django_db(transaction=True)
def test_folder_that_cannot_be_written_is_one_clear_sentence(tmp_path: Path) -> None:
    (tmp_path / "stick").write_text("a file, not a folder")
    with pytest.raises(SnapshotError, match=r"No snapshot in .*stick"):
        take(tmp_path / "stick")


def test_rotation_keeps_the_last_ten_and_the_newest_of_each_hour(tmp_path: Path) -> None:
    for minute in range(0, 60 * 72, 5):  # three days, one each five minutes
        _touch(tmp_path, NOON - timedelta(minutes=minute))
    (tmp_path / "notes.txt").touch()
    rotate(tmp_path, now=NOON)
    kept = {path.name for path in tmp_path.iterdir()}
    last_ten = [NOON - timedelta(minutes=5 * number) for number in range(10)]
    hourly = [NOON - timedelta(minutes=5, hours=number) for number in range(48)]
    assert kept == {"notes.txt", *(_name(moment) for moment in [*last_ten, *hourly])}


def test_latest_of_an_empty_folder_is_one_clear_sentence(tmp_path: Path) -> None:
    with pytest.raises(SnapshotError, match="There is no snapshot in"):
        latest(tmp_path)


@pytest.mark.django_db(transaction=True)
def test_snapshot_of_another_kind_of_database_is_refused(tmp_path: Path) -> None:
    foreign = tmp_path / f"seven-marks-20260307T120000Z.{'sqlite3' if ON_POSTGRESQL else 'dump'}"
    foreign.touch()
    with pytest.raises(SnapshotError, match="does not fit this site's database"):
        restore(foreign)


@pytest.mark.django_db(transaction=True)
def test_clock_takes_snapshots_and_tells_of_trouble_once(tmp_path: Path) -> None:
    said: list[str] = []
    folder = tmp_path / "stick"
    folder.write_text("unplugged")
    told = threading.Event()

    def report(line: str) -> None:
        said.append(line)
        if "again" in line:
            told.set()

    with SnapshotClock(report, folder=folder, interval=0.05):
        while not said:
            pass
        folder.unlink()
        assert told.wait(20)
    assert [line.split(":")[0] for line in said] == ["Snapshots fail", "Snapshots work again."]
    assert latest(folder).exists()


def test_site_lock_is_held_by_one_and_let_go(tmp_path: Path) -> None:
    with SiteLock(tmp_path):
        with pytest.raises(SiteRunsError) as refused:
            SiteLock(tmp_path)
        assert refused.value.pid == os.getpid()
    with SiteLock(tmp_path):
        pass


def _execute(environment: dict[str, str], query: str) -> list[tuple[object, ...]]:
    """Run one statement on the site's database from outside; its rows, if it has any."""
    if environment["DATABASE_URL"]:
        with psycopg.connect(environment["DATABASE_URL"]) as server:
            done = server.execute(query)
            return done.fetchall() if done.description else []
    with closing(sqlite3.connect(Path(environment["SEVEN_MARKS_VAR"]) / "seven-marks.sqlite3")) as file, file:
        return file.execute(query).fetchall()


def _touch(folder: Path, moment: datetime) -> None:
    (folder / _name(moment)).touch()


def _name(moment: datetime) -> str:
    return f"seven-marks-{moment:%Y%m%dT%H%M%SZ}.sqlite3"
