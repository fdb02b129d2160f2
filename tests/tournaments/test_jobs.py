"""Jobs of the bracket: lost, late, repeated and out of order they change nothing wrongly."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.support.callers import VISITOR
from tests.support.doors import DONE, Door
from tests.support.events import (
    Event,
    derived,
    derived_slots,
    make_tournament,
    stored_slots,
)
from tournaments.models import Bye, IdempotencyRecord, LogEntry, Match, Result, Slot
from tournaments.selectors import canonical_export, revision_numbers
from tournaments.services.entry import entry_withdraw
from tournaments.services.result import match_forfeit
from tournaments.tasks import advance_bracket, forget_idempotency_keys, sweep_advances

pytestmark = pytest.mark.django_db


def everything(event: Event) -> list[Any]:
    """Every stored row of the bracket, its log and its revisions, in one comparable value."""
    rows: list[Any] = [
        list(model.objects.order_by("pk").values()) for model in (Match, Slot, Bye, Result, LogEntry)
    ]
    return [*rows, list(event.tournament.revisions.order_by("part").values())]


def test_lost_advance_is_seen_as_pending_and_found_by_the_sweep(door: Door) -> None:
    event = make_tournament(4, kind="single-elimination")
    match = event.match("M1")

    assert door.enter(event.owner, match, "7-4,7-3", desk=True, reason="slip") == DONE

    client = VISITOR.client
    assert client.get(f"/api/v1/matches/{match.pk}/").json()["advance_pending"] is True
    bracket = client.get(f"{event.path}bracket/")
    assert [row["advance_pending"] for row in bracket.json()["rounds"][0]["matches"]] == [True, False]
    assert event.teams()["M3"] == [None, None]

    sweep_advances()

    assert event.teams()["M3"] == [event.entry(match, "NS").name, None]
    fresh = client.get(f"{event.path}bracket/", headers={"If-None-Match": bracket["ETag"]})
    assert fresh.status_code == 200
    assert [row["advance_pending"] for row in fresh.json()["rounds"][0]["matches"]] == [False, False]
    after = everything(event)
    sweep_advances()
    advance_bracket(str(event.stage.pk))
    assert everything(event) == after


def test_sweep_reaches_a_stage_beyond_one_that_always_fails() -> None:
    broken, sound = make_tournament(2), make_tournament(2)
    for event in (broken, sound):
        event.play("M1")
    Slot.objects.filter(match=broken.match("M1")).delete()
    if broken.stage.pk > sound.stage.pk:
        broken, sound = sound, broken

    sweep_advances()

    assert {event.match("M1").advance_pending for event in (broken, sound)} == {True, False}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", ["single-elimination", "double-elimination"])
def test_late_and_repeated_advances_give_the_same_event_to_the_byte(kind: str, seed: int) -> None:
    """Results follow from the match alone, withdrawals come first; only the jobs' timing differs."""
    rng = random.Random(seed)
    teams = rng.randint(5, 12)
    leaving = rng.sample(range(1, teams + 1), 2)

    def run(how: str) -> tuple[str, int]:
        order = random.Random(f"{seed}{how}")
        event = make_tournament(teams, kind=kind)
        for number in leaving:
            entry_withdraw(entry_id=event.entry_of(f"T{number}").pk, actor=event.owner.actor)
            if how == "at once":
                event.advance()
        calls = 0
        while True:
            open_now = event.open_matches()
            if not open_now:
                if not event.advance():
                    break
                continue
            match = order.choice(open_now)
            outcome = random.Random(f"{seed}{match.code}").random()
            if outcome < 0.1:
                forfeit = "both" if outcome < 0.05 else "NS"
                match_forfeit(match_id=match.pk, side=forfeit, actor=event.owner.actor, reason="not here")
            else:
                event.play(match.code, "NS" if outcome < 0.55 else "EW")
            if how == "at once" or (how == "at random" and order.random() < 0.3):
                for _ in range(order.randint(1, 3)):
                    calls += 1
                    event.advance()
        assert stored_slots(event) == derived_slots(derived(event))
        return canonical_export(event.fresh()), calls

    at_once, at_random, late = run("at once"), run("at random"), run("late")

    assert at_once[0] == at_random[0] == late[0]
    assert late[1] == 0


@pytest.mark.parametrize("seed", range(24))
def test_random_event_ends_with_one_champion_or_none_by_rule(seed: int) -> None:
    """Results, forfeits of one and of both sides, and withdrawals at any time; jobs at any time or never."""
    rng = random.Random(seed)
    teams = 2 + seed % 15
    kind, options = rng.choice(
        [
            ("single-elimination", {}),
            ("double-elimination", {}),
            ("double-elimination", {"grand_final": "single"}),
        ]
    )
    event = make_tournament(teams, kind=kind, stage=options)
    trouble = rng.choice([0.05, 0.3, 0.6])
    steps = 0
    while True:
        steps += 1
        assert steps < 40 * teams, f"stuck: {event.states()}"
        open_now = event.open_matches()
        if not open_now and not event.matches("waiting", "locked"):
            break
        if not open_now or rng.random() < 0.4:
            assert event.advance() or open_now, f"stuck: {event.states()}"
            assert stored_slots(event) == derived_slots(derived(event))
        if rng.random() < trouble / 4:
            leaving = event.entry_of(f"T{rng.randint(1, teams)}")
            entry_withdraw(entry_id=leaving.pk, actor=event.owner.actor)
        elif open_now := event.open_matches():
            match = rng.choice(open_now)
            if rng.random() < trouble / 2:
                side = rng.choice(["NS", "EW", "both"])
                match_forfeit(match_id=match.pk, side=side, actor=event.owner.actor, reason="not here")
            else:
                event.play(match.code, rng.choice(["NS", "EW"]))
    event.advance()

    state = derived(event)
    assert stored_slots(event) == derived_slots(state)
    assert state.is_finished
    assert event.fresh().champion_id == state.champion
    placed = VISITOR.client.get(f"{event.path}standings/").json()["placings"]
    assert len(placed) == teams
    assert [row["name"] for row in placed if row["label"] == "1"] == (
        [event.fresh().champion.name] if state.champion else []
    )
    assert not any(row["still_in"] for row in placed if row["label"] != "1")
    after = everything(event)
    assert event.advance() == 0
    assert everything(event) == after
    assert event.owner.client.post(f"{event.path}finish/").json()["state"] == "finished"


def test_advance_of_many_steps_at_once_counts_each_part_once() -> None:
    event = make_tournament(8, kind="single-elimination")
    for code in ("M1", "M2", "M3", "M4"):
        event.play(code)
    parts = ["home", "bracket", "placings", "tables", "match:M1", "match:M5"]
    before = revision_numbers(event.tournament.pk, parts)

    assert event.advance() == 4

    after = revision_numbers(event.tournament.pk, parts)
    seen = [part for part in parts if before[part]]
    assert seen == parts[:-1]
    assert {part: after[part] - before[part] for part in seen} == dict.fromkeys(seen, 1)
    assert after["match:M5"] > 0


def test_idempotency_keys_are_forgotten_after_a_day() -> None:
    for hours in (23, 25):
        IdempotencyRecord.objects.create(
            scope="user:1",
            key=str(hours),
            fingerprint="",
            created_at=timezone.now() - timedelta(hours=hours),
        )

    forget_idempotency_keys()
    forget_idempotency_keys()

    assert list(IdempotencyRecord.objects.values_list("key", flat=True)) == ["23"]
