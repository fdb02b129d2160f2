"""What the doctor finds: each wrong set-up with its code, and nothing on a site that is well."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection

from deploy import celery_app, pulse
from deploy.health.doctor import examine, file_system_of
from tests.serving import ROOT, own_data, running_site
from tournaments.models import Match

KEY = "x4Rk-9vQm_T2bW7nZp0sLc6Jd8Gf1Hy5"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Settings of a site that is well."""
    monkeypatch.setattr(settings, "VAR_DIR", tmp_path)
    monkeypatch.setattr(settings, "SNAPSHOT_DIR", tmp_path / "snapshots")
    monkeypatch.setattr(settings, "STATIC_ROOT", tmp_path)
    monkeypatch.setattr(settings, "SECRET_KEY", KEY)
    monkeypatch.setattr("deploy.health.levels.GIGABYTE", 1)  # however full the machine of the tests is
    for name in ("worker", "beat", *(f"task-{task}" for task in settings.SWEEPS_WATCHED)):
        pulse.touch(name)
    _snapshot(tmp_path, datetime.now(UTC))
    return monkeypatch


def _snapshot(folder: Path, moment: datetime) -> None:
    (folder / "snapshots").mkdir(exist_ok=True)
    (folder / "snapshots" / f"seven-marks-{moment:%Y%m%dT%H%M%SZ}.sqlite3").touch()


def _age(name: str, seconds: float) -> None:
    path = pulse.folder() / name
    then = path.stat().st_mtime - seconds
    os.utime(path, (then, then))


def _hosted(site: Any, **values: Any) -> None:
    site.setattr(settings, "SETTINGS_MODULE", "deploy.settings.hosted")
    for name, value in {"PUBLIC_BASE_URL": "https://marks.example.org", "HTTPS": True, **values}.items():
        site.setattr(settings, name, value, raising=False)


def _no_migrations(site: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'scoring'")


def _closed_long_ago(site: Any) -> None:
    from tests.support.events import make_tournament

    make_tournament(4).play("M1")
    Match.objects.filter(closed_at__isnull=False).update(closed_at="2026-03-07T09:00Z")


def _skewed(site: Any) -> None:
    path = pulse.folder() / "worker"
    path.write_text(f"{path.stat().st_mtime + 3600:018.6f}")


def _no_snapshots(site: Any) -> None:
    for path in Path(settings.SNAPSHOT_DIR).iterdir():
        path.unlink()


def _old_snapshots(site: Any) -> None:
    _no_snapshots(site)
    _snapshot(Path(settings.VAR_DIR), datetime.now(UTC) - timedelta(minutes=4))


WRONG: dict[str, tuple[Callable[[Any], Any], set[str]]] = {
    "migrations": (_no_migrations, {"migrations_pending"}),
    "broker": (
        lambda site: site.setattr(celery_app.conf, "broker_url", "redis://127.0.0.1:1/0"),
        {"broker_away"},
    ),
    "worker": (lambda site: _age("worker", 100), {"no_worker"}),
    "beat": (lambda site: (pulse.folder() / "beat").unlink(), {"no_beat"}),
    "queue": (_closed_long_ago, {"queue_old"}),
    "clock": (_skewed, {"clock_skew"}),
    "no snapshots": (_no_snapshots, {"snapshots_old"}),
    "old snapshots": (_old_snapshots, {"snapshots_old"}),
    "short key": (lambda site: site.setattr(settings, "SECRET_KEY", "secret"), {"weak_secret"}),
    "dull key": (lambda site: site.setattr(settings, "SECRET_KEY", "x" * 60), {"weak_secret"}),
    "no style": (lambda site: site.setattr(settings, "STATIC_ROOT", "/nowhere"), {"static_missing"}),
    "debug": (lambda site: site.setattr(settings, "DEBUG", True), {"debug_on"}),
    "any host": (lambda site: site.setattr(settings, "ALLOWED_HOSTS", ["*"]), {"any_host"}),
    "hosted elsewhere": (
        lambda site: _hosted(site, ALLOWED_HOSTS=["other.example.org"]),
        {"host_missing"},
    ),
    "hosted in the clear": (
        lambda site: _hosted(
            site, PUBLIC_BASE_URL="http://marks.example.org", ALLOWED_HOSTS=["marks.example.org"]
        ),
        {"base_not_https"},
    ),
}


@pytest.mark.django_db
@pytest.mark.parametrize("wrong", WRONG)
def test_wrong_set_up_is_found_and_nothing_else(site: Any, wrong: str) -> None:
    assert examine()[0] == []
    make, codes = WRONG[wrong]
    make(site)
    found = examine()[0]
    assert {finding.code for finding in found} == codes
    assert all(finding.sentence.endswith(".") and finding.remedy.endswith((".", ")'.")) for finding in found)


@pytest.mark.django_db
def test_skew_of_a_process_that_is_gone_is_no_finding(site: Any) -> None:
    """A file of an hour ago tells nothing about the clocks of now."""
    pulse.touch("worker-2")
    path = pulse.folder() / "worker-2"
    path.write_text("0001.0")
    _age("worker-2", 3600)
    assert examine()[0] == []


@pytest.mark.parametrize(
    ("place", "kind"),
    [
        ("/srv/share/marks/db.sqlite3", "nfs4"),
        ("/srv/db.sqlite3", "ext4"),
        ("/srv/my share/db.sqlite3", "cifs"),
        ("/srv/shared/db.sqlite3", "ext4"),
    ],
)
def test_file_system_is_that_of_the_nearest_mount(place: str, kind: str) -> None:
    mounts = (
        "/dev/sda / ext4 rw 0 0\nhost:/x /srv/share nfs4 rw 0 0\n//host/y /srv/my\\040share cifs rw 0 0\n"
    )
    assert file_system_of(Path(place), mounts) == kind


@pytest.mark.django_db
def test_sqlite_on_a_network_disk_is_found(site: Any) -> None:
    site.setattr(
        "deploy.health.doctor.NETWORK", {file_system_of(Path(settings.DATABASES["default"]["NAME"]))}
    )
    codes = [finding.code for finding in examine()[0]]
    assert codes == (["sqlite_on_network"] if connection.vendor == "sqlite" else [])


@pytest.mark.django_db
def test_disk_that_is_nearly_full_is_found(site: Any) -> None:
    site.setattr("deploy.health.levels.GIGABYTE", 10**18)
    assert [finding.code for finding in examine()[0]] == ["disk_low"]


@pytest.mark.database
@pytest.mark.timeout(120)
def test_command_tells_it_and_ends_with_one(tmp_path: Path) -> None:
    with own_data(tmp_path) as environment:
        status, told = _doctor(environment)
    assert status == 1
    codes = {finding["code"] for finding in told["findings"]}
    assert codes == {"no_worker", "no_beat", "snapshots_old", "static_missing"}
    assert told["facts"]["shape"] == "embedded"
    assert told["facts"]["solver"]


@pytest.mark.one_database
@pytest.mark.timeout(120)
def test_database_that_is_away_is_a_finding_and_no_defect(tmp_path: Path) -> None:
    environment = {
        "DJANGO_SETTINGS_MODULE": "deploy.settings.embedded",
        "SEVEN_MARKS_VAR": str(tmp_path),
        "DATABASE_URL": "postgresql://nobody:secret@127.0.0.1:1/marks",
    }
    status, told = _doctor(environment)
    assert status == 1
    assert told["findings"][0]["code"] == "database_away"
    assert "secret" not in json.dumps(told)


@pytest.mark.database
@pytest.mark.timeout(120)
def test_running_site_is_well(tmp_path: Path) -> None:
    with running_site(tmp_path) as site:
        subprocess.run(
            [sys.executable, "manage.py", "snapshot"],
            cwd=ROOT,
            env={**os.environ, **site.environment},
            check=True,
            capture_output=True,
        )
        (tmp_path / "static").mkdir(exist_ok=True)
        for _ in range(30):
            status, told = _doctor(site.environment)
            if status == 0:
                break
    assert (status, told["findings"]) == (0, [])


def _doctor(environment: dict[str, str]) -> tuple[int, dict[str, Any]]:
    done = subprocess.run(
        [sys.executable, "manage.py", "doctor", "--json"],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
    )
    return done.returncode, json.loads(done.stdout)
