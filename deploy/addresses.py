"""Under which addresses this machine answers on its networks."""

import fcntl
import ipaddress
import socket
import struct
import sys

ANY = {"0.0.0.0", "::"}
LOOPBACK = ["localhost", "127.0.0.1", "[::1]"]
_SIOCGIFADDR = 0x8915


def lan_address() -> str:
    """The address that others on the network reach; 127.0.0.1 on a machine without a network.

    No packet is sent: connecting a datagram socket only asks the routing table.
    """
    for far in ("192.0.2.1", "10.255.255.255"):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((far, 9))
            except OSError:
                continue
            found = str(probe.getsockname()[0])
            if not ipaddress.ip_address(found).is_loopback:
                return found
    return next(
        (found for found in all_addresses() if not ipaddress.ip_address(found).is_loopback), "127.0.0.1"
    )


def all_addresses() -> list[str]:
    """Every IPv4 address of this machine."""
    found = []
    for _, name in socket.if_nameindex():
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                answer = fcntl.ioctl(probe, _SIOCGIFADDR, struct.pack("256s", name.encode()[:15]))
            except OSError:  # an interface without an address
                continue
            found.append(socket.inet_ntoa(answer[20:24]))
    return found if sys.platform == "linux" else []


def allowed_hosts() -> list[str]:
    """What ALLOWED_HOSTS must hold so that phones in the hall reach this machine by address or by name."""
    name = socket.gethostname().lower()
    names = [name, f"{name.split('.')[0]}.local"] if name else []
    return list(dict.fromkeys([*LOOPBACK, lan_address(), *all_addresses(), *names]))
