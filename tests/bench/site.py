"""The site that is measured, in processes of its own, and the events that are played on it.

Everything here runs inside one round: the environment names the data, and the code of the site is that of the
checkout that the round is for.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

from deploy.supervisor import Supervisor, SupervisorError

if TYPE_CHECKING:
    from tests.pages.event import Event


WEB_PROCESSES = "BENCH_WEB_PROCESSES"
"""The variable that says how many web processes answer on PostgreSQL; a laptop's SQLite has one."""


@contextmanager
def serving(*, web_processes: int = 0) -> Iterator[Supervisor]:
    """Web, worker and beat on this round's data, until the block ends; as many web processes as the variable says,
    or `web_processes`."""
    on_laptop = database_name() == "SQLite"
    web_processes = web_processes or (1 if on_laptop else int(os.environ.get(WEB_PROCESSES, "1")))
    from django.core.management import call_command

    call_command("collectstatic", interactive=False, verbosity=0)
    with tempfile.TemporaryDirectory(prefix="seven-marks-bench-log-") as folder:
        site = Supervisor(port=0, logs=Path(folder), report=lambda line: None, web_processes=web_processes)
        with site:
            try:
                site.wait_ready()
            except SupervisorError as error:
                raise SupervisorError((Path(folder) / "web.log").read_text()[-4000:]) from error
            yield site


def database_name() -> str:
    """The database of this round as the table names it."""
    return "PostgreSQL" if os.environ.get("DATABASE_URL") else "SQLite"


@contextmanager
def counted() -> Iterator[list[str]]:
    """The statements that read or write, sent inside the block; the cost of counting is next to nothing."""
    from django.db import connection

    seen: list[str] = []

    def count(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith(("SELECT", "INSERT", "UPDATE", "DELETE")):
            seen.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(count):
        yield seen


def count_of(message: bytes) -> int:
    """Statements that a request of `client.request` takes, sent through Django's test client."""
    from django.test import Client

    head, _, body = message.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    method, path, _ = first.split()
    headers = dict(line.split(": ", 1) for line in lines)
    with counted() as seen:
        answer = Client().generic(method, path, body, content_type="application/json", headers=headers)
    if answer.status_code >= 300:
        raise AssertionError(answer.content)
    return len(seen)


def account_token(actor: Any) -> str:
    """The Authorization header of an account."""
    from rest_framework.authtoken.models import Token

    return f"Token {Token.objects.get_or_create(user=actor.user)[0].key}"


def team_links(event: Event) -> dict[UUID, str]:
    """Authorization headers by entry."""
    from tables.services.links import links_issue
    from tables.tokens import token_of

    links = links_issue(tournament_id=event.tournament.pk, actor=event.owner)
    return {link.entry_id: f"Link {token_of(link.pk)}" for link in links if link.entry_id is not None}


def table_links(event: Event) -> dict[UUID, str]:
    """Authorization headers of the tables, by the match that sits there."""
    from tables.models import Seating
    from tables.services.links import links_issue
    from tables.tokens import token_of

    links = links_issue(tournament_id=event.tournament.pk, actor=event.owner)
    by_table = {link.table_id: f"Link {token_of(link.pk)}" for link in links if link.table_id is not None}
    seated = Seating.objects.filter(table__in=list(by_table), freed_at__isnull=True)
    return {match: by_table[table] for match, table in seated.values_list("match_id", "table_id")}


def resident_mb(pid: int) -> float:
    """Memory of a process that is in use, in MB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0
