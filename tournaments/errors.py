"""Refusals with a stable code, facts as fields, and a sentence that a person can act on.

The status is the one that HTTP answers: 400 unreadable, 403 not yours, 404 not there, 409 stale or
conflicting, 422 against the rules.
"""

from typing import Any


class Refusal(Exception):
    """Base of every refusal of the site; nothing of the refused act is stored."""

    status = 400

    def __init__(self, code: str, detail: str, **facts: Any) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.facts = facts


class Unreadable(Refusal):
    status = 400


class NotYours(Refusal):
    status = 403


class NotThere(Refusal):
    status = 404


class Conflict(Refusal):
    status = 409


class AgainstRules(Refusal):
    status = 422


class TooMany(Refusal):
    status = 429
