"""The API's problem answers: what went wrong on our side tells the id under which it is in the log."""

from typing import Any

from rest_framework.response import Response

from deploy.health.context import current
from tournaments.api import problems


def problem_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """As `tournaments.api.problems.problem_handler`.

    A refusal has the id in its header alone: its body is the same, to the byte, for everybody who is refused.
    """
    answer = problems.problem_handler(error, context)
    work = current()
    if answer is not None and answer.status_code >= 500 and work is not None:
        answer.data["request_id"] = work.request_id
    return answer
