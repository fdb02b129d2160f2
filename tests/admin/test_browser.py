"""An event in the admin alone: from an empty database to the champion, by clicks and keys."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from scoring.models import Hand, Play
from tests.admin.hall import SWEEP
from tests.browser.hall import PASSWORD, NewContext, worker
from tournaments.models import Match, Tournament

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TEAMS = [
    "Pecan Street Shakers",
    "San Saba Six",
    "Bluebonnet Bidders",
    "Hank & Chuy",
    "Back Porch Pair",
    "Caliche Road",
    "Llano Leads",
    "José Peña / Niño",
]


SHORT = [("N", "6-0"), ("E", "6-6"), ("S", "4-3"), ("W", "3-0")]
"""East takes the first trick, which sets a bid of 42."""


@dataclass
class Club:
    """Somebody who runs the event in the admin. `tiles` are those of the hand that is recorded in full."""

    page: Page
    site: str
    tiles: list[tuple[str, str]]

    def press(self, name: str | re.Pattern[str], exact: bool = True) -> None:
        """A button or a link in the body of the page."""
        body = self.page.locator("#content")
        named = {"name": name, "exact": exact} if isinstance(name, str) else {"name": name}
        body.get_by_role("button", **named).or_(body.get_by_role("link", **named)).first.click()  # type: ignore[arg-type]

    def says(self, text: str) -> None:
        expect(self.page.locator(".messagelist li").filter(has_text=text).first).to_be_visible()

    def first_start(self) -> None:
        """Nobody has an account: the admin leads to the page that makes the owner's."""
        self.page.goto(f"{self.site}/admin/")
        self.page.get_by_label("Your name").fill("Dana Holub")
        self.page.get_by_label("Name to sign in with").fill("dana")
        self.page.get_by_label("Password").fill(PASSWORD)
        self.page.get_by_role("button", name="Make my account and start").click()
        self.page.goto(f"{self.site}/admin/")

    def new_event(self, kind: str) -> None:
        self.press("New event")
        self.page.get_by_label("Name", exact=True).fill("Pecan Creek Open")
        self.page.get_by_label("Format").select_option(kind)
        self.page.get_by_label("A match is").select_option("1")
        self.page.get_by_label("Tables").fill("4")
        self.press("Make the event")
        self.says("Pecan Creek Open is made.")

    def enter_teams(self, teams: list[str]) -> None:
        self.press("Enter teams")
        lines = [f"{name}, A{number}, B{number}, {number}" for number, name in enumerate(teams, start=1)]
        self.page.get_by_label("Teams, one a line").fill("\n".join(lines))
        self.press("Read the list")
        expect(self.page.locator(".plan-box tbody tr")).to_have_count(len(teams))
        self.press("Enter the new teams")
        self.says(f"{len(teams)} teams are entered.")

    def draw_and_start(self) -> None:
        self.press("Draw")
        self.press("Draw")
        self.says("teams are drawn")
        self.press("Publish the draw")
        self.says("The draw is published.")
        self.press("Start play")
        self.press("Yes: Start play")
        self.says("Running")

    def called(self) -> list[str]:
        """The codes of the matches at the tables, by the list."""
        self.page.get_by_role("navigation", name="Admin").get_by_role("link", name="Matches").click()
        self.page.locator("#changelist-filter").get_by_role("link", name="Called", exact=True).click()
        return self.page.locator("#result_list th.field-code").all_inner_texts()

    def open(self, code: str) -> None:
        """Find the match by its code."""
        self.page.get_by_role("navigation", name="Admin").get_by_role("link", name="Matches").click()
        self.page.locator("#searchbar").fill(code)
        self.page.keyboard.press("Enter")
        self.page.locator("#result_list").get_by_role("link", name=code, exact=True).click()

    def enter(self, code: str) -> None:
        """A whole match, counting at once."""
        self.open(code)
        self.press("Enter the whole match")
        self.page.locator("#id_ns1").fill("7")
        self.page.locator("#id_ew1").fill("4")
        self.page.get_by_label("It counts at once, with this reason").check()
        self.page.get_by_label("Reason", exact=True).fill("slip of the table")
        self.press("Enter the whole match")
        self.says(f"{code} is final.")

    def record_by_hands(self, code: str) -> None:
        """One hand tile by tile, the others at bid level up to seven marks. Then the result is settled."""
        self.open(code)
        self.press("Record hand")
        self._tile_by_tile()
        self._bid("84", "South")
        self._bid("84", "South")
        expect(self.page.locator(".hands-so-far li")).to_have_count(3)
        self.press("Void hand 3 of game 1")
        self.press("Yes: Void the last hand or game")
        self.says(f"The last hand of {code} is taken back.")
        self.press("Record hand")
        self._bid("84", "North")
        self._bid("29", "North")
        expect(self.page.locator(".ask-error")).to_have_text("29 is too low; the lowest bid is 30.")
        expect(self.page.get_by_label("Bid", exact=True)).to_have_value("29")
        self._bid("84", "North")
        if self.tiles is SHORT:
            self._bid("30", "North")
        expect(self.page.locator(".warned")).to_contain_text("The match has a result that waits")
        self.press("Settle")
        self.page.get_by_label("Reason").fill("seen at the table")
        self.press("Settle")
        self.says(f"{code} is final.")

    def _bid(self, bid: str, seat: str) -> None:
        self.page.get_by_label("Bid", exact=True).fill(bid)
        self.page.locator("fieldset").filter(has_text="Who bid it").get_by_label(re.compile(seat)).check()
        self.page.get_by_label("Made").check()
        self.press("Save the hand")

    def _tile_by_tile(self) -> None:
        """Calls by a click and by keys, then tiles by keys and one by a click; an illegal one is refused."""
        self.press("Tile by tile")
        self.page.locator("fieldset").filter(has_text="Who shakes first").get_by_label(
            re.compile("West")
        ).check()
        self.press("Begin this hand")
        self.press("42")
        for _ in range(3):
            self.page.get_by_label("Or type the call").fill("pass")
            self.page.keyboard.press("Enter")
        self.press("sixes")
        first = self.tiles[0][1]
        self.page.locator(f"button.is-follows[value='{first}']").click()
        self.page.get_by_label("Type the tile").fill(first)
        self.page.keyboard.press("Enter")
        expect(self.page.locator(".ask-error")).to_have_text(f"The tile {first} has been played already.")
        expect(self.page.get_by_label("Type the tile")).to_have_value(first)
        for place, (_seat, tile) in enumerate(self.tiles[1:], start=2):
            expect(self.page.locator(".typed [name=seq]")).to_have_value(str(place))
            self.page.get_by_label("Type the tile").fill(tile)
            self.page.keyboard.press("Enter")
        self.press("To the next hand")

    def forfeit(self, code: str) -> None:
        self.open(code)
        self.press("Forfeit")
        self.page.get_by_role("radio").first.check()
        self.press("See what changes")
        self.press("Yes: Forfeit")
        self.says("is over by forfeit")

    def finish(self) -> None:
        self.page.get_by_role("navigation", name="Admin").get_by_role("link", name="Events").click()
        self.page.get_by_role("link", name="Pecan Creek Open").click()
        self.press("Finish the event")
        self.says("Finished")


def test_event_of_four_teams_runs_in_the_admin_alone(live_site: str, new_context: NewContext) -> None:
    run_event(live_site, new_context, teams=4, kind="single-elimination", matches=3, tiles=SHORT)


@pytest.mark.long
@pytest.mark.timeout(400)
def test_event_of_eight_teams_runs_in_the_admin_alone(live_site: str, new_context: NewContext) -> None:
    run_event(live_site, new_context, teams=8, kind="double-elimination", matches=13, tiles=SWEEP)


def run_event(
    site: str,
    new_context: NewContext,
    *,
    teams: int,
    kind: str,
    matches: int,
    tiles: list[tuple[str, str]],
) -> None:
    """The database is only looked at when it is over."""
    page = new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.set_default_timeout(15_000)
    club = Club(page, site, tiles)
    club.first_start()
    club.new_event(kind)
    club.enter_teams(TEAMS[:teams])
    with worker():
        club.draw_and_start()
        assert _play(club) >= matches
        club.finish()
    tournament = Tournament.objects.select_related("champion").get()
    assert tournament.champion is not None
    assert tournament.champion.name in TEAMS
    assert not Match.objects.exclude(state__in=["confirmed", "void"]).exists()
    assert {"full", "bid"} == set(Hand.objects.values_list("level", flat=True))
    assert Play.objects.count() == len(tiles)
    assert set(tournament.log.values_list("actor_label", flat=True)) <= {"Dana Holub", "Seven Marks"}


def _play(club: Club) -> int:
    """Whatever is called is played: the first by its hands, the second forfeited, the others as slips. How many."""
    done = quiet = 0
    while quiet < 8:
        codes = club.called()
        quiet = 0 if codes else quiet + 1
        for code in codes:
            act = {0: club.record_by_hands, 1: club.forfeit}.get(done, club.enter)
            act(code)
            done += 1
        if not codes:
            club.page.wait_for_timeout(200)
    return done
