"""A plunge or splash that was called without the doubles it promises, as far as the holding is known."""

from __future__ import annotations

from fortytwo.irregularities import FalseSpecial
from scoring.fairplay.facts import HandFacts
from scoring.fairplay.types import About, Detector, Finding, Item, Looked, Reason, Scope, Tried

NAME, VERSION = "special", 1


def look(record: HandFacts) -> Looked:
    """The calls of one hand in full play that its holdings contradict."""
    if record.played is None:
        return Looked(untestable="no_plays" if record.level != "full" else "record_refused")
    found = [one for one in record.played.verify().findings if isinstance(one, FalseSpecial)]
    return Looked(tuple(_finding(record, one) for one in found))


def _finding(record: HandFacts, special: FalseSpecial) -> Finding:
    needed = special.call.doubles
    return Finding(
        detector=NAME,
        version=VERSION,
        subject=f"hand:{record.id}:{special.seat}",
        code="doubles_missing",
        about=About(record.match_id, hand=record.id),
        facts={"seat": str(special.seat), "call": str(special.call), "held": special.held, "needed": needed},
        figures=(Item("doubles_held", {"value": special.held, "of": needed}),),
        toward=(
            Item(
                "called_with",
                {"seat": str(special.seat), "call": str(special.call), "held": special.held},
                record.match,
                record.game,
                record.number,
            ),
        ),
        reasons=(
            Reason("holding_typed_wrongly", Tried.OPEN),
            Reason("call_typed_wrongly", Tried.OPEN),
        ),
    )


DETECTOR: Detector[HandFacts] = Detector(
    name=NAME,
    version=VERSION,
    scope=Scope.HAND,
    look=look,
    inputs=("calls", "the seven tiles of the seat that called"),
    null="Whoever calls a plunge or splash holds the doubles it needs.",
    innocent=("holding_typed_wrongly", "call_typed_wrongly"),
)
