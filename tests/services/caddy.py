"""Caddy with a configuration of the hosted site, in the foreground of a process of our own."""

import os

from tests.services.apt import find_or_install


def find_caddy() -> str:
    """The proxy's binary, installed if need be."""
    return os.environ.get("CADDY") or find_or_install(["caddy"], ["caddy"])
