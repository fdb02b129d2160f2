"""The embedded site's settings, for more event streams than one process takes by itself."""

from deploy.settings.embedded import *  # noqa: F403

EVENTS_MAX_STREAMS = 6000
