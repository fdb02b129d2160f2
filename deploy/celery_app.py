"""The Celery application: `celery -A deploy.celery_app worker`."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings.embedded")

app = Celery("seven_marks")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
