"""The files of the hosted shape: they can be read, and every command and variable in them exists."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import get_commands

from deploy.supervisor import BEAT, CELERY, WORKER
from tests.deploy.hosted import HOSTED, Unit, example_environment, units
from tests.serving import ROOT

SETTINGS = (ROOT / "deploy" / "settings" / "hosted.py").read_text()
EXAMPLE = (HOSTED / ".env.example").read_text()
RUNBOOK = (ROOT / "deploy" / "RUNBOOK.md").read_text()


def _compose() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((HOSTED / "compose.yaml").read_text())
    return loaded


def _is_known(command: list[str]) -> bool:
    """Whether a command is one of ours, with arguments that its program takes."""
    match command:
        case ["python", "manage.py", name, *_]:
            return name in get_commands()
        case ["python", "-m", "deploy.serve", *rest]:
            return set(rest[::2]) <= {"--host", "--port"}
        case ["python", "-m", "celery", *rest]:
            known = {*CELERY[1:], *WORKER, *BEAT}
            return all(word in known or re.match(r"--(concurrency|hostname)=", word) for word in rest[1:])
    return False


@pytest.mark.parametrize("unit", units(), ids=lambda unit: unit.name)
def test_unit_starts_what_exists(unit: Unit) -> None:
    assert unit.command[0] == "/opt/seven-marks/.venv/bin/python"
    assert _is_known(["python", *unit.command[1:]])


def test_units_start_worker_and_beat_as_the_supervisor_does() -> None:
    commands = {unit.name: unit.command[1:] for unit in units()}
    worker = commands["seven-marks-worker@.service"]
    assert tuple(worker[: len(CELERY) + len(WORKER)]) == (*CELERY, *WORKER)
    assert tuple(commands["seven-marks-beat.service"]) == (*CELERY, *BEAT)


def test_systemd_reads_the_units(tmp_path: Path) -> None:
    """systemd says nothing about them, with the program at its place here and an account that exists."""
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("needs systemd-analyze")
    for path in (HOSTED / "systemd").iterdir():
        text = path.read_text().replace("/opt/seven-marks/.venv/bin/python", sys.executable)
        (tmp_path / path.name).write_text(re.sub(r"(User|Group)=seven-marks", r"\1=root", text))
    names = [
        path.name.replace("web@", "web@8001").replace("worker@", "worker@1")
        for path in (HOSTED / "systemd").iterdir()
    ]
    done = subprocess.run(
        [analyze, "verify", "--man=no", *names],
        cwd=tmp_path,
        env={**os.environ, "SYSTEMD_UNIT_PATH": f"{tmp_path}:"},
        capture_output=True,
        text=True,
    )
    ours = [line for line in done.stderr.splitlines() if "seven-marks" in line]
    assert ours == []


def test_compose_names_only_what_it_holds() -> None:
    compose = _compose()
    services = compose["services"]
    volumes = {
        volume.split(":")[0]
        for service in services.values()
        for volume in service.get("volumes", [])
        if not volume.startswith((".", "/"))
    }
    needed = {name for service in services.values() for name in service.get("depends_on", [])}
    assert volumes == set(compose["volumes"])
    assert needed <= set(services)
    upstreams = services["caddy"]["environment"]["WEB_UPSTREAMS"].split()
    assert {upstream.split(":")[0] for upstream in upstreams} <= set(services)


def test_compose_starts_what_exists() -> None:
    commands = {
        name: service["command"]
        for name, service in _compose()["services"].items()
        if service["image"] == "seven-marks"
    }
    backup = commands.pop("backup")
    assert "python manage.py backup" in backup[-1]
    assert set(commands) == {"prepare", "web-1", "web-2", "worker-1", "worker-2", "beat"}
    assert {name for name, command in commands.items() if not _is_known(command)} == set()


def test_workers_of_compose_leave_signs_of_their_own() -> None:
    services = _compose()["services"]
    names = {services[name]["environment"]["PULSE_NAME"] for name in ("worker-1", "worker-2")}
    assert names == {"worker-1", "worker-2"}
    assert all(services[name]["environment"]["BROKER_URL"] for name in ("worker-1", "worker-2"))


def test_example_names_every_variable_and_no_other() -> None:
    read = set(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', SETTINGS))
    elsewhere = {"DJANGO_SETTINGS_MODULE", "SITE_ADDRESS", "WEB_UPSTREAMS", "FORWARDED_ALLOW_IPS"}
    named = set(re.findall(r"^#?([A-Z_]+)=", EXAMPLE, re.M))
    assert named == read | elsewhere


def test_proxy_is_given_what_its_file_asks_for() -> None:
    asked = set(re.findall(r"\{\$([A-Z_]+)\}", (HOSTED / "Caddyfile").read_text()))
    assert asked == {"SITE_ADDRESS", "WEB_UPSTREAMS"}


def test_runbook_names_commands_and_files_that_exist() -> None:
    commands = set(re.findall(r"(?:^ +|`|&& )marks ([a-z]+)", RUNBOOK, re.M)) | set(
        re.findall(r"manage\.py ([a-z]+)", RUNBOOK)
    )
    assert {"doctor", "restore", "prepare", "backup"} <= commands
    assert commands <= set(get_commands())
    paths = re.findall(r"(?<![\w/])(?:deploy|tests)/[\w./*-]+", RUNBOOK)
    assert {path for path in paths if not list(ROOT.glob(path.rstrip("/.")))} == {"deploy/hosted/.env"}


@pytest.mark.timeout(60)
def test_hosted_settings_pass_djangos_own_advice(tmp_path: Path) -> None:
    done = _manage(tmp_path, "check", "--deploy", "--fail-level", "WARNING")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("SECRET_KEY", None, "Set the environment variable SECRET_KEY."),
        ("DATABASE_URL", "sqlite:///x", "The hosted site keeps its data in PostgreSQL"),
        ("HSTS_SECONDS", "a year", "HSTS_SECONDS is 'a year'; it must be a whole number."),
    ],
)
def test_hosted_settings_say_what_is_missing(tmp_path: Path, name: str, value: str | None, said: str) -> None:
    done = _manage(tmp_path, "check", **{name: value})
    assert done.returncode == 1
    assert said in done.stderr


def _manage(folder: Path, *arguments: str, **changes: str | None) -> "subprocess.CompletedProcess[str]":
    # A browser's tests in this process set what no site may have.
    wanted = {**example_environment(folder), "DJANGO_ALLOW_ASYNC_UNSAFE": None, **changes}
    inherited = {name: value for name, value in os.environ.items() if name not in wanted}
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env={**inherited, **{name: value for name, value in wanted.items() if value is not None}},
        capture_output=True,
        text=True,
    )
