"""Log lines: as JSON for programs, or as text for people. Neither holds the secret of a link."""

import logging
import re
from typing import Any

from deploy.health.context import current

REQUESTS = "seven_marks.requests"
TASKS = "seven_marks.tasks"

_LINK = re.compile(r"(/link/)[^/\s'\"]+")


class WorkFilter(logging.Filter):
    """Adds what the thread works for, and takes the secrets of links out of addresses."""

    def filter(self, record: logging.LogRecord) -> bool:
        work = current() or getattr(getattr(record, "request", None), "work", None)
        if work is not None:
            for name, value in work.known().items():
                record.__dict__.setdefault(name, value)
        if hasattr(record, "request"):
            del record.request  # Django's; its text is the whole address
            record.msg = without_secrets(str(record.msg))
            if isinstance(record.args, tuple):
                record.args = tuple(
                    without_secrets(argument) if isinstance(argument, str) else argument
                    for argument in record.args
                )
        return True


class LineFormatter(logging.Formatter):
    """A line for people, with the request and the match at its end where they are known."""

    def __init__(self) -> None:
        super().__init__("{asctime} {levelname} {name}: {message}", style="{")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802
        known = [
            f"{name} {value}"
            for name in ("tournament", "match", "request_id")
            if (value := getattr(record, name, ""))
        ]
        line = super().formatMessage(record)
        return f"{line} [{', '.join(known)}]" if known else line


def without_secrets(text: str) -> str:
    """The text with the token of each link replaced."""
    return _LINK.sub(r"\1...", text)


def logging_config(*, as_json: bool, level: str = "WARNING") -> dict[str, Any]:
    """Django's LOGGING. At INFO each request and each task is a line; `as_json` makes each line an object."""
    json_line = {
        "()": "pythonjsonlogger.json.JsonFormatter",
        "fmt": "%(asctime)s %(levelname)s %(name)s %(message)s",
        "rename_fields": {"asctime": "time", "levelname": "level", "name": "logger"},
        "timestamp": False,
        "json_ensure_ascii": False,
    }
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"work": {"()": "deploy.health.logs.WorkFilter"}},
        "formatters": {"line": json_line if as_json else {"()": "deploy.health.logs.LineFormatter"}},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["work"]}},
        "root": {"handlers": ["console"], "level": level},
        # Django's own handler would print errors a second time, in its own form.
        "loggers": {
            "django": {"handlers": [], "level": level, "propagate": True},
            "django.request": {"level": "ERROR"},  # a refused request has its line from us
        },
    }
