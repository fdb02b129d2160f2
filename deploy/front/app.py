"""The application that a server runs: event streams and public pages that are known here, all else by Django."""

from collections.abc import Callable

from deploy.front import events
from deploy.front.asgi import Application, Receive, Scope, Send
from deploy.front.pages import Check, Pages
from deploy.front.watcher import INTERVAL, Poll, Watcher


class Front:
    """Routes requests; owns the process's watcher, its streams and its pages.

    `poll`, `check` and `may_follow` come in from outside, so that the front knows no model.
    """

    def __init__(
        self,
        *,
        django: Application,
        poll: Poll,
        check: Check,
        may_follow: events.MayFollow,
        max_streams: int,
        interval: float = INTERVAL,
        heartbeat: float = events.HEARTBEAT,
    ) -> None:
        self.django = django
        self._poll = poll
        self._interval = interval
        self._watcher: Watcher | None = None
        self.pages = Pages(
            django,
            check=check,
            in_thread=lambda read: self._start_watcher().in_thread(read),
            interval=interval,
        )
        self.streams = events.EventStreams(may_follow=may_follow, limit=max_streams, heartbeat=heartbeat)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One ASGI connection."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1000})
        elif scope["path"] == events.PATH:
            await self.streams(scope, receive, send, self._start_watcher())
        else:
            await self.pages(scope, receive, send)

    def end_streams(self) -> None:
        """End all streams, from the event loop's thread: a server that waits for them would not stop."""
        self.streams.end()

    async def _live(self, receive: Receive, send: Send) -> None:
        answers: dict[str, Callable[[], object]] = {
            "lifespan.startup": self._start_watcher,
            "lifespan.shutdown": self.end_streams,
        }
        while True:
            kind = (await receive())["type"]
            answers[kind]()
            if kind == "lifespan.shutdown":
                self.pages.stop()
                if self._watcher is not None:
                    await self._watcher.stop()
                    self._watcher = None
            await send({"type": f"{kind}.complete"})
            if kind == "lifespan.shutdown":
                return

    def _start_watcher(self) -> Watcher:
        """The process's watcher; servers without lifespan start it with the first stream."""
        if self._watcher is None:
            self._watcher = Watcher(
                self._poll, tell=self.streams.tell, hide=self.streams.hide, interval=self._interval
            )
            self._watcher.start()
        return self._watcher
