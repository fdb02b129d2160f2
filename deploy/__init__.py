"""Composition root: settings, URLs, servers. Loading it makes the Celery app known to Django."""

from deploy.celery_app import app as celery_app

__all__ = ["celery_app"]
