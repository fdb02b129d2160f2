"""Plays an event to its champion: watches which matches are called to tables and gives each to a scribe."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from scoring.simulation.checks import findings
from scoring.simulation.client import Api, RefusedError, SimulationError
from scoring.simulation.event import Event, Tokens
from scoring.simulation.export import Export, export_read
from scoring.simulation.pace import Pace
from scoring.simulation.plans import Habits, MatchPlan, Settling, plan_match
from scoring.simulation.progress import Progress, Standing
from scoring.simulation.scribe import Called, MatchOverError, Scribe

LOOK_EVERY = 0.4  # seconds between two looks at the tables
LOOK_EVERY_AT_MAX = 0.1
BRACKET_EVERY = 1.0
ATTEMPTS = 3
"""How often a match is tried as planned before the desk enters its result, and how often the desk tries."""
STALLED = 60.0  # seconds without any progress, beside the time that a slow match takes
PLAYABLE = ("called", "playing", "entered", "disputed")
LONELY = 3.0
"""Seconds after which the desk settles a match that is under way at no table, because somebody wrote by hand."""


@dataclass(slots=True)
class Outcome:
    """How an event ended. `findings` is empty when everything holds that must."""

    champion: str
    export: Export
    findings: list[str]
    seconds: float
    levels: Counter[str]
    settled: Counter[str]
    meddled: list[str]
    """Matches whose record was changed by somebody else, so that the desk entered the planned result."""


@dataclass(slots=True)
class _Seen:
    """The last answer of an address that is asked again and again."""

    etag: str = ""
    body: dict[str, Any] = field(default_factory=dict)


class Runner:
    """Plays one event. `run` may be cancelled and called again, also by another process."""

    def __init__(
        self,
        *,
        api: Api,
        event: Event,
        tokens: Tokens,
        habits: Habits,
        pace: Pace,
        progress: Progress,
        stalled: float = STALLED,
    ) -> None:
        self._api = api
        self._event = event
        self._tokens = tokens
        self._habits = habits
        self._pace = pace
        self._progress = progress
        self._stalled = stalled + (pace.slowest_match if pace.waits else 0.0)
        self._base = f"tournaments/{event.slug}/"
        self._working: dict[str, asyncio.Task[None]] = {}
        self._attempts: Counter[str] = Counter()
        self._over: set[str] = set()
        self._plans: dict[str, MatchPlan] = {}
        self._meddled: list[str] = []
        self._lonely: dict[str, float] = {}
        self._moved_at = time.monotonic()
        self._closed = 0
        self._tables, self._home, self._bracket = _Seen(), _Seen(), _Seen()
        self._standing = Standing()

    async def run(self) -> Outcome:
        """Play to the champion and finish the tournament. Raises SimulationError with the reason."""
        try:
            async with asyncio.TaskGroup() as group:
                await self._watch(group.create_task)
        except ExceptionGroup as group_of_errors:
            reasons, others = group_of_errors.split(SimulationError)
            if reasons is None or others is not None:
                raise
            raise _first(reasons) from group_of_errors
        answer = await self._api.post(
            f"{self._base}finish/", auth=self._tokens.director, key=f"simulation:{self._event.slug}:finish"
        )
        self._api.expect("The tournament cannot be finished", answer)
        return await self._outcome()

    async def _watch(self, start: Callable[..., asyncio.Task[None]]) -> None:
        bracket_at = 0.0
        while True:
            began = time.monotonic()
            tables = await self._look(self._tables, f"{self._base}tables/?page_size=1000")
            seated = _called(tables)
            for called in [*seated, *self._left_alone(seated)]:
                if called.id not in self._working and called.id not in self._over:
                    self._working[called.id] = start(self._play(called))
            home = await self._look(self._home, self._base)
            if began - bracket_at >= BRACKET_EVERY or home["champion"]:
                bracket_at = began
                self._take_stock(await self._look(self._bracket, f"{self._base}bracket/"))
            self._standing.at_work = len(self._working)
            self._progress.show(self._standing, self._api.figures)
            if home["champion"]:
                await asyncio.gather(*self._working.values())
                return
            if began - self._moved_at > self._stalled:
                raise SimulationError(self._why_stuck(tables))
            # However slow the server is, looking takes a small part of its time.
            took = time.monotonic() - began
            await asyncio.sleep(max(LOOK_EVERY if self._pace.waits else LOOK_EVERY_AT_MAX, 4 * took))

    async def _look(self, seen: _Seen, path: str) -> dict[str, Any]:
        """The answer of `path`, fetched only when it changed."""
        answer = await self._api.get(path, auth=self._tokens.director, etag=seen.etag)
        if answer.status != 304:
            seen.body = self._api.expect(f"{path} cannot be read", answer).body
            seen.etag = answer.etag
        return seen.body

    async def _play(self, called: Called) -> None:
        """One match from its call to its end; what went wrong once is tried again when it is seen again."""
        plan = self._plan(called.code)
        scribe = Scribe(
            api=self._api,
            event=self._event,
            tokens=self._tokens,
            called=called,
            plan=plan,
            pace=self._pace,
            attempt=self._attempts[called.id],
            moved=self._moved,
        )
        try:
            if called.table and self._attempts[called.id] < ATTEMPTS:
                await scribe.play()
            else:
                await scribe.settle_at_desk("The record of this match was changed by somebody else.")
                self._meddled.append(called.code)
            self._over.add(called.id)
        except MatchOverError:
            self._over.add(called.id)
        except RefusedError as error:
            self._attempts[called.id] += 1
            if self._attempts[called.id] >= 2 * ATTEMPTS:
                raise
            self._progress.say(f"{called.code}: {error} Trying again.")
            await asyncio.sleep(0.5)
        finally:
            self._moved()
            del self._working[called.id]

    def _left_alone(self, seated: list[Called]) -> list[Called]:
        """Matches that have been under way for a while though they are at no table."""
        now = time.monotonic()
        known = {called.id for called in seated} | self._working.keys() | self._over
        lonely = {
            match["id"]: match
            for round_ in self._bracket.body.get("rounds", ())
            for match in round_["matches"]
            if match["state"] in PLAYABLE[1:] and match["id"] not in known
        }
        self._lonely = {pk: self._lonely.get(pk, now) for pk in lonely}
        return [
            Called(pk, lonely[pk]["code"], 0, {side["side"]: side["entry"] for side in lonely[pk]["sides"]})
            for pk, since in self._lonely.items()
            if now - since >= LONELY
        ]

    def _plan(self, code: str) -> MatchPlan:
        if code not in self._plans:
            self._plans[code] = plan_match(
                self._habits,
                code,
                self._event.best_of[code],
                hand_by_hand=self._event.is_shown_by_hands(code),
            )
        return self._plans[code]

    def _moved(self) -> None:
        self._moved_at = time.monotonic()

    def _take_stock(self, bracket: dict[str, Any]) -> None:
        matches = [match for round_ in bracket["rounds"] for match in round_["matches"]]
        self._standing.states = Counter(match["state"] for match in matches)
        self._standing.rounds = tuple(bracket["current_rounds"])
        if self._standing.closed > self._closed:
            self._closed = self._standing.closed
            self._moved()

    def _why_stuck(self, tables: dict[str, Any]) -> str:
        """The reason, as far as it can be told from outside."""
        matches = [match for round_ in self._bracket.body["rounds"] for match in round_["matches"]]
        by_state: dict[str, list[str]] = {}
        for match in matches:
            by_state.setdefault(match["state"], []).append(match["code"])
        pending = [match["code"] for match in matches if match["advance_pending"]]
        free = [row["number"] for row in tables["results"] if row["match"] is None and row["state"] == "open"]
        waited = time.monotonic() - self._moved_at
        if pending:
            why = f"{_some(pending)} closed, but nobody moves the teams on; does the worker run?"
        elif by_state.get("ready") and free:
            why = (
                f"{_some(by_state['ready'])} ready and {len(free)} tables are free, but nobody is called; "
                "does the worker run?"
            )
        elif self._working:
            why = f"{len(self._working)} matches are being played, but none of them gets anything stored."
        else:
            open_ = {state: codes for state, codes in by_state.items() if state not in ("confirmed", "void")}
            told = "; ".join(f"{state}: {', '.join(codes[:5])}" for state, codes in sorted(open_.items()))
            why = f"open matches are {told or 'none, yet there is no champion'}."
        return f"Nothing moved for {waited:.0f} s: {why}"

    async def _outcome(self) -> Outcome:
        export = await export_read(self._api, self._event.slug, auth=self._tokens.director)
        event = self._event
        plans = self._plans.values()
        return Outcome(
            champion=export["champion"],
            export=export,
            findings=findings(
                export,
                kind=event.kind,
                teams=event.teams,
                rules=self._habits.rules,
                single_final=event.grand_final == "single",
                third_place=event.third_place,
            ),
            seconds=self._progress.seconds,
            levels=Counter(str(plan.level) for plan in plans),
            settled=Counter(
                "desk" if plan.settling in (Settling.OBJECTION, Settling.RIVAL) else str(plan.settling)
                for plan in plans
            ),
            meddled=self._meddled,
        )


def _called(tables: dict[str, Any]) -> list[Called]:
    """Matches that sit at a table with both teams known."""
    found = []
    for row in tables["results"]:
        match = row["match"]
        if match is None or match["state"] not in PLAYABLE:
            continue
        teams = {side: team["entry"] for side, team in match["teams"].items() if team is not None}
        if len(teams) == 2:
            found.append(Called(match["id"], match["code"], row["number"], teams))
    return found


def _some(codes: list[str]) -> str:
    """'M1, M2, M3 and 5 more are', as the beginning of a sentence."""
    first = ", ".join(codes[:5])
    more = f" and {len(codes) - 5} more" if len(codes) > 5 else ""
    return f"{first}{more} {'is' if len(codes) == 1 else 'are'}"


def _first(errors: BaseExceptionGroup[Any]) -> SimulationError:
    error = errors.exceptions[0]
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    assert isinstance(error, SimulationError)
    return error
