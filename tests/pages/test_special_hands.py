"""The page of a match names special contracts as what they are: who sits out, what was led, what is needed."""

from __future__ import annotations

import random
import re

import pytest
from django.test import Client
from django.utils.html import strip_tags

from scoring.models import Hand
from scoring.record import engine_hand, hand_rows
from scoring.services.hand import HandEntry, hand_put
from scoring.services.play import call_put, play_put, trump_put
from tables.services.calls import match_start
from tests.pages.event import Event, event
from tournaments.rulesets import match_rules

pytestmark = pytest.mark.django_db


def played(made: Event, calls: str, trump: str = "", *, plays: int = 28, suit: int | None = None) -> str:
    """The text of the page after these calls on West's shake, this trump and random tiles, their holdings unknown.

    With `suit` the 6-5 is led as its smaller end.
    """
    match, chance = made.live()[0], random.Random(3)
    with made.clock.running():
        match_start(match_id=match.pk, actor=made.owner)
        hand, _ = hand_put(
            match_id=match.pk,
            game_number=1,
            number=1,
            entry=HandEntry(level="full", shaker="W"),
            actor=made.owner,
        )
        for seq, (seat, call) in enumerate(zip("NESW", calls.split(), strict=False), start=1):
            call_put(hand_id=hand.pk, seq=seq, seat=seat, call=call, actor=made.owner)
        if trump:
            trump_put(hand_id=hand.pk, trump=trump, actor=made.owner)
        tiles = "6-5 6-6 6-0 3-1" if suit is not None else ""
        for seq in range(1, plays + 1):
            engine = engine_hand(hand_rows(Hand.objects.get(pk=hand.pk)), match_rules(match))
            if engine.is_closed or engine.turn is None:
                break
            tile = tiles.split()[seq - 1] if tiles else str(chance.choice(engine.legal_plays()))
            declared = suit if seq == 1 else None
            play_put(
                hand_id=hand.pk, seq=seq, seat=str(engine.turn), tile=tile, suit=declared, actor=made.owner
            )
    page = Client().get(f"/t/{made.slug}/matches/{match.code}/")
    assert page.status_code == 200
    return text_of(page.content.decode())


def text_of(page: str) -> str:
    return re.sub(r"\s+", " ", strip_tags(re.sub(r"<script.*?</script>", "", page, flags=re.S)))


def hall(preset: str = "online-championship", **rules: object) -> Event:
    return event(2, kind="single-elimination", tables=1, preset=preset, rules=rules)


def test_nello_in_progress_says_who_sits_out_and_what_is_needed() -> None:
    said = played(hall("lechner-house"), "42 pass pass pass", "nello-low", plays=2)
    assert "Nello, doubles low" in said
    assert "South · sits out" in said
    assert "The bidders must take no trick. 7 tricks to go." in said
    assert "7 tricks out" in said
    assert "counts" not in said


def test_nello_that_is_over_tells_tricks_and_no_points() -> None:
    said = played(hall(nello=1), "42 pass pass pass", "nello")
    assert re.search(r"Nello (made|set)\. 1 mark to ", said)
    assert "42 nelloSet+1" in said or "42 nelloMade+1" in said
    assert "still out" not in said
    assert not re.search(r"\+\d", said.split("hand 1")[1].split("Games and hands")[0])


def test_plunge_is_named_and_led_by_the_partner() -> None:
    made = hall("timpson")
    said = played(made, "plunge4 pass pass pass")
    assert "North · bid plunge (4 marks)" in said
    assert re.search(r"\w+ has the bid\. [\w ]+ names the trump and leads\.", said)
    assert "South · to name trump" in said


def test_plunge_that_is_set_gives_its_marks() -> None:
    said = played(hall("timpson"), "plunge4 pass pass pass", "5")
    assert re.search(r"Plunge \(4 marks\) (made|set)\. 4 marks to ", said)
    assert "Fives are trump" in said


def test_forced_bid_stands_after_three_passes() -> None:
    said = played(hall("straight-guide"), "pass pass pass 30", "6", plays=3)
    assert "N passE passS passW 30" in said
    assert "West · shook · bid 30" in said
    assert "Still needed: 30 to make the bid, 13 to set it." in said


def test_lead_declared_as_its_smaller_end_says_so_on_the_table_and_in_its_trick() -> None:
    rules = {"small_end_opening": True}
    said = played(hall(**rules), "34 pass pass pass", "3", plays=3, suit=5)
    assert "led fives" in said
    assert said.count("off suit") == 2
    said = played(hall(**rules), "34 pass pass pass", "3", plays=4, suit=5)
    assert "N as fives" in said


def test_sevens_says_how_near_each_tile_is() -> None:
    said = played(hall(sevens=1), "42 pass pass pass", "sevens", plays=2)
    assert "Sevens: the nearest to seven takes the trick" in said
    assert re.search(r"\d from seven", said)
    assert "The bidders must take every trick. 7 tricks to go." in said
    assert "follows" not in said


def test_splash_and_called_follow_me_have_words() -> None:
    said = played(hall("lechner-house"), "pass splash3 pass pass", "follow-me-low", plays=4)
    assert "Follow me, doubles low" in said
    assert "E splash (3 marks)" in said


def test_points_game_gives_points() -> None:
    said = played(hall(scoring="points"), "30 pass pass pass", "6")
    assert re.search(r"30 (made|set)\. \d+ points to ", said)
