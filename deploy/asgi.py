"""What a server runs: the raw front, with Django's WSGI application in threads behind it.

Run it by `python -m deploy.serve`; under another server set a short graceful timeout, else open streams hold
it up when it should stop.
"""

import os
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings.embedded")

from deploy.front.access import may_follow
from deploy.front.app import Front
from deploy.front.watcher import Change
from deploy.front.wsgi import ThreadedApp
from deploy.health.asgi import Observed
from deploy.wsgi import application as django


def _poll(moment: datetime) -> Sequence[Change]:
    from tournaments.selectors.revisions import revisions_since

    return revisions_since(moment)


def _check(sources: Collection[Any]) -> Mapping[Any, str]:
    from scoring.pages.state import open_versions

    return open_versions(sources)


def make_application() -> Front:
    """A front with its own watcher, streams, pages and threads."""
    return Front(
        django=ThreadedApp(django, threads=settings.WSGI_THREADS),
        poll=_poll,
        check=_check,
        may_follow=may_follow,
        max_streams=settings.EVENTS_MAX_STREAMS,
    )


application = Observed(make_application())
