"""Cards with a code to scan: one for each table, or one for each team."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _

from scoring.director.selectors.cards import cards_context
from scoring.paper.press import press, square
from tournaments.models import Tournament


def cards_pdf(request: HttpRequest, tournament: Tournament, kind: str, *, paper: str) -> bytes | None:
    """Six cards a page, of every table or team that has a link; None where none has. `kind` is "table" or "team"."""
    cards = [card for card in cards_context(request, tournament, kind)["cards"] if card.address]
    if not cards:
        return None
    is_team = kind == "team"
    note = _("Confirm your results here.") if is_team else _("Scan to keep score at this table.")
    data: dict[str, Any] = {
        "title": f"{tournament.name}: {_('Cards')}",
        "event": tournament.name,
        "words": {"kind": _("Table"), "code": _("Code")},
        "cards": [
            {
                "number": "" if is_team else str(card.number),
                "name": card.name,
                "code": card.code,
                "address": card.address,
                "note": note,
                "square": square(card.address),
            }
            for card in cards
        ],
    }
    return press("cards", paper, data)
