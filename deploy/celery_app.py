"""The Celery application: `celery -A deploy.celery_app worker`."""

import os

from celery import Celery
from celery.signals import setup_logging
from kombu.transport import TRANSPORT_ALIASES

from deploy import pulse  # noqa: F401 - connects its signals
from deploy.health import jobs  # noqa: F401 - the same

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings.embedded")

TRANSPORT_ALIASES["filesystem"] = "deploy.broker:Transport"

app = Celery("seven_marks")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@setup_logging.connect
def _keep_logging(**_: object) -> None:
    """Leave logging as Django set it up: Celery's own would print another form."""
