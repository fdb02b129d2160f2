"""Acts that start in the same moment, each with a connection of its own."""

import threading
from collections.abc import Callable

from django.db import connection


def at_once(*acts: Callable[[], object]) -> list[object]:
    """Run the acts in threads that start together; their answers, or the errors they raised."""
    gate = threading.Barrier(len(acts))
    answers: list[object] = [None] * len(acts)

    def run(place: int, act: Callable[[], object]) -> None:
        try:
            gate.wait()
            answers[place] = act()
        except Exception as error:
            answers[place] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(place, act)) for place, act in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers
