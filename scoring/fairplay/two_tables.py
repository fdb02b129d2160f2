"""D13, the rule: one account records at two tables at once.

Tile by tile nobody can keep two tables. Hand by hand somebody may walk between two; that is told by how often
the records of two matches alternate, and listed from three changes on.
"""

from __future__ import annotations

from datetime import datetime
from itertools import pairwise

from scoring.fairplay.facts import EventFacts, Work
from scoring.fairplay.types import About, Detector, Finding, Item, Looked, Reason, Scope, Tried

NAME, VERSION = "two-tables", 1
FEWEST_CHANGES = 3
MOST_ITEMS = 10

Stretch = tuple[datetime, datetime, str, int, int]


def look(record: EventFacts) -> Looked:
    """Other matches that an account recorded while it recorded this one."""
    if not record.match.times_count:
        return Looked(untestable="times_do_not_count")
    if not record.here:
        return Looked(untestable="recorded_by_links")
    found = []
    for work in record.here:
        for other in record.elsewhere:
            if other.account == work.account:
                finding = _finding(record, work, other)
                if finding is not None:
                    found.append(finding)
    return Looked(tuple(found))


def _finding(record: EventFacts, work: Work, other: Work) -> Finding | None:
    overlaps = [(one, two) for one in work.hands for two in other.hands if _overlap(one, two)]
    changes = _changes(work, other)
    if not overlaps and changes < FEWEST_CHANGES:
        return None
    first, second = sorted((work, other), key=lambda one: one.match_id)
    items = [
        item for one, two in overlaps[: MOST_ITEMS // 2] for item in (_item(work, one), _item(other, two))
    ]
    if not overlaps:
        items = [_item(who, stretch) for stretch, who in _in_time(work, other)][:MOST_ITEMS]
    return Finding(
        detector=NAME,
        version=VERSION,
        subject=f"account:{work.account}:{first.match_id}:{second.match_id}",
        code="two_hands_at_once" if overlaps else "two_tables_in_turns",
        about=About(record.match.id, other=other.match_id),
        facts={
            "account": work.account,
            "first": min(work.match, other.match),
            "second": max(work.match, other.match),
            "changes": changes,
            "overlaps": len(overlaps),
        },
        figures=(
            Item("overlaps", {"value": len(overlaps)}),
            Item("changes", {"value": changes}),
            Item("hands_recorded", {"value": len(work.hands) + len(other.hands)}),
        ),
        toward=tuple(items),
        reasons=(
            Reason("account_shared", Tried.OPEN),
            Reason("walks_between_two_tables", Tried.NO_FIT if overlaps else Tried.OPEN),
            Reason("hand_left_open", Tried.OPEN if overlaps else Tried.NO_FIT),
            Reason("written_afterwards", Tried.OPEN),
        ),
    )


def _overlap(one: Stretch, two: Stretch) -> bool:
    """Two hands in full play that were being recorded at the same time."""
    return one[2] == two[2] == "full" and max(one[0], two[0]) < min(one[1], two[1])


def _in_time(work: Work, other: Work) -> list[tuple[Stretch, Work]]:
    both = [(stretch, who) for who in (work, other) for stretch in who.hands]
    return sorted(both, key=lambda pair: (pair[0][1], pair[1].match_id))


def _changes(work: Work, other: Work) -> int:
    """How often the account went from one match to the other."""
    order = [who.match_id for _stretch, who in _in_time(work, other)]
    return sum(before != after for before, after in pairwise(order))


def _item(work: Work, stretch: Stretch) -> Item:
    begin, end, _level, game, hand = stretch
    return Item("recorded_here", {"from": begin.isoformat(), "to": end.isoformat()}, work.match, game, hand)


DETECTOR: Detector[EventFacts] = Detector(
    name=NAME,
    version=VERSION,
    scope=Scope.EVENT,
    look=look,
    inputs=("which account recorded each hand, and when",),
    null="An account records one table at a time.",
    innocent=("account_shared", "walks_between_two_tables", "hand_left_open", "written_afterwards"),
)
