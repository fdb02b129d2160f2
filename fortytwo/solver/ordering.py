"""In which order moves are tried: numbers that decide the speed of a search, never its result.

They were found by hill climbing on random deals. A lead is *sure* if no opponent can take the trick,
*partner's* if the partner can whatever they do, *losing* otherwise.
"""

from __future__ import annotations

from .numbering import Numbering

SURE_FOLLOWED = 650
PARTNERS_FOLLOWED = 220
LOSING_FOLLOWED = 160
"""Added to a lead for each opponent that must follow it."""


def lead_ranks(numbers: Numbering) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """The rank of each place as a sure, a partner's and a losing lead; the highest is tried first."""
    sure, partners, losing = [], [], []
    for place, count in enumerate(numbers.count):
        called = numbers.called >> place & 1
        sure.append(50000 + 50 * count - 30 * place - 100 * called)
        partners.append(30000 + 80 * count + 10 * place)
        losing.append(10 * place - 30 * count)
    return tuple(sure), tuple(partners), tuple(losing)
