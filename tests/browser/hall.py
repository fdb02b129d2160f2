"""A hall of people with browsers: a director at a desk and phones on tables, by taps and keys only."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from django.db import connections
from playwright.sync_api import BrowserContext, Page, expect

NewContext = Callable[..., BrowserContext]
PASSWORD = "four plain words here"


@contextmanager
def worker() -> Iterator[None]:
    """What the worker and the beat do on a real site: advance brackets and call matches, until the test ends."""
    from tables.tasks import sweep_assignments
    from tournaments.tasks import sweep_advances

    stop = threading.Event()

    def work() -> None:
        while not stop.wait(0.15):
            sweep_advances()
            sweep_assignments()
        connections.close_all()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


@dataclass
class Director:
    """The person at the desk."""

    page: Page
    site: str
    slug: str = ""
    codes: dict[str, str] = field(default_factory=dict)

    @property
    def run(self) -> str:
        return f"{self.site}/run/{self.slug}/"

    def press(self, name: str | re.Pattern[str]) -> None:
        """Press a button or follow a link in the page's body by its words."""
        main = self.page.locator("main")
        main.get_by_role("button", name=name).or_(main.get_by_role("link", name=name)).first.click()

    def open(self, tail: str) -> None:
        self.page.goto(self.run + tail)

    def says(self, text: str | re.Pattern[str]) -> None:
        expect(self.page.locator(".said").filter(has_text=text).first).to_be_visible()

    def first_start(self) -> None:
        """Nobody has an account: make the owner's."""
        self.page.goto(f"{self.site}/run/")
        expect(self.page.get_by_role("heading", level=1)).to_have_text("Welcome to Seven Marks")
        self.page.get_by_label("Your name").fill("Dana Holub")
        self.page.get_by_label("Name to sign in with").fill("dana")
        self.page.get_by_label("Password").fill(PASSWORD)
        self.press("Make my account and start")

    def new_event(self, name: str, tables: int) -> None:
        self.press("New event")
        self.page.get_by_label("Name", exact=True).fill(name)
        self.page.get_by_label("Tables").fill(str(tables))
        self.press("Make the event")
        self.says("is made")
        self.slug = self.page.url.rstrip("/").split("/")[-1]

    def import_teams(self, lines: list[str]) -> None:
        """Paste a list, look at what was read, enter it."""
        self.press("Enter teams")
        self.page.get_by_label("Teams, one a line").fill("\n".join(lines))
        self.press("Read the list")
        self.press(f"Enter {len(lines)} new teams")
        self.says(f"{len(lines)} teams are entered")

    def draw_and_publish(self) -> None:
        self.open("")
        self.press("Draw without check-in")
        self.press("Make the draw")
        self.says("are drawn")
        self.press("Draw again")
        self.says("are drawn")
        self.press("Publish the draw")
        self.says("published")

    def cards(self) -> list[str]:
        """Make all cards; the addresses of the tables' ones. Teams' codes are noted."""
        self.open("cards/")
        self.press("Make all cards")
        addresses = [one.get_attribute("href") or "" for one in self.page.locator("a.qr-code").all()]
        self.open("cards/?kind=team")
        for card in self.page.locator(".qr-card").all():
            name = card.locator(".qr-name").inner_text()
            self.codes[name] = card.locator(".qr-digits b").inner_text()
        return addresses

    def start(self) -> None:
        self.open("")
        self.press("Start play")
        expect(self.page).to_have_url(re.compile("/floor/$"))


@dataclass
class Phone:
    """A phone that lies on a table and holds the table's link."""

    page: Page
    site: str
    address: str

    def look(self) -> str:
        """Open the table's page anew; which face it shows."""
        self.page.goto(self.address if not self.page.url.startswith(self.site) else f"{self.site}/link/")
        found = re.search(r"screen-(\w+)", self.page.locator("main").get_attribute("class") or "")
        return found[1] if found else ""

    @property
    def match(self) -> str:
        """The code of the match at this table."""
        found = re.search(r"M\d+", self.page.locator(".bar p").inner_text())
        return found[0] if found else ""

    @property
    def names(self) -> tuple[str, str]:
        first, second = self.page.locator(".score-box .name").all_inner_texts()
        return first, second

    def press(self, name: str | re.Pattern[str]) -> None:
        main = self.page.locator("main")
        main.get_by_role("button", name=name).or_(main.get_by_role("link", name=name)).first.click()

    def hand(self, bid: str, seat: str, how: str) -> None:
        """Three taps and one to save."""
        self.press(re.compile("^Enter hand"))
        for name, value in (("bid", bid), ("seat", seat), ("how", how)):
            self.page.locator(f"label.tap:has(input[name={name}][value='{value}'])").tap()
        self.page.locator("[data-save]").tap()
        self.page.wait_for_url(f"{self.site}/link/")

    def typed_hand(self, bid: str, seat: str, how: str) -> None:
        """The same by keys."""
        self.press(re.compile("^Enter hand"))
        self.page.wait_for_url(re.compile("/hand/$"), wait_until="load")
        keyboard = self.page.keyboard
        keyboard.type(bid)
        keyboard.press(seat)
        keyboard.press("m" if how == "made" else "x")
        expect(self.page.locator("[data-save]")).to_be_focused()
        keyboard.press("Enter")
        self.page.wait_for_url(f"{self.site}/link/")

    def game(self, ns: int, ew: int) -> None:
        """A whole game as marks."""
        self.press("Marks only")
        self.page.locator("#ns").fill(str(ns))
        self.page.locator("#ew").fill(str(ew))
        self.press(re.compile("^Save game"))
        self.page.wait_for_url(f"{self.site}/link/")

    def play(self, winner: str = "NS") -> None:
        """Two games for one side."""
        for loser in (3, 5):
            self.game(*((7, loser) if winner == "NS" else (loser, 7)))

    def confirm_with_code(self, codes: dict[str, str]) -> str:
        """The side that is asked types its digits; its name."""
        summary = self.page.locator(".code-way > summary")
        summary.tap()
        asked = self.page.locator(".code-form label").inner_text().removesuffix(" type their four digits")
        self.page.locator("#code").fill(codes[asked])
        self.page.locator(".code-form button").tap()
        expect(self.page.locator(".say").first).to_contain_text("is final")
        return asked
