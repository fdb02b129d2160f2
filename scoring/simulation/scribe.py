"""Plays one match at its table, as its plan says: records it, has it confirmed, calls the desk.

Everything may be said again: after a lost answer, or after this program itself was started anew in the
middle of a match.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from scoring.simulation.client import Answer, Api, RefusedError
from scoring.simulation.event import Event, Tokens
from scoring.simulation.pace import Clock, Pace
from scoring.simulation.plans import Body, FullPlan, GamePlan, HandPlan, MatchPlan, Settling, Slip, Try, Way

OVER = ("already_confirmed", "match_not_played")
"""Refusals that say that the match needs nobody any more."""
SIT_DOWN, LOOK_AT_IT, DESK_COMES = 0.08, 0.07, 0.2
"""Shares of a usual match: from the call to the first hand, before a confirmation, until the desk settles."""


class MatchOverError(Exception):
    """Somebody else settled the match."""


@dataclass(frozen=True, slots=True)
class Called:
    """A match at a table, as the tables' list shows it; table 0 is none. `teams` are entries by side."""

    id: str
    code: str
    table: int
    teams: dict[str, str]


class Scribe:
    """Says one match to the server. `moved` is called after each step that was taken."""

    def __init__(
        self,
        *,
        api: Api,
        event: Event,
        tokens: Tokens,
        called: Called,
        plan: MatchPlan,
        pace: Pace,
        attempt: int,
        moved: Callable[[], None],
    ) -> None:
        self._api = api
        self._event = event
        self._tokens = tokens
        self._called = called
        self._plan = plan
        self._pace = pace
        self._moved = moved
        self._table = event.tables.get(called.table, "")
        self._path = f"matches/{called.id}/"
        # A refusal is kept under its key too, so each attempt has keys of its own.
        self._key = f"simulation:{called.id}:{attempt}"

    async def play(self) -> None:
        """From the call to the settled result. Raises MatchOverError, RefusedError, ServerLostError."""
        await self._pace.pause(SIT_DOWN * self._plan.tempo)
        await self._post("start/", self._table, "start")
        clock = self._pace.clock(self._plan.tempo, self._plan.steps)
        await self._slip_before()
        if self._plan.way is Way.HANDS:
            for game in self._plan.games:
                for hand in game.hands:
                    await self._hand(game, hand, clock)
        elif self._plan.way is Way.GAMES:
            for game in self._plan.games:
                await clock.step()
                await self._put(f"games/{game.number}/", game.body, self._table)
        else:
            await clock.step()
            await self._put("result/", {"games": self._plan.first_entry}, self._entering)
        await self._settle()

    async def settle_at_desk(self, reason: str) -> None:
        """The desk enters the planned result over whatever is recorded."""
        body = {"games": self._plan.result, "desk": True, "reason": reason}
        await self._put("result/", body, self._tokens.desk)

    @property
    def _entering(self) -> str:
        """Who enters a whole result."""
        return self._team(self._plan.entered_by) if self._plan.entered_by else self._table

    def _team(self, side: str) -> str:
        return self._event.teams_by_entry[self._called.teams[side]]

    async def _hand(self, game: GamePlan, hand: HandPlan, clock: Clock) -> None:
        await clock.step()
        answer = await self._put(f"games/{game.number}/hands/{hand.number}/", hand.body, self._table)
        shown = answer.body
        if hand.full is not None:
            shown = await self._full_play(hand.full, f"hands/{shown['id']}/", clock)
        wanted = {"state": "closed", "marks": hand.marks.to_json()}
        if hand.full is not None and hand.full.trump:
            wanted["points"] = hand.full.points.to_json()
        if {name: shown[name] for name in wanted} != wanted:
            where = f"{self._plan.code} game {game.number} hand {hand.number}"
            raise RefusedError(f"{where} made something else than {wanted}", answer)

    async def _full_play(self, plan: FullPlan, path: str, clock: Clock) -> Body:
        """Say a hand call by call and tile by tile; the hand as the server shows it at the end."""
        shown: Body = {}
        for seat, tiles in plan.deal:
            await clock.step()
            await self._say(f"{path}deal/{seat}/", {"tiles": tiles})
        for seq, call in enumerate(plan.calls, start=1):
            await clock.step()
            if seq in plan.bad_calls:
                await self._illegal(f"{path}calls/{seq}/", plan.bad_calls[seq])
            shown = (await self._say(f"{path}calls/{seq}/", call))["hand"]
        if plan.trump:
            await clock.step()
            shown = (await self._say(f"{path}trump/", {"trump": plan.trump}))["hand"]
        for seq, play in enumerate(plan.plays, start=1):
            await clock.step()
            if seq in plan.bad_plays:
                await self._illegal(f"{path}plays/{seq}/", plan.bad_plays[seq])
            shown = (await self._say(f"{path}plays/{seq}/", play))["hand"]
        for seat, tiles in plan.turned_up:
            await clock.step()
            await self._say(f"{path}deal/{seat}/", {"tiles": tiles})
        return shown

    async def _illegal(self, path: str, tried: Try) -> None:
        await self._api.wrong("PUT", path, tried.body, auth=self._table, code=tried.code)

    async def _settle(self) -> None:
        plan, settling = self._plan, self._plan.settling
        version = await self._version()
        await self._pace.pause(LOOK_AT_IT * plan.tempo)
        if plan.slip is Slip.TABLE_CONFIRMS:
            await self._wrong_post("result/confirm/", {"version": version}, self._table)
        if plan.slip is Slip.WINNER_CONFIRMS:
            side = "EW" if plan.confirming_side == "NS" else "NS"
            await self._wrong_post("result/confirm/", {"version": version}, self._team(side))
        if settling is Settling.LINK:
            await self._confirm(version, self._team(plan.confirming_side))
        elif settling is Settling.CODE:
            await self._confirm_by_code(version)
        elif settling is Settling.OFFICIAL:
            await self._confirm(version, self._tokens.desk)
        else:
            await self._dispute()
            await self._pace.pause(DESK_COMES)
            await self.settle_at_desk("Both teams were asked, and the score sheet was read.")

    async def _confirm(self, version: int, auth: str) -> None:
        await self._post("result/confirm/", auth, f"confirm:{version}", {"version": version})

    async def _confirm_by_code(self, version: int) -> None:
        side = self._plan.confirming_side
        code = self._event.codes[self._called.teams[side]]
        body = {"version": version, "side": side}
        if self._plan.slip is Slip.WRONG_CODE:
            wrong = f"{(int(code) + 1) % 10000:04d}"
            await self._wrong_post("result/confirm-with-code/", {**body, "code": wrong}, self._table)
        answer = await self._post(
            "result/confirm-with-code/",
            self._table,
            f"code:{version}",
            {**body, "code": code},
            "not_your_match",
        )
        if not answer.ok:
            # Confirmed by an answer that was lost, the match has left the table.
            await self._version()
            self._api.expect(f"{self._plan.code} result/confirm-with-code/", answer)

    async def _dispute(self) -> None:
        """The other side objects, or enters what it remembers."""
        other = self._team(self._plan.confirming_side)
        if self._plan.settling is Settling.OBJECTION:
            body = {"reason": "That is not the score we wrote down."}
            await self._post("result/dispute/", other, "dispute", body, "result_stored")
            return
        games = self._plan.result if self._plan.first_is_wrong else list(self._plan.rival)
        await self._put("result/", {"games": games}, other, "entries_differ", "disputed")

    async def _slip_before(self) -> None:
        slip = self._plan.slip
        if slip is Slip.STRANGER:
            mine = set(self._called.teams.values())
            stranger = next(
                (one for entry, one in self._event.teams_by_entry.items() if entry not in mine), ""
            )
            if stranger:
                await self._api.wrong(
                    "PUT", f"{self._path}result/", {"games": self._plan.result}, auth=stranger
                )
        elif slip is Slip.IMPOSSIBLE:
            score = self._plan.games[0].score
            marks = {"NS": max(score.ns, score.ew), "EW": max(score.ns, score.ew)}
            await self._api.wrong("PUT", f"{self._path}games/1/", marks, auth=self._table)
        elif slip is Slip.UNDECIDED:
            games = self._plan.result[:1]
            await self._api.wrong("PUT", f"{self._path}result/", {"games": games}, auth=self._table)

    async def _version(self) -> int:
        """The version of the entry to confirm."""
        answer = await self._api.get(self._path, auth=self._tokens.desk)
        shown = self._checked("The match is not there", answer).body
        if shown["state"] in ("confirmed", "void"):
            raise MatchOverError
        entered = [result for result in shown["results"] if result["state"] == "entered"]
        if not entered or entered[0]["games"] != self._plan.first_entry:
            raise RefusedError(f"{self._plan.code} holds another entry than the one made", answer)
        return int(entered[0]["version"])

    async def _say(self, path: str, body: Any) -> Body:
        """A PUT to a hand."""
        answer = self._checked(f"{self._plan.code} {path}", await self._api.put(path, body, auth=self._table))
        self._moved()
        return answer.body

    async def _put(self, path: str, body: Any, auth: str, *also: str) -> Answer:
        answer = await self._api.put(f"{self._path}{path}", body, auth=auth)
        self._checked(f"{self._plan.code} {path}", answer, *also)
        self._moved()
        return answer

    async def _post(self, path: str, auth: str, key: str, body: Any = None, *also: str) -> Answer:
        answer = await self._api.post(f"{self._path}{path}", body, auth=auth, key=f"{self._key}:{key}")
        self._checked(f"{self._plan.code} {path}", answer, *also)
        self._moved()
        return answer

    async def _wrong_post(self, path: str, body: Any, auth: str) -> None:
        await self._api.wrong("POST", f"{self._path}{path}", body, auth=auth)

    def _checked(self, what: str, answer: Answer, *also: str) -> Answer:
        if answer.code in OVER:
            raise MatchOverError
        return self._api.expect(what, answer, *also)
