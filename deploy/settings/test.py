"""The suite: a file database (SQLite, or PostgreSQL where DATABASE_URL is set) and no broker."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

from deploy import env
from deploy.settings.base import *  # noqa: F403
from deploy.settings.postgres import postgres_database
from deploy.settings.sqlite import sqlite_database


def _var_dir() -> Path:
    """SEVEN_MARKS_VAR, else a folder of this process alone that goes when it ends."""
    given = env.text("SEVEN_MARKS_VAR", "")
    if given:
        Path(given).mkdir(parents=True, exist_ok=True)
        return Path(given)
    made = tempfile.mkdtemp(prefix="seven-marks-test-")
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return Path(made)


SECRET_KEY = "only-for-tests"
DEBUG = False
ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
VAR_DIR = _var_dir()
SNAPSHOT_DIR = VAR_DIR / "snapshots"

if os.environ.get("DATABASE_URL"):
    DATABASES = {"default": postgres_database(env.text("DATABASE_URL"))}
else:
    DATABASES = {"default": sqlite_database(VAR_DIR / "test.sqlite3")}
    DATABASES["default"]["TEST"] = {"NAME": str(VAR_DIR / "test-db.sqlite3")}

CELERY_BROKER_URL = "memory://"
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, object] = {}
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
WHITENOISE_AUTOREFRESH = True
WHITENOISE_USE_FINDERS = True  # static files come from where they are written
PAGE_PAUSE_SECONDS = 0.0  # a page read right after a write shows it
HINTS_PAUSE_SECONDS = 0.0  # a task is sent by the thread that asked for it
