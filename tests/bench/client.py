"""A client that costs little beside the server: one kept connection on a raw socket, requests made beforehand."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

HEAD_END = b"\r\n\r\n"


class UnexpectedAnswerError(Exception):
    """The server refused what it should have taken."""


def request(method: str, path: str, *, auth: str = "", body: Any = None, **headers: str) -> bytes:
    """The bytes of a request."""
    content = b"" if body is None else json.dumps(body).encode()
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1"]
    if auth:
        lines.append(f"Authorization: {auth}")
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(content)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines).encode() + HEAD_END + content


class Connection:
    """Use as a context manager; `send` returns status and body."""

    def __init__(self, url: str) -> None:
        place = urlsplit(url)
        self._socket = socket.create_connection((place.hostname or "", place.port or 80), timeout=60)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def send(self, message: bytes) -> tuple[int, bytes]:
        """Send one request and read its whole answer."""
        self._socket.sendall(message)
        data = b""
        while HEAD_END not in data:
            data += self._read()
        head, _, body = data.partition(HEAD_END)
        lines = head.split(b"\r\n")
        length = next(
            int(line.split(b":")[1]) for line in lines if line.lower().startswith(b"content-length:")
        )
        while len(body) < length:
            body += self._read()
        return int(lines[0].split()[1]), body

    def good(self, message: bytes) -> bytes:
        """The body of an answer below 300; UnexpectedAnswerError for any other."""
        status, body = self.send(message)
        if status >= 300:
            raise UnexpectedAnswerError(f"{message.splitlines()[0].decode()}: {status} {body[:300].decode()}")
        return body

    def _read(self) -> bytes:
        data = self._socket.recv(262_144)
        if not data:
            raise ConnectionError("the server closed the connection")
        return data


def timed(connection: Connection, message: bytes, times: list[float]) -> None:
    """Send a request that must be taken; adds its milliseconds to `times`."""
    began = time.perf_counter()
    connection.good(message)
    times.append(1000 * (time.perf_counter() - began))


def together(url: str, jobs: Sequence[Iterable[Callable[[Connection], None]]]) -> float:
    """Do every list of jobs in a thread of its own, each on its own connection; seconds from first to last.

    The first error of any thread is raised here.
    """
    errors: list[BaseException] = []
    start = threading.Barrier(len(jobs) + 1)

    def work(mine: Iterable[Callable[[Connection], None]]) -> None:
        try:
            with Connection(url) as connection:
                start.wait()
                for job in mine:
                    job(connection)
        except BaseException as error:
            errors.append(error)
            start.abort()

    threads = [threading.Thread(target=work, args=(mine,)) for mine in jobs]
    for thread in threads:
        thread.start()
    with suppress(threading.BrokenBarrierError):
        start.wait()
    began = time.perf_counter()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return time.perf_counter() - began
