"""The web server process: `python -m deploy.serve --port 8000`, or `--fd N` for its parent's socket.

A parent that keeps the socket lets several servers share it, and a server that died be replaced while
browsers wait in the socket's queue instead of being turned away.
"""

import argparse
import os
import socket
from typing import Protocol

import uvicorn

from deploy.front.asgi import Receive, Scope, Send

STOP_WITHIN = 2  # seconds that open answers get when the server must stop


class Serving(Protocol):
    """What is served: an ASGI application that can end its streams."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None: ...
    def end_streams(self) -> None: ...


class Server(uvicorn.Server):
    """Uvicorn that ends the event streams as soon as it is told to stop."""

    def __init__(self, config: uvicorn.Config, front: Serving) -> None:
        super().__init__(config)
        self._front = front

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._front.end_streams()
        await super().shutdown(sockets)


def make_server(front: Serving, *, host: str = "127.0.0.1", port: int = 0) -> Server:
    """The server as every shape of the site configures it."""
    proxies = os.environ.get("FORWARDED_ALLOW_IPS", "")
    config = uvicorn.Config(
        front,
        host=host,
        port=port,
        ws="none",
        lifespan="on",
        access_log=False,
        log_level="warning",
        server_header=False,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=proxies or None,
        timeout_graceful_shutdown=STOP_WITHIN,
    )
    return Server(config, front)


def main() -> None:
    """Serve until SIGTERM or SIGINT."""
    parser = argparse.ArgumentParser(prog="python -m deploy.serve")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--fd", type=int, help="an inherited listening socket")
    options = parser.parse_args()
    from deploy.asgi import application

    server = make_server(application, host=options.host, port=options.port)
    server.run(sockets=[socket.socket(fileno=options.fd)] if options.fd is not None else None)


if __name__ == "__main__":
    main()
