"""A first lead as the smaller end of its tile: kept where it was declared, and only where the rules have it."""

import pytest

from scoring.models import Play
from tests.support.doors import DONE, Answer, Door
from tests.support.events import Event, make_tournament

pytestmark = pytest.mark.django_db


def bid_by_north(event: Event, door: Door, trump: str = "3") -> str:
    """A hand up to North's lead, with unknown tiles; its id."""
    path = f"/api/v1/matches/{event.match('M1').pk}/games/1/hands/1/"
    hand_id = event.owner.client.put(path, {"level": "full", "shaker": "W"}).json()["id"]
    for seq, (seat, call) in enumerate(zip("NESW", ["30", "pass", "pass", "pass"], strict=True), start=1):
        assert door.call(event.owner, hand_id, seq, seat, call) == DONE
    assert door.trump(event.owner, hand_id, trump) == DONE
    return str(hand_id)


def hall(**rules: object) -> Event:
    return make_tournament(2, kind="single-elimination", rules=rules)


def test_smaller_end_is_led_and_sent_again(door: Door) -> None:
    event = hall(small_end_opening=True)
    hand_id = bid_by_north(event, door)
    for _ in range(2):
        assert door.play(event.owner, hand_id, 1, "N", "6-5", 5) == DONE

    other = door.play(event.owner, hand_id, 1, "N", "6-5")
    assert (other, other.facts["stored"]) == (
        Answer(409, "play_differs"),
        {"seq": 1, "seat": "N", "tile": "6-5", "suit": 5},
    )
    assert door.play(event.owner, hand_id, 1, "N", "6-5", 6) == Answer(409, "play_differs")
    for seq, (seat, tile) in enumerate([("E", "6-6"), ("S", "5-0"), ("W", "3-0")], start=2):
        assert door.play(event.owner, hand_id, seq, seat, tile) == DONE
    assert list(Play.objects.order_by("seq").values_list("tile", "suit")) == [
        ("6-5", 5),
        ("6-6", None),
        ("5-0", None),
        ("3-0", None),
    ]
    view = event.owner.client.get(f"/api/v1/hands/{hand_id}/").json()["view"]
    # The double six is no five: West's three takes the trick as the only trump.
    assert view["tricks"] == [{"plays": ["N:6-5/5", "E:6-6", "S:5-0", "W:3-0"], "winner": "W", "points": 6}]
    assert door.play(event.owner, hand_id, 5, "W", "4-2", 2) == Answer(422, "lead_suit_refused")


def test_usual_end_may_be_named_and_is_not_kept(door: Door) -> None:
    event = hall()
    hand_id = bid_by_north(event, door)
    assert door.play(event.owner, hand_id, 1, "N", "6-5", 6) == DONE
    for suit in (None, 6):
        assert door.play(event.owner, hand_id, 1, "N", "6-5", suit) == DONE
    assert door.play(event.owner, hand_id, 1, "N", "6-5", 5) == Answer(409, "play_differs")
    assert Play.objects.get().suit is None


def test_smaller_end_is_refused_without_the_switch(door: Door) -> None:
    event = hall()
    hand_id = bid_by_north(event, door)
    assert door.play(event.owner, hand_id, 1, "N", "6-5", 5) == Answer(422, "lead_suit_refused")
    assert door.play(event.owner, hand_id, 1, "N", "6-5", 4) == Answer(422, "lead_suit_refused")
    assert not Play.objects.exists()
