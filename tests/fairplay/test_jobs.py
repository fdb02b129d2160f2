"""Jobs that are lost, late, repeated or fail: they change nothing wrongly, and others learn nothing."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import OperationalError
from django.utils import timezone

from scoring import tasks
from scoring.fairplay import registry
from scoring.models import Finding, Game, Hand, Screening
from scoring.selectors.findings import hands_to_screen, matches_to_screen
from scoring.services.declarations import match_from_paper
from scoring.services.screening import screenings_sweep
from tests.fairplay.stored import (
    bid_hand,
    codes,
    everything,
    honest,
    one_match,
    reneging,
    screen,
    settle,
    store,
)
from tests.support.events import make_tournament
from tournaments.models import LogEntry, Match, Result, Revision

pytestmark = pytest.mark.django_db


def test_killed_jobs_are_made_up_by_the_sweep() -> None:
    """Nothing was sent at all: every hand and match is found, once."""
    event, first = one_match()
    store(event.owner, first, reneging())
    for code in ("M1", "M2"):
        settle(event, event.match(code))
    third = make_tournament(2)
    live = store(third.owner, third.match("M1"), reneging(2))
    assert set(matches_to_screen()) == {event.match("M1").pk, event.match("M2").pk}

    tasks.sweep_screening()

    assert list(matches_to_screen()) == []
    assert list(hands_to_screen()) == []
    assert len(codes(event, detector="contradiction")) == 1
    assert len(codes(third, detector="contradiction")) == 1
    assert Screening.objects.get(hand=live).screened_at is not None
    before = everything()
    tasks.sweep_screening()
    assert everything() == before


def test_job_killed_between_looking_and_storing_leaves_nothing_and_is_made_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    event, match = one_match()
    hand = store(event.owner, match, reneging())

    class KilledError(BaseException):
        """As a worker that dies: nothing catches it."""

    def die(*_: Any) -> None:
        raise KilledError

    with monkeypatch.context() as patched:
        patched.setattr("scoring.services.screening._done", die)
        with pytest.raises(KilledError):
            tasks.screen_hand(str(hand.pk))
    assert not Finding.objects.exists()
    assert not Screening.objects.exists()

    tasks.sweep_screening()

    assert len(codes(event, detector="contradiction")) == 1


def test_sweep_looks_again_at_everything_when_a_detector_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    event, match = one_match()
    store(event.owner, match, reneging())
    settle(event, match)
    screen(match)
    first = Finding.objects.get(detector="contradiction")
    Screening.objects.update(versions="older")
    assert list(matches_to_screen()) == [match.pk]
    Finding.objects.filter(detector="contradiction").update(version=0)

    tasks.sweep_screening()

    assert Finding.objects.get(detector="contradiction").pk == first.pk  # the same evidence keeps its case
    Finding.objects.filter(detector="contradiction").update(fingerprint="other")
    screen(match)
    kept, new = Finding.objects.filter(detector="contradiction").order_by("number")
    assert (kept.gone_at is not None, new.gone_at, new.version) == (True, None, 1)


def test_record_that_always_fails_is_set_aside_after_three_tries_and_does_not_stop_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    event, match = one_match()
    broken, sound = store(event.owner, match, honest(1)), None
    other = make_tournament(2)
    sound = store(other.owner, other.match("M1"), reneging())
    real = registry.look_at_hand

    def look(record: Any) -> Any:
        if record.id == str(broken.pk):
            raise ValueError("cannot be read")
        return real(record)

    monkeypatch.setattr(registry, "look_at_hand", look)
    for _ in range(5):
        tasks.sweep_screening()

    screening = Screening.objects.get(hand=broken)
    assert (screening.failures, screening.error, screening.screened_at) == (3, "ValueError", None)
    assert len(codes(other, detector="contradiction")) == 1
    assert list(hands_to_screen()) == []
    assert sound.state == "closed"


def test_database_that_does_not_answer_is_no_failure_of_the_record(monkeypatch: pytest.MonkeyPatch) -> None:
    event, match = one_match()
    hand = store(event.owner, match, reneging())

    def busy(_: Any) -> None:
        raise OperationalError("locked")

    with monkeypatch.context() as patched:
        patched.setattr("scoring.services.screening._hold", busy)
        assert screen(hand) is False
    assert not Screening.objects.exists()
    assert screen(hand) is True


def test_declaration_while_a_match_is_looked_at_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    event, match = one_match()
    settle(event, match, desk=False)
    Match.objects.filter(pk=match.pk).update(started_at=timezone.now())
    screen(match)
    assert codes(event) == ["match_too_short"]
    real = registry.look_at_match
    looks = []

    def look(record: Any) -> Any:
        looks.append(record.from_paper)
        if len(looks) == 1:
            match_from_paper(match_id=match.pk, from_paper=True, actor=event.owner.actor)
        return real(record)

    monkeypatch.setattr(registry, "look_at_match", look)
    screen(match)

    assert looks == [False, True]
    assert codes(event) == []


def test_screening_writes_nothing_that_others_can_read() -> None:
    event, match = one_match()
    store(event.owner, match, reneging())
    settle(event, match)
    before = [
        list(LogEntry.objects.order_by("pk").values()),
        list(Revision.objects.order_by("pk").values()),
        list(Hand.objects.order_by("pk").values()),
        list(Game.objects.order_by("pk").values()),
        list(Match.objects.order_by("pk").values()),
        list(Result.objects.order_by("pk").values()),
    ]

    screenings_sweep()

    assert Finding.objects.exists()
    assert before == [
        list(LogEntry.objects.order_by("pk").values()),
        list(Revision.objects.order_by("pk").values()),
        list(Hand.objects.order_by("pk").values()),
        list(Game.objects.order_by("pk").values()),
        list(Match.objects.order_by("pk").values()),
        list(Result.objects.order_by("pk").values()),
    ]


def test_queries_of_a_screening_do_not_grow_with_its_hands(django_assert_max_num_queries: Any) -> None:
    event, match = one_match()
    for number in range(1, 8):
        bid_hand(event.owner, match, 1, number, declarer="NS"[number % 2])
    settle(event, match, "7-0,7-3", desk=False)
    screen(match)
    with django_assert_max_num_queries(32):
        screen(match)
    with django_assert_max_num_queries(2):
        screenings_sweep()


def test_worker_knows_the_jobs_and_beat_sends_the_sweep(settings: Any) -> None:
    from deploy.celery_app import app

    app.loader.import_default_modules()
    assert {"scoring.screen_hand", "scoring.screen_match", "scoring.sweep_screening"} <= set(app.tasks)
    assert "scoring.sweep_screening" in {one["task"] for one in settings.CELERY_BEAT_SCHEDULE.values()}
