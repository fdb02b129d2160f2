"""What stands between a site and its PostgreSQL: a path that delays, stops for a while, or breaks."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit


class SlowPath:
    """Listens on `port` and passes on to the server, each piece `delay` seconds later."""

    def __init__(self, host: str, port: int) -> None:
        self._server = (host, port)
        self.port = 0
        self.delay = 0.0
        self._open = threading.Event()
        self._open.set()
        self._writers: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="slow path")

    def start(self) -> None:
        self._thread.start()
        assert self._ready.wait(10)

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    @contextmanager
    def blocked(self) -> Iterator[None]:
        """Nothing passes until the block ends; connections stay."""
        self._open.clear()
        try:
            yield
        finally:
            self._open.set()

    def cut(self) -> None:
        """Break every connection."""
        self._loop.call_soon_threadsafe(lambda: [writer.close() for writer in self._writers])

    def around(self, url: str) -> str:
        """The address of a database as it is reached over this path."""
        parts = urlsplit(url)
        account = parts.netloc.rpartition("@")[0]
        return parts._replace(netloc=f"{account}@127.0.0.1:{self.port}").geturl()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        listener = self._loop.run_until_complete(asyncio.start_server(self._serve, "127.0.0.1", 0))
        self.port = listener.sockets[0].getsockname()[1]
        self._ready.set()
        self._loop.run_forever()
        listener.close()
        for writer in self._writers:
            writer.close()
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        self._loop.run_until_complete(asyncio.sleep(0))
        self._loop.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection(*self._server)
        self._writers |= {writer, back}
        try:
            await asyncio.gather(self._pass_on(reader, back), self._pass_on(there, writer))
        finally:
            self._writers -= {writer, back}

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while piece := await reader.read(65536):
                if self.delay:
                    await asyncio.sleep(self.delay)
                while not self._open.is_set():
                    await asyncio.sleep(0.05)
                writer.write(piece)
                await writer.drain()
        except OSError:
            pass
        finally:
            writer.close()


@contextmanager
def slow_path(url: str) -> Iterator[SlowPath]:
    """A path to the server of `url`, gone when the block ends."""
    parts = urlsplit(url)
    path = SlowPath(parts.hostname or "127.0.0.1", parts.port or 5432)
    path.start()
    try:
        yield path
    finally:
        path.stop()
