"""The compiled search is optional: without a compiler everything works, and nothing is half built."""

import subprocess
import sys
from pathlib import Path

from fortytwo.solver import build
from fortytwo.solver.backend import SOURCE

ROOT = Path(__file__).resolve().parents[3]


def run(*words):
    """In an interpreter without site packages, so there is no Cython."""
    command = [sys.executable, "-S", "-m", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)


def test_build_without_cython_changes_nothing():
    before = {path.name: path.stat().st_mtime_ns for path in SOURCE.parent.iterdir() if path.is_file()}
    result = run("fortytwo.solver.build", "--force")
    assert result.returncode == 0
    assert "stays in pure Python" in result.stderr
    assert run("fortytwo.solver.build", "--force", "--require").returncode == 1
    after = {path.name: path.stat().st_mtime_ns for path in SOURCE.parent.iterdir() if path.is_file()}
    assert after == before


def test_solver_works_without_site_packages():
    code = "from fortytwo.solver import Solver; print(Solver('pure').nodes)"
    result = subprocess.run(
        [sys.executable, "-S", "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert result.stdout == "0\n"


def test_module_name_matches_the_source():
    assert build.MODULE.endswith(SOURCE.stem)
    assert (build.ROOT / "fortytwo" / "solver" / SOURCE.name).is_file()
