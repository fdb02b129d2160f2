"""The machine that the figures belong to."""

from __future__ import annotations

import os
import platform
import sqlite3
import subprocess
from importlib.metadata import version
from pathlib import Path
from typing import Any

PACKAGES = ("django", "djangorestframework", "psycopg", "uvicorn", "uvloop", "celery")


def machine(root: Path) -> dict[str, Any]:
    """Processor, memory, kernel, versions, and the commit of the checkout at `root`."""
    return {
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "memory_mb": _memory_mb(),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "packages": {name: version(name) for name in PACKAGES},
        "sqlite": sqlite3.sqlite_version,
        "commit": commit(root),
    }


def commit(root: Path) -> str:
    """The commit of a checkout, with a + where files differ from it; "" outside of git."""
    try:
        asked = ["git", "-C", str(root)]
        head = subprocess.run([*asked, "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
        changed = subprocess.run([*asked, "status", "--porcelain"], capture_output=True, text=True)
    except OSError:
        return ""
    return head.stdout.strip() + ("+" if changed.stdout.strip() else "") if head.returncode == 0 else ""


def load() -> float:
    """The load average of the last minute."""
    return os.getloadavg()[0]


def in_words(facts: dict[str, Any]) -> str:
    """The machine in two lines."""
    packages = ", ".join(f"{name} {number}" for name, number in facts["packages"].items())
    return (
        f"{facts['processor']}, {facts['cores']} cores, {facts['memory_mb']:,} MB, {facts['system']}\n"
        f"Python {facts['python']}, {packages}, SQLite {facts['sqlite']}, commit {facts['commit'] or 'unknown'}"
    )


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next(
        (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine()
    )


def _memory_mb() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20
    except (OSError, ValueError):
        return 0
