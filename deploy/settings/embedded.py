"""A laptop in a hall: SQLite and a broker of files under `var/`, one machine, plain http on the LAN."""

import os
import secrets
from contextlib import suppress
from pathlib import Path

from deploy import env
from deploy.health.logs import logging_config
from deploy.settings.base import *  # noqa: F403
from deploy.settings.base import VAR_DIR as DEFAULT_VAR_DIR
from deploy.settings.broker import broker_options
from deploy.settings.sqlite import sqlite_database

VAR_DIR = Path(env.text("SEVEN_MARKS_VAR", str(DEFAULT_VAR_DIR)))
VAR_DIR.mkdir(parents=True, exist_ok=True)


def _secret_key() -> str:
    """The key kept in `var/`, made once. It appears there whole, and two starts at once agree on one."""
    path = VAR_DIR / "secret-key"
    if not path.exists():
        fresh = path.with_name(f".secret-key-{os.getpid()}")
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(50))
        with suppress(FileExistsError):
            os.link(fresh, path)
        fresh.unlink()
    return path.read_text().strip()


DEBUG = env.flag("SEVEN_MARKS_DEBUG")
SECRET_KEY = env.text("SECRET_KEY", "") or _secret_key()
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = env.words("CSRF_TRUSTED_ORIGINS")
PUBLIC_BASE_URL = env.text("PUBLIC_BASE_URL", "")
LAN_ADDRESSES = env.words("LAN_ADDRESSES")  # base addresses that reach this machine, best first
STATIC_ROOT = VAR_DIR / "static"

# Opening the file for each request was a quarter of the work of recording a tile.
DATABASES = {"default": {**sqlite_database(VAR_DIR / "seven-marks.sqlite3"), "CONN_MAX_AGE": 60}}
if os.environ.get("DATABASE_URL"):
    from deploy.settings.postgres import postgres_database

    DATABASES = {"default": postgres_database(env.text("DATABASE_URL"))}

CELERY_BROKER_URL = env.text("BROKER_URL", "filesystem://localhost")
CELERY_BROKER_TRANSPORT_OPTIONS = broker_options(CELERY_BROKER_URL, VAR_DIR / "broker")
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False  # nobody sends it any, and each poll would look for it
SNAPSHOT_DIR = Path(env.text("SNAPSHOT_DIR", str(VAR_DIR / "snapshots")))
METRICS_TOKEN = env.text("METRICS_TOKEN", "")
LOGGING = logging_config(as_json=env.flag("LOG_JSON"), level=env.text("LOG_LEVEL", "WARNING"))
