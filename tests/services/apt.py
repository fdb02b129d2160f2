"""Installs Debian packages where we may: as root, on a machine with apt-get."""

import os
import shutil
import subprocess

from tests.services.missing import ServiceMissingError


def find_or_install(binaries: list[str], packages: list[str]) -> str:
    """The path of the first of `binaries` found, installing `packages` when none is there."""
    found = _find(binaries)
    if found is None:
        _install(binaries[0], packages)
        found = _find(binaries)
    if found is None:
        raise ServiceMissingError(f"{binaries[0]} is missing although {' '.join(packages)} is installed")
    return found


def _find(binaries: list[str]) -> str | None:
    path = os.pathsep.join(
        [os.environ.get("PATH", ""), "/usr/local/bin", "/usr/bin", "/usr/sbin", "/snap/bin"]
    )
    return next((found for name in binaries if (found := shutil.which(name, path=path))), None)


def _install(name: str, packages: list[str]) -> None:
    apt = shutil.which("apt-get")
    wanted = " ".join(packages)
    if apt is None or os.geteuid() != 0:
        raise ServiceMissingError(f"{name} is missing; as root: apt-get install {wanted}")
    print(f"services: installing {wanted} (apt-get)", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    commands = [
        [apt, "-qq", "install", "-y", "--no-install-recommends", *packages],
        [apt, "-qq", "update"],
        [apt, "-qq", "install", "-y", "--no-install-recommends", *packages],
    ]
    last = ""
    for command in commands:
        done = subprocess.run(
            command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=900
        )
        if done.returncode == 0 and "install" in command:
            return
        last = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
    raise ServiceMissingError(f"{name} is missing and apt-get install {wanted} failed: {last}")
