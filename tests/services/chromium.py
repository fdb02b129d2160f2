"""Headless Chromium for browser tests: Debian's, with the flags under which it runs as root and offline."""

import os

from tests.services.apt import find_or_install

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
]


def find_chromium() -> str:
    """The browser's binary, installed if need be."""
    return os.environ.get("CHROMIUM") or find_or_install(
        ["chromium", "chromium-browser", "google-chrome"], ["chromium", "fonts-dejavu-core"]
    )
