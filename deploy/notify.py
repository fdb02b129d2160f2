"""Tells systemd that a process is ready, or that it is still at work; nothing where systemd did not start it."""

import os
import socket
from contextlib import suppress


def notify(state: str) -> None:
    """Send one line, such as `READY=1` or `WATCHDOG=1`, to the socket that systemd named."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as outlet:
        outlet.sendto(state.encode(), f"\0{address[1:]}" if address.startswith("@") else address)
