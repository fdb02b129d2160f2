"""Whether the site can serve: what /readyz tells. It names no host, account or file, since anybody may ask."""

import logging
import os
import threading
import time
from dataclasses import dataclass
from typing import Any

from celery import current_app
from django.db import DatabaseError, connections
from django.db.migrations.executor import MigrationExecutor

from deploy.health import readings
from deploy.health.levels import Level, queue_level, sweep_level, worker_level
from deploy.health.readings import Readings

logger = logging.getLogger(__name__)

OK, DEGRADED, FAILED = "ok", "degraded", "failed"


@dataclass(frozen=True, slots=True)
class Check:
    """One part: `failed` means that requests cannot be served, `degraded` that they are, with something amiss."""

    name: str
    status: str
    detail: str


_lock = threading.Lock()
_kept: tuple[float, list[Check]] | None = None
_is_migrated = False


def ready_checks() -> list[Check]:
    """Database, migrations, broker and worker, at most two seconds old."""
    global _kept
    with _lock:
        if _kept is None or time.monotonic() - _kept[0] > readings.FRESH:
            _kept = (time.monotonic(), _take(readings.read()))
        return _kept[1]


def broker_problem() -> str:
    """Why no message can be sent; empty when one could be. Waits a second at most for a broker elsewhere."""
    if str(current_app.conf.broker_url).startswith("filesystem"):
        folder = str(current_app.conf.broker_transport_options["data_folder_out"])
        return "" if os.access(folder, os.W_OK | os.X_OK) else "its folder cannot be written"
    try:
        with current_app.connection_for_write() as connection:
            connection.ensure_connection(max_retries=1, interval_start=0, interval_step=0, timeout=1)
    except Exception as error:
        return type(error).__name__
    return ""


def unapplied_migrations() -> list[str]:
    """Names of migrations that the database lacks, in order. Raises DatabaseError."""
    executor = MigrationExecutor(connections["default"])
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [f"{migration.app_label}.{migration.name}" for migration, _ in plan]


def _take(now: Readings) -> list[Check]:
    return [_database(now), _migrations(), _broker(), _worker(now)]


def _database(now: Readings) -> Check:
    if now.database:
        logger.warning("The database does not answer: %s", now.database)
        return Check("database", FAILED, "The database does not answer.")
    return Check("database", OK, "The database answers.")


def _migrations() -> Check:
    """Asked until they are applied: code that runs gets no new ones."""
    global _is_migrated
    missing: list[str] = []
    if not _is_migrated:
        try:
            missing = unapplied_migrations()
        except (DatabaseError, OSError):
            return Check("migrations", FAILED, "They cannot be read while the database does not answer.")
    if missing:
        return Check("migrations", FAILED, f"{len(missing)} are not applied: run manage.py migrate.")
    _is_migrated = True
    return Check("migrations", OK, "All are applied.")


def _broker() -> Check:
    if problem := broker_problem():
        detail = (
            f"No message can be sent ({problem}). What is entered is stored, and sweeps do the rest later."
        )
        return Check("broker", DEGRADED, detail)
    return Check("broker", OK, "Messages can be sent.")


def _worker(now: Readings) -> Check:
    if worker_level(now) is not Level.WELL or sweep_level(now) is not Level.WELL:
        detail = "No worker has finished its rounds lately: results are stored, but teams are not moved on."
        return Check("worker", DEGRADED, detail)
    if now.queue_age is not None and queue_level(now) is not Level.WELL:
        detail = f"Closed matches have waited for {now.queue_age:.0f} s to be moved on."
        return Check("worker", DEGRADED, detail)
    return Check("worker", OK, "A worker does its rounds.")


def summary(checks: list[Check]) -> dict[str, Any]:
    """The answer's body: `ready`, `degraded` (serving, with something amiss) or `unready`."""
    statuses = {check.status for check in checks}
    status = "unready" if FAILED in statuses else "degraded" if DEGRADED in statuses else "ready"
    return {
        "status": status,
        "checks": {check.name: {"status": check.status, "detail": check.detail} for check in checks},
    }
