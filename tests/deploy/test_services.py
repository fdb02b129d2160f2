"""What the test services say when something is missing, and that they clean up."""

import os
import subprocess
import sys

import pytest

from tests.serving import ROOT
from tests.services import apt
from tests.services.missing import ServiceMissingError


def test_missing_program_is_named_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(ServiceMissingError, match="no-such-server is missing; as root: apt-get install no-such-package"):
        apt.find_or_install(["no-such-server"], ["no-such-package"])


def test_skip_fails_in_ci_unless_it_is_listed(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = ROOT / "var" / "skips"
    folder.mkdir(parents=True, exist_ok=True)
    module = folder / "test_skipping.py"
    module.write_text("import pytest\n\n\ndef test_a():\n    pytest.skip('no reason')\n")
    outcome = {}
    for ci in ("", "true"):
        command = [sys.executable, "-m", "pytest", "-p", "tests.conftest", "-p", "no:cacheprovider", str(module)]
        done = subprocess.run(command, cwd=ROOT, env={**os.environ, "CI": ci}, capture_output=True, text=True)
        outcome[ci] = (done.returncode, "allowed_skips.txt does not list: no reason" in done.stdout)
    module.unlink()
    assert outcome == {"": (0, False), "true": (1, True)}
