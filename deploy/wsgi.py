"""Django's WSGI application; `deploy.asgi` mounts it behind the raw front."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings.embedded")

application = get_wsgi_application()
