"""Two queues: many records that wait for screening hold up no bracket."""

from pathlib import Path

import pytest
from celery import Celery

from deploy.celery_app import app
from deploy.settings.broker import broker_options
from tests.services.redis import Redis


def test_screening_has_a_queue_of_its_own_and_workers_take_from_both() -> None:
    tasks = (
        "tournaments.advance_bracket",
        "tables.assign_tables",
        "scoring.screen_hand",
        "scoring.screen_match",
    )
    queues = [app.amqp.router.route({}, task)["queue"].name for task in tasks]
    assert queues == ["celery", "celery", "screening", "screening"]
    assert set(app.amqp.queues.consume_from) == {"celery", "screening"}


def test_broker_of_files_gives_advances_before_screenings(tmp_path: Path) -> None:
    assert _taken("filesystem://localhost", tmp_path) == EXPECTED


@pytest.mark.redis
def test_redis_gives_advances_before_screenings(tmp_path: Path, redis_server: Redis) -> None:
    assert _taken(redis_server.url, tmp_path) == EXPECTED


EXPECTED = ["tournaments.advance_bracket", "tables.assign_tables", *["scoring.screen_match"] * 5]


def _taken(url: str, folder: Path) -> list[str]:
    """The tasks of a full queue in the order in which a worker gets them, one at a time."""
    broker = Celery("test", broker=url, set_as_current=False)
    broker.conf.update(
        broker_transport_options=broker_options(url, folder / "broker"),
        task_queues=app.conf.task_queues,
        task_routes=app.conf.task_routes,
    )
    for number in range(5):
        broker.send_task("scoring.screen_match", args=[number])
    broker.send_task("tournaments.advance_bracket", args=["stage"])
    broker.send_task("tables.assign_tables", args=["tournament"])
    taken: list[str] = []
    with broker.connection() as connection, connection.channel() as channel:
        queues = [queue.bind(channel) for queue in app.conf.task_queues]
        consumer = broker.amqp.TaskConsumer(channel, queues=queues)
        consumer.callbacks = [lambda body, message: (taken.append(message.headers["task"]), message.ack())]
        consumer.qos(prefetch_count=1)
        with consumer:
            while len(taken) < len(EXPECTED):
                connection.drain_events(timeout=5)
    return taken
