"""What a checker of accessibility (axe) finds in the admin; its forms by keys alone, and without JavaScript."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from scoring.models import Hand, Play
from scoring.services.hand import HandEntry, hand_put
from scoring.services.play import call_put, play_put, trump_put
from tests.admin.desk import listing, page
from tests.browser.checker import problems
from tests.browser.hall import NewContext
from tests.browser.test_director_access import busy_event, signed_in
from tests.support.events import Event
from tournaments.models import Entry, LogEntry, Match, Tournament

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def event_at_the_admin() -> Event:
    event = busy_event()
    User.objects.filter(pk=event.owner.user.pk).update(is_staff=True, is_superuser=True)  # type: ignore[union-attr]
    return event


def hand_in_play(event: Event) -> Hand:
    actor = event.owner.actor
    entry = HandEntry(level="full", shaker="W")
    hand, _ = hand_put(match_id=event.match("M3").pk, game_number=1, number=1, entry=entry, actor=actor)
    for seq, (seat, call) in enumerate(zip("NESW", ["31", "pass", "pass", "pass"], strict=True), start=1):
        call_put(hand_id=hand.pk, seq=seq, seat=seat, call=call, actor=actor)
    trump_put(hand_id=hand.pk, trump="5", actor=actor)
    play_put(hand_id=hand.pk, seq=1, seat="N", tile="5-5", actor=actor)
    return hand


@pytest.mark.timeout(300)
def test_checker_finds_nothing_in_the_admin(live_site: str, new_context: NewContext) -> None:
    event = event_at_the_admin()
    hand = hand_in_play(event)
    playing, called, over = (event.match(code) for code in ("M2", "M3", "M4"))
    record = f"/admin/tournaments/match/{playing.pk}/record/"
    paths = [
        "/admin/",
        *(listing(model) for model in (Tournament, Entry, Match, LogEntry, User)),
        f"{listing(Match)}?state__exact=called&q=M3",
        page(event.tournament),
        page(playing),
        page(event.entry_of("Tin Roof")),
        page(event.owner.user) if event.owner.user else "",
        f"{listing(Tournament)}add/",
        page(event.tournament, "settings"),
        page(event.tournament, "tables"),
        page(event.match("M1"), "settle"),
        page(called, "forfeit"),
        page(over, "correct"),
        record,
        *(f"{record}?way={way}" for way in ("marks", "game", "full")),
        f"/admin/tournaments/match/{called.pk}/record/{hand.pk}/",
    ]
    context = new_context()
    signed_in(context, live_site, event.owner)
    opened = context.new_page()
    found: list[str] = []
    for path in paths:
        answer = opened.goto(live_site + path)
        assert answer is not None
        assert answer.status == 200, path
        found += problems(opened, path)
    found += _refused(opened, live_site + record)
    assert found == [], "\n".join(found)


def _refused(opened: Page, address: str) -> list[str]:
    """The page with a refusal beside its field."""
    opened.goto(address)
    opened.get_by_label("Bid", exact=True).fill("29")
    opened.get_by_role("button", name="Save the hand").click()
    expect(opened.locator(".refused")).to_be_visible()
    return problems(opened, "refused")


def test_hand_is_recorded_without_javascript(live_site: str, new_context: NewContext) -> None:
    event = event_at_the_admin()
    hand = hand_in_play(event)
    context = new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
    signed_in(context, live_site, event.owner)
    opened = context.new_page()
    opened.goto(f"{live_site}{page(event.match('M3'))}")
    opened.get_by_role("link", name="Record hand").click()
    opened.get_by_role("link", name="Go on with hand 1").click()
    opened.locator("button.is-follows[value='5-1']").click()
    opened.get_by_label("Type the tile").fill("5-1")
    opened.get_by_role("button", name="Record", exact=True).click()
    assert "The tile 5-1 has been played already." in opened.inner_text("#content")
    assert list(Play.objects.filter(hand=hand).values_list("tile", flat=True)) == ["5-5", "5-1"]


def test_bid_is_entered_by_keys_alone(live_site: str, new_context: NewContext) -> None:
    event = event_at_the_admin()
    context = new_context(viewport={"width": 1440, "height": 900})
    signed_in(context, live_site, event.owner)
    opened = context.new_page()
    opened.goto(f"{live_site}/admin/tournaments/match/{event.match('M2').pk}/record/")
    opened.get_by_label("Bid", exact=True).focus()
    keys = opened.keyboard
    keys.type("84")
    for key in ("Tab", "Space", "Tab", "Tab", "Space", "Enter"):  # who bid it, trump, made
        keys.press(key)
    expect(opened.locator(".messagelist")).to_contain_text("Hand 3 is recorded.")
    assert Hand.objects.get(number=3, game__match=event.match("M2")).bid == "84"
