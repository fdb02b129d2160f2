"""How much a search may do."""

from __future__ import annotations

NO_LIMIT = 1 << 62


class SearchLimit(Exception):
    """The search was stopped at its limit of nodes; nothing is known of the answer."""
