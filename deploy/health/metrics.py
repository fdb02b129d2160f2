"""What Prometheus reads at /metrics: counts of this process, and the state of the site at that moment.

Where several web processes share one port, PROMETHEUS_MULTIPROC_DIR names a folder in which they add up.
"""

import os
from collections.abc import Iterable, Iterator

from django.db import connections
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import REGISTRY, CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from deploy.health.readings import read

disable_created_metrics()  # type: ignore[no-untyped-call]  # they double every figure

METHODS = frozenset({"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"})
SECONDS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

requests = Counter(
    "seven_marks_requests", "Answered requests by address pattern and status.", ["method", "route", "status"]
)
request_seconds = Histogram(
    "seven_marks_request_seconds",
    "Seconds until the answer began, by address pattern.",
    ["route"],
    buckets=SECONDS,
)
database_seconds = Histogram(
    "seven_marks_request_database_seconds",
    "Seconds that a request waited for the database, all its queries together.",
    buckets=SECONDS,
)
refusals = Counter("seven_marks_refusals", "Refused requests of the API by code.", ["code", "status"])
open_streams = Gauge("seven_marks_open_streams", "Open event streams.", multiprocess_mode="livesum")


def count_request(*, method: str, route: str, status: int, seconds: float) -> None:
    """Count one answer. A method that nobody knows is counted as "other"."""
    requests.labels(method if method in METHODS else "other", route, str(status)).inc()
    request_seconds.labels(route).observe(seconds)


class SiteCollector(Collector):
    """Reads the state of the site when it is asked; an age that is not known is left out."""

    def describe(self) -> Iterable[Metric]:
        return []

    def collect(self) -> Iterator[Metric]:
        found = read()
        values = {
            "queue_waiting": ("Closed matches whose teams have not been moved on.", found.waiting),
            "queue_age_seconds": ("How long the oldest of them has waited.", found.queue_age),
            "sweep_age_seconds": ("Since every sweep has run.", found.sweep_age),
            "worker_age_seconds": ("Since a worker last ended a task.", found.worker_age),
            "beat_age_seconds": ("Since beat last looked at its schedule.", found.beat_age),
            "snapshot_age_seconds": ("Since the last snapshot.", found.snapshot_age),
            "disk_free_bytes": ("Left on the disk of the data folder.", found.disk_free),
            "database_up": ("1 when the database answers.", int(found.database == "")),
        }
        for name, (words, value) in values.items():
            if value is not None:
                yield GaugeMetricFamily(f"seven_marks_{name}", words, value=value)
        yield from _pool()


def _pool() -> Iterator[Metric]:
    """The connection pool of the process that answers; nothing on a database without one."""
    connection = connections["default"]
    if connection.vendor != "postgresql" or not connection.settings_dict["OPTIONS"].get("pool"):
        return
    stats = connection.pool.get_stats()  # type: ignore[attr-defined]
    waited = CounterMetricFamily(
        "seven_marks_database_pool_wait_seconds", "Seconds that requests waited for a connection."
    )
    waited.add_metric([], stats.get("requests_wait_ms", 0) / 1000)
    yield waited
    for name, words in (
        ("pool_size", "Connections of the pool."),
        ("pool_available", "Connections that nobody uses."),
        ("requests_waiting", "Requests that wait for a connection."),
    ):
        short = name.removeprefix("pool_")
        yield GaugeMetricFamily(f"seven_marks_database_pool_{short}", words, value=stats.get(name, 0))


_site = SiteCollector()


def scrape() -> bytes:
    """All metrics as Prometheus reads them."""
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        registry.register(_site)
        return generate_latest(registry)
    if _site not in REGISTRY._collector_to_names:
        REGISTRY.register(_site)
    return generate_latest(REGISTRY)
