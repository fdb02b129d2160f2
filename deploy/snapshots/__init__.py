"""Verified copies of the database, and putting one back."""

from deploy.snapshots.clock import SnapshotClock
from deploy.snapshots.errors import SnapshotError
from deploy.snapshots.store import latest, restore, rotate, take

__all__ = ["SnapshotClock", "SnapshotError", "latest", "restore", "rotate", "take"]
