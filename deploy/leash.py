"""Runs a command that the kernel ends with its parent: `leash.py PARENT SIGNAL USER COMMAND...`.

It changes to USER (unless that is empty), asks Linux for SIGNAL at the parent's death, and becomes COMMAND.
A file of its own, so that the parent need not run code between fork and exec, which threads make unsafe.
"""

import ctypes
import os
import sys

PR_SET_PDEATHSIG = 1


def main(parent: str, signal: str, user: str, *command: str) -> None:
    """Never returns."""
    if user:
        import pwd

        entry = pwd.getpwnam(user)
        os.setgroups([])
        os.setgid(entry.pw_gid)
        os.setuid(entry.pw_uid)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal))  # after setuid, which would clear it
        if os.getppid() != int(parent):  # it died before the kernel was told
            sys.exit(1)
    os.execvp(command[0], command)


if __name__ == "__main__":
    main(*sys.argv[1:])
