"""Says whether the site of a `var/` folder is running: a lock that the kernel drops when its holder dies."""

import fcntl
import os
from pathlib import Path


class SiteRunsError(Exception):
    """Somebody else runs the site; `pid` is its process, 0 where that is not known."""

    def __init__(self, pid: int) -> None:
        super().__init__(f"The site is running (process {pid}).")
        self.pid = pid


class SiteLock:
    """Held by whoever runs the site or replaces its database; SiteRunsError when somebody else holds it."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._descriptor = os.open(folder / "site.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            holder = os.read(self._descriptor, 20).decode(errors="replace").strip()
            os.close(self._descriptor)
            raise SiteRunsError(int(holder) if holder.isdigit() else 0) from None
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, str(os.getpid()).encode(), 0)

    def release(self) -> None:
        """Let others run the site. The file stays: removing it would let two hold it."""
        os.close(self._descriptor)

    def __enter__(self) -> "SiteLock":
        return self

    def __exit__(self, *_: object) -> None:
        self.release()
