"""The two ways in, with the same acts: the services, and the REST API. Each act answers an `Answer`.

A test that takes `door` runs through both, so that a rule cannot hold in one of them only.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

import fortytwo
from scoring.services.deal import deal_put
from scoring.services.game import game_put, last_record_undo, result_put
from scoring.services.hand import HandEntry, hand_put
from scoring.services.play import call_put, play_put, trump_put
from tests.support.callers import Caller
from tests.support.events import Event, games
from tournaments.errors import Refusal
from tournaments.models import Entry, Match
from tournaments.services.bracket import bracket_advance
from tournaments.services.draw import stage_draw, stage_publish
from tournaments.services.entry import entries_add, entry_withdraw
from tournaments.services.result import match_forfeit, result_confirm, result_dispute, result_take_back
from tournaments.services.tournament import tournament_move


@dataclass(frozen=True)
class Answer:
    """`code` is empty for an act that was done; `facts` are those of a refusal."""

    status: int
    code: str = ""
    facts: dict[str, Any] = field(default_factory=dict, compare=False)


DONE = Answer(200)


class Door(Protocol):
    """The acts. `who` is refused or served as the author of the act."""

    name: str

    def add_entries(self, who: Caller, event: Event, entries: list[Any]) -> Answer: ...
    def draw(self, who: Caller, event: Event, method: str = "seed", seed: int | None = None) -> Answer: ...
    def publish(self, who: Caller, event: Event) -> Answer: ...
    def move(self, who: Caller, event: Event, move: str) -> Answer: ...
    def advance(self, event: Event) -> Answer: ...
    def withdraw(self, who: Caller, entry: Entry, *, reason: str = "") -> Answer: ...
    def enter(
        self, who: Caller, match: Match, scores: str, *, desk: bool = False, reason: str = ""
    ) -> Answer: ...
    def confirm(self, who: Caller, match: Match, version: int = 1, *, reason: str = "") -> Answer: ...
    def dispute(self, who: Caller, match: Match) -> Answer: ...
    def take_back(self, who: Caller, match: Match) -> Answer: ...
    def forfeit(self, who: Caller, match: Match, side: str, reason: str = "not here") -> Answer: ...
    def game(self, who: Caller, match: Match, number: int, ns: int, ew: int) -> Answer: ...
    def hand(self, who: Caller, match: Match, game: int, number: int, **entry: Any) -> Answer: ...
    def undo(self, who: Caller, match: Match) -> Answer: ...
    def deal(self, who: Caller, hand_id: Any, seat: str, tiles: list[str]) -> Answer: ...
    def call(self, who: Caller, hand_id: Any, seq: int, seat: str, call: str) -> Answer: ...
    def trump(self, who: Caller, hand_id: Any, trump: str) -> Answer: ...
    def play(
        self, who: Caller, hand_id: Any, seq: int, seat: str, tile: str, suit: int | None = None
    ) -> Answer: ...


class Services:
    """Calls the services."""

    name = "services"

    def add_entries(self, who: Caller, event: Event, entries: list[Any]) -> Answer:
        return _asked(
            lambda: entries_add(tournament_id=event.tournament.pk, entries=entries, actor=who.actor)
        )

    def draw(self, who: Caller, event: Event, method: str = "seed", seed: int | None = None) -> Answer:
        return _asked(lambda: stage_draw(stage_id=event.stage.pk, actor=who.actor, method=method, seed=seed))

    def publish(self, who: Caller, event: Event) -> Answer:
        return _asked(lambda: stage_publish(stage_id=event.stage.pk, actor=who.actor))

    def move(self, who: Caller, event: Event, move: str) -> Answer:
        return _asked(lambda: tournament_move(tournament_id=event.tournament.pk, move=move, actor=who.actor))

    def advance(self, event: Event) -> Answer:
        return _asked(lambda: bracket_advance(stage_id=event.stage.pk))

    def withdraw(self, who: Caller, entry: Entry, *, reason: str = "") -> Answer:
        return _asked(lambda: entry_withdraw(entry_id=entry.pk, actor=who.actor, reason=reason))

    def enter(
        self, who: Caller, match: Match, scores: str, *, desk: bool = False, reason: str = ""
    ) -> Answer:
        def act() -> Any:
            entered = result_put(
                match_id=match.pk, games=games(scores), actor=who.actor, desk=desk, reason=reason
            )
            if entered.how == "disputed":
                raise _DisputedError
            return entered

        return _asked(act)

    def confirm(self, who: Caller, match: Match, version: int = 1, *, reason: str = "") -> Answer:
        return _asked(
            lambda: result_confirm(match_id=match.pk, version=version, actor=who.actor, reason=reason)
        )

    def dispute(self, who: Caller, match: Match) -> Answer:
        return _asked(lambda: result_dispute(match_id=match.pk, actor=who.actor))

    def take_back(self, who: Caller, match: Match) -> Answer:
        return _asked(lambda: result_take_back(match_id=match.pk, actor=who.actor))

    def forfeit(self, who: Caller, match: Match, side: str, reason: str = "not here") -> Answer:
        return _asked(lambda: match_forfeit(match_id=match.pk, side=side, actor=who.actor, reason=reason))

    def game(self, who: Caller, match: Match, number: int, ns: int, ew: int) -> Answer:
        return _asked(
            lambda: game_put(match_id=match.pk, number=number, marks={"NS": ns, "EW": ew}, actor=who.actor)
        )

    def hand(self, who: Caller, match: Match, game: int, number: int, **entry: Any) -> Answer:
        return _asked(
            lambda: hand_put(
                match_id=match.pk, game_number=game, number=number, entry=HandEntry(**entry), actor=who.actor
            )
        )

    def undo(self, who: Caller, match: Match) -> Answer:
        return _asked(lambda: last_record_undo(match_id=match.pk, actor=who.actor))

    def deal(self, who: Caller, hand_id: Any, seat: str, tiles: list[str]) -> Answer:
        return _asked(lambda: deal_put(hand_id=hand_id, seat=seat, tiles=tiles, actor=who.actor))

    def call(self, who: Caller, hand_id: Any, seq: int, seat: str, call: str) -> Answer:
        return _asked(lambda: call_put(hand_id=hand_id, seq=seq, seat=seat, call=call, actor=who.actor))

    def trump(self, who: Caller, hand_id: Any, trump: str) -> Answer:
        return _asked(lambda: trump_put(hand_id=hand_id, trump=trump, actor=who.actor))

    def play(
        self, who: Caller, hand_id: Any, seq: int, seat: str, tile: str, suit: int | None = None
    ) -> Answer:
        return _asked(
            lambda: play_put(hand_id=hand_id, seq=seq, seat=seat, tile=tile, suit=suit, actor=who.actor)
        )


class Rest:
    """Sends requests."""

    name = "rest"

    def add_entries(self, who: Caller, event: Event, entries: list[Any]) -> Answer:
        return _sent(who.client.post(f"{event.path}entries/import/", {"entries": entries}))

    def draw(self, who: Caller, event: Event, method: str = "seed", seed: int | None = None) -> Answer:
        return _sent(who.client.post(f"{event.path}stages/1/draw/", {"method": method, "seed": seed}))

    def publish(self, who: Caller, event: Event) -> Answer:
        return _sent(who.client.post(f"{event.path}stages/1/publish/"))

    def move(self, who: Caller, event: Event, move: str) -> Answer:
        return _sent(who.client.post(f"{event.path}{move}/"))

    def advance(self, event: Event) -> Answer:
        return _sent(event.owner.client.post(f"{event.path}stages/1/advance/"))

    def withdraw(self, who: Caller, entry: Entry, *, reason: str = "") -> Answer:
        path = f"/api/v1/tournaments/{entry.tournament.slug}/entries/{entry.pk}/withdraw/"
        return _sent(who.client.post(path, {"reason": reason}))

    def enter(
        self, who: Caller, match: Match, scores: str, *, desk: bool = False, reason: str = ""
    ) -> Answer:
        body = {"scores": scores, "desk": desk, "reason": reason}
        return _sent(who.client.put(f"{_path(match)}result/", body))

    def confirm(self, who: Caller, match: Match, version: int = 1, *, reason: str = "") -> Answer:
        body = {"version": version, "reason": reason}
        return _sent(who.client.post(f"{_path(match)}result/confirm/", body))

    def dispute(self, who: Caller, match: Match) -> Answer:
        return _sent(who.client.post(f"{_path(match)}result/dispute/"))

    def take_back(self, who: Caller, match: Match) -> Answer:
        return _sent(who.client.post(f"{_path(match)}result/take-back/"))

    def forfeit(self, who: Caller, match: Match, side: str, reason: str = "not here") -> Answer:
        return _sent(who.client.post(f"{_path(match)}forfeit/", {"side": side, "reason": reason}))

    def game(self, who: Caller, match: Match, number: int, ns: int, ew: int) -> Answer:
        return _sent(who.client.put(f"{_path(match)}games/{number}/", {"NS": ns, "EW": ew}))

    def hand(self, who: Caller, match: Match, game: int, number: int, **entry: Any) -> Answer:
        return _sent(who.client.put(f"{_path(match)}games/{game}/hands/{number}/", entry))

    def undo(self, who: Caller, match: Match) -> Answer:
        return _sent(who.client.post(f"{_path(match)}undo/"))

    def deal(self, who: Caller, hand_id: Any, seat: str, tiles: list[str]) -> Answer:
        return _sent(who.client.put(f"/api/v1/hands/{hand_id}/deal/{seat}/", {"tiles": tiles}))

    def call(self, who: Caller, hand_id: Any, seq: int, seat: str, call: str) -> Answer:
        return _sent(who.client.put(f"/api/v1/hands/{hand_id}/calls/{seq}/", {"seat": seat, "call": call}))

    def trump(self, who: Caller, hand_id: Any, trump: str) -> Answer:
        return _sent(who.client.put(f"/api/v1/hands/{hand_id}/trump/", {"trump": trump}))

    def play(
        self, who: Caller, hand_id: Any, seq: int, seat: str, tile: str, suit: int | None = None
    ) -> Answer:
        body = {"seat": seat, "tile": tile, **({} if suit is None else {"suit": suit})}
        return _sent(who.client.put(f"/api/v1/hands/{hand_id}/plays/{seq}/", body))


DOORS: tuple[Door, ...] = (Services(), Rest())


class _DisputedError(Exception):
    """REST answers a dispute as a conflict."""


def _path(match: Match) -> str:
    return f"/api/v1/matches/{match.pk}/"


def _asked(act: Callable[[], object]) -> Answer:
    try:
        act()
    except _DisputedError:
        return Answer(409, "entries_differ")
    except Refusal as refusal:
        return Answer(refusal.status, refusal.code, refusal.facts)
    except fortytwo.FortyTwoError as error:
        status = 400 if isinstance(error, fortytwo.ParseError) else 422
        return Answer(status, error.code, error.to_json())
    return DONE


def _sent(response: Any) -> Answer:
    if response.status_code < 400:
        assert response.status_code in {200, 201}, response.status_code
        return DONE
    assert response["Content-Type"] == "application/problem+json"
    body = response.json()
    assert {"type", "title", "status", "code", "detail"} <= set(body)
    assert body["status"] == response.status_code
    return Answer(response.status_code, body["code"], body)
