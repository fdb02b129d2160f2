"""What a checker of accessibility (axe) finds on the pages of those who run an event and on table pages."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import BrowserContext

from scoring.services.game import game_put, result_put
from scoring.services.hand import HandEntry, hand_put
from scoring.services.screening import match_screen
from tables.addresses import COOKIE
from tables.models import Table
from tables.services.assignment import tables_assign
from tables.services.hall import tables_add
from tables.services.judge import judge_call
from tables.services.links import links_issue
from tables.tokens import token_of
from tests.browser.checker import problems
from tests.support.callers import Caller
from tests.support.events import Event, games, make_tournament
from tournaments.services.announcement import announcement_make
from tournaments.services.officials import invitation_make

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NAMES = (
    "The Extraordinarily Long Named Benevolent Society of Domino Shakers of Upper Guadalupe County",
    "فريق الدومينو العظيم",
    "<script>alert(1)</script>",
    "José Peña / Niño",
    "x" * 120,
    "O'Brien & O’Dell",
    "=2+5",
    "Tin Roof",
)
NewContext = Callable[..., BrowserContext]

TAILS = (
    "",
    "settings/",
    "placings/",
    "teams/",
    "teams/add/",
    "teams/late/",
    "teams/seeds/",
    "teams/1/",
    "teams/1/withdraw/",
    "draw/",
    "draw/reset/",
    "floor/",
    "floor/?table=1",
    "floor/?table=4",
    "matches/",
    "matches/?q=nobody",
    "matches/M1/",
    "matches/M2/",
    "matches/M3/enter/",
    "matches/M4/correct/",
    "matches/M3/forfeit/",
    "cards/",
    "cards/?kind=team",
    "paper/",
    "people/",
    "screens/",
    "log/",
    "fair-play/",
    "fair-play/accounts/",
    "fair-play/1/",
    "fair-play/1/?names=1",
)


def busy_event() -> Event:
    """Three tables: one result to confirm, one match with hands, one called; one match over, with a case."""
    event = make_tournament(8, names=NAMES)
    owner = event.owner.actor
    tables_add(tournament_id=event.tournament.pk, count=4, actor=owner)
    Table.objects.filter(number=4).update(state="closed")
    tables_assign(tournament_id=event.tournament.pk)
    result_put(match_id=event.match("M1").pk, games=games("7-3,7-4"), actor=owner)
    game_put(match_id=event.match("M2").pk, number=1, marks={"NS": 7, "EW": 2}, actor=owner)
    for number, entry in enumerate(
        (
            HandEntry(level="bid", declarer="N", bid="84", made=True, trump="5", shaker="W"),
            HandEntry(level="bid", thrown_in=True),
        ),
        start=1,
    ):
        hand_put(match_id=event.match("M2").pk, game_number=2, number=number, entry=entry, actor=owner)
    judge_call(match_id=event.match("M2").pk, actor=owner, note="Renege")
    event.play("M4")
    match_screen(match_id=event.match("M4").pk)
    links_issue(tournament_id=event.tournament.pk, actor=owner)
    announcement_make(tournament_id=event.tournament.pk, text="Lunch at noon", actor=owner)
    invitation_make(tournament_id=event.tournament.pk, role="desk", actor=owner)
    return event


def signed_in(context: BrowserContext, site: str, who: Caller) -> None:
    """Give the browser the caller's session, or the cookie of its link."""
    if who.user is not None:
        client = Client()
        client.force_login(who.user)
        name = settings.SESSION_COOKIE_NAME
        context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": site}])
    if who.link is not None:
        context.add_cookies([{"name": COOKIE, "value": token_of(who.link.pk), "url": site}])


def test_checker_finds_nothing_on_the_pages_of_officials(live_site: str, new_context: NewContext) -> None:
    event = busy_event()
    context = new_context()
    signed_in(context, live_site, event.owner)
    page = context.new_page()
    found: list[str] = []
    for path in ("/run/", "/run/events/new/", "/accounts/", *(f"/run/{event.slug}/{tail}" for tail in TAILS)):
        answer = page.goto(live_site + path)
        assert answer is not None
        assert answer.status == 200, path
        found += problems(page, path)
    assert found == [], "\n".join(found)


def test_checker_finds_nothing_on_table_pages(live_site: str, new_context: NewContext) -> None:
    event = busy_event()
    context = new_context()
    page = context.new_page()
    found: list[str] = []
    for code, tails in (
        ("M2", ("", "hand/", "hand/?bid=84&seat=N&how=made", "marks/", "judge/")),
        ("M1", ("",)),
        ("M3", ("",)),
    ):
        match = event.match(code)
        for who in event.side_links(match).values():
            signed_in(context, live_site, who)
            for tail in tails:
                path = f"/link/{code}/{tail}" if tail else "/link/"
                page.goto(live_site + path)
                found += problems(page, f"{code} {path}")
    full, _ = hand_put(
        match_id=event.match("M3").pk,
        game_number=1,
        number=1,
        entry=HandEntry(level="full", shaker="W"),
        actor=event.owner.actor,
    )
    page.goto(f"{live_site}/link/M3/hands/{full.pk}/")
    found += problems(page, "auction")
    context.clear_cookies()
    for path in ("/link/", "/accounts/login/", "/accounts/invitation/none/"):
        page.goto(live_site + path)
        found += problems(page, path)
    assert found == [], "\n".join(found)


def test_pages_are_read_and_used_without_javascript(live_site: str, new_context: NewContext) -> None:
    event = busy_event()
    context = new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
    signed_in(context, live_site, event.side_links(event.match("M2"))["NS"])
    page = context.new_page()
    page.goto(f"{live_site}/link/")
    page.get_by_role("link", name="Enter hand 3").click()
    for name, value in (("bid", "31"), ("seat", "E"), ("how", "set")):
        page.locator(f"label.tap:has(input[name={name}][value='{value}'])").click()
    page.get_by_role("button", name="Show the new totals").click()
    page.get_by_role("button", name="Save: 31 set, 1 mark").click()
    assert page.url == f"{live_site}/link/"
    assert "Enter hand 4" in page.inner_text("main")
