"""An event that cannot go on ends with the reason; one that is over is checked."""

import io
from typing import Any

import httpx
import pytest

from scoring.simulation.client import Api, SimulationError
from scoring.simulation.event import Event, Tokens
from scoring.simulation.pace import Pace
from scoring.simulation.plans import Habits
from scoring.simulation.progress import Figures, Progress, Standing, clock, latencies
from scoring.simulation.runner import Runner
from tests.support.loops import run_apart

TOKENS = Tokens("Token d", "Token d")


def match(code: str, state: str, **changes: Any) -> dict[str, Any]:
    return {"id": code, "code": code, "sides": [], "state": state, "advance_pending": False, **changes}


def stuck(*matches: dict[str, Any], free: int = 3) -> str:
    """Why the runner gives up on a server that shows this and changes nothing."""
    tables = [{"number": number, "state": "open", "match": None} for number in range(1, free + 1)]
    answers = {
        "/api/v1/tournaments/hall/tables/": {"results": tables},
        "/api/v1/tournaments/hall/": {"champion": None},
        "/api/v1/tournaments/hall/bracket/": {"rounds": [{"matches": list(matches)}], "current_rounds": []},
    }

    def serve(request: httpx.Request) -> httpx.Response:
        if request.headers.get("If-None-Match") == '"1"':
            return httpx.Response(304, headers={"ETag": '"1"'})
        return httpx.Response(200, json=answers[request.url.path], headers={"ETag": '"1"'})

    async def run() -> None:
        event = Event("hall", "Hall", 4, "double-elimination", "reset", False)
        async with Api("http://hall", transport=httpx.MockTransport(serve)) as api:
            await Runner(
                api=api,
                event=event,
                tokens=TOKENS,
                habits=Habits(),
                pace=Pace(speed=float("inf")),
                progress=Progress(None),
                stalled=0.15,
            ).run()

    with pytest.raises(SimulationError) as given_up:
        run_apart(run())
    return str(given_up.value)


def test_teams_that_nobody_moves_on() -> None:
    why = stuck(match("M1", "confirmed", advance_pending=True), match("M2", "waiting"))
    assert "M1 is closed, but nobody moves the teams on; does the worker run?" in why


def test_ready_matches_that_nobody_calls() -> None:
    why = stuck(*(match(f"M{number}", "ready") for number in range(1, 9)))
    assert "M1, M2, M3, M4, M5 and 3 more are ready and 3 tables are free, but nobody is called" in why


def test_match_that_waits_for_ever() -> None:
    why = stuck(match("M1", "confirmed"), match("M7", "entered"), match("M8", "waiting"))
    assert "open matches are entered: M7; waiting: M8" in why


def test_progress_is_plain_lines_where_nobody_watches() -> None:
    out = io.StringIO()
    progress = Progress(out)
    standing = Standing(at_work=2, rounds=("winners-1",))
    standing.states.update({"confirmed": 3, "playing": 2, "disputed": 1})
    progress.show(standing, Figures())
    progress.show(standing, Figures())
    shown = "0:00  3 of 6 matches · winners-1 · 2 being played · 1 disputed · 0 writes/s · 0 refused\n"
    assert out.getvalue() == shown


def test_progress_is_one_changing_line_on_a_terminal() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    out = Terminal()
    progress = Progress(out)
    progress.show(Standing(), Figures())
    progress.say("Champion: nobody")
    line, wiped, said = out.getvalue().split("\r")[1:]
    assert "0 of 0 matches" in line
    assert wiped.strip() == ""
    assert said == "Champion: nobody\n"


def test_figures_are_told_in_words() -> None:
    assert clock(665.4) == "11:05"
    assert latencies([]) == "none"
    assert (
        latencies([0.001 * number for number in range(1, 101)]) == "median 50 ms, p95 96 ms, slowest 100 ms"
    )


def test_speed_is_a_number_or_max() -> None:
    assert Pace.parse_speed("2.5") == 2.5
    assert not Pace(speed=Pace.parse_speed("max")).waits
    for text in ("0", "-1", "fast", "nan"):
        with pytest.raises(ValueError, match=r"."):
            Pace.parse_speed(text)
