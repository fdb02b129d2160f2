"""Beat by a clock that nobody sets, the signs that processes leave, and what systemd hears."""

import os
import socket
import time
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from prometheus_client.parser import text_string_to_metric_families

from deploy import celery_app, pulse
from deploy.beat import SteadyScheduler
from deploy.notify import notify
from deploy.supervisor import Supervisor, SupervisorError
from tests.e2e.simulating import wait_until


class Outlet:
    """Stands for the broker: keeps what is sent."""

    def __init__(self, app: Any) -> None:
        self.sent: list[str] = []
        self.scheduler = SteadyScheduler(app)
        self.scheduler.producer = None  # the property would ask the broker
        self.scheduler.apply_async = self._keep  # type: ignore[method-assign]

    def _keep(self, entry: Any, **_: Any) -> None:
        self.sent.append(entry.task)


@pytest.fixture
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "VAR_DIR", tmp_path)


@pytest.mark.usefixtures("_own_folder")
def test_beat_sends_everything_at_once_and_then_by_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    steady = [1000.0]
    monkeypatch.setattr("deploy.beat.time.monotonic", lambda: steady[0])
    outlet = Outlet(celery_app)
    assert outlet.scheduler.tick() == 5.0
    assert sorted(outlet.sent) == sorted(settings.CELERY_BEAT_SCHEDULE)
    outlet.sent.clear()

    steady[0] += 9.5
    assert outlet.scheduler.tick() == pytest.approx(0.5)
    assert outlet.sent == []
    steady[0] += 0.5
    outlet.scheduler.tick()
    every_ten = [name for name, entry in settings.CELERY_BEAT_SCHEDULE.items() if entry["schedule"] == 10]
    assert sorted(outlet.sent) == sorted(every_ten)


@pytest.mark.usefixtures("_own_folder")
def test_beat_does_not_mind_a_clock_that_is_set_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Celery's own scheduler would now be silent for an hour."""
    steady = [1000.0]
    monkeypatch.setattr("deploy.beat.time.monotonic", lambda: steady[0])
    outlet = Outlet(celery_app)
    outlet.scheduler.tick()
    outlet.sent.clear()
    real = time.time
    monkeypatch.setattr("time.time", lambda: real() - 3600)
    steady[0] += 10
    outlet.scheduler.tick()
    assert "tournaments.sweep_advances" in outlet.sent


@pytest.mark.usefixtures("_own_folder")
def test_beat_leaves_a_sign_with_every_look() -> None:
    assert pulse.age("beat") is None
    Outlet(celery_app).scheduler.tick()
    age = pulse.age("beat")
    assert age is not None
    assert age < 5


def test_beat_goes_by_that_scheduler() -> None:
    assert celery_app.conf.beat_scheduler == "deploy.beat:SteadyScheduler"


@pytest.mark.usefixtures("_own_folder")
def test_sign_tells_the_time_of_its_process_beside_that_of_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    pulse.touch("worker")
    skew = pulse.skew("worker")
    assert skew is not None
    assert abs(skew) < 1
    real = time.time
    monkeypatch.setattr("deploy.pulse.time.time", lambda: real() + 60)
    pulse.touch("worker")
    skew = pulse.skew("worker")
    assert skew == pytest.approx(60, abs=1)


@pytest.mark.usefixtures("_own_folder")
def test_youngest_sign_of_a_kind_counts() -> None:
    for name, ago in (("worker", 90), ("worker-2", 5)):
        pulse.touch(name)
        then = time.time() - ago
        os.utime(pulse.folder() / name, (then, then))
    assert pulse.youngest_age("worker") == pytest.approx(5, abs=1)
    assert pulse.youngest_age("web") is None


def test_sign_that_cannot_be_left_is_no_failure(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(settings, "VAR_DIR", tmp_path / "file")
    pulse.touch("worker")
    assert pulse.age("worker") is None


@pytest.mark.parametrize("address", ["{folder}/socket", "@seven-marks-test-{pid}"])
def test_systemd_is_told(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named = address.format(folder=tmp_path, pid=os.getpid())
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as inlet:
        inlet.bind(f"\0{named[1:]}" if named.startswith("@") else named)
        inlet.settimeout(5)
        monkeypatch.setenv("NOTIFY_SOCKET", named)
        notify("READY=1")
        assert inlet.recv(100) == b"READY=1"


@pytest.mark.parametrize("address", ["", "/nowhere/socket"])
def test_nobody_to_tell_is_no_failure(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", address)
    notify("READY=1")


def test_data_folder_that_cannot_be_written_is_one_clear_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    site = Supervisor(port=0, environment={"SEVEN_MARKS_VAR": str(tmp_path / "file")})
    with pytest.raises(SupervisorError, match=r"Cannot write to .*file/pulse: Not a directory"):
        site.start()
    site.stop()


@pytest.mark.database
@pytest.mark.timeout(300)
def test_two_of_each_share_port_queue_and_figures(tmp_path: Path) -> None:
    """Which of the two web processes answers does not matter: their figures are one sum."""
    import httpx

    from tests.serving import own_data

    def asked(text: str) -> float:
        return sum(
            sample.value
            for family in text_string_to_metric_families(text)
            for sample in family.samples
            if sample.name == "seven_marks_requests_total" and sample.labels["route"] == "/readyz"
        )

    with own_data(tmp_path) as environment:
        site = Supervisor(
            port=0,
            web_processes=2,
            worker_processes=2,
            environment=environment,
            logs=tmp_path / "log",
            report=lambda line: None,
        )
        try:
            site.start()
            site.wait_ready(120)
            assert set(site.pids()) == {"web", "web-2", "worker", "worker-2", "beat"}
            for _ in range(20):  # without kept connections either process may take each
                assert httpx.get(f"{site.url}/readyz", timeout=60).status_code == 200
            figures = [asked(httpx.get(f"{site.url}/metrics", timeout=60).text) for _ in range(6)]
            assert figures == [20.0] * 6
            signs = tmp_path / "pulse"
            wait_until(lambda: {"worker", "worker-2"} <= {path.name for path in signs.iterdir()}, 120)
        finally:
            site.stop()
