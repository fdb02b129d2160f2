"""What a checker of accessibility (axe) finds on the public pages, in both themes."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext

from tests.pages.event import ODD_NAMES, dispute, event, full_hand, play, record_live

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text()
RULES = "{runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']}"


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1440, "light")], ids=["phone", "desktop"])
def test_checker_finds_nothing(
    live_site: str, new_context: Callable[..., BrowserContext], width: int, scheme: str
) -> None:
    made = play(event(len(ODD_NAMES), names=ODD_NAMES, tables=6), 50)
    live = made.live()
    full_hand(made, live[0], plays=11)
    dispute(made, live[1])
    record_live(made)
    done = play(event(3, name="Done", tables=2))
    page = new_context(viewport={"width": width, "height": 900}, color_scheme=scheme).new_page()
    tails = [
        "",
        "bracket/",
        "bracket/?part=losers",
        "bracket/?part=finals",
        "standings/",
        "tables/",
        "teams/",
    ]
    tails += ["teams/1/", "results/", "matches/M1/", f"matches/{live[0].code}/"]
    paths = ["/", f"/t/{done.slug}/", "/nowhere/", *(f"/t/{made.slug}/{tail}" for tail in tails)]
    found: list[str] = []
    for path in paths:
        page.goto(live_site + path)
        page.evaluate(AXE)  # not a script element: the pages allow none but their own
        report = page.evaluate(f"axe.run(document, {RULES})")
        found += [
            f"{path}: {issue['id']}: {node['html'][:160]} {node.get('failureSummary', '')[:200]}"
            for issue in report["violations"]
            for node in issue["nodes"][:3]
        ]
    assert found == [], "\n".join(found)
