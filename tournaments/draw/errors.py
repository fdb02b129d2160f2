"""Refusals of the draw: a stable code, the facts as fields, then a sentence a person can act on."""

from __future__ import annotations


class DrawError(ValueError):
    """The draw cannot be made from what was given. `code` is stable; `facts` are plain values."""

    def __init__(self, code: str, detail: str, **facts: object) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.facts: dict[str, object] = facts
