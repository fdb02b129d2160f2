"""Builds an event through the API: tournament, teams, tables, draw, links, start."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import fortytwo
from scoring.simulation.client import Api, SimulationError
from scoring.simulation.names import team_names
from scoring.simulation.plans import Habits

SMALL_ROUND = 4
"""A round of so few matches is shown hand by hand, so that there is something to see while it lasts."""


@dataclass(frozen=True, slots=True)
class EventSpec:
    """What is built. `run` makes the keys of this run's requests its own."""

    name: str
    teams: int
    tables: int
    kind: str
    best_of: int
    habits: Habits
    run: str
    preset: str = "online-championship"
    grand_final: str = "reset"
    third_place: bool = False
    visibility: str = "public"
    venue: str = "Parish Hall"


@dataclass(frozen=True, slots=True)
class Tokens:
    """Authorization headers of the accounts; `desk` settles disputes and may be the director's."""

    director: str
    desk: str
    desk_account: str = ""
    """The name of the desk's account, which the director makes an official; "" where it is one already."""


@dataclass(slots=True)
class Event:
    """An event that runs: its address and the links by which its tables and teams act."""

    slug: str
    name: str
    teams: int
    kind: str
    grand_final: str
    third_place: bool
    tables: dict[int, str] = field(default_factory=dict)
    """Authorization headers of the tables, by number."""
    teams_by_entry: dict[str, str] = field(default_factory=dict)
    """Authorization headers of the teams, by entry."""
    codes: dict[str, str] = field(default_factory=dict)
    """Codes of the teams, by entry."""
    rounds: dict[str, str] = field(default_factory=dict)
    """The round of each match, by code."""
    best_of: dict[str, int] = field(default_factory=dict)
    """Best of how many games, by code."""

    def is_shown_by_hands(self, code: str) -> bool:
        """Whether the match belongs to a small round."""
        return Counter(self.rounds.values())[self.rounds[code]] <= SMALL_ROUND


async def event_build(api: Api, spec: EventSpec, tokens: Tokens) -> Event:
    """Create the event and start it. Every request may be repeated, so a server that dies breaks nothing."""
    auth, key = tokens.director, f"simulation:{spec.run}"
    made = await api.post(
        "tournaments/", _tournament(spec), auth=auth, key=f"{key}:tournament", repeatable=False
    )
    slug = api.expect("The tournament was not created", made).body["slug"]
    base = f"tournaments/{slug}/"
    if tokens.desk_account:
        answer = await api.post(
            f"{base}officials/",
            {"username": tokens.desk_account, "role": "desk"},
            auth=auth,
            key=f"{key}:official",
        )
        api.expect("The desk was not made an official", answer)
    entries = [
        {"name": team.name, "players": list(team.players)}
        for team in team_names(spec.teams, spec.habits.seed)
    ]
    answer = await api.post(
        f"{base}entries/import/", {"entries": entries}, auth=auth, key=f"{key}:entries", repeatable=False
    )
    api.expect("The teams were not entered", answer)
    answer = await api.post(
        f"{base}tables/",
        {"count": spec.tables, "room": "Hall"},
        auth=auth,
        key=f"{key}:tables",
        repeatable=False,
    )
    api.expect("The tables were not set up", answer)
    draw = {"method": "random", "seed": spec.habits.seed}
    # A draft that was published before a lost answer cannot be drawn again, and need not be.
    answer = await api.post(f"{base}stages/1/draw/", draw, auth=auth, key=f"{key}:draw")
    api.expect("The draw was not made", answer, "draw_published")
    answer = await api.post(f"{base}stages/1/publish/", auth=auth, key=f"{key}:publish")
    api.expect("The draw was not published", answer)
    event = await event_read(api, slug, tokens)
    answer = await api.post(f"{base}start/", auth=auth, key=f"{key}:start")
    api.expect("The tournament did not start", answer)
    return event


async def event_read(api: Api, slug: str, tokens: Tokens) -> Event:
    """The event at `slug` with its links, issued where missing."""
    base = f"tournaments/{slug}/"
    home = api.expect("The tournament is not there", await api.get(base, auth=tokens.director)).body
    stage = home["stages"][0]
    bracket = api.expect("The bracket is not there", await api.get(f"{base}bracket/", auth=tokens.director))
    event = Event(
        slug=slug,
        name=home["name"],
        teams=0,
        kind=stage["kind"],
        grand_final=stage["grand_final"],
        third_place=stage["third_place"],
    )
    for round_ in bracket.body["rounds"]:
        for match in round_["matches"]:
            event.rounds[match["code"]] = round_["key"]
            event.best_of[match["code"]] = match["best_of"]
    links = await api.post(f"{base}links/", auth=tokens.director, key=f"simulation:links:{slug}")
    _keep_links(event, api.expect("The links were not issued", links).body)
    event.teams = len(event.teams_by_entry)
    return event


def rules_of(preset: str) -> fortytwo.Ruleset:
    """The rules of a preset; SimulationError for one that cannot be played."""
    try:
        return fortytwo.preset(preset).ruleset()
    except fortytwo.FortyTwoError as error:
        raise SimulationError(str(error)) from error


def _tournament(spec: EventSpec) -> dict[str, Any]:
    return {
        "name": spec.name,
        "venue": spec.venue,
        "visibility": spec.visibility,
        "preset": spec.preset,
        "simulated": True,
        "stage": {
            "kind": spec.kind,
            "best_of": spec.best_of,
            "grand_final": spec.grand_final,
            "third_place": spec.third_place,
        },
    }


def _keep_links(event: Event, issued: dict[str, Any]) -> None:
    for link in issued["tables"]:
        event.tables[link["table"]] = f"Link {link['token']}"
    for link in issued["teams"]:
        event.teams_by_entry[link["entry"]] = f"Link {link['token']}"
        event.codes[link["entry"]] = link["code"]
