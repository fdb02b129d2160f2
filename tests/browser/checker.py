"""axe, a checker of accessibility, on an open page: on a phone in the dark theme and on a desktop in the light one."""

from pathlib import Path

from playwright.sync_api import Page, ViewportSize

AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text()
RULES = "{runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']}"
LOOKS = {
    "dark": ViewportSize(width=390, height=844),
    "light": ViewportSize(width=1440, height=900),
}


def problems(page: Page, path: str) -> list[str]:
    """What axe finds on the page in either look, and whether it is wider than its screen."""
    page.evaluate(AXE)  # not a script element: the pages allow none but their own
    return [found for scheme in LOOKS for found in _problems_in(page, scheme, f"{path} ({scheme})")]


def _problems_in(page: Page, scheme: str, where: str) -> list[str]:
    page.set_viewport_size(LOOKS[scheme])
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
    report = page.evaluate(f"axe.run(document, {RULES})")
    found = [
        f"{where}: {issue['id']}: {node['html'][:160]} {node.get('failureSummary', '')[:200]}"
        for issue in report["violations"]
        for node in issue["nodes"][:2]
    ]
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return [*found, *([f"{where}: {wide} px wider than the screen"] if wide > 1 else [])]
