"""`python -m fortytwo.solver.build` compiles the search in place; nothing needs it, it is only faster.

It takes Cython, setuptools and a C compiler. Where one of them is missing it says so in one line and
ends with 0, or with 1 under `--require`; what was built before stays as it is.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import sys
import tempfile
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from textwrap import shorten

from .backend import SOURCE, backend, source_digest

MODULE = "fortytwo.solver._compiled"
ROOT = Path(__file__).resolve().parents[2]


class BuildError(Exception):
    """Why there is no compiled search, in one line."""


def main(argv: Sequence[str] | None = None) -> int:
    """Build where that is needed; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m fortytwo.solver.build", description=__doc__)
    parser.add_argument("--require", action="store_true", help="end with 1 if it cannot be built")
    parser.add_argument("--force", action="store_true", help="build although it is up to date")
    options = parser.parse_args(argv)
    if not options.force and backend() == "compiled":
        _say("the compiled search is up to date")
        return 0
    try:
        _say(f"built {build().name}")
    except BuildError as error:
        _say(f"stays in pure Python, the compiled search was not built: {error}")
        return 1 if options.require else 0
    return 0


def build() -> Path:
    """Compile `_compiled.pyx` and put the extension next to it. Raises `BuildError`."""
    try:
        cython, setuptools = import_module("Cython.Build"), import_module("setuptools")
        failures = import_module("setuptools.errors")
    except ImportError as error:
        raise BuildError(f"{error.name} is not installed") from None
    source = SOURCE.relative_to(ROOT)
    macro = ("SOURCE_DIGEST", f'"{source_digest()}"')
    printed = io.StringIO()
    with tempfile.TemporaryDirectory(prefix="solver-") as folder:
        extension = setuptools.Extension(MODULE, [str(source)], define_macros=[macro])
        try:
            # Compilers write to the file descriptor, which stays; only what Python prints is held back.
            with contextlib.chdir(ROOT), contextlib.redirect_stdout(printed):
                modules = cython.cythonize([extension], build_dir=folder, quiet=True, language_level=3)
                attributes = {"name": "solver", "ext_modules": modules}
                command = setuptools.Distribution(attributes).get_command_obj("build_ext")
                command.build_temp = command.build_lib = folder
                command.ensure_finalized()
                command.run()
            made = Path(command.get_ext_fullpath(MODULE))
            target = SOURCE.with_name(made.name)
            # Replaced in one step: a process that starts meanwhile finds the old one or the new one.
            waiting = target.with_suffix(".new")
            waiting.write_bytes(made.read_bytes())
            os.replace(waiting, target)
        except (failures.BaseError, failures.CCompilerError, OSError, SystemExit) as error:
            raise BuildError(shorten(str(error), 160) or "the compiler failed") from None
    return target


def _say(text: str) -> None:
    sys.stderr.write(f"solver: {text}\n")


if __name__ == "__main__":
    sys.exit(main())
