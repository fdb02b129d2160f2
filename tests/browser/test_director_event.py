"""A whole event in the browser: from an empty database to the champion, with a dispute, a withdrawal and more."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.browser.hall import Director, Phone, worker
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
    "Low Water Crossing",
    "Fence Line",
    "Tin Roof",
    "The Shake Down",
    "Live Oak Ladies",
    "José Peña / Niño",
    "Night Train",
    "Barn Door",
    "Rail Yard",
]
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
NewContext = Callable[..., BrowserContext]


def test_event_of_four_teams_runs_to_its_champion(live_site: str, new_context: NewContext) -> None:
    run_event(live_site, new_context, teams=4, tables=2)


@pytest.mark.long
@pytest.mark.timeout(400)
def test_event_of_sixteen_teams_runs_to_its_champion(live_site: str, new_context: NewContext) -> None:
    run_event(live_site, new_context, teams=16, tables=8)


def run_event(site: str, new_context: NewContext, *, teams: int, tables: int) -> None:
    """Everything by taps and keys; the database is only looked at when it is over."""
    director = Director(new_context(viewport={"width": 1440, "height": 900}).new_page(), site)
    director.page.set_default_timeout(15_000)
    director.first_start()
    director.new_event("Pecan Creek Open", tables)
    director.import_teams([f"{name}, A{number}, B{number}" for number, name in enumerate(TEAMS[:teams])])
    director.draw_and_publish()
    phones = [Phone(new_context(**PHONE).new_page(), site, one) for one in director.cards()]
    for phone in phones:
        phone.page.set_default_timeout(15_000)
    with worker():
        director.start()
        acts = _acts(director, new_context)
        _play_to_the_end(director, phones, acts)
        assert list(acts) == []
        director.open("")
        director.press("Finish the event")
        director.says("finished")
    _check(director, site)


def _play_to_the_end(
    director: Director, phones: list[Phone], acts: Iterator[Callable[[Phone], None]]
) -> None:
    """Each phone plays what is called to it, the first ones with something special, until nothing is called."""
    quiet = 0
    while quiet < 12:
        quiet += 1
        for phone in phones:
            if phone.look() in {"called", "playing"}:
                quiet = 0
                act = next(acts, None)
                if act is None:
                    phone.play("NS" if int(phone.match[1:]) % 3 else "EW")
                    phone.confirm_with_code(director.codes)
                else:
                    act(phone)
        if quiet:
            phones[0].page.wait_for_timeout(250)


def _acts(director: Director, new_context: NewContext) -> Iterator[Callable[[Phone], None]]:
    """What happens at the first matches, one each."""
    yield lambda phone: _by_hands_with_undo(phone, director)
    yield lambda phone: _dispute(phone, director, new_context)
    yield lambda phone: _correction(phone, director)
    yield lambda phone: _forfeit(phone, director)
    yield lambda phone: _withdrawal(phone, director)


def _by_hands_with_undo(phone: Phone, director: Director) -> None:
    """One match tapped hand by hand to 7, with an undo, once by keys; the other side types its code."""
    phone.press("We sit: start")
    phone.hand("84", "N", "made")
    phone.hand("31", "E", "made")
    phone.press("Undo hand 2")
    expect(phone.page.locator(".say").first).to_contain_text("Hand 2 is taken back")
    phone.typed_hand("84", "S", "made")
    phone.hand("84", "S", "made")
    phone.hand("42", "W", "set")
    expect(phone.page.locator(".bar p")).to_contain_text("game 2 of 3")
    phone.game(7, 2)
    expect(phone.page.get_by_role("heading", name="Sent. The other side confirms.")).to_be_visible()
    assert phone.confirm_with_code(director.codes) in director.codes


def _dispute(phone: Phone, director: Director, new_context: NewContext) -> None:
    """The losing side says no on its own phone; the desk looks and settles."""
    code, (_, loser) = phone.match, phone.names
    phone.play("NS")
    other = Phone(new_context(**PHONE).new_page(), phone.site, _team_link(director, loser))
    assert other.look() == "confirm"
    other.press("No, it is wrong")
    expect(other.page.locator(".say").filter(has_text="The desk has been told").first).to_be_visible()
    director.open("floor/")
    need = director.page.locator(".need-dispute")
    expect(need).to_contain_text("The other side says that the entry is wrong")
    need.get_by_role("link", name="Open both").click()
    expect(director.page.get_by_role("heading", level=1)).to_contain_text(code)
    director.press("This one counts")
    director.says(f"{code} is final")
    other.page.context.close()


def _team_link(director: Director, name: str) -> str:
    director.open("cards/?kind=team")
    card = director.page.locator(".qr-card").filter(has=director.page.get_by_text(name, exact=True))
    return card.locator("a.qr-code").get_attribute("href") or ""


def _correction(phone: Phone, director: Director) -> None:
    """The wrong side was entered and confirmed; the desk corrects it before anything depends on it."""
    code = phone.match
    phone.play("NS")
    phone.confirm_with_code(director.codes)
    director.open(f"matches/{code}/correct/")
    for number in (1, 2):
        director.page.locator(f"#id_ns{number}").fill("4")
        director.page.locator(f"#id_ew{number}").fill("7")
    director.page.get_by_label("Reason").fill("written the wrong way round")
    director.press("See what changes")
    expect(director.page.get_by_role("heading", name="What changes")).to_be_visible()
    director.press("Yes, correct it")
    director.says(f"{code} is corrected")


def _forfeit(phone: Phone, director: Director) -> None:
    """A team does not come."""
    code, (missing, _) = phone.match, phone.names
    director.open(f"matches/{code}/forfeit/")
    director.page.get_by_label(missing).check()
    director.press("See what changes")
    director.press("Yes, forfeit")
    director.says("over by forfeit")


def _withdrawal(phone: Phone, director: Director) -> None:
    """A team goes home in the middle of its match."""
    leaving, _ = phone.names
    phone.game(2, 7)
    director.open("teams/")
    director.page.get_by_label("Find a team or player").fill(leaving)
    director.page.get_by_role("link", name=f"Open {leaving}").click()
    director.press("Withdraw")
    director.page.get_by_label("Reason").fill("a sick child")
    director.press("Yes, it withdraws")
    director.says("has withdrawn")


def _check(director: Director, site: str) -> None:
    """The champion is shown to everybody, and the log has all that happened."""
    tournament = Tournament.objects.select_related("champion").get(slug=director.slug)
    assert tournament.champion is not None
    director.page.goto(f"{site}/t/{director.slug}/")
    expect(director.page.locator(".champion-name")).to_have_text(tournament.champion.name)
    open_now = Match.objects.filter(tournament=tournament).exclude(state__in=["confirmed", "void"])
    assert not open_now.exists()
    done = set(tournament.log.values_list("action", flat=True))
    assert {
        "record.undone",
        "result.disputed",
        "result.corrected",
        "entry.withdrawn",
        "tournament.finish",
    } <= done
    ways = set(tournament.matches.values_list("results__settled_way", flat=True))
    assert {"other-side", "official", "desk", "rule"} <= ways
    assert re.fullmatch(r"[a-z0-9-]+", director.slug)
