"""Results: entered, confirmed, disputed, taken back, settled; by the services and by REST."""

from __future__ import annotations

import itertools
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from tests.support.callers import Caller
from tests.support.doors import DONE, Answer, Door
from tests.support.events import Event, games, make_tournament
from tournaments.models import Match, Result
from tournaments.services.result import silent_results_confirm
from tournaments.tasks import confirm_silent

pytestmark = pytest.mark.django_db


def entries(match: Match) -> list[tuple[int, str, str, str]]:
    """Every stored entry: version, state, how it was settled, who entered it."""
    return list(match.results.values_list("version", "state", "settled_way", "entered_label"))


@pytest.mark.parametrize("best_of", [1, 3, 5])
def test_declared_winner_is_checked_against_the_marks(best_of: int) -> None:
    """Every way to send the same result: as games or text, with the right, the wrong or no winner, by the desk."""
    event = make_tournament(64, kind="single-elimination", stage={"best_of": best_of})
    client = event.owner.client
    needed = best_of // 2 + 1
    free = event.matches("ready")
    for form, won, declared, desk in itertools.product(
        ["games", "scores"], ["NS", "EW"], ["none", "right", "wrong"], [False, True]
    ):
        marks = [(7, 4) if won == "NS" else (6, 7)] * needed
        body: dict[str, Any] = {"desk": desk, "reason": "paper slip" if desk else ""}
        if form == "games":
            body["games"] = [{"NS": ns, "EW": ew} for ns, ew in marks]
        else:
            body["scores"] = ", ".join(f"{ns}-{ew}" for ns, ew in marks)
        if declared != "none":
            body["winner"] = won if declared == "right" else {"NS": "EW", "EW": "NS"}[won]
        match = free[0]
        answer = client.put(f"/api/v1/matches/{match.pk}/result/", body)
        if declared == "wrong":
            assert answer.status_code == 422
            assert (answer.json()["code"], answer.json()["field"]) == ("winner_contradicts_marks", "winner")
            assert not match.results.exists()
            continue
        assert answer.status_code == 201, answer.json()
        (result,) = match.results.all()
        assert (result.winner_side, result.state, result.settled_way) == (
            won,
            "confirmed" if desk else "entered",
            "desk" if desk else "",
        )
        assert (result.games_ns, result.games_ew) == ((needed, 0) if won == "NS" else (0, needed))
        assert (result.marks_ns, result.marks_ew) == tuple(needed * one for one in marks[0])
        free.remove(match)


@pytest.mark.parametrize(
    ("scores", "code"),
    [
        ("7-4", "match_not_decided"),
        ("7-4,4-7", "match_not_decided"),
        ("7-4,7-3,7-1", "match_decided"),
        ("7-4,7-7", "score_no_winner"),
        ("7-4,6-5", "score_short"),
        ("7-4,0-0", "score_no_winner"),
        ("7-4,12-3", "score_too_high"),
        ("7-4,7-8", "score_after_end"),
        ("7-4,4-12", "score_too_high"),
    ],
)
def test_marks_that_no_match_can_end_with_are_refused(door: Door, scores: str, code: str) -> None:
    event = make_tournament(2, kind="single-elimination")
    match = event.match("M1")

    answer = door.enter(event.owner, match, scores)

    assert answer == Answer(422, code)
    assert (entries(match), event.match("M1").state) == ([], "ready")


@pytest.mark.parametrize("winner", ["NS", "EW"])
def test_undecided_match_is_refused_as_undecided_whoever_is_declared(winner: str) -> None:
    event = make_tournament(2, kind="single-elimination")
    body = {"scores": "7-4,3-7", "winner": winner}

    answer = event.owner.client.put(f"/api/v1/matches/{event.match('M1').pk}/result/", body)

    assert (answer.status_code, answer.json()["code"]) == (422, "match_not_decided")
    assert (answer.json()["games_ns"], answer.json()["games_ew"], answer.json()["needed"]) == (1, 1, 2)


def test_match_is_decided_by_two_games_and_no_third_one_is_opened(door: Door) -> None:
    event = make_tournament(2, kind="single-elimination")
    match = event.match("M1")

    assert door.game(event.owner, match, 2, 7, 3) == Answer(409, "game_out_of_order")
    assert door.game(event.owner, match, 1, 7, 3) == DONE
    assert (event.match("M1").state, entries(match)) == ("playing", [])
    assert door.game(event.owner, match, 2, 8, 5) == DONE
    assert event.match("M1").state == "entered"
    assert door.game(event.owner, match, 3, 7, 5) == Answer(409, "result_stored")

    (result,) = match.results.all()
    assert (result.games, result.winner_side, result.state) == (games("7-3,8-5"), "NS", "entered")
    assert door.game(event.owner, match, 2, 8, 5) == DONE
    again = door.game(event.owner, match, 2, 7, 5)
    assert (again, again.facts["stored"]) == (
        Answer(409, "game_differs"),
        {"NS": 8, "EW": 5, "whole": True},
    )


def test_games_and_a_whole_result_have_to_agree(door: Door) -> None:
    event = make_tournament(2, kind="single-elimination")
    match = event.match("M1")
    assert door.game(event.owner, match, 1, 7, 3) == DONE

    refused = door.enter(event.owner, match, "7-4,7-2")

    assert (refused, refused.facts["stored"]) == (
        Answer(409, "result_differs_from_record"),
        [{"NS": 7, "EW": 3}],
    )
    assert door.enter(event.owner, match, "7-3,7-2") == DONE


def test_account_that_entered_a_result_does_not_confirm_it(door: Door) -> None:
    event = make_tournament(4, kind="single-elimination")
    desk, other = event.official("desk"), event.official("desk")
    first, second = event.open_matches()
    for match in (first, second):
        assert door.enter(desk, match, "7-4,7-3") == DONE

    assert door.confirm(desk, first) == Answer(403, "own_entry")
    assert event.match(first.code).state == "entered"
    assert door.confirm(other, first) == DONE
    assert door.confirm(desk, second, reason="both captains signed") == DONE

    assert [entries(match)[0][1:3] for match in (first, second)] == [
        ("confirmed", "official"),
        ("confirmed", "desk"),
    ]
    assert second.results.get().reason == "both captains signed"


def test_scorer_enters_and_does_not_confirm(door: Door) -> None:
    event = make_tournament(2, kind="single-elimination")
    match, scorer = event.match("M1"), event.official("scorer")

    assert door.enter(scorer, match, "7-4,7-3") == DONE
    assert door.confirm(scorer, match) == Answer(403, "role_required")
    assert door.confirm(event.official("scorer"), match, reason="I saw it") == Answer(403, "role_required")
    assert door.enter(scorer, match, "7-4,7-3", desk=True, reason="slip") == Answer(403, "role_required")
    assert event.match("M1").state == "entered"


def test_other_side_confirms_and_nobody_else_at_the_table(door: Door) -> None:
    event = make_tournament(2, kind="single-elimination")
    match = event.match("M1")
    sides, table, seats = event.side_links(match), event.table_link(match), event.seat_links(match)
    assert door.enter(sides["NS"], match, "7-4,7-3") == DONE

    assert door.confirm(table, match) == Answer(403, "table_never_confirms")
    for same_side in (sides["NS"], seats["N"], seats["S"]):
        refused = door.confirm(same_side, match)
        assert (refused, refused.facts["confirming_side"]) == (Answer(403, "other_side_confirms"), "EW")
    assert door.confirm(sides["EW"], match) == DONE
    assert door.confirm(sides["EW"], match) == DONE

    (result,) = match.results.all()
    assert (result.state, result.settled_way, result.entered_side, result.settled_link) == (
        "confirmed",
        "other-side",
        "NS",
        sides["EW"].link.pk,
    )


def test_entry_of_the_table_is_confirmed_by_the_side_that_lost(door: Door) -> None:
    event = make_tournament(2, kind="single-elimination")
    match = event.match("M1")
    sides, table = event.side_links(match), event.table_link(match)
    assert door.enter(table, match, "7-4,7-3") == DONE

    assert door.confirm(sides["NS"], match) == Answer(403, "other_side_confirms")
    assert door.confirm(sides["EW"], match) == DONE


def test_two_different_entries_are_a_dispute_that_keeps_both(door: Door) -> None:
    event = make_tournament(2, kind="single-elimination")
    match = event.match("M1")
    sides, desk = event.side_links(match), event.official("desk")
    assert door.enter(sides["NS"], match, "7-4,7-3") == DONE
    assert door.enter(sides["NS"], match, "7-4,7-3") == DONE
    changed = door.enter(sides["NS"], match, "7-4,7-2")
    assert (changed, changed.facts["stored"]["games"]) == (Answer(409, "result_differs"), games("7-4,7-3"))

    assert door.enter(sides["EW"], match, "4-7,3-7") == Answer(409, "entries_differ")

    assert [row[:2] for row in entries(match)] == [(1, "entered"), (2, "entered")]
    assert event.match("M1").state == "disputed"
    for side in sides.values():
        assert door.confirm(side, match, 1) == Answer(409, "disputed")
    assert door.confirm(desk, match, 2) == DONE
    assert [row[:3] for row in entries(match)] == [(1, "superseded", ""), (2, "confirmed", "official")]
    stale = door.confirm(desk, match, 1)
    assert (stale, stale.facts["stored"]["version"]) == (Answer(409, "stale_version"), 2)


def test_spoken_dispute_goes_to_the_desk(door: Door) -> None:
    event = make_tournament(2, kind="single-elimination")
    match = event.match("M1")
    sides = event.side_links(match)
    assert door.dispute(sides["EW"], match) == Answer(409, "nothing_entered")
    assert door.enter(sides["NS"], match, "7-4,7-3") == DONE

    assert door.dispute(sides["EW"], match) == DONE
    assert door.dispute(sides["EW"], match) == DONE

    assert event.match("M1").state == "disputed"
    assert door.confirm(sides["EW"], match) == Answer(409, "disputed")
    assert door.confirm(event.official("desk"), match) == DONE
    assert door.dispute(sides["EW"], match) == Answer(409, "already_confirmed")


def test_entry_is_taken_back_by_whoever_made_it_until_it_is_settled(door: Door) -> None:
    event = make_tournament(2, kind="single-elimination")
    match = event.match("M1")
    sides = event.side_links(match)
    assert door.enter(sides["NS"], match, "7-4,7-3") == DONE

    assert door.take_back(sides["EW"], match) == Answer(403, "not_your_entry")
    assert door.take_back(sides["NS"], match) == DONE
    assert (entries(match)[0][1], event.match("M1").state) == ("taken-back", "playing")
    assert door.take_back(sides["NS"], match) == Answer(409, "nothing_entered")
    assert door.confirm(sides["EW"], match, 1) == Answer(409, "stale_version")
    assert door.confirm(sides["EW"], match, 7) == Answer(404, "no_such_version")

    assert door.enter(sides["NS"], match, "7-4,7-2") == DONE
    assert door.confirm(sides["EW"], match, 2) == DONE
    assert door.take_back(sides["NS"], match) == Answer(409, "already_confirmed")


def test_desk_entry_counts_at_once_and_states_its_reason(door: Door) -> None:
    event = make_tournament(2, kind="single-elimination")
    match, desk = event.match("M1"), event.official("desk")

    assert door.enter(desk, match, "7-4,7-3", desk=True) == Answer(422, "reason_required")
    assert (entries(match), event.match("M1").state) == ([], "ready")
    assert door.enter(desk, match, "7-4,7-3", desk=True, reason="paper slip 12") == DONE
    assert door.enter(desk, match, "7-4,7-3", desk=True, reason="paper slip 12") == DONE
    refused = door.enter(desk, match, "4-7,3-7", desk=True, reason="no, the other slip")

    assert (refused, refused.facts["stored"]["version"]) == (Answer(409, "already_confirmed"), 1)
    assert [row[:3] for row in entries(match)] == [(1, "confirmed", "desk")]
    assert match.results.get().reason == "paper slip 12"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("M3", "teams_unknown"),
        ("M7", "teams_unknown"),
        ("M4", "match_not_played"),
        ("M1", "already_confirmed"),
    ],
)
def test_nothing_is_entered_for_a_match_that_is_not_open(door: Door, code: str, expected: str) -> None:
    """Of 4 teams in double elimination: M3 misses its second team, M7 is the reset, M4 is not played."""
    event = make_tournament(4)
    assert door.forfeit(event.owner, event.match("M1"), "both") == DONE
    assert door.advance(event) == DONE
    if code == "M4":
        event.play("M2")
        event.advance()
    match = event.match(code)
    teams, states, stored = event.teams(), event.states(), Result.objects.count()
    for answer in (
        door.enter(event.owner, match, "7-4,7-3"),
        door.enter(event.owner, match, "7-4,7-3", desk=True, reason="slip"),
        door.game(event.owner, match, 1, 7, 4),
        door.hand(event.owner, match, 1, 1, level="marks", winner="NS", marks=1),
        door.forfeit(event.owner, match, "NS"),
        door.take_back(event.owner, match),
        door.dispute(event.owner, match),
    ):
        assert answer.status == 409
        assert answer.code in {expected, "match_not_open"}
        assert answer.facts["state"] == match.state
    assert door.confirm(event.owner, match, 4) == Answer(404, "no_such_version")
    assert (event.teams(), event.states(), Result.objects.count()) == (teams, states, stored)
    assert not match.game_records.exists()


def test_forfeit_counts_at_once_and_needs_the_desk_and_a_reason(door: Door) -> None:
    event = make_tournament(2, kind="single-elimination")
    match, desk = event.match("M1"), event.official("desk")

    assert door.forfeit(event.official("scorer"), match, "NS") == Answer(403, "role_required")
    assert door.forfeit(desk, match, "NS", reason=" ").status in {400, 422}
    assert door.forfeit(desk, match, "N").status in {400, 422}
    assert door.forfeit(desk, match, "NS") == DONE
    assert door.forfeit(desk, match, "NS") == DONE
    assert door.forfeit(desk, match, "EW") == Answer(409, "already_confirmed")

    (result,) = match.results.all()
    assert (result.outcome, result.winner_side, result.games, result.settled_way, result.reason) == (
        "forfeit",
        "EW",
        [],
        "desk",
        "not here",
    )


def test_silence_settles_after_the_minutes_of_the_tournament() -> None:
    event = make_tournament(4, kind="single-elimination", auto_confirm_minutes=10)
    silent, loud = event.open_matches()
    for match in (silent, loud):
        enter(event, match)
    ago = timezone.now() - timedelta(minutes=11)
    Match.objects.filter(pk=silent.pk).update(entered_at=ago)

    confirm_silent()
    confirm_silent()

    assert [entries(match)[0][1:3] for match in (silent, loud)] == [("confirmed", "silence"), ("entered", "")]
    assert silent_results_confirm(match_id=silent.pk) is False


def test_silence_never_settles_a_dispute_nor_where_it_is_off() -> None:
    disputed = make_tournament(2, kind="single-elimination", auto_confirm_minutes=1)
    off = make_tournament(2, kind="single-elimination")
    for event in (disputed, off):
        enter(event, event.match("M1"))
    disputed.owner.client.post(f"/api/v1/matches/{disputed.match('M1').pk}/result/dispute/")
    Match.objects.update(entered_at=timezone.now() - timedelta(days=1))

    confirm_silent()

    assert [event.match("M1").state for event in (disputed, off)] == ["disputed", "entered"]


def test_database_keeps_one_confirmed_result_of_a_match() -> None:
    event = make_tournament(2, kind="single-elimination")
    match = event.match("M1")
    event.play("M1")
    stored = match.results.get()
    twin = {
        field.attname: getattr(stored, field.attname)
        for field in Result._meta.concrete_fields
        if field.name not in {"id", "version"}
    }

    with pytest.raises(IntegrityError), transaction.atomic():
        Result.objects.create(version=2, **twin)
    with pytest.raises(IntegrityError), transaction.atomic():
        Result.objects.create(version=1, **{**twin, "state": "entered", "settled_way": ""})
    with pytest.raises(IntegrityError), transaction.atomic():
        Result.objects.filter(pk=stored.pk).update(settled_way="")


def test_line_ups_are_those_of_the_moment_of_the_entry() -> None:
    event = make_tournament(2, kind="single-elimination")
    match, client = event.match("M1"), event.owner.client
    entry = event.entry(match, "NS")
    first, second = entry.members.order_by("position")
    enter(event, match)
    before = match.results.get().lineups

    answer = client.post(
        f"{event.path}entries/{entry.pk}/substitute/", {"leaving": str(second.player_id), "name": "Ruth"}
    )

    assert answer.status_code == 200
    assert [player["name"] for player in answer.json()["players"]] == ["A1", "Ruth"]
    assert match.results.get().lineups == before
    assert before["NS"] == [str(first.player_id), str(second.player_id)]
    client.post(f"/api/v1/matches/{match.pk}/result/take-back/")
    enter(event, match)
    newest = match.results.latest("version").lineups
    assert newest == {**before, "NS": [str(first.player_id), answer.json()["players"][1]["id"]]}


def enter(event: Event, match: Match, who: Caller | None = None) -> None:
    caller = who or event.owner
    answer = caller.client.put(f"/api/v1/matches/{match.pk}/result/", {"scores": "7-4,7-3"})
    assert answer.status_code == 201
