"""The canonical export: what was decided, without ids, times or table numbers, so that two runs can be compared."""

import json
from typing import Any

from tournaments.models import Tournament
from tournaments.selectors.bracket import MatchRow, bracket_rows
from tournaments.selectors.placings import placing_rows_of


def canonical_export(tournament: Tournament) -> str:
    """Match codes, teams, games, marks and placings as JSON text that is equal to the byte for equal events.

    Seven queries a stage.
    """
    stages = []
    for stage in tournament.stages.select_related("tournament").order_by("number"):
        bracket = bracket_rows(stage)
        stages.append(
            {
                "stage": stage.number,
                "matches": [_match(match) for match in sorted(bracket.matches, key=lambda one: one.number)],
                "placings": [
                    {
                        "rank": row.label,
                        "team": row.name,
                        "won": row.won,
                        "lost": row.lost,
                        "for": row.marks_for,
                        "against": row.marks_against,
                    }
                    for row in placing_rows_of(bracket)
                ],
            }
        )
    champion = tournament.champion.name if tournament.champion else None
    return (
        json.dumps({"champion": champion, "stages": stages}, ensure_ascii=False, indent=1, sort_keys=True)
        + "\n"
    )


def _match(match: MatchRow) -> dict[str, Any]:
    return {
        "code": match.code,
        "state": match.state,
        "outcome": match.outcome,
        "teams": [side.name for side in match.sides],
        "games": [list(pair) for pair in zip(match.sides[0].marks, match.sides[1].marks, strict=True)],
        "winner": next((side.name for side in match.sides if side.won), None),
    }
