"""Acts that happen in the same moment, each with a connection of its own: nothing is lost or doubled.

With PostgreSQL a control shows that the race is there when the lock is not.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest

from scoring.models import Game, Hand, Play
from tests.support.callers import Caller
from tests.support.doors import DONE, Answer, Rest, Services
from tests.support.events import Event, account, make_tournament
from tests.tables.threads import at_once
from tournaments.models import Entry, IdempotencyRecord, LogEntry, Match, Result, Slot, Stage, Tournament
from tournaments.services import bracket, result
from tournaments.services.bracket import bracket_advance
from tournaments.services.result import result_confirm

pytestmark = pytest.mark.django_db(transaction=True)

REST, SERVICES = Rest(), Services()


def with_semifinals_entered() -> tuple[Event, list[Match], list[Caller]]:
    """Four teams; both semi-finals wait for one of two officials to settle them."""
    event = make_tournament(4, kind="single-elimination", stage={"best_of": 1})
    matches = [event.match("M1"), event.match("M2")]
    for match in matches:
        assert SERVICES.enter(event.owner, match, "7-4") == DONE
    return event, matches, [event.official("desk"), event.official("desk")]


def settle_and_advance(event: Event, match: Match, who: Caller) -> None:
    """What an official and the worker behind it do."""
    result_confirm(match_id=match.pk, version=1, actor=who.actor)
    bracket_advance(stage_id=match.stage_id)


def settle_both_at_once() -> dict[str, Any]:
    """Two officials settle both semi-finals in the same instant; what became of the final."""
    event, matches, officials = with_semifinals_entered()
    at_once(
        *(
            lambda match=match, who=who: settle_and_advance(event, match, who)
            for match, who in zip(matches, officials, strict=True)
        )
    )
    final = event.match("M3")
    return {
        "teams": event.teams()["M3"] == [event.entry(match, "NS").name for match in matches],
        "state": final.state,
        "open slots": Slot.objects.filter(match=final, state="open").count(),
        "pending": Match.objects.filter(closed_at__isnull=False, advanced_at__isnull=True).count(),
    }


ONE_FINAL = {"teams": True, "state": "ready", "open slots": 0, "pending": 0}


@pytest.mark.parametrize("time", range(10))
def test_both_semifinals_settled_in_the_same_instant_give_one_final(time: int) -> None:
    assert settle_both_at_once() == ONE_FINAL


@pytest.mark.long
@pytest.mark.timeout(900)
def test_two_hundred_times_both_semifinals_in_the_same_instant() -> None:
    outcomes = Counter(str(settle_both_at_once()) for _ in range(200))
    assert outcomes == {str(ONE_FINAL): 200}


@pytest.mark.postgres
def test_without_the_lock_of_the_stage_the_final_loses_a_team(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: two workers see one semi-final each, and nobody finds both teams there."""
    event, matches, officials = with_semifinals_entered()
    for match, who in zip(matches, officials, strict=True):
        result_confirm(match_id=match.pk, version=1, actor=who.actor)
    seen: dict[int, int] = {}  # by thread: the one match that was confirmed when its worker looked
    both_read = threading.Barrier(2, timeout=10)

    def unlocked(**where: Any) -> list[Match]:
        return list(Match.objects.select_related("tournament", "stage").filter(**where))

    def fill_together(board: Any, numbers: list[int]) -> list[int]:
        both_read.wait()
        return advance_matches(board, numbers)

    def advance(number: int) -> int:
        seen[threading.get_ident()] = number
        return bracket_advance(stage_id=event.stage.pk)

    advance_matches = bracket._matches_advance
    monkeypatch.setattr(bracket, "_pending", lambda stage: [seen[threading.get_ident()]])
    monkeypatch.setattr(bracket, "_matches_advance", fill_together)
    monkeypatch.setattr(bracket.locks, "matches_lock_where", unlocked)
    monkeypatch.setattr(bracket.locks, "stage_lock", lambda pk: Stage.objects.get(pk=pk))

    moved = at_once(lambda: advance(1), lambda: advance(2))

    assert moved == [1, 1]
    final = event.match("M3")
    assert (final.state, Slot.objects.filter(match=final, state="filled").count()) == ("waiting", 2)


@pytest.mark.parametrize("door", [SERVICES, REST], ids=["services", "rest"])
def test_two_versions_confirmed_at_once_leave_one_that_counts(door: Any) -> None:
    event = make_tournament(2, kind="single-elimination", stage={"best_of": 1})
    match = event.match("M1")
    sides = event.side_links(match)
    officials = [event.official("desk"), event.official("desk")]
    assert door.enter(sides["NS"], match, "7-4") == DONE
    assert door.enter(sides["EW"], match, "4-7") == Answer(409, "entries_differ")

    answers = at_once(
        *(
            lambda version=version, who=who: door.confirm(who, match, version)
            for version, who in enumerate(officials, start=1)
        )
    )

    assert sorted(answers, key=str) == sorted([DONE, Answer(409, "stale_version")], key=str)
    states = sorted(Result.objects.filter(match=match).values_list("state", flat=True))
    assert states == ["confirmed", "superseded"]
    assert event.log_of("result.settled") == [event.log_of("result.settled")[0]]


@pytest.mark.postgres
def test_database_refuses_a_second_confirmed_version_even_without_the_lock(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    event = make_tournament(2, kind="single-elimination", stage={"best_of": 1})
    match = event.match("M1")
    sides = event.side_links(match)
    officials = [event.official("desk"), event.official("desk")]
    assert SERVICES.enter(sides["NS"], match, "7-4") == DONE
    assert SERVICES.enter(sides["EW"], match, "4-7").status == 409
    both = threading.Barrier(2, timeout=10)

    def unlocked(match_id: UUID) -> Match:
        found = Match.objects.select_related("tournament", "stage").get(pk=match_id)
        both.wait()
        return found

    monkeypatch.setattr(result, "match_lock", unlocked)

    answers = at_once(
        *(
            lambda version=version, who=who: REST.confirm(who, match, version)
            for version, who in enumerate(officials, start=1)
        )
    )

    assert {getattr(answer, "status", 0) for answer in answers} <= {200, 409, 503}
    assert Result.objects.filter(match=match, state="confirmed").count() == 1


def eight(act: Callable[[int], Any]) -> list[Any]:
    return at_once(*(lambda place=place: act(place) for place in range(8)))


def test_eight_tables_record_at_once_and_nothing_is_lost_or_doubled() -> None:
    """Each table enters two games hand by hand, every request sent twice."""
    event = make_tournament(16, kind="single-elimination", stage={"best_of": 1})
    matches = event.matches("ready")
    tables = [event.table_link(match) for match in matches]

    def play(place: int) -> list[int]:
        client, path = tables[place].client, f"/api/v1/matches/{matches[place].pk}/games/1/hands/"
        statuses = []
        for number in range(1, 8):
            body = {"level": "marks", "winner": "NS" if place % 2 else "EW", "marks": 1}
            statuses += [client.put(f"{path}{number}/", body).status_code for _ in range(2)]
        return statuses

    answers = eight(play)

    # The last hand sent again finds the match entered, and is still the same hand.
    assert answers == [[201, 200] * 7] * 8
    assert Hand.objects.count() == 56
    marks = Game.objects.order_by("match__number").values_list("marks_ns", "marks_ew", "state")
    assert list(marks) == [(0, 7, "closed"), (7, 0, "closed")] * 4
    assert {match.state for match in event.matches("entered")} == {"entered"}
    assert Result.objects.filter(state="entered").count() == 8
    assert LogEntry.objects.filter(action="hand.recorded").count() == 56
    revisions = dict(event.tournament.revisions.values_list("part", "number"))
    assert revisions["bracket"] >= 56 + 8


def test_eight_phones_send_the_same_play_and_one_is_stored() -> None:
    event = make_tournament(2, kind="single-elimination")
    match = event.match("M1")
    sides = event.side_links(match)
    phones = [event.table_link(match), *sides.values(), event.owner] * 2
    opened = event.owner.client.put(
        f"/api/v1/matches/{match.pk}/games/1/hands/1/", {"level": "full", "shaker": "W"}
    )
    path = f"/api/v1/hands/{opened.json()['id']}/"
    for seq, (seat, call) in enumerate(zip("NESW", ["30", "pass", "pass", "pass"], strict=True), start=1):
        event.owner.client.put(f"{path}calls/{seq}/", {"seat": seat, "call": call})
    event.owner.client.put(f"{path}trump/", {"trump": "6"})

    same = eight(
        lambda place: phones[place].client.put(f"{path}plays/1/", {"seat": "N", "tile": "6-6"}).status_code
    )
    tiles = ["6-5", "6-4", "6-3", "6-2"] * 2
    different = eight(
        lambda place: (
            phones[place].client.put(f"{path}plays/2/", {"seat": "E", "tile": tiles[place]}).status_code
        )
    )

    assert Counter(same) == {201: 1, 200: 7}
    assert Counter(different) == {201: 1, 200: 1, 409: 6}
    assert list(Play.objects.order_by("seq").values_list("seq", flat=True)) == [1, 2]


def test_eight_requests_with_one_key_are_one_act() -> None:
    event = make_tournament(0, published=False)
    body = {"name": "One", "players": ["Ann", "Bea"]}

    answers = eight(
        lambda place: (
            event.owner.client.post(f"{event.path}entries/", body, HTTP_IDEMPOTENCY_KEY="k").status_code
        )
    )

    assert set(answers) <= {201, 409}
    assert 201 in answers
    assert Entry.objects.count() == 1
    assert IdempotencyRecord.objects.count() == 1


def test_eight_desks_enter_teams_at_once() -> None:
    event = make_tournament(0, published=False)
    desks = [event.official("desk") for _ in range(8)]
    names = [[f"{place}-{line}" for line in range(5)] for place in range(8)]
    lists = [
        [{"name": name, "players": [f"A{name}", f"B{name}"], "seed": None} for name in some] for some in names
    ]

    answers = eight(lambda place: REST.add_entries(desks[place], event, lists[place]))

    assert answers == [DONE] * 8
    numbers = Entry.objects.order_by("number").values_list("number", flat=True)
    assert list(numbers) == list(range(1, 41))


def test_eight_people_create_tournaments_of_the_same_name_at_once() -> None:
    people = [account() for _ in range(8)]

    answers = eight(
        lambda place: people[place].client.post("/api/v1/tournaments/", {"name": "State Open"}).status_code
    )

    assert answers == [201] * 8
    slugs = sorted(Tournament.objects.values_list("slug", flat=True))
    assert slugs == ["state-open", *(f"state-open-{number}" for number in range(2, 9))]


def test_draw_asked_for_eight_times_at_once_is_one_bracket() -> None:
    event = make_tournament(8, published=False)

    drawn = eight(lambda place: REST.draw(event.owner, event, "random", 7))
    published = eight(lambda place: REST.publish(event.owner, event))

    assert (drawn, published) == ([DONE] * 8, [DONE] * 8)
    assert Match.objects.count() == 2 * 8 - 1
    assert len(event.log_of("draw.published")) == 1
    assert Counter(name for pair in event.teams().values() for name in pair if name) == {
        f"T{seed}": 1 for seed in range(1, 9)
    }


def test_eight_workers_take_the_same_advance() -> None:
    event = make_tournament(8)
    for code in ("M1", "M2", "M3", "M4"):
        event.play(code)

    moved = eight(lambda place: bracket_advance(stage_id=event.stage.pk))

    assert sorted(moved) == [0] * 7 + [4]
    assert len(event.matches("ready")) == 4
    assert event.advance() == 0


def test_withdrawal_and_result_in_the_same_moment_leave_one_outcome() -> None:
    for _ in range(5):
        event = make_tournament(2, kind="single-elimination", stage={"best_of": 1})
        match = event.match("M1")
        leaving = event.entry(match, "NS")
        desk = event.official("desk")

        answers = at_once(
            lambda desk=desk, leaving=leaving: SERVICES.withdraw(desk, leaving),
            lambda event=event, match=match: SERVICES.enter(
                event.owner, match, "7-4", desk=True, reason="slip"
            ),
        )
        event.advance()

        (confirmed,) = match.results.filter(state="confirmed")
        assert answers[0] == DONE
        assert (confirmed.outcome, answers[1]) in [
            ("withdrawal", Answer(409, "already_confirmed")),
            ("played", DONE),
        ]
        assert event.fresh().champion is not None


@pytest.mark.postgres
def test_advances_and_hands_of_the_same_event_never_wait_for_each_other_in_a_circle() -> None:
    """The revision rows are shared; whoever takes them early and then a match would meet a hand half-way."""
    event = make_tournament(16, kind="single-elimination", stage={"best_of": 1})
    ready = event.matches("ready")
    for match in ready[:4]:
        SERVICES.enter(event.owner, match, "7-4", desk=True, reason="slip")
        SERVICES.withdraw(event.owner, event.entry(match, "NS"))
    recorders = [event.table_link(match) for match in ready[4:8]]

    def record(place: int) -> set[int]:
        path = f"/api/v1/matches/{ready[4 + place].pk}/games/1/hands/"
        body = {"level": "marks", "winner": "NS", "marks": 1}
        client = recorders[place].client
        return {client.put(f"{path}{number}/", body).status_code for number in range(1, 6)}

    answers = at_once(
        *(lambda place=place: record(place) for place in range(4)),
        *(lambda: bracket_advance(stage_id=event.stage.pk) for _ in range(2)),
    )

    assert answers[:4] == [{201}] * 4
    assert sorted(answers[4:]) == [0, 7]  # four confirmed matches and three walkovers that followed
    assert event.advance() == 0


def test_eight_desks_settle_one_match_differently_and_the_first_counts() -> None:
    event = make_tournament(2, kind="single-elimination", stage={"best_of": 1})
    match = event.match("M1")
    desks = [event.official("desk") for _ in range(8)]

    answers = eight(
        lambda place: SERVICES.enter(
            desks[place], match, "7-4" if place % 2 else "4-7", desk=True, reason="slip"
        )
    )

    assert Counter(answer.code for answer in answers) == {"": 4, "already_confirmed": 4}
    assert match.results.filter(state="confirmed").count() == 1
