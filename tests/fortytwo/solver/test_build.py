"""The compiled search is optional: without a compiler everything works, and an old build is not used."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import fortytwo
from fortytwo.solver.backend import source_digest

PACKAGE = Path(fortytwo.__file__).parent
ASK = "from fortytwo.solver import backend, why_pure; print(backend(), why_pure(), sep='|')"
STAND_INS = {
    "_compiled": "from .pure import Core\nNAME, DIGEST = 'compiled', {digest!r}\n",
    "_lines": "DIGEST = {digest!r}\n",
}
"""Stand for a build, so that this needs no compiler."""


@pytest.fixture
def copy(tmp_path):
    """The engine in a folder of its own, with nothing built."""
    built = shutil.ignore_patterns("_*.so", "_*.pyd", "__pycache__")
    shutil.copytree(PACKAGE, tmp_path / "fortytwo", ignore=built)
    return tmp_path


def stand_in(folder, digest):
    for name, text in STAND_INS.items():
        (folder / f"fortytwo/solver/{name}.py").write_text(text.format(digest=digest))


def run(folder, *words):
    """In an interpreter without site packages, so there is no Cython."""
    command = [sys.executable, "-S", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)


def names(folder):
    return {path.name for path in (folder / "fortytwo" / "solver").iterdir() if path.is_file()}


def test_nothing_built_is_pure(copy):
    assert run(copy, "-c", ASK).stdout.startswith("pure|it has not been built")


def test_build_without_cython_changes_nothing(copy):
    before = names(copy)
    result = run(copy, "-m", "fortytwo.solver.build")
    assert result.returncode == 0
    assert "stays in pure Python" in result.stderr
    assert run(copy, "-m", "fortytwo.solver.build", "--require").returncode == 1
    assert names(copy) == before


def test_build_of_this_source_is_used(copy):
    stand_in(copy, source_digest())
    assert run(copy, "-c", ASK).stdout == "compiled|\n"
    assert "up to date" in run(copy, "-m", "fortytwo.solver.build").stderr


def test_build_of_another_source_is_not_used(copy):
    stand_in(copy, "0123")
    assert run(copy, "-c", ASK).stdout.startswith("pure|it was built from another source")


def test_build_without_its_source_is_used(copy):
    stand_in(copy, "0123")
    (copy / "fortytwo/solver/_lines.pyx").unlink()
    assert run(copy, "-c", ASK).stdout == "compiled|\n"


@pytest.mark.long
def test_build_where_a_compiler_is(copy):
    command = [sys.executable, "-m", "fortytwo.solver.build", "--require"]
    result = subprocess.run(command, cwd=copy, capture_output=True, text=True, timeout=110, check=False)
    if result.returncode == 0:
        assert run(copy, "-c", ASK).stdout == "compiled|\n"
        assert {name.split(".")[0] for name in names(copy) if name[-2:] == "so"} == {"_compiled", "_lines"}
    else:
        assert "stays in pure Python" in result.stderr
