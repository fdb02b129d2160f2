"""Random full hands recorded tile by tile through REST, with everything illegal tried on the way."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

from rest_framework.test import APIClient

from scoring.models import Call, Hand, Holding, Play, RefusedAttempt
from tests.fortytwo import naive
from tournaments.models import Match

SEATS = "NESW"


@dataclass
class Script:
    """A legal hand from the naive rules: nothing of the engine has a say in it."""

    deal: dict[str, list[str]]
    shaker: str
    calls: list[str]
    trump: str
    tiles: list[str] = field(default_factory=list)
    seats: list[str] = field(default_factory=list)
    """Who plays each tile."""

    @property
    def declarer(self) -> str:
        found = naive.declarer(self.shaker, self.calls)
        assert found is not None
        return str(found[0])

    def answer(self) -> dict[str, Any]:
        return naive.hand(self.deal, self.shaker, self.calls, self.trump, self.tiles)


def random_script(rng: random.Random, shaker: str) -> Script:
    """A hand that somebody bids on, played to the last tile."""
    tiles = list(naive.ALL)
    rng.shuffle(tiles)
    deal = {seat: tiles[7 * place : 7 * place + 7] for place, seat in enumerate(SEATS)}
    calls: list[str] = []
    while len(calls) < 4:
        calls.append(rng.choice(naive.legal_calls(tuple(calls))))
    if naive.declarer(shaker, calls) is None:
        return random_script(rng, shaker)
    script = Script(deal, shaker, calls, rng.choice(naive.TRUMPS))
    play_on(script, rng)
    return script


def play_on(script: Script, rng: random.Random) -> None:
    held = {seat: list(tiles) for seat, tiles in script.deal.items()}
    table: list[tuple[str, str]] = []
    seat = script.declarer
    for _ in range(28):
        led = table[0][1] if table else None
        tile = rng.choice(naive.legal(held[seat], led, script.trump))
        held[seat].remove(tile)
        script.tiles.append(tile)
        script.seats.append(seat)
        table.append((seat, tile))
        seat = SEATS[(SEATS.index(seat) + 1) % 4]
        if len(table) == 4:
            seat = naive.trick_winner(table, script.trump)
            table = []


def illegal_play(
    script: Script, played: int, rng: random.Random, *, known: bool
) -> tuple[str, str, str] | None:
    """Something that may not be played now as tile number `played` + 1: seat, tile and the code of its refusal.

    Where the holdings are not known only the turn and tiles already seen can be checked.
    """
    turn, before = script.seats[played], script.tiles[:played]
    trick = before[played - played % 4 :]
    held = [tile for tile in script.deal[turn] if tile not in before]
    wrong: list[tuple[str, str, str]] = []
    others = [seat for seat in SEATS if seat != turn]
    wrong.append((rng.choice(others), rng.choice(naive.ALL), "out_of_turn"))
    if before:
        wrong.append((turn, rng.choice(before), "tile_played"))
    if known:
        foreign = [tile for seat in others for tile in script.deal[seat] if tile not in before]
        if foreign:
            wrong.append((turn, rng.choice(foreign), "tile_not_held"))
        if trick:
            legal = naive.legal(held, trick[0], script.trump)
            wrong += [(turn, tile, "must_follow") for tile in held if tile not in legal]
    return rng.choice(wrong)


def rows_of(hand_id: Any) -> list[Any]:
    """Everything stored of a hand but its refused attempts."""
    return [
        list(Hand.objects.filter(pk=hand_id).values()),
        *(
            list(model.objects.filter(hand=hand_id).order_by("pk").values())
            for model in (Holding, Call, Play)
        ),
    ]


def record(
    client: APIClient,
    match: Match,
    game: int,
    number: int,
    script: Script,
    rng: random.Random,
    *,
    known: str = SEATS,
    tries: float = 0.4,
) -> dict[str, Any]:
    """Record the whole script; the hand as everybody sees it in the end.

    `known` are the seats whose tiles are entered, some with the first request and some later. Now and then a
    request is sent twice, and with the chance `tries` something illegal is tried first.
    """
    with_open = [seat for seat in known if rng.random() < 0.5]
    body = {
        "level": "full",
        "shaker": script.shaker,
        "deal": {seat: script.deal[seat] for seat in with_open},
    }
    opened = client.put(f"/api/v1/matches/{match.pk}/games/{game}/hands/{number}/", body)
    assert opened.status_code == 201, opened.json()
    path = f"/api/v1/hands/{opened.json()['id']}/"
    hand_id = opened.json()["id"]

    def put(part: str, body: dict[str, Any]) -> dict[str, Any]:
        answer = client.put(f"{path}{part}/", body)
        assert answer.status_code == 201, answer.json()
        if rng.random() < 0.05:
            again = client.put(f"{path}{part}/", body)
            assert again.status_code == 200, again.json()
        return answer.json()

    for seat in known:
        if seat not in with_open:
            put(f"deal/{seat}", {"tiles": rng.sample(script.deal[seat], 7)})
    for place, call in enumerate(script.calls, start=1):
        seat = SEATS[(SEATS.index(script.shaker) + place) % 4]
        put(f"calls/{place}", {"seat": seat, "call": call})
    put("trump", {"trump": script.trump})
    shown: dict[str, Any] = {}
    for played, (seat, tile) in enumerate(zip(script.seats, script.tiles, strict=True)):
        if rng.random() < tries:
            _try_illegal(client, path, hand_id, script, played, rng, known)
        shown = put(f"plays/{played + 1}", {"seat": seat, "tile": tile})["hand"]
    return shown


def _try_illegal(
    client: APIClient,
    path: str,
    hand_id: str,
    script: Script,
    played: int,
    rng: random.Random,
    known: str,
) -> None:
    turn = script.seats[played]
    all_known = len(known) >= 3  # the fourth holding follows from three
    found = illegal_play(script, played, rng, known=all_known or turn in known)
    assert found is not None
    seat, tile, code = found
    before = rows_of(hand_id)
    attempts = RefusedAttempt.objects.filter(hand=hand_id).count()
    refused = client.put(f"{path}plays/{played + 1}/", {"seat": seat, "tile": tile})
    assert (refused.status_code, refused.json()["code"]) == (422, code), refused.json()
    assert rows_of(hand_id) == before
    stored = RefusedAttempt.objects.filter(hand=hand_id)
    assert stored.count() == attempts + 1
    newest = stored.latest("at")
    assert (newest.code, newest.tried) == (code, {"seq": played + 1, "seat": seat, "tile": tile})


def shown_as_naive(shown: dict[str, Any]) -> dict[str, Any]:
    """The public view of a hand in the shape of the naive answer."""
    view = shown["view"]
    return {
        "declarer": view["declarer"],
        "bid": view["bid"],
        "trump": view["trump"],
        "points": view["points"],
        "made": view["made"],
        "marks": view["marks"],
        "tricks": [{"winner": trick["winner"], "points": trick["points"]} for trick in view["tricks"]],
        "settled_after": view["settled_after"],
    }
