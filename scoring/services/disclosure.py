"""What a refusal may tell. The engine checks against every holding; whoever tried may not know them all."""

from uuid import UUID

import fortytwo
from scoring.models import Holding
from scoring.selectors.hands import seats_entered_by
from tournaments.actors import Actor
from tournaments.errors import AgainstRules

OF_ONE_HOLDING = frozenset({"tile_not_held", "must_follow"})
OF_ANY_HOLDING = frozenset({*OF_ONE_HOLDING, "tile_elsewhere"})


def refusal_for(
    error: fortytwo.IllegalAction, *, hand_id: UUID, actor: Actor
) -> fortytwo.IllegalAction | AgainstRules:
    """The refusal as this actor may hear it: one that only an unknown holding explains does not say why.

    Else whoever may record could ask for one tile after the other who holds it. One query.
    """
    if error.code not in {*OF_ANY_HOLDING, "tile_dealt_twice"}:
        return error
    holdings = list(Holding.objects.filter(hand_id=hand_id))
    known = seats_entered_by(actor, holdings)
    if {row.seat for row in holdings} <= known:
        return error
    seat = error.facts.get("seat")
    if error.code == "tile_dealt_twice":
        return AgainstRules(
            "holding_contradicts_deal", "These tiles do not fit the tiles of another seat.", seat=seat
        )
    if error.code in OF_ONE_HOLDING and seat in known:
        return error
    return AgainstRules(
        "play_contradicts_deal",
        "This tile cannot be played now. Whoever entered the tiles can see why.",
        seat=seat,
        tile=error.facts.get("tile"),
    )
