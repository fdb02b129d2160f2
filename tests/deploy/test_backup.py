"""Backups of PostgreSQL: proved by restoring them beside, exact though the site goes on."""

from pathlib import Path

import psycopg
import pytest
from django.contrib.auth.models import Group
from django.core.management import CommandError, call_command
from django.db import connection, connections

from deploy.snapshots import SnapshotError, inventory, proof
from deploy.snapshots.inventory import differences, take_inventory
from deploy.snapshots.proof import backup, prove
from tests.serving import manage, own_data
from tests.support.events import make_tournament

pytestmark = pytest.mark.timeout(120)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_backup_is_of_one_moment_though_others_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    event = make_tournament(4, name="Bäckup")
    event.play("M1")

    def counted_while_others_write() -> inventory.Inventory:
        with psycopg.connect(_address(), autocommit=True) as other:
            other.execute("INSERT INTO auth_group (name) VALUES ('a moment too late')")
        return take_inventory()

    monkeypatch.setattr(proof, "take_inventory", counted_while_others_write)
    path, held = backup(tmp_path)
    assert path.exists()
    assert held["rows of auth_group"] == "0"
    assert Group.objects.count() == 1
    assert f"tournament {event.slug}" in held
    assert _databases() == {str(connection.settings_dict["NAME"])}


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_copy_that_holds_something_else_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_tournament(4)
    monkeypatch.setattr(proof, "take_inventory", lambda: {**take_inventory(), "rows of auth_group": "7"})
    with pytest.raises(SnapshotError, match=r"does not hold .* rows of auth_group: 0, not 7\."):
        backup(tmp_path)
    assert [path for path in tmp_path.iterdir() if path.suffix == ".dump"] == []


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_damaged_copy_is_not_proved(tmp_path: Path) -> None:
    path, held = backup(tmp_path)
    path.write_bytes(path.read_bytes()[:-2000])
    with pytest.raises(SnapshotError):
        prove(path, held)


@pytest.mark.postgres
def test_restore_refuses_while_somebody_is_connected(tmp_path: Path) -> None:
    with own_data(tmp_path) as environment:
        said = manage(environment, "backup")
        assert "(proved: " in said
        with (
            psycopg.connect(environment["DATABASE_URL"]),
            pytest.raises(AssertionError, match=r"1 connections use the database: stop the site first"),
        ):
            manage(environment, "restore")
        before = manage(environment, "inventory")
        manage(environment, "restore")
        assert manage(environment, "inventory") == before


@pytest.mark.django_db
def test_sqlite_is_told_to_use_snapshots(tmp_path: Path) -> None:
    if connection.vendor == "sqlite":
        with pytest.raises(CommandError, match=r"use manage\.py snapshot"):
            call_command("backup", to=tmp_path)


@pytest.mark.django_db
def test_inventory_changes_with_a_single_mark() -> None:
    event = make_tournament(4)
    before = take_inventory()
    event.play("M1")
    told = differences(before, take_inventory())
    assert any(line.startswith(f"tournament {event.slug}: ") for line in told)
    assert any(line.startswith("rows of tournaments_result: 1, not 0") for line in told)
    assert differences(before, before) == []


def _address() -> str:
    values = connections["default"].settings_dict
    return (
        f"host={values['HOST']} port={values['PORT']} user={values['USER']} password={values['PASSWORD']} "
        f"dbname={values['NAME']}"
    )


def _databases() -> set[str]:
    name = str(connection.settings_dict["NAME"])
    with connection.cursor() as cursor:
        cursor.execute("SELECT datname FROM pg_database WHERE datname LIKE %s", [f"{name}%"])
        return {row[0] for row in cursor.fetchall()}
