"""Fixtures and rules of the whole suite: which test runs on which database, what may be skipped."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.services.chromium import FLAGS
from tests.services.redis import Redis
from tests.serving import running

_ON_POSTGRESQL = bool(os.environ.get("DATABASE_URL"))
_IN_CI = bool(os.environ.get("CI"))
_ALLOWED_SKIPS = {
    line.strip()
    for line in (Path(__file__).parent / "allowed_skips.txt").read_text().splitlines()
    if line.strip() and not line.startswith("#")
}
_DATABASE_FIXTURES = {"db", "transactional_db", "django_db_reset_sequences", "live_server", "live_site"}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option with which the second run leaves out what no database can change."""
    parser.addoption(
        "--database-tests-only",
        action="store_true",
        help="leave out tests that touch no database or want one",
    )


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Drop what does not belong to this database; skip what needs a service that is not there."""
    only_database = config.getoption("--database-tests-only")
    dropped = [
        item
        for item in items
        if (item.get_closest_marker("postgres") and not _ON_POSTGRESQL)
        or (only_database and not _touches_database(item))
    ]
    if dropped:
        items[:] = [item for item in items if item not in set(dropped)]
        config.hook.pytest_deselected(items=dropped)
    for item in items:
        if item.get_closest_marker("redis") and not os.environ.get("REDIS_URL"):
            item.add_marker(pytest.mark.skip(reason="needs Redis or Valkey: run make test"))
        if item.get_closest_marker("browser") and not _chromium():
            item.add_marker(pytest.mark.skip(reason="needs Chromium: run make test"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """In CI a skip fails, unless its reason is listed in allowed_skips.txt."""
    report = yield
    if report.skipped and not hasattr(report, "wasxfail"):
        _refuse_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[None]:
    """The same for a module that skips itself."""
    report = yield
    if report.skipped:
        _refuse_skip(report)
    return report


@pytest.fixture
def redis_server() -> Iterator[Redis]:
    """A server of the test's own, which it may stop and start again."""
    server = Redis()
    try:
        server.start()
        yield server
    finally:
        server.close()


@pytest.fixture
def live_site(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of the whole web application, served by uvicorn in a thread over the test database."""
    from deploy.asgi import make_application

    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
    front = make_application()
    with running(front) as site:
        yield site.url
    front.django.executor.shutdown()  # type: ignore[attr-defined]


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, object]:
    """How pytest-playwright starts the browser."""
    return {"executable_path": _chromium(), "args": FLAGS, "headless": True}


def _touches_database(item: pytest.Item) -> bool:
    if item.get_closest_marker("database"):
        return True
    if item.get_closest_marker("one_database") or item.get_closest_marker("browser"):
        return False
    return bool(
        item.get_closest_marker("django_db")
        or item.get_closest_marker("postgres")
        or _DATABASE_FIXTURES & set(getattr(item, "fixturenames", ()))
    )


def _refuse_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    reason = reason.removeprefix("Skipped: ")
    if _IN_CI and reason not in _ALLOWED_SKIPS:
        report.outcome = "failed"
        report.longrepr = f"skipped in CI for a reason that allowed_skips.txt does not list: {reason}"


def _chromium() -> str:
    return os.environ.get("CHROMIUM") or shutil.which("chromium") or ""
