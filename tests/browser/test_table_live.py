"""What happens at one table is seen on the others' screens at once, and nothing moves for those who want it still."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.browser.hall import Phone
from tests.browser.test_director_access import signed_in
from tests.support.events import make_tournament

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NewContext = Callable[..., BrowserContext]


def test_hand_shows_on_the_floor_and_on_the_teams_phone_by_itself(
    live_site: str, new_context: NewContext
) -> None:
    event = make_tournament(4)
    table = event.table_link(event.match("M1"))
    sides = event.side_links(event.match("M1"))
    pages = {}
    for name, who in (("table", table), ("team", sides["EW"]), ("desk", event.owner)):
        context = new_context(viewport={"width": 390, "height": 844}, has_touch=True)
        signed_in(context, live_site, who)
        pages[name] = context.new_page()
    pages["team"].goto(f"{live_site}/link/")
    pages["desk"].goto(f"{live_site}/run/{event.slug}/floor/?table=1")
    pages["table"].goto(f"{live_site}/link/")
    phone = Phone(pages["table"], live_site, f"{live_site}/link/")

    phone.hand("84", "N", "made")

    expect(pages["team"].locator(".line-bid").first).to_contain_text("84")
    expect(pages["team"].locator(".side-marks .num").first).to_have_text("2")
    expect(pages["desk"].locator(".ftile.is-chosen .ft-mid b")).to_have_text("2–0")

    phone.press("Undo hand 1")
    phone.game(7, 2)
    phone.game(7, 2)
    expect(pages["team"].get_by_role("heading", name="Is this right?")).to_be_visible()
    pages["team"].get_by_role("button", name="Yes, confirm").tap()
    expect(pages["table"].locator("main")).to_contain_text("No match is at this table.")


def test_nothing_moves_under_reduced_motion(live_site: str, new_context: NewContext) -> None:
    event = make_tournament(4)
    context = new_context(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    signed_in(context, live_site, event.side_links(event.match("M1"))["NS"])
    page = context.new_page()
    page.goto(f"{live_site}/link/M1/hand/?bid=84&seat=N&how=made")
    names = page.evaluate(
        "Array.from(document.querySelectorAll('*'), e => getComputedStyle(e).animationName)"
    )
    assert set(names) == {"none"}
