"""Why a snapshot failed."""


class SnapshotError(Exception):
    """In one line: what went wrong, and what is still whole."""
