"""Random hands recorded call by call and tile by tile through REST, against the second implementation.

The tiles of some seats are told at the start, of others after the end or never. Whatever is illegal is
refused with its code and stores nothing.
"""

from typing import Any

import pytest
from rest_framework.test import APIClient

import fortytwo
from fortytwo import Hand, Ruleset, Seat
from scoring.models import Call, Play
from scoring.simulation.dice import dice
from scoring.simulation.hands import random_hand
from scoring.simulation.plans import FullPlan, full_plan
from tests.fortytwo import naive
from tests.support.events import make_tournament
from tournaments.models import Revision

RULES = Ruleset(target=1000)
"""One game that never ends, so that a match holds all hands of a test."""
CHUNK = 10
REST_OF_SIXTY = range(CHUNK, 60, CHUNK)
pytestmark = pytest.mark.timeout(300)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "first", [0, *(pytest.param(at, marks=pytest.mark.one_database) for at in REST_OF_SIXTY)]
)
def test_sixty_hands(first: int) -> None:
    record_hands(first, CHUNK)


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("first", range(60, 1000, 47))
def test_the_rest_of_a_thousand_hands(first: int) -> None:
    record_hands(first, 47)


def record_hands(first: int, count: int) -> None:
    event = make_tournament(
        2, kind="single-elimination", rules={"target": RULES.target}, stage={"best_of": 1}
    )
    match = event.match("M1")
    client = event.table_link(match).client
    shaker = dice(42, first).choice(fortytwo.SEATS)
    for number in range(1, count + 1):
        hand = random_hand(RULES, shaker, dice(42, first + number))
        plan, told = full_plan(hand, dice(42, first + number, "record"))
        body = {"level": "full", "shaker": str(shaker), "deal": told}
        opened = good(client.put(f"/api/v1/matches/{match.pk}/games/1/hands/{number}/", body))
        shown = Recorder(
            client, opened["id"], hand, plan, set(told) | {seat for seat, _ in plan.deal}
        ).record()
        assert shown == by_the_rules(hand, plan)
        shaker = shaker.left


class Recorder:
    """Writes one hand and tries something illegal on the way."""

    def __init__(self, client: APIClient, hand_id: str, hand: Hand, plan: FullPlan, known: set[str]) -> None:
        self.client, self.path, self.hand, self.plan, self.known = (
            client,
            f"/api/v1/hands/{hand_id}/",
            hand,
            plan,
            known,
        )
        self.rng = dice(7, hand_id[:8], str(hand))

    def record(self) -> dict[str, Any]:
        """The finished hand as everybody is shown it, in the words of `by_the_rules`."""
        for seat, tiles in self.plan.deal:
            self.put(f"deal/{seat}/", {"tiles": tiles})
        for seq, call in enumerate(self.plan.calls, start=1):
            if seq in self.plan.bad_calls or seq == 2:
                wrong = str(Seat(call["seat"]).left)
                self.refused(f"calls/{seq}/", {"seat": wrong, "call": "pass"}, "out_of_turn")
            self.put(f"calls/{seq}/", call)
        if self.plan.trump:
            self.put("trump/", {"trump": self.plan.trump})
        for seq, play in enumerate(self.plan.plays, start=1):
            if seq in self.plan.bad_plays:
                bad = self.plan.bad_plays[seq]
                self.refused(f"plays/{seq}/", bad.body, bad.code)
            if seq % 5 == 3 and seq <= self.plan.closed_after:
                self.try_all_of_the_seat(seq, play["seat"])
            self.put(f"plays/{seq}/", play)
        for seat, tiles in self.plan.turned_up:
            self.put(f"deal/{seat}/", {"tiles": tiles})
        shown = good(self.client.get(self.path))
        view = shown["view"]
        return {
            "state": shown["state"],
            "declarer": shown["declarer"],
            "bid": shown["bid"],
            "trump": shown["trump"],
            "points": view["points"],
            "made": view["made"],
            "marks": shown["marks"],
            "tricks": [{"winner": one["winner"], "points": one["points"]} for one in view["tricks"]],
            "settled_after": view["settled_after"],
        }

    def try_all_of_the_seat(self, seq: int, seat: str) -> None:
        """Every tile of a known holding that the other implementation forbids here is refused."""
        if seat not in self.known:
            return
        played = [play["tile"] for play in self.plan.plays[: seq - 1]]
        held = [str(tile) for tile in self.hand.deal.holding(Seat(seat)) or ()]
        deal = {str(one): [str(tile) for tile in self.hand.deal.holding(one) or ()] for one in fortytwo.SEATS}
        for tile in held:
            told = naive.play_out(deal, str(self.hand.declarer), self.plan.trump, [*played, tile])
            if told == seq:
                code = "tile_played" if tile in played else "must_follow"
                self.refused(f"plays/{seq}/", {"seat": seat, "tile": tile}, code)

    def put(self, path: str, body: dict[str, Any]) -> None:
        assert good(self.client.put(self.path + path, body))

    def refused(self, path: str, body: dict[str, Any], code: str) -> None:
        before = stored()
        answer = self.client.put(self.path + path, body)
        assert (answer.status_code, answer.json()["code"]) == (422, code), answer.content
        assert stored() == before


def by_the_rules(hand: Hand, plan: FullPlan) -> dict[str, Any]:
    """The same hand as the second implementation sees it, with the tiles that were recorded."""
    if not plan.trump:
        nothing = {"NS": 0, "EW": 0}
        return {
            "state": "closed",
            "declarer": "",
            "bid": "",
            "trump": "",
            "made": None,
            "settled_after": None,
            "points": nothing,
            "marks": nothing,
            "tricks": [],
        }
    deal = {str(seat): [str(tile) for tile in hand.deal.holding(seat) or ()] for seat in fortytwo.SEATS}
    tiles = [play["tile"] for play in plan.plays]
    calls = [call["call"] for call in plan.calls]
    return {"state": "closed", **naive.hand(deal, str(hand.shaker), calls, plan.trump, tiles)}


def stored() -> tuple[Any, ...]:
    """What a refusal must leave alone."""
    revisions = list(Revision.objects.order_by("part").values_list("part", "number"))
    return Call.objects.count(), Play.objects.count(), revisions


def good(answer: Any) -> dict[str, Any]:
    assert answer.status_code < 400, answer.content
    found: dict[str, Any] = answer.json()
    return found
