"""Finds set-ups that will not do, and says what to do about each. Changes nothing."""

import os
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connections
from django.utils import timezone

import fortytwo.solver
from deploy import env, pulse
from deploy.health import levels, probes, readings
from deploy.health.levels import Level
from deploy.health.readings import Readings

WEAK = 32  # characters below which a key can be guessed
SKEW = 2.0  # seconds by which two clocks may differ
NETWORK = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "fuse.sshfs", "fuse.rclone"}
)


@dataclass(frozen=True, slots=True)
class Finding:
    """Something amiss: a stable code, a sentence, and what to do."""

    code: str
    sentence: str
    remedy: str


Look = Callable[[Readings], Iterator[Finding]]


def examine() -> tuple[list[Finding], dict[str, Any]]:
    """What is amiss, the gravest first, and what is worth knowing. Takes two seconds at most when things are away."""
    now = readings.take()
    found = [finding for look in LOOKS for finding in look(now)]
    return found, _facts(now)


def report(found: list[Finding], facts: dict[str, Any]) -> dict[str, Any]:
    """Both as JSON."""
    return {"findings": [asdict(finding) for finding in found], "facts": facts}


def _facts(now: Readings) -> dict[str, Any]:
    database = connections["default"].settings_dict
    solver = fortytwo.solver.backend()
    return {
        "settings": os.environ.get("DJANGO_SETTINGS_MODULE", ""),
        "shape": "hosted" if _is_hosted() else "embedded",
        "data": str(settings.VAR_DIR),
        "database": str(database["ENGINE"]).rpartition(".")[2],
        "broker": str(settings.CELERY_BROKER_URL).partition(":")[0],
        "snapshots": str(settings.SNAPSHOT_DIR),
        "solver": solver if solver != "pure" else f"pure Python: {fortytwo.solver.why_pure()}",
        "disk_free": now.disk_free,
        "queue_age": now.queue_age,
        "sweep_age": now.sweep_age,
        "snapshot_age": now.snapshot_age,
    }


def _is_hosted() -> bool:
    return settings.SETTINGS_MODULE.endswith(".hosted")


def _database(now: Readings) -> Iterator[Finding]:
    if now.database:
        yield Finding(
            "database_away",
            f"The database does not answer: {now.database}.",
            "Start it, or correct DATABASE_URL; then try again.",
        )
        return
    try:
        missing = probes.unapplied_migrations()
    except (DatabaseError, OSError) as error:
        yield Finding("migrations_unknown", f"Migrations cannot be read: {error}.", "Run manage.py migrate.")
        return
    if missing:
        yield Finding(
            "migrations_pending",
            f"The database is older than the program: {len(missing)} migrations wait, from {missing[0]} on.",
            "Take a snapshot (manage.py snapshot), then run manage.py migrate.",
        )


def _network_disk(now: Readings) -> Iterator[Finding]:
    database = connections["default"].settings_dict
    if not str(database["ENGINE"]).endswith("sqlite3"):
        return
    kind = file_system_of(Path(str(database["NAME"])))
    if kind in NETWORK:
        yield Finding(
            "sqlite_on_network",
            f"The SQLite database lies on a network file system ({kind}), whose locks cannot be trusted.",
            "Set SEVEN_MARKS_VAR to a folder on this machine's own disk, and restore the last snapshot there.",
        )


def _folder(now: Readings) -> Iterator[Finding]:
    folder = Path(settings.VAR_DIR)
    if not os.access(folder, os.W_OK | os.X_OK):
        yield Finding(
            "var_unwritable",
            f"The data folder {folder} cannot be written.",
            "Give it to the account that runs the site (chown), or set SEVEN_MARKS_VAR to another.",
        )
    if levels.disk_level(now) is not Level.WELL:
        free = "an unknown amount" if now.disk_free is None else f"{now.disk_free / 1e9:.1f} GB"
        yield Finding(
            "disk_low",
            f"There is {free} left on the disk of {folder}.",
            "Make room: remove what is not needed, or let SNAPSHOT_DIR name another disk.",
        )


def _broker(now: Readings) -> Iterator[Finding]:
    if problem := probes.broker_problem():
        yield Finding(
            "broker_away",
            f"No message can be sent to the broker ({problem}).",
            "Start Redis or Valkey, or correct BROKER_URL. Until then sweeps do the work, up to twenty seconds late.",
        )


def _worker(now: Readings) -> Iterator[Finding]:
    if levels.worker_level(now) is not Level.WELL:
        yield Finding(
            "no_worker",
            f"No worker does any work: one {_since(now.worker_age)}.",
            "Start the site (make run), or systemctl start seven-marks.target; its log says why one does not stay.",
        )
    if now.beat_age is None or now.beat_age > 60:
        yield Finding(
            "no_beat",
            f"Nobody sends the sweeps: beat {_since(now.beat_age)}.",
            "Start the site (make run), or systemctl start seven-marks-beat; there must be exactly one.",
        )
    if now.queue_age is not None and levels.queue_level(now) is not Level.WELL:
        yield Finding(
            "queue_old",
            f"{now.waiting} closed matches wait for their teams to be moved on, the oldest for {now.queue_age:.0f} s.",
            "Look into the worker's log: a stage that always fails is named there.",
        )


def _clocks(now: Readings) -> Iterator[Finding]:
    for name in sorted(path.name for path in pulse.folder().glob("*")) if pulse.folder().is_dir() else []:
        skew = pulse.skew(name)
        age = pulse.age(name)
        if skew is not None and abs(skew) > SKEW and age is not None and age < 60:
            yield Finding(
                "clock_skew",
                f"The clock of {name} differs from this machine's by {skew:.0f} s.",
                "Let all machines keep time by the network (systemd-timesyncd or chrony).",
            )
            return
    connection = connections["default"]
    if now.database or connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        before = timezone.now()
        cursor.execute("SELECT clock_timestamp()")
        there = cursor.fetchone()[0]
        after = timezone.now()
    ahead = (there - before - (after - before) / 2).total_seconds()
    if abs(ahead) > SKEW:
        yield Finding(
            "clock_skew",
            f"The database's clock is {ahead:+.0f} s from this machine's.",
            "Let both machines keep time by the network (systemd-timesyncd or chrony).",
        )


def _snapshots(now: Readings) -> Iterator[Finding]:
    if levels.snapshot_level(now) is Level.WELL:
        return
    folder = settings.SNAPSHOT_DIR
    yield Finding(
        "snapshots_old",
        f"The last snapshot in {folder} is {now.snapshot_age / 60:.0f} minutes old."
        if now.snapshot_age is not None
        else f"There is no snapshot in {folder}.",
        "See that the timer seven-marks-backup runs; manage.py backup says what hinders it."
        if _is_hosted()
        else "make run takes one each minute; manage.py snapshot says what hinders it.",
    )


def _secrets(now: Readings) -> Iterator[Finding]:
    key = str(settings.SECRET_KEY)
    if len(key) < WEAK or len(set(key)) < 8 or key.startswith("django-insecure"):
        yield Finding(
            "weak_secret",
            "SECRET_KEY can be guessed; with it anybody can make links and sessions.",
            "Set it to fifty random characters, once: python -c 'import secrets; print(secrets.token_urlsafe(50))'.",
        )
    if settings.DEBUG and _is_open():
        yield Finding(
            "debug_on",
            "DEBUG is on: pages of errors show settings and code to everybody.",
            "Remove SEVEN_MARKS_DEBUG from the environment.",
        )


def _hosts(now: Readings) -> Iterator[Finding]:
    if "*" in settings.ALLOWED_HOSTS:
        yield Finding(
            "any_host",
            "ALLOWED_HOSTS holds *: links in answers can be made to point elsewhere.",
            "Name the hosts under which the site is reached, separated by commas.",
        )
    host = env.host_of(str(settings.PUBLIC_BASE_URL))
    if host and not {host, "*"} & set(settings.ALLOWED_HOSTS):
        yield Finding(
            "host_missing",
            f"PUBLIC_BASE_URL is at {host}, which ALLOWED_HOSTS lacks: every link and QR code answers 400.",
            f"Add {host} to ALLOWED_HOSTS.",
        )
    if (
        _is_hosted()
        and not str(settings.PUBLIC_BASE_URL).startswith("https://")
        and getattr(settings, "HTTPS", False)
    ):
        yield Finding(
            "base_not_https",
            "PUBLIC_BASE_URL does not begin with https://, but HTTPS is on.",
            "Correct PUBLIC_BASE_URL; HTTPS=0 is for a hall without certificates only.",
        )


def _static(now: Readings) -> Iterator[Finding]:
    if settings.STATIC_ROOT and not Path(settings.STATIC_ROOT).is_dir():
        yield Finding(
            "static_missing",
            f"There are no style sheets in {settings.STATIC_ROOT}.",
            "Run manage.py collectstatic --noinput.",
        )


def _is_open() -> bool:
    """Whether others than this machine can reach the site."""
    return _is_hosted() or bool(set(settings.ALLOWED_HOSTS) - {"localhost", "127.0.0.1", "[::1]"})


def file_system_of(path: Path, mounts: str = "") -> str:
    """The kind of file system that holds `path`, by the longest mount point above it; empty where not known."""
    try:
        text = mounts or Path("/proc/self/mounts").read_text()
    except OSError:
        return ""
    place, best, kind = path.resolve(), -1, ""
    for line in text.splitlines():
        _, point, found, *_ = line.split(" ")
        mount = Path(point.replace("\\040", " "))
        if place.is_relative_to(mount) and len(mount.parts) >= best:
            best, kind = len(mount.parts), found
    return kind


def _since(age: float | None) -> str:
    if age is None:
        return "was never seen"
    return f"was last seen {age / 3600:.0f} h ago" if age > 7200 else f"was last seen {age:.0f} s ago"


LOOKS: tuple[Look, ...] = (
    _database,
    _network_disk,
    _folder,
    _broker,
    _worker,
    _clocks,
    _snapshots,
    _secrets,
    _hosts,
    _static,
)
