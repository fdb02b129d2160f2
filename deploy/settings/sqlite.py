"""SQLite as every shape uses it: write-ahead log, immediate transactions, full sync, patient writers."""

from pathlib import Path


def sqlite_database(path: Path | str) -> dict[str, object]:
    """Django's database entry for the file at `path`."""
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(path),
        "OPTIONS": {
            "timeout": 20,
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;",
        },
    }
