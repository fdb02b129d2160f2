"""The jobs: what is stored, once; what was lost is found by the sweep; what changed is looked at again."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from scoring import tasks
from scoring.fairplay import registry
from scoring.models import Finding, Hand, Play, RecordPrint, Screening
from scoring.selectors.findings import hands_to_screen, matches_to_screen
from scoring.services.declarations import match_from_paper, player_account, tournament_from_paper
from scoring.services.game import last_record_undo
from scoring.services.hand import HandEntry, hand_put
from scoring.services.review import finding_close
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
from tests.support.callers import Caller
from tests.support.events import games, make_tournament
from tournaments.errors import NotThere, NotYours
from tournaments.models import Match, Player, Result
from tournaments.services.correction import result_correct

pytestmark = pytest.mark.django_db


# ---- Hooks -----------------------------------------------------------------------------------


def test_hand_that_ends_and_match_that_is_settled_ask_for_their_screening(
    django_capture_on_commit_callbacks: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[tuple[str, list[str]]] = []
    monkeypatch.setattr(
        "celery.app.base.Celery.send_task", lambda self, name, args=(), **_: sent.append((name, list(args)))
    )
    event, match = one_match()
    with django_capture_on_commit_callbacks(execute=True):
        full = store(event.owner, match, honest())
        bid = bid_hand(event.owner, match, 1, 2, shaker="")
        marks = hand_put(
            match_id=match.pk,
            game_number=1,
            number=3,
            entry=HandEntry(level="marks", winner="NS", marks=1),
            actor=event.owner.actor,
        )[0]
        settle(event, match)

    screenings = [(name, args) for name, args in sent if name.startswith("scoring.screen")]
    assert screenings == [
        ("scoring.screen_hand", [str(full.pk)]),
        ("scoring.screen_hand", [str(bid.pk)]),
        ("scoring.screen_match", [str(match.pk)]),
    ]
    assert str(marks.pk) not in str(screenings)


# ---- Hands -----------------------------------------------------------------------------------


def test_contradiction_is_stored_once_however_often_it_is_looked_at() -> None:
    event, match = one_match()
    hand = store(event.owner, match, reneging())

    assert screen(hand) is True

    finding = Finding.objects.get(detector="contradiction")
    assert (finding.number, finding.state, finding.hand, finding.match, finding.tier) == (
        1,
        "open",
        hand,
        match,
        "R",
    )
    assert finding.subject == f"hand:{hand.pk}"
    assert {one["code"] for one in finding.body["reasons"]} == {
        "wrong_trump",
        "swapped_order",
        "tile_typo",
        "wrong_leader",
    }
    before = everything()
    for _ in range(3):
        tasks.screen_hand(str(hand.pk))
        tasks.sweep_screening()
    assert everything() == before


def test_honest_hand_is_marked_as_screened_with_the_versions_and_what_was_not_testable() -> None:
    event, match = one_match()
    hand = store(event.owner, match, honest())
    assert list(hands_to_screen()) == [hand.pk]

    screen(hand)

    screening = Screening.objects.get(hand=hand)
    assert screening.versions == registry.versions(registry.Scope.HAND)
    assert screening.untestable["claim"] == "no_claims_recorded"
    assert list(hands_to_screen()) == []
    assert codes(event, detector="contradiction") == []


def test_tiles_turned_up_later_are_looked_at_when_the_match_is_settled() -> None:
    """The renege of a hand that ended early shows in a hand that is turned up afterwards."""
    rng = random.Random(3)
    from scoring.fairplay.contradictions import look
    from scoring.services.deal import deal_put
    from tests.fairplay import records

    while True:
        truth = records.auction(rng)
        try:
            record = records.renege(truth, rng, to_the_end=False)
        except records.NotTakenError:
            continue
        shown = record
        for seat in truth.shaker.clockwise():
            shown = shown.with_holding(seat, truth.deal.holding(seat) or ())
        if not look(records.facts(record)).findings and look(records.facts(shown)).findings:
            break
    event, match = one_match()
    hand = store(event.owner, match, record)
    screen(hand)
    assert codes(event, detector="contradiction") == []
    for seat in truth.shaker.clockwise():
        tiles = [str(tile) for tile in truth.deal.holding(seat) or ()]
        deal_put(hand_id=hand.pk, seat=str(seat), tiles=tiles, actor=event.owner.actor)
    assert event.owner.client.get(f"/api/v1/hands/{hand.pk}/").status_code == 200
    settle(event, match)

    screen(match)

    assert len(codes(event, detector="contradiction")) == 1
    assert event.owner.client.get(f"/api/v1/hands/{hand.pk}/").status_code == 200


def test_hand_taken_back_leaves_its_case_marked_as_gone() -> None:
    event, match = one_match()
    hand = store(event.owner, match, reneging())
    screen(hand)
    last_record_undo(match_id=match.pk, actor=event.owner.actor)
    settle(event, match)

    screen(match)

    finding = Finding.objects.get(detector="contradiction")
    assert finding.gone_at is not None
    assert list(finding.reviews.values_list("kind", flat=True)) == ["gone"]
    hand.delete()
    finding.refresh_from_db()
    assert finding.hand is None


def test_stored_row_that_was_changed_by_hand_is_found_and_gone_once_it_is_right() -> None:
    event, match = one_match()
    hand = store(event.owner, match, honest())
    settle(event, match, desk=False)
    marks = hand.marks_ns, hand.marks_ew
    Hand.objects.filter(pk=hand.pk).update(marks_ns=marks[1], marks_ew=marks[0])
    screen(match)
    assert codes(event, detector="hand-score") == ["hand_differs"]
    finding = Finding.objects.get(detector="hand-score")
    finding_close(
        tournament_id=event.tournament.pk, number=finding.number, outcome="talked", actor=event.owner.actor
    )

    Hand.objects.filter(pk=hand.pk).update(marks_ns=marks[0], marks_ew=marks[1])
    screen(match)
    finding.refresh_from_db()
    assert (finding.state, finding.gone_at is None) == ("closed", False)
    Hand.objects.filter(pk=hand.pk).update(bid="41")
    screen(match)
    finding.refresh_from_db()
    assert (finding.state, finding.outcome, finding.gone_at) == ("open", "", None)
    assert list(finding.reviews.values_list("kind", flat=True)) == ["closed", "gone", "changed"]


def test_record_that_does_not_fold_is_a_finding_and_not_a_failure() -> None:
    event, match = one_match()
    hand = store(event.owner, match, honest())
    Play.objects.filter(hand=hand, seq=1).update(seat="N" if hand.declarer != "N" else "E")

    screen(hand)

    assert codes(event, detector="hand-score") == ["record_impossible"]
    assert Screening.objects.get().failures == 0


# ---- Matches ---------------------------------------------------------------------------------


def test_desk_settlement_is_listed_and_official_one_is_not() -> None:
    event, match = one_match()
    settle(event, match)
    settle(event, event.match("M2"), desk=False)
    screenings_sweep()

    assert codes(event, detector="desk-entry") == ["desk_settled"]
    finding = Finding.objects.get(detector="desk-entry")
    assert (finding.match, finding.body["facts"]["reason"]) == (match, "paper slip")


def test_result_that_differs_from_recorded_games_is_found() -> None:
    event, match = one_match()
    from scoring.services.game import game_put

    game_put(match_id=match.pk, number=1, marks={"NS": 7, "EW": 5}, actor=event.owner.actor)
    settle(event, match, "7-4,7-3")

    screen(match)

    assert "result_differs" in codes(event)


def test_correction_is_looked_at_again_by_the_sweep() -> None:
    event, match = one_match()
    settle(event, match, desk=False)
    screen(match)
    assert codes(event) == []
    assert list(matches_to_screen()) == []
    result_correct(match_id=match.pk, actor=event.owner.actor, reason="read wrongly", games=games("7-5,7-3"))
    assert list(matches_to_screen()) == [match.pk]

    tasks.sweep_screening()

    assert codes(event, detector="desk-entry") == ["desk_settled"]
    assert Result.objects.get(match=match, state="confirmed").version == 2


def test_official_who_plays_is_found_once_the_account_is_tied() -> None:
    event, match = one_match()
    desk = event.official("desk")
    from scoring.services.game import result_put

    result_put(match_id=match.pk, games=games("7-4,7-3"), actor=desk.actor, desk=True, reason="slip")
    screen(match)
    assert codes(event, detector="player-entry") == []
    player = event.entry(match, "NS").members.order_by("position").first().player  # type: ignore[union-attr]

    player_account(
        tournament_id=event.tournament.pk,
        player_id=player.pk,
        username=desk.user.username,  # type: ignore[union-attr]
        actor=event.owner.actor,
    )
    assert list(matches_to_screen()) == [match.pk]
    tasks.sweep_screening()

    assert codes(event, detector="player-entry") == ["player_settled"]
    assert event.log_of("player.account") == [{"player": str(player.pk), "username": desk.user.username}]  # type: ignore[union-attr]


def test_account_is_tied_by_directors_to_players_of_the_event_only() -> None:
    event, _ = one_match()
    other = make_tournament(2)
    desk = event.official("desk")
    player = Player.objects.filter(memberships__tournament=event.tournament).first()
    foreign = Player.objects.filter(memberships__tournament=other.tournament).first()
    assert player is not None
    assert foreign is not None

    def tie(who: Caller, player_id: Any, username: str) -> Player:
        return player_account(
            tournament_id=event.tournament.pk, player_id=player_id, username=username, actor=who.actor
        )

    with pytest.raises(NotYours):
        tie(desk, player.pk, "x")
    with pytest.raises(NotThere):
        tie(event.owner, foreign.pk, desk.user.username)  # type: ignore[union-attr]
    with pytest.raises(NotThere):
        tie(event.owner, player.pk, "nobody")
    assert tie(event.owner, player.pk, desk.user.username).user == desk.user  # type: ignore[union-attr]
    assert tie(event.owner, player.pk, "").user is None


def test_short_match_is_found_unless_it_is_declared_as_copied_or_simulated() -> None:
    event, match = one_match()
    settle(event, match, desk=False)
    now = timezone.now()
    Match.objects.filter(pk=match.pk).update(started_at=now - timedelta(minutes=5))
    screen(match)
    assert codes(event) == ["match_too_short"]

    scorer = event.official("scorer")
    match_from_paper(match_id=match.pk, from_paper=True, actor=scorer.actor)
    assert list(matches_to_screen()) == [match.pk]
    tasks.sweep_screening()
    assert codes(event) == []
    assert Screening.objects.get(match=match).untestable["match-times"] == "copied_from_paper"

    match_from_paper(match_id=match.pk, from_paper=False, actor=scorer.actor)
    tasks.sweep_screening()
    assert codes(event) == ["match_too_short"]
    tournament_from_paper(tournament_id=event.tournament.pk, from_paper=True, actor=event.owner.actor)
    tasks.sweep_screening()
    assert codes(event) == []


def test_simulated_event_has_no_findings_of_times() -> None:
    event, match = one_match(simulated=True)
    hand = store(event.owner, match, honest())
    settle(event, match, desk=False)
    Match.objects.filter(pk=match.pk).update(started_at=timezone.now())
    screen(hand)
    screen(match)
    assert codes(event, detector__in=["hand-times", "match-times", "two-tables"]) == []


def test_batch_entry_of_a_full_hand_is_found() -> None:
    """The services were called within a second, as by a script."""
    event, match = one_match()
    hand = store(event.owner, match, honest(seed=4))
    screen(hand)
    assert codes(event, detector="hand-times") in (["faster_than_hands"], ["gaps_all_alike"])


# ---- One match among the others --------------------------------------------------------------


def test_one_account_for_all_matches_of_a_team_is_found_and_gone_with_another_hand() -> None:
    event, first = one_match(8)
    from scoring.services.game import result_put

    desk = event.official("desk")
    team = event.entry(first, "NS")
    for code in ("M1", "M2", "M3", "M4"):
        match = event.match(code)
        if code == "M1":
            result_put(match_id=match.pk, games=games("7-4,7-3"), actor=desk.actor, desk=True, reason="slip")
        else:
            settle(event, match, desk=False)
    event.advance()
    second = next(
        slot.match
        for slot in team.slots.select_related("match")
        if slot.match_id != first.pk and slot.match.state in {"ready", "called"}
    )
    result_put(
        match_id=second.pk,
        games=games("7-4,7-3" if second.slots.get(entry=team).side == "NS" else "4-7,3-7"),
        actor=desk.actor,
        desk=True,
        reason="slip",
    )
    screenings_sweep()
    assert codes(event, detector="one-scorer") == ["one_scorer_for_team"]
    finding = Finding.objects.get(detector="one-scorer")
    assert (finding.entry, [one["match"] for one in finding.body["toward"]]) == (team, ["M1", second.code])
    before = everything()
    for match in event.matches("confirmed"):
        screen(match)
    assert everything() == before

    Result.objects.filter(match=second).update(settled_by=event.owner.user)
    screen(first)
    assert codes(event, detector="one-scorer") == []


def test_same_deal_in_two_matches_is_one_case_whichever_is_looked_at_first() -> None:
    event, first = one_match()
    second = event.match("M2")
    from tests.fairplay import records

    truth = records.honest(random.Random(8), to_the_end=False)
    deal = {
        str(seat): [str(tile) for tile in truth.deal.holding(seat) or ()] for seat in truth.shaker.clockwise()
    }
    for match in (first, second):
        store(event.owner, match, truth, deal=deal)
        settle(event, match, desk=False)
    screen(second)
    assert codes(event, detector="same-deal") == []
    screen(first)
    assert codes(event, detector="same-deal") == ["deal_twice"]
    before = everything()
    screen(second)
    screen(first)
    assert everything() == before
    assert RecordPrint.objects.filter(kind="deal").count() == 2


def test_same_list_of_hands_in_two_matches_is_found() -> None:
    event, first = one_match()
    second = event.match("M2")
    for match in (first, second):
        for number in range(1, 8):
            bid_hand(event.owner, match, 1, number, declarer="NS"[number % 2])
        settle(event, match, "7-0,7-3", desk=False)
    screenings_sweep()
    assert codes(event, detector="same-hands") == ["hands_twice"]


def test_one_account_at_two_tables_in_turns_is_found_from_both_sides_alike() -> None:
    event, first = one_match()
    second = event.match("M2")
    scorer = event.official("scorer")
    for number in range(1, 4):
        for match in (first, second):
            bid_hand(scorer, match, 1, number)
    for match in (first, second):
        settle(event, match, "7-0,7-3", desk=False)
    screen(first)
    found = codes(event, detector="two-tables")
    assert found == ["two_tables_in_turns"]
    before = everything()[0]
    screen(second)
    assert everything()[0][: len(before)] == before
    assert codes(event, detector="two-tables") == found
