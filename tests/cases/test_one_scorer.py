"""Case F4: one scorer does all matches of a team, twelve hands come in three minutes, two matches have one list.

Each is a case for the director, with its evidence; nothing is changed by it, and how it is closed is kept.
"""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from scoring.models import Finding, Hand, Review
from scoring.services.game import result_put
from scoring.services.review import finding_close
from scoring.services.screening import screenings_sweep
from tests.fairplay.stored import bid_hand, codes
from tests.support.events import Event, games, make_tournament
from tournaments.models import Match
from tournaments.selectors.export import canonical_export

pytestmark = pytest.mark.django_db

LISTS = {"M1": "7-0,7-5", "M2": "7-0,7-5"}


def _recorded(event: Event, match: Match, minutes: float) -> None:
    """Twelve hands at the table within so many minutes, seven of the first game and five of the second."""
    scorer = event.official("scorer")
    ended = timezone.now() - timedelta(hours=1)
    for place in range(12):
        game, number = (1, place + 1) if place < 7 else (2, place - 6)
        hand = bid_hand(scorer, match, game, number, declarer="NS"[place % 2])
        at = ended + timedelta(minutes=minutes * place / 11)
        Hand.objects.filter(pk=hand.pk).update(started_at=at, ended_at=at)


def _at_the_desk(event: Event, match: Match, desk: object, scores: str) -> None:
    result_put(match_id=match.pk, games=games(scores), actor=desk, desk=True, reason="slip")  # type: ignore[arg-type]


def test_cases_are_raised_reviewed_and_change_nothing(client: Client) -> None:
    event = make_tournament(8, kind="single-elimination")
    desk = event.official("desk").actor
    first, second = event.match("M1"), event.match("M2")
    team = event.entry(first, "NS")
    _recorded(event, first, minutes=3)
    _recorded(event, second, minutes=40)
    for code in ("M1", "M2", "M3", "M4"):
        match = event.match(code)
        _at_the_desk(event, match, desk if code == "M1" else event.official("desk").actor, "7-0,7-5")
    event.advance()
    semi_final = next(
        slot.match
        for slot in team.slots.select_related("match")
        if slot.match_id != first.pk and slot.match.state in {"ready", "called"}
    )
    side = semi_final.slots.get(entry=team).side
    _at_the_desk(event, semi_final, desk, "7-0,7-5" if side == "NS" else "0-7,5-7")
    event.advance()
    began = timezone.now() - timedelta(hours=2)
    Match.objects.filter(tournament=event.tournament).update(called_at=began, started_at=began)
    before = canonical_export(event.fresh())

    screenings_sweep()

    assert codes(event, detector="one-scorer") == ["one_scorer_for_team"]
    assert codes(event, detector="same-hands") == ["hands_twice"]
    fast = Finding.objects.filter(tournament=event.tournament, detector="match-times", match=first)
    assert [finding.code for finding in fast] == ["hands_in_a_batch"]
    one = Finding.objects.get(detector="one-scorer")
    assert [line["match"] for line in one.body["toward"]] == ["M1", semi_final.code]
    assert one.body["reasons"]

    assert canonical_export(event.fresh()) == before
    assert client.get(f"/run/{event.slug}/fair-play/").status_code == 302
    assert client.get(f"{event.path}findings/").status_code in {401, 403, 404}

    finding_close(
        tournament_id=event.tournament.pk,
        number=one.number,
        outcome="talked",
        note="The desk had one helper all morning.",
        actor=event.owner.actor,
    )
    one.refresh_from_db()
    assert (one.state, one.outcome) == ("closed", "talked")
    assert list(Review.objects.filter(finding=one).values_list("kind", flat=True)) == ["closed"]
    screenings_sweep()
    one.refresh_from_db()
    assert one.state == "closed"
