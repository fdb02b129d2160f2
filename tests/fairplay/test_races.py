"""Workers that look at the same records in the same moment."""

from __future__ import annotations

import pytest

from scoring.models import Finding, Screening
from scoring.services.screening import hand_screen, match_screen, screenings_sweep
from tests.fairplay.stored import codes, reneging, settle, store
from tests.support.events import make_tournament
from tests.tables.threads import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]


def test_two_workers_find_one_case_and_cases_get_different_numbers() -> None:
    event = make_tournament(8, kind="single-elimination")
    hands = [
        store(event.owner, event.match(code), reneging(seed))
        for seed, code in enumerate(("M1", "M2", "M3"), 1)
    ]

    answers = at_once(*(lambda pk=hand.pk: hand_screen(hand_id=pk) for hand in hands for _ in range(2)))

    assert answers == [True] * 6
    assert len(codes(event, detector="contradiction")) == 3
    numbers = list(Finding.objects.order_by("number").values_list("number", flat=True))
    assert numbers == list(range(1, len(numbers) + 1))
    assert Screening.objects.count() == 3


def test_sweeps_and_jobs_at_once_leave_what_one_sweep_leaves() -> None:
    event = make_tournament(8, kind="single-elimination")
    for seed, code in enumerate(("M1", "M2", "M3", "M4"), 1):
        store(event.owner, event.match(code), reneging(seed))
        settle(event, event.match(code))
    matches = [event.match(code).pk for code in ("M1", "M2", "M3", "M4")]

    answers = at_once(
        screenings_sweep, screenings_sweep, *(lambda pk=pk: match_screen(match_id=pk) for pk in matches)
    )

    assert not [answer for answer in answers if isinstance(answer, Exception)]
    found = sorted(Finding.objects.values_list("detector", "subject"))
    assert len(found) == len(set(found))
    assert len(codes(event, detector="contradiction")) == 4
    assert len(codes(event, detector="desk-entry")) == 4
    screenings_sweep()
    assert sorted(Finding.objects.values_list("detector", "subject")) == found
