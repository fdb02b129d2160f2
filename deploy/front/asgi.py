"""The few ASGI types that the front uses."""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]


def header(scope: Scope, name: bytes) -> str:
    """The first header of that lower-case name, or an empty text."""
    found = next((value for key, value in scope["headers"] if key == name), b"")
    return str(found.decode("latin-1"))
