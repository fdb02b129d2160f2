"""A disk of a few megabytes that can be filled to the last block: a file system in memory."""

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

BLOCK = bytes(64 * 1024)


class SmallDisk:
    """Mounted at `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ballast = folder / "ballast"

    def fill(self) -> None:
        """Leave no room at all."""
        with open(self._ballast, "ab", buffering=0) as file:
            for block in (BLOCK, BLOCK[:4096]):
                try:
                    while file.write(block) == len(block):
                        pass
                except OSError:
                    continue

    def clear(self) -> None:
        """Give the room back."""
        self._ballast.unlink(missing_ok=True)


@contextmanager
def small_disk(megabytes: int) -> Iterator[SmallDisk]:
    """A disk of that size which every account may enter, gone when the block ends. OSError where we may mount none."""
    folder = Path(tempfile.mkdtemp(prefix="seven-marks-disk-"))
    options = f"size={megabytes}m,mode=0755"
    mount = ["mount", "-t", "tmpfs", "-o", options, "seven-marks-test", str(folder)]
    try:
        done = subprocess.run(mount, capture_output=True, text=True)
        if done.returncode != 0:
            raise OSError(done.stderr.strip())
        folder.chmod(0o755)
        try:
            yield SmallDisk(folder)
        finally:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)
    finally:
        folder.rmdir()
