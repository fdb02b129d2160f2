"""What must hold when an event is over, checked on its canonical export. Pure; an empty list is a good event."""

from collections import Counter
from typing import Any

from fortytwo import Ruleset, possible_game_score
from scoring.simulation.export import Export

CLOSED = ("confirmed", "void")
SINGLE, DOUBLE = "single-elimination", "double-elimination"


def findings(
    export: Export,
    *,
    kind: str,
    teams: int,
    rules: Ruleset | None = None,
    single_final: bool = False,
    third_place: bool = False,
) -> list[str]:
    """Sentences about everything that is wrong with an event that is over.

    One champion with at most one loss (none in single elimination), everyone else with two (one); no match
    open; winners and placings agree with the games. Teams of forfeited and withdrawn matches are apart.
    """
    found: list[str] = []
    for stage in export["stages"]:
        matches = stage["matches"]
        found += _open(matches)
        for match in matches:
            found += _game_errors(match, rules or Ruleset())
        found += _champion(export["champion"], stage["placings"])
        found += _losses(export["champion"], matches, kind, single_final, third_place)
        found += _placings(stage["placings"], matches, teams)
    return found


def _open(matches: list[dict[str, Any]]) -> list[str]:
    stuck = [f"{match['code']} is {match['state']}" for match in matches if match["state"] not in CLOSED]
    return [f"Matches are still open: {', '.join(stuck)}."] if stuck else []


def _game_errors(match: dict[str, Any], rules: Ruleset) -> list[str]:
    code, games, winner = match["code"], match["games"], match["winner"]
    if match["state"] != "confirmed":
        return []
    if match["outcome"] != "played":
        return []
    found = [f"{code}: no game ends {ns}-{ew}." for ns, ew in games if not possible_game_score(ns, ew, rules)]
    won = Counter(match["teams"][0 if ns > ew else 1] for ns, ew in games)
    if winner not in match["teams"]:
        found.append(f"{code}: its winner {winner!r} does not play in it.")
    elif any(won[winner] <= won[team] for team in match["teams"] if team != winner):
        found.append(f"{code}: {winner} won with {won[winner]} of {len(games)} games.")
    return found


def _champion(champion: str | None, placings: list[dict[str, Any]]) -> list[str]:
    first = [row["team"] for row in placings if row["rank"] in ("1", "=1")]
    if champion is None:
        return ["Nobody is champion."]
    return [] if first == [champion] else [f"{champion} is champion, but first in the placings: {first}."]


def _losses(
    champion: str | None,
    matches: list[dict[str, Any]],
    kind: str,
    single_final: bool,
    third_place: bool,
) -> list[str]:
    """Count by the matches themselves, not by the placings."""
    played = [match for match in matches if match["outcome"] == "played"]
    apart = {team for match in matches if match["outcome"] not in ("", "played") for team in match["teams"]}
    lost: Counter[str] = Counter({team: 0 for match in matches for team in match["teams"] if team})
    lost.update(team for match in played for team in match["teams"] if team != match["winner"])
    allowed = 1 if kind == DOUBLE else 0
    found = []
    if champion is not None and lost[champion] > allowed:
        found.append(f"{champion} is champion with {lost[champion]} losses.")
    runner_up = _loser_of_last(played)
    for team, count in sorted(lost.items()):
        wanted = {allowed + 1}
        if kind == DOUBLE and single_final and team == runner_up:
            wanted.add(1)
        if kind == SINGLE and third_place:
            wanted.add(2)
        if team != champion and team not in apart and count not in wanted:
            found.append(f"{team} is out with {count} losses, not {max(wanted)}.")
    return found


def _loser_of_last(played: list[dict[str, Any]]) -> str:
    last = played[-1] if played else None
    return next((team for team in last["teams"] if team != last["winner"]), "") if last else ""


def _placings(placings: list[dict[str, Any]], matches: list[dict[str, Any]], teams: int) -> list[str]:
    found = []
    names = [row["team"] for row in placings]
    if len(set(names)) != len(names) or len(names) != teams:
        found.append(f"The placings hold {len(names)} teams ({len(set(names))} different), not {teams}.")
    won = Counter(match["winner"] for match in matches if match["outcome"] and match["winner"])
    marks = {name: [0, 0] for name in names}
    for match in matches:
        for ns, ew in match["games"] if match["outcome"] == "played" else ():
            for team, own, other in zip(match["teams"], (ns, ew), (ew, ns), strict=True):
                if team in marks:
                    marks[team][0] += own
                    marks[team][1] += other
    for row in placings:
        if row["won"] != won[row["team"]]:
            found.append(f"{row['team']} won {won[row['team']]} matches; the placings say {row['won']}.")
        if [row["for"], row["against"]] != marks[row["team"]]:
            found.append(
                f"{row['team']} has marks {marks[row['team']]}; the placings say {row['for']}-{row['against']}."
            )
    return found
