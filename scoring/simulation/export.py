"""The canonical export, put together from what the API shows: equal to the byte to the site's own."""

import json
from typing import Any

from scoring.simulation.client import Api

Export = dict[str, Any]
"""`{"champion": name, "stages": [{"stage": 1, "matches": [...], "placings": [...]}]}`."""


async def export_read(api: Api, slug: str, *, auth: str = "") -> Export:
    """Read a tournament's first stage and put its export together."""
    base = f"tournaments/{slug}/"
    home = api.expect("The tournament is not there", await api.get(base, auth=auth)).body
    bracket = api.expect("The bracket is not there", await api.get(f"{base}bracket/", auth=auth)).body
    placings = api.expect("The placings are not there", await api.get(f"{base}standings/", auth=auth)).body
    return export_of(home, bracket, placings)


def export_of(home: dict[str, Any], bracket: dict[str, Any], standings: dict[str, Any]) -> Export:
    """The export from three answers of the API."""
    matches = [match for round_ in bracket["rounds"] for match in round_["matches"]]
    matches.sort(key=lambda match: int(match["code"].removeprefix("M")))
    stage = {
        "stage": bracket["stage"],
        "matches": [_match(match) for match in matches],
        "placings": [_placing(row) for row in standings["placings"]],
    }
    return {"champion": home["champion"], "stages": [stage]}


def export_text(export: Export) -> str:
    """The export as the text that two runs are compared by."""
    return json.dumps(export, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def _match(match: dict[str, Any]) -> dict[str, Any]:
    sides = match["sides"]
    return {
        "code": match["code"],
        "state": match["state"],
        "outcome": match["outcome"],
        "teams": [side["name"] for side in sides],
        "games": [list(pair) for pair in zip(sides[0]["marks"], sides[1]["marks"], strict=True)],
        "winner": next((side["name"] for side in sides if side["won"]), None),
    }


def _placing(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "rank": row["label"],
        "team": row["name"],
        "won": row["won"],
        "lost": row["lost"],
        "for": row["marks_for"],
        "against": row["marks_against"],
    }
