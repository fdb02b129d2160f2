"""The hosted site: PostgreSQL, Redis or Valkey, and a proxy in front that speaks https.

Everything comes from the environment; `deploy/hosted/.env.example` names each variable.
"""

from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from deploy import env
from deploy.health.logs import logging_config
from deploy.settings.base import *  # noqa: F403
from deploy.settings.broker import broker_options
from deploy.settings.postgres import postgres_database

DEBUG = False
SECRET_KEY = env.text("SECRET_KEY")
PUBLIC_BASE_URL = env.text("PUBLIC_BASE_URL").rstrip("/")
# Programs on the machine itself ask by these two: the proxy for signs of life, Prometheus for figures.
ALLOWED_HOSTS = [*env.words("ALLOWED_HOSTS", env.host_of(PUBLIC_BASE_URL)), "localhost", "127.0.0.1"]
CSRF_TRUSTED_ORIGINS = env.words("CSRF_TRUSTED_ORIGINS", PUBLIC_BASE_URL)

VAR_DIR = Path(env.text("SEVEN_MARKS_VAR", "/var/lib/seven-marks"))
STATIC_ROOT = VAR_DIR / "static"
SNAPSHOT_DIR = Path(env.text("SNAPSHOT_DIR", str(VAR_DIR / "snapshots")))
SNAPSHOT_EVERY = env.number("SNAPSHOT_EVERY", 900)

if not env.text("DATABASE_URL").startswith("postgres"):
    raise ImproperlyConfigured(
        "The hosted site keeps its data in PostgreSQL: set DATABASE_URL=postgresql://..."
    )
DATABASES = {"default": postgres_database(env.text("DATABASE_URL"))}

CELERY_BROKER_URL = env.text("BROKER_URL")
CELERY_BROKER_TRANSPORT_OPTIONS = broker_options(CELERY_BROKER_URL, VAR_DIR / "broker")
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False  # nobody sends it any

# A proxy named in FORWARDED_ALLOW_IPS says whether the browser spoke https; the server believes no other.
HTTPS = env.flag("HTTPS", True)
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|metrics)$"]
SECURE_HSTS_SECONDS = env.number("HSTS_SECONDS", 31_536_000) if HTTPS else 0
# Other names under this domain, and the browsers' own list, are not this site's to decide.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS

METRICS_TOKEN = env.text("METRICS_TOKEN", "")
LOGGING = logging_config(as_json=env.flag("LOG_JSON", True), level=env.text("LOG_LEVEL", "INFO"))
