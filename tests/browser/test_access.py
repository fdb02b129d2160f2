"""What a checker of accessibility (axe) finds on the public pages, in both themes."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext

from tests.browser.checker import problems
from tests.pages.event import ODD_NAMES, dispute, event, full_hand, play, record_live
from tournaments.models import Player

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_checker_finds_nothing(live_site: str, new_context: Callable[..., BrowserContext]) -> None:
    made = play(event(len(ODD_NAMES), names=ODD_NAMES, tables=6), 50)
    live = made.live()
    full_hand(made, live[0], plays=11)
    dispute(made, live[1])
    record_live(made)
    done = play(event(3, name="Done", tables=2))
    page = new_context().new_page()
    tails = [
        "",
        "bracket/",
        "bracket/?part=losers",
        "bracket/?part=finals",
        "standings/",
        "tables/",
        "teams/",
    ]
    tails += ["teams/1/", "results/", "rules/", "matches/M1/", f"matches/{live[0].code}/"]
    player = Player.objects.first()
    assert player is not None
    paths = ["/", "/rules/", f"/players/{player.pk}/", f"/t/{done.slug}/", "/nowhere/"]
    paths += [f"/t/{made.slug}/{tail}" for tail in tails]
    found: list[str] = []
    for path in paths:
        page.goto(live_site + path)
        found += problems(page, path)
    assert found == [], "\n".join(found)


def test_checker_finds_nothing_at_the_first_start(
    live_site: str, new_context: Callable[..., BrowserContext]
) -> None:
    page = new_context().new_page()
    found: list[str] = []

    def check(*paths: str) -> None:
        for path in paths:
            answer = page.goto(live_site + path)
            assert answer is not None
            assert answer.status == 200, path
            found.extend(problems(page, path))

    check("/", "/accounts/setup/")
    for name, text in (("who", "Dana Holub"), ("username", "dana"), ("password", "four plain words here")):
        page.locator(f"[name={name}]").fill(text)
    page.locator("main [type=submit]").click()
    page.wait_for_url("**/run/")
    check("/run/", "/accounts/", "/accounts/password/", "/accounts/second-step/on/", "/accounts/logout/")
    assert found == [], "\n".join(found)
