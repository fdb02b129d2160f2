"""Setting up compiles the solver's search once for each source and compiler, and goes on without one."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from deploy import boot
from fortytwo.solver import backend


class Site:
    """A folder to set up; its interpreter stands for one that compiles, or cannot."""

    def __init__(self, folder: Path) -> None:
        self.solver = folder / "solver"
        self.python = folder / "python"
        self.solver.mkdir()
        self.change("first")
        (self.solver / "build.py").write_text("how")
        self.works(True)

    def works(self, well: bool) -> None:
        built = self.solver / "_compiled.cpython-311.so"
        lines = [f"touch {built}", "exit 0"] if well else ["exit 1"]
        self.python.write_text("\n".join(["#!/bin/sh", *lines, ""]))
        self.python.chmod(0o755)

    def change(self, source: str) -> None:
        (self.solver / "_compiled.pyx").write_text(source)

    def clear(self) -> None:
        for built in self.solver.glob("_compiled.*.so"):
            built.unlink()


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    site = Site(tmp_path)
    monkeypatch.setattr(boot, "ROOT", str(tmp_path))
    monkeypatch.setattr(boot, "VENV", str(tmp_path))
    monkeypatch.setattr(boot, "VENV_PYTHON", str(site.python))
    monkeypatch.setattr(boot, "SOLVER", str(site.solver))
    return site


def test_search_is_built_once_for_each_source(site: Site) -> None:
    assert not boot.is_solver_settled()
    boot.make_solver()
    assert boot.is_solver_settled()
    site.change("second")
    assert not boot.is_solver_settled()
    boot.make_solver()
    site.clear()
    assert not boot.is_solver_settled()


def test_search_without_compiler_is_tried_again_only_with_another_one(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.works(False)
    boot.make_solver()
    assert boot.is_solver_settled()
    monkeypatch.setenv("CC", "/opt/bin/cc")
    assert not boot.is_solver_settled()


def test_check_says_which_search_is_used() -> None:
    said = StringIO()
    call_command("check", stdout=said)
    assert said.getvalue().splitlines()[-1].startswith(f"Solver: {backend()}")
