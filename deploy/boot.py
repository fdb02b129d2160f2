"""Makes `.boot/` (uv) and `.venv/` (what `uv.lock` pins): `python3 deploy/boot.py runtime|dev`.

Needs nothing but Python's standard library and runs on old interpreters far enough to say so. Stamp files
make a second run instant. Every failure a user can meet ends in one line on standard error. For tests it also
compiles the solver's searches, which are only faster than those in Python, so it goes on where that fails.
"""

import hashlib
import io
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request
import zipfile
from collections.abc import Iterable

OLDEST = (3, 11)
UV_VERSION = "0.13.9"
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BOOT = os.path.join(ROOT, ".boot")
UV = os.path.join(BOOT, "uv-" + UV_VERSION)
VENV = os.path.join(ROOT, ".venv")
VENV_PYTHON = os.path.join(VENV, "bin", "python")
SOLVER = os.path.join(ROOT, "fortytwo", "solver")


class BootError(Exception):
    """Says in one line why the environment could not be made."""


def main(arguments: "list[str]") -> int:
    """Make what `arguments` names: `runtime` to run the site, `dev` to test it too."""
    if len(arguments) != 1 or arguments[0] not in ("runtime", "dev"):
        sys.stderr.write("usage: python3 deploy/boot.py runtime|dev\n")
        return 2
    if sys.version_info < OLDEST:
        return _with_newer_python(arguments)
    try:
        if not is_fresh(arguments[0]):
            if not os.access(UV, os.X_OK):
                make_uv()
            make_venv(arguments[0])
        if arguments[0] == "dev" and not is_solver_settled():
            make_solver()
    except BootError as error:
        sys.stderr.write(f"boot: {error}\n")
        return 1
    except OSError as error:
        sys.stderr.write(f"boot: cannot write the project's folder: {error}\n")
        return 1
    return 0


def is_fresh(group: str) -> bool:
    """Whether `.venv` already holds what the lock pins for `group`."""
    return os.access(VENV_PYTHON, os.X_OK) and _read(_stamp(group)) == _fingerprint()


def make_uv() -> None:
    """Put the pinned uv at `UV`: through venv, else through pip, else straight from PyPI."""
    sys.stderr.write(f"boot: fetching uv {UV_VERSION} into .boot\n")
    if not os.path.isdir(BOOT):
        os.mkdir(BOOT)
    failures = []
    work = tempfile.mkdtemp(dir=BOOT)
    try:
        for way in (_uv_through_venv, _uv_through_pip, _uv_from_pypi):
            try:
                found = way(os.path.join(work, way.__name__))
            except (BootError, OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
                failures.append(str(error))
                continue
            os.chmod(found, 0o755)
            os.replace(found, UV)
            return
    finally:
        shutil.rmtree(work, ignore_errors=True)
    raise BootError(
        f"could not fetch uv {UV_VERSION} from PyPI; is this machine on the network? ({failures[-1]})"
    )


def make_venv(group: str) -> None:
    """Install what `uv.lock` pins into `.venv`; the runtime group leaves test tools that are there alone."""
    sys.stderr.write("boot: installing packages into .venv\n")
    environment = dict(os.environ)
    for name in ("VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME"):
        environment.pop(name, None)
    environment["UV_PYTHON_DOWNLOADS"] = "never"
    environment["UV_SYSTEM_CERTS"] = "1"
    environment["UV_PROJECT_ENVIRONMENT"] = VENV
    if not _works(VENV_PYTHON):
        environment["UV_PYTHON"] = sys.executable
    if not _has_cache_folder(environment):
        environment["UV_CACHE_DIR"] = os.path.join(BOOT, "cache")
    command = [UV, "sync", "--frozen"]
    command += ["--group", "dev"] if group == "dev" else ["--no-dev", "--inexact"]
    if not sys.stderr.isatty():
        command.append("--quiet")
    if subprocess.call(command, cwd=ROOT, env=environment) != 0:
        raise BootError(
            "could not install the packages of uv.lock (see above); is this machine on the network?"
        )
    for done in ("runtime", "dev") if group == "dev" else ("runtime",):
        with open(_stamp(done), "w") as file:
            file.write(_fingerprint())


def is_solver_settled() -> bool:
    """Whether this source was compiled, or could not be with what is here now."""
    tried = _read(_stamp("solver")).split()
    if tried == [_solver_fingerprint(), "built"]:
        there = [name.split(".")[0] for name in os.listdir(SOLVER) if name.endswith((".so", ".pyd"))]
        return set(there) == {name[:-4] for name in _solver_sources() if name.endswith(".pyx")}
    return tried == [_solver_fingerprint(), "pure"]


def make_solver() -> None:
    """Compile the solver's search in place where a compiler is; says in one line what came of it."""
    command = [VENV_PYTHON, "-m", "fortytwo.solver.build", "--require"]
    built = subprocess.call(command, cwd=ROOT) == 0
    with open(_stamp("solver"), "w") as file:
        file.write(_solver_fingerprint() + (" built" if built else " pure"))


def _with_newer_python(arguments: "list[str]") -> int:
    for minor in range(20, OLDEST[1] - 1, -1):
        newer = shutil.which(f"python3.{minor}")
        if newer:
            os.execv(newer, [newer, "-I", os.path.abspath(__file__), *arguments])
    sys.stderr.write(
        f"boot: Python {OLDEST[0]}.{OLDEST[1]} or newer is needed; this is {platform.python_version()}.\n"
    )
    return 1


def _uv_through_venv(folder: str) -> str:
    _run([sys.executable, "-m", "venv", folder])
    _run([os.path.join(folder, "bin", "python"), "-m", "pip", "install", "--quiet", "uv==" + UV_VERSION])
    return os.path.join(folder, "bin", "uv")


def _uv_through_pip(folder: str) -> str:
    _run([sys.executable, "-m", "pip", "install", "--quiet", "--target", folder, "uv==" + UV_VERSION])
    return os.path.join(folder, "bin", "uv")


def _uv_from_pypi(folder: str) -> str:
    os.mkdir(folder)
    index = "https://pypi.org/simple/uv/"
    with urllib.request.urlopen(index, timeout=60) as answer:
        page = answer.read().decode()
    links = re.findall(rf'href="([^"]+/(uv-{re.escape(UV_VERSION)}-[^"/#]+\.whl)#sha256=([0-9a-f]+))"', page)
    wanted = [(link, digest) for link, name, digest in links if _fits(name)]
    if not wanted:
        raise BootError(f"PyPI has no uv wheel for {platform.system()} {platform.machine()}")
    link, digest = wanted[0]
    with urllib.request.urlopen(urllib.parse.urljoin(index, link), timeout=120) as answer:
        content = answer.read()
    if hashlib.sha256(content).hexdigest() != digest:
        raise BootError("the uv wheel from PyPI arrived damaged")
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return archive.extract(f"uv-{UV_VERSION}.data/scripts/uv", folder)


def _fits(wheel: str) -> bool:
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(platform.machine().lower(), platform.machine())
    if sys.platform == "darwin":
        return "macosx" in wheel and wheel.endswith({"aarch64": "arm64"}.get(machine, machine) + ".whl")
    libc = "manylinux" if platform.libc_ver()[0] else "musllinux"
    return libc in wheel and wheel.endswith(machine + ".whl")


def _run(command: "list[str]") -> None:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        lines = done.stdout.decode(errors="replace").strip().splitlines() or ["no output"]
        raise BootError("{}: {}".format(" ".join(command[1:3]), lines[-1]))


def _works(python: str) -> bool:
    check = f"import sys; sys.exit(sys.version_info < {OLDEST})"
    return os.access(python, os.X_OK) and subprocess.call([python, "-I", "-c", check]) == 0


def _has_cache_folder(environment: "dict[str, str]") -> bool:
    if environment.get("UV_CACHE_DIR"):
        return True
    home = environment.get("XDG_CACHE_HOME") or environment.get("HOME") or ""
    return os.path.isdir(home) and os.access(home, os.W_OK)


def _stamp(group: str) -> str:
    return os.path.join(VENV, "stamp-" + group)


def _fingerprint() -> str:
    """Changes with the lock and with the list of wanted packages."""
    return _digest(os.path.join(ROOT, name) for name in ("uv.lock", "pyproject.toml")).hexdigest()


def _solver_sources() -> "list[str]":
    return sorted(name for name in os.listdir(SOLVER) if name.endswith((".pyx", ".pxd")))


def _solver_fingerprint() -> str:
    """Changes with the source, with how it is built, and with the compiler."""
    digest = _digest(os.path.join(SOLVER, name) for name in (*_solver_sources(), "build.py"))
    digest.update((os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc") or "").encode())
    return digest.hexdigest()


def _digest(paths: "Iterable[str]") -> "hashlib._Hash":
    digest = hashlib.sha256()
    for path in paths:
        with open(path, "rb") as file:
            digest.update(file.read())
    return digest


def _read(path: str) -> str:
    try:
        with open(path) as file:
            return file.read()
    except OSError:
        return ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
