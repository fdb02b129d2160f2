"""Every branch of the rules is taken by the tests of the engine. The solver is left out: of it one search is used."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.fortytwo.solver.searches import need

ROOT = Path(__file__).resolve().parents[2]
LEFT_OUT = "fortytwo/solver/*,fortytwo/__main__.py"
"""The command line is run by the tests in processes of its own too, which are not measured."""


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_tests_take_every_branch_of_the_rules(tmp_path):
    need("compiled")
    coverage = [sys.executable, "-m", "coverage"]
    data = f"--data-file={tmp_path / 'coverage'}"
    measured = subprocess.run(
        [
            *(*coverage, "run", "--branch", "--source=fortytwo", data, "-m", "pytest", "tests/fortytwo"),
            *("--ignore=tests/fortytwo/solver", "-q", "-p", "no:cacheprovider", "--timeout=0"),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert measured.returncode == 0, measured.stdout[-2000:]
    report = subprocess.run(
        [*coverage, "report", data, "--skip-covered", "-m", f"--omit={LEFT_OUT}", "--fail-under=100"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert report.returncode == 0, report.stdout
