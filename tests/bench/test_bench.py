"""The measuring itself: how values of rounds become lines, and that a whole run ends in a table and a file."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.processes import free_port
from tests.bench.client import Connection, UnexpectedAnswerError, request, together
from tests.bench.figures import Figure, comparison, lines_of, table
from tests.bench.rounds import NOT_COPIED
from tests.bench.sections import SECTIONS
from tests.serving import ROOT


def test_rounds_become_one_line_with_their_spread() -> None:
    rounds = [
        [Figure("rate", "/s", [100.0], ">= 75"), Figure("time", "ms", [float(n) for n in range(1, 11)])],
        [Figure("rate", "/s", [50.0], ">= 75"), Figure("time", "ms", [float(n) for n in range(11, 21)])],
        [Figure("rate", "/s", [60.0], ">= 75"), Figure("nothing", "ms", [])],
    ]
    rate, time = lines_of(rounds)
    assert (rate.median, rate.p95, rate.lowest, rate.highest, rate.count) == (60.0, None, 50.0, 100.0, 3)
    assert rate.is_met is False
    assert (time.median, time.p95, time.lowest, time.highest, time.count) == (10.5, 20.0, 5.5, 15.5, 20)
    assert time.is_met is None


@pytest.mark.parametrize(
    ("goal", "values", "verdict"),
    [
        (">= 75", [75.0], ">= 75 met"),
        (">= 75", [74.9], ">= 75 MISSED"),
        ("<= 25", [25.0], "<= 25 met"),
        ("<= 25", [26.0], "<= 25 MISSED"),
    ],
)
def test_table_says_which_goals_are_met(goal: str, values: list[float], verdict: str) -> None:
    shown = table(lines_of([[Figure("line", "", values, goal)]]))
    assert shown.splitlines()[1].startswith("line")
    assert shown.endswith(verdict)


def test_comparison_divides_medians_of_what_both_have() -> None:
    ours = lines_of([[Figure("both", "ms", [1.0, 3.0, 5.0]), Figure("ours", "ms", [1.0])]])
    theirs = lines_of([[Figure("both", "ms", [6.0]), Figure("theirs", "ms", [1.0])]])
    head, only = comparison(ours, theirs).splitlines()
    assert head.split() == ["here", "there", "here", "/", "there", "rounds", "here", "rounds", "there"]
    assert only.split()[:6] == ["both", "3", "ms", "6", "ms", "0.50"]


def test_client_raises_what_one_of_its_threads_met() -> None:
    with pytest.raises(ConnectionRefusedError):
        together(f"http://127.0.0.1:{free_port()}", [[], [lambda connection: None]])


def test_client_takes_no_refusal_for_an_answer(live_site: str) -> None:
    with Connection(live_site) as connection:
        assert b"<!doctype html>" in connection.good(request("GET", "/")).lower()
        with pytest.raises(UnexpectedAnswerError, match="GET /t/nowhere/"):
            connection.good(request("GET", "/t/nowhere/"))
        body = {"username": "nobody", "password": "wrong"}
        status, answer = connection.send(request("POST", "/api/v1/token/", body=body))
    assert (status, json.loads(answer)["status"]) == (403, 403)


def test_unknown_section_is_refused() -> None:
    done = _bench("--only", "engine,weather")
    assert (done.returncode, "there is no section weather" in done.stderr) == (2, True)


@pytest.mark.long
@pytest.mark.database
@pytest.mark.timeout(600)
def test_every_section_measures_and_two_checkouts_are_compared(tmp_path: Path) -> None:
    target = tmp_path / "bench.json"
    done = _bench("--rounds", "1", "--json", str(target))
    assert done.returncode == 0, done.stdout + done.stderr
    seen = json.loads(target.read_text())
    assert {"processor", "cores", "python", "commit"} <= set(seen["machine"])
    assert all(section["lines"] for section in seen["sections"].values())
    assert set(seen["sections"]) == set(SECTIONS)

    other = tmp_path / "other"
    shutil.copytree(ROOT, other, ignore=shutil.ignore_patterns(*NOT_COPIED))
    done = _bench("--only", "draw", "--rounds", "1", "--database", "sqlite", "--against", str(other))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "here / there" in done.stdout
    assert "draw of 1,024 teams, SQLite" in done.stdout


def _bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tests.bench", *arguments],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
