"""Pages that follow an event while results come in, on a phone and on a desktop."""

import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from scoring.services.game import game_put
from tables.services.calls import match_start
from tests.pages.event import Event, event, finish, full_hand, play
from tournaments.models import Entry, Match, Slot

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1440, "height": 900}
SIZES = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
SOON = 1500.0  # milliseconds in which a change shows


@pytest.fixture
def open_page(live_site: str, page: Page) -> Callable[..., Page]:
    """Opens an address of the site and waits until it follows live; any error of a script fails the test."""
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))

    def opened(path: str, size: dict[str, int] = DESKTOP, *, team: str = "") -> Page:
        page.set_viewport_size(size)  # type: ignore[arg-type]
        page.goto(live_site + path)
        if team:
            page.evaluate("([key, value]) => localStorage.setItem(key, value)", [_own_key(path), team])
            page.reload()
        expect(page.locator("[data-live-state]").first).to_contain_text("follows live")
        return page

    yield opened  # type: ignore[misc]
    assert errors == []


def _own_key(path: str) -> str:
    return "seven-marks:team:" + path.split("/")[2]


def _team(match: Match, side: str) -> Entry:
    entry = Slot.objects.get(match=match, side=side).entry
    assert entry is not None
    return entry


def _game(made: Event, match: Match, number: int, ns: int, ew: int) -> None:
    match_start(match_id=match.pk, actor=made.owner)
    game_put(match_id=match.pk, number=number, marks={"NS": ns, "EW": ew}, actor=made.owner)


def _soon(locator: Locator, text: str | re.Pattern[str]) -> float:
    """Wait for the text; how many milliseconds it took."""
    began = time.monotonic()
    expect(locator).to_contain_text(text, timeout=SOON)
    return (time.monotonic() - began) * 1000


@pytest.mark.database
@SIZES
def test_bracket_follows_marks_results_and_who_comes_next(
    open_page: Callable[..., Page], size: dict[str, int]
) -> None:
    made = event(8, tables=4)
    page = open_page(f"/t/{made.slug}/bracket/", size)
    match, cell = made.match(1), page.locator("#M1 .cell")
    winner = _team(match, "EW")

    _game(made, match, 1, 4, 7)
    expect(cell).to_have_class(re.compile("c-live"), timeout=SOON)
    expect(cell.locator(".r").nth(1).locator(".g")).to_have_text("7", timeout=SOON)

    finish(made, 1, winner="EW")
    expect(cell).to_have_attribute("data-won", str(winner.number), timeout=SOON)
    target = Slot.objects.get(source_match=match, source_kind="winner").match
    _soon(page.locator(f"#{target.code}"), winner.name)
    _soon(page.locator("#round-winners-1 .round-head"), "1 done")


@SIZES
def test_home_follows_results_without_moving_what_is_read(
    open_page: Callable[..., Page], size: dict[str, int]
) -> None:
    made = event(16, tables=8)
    for number in (1, 2):
        finish(made, number)
    page = open_page(f"/t/{made.slug}/", size)
    latest = page.locator("[data-wait]")
    latest.scroll_into_view_if_needed()
    first = latest.locator("li").first
    before = (first.bounding_box(), first.inner_text())

    finish(made, 3)
    button = page.get_by_role("button", name="1 new result")
    expect(button).to_be_visible(timeout=SOON)
    assert (first.bounding_box(), first.inner_text()) == before
    button.click()
    expect(latest.locator("li").first).to_have_attribute("data-key", "M3")


def test_names_in_the_standings_have_room_on_a_phone(open_page: Callable[..., Page]) -> None:
    made = play(event(8, tables=4), 120)  # some teams are out, below the line of those still in
    page = open_page(f"/t/{made.slug}/standings/", PHONE)
    expect(page.locator(".standings tr.cut")).to_have_count(1)
    table, card = page.locator(".standings").bounding_box(), page.locator(".table-card").bounding_box()
    names = [name.bounding_box() for name in page.locator(".standings a.team").all()]
    assert table
    assert card
    assert abs(table["width"] - card["width"]) <= 2
    assert min(name["width"] for name in names if name) > card["width"] / 3


def test_scroll_and_focus_stay_while_fragments_are_replaced(open_page: Callable[..., Page]) -> None:
    made = event(64, tables=32)
    page = open_page(f"/t/{made.slug}/tables/", PHONE)
    link = page.locator("li[data-key=T20] .floor-link")
    link.scroll_into_view_if_needed()
    link.focus()
    place = link.bounding_box()
    match = Match.objects.get(seatings__table__number=20, tournament=made.tournament)
    _game(made, match, 1, 7, 2)
    _soon(page.locator("li[data-key=T20]"), "Game 2")
    assert link.bounding_box() == place
    assert page.evaluate("document.activeElement.className") == "floor-link"


def test_own_team_is_marked_and_followed_in_the_browser_only(open_page: Callable[..., Page]) -> None:
    made = event(8, tables=4)
    match = made.match(1)
    own = _team(match, "NS")
    page = open_page(f"/t/{made.slug}/", PHONE, team=str(own.number))
    card = page.locator("[data-own-slot] .match.own")
    expect(card).to_contain_text(own.name)
    _game(made, match, 1, 7, 5)
    _soon(card, "Game 2")
    expect(page.locator("#announce")).to_contain_text(own.name, timeout=SOON)
    page.goto(page.url + "bracket/")
    expect(page.locator("#M1 .cell.own .r.own .seed svg")).to_have_count(1)
    page.goto(page.url.replace("bracket/", "standings/"))
    expect(page.locator(f'tr.own[data-team="{own.number}"]')).to_have_count(1)


def test_team_is_chosen_and_dropped_with_the_star(open_page: Callable[..., Page]) -> None:
    made = event(8, tables=2)
    page = open_page(f"/t/{made.slug}/teams/", PHONE)
    star = page.locator('[data-own-toggle="3"]')
    star.click()
    expect(star).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("status").filter(has_text="Your team is marked")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(star).to_have_attribute("aria-pressed", "false")


def test_team_list_is_filtered_without_accents(open_page: Callable[..., Page]) -> None:
    made = event(8, names=["José Peña / Niño"], tables=2)
    page = open_page(f"/t/{made.slug}/teams/", PHONE)
    page.get_by_role("searchbox").fill("jose pe")
    expect(page.locator(".team-rows li:visible")).to_have_count(1)
    page.get_by_role("searchbox").fill("zzz")
    expect(page.get_by_text("No team, player or number fits")).to_be_visible()


@pytest.mark.database
def test_match_page_follows_every_tile(open_page: Callable[..., Page]) -> None:
    made = event(4, tables=2)
    match = made.live()[0]
    hand = full_hand(made, match, plays=4)
    page = open_page(f"/t/{made.slug}/matches/{match.code}/", DESKTOP)
    expect(page.locator(".trick-number")).to_have_count(1)
    from scoring.record import engine_hand, hand_rows
    from scoring.services.play import play_put
    from tournaments.rulesets import match_rules

    engine = engine_hand(hand_rows(hand), match_rules(match))
    tile = engine.legal_plays()[0]
    play_put(hand_id=hand.pk, seq=5, seat=str(engine.turn), tile=str(tile), actor=made.owner)
    expect(page.locator(f'.slot [aria-label^="{tile}"]')).to_have_count(1, timeout=SOON)


def test_bracket_opens_at_the_own_team_on_a_phone(open_page: Callable[..., Page]) -> None:
    made = event(64, tables=32)
    match = Match.objects.filter(tournament=made.tournament, round__key="winners-1").order_by("-position")[0]
    own = _team(match, "NS")
    page = open_page(f"/t/{made.slug}/bracket/", PHONE, team=str(own.number))
    expect(page.locator(f"#{match.code} .cell")).to_be_in_viewport()
    page.get_by_role("link", name="Winners 3").click()
    expect(page.locator('[data-round="winners-3"]')).to_have_attribute("aria-current", "true")


def test_team_is_found_on_the_bracket(open_page: Callable[..., Page]) -> None:
    made = event(64, tables=32)
    match = Match.objects.filter(tournament=made.tournament, round__key="winners-1").order_by("-position")[0]
    wanted = _team(match, "EW")
    page = open_page(f"/t/{made.slug}/bracket/", DESKTOP)
    page.get_by_role("searchbox").fill(wanted.name)
    page.locator(f'[data-found-team="{wanted.number}"]').click()
    expect(page.locator(f"#{match.code} .cell.is-found")).to_be_in_viewport()


def test_pages_are_read_without_scripts(live_site: str, new_context: Callable[..., BrowserContext]) -> None:
    made = event(8, tables=4)
    context = new_context(java_script_enabled=False, viewport=PHONE)
    page = context.new_page()
    for tail in ("", "bracket/", "standings/", "tables/", "teams/", "teams/1/", "matches/M1/"):
        answer = page.goto(f"{live_site}/t/{made.slug}/{tail}")
        assert answer is not None
        assert answer.status == 200
        expect(page.locator("h1")).to_have_count(1)
    page.goto(f"{live_site}/t/{made.slug}/teams/")
    page.get_by_role("searchbox").fill("san saba")
    page.keyboard.press("Enter")
    expect(page.locator(".team-rows li")).to_have_count(1)


def test_pages_poll_when_the_stream_is_refused(live_site: str, page: Page) -> None:
    made = event(8, tables=4)
    page.route("**/api/v1/events/**", lambda route: route.fulfill(status=503, body=""))
    page.goto(f"{live_site}/t/{made.slug}/")
    expect(page.locator("[data-live-state]").first).to_contain_text("checked every 20 seconds")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_a_narrow_screen(
    live_site: str, new_context: Callable[..., BrowserContext], scheme: str
) -> None:
    from tests.pages.event import ODD_NAMES, play, record_live

    made = play(event(len(ODD_NAMES), names=ODD_NAMES, tables=5), 50)
    record_live(made)
    page = new_context(viewport={"width": 320, "height": 640}, color_scheme=scheme).new_page()
    tails = [
        "",
        "bracket/",
        "bracket/?part=finals",
        "standings/",
        "tables/",
        "teams/",
        "results/",
        "matches/M1/",
    ]
    for path in [
        "/",
        *(f"/t/{made.slug}/{tail}" for tail in [*tails, *(f"teams/{n}/" for n in range(1, 11))]),
    ]:
        page.goto(live_site + path)
        page.add_style_tag(content="* { font-family: 'DejaVu Sans' !important }")
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, path


def test_colours_are_remembered(open_page: Callable[..., Page]) -> None:
    made = event(4, tables=2)
    page = open_page(f"/t/{made.slug}/", PHONE)
    page.get_by_role("button", name="Dark").click()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(14, 17, 18)"
    page.reload()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(14, 17, 18)"
    expect(page.get_by_role("button", name="Dark")).to_have_attribute("aria-pressed", "true")
