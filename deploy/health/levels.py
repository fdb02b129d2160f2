"""When a reading is well, worth a look, or calls for an act. Box, probes and doctor judge by these alone."""

from enum import StrEnum

from django.conf import settings

from deploy.health.readings import Readings

GIGABYTE = 1_000_000_000


class Level(StrEnum):
    WELL = "well"
    LOOK = "look"
    ACT = "act"


ORDER = (Level.WELL, Level.LOOK, Level.ACT)


def worst(levels: list[Level]) -> Level:
    """The gravest of them; well when there are none."""
    return max(levels, key=ORDER.index, default=Level.WELL)


def queue_level(readings: Readings) -> Level:
    """A team that waits to be moved on is usually moved within a second, and by a sweep within twenty."""
    return Level.ACT if readings.queue_age is None else _by(readings.queue_age, 30, 120)


def sweep_level(readings: Readings) -> Level:
    """Sweeps run every ten seconds; the supervisor replaces a worker that is silent for 35."""
    return Level.ACT if readings.sweep_age is None else _by(readings.sweep_age, 40, 120)


def worker_level(readings: Readings) -> Level:
    """The same for the sign of a single worker."""
    return Level.ACT if readings.worker_age is None else _by(readings.worker_age, 40, 120)


def snapshot_level(readings: Readings) -> Level:
    """Counted in the intervals at which this site is meant to take them."""
    if readings.snapshot_age is None:
        return Level.ACT
    return _by(readings.snapshot_age, 3 * settings.SNAPSHOT_EVERY, 10 * settings.SNAPSHOT_EVERY)


def disk_level(readings: Readings) -> Level:
    """An event of 256 teams takes about 50 megabytes; snapshots of two days a hundred times the database."""
    if readings.disk_free is None:
        return Level.ACT
    if readings.disk_free < GIGABYTE // 2:
        return Level.ACT
    return Level.LOOK if readings.disk_free < 2 * GIGABYTE else Level.WELL


def _by(age: float, look: float, act: float) -> Level:
    return Level.ACT if age > act else Level.LOOK if age > look else Level.WELL
