"""The Celery application: `celery -A deploy.celery_app worker`."""

import os

from celery import Celery
from kombu.transport import TRANSPORT_ALIASES

from deploy import pulse  # noqa: F401 - connects its signal

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings.embedded")

TRANSPORT_ALIASES["filesystem"] = "deploy.broker:Transport"

app = Celery("seven_marks")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
