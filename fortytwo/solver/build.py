"""`python -m fortytwo.solver.build` compiles the searches in place; nothing needs it, it is only faster.

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

from .backend import SOURCES, backend, source_digest

PACKAGE = "fortytwo.solver"
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
        _say(f"built {', '.join(path.name for path in build())}")
    except BuildError as error:
        _say(f"stays in pure Python, the compiled search was not built: {error}")
        return 1 if options.require else 0
    return 0


def build() -> list[Path]:
    """Compile the sources and put the extensions next to them. Raises `BuildError`."""
    try:
        cython, setuptools = import_module("Cython.Build"), import_module("setuptools")
        failures, in_source = import_module("setuptools.errors"), import_module("Cython.Compiler.Errors")
    except ImportError as error:
        raise BuildError(f"{error.name} is not installed") from None
    macro = ("SOURCE_DIGEST", f'"{source_digest()}"')
    names = {f"{PACKAGE}.{source.stem}": source.relative_to(ROOT) for source in SOURCES}
    made: list[Path] = []
    printed = io.StringIO()
    with tempfile.TemporaryDirectory(prefix="solver-") as folder:
        extensions = [
            setuptools.Extension(name, [str(source)], define_macros=[macro]) for name, source in names.items()
        ]
        try:
            # Compilers write to the file descriptor, which stays; only what Python prints is held back.
            with contextlib.chdir(ROOT), contextlib.redirect_stdout(printed):
                modules = cython.cythonize(extensions, build_dir=folder, quiet=True, language_level=3)
                attributes = {"name": "solver", "ext_modules": modules}
                command = setuptools.Distribution(attributes).get_command_obj("build_ext")
                command.build_temp = command.build_lib = folder
                command.ensure_finalized()
                command.run()
            for name, source in names.items():
                built = Path(command.get_ext_fullpath(name))
                made.append((ROOT / source).with_name(built.name))
                # Replaced in one step: a process that starts meanwhile finds the old one or the new one.
                waiting = made[-1].with_suffix(".new")
                waiting.write_bytes(built.read_bytes())
                os.replace(waiting, made[-1])
        except (
            failures.BaseError,
            failures.CCompilerError,
            in_source.CompileError,
            OSError,
            SystemExit,
        ) as error:
            raise BuildError(shorten(str(error), 160) or "the compiler failed") from None
    return made


def _say(text: str) -> None:
    sys.stderr.write(f"solver: {text}\n")


if __name__ == "__main__":
    sys.exit(main())
