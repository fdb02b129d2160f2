"""What the test services say when something is missing, and that they clean up."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.services import apt
from tests.services.missing import ServiceMissingError
from tests.serving import ROOT


def test_missing_program_is_named_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(
        ServiceMissingError, match="no-such-server is missing; as root: apt-get install no-such-package"
    ):
        apt.find_or_install(["no-such-server"], ["no-such-package"])


def test_skip_fails_in_ci_unless_it_is_listed(tmp_path: Path) -> None:
    module = tmp_path / "test_skipping.py"
    module.write_text("import pytest\n\n\ndef test_a():\n    pytest.skip('no reason')\n")
    options = ["-c", "pyproject.toml", "-p", "tests.conftest", "-p", "no:cacheprovider", str(module)]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options],
        cwd=ROOT,
        env={**os.environ, "CI": "true"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "allowed_skips.txt does not list: no reason" in done.stdout
