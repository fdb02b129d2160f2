"""kombu's broker of files, with messages that appear whole and queues that come one after the other.

Its own writer opens a message under its final name and fills it afterwards; a worker that lists the folder in
between takes an empty message and ends with "Unrecoverable error". Its own reader takes from all queues in turn.
"""

import os
import uuid
from queue import Empty
from time import monotonic_ns
from typing import Any

from kombu.exceptions import ChannelError
from kombu.transport import filesystem
from kombu.utils.json import dumps
from kombu.utils.scheduling import FairCycle


class ByName(FairCycle):
    """Takes from the queue whose name comes first, and from the next one only where that is empty."""

    def get(self, callback: Any, **options: Any) -> Any:
        for queue in sorted(self.resources):
            try:
                return self.fun(queue, callback, **options)
            except Empty:
                continue
        raise Empty


class Channel(filesystem.Channel):
    def _reset_cycle(self) -> None:
        self._cycle = ByName(self._get_and_deliver, self._active_queues, Empty)

    def _put(self, queue: str, payload: Any, **_: Any) -> None:  # type: ignore[override]
        """Write the message under a name that no queue asks for, then give it its own."""
        name = f"{monotonic_ns():020}_{uuid.uuid4()}"  # read in this order
        folder = str(self.data_folder_out)
        unfinished = os.path.join(folder, f"{name}.part")
        try:
            with open(unfinished, "w") as file:
                file.write(dumps(payload))
            os.replace(unfinished, os.path.join(folder, f"{name}.{queue}.msg"))
        except OSError as error:
            raise ChannelError(f"Cannot add a message to {folder}") from error


class Transport(filesystem.Transport):
    Channel = Channel
