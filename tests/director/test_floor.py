"""The floor board: states of tables, what needs somebody, calls by hand, holds, judges; cards, messages, the log."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from scoring.director.selectors.floor import board_of
from scoring.services.game import result_put
from tables.enums import TableState
from tables.models import AccessLink, Hold, Seating, Table
from tables.services.assignment import tables_assign
from tables.services.hall import hall_update, tables_add
from tables.services.holds import match_hold, match_release
from tables.services.judge import judge_call
from tests.director.table import client_of
from tests.support.events import Event, games, make_tournament
from tournaments.errors import AgainstRules, Conflict, NotYours
from tournaments.models import Announcement, Match
from tournaments.services.announcement import announcements_expire

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    """Eight teams, four matches ready, three tables."""
    made = make_tournament(8)
    tables_add(tournament_id=made.tournament.pk, count=3, actor=made.owner.actor)
    return made


def assign(event: Event) -> None:
    tables_assign(tournament_id=event.tournament.pk)


def sitting(event: Event) -> dict[str, int]:
    rows = Seating.objects.filter(match__tournament=event.tournament, freed_at__isnull=True)
    return {f"M{match}": table for match, table in rows.values_list("match__number", "table__number")}


def states(event: Event, **later: Any) -> dict[int, str]:
    now = timezone.now() + timedelta(**later)
    return {tile.number: tile.state for tile in board_of(event.tournament, now).tiles}


def post(event: Event, tail: str, body: dict[str, Any] | None = None) -> str:
    answer = client_of(event.owner).post(f"/run/{event.slug}/{tail}", body or {}, follow=True)
    assert answer.status_code == 200
    return str(answer.content.decode())


def test_tiles_say_what_each_table_does(event: Event) -> None:
    assign(event)
    owner = event.owner.actor
    tables_add(tournament_id=event.tournament.pk, count=2, actor=owner)
    Table.objects.filter(number=5).update(state=TableState.CLOSED)
    result_put(match_id=event.match("M1").pk, games=games("7-3,7-4"), actor=owner)
    Match.objects.filter(tournament=event.tournament, number=2).update(
        state="playing", started_at=timezone.now()
    )
    assert states(event) == {1: "confirm", 2: "playing", 3: "called", 4: "free", 5: "closed"}
    assert states(event, minutes=4, seconds=30)[3] == "late"
    Match.objects.filter(tournament=event.tournament, number=1).update(state="disputed")
    judge_call(match_id=event.match("M2").pk, actor=owner, note="Renege")
    board = board_of(event.tournament, timezone.now() + timedelta(minutes=6))
    assert [need.kind for need in board.needs] == ["late", "dispute", "judge"]
    assert board.tiles[1].has_judge


def test_result_that_nobody_confirms_needs_somebody_after_five_minutes(event: Event) -> None:
    assign(event)
    result_put(match_id=event.match("M1").pk, games=games("7-3,7-4"), actor=event.owner.actor)

    def kinds(minutes: int) -> list[str]:
        hall_update(tournament_id=event.tournament.pk, actor=event.owner.actor, missing_minutes=240)
        board = board_of(event.tournament, timezone.now() + timedelta(minutes=minutes))
        return [need.kind for need in board.needs]

    assert kinds(4) == []
    assert kinds(6) == ["confirm"]


def test_missing_team_leads_to_the_forfeit_rule_after_the_events_minutes(event: Event) -> None:
    assign(event)
    hall_update(tournament_id=event.tournament.pk, actor=event.owner.actor, missing_minutes=10)
    assert states(event, minutes=8)[1] == "called"
    board = board_of(event.tournament, timezone.now() + timedelta(minutes=11))
    need = board.needs[0]
    assert (need.kind, need.text, need.url) == (
        "late",
        "A team is missing, the time is up",
        f"/run/{event.slug}/matches/M1/forfeit/",
    )


def test_call_move_and_free_by_hand_each_with_its_undo(event: Event) -> None:
    page = post(event, "tables/2/call/", {"match": "M3"})
    assert "M3 is called to table 2." in page
    assert f"/run/{event.slug}/tables/2/free/" in page
    assert sitting(event) == {"M3": 2}
    assert "M4 is at" not in post(event, "tables/2/call/", {"match": "M4"})
    assert sitting(event) == {"M3": 2}
    page = post(event, "matches/M3/move/", {"table": 1})
    assert 'name="table" value="2"' in page
    assert sitting(event) == {"M3": 1}
    post(event, "tables/1/free/")
    assert sitting(event) == {}
    assert event.match("M3").state == "ready"


def test_refusal_is_said_on_the_board(event: Event) -> None:
    post(event, "tables/1/call/", {"match": "M1"})
    page = post(event, "tables/1/call/", {"match": "M2"})
    assert "M1 is at table 1." in page
    assert "said-bad" in page


def test_calling_by_itself_can_be_switched_off_and_on(event: Event) -> None:
    page = post(event, "floor/auto/", {"on": "no"})
    assert 'aria-checked="false"' in page
    assign(event)
    assert sitting(event) == {}
    post(event, "floor/auto/", {"on": "yes"})
    assign(event)
    assert sitting(event) == {"M1": 1, "M2": 2, "M3": 3}


def test_match_held_back_is_passed_over_until_it_is_released(event: Event) -> None:
    post(event, "matches/M1/hold/", {"reason": "church"})
    post(event, "matches/M1/hold/")
    assign(event)
    assert sitting(event) == {"M2": 1, "M3": 2, "M4": 3}
    assert Hold.objects.get().reason == "church"
    assert "Held back by" in client_of(event.owner).get(f"/run/{event.slug}/matches/M1/").content.decode()
    post(event, "matches/M1/release/")
    assert not Hold.objects.filter(ended_at__isnull=True).exists()
    assert not match_release(match_id=event.match("M1").pk, actor=event.owner.actor)


def test_match_called_by_hand_is_held_no_longer(event: Event) -> None:
    match_hold(match_id=event.match("M1").pk, actor=event.owner.actor)
    post(event, "tables/1/call/", {"match": "M1"})
    assert sitting(event) == {"M1": 1}
    assert not Hold.objects.filter(ended_at__isnull=True).exists()


def test_hold_comes_too_late_for_a_match_that_is_called(event: Event) -> None:
    assign(event)
    with pytest.raises(Conflict) as refusal:
        match_hold(match_id=event.match("M1").pk, actor=event.owner.actor)
    assert refusal.value.code == "match_called"
    with pytest.raises(NotYours):
        match_hold(match_id=event.match("M4").pk, actor=event.official("scorer").actor)


def test_minutes_of_waiting_have_limits(event: Event) -> None:
    for minutes in (0, 241):
        with pytest.raises(AgainstRules):
            hall_update(tournament_id=event.tournament.pk, actor=event.owner.actor, missing_minutes=minutes)


def test_judge_is_sent_and_the_call_is_gone(event: Event) -> None:
    assign(event)
    call = judge_call(match_id=event.match("M1").pk, actor=event.owner.actor, note="Lead out of turn")
    board = client_of(event.owner).get(f"/run/{event.slug}/floor/").content.decode()
    assert "Judge: Lead out of turn" in board
    post(event, f"judge/{call.pk}/")
    assert (
        "Judge: Lead out of turn"
        not in client_of(event.owner).get(f"/run/{event.slug}/floor/").content.decode()
    )


def test_board_alone_is_a_fragment_and_filters_dim(event: Event) -> None:
    assign(event)
    client = client_of(event.owner)
    fragment = client.get(f"/run/{event.slug}/floor/", {"fragment": "board", "table": 1, "show": "called"})
    body = fragment.content.decode()
    assert "<html" not in body
    assert 'id="chosen"' in body
    assert body.count("is-dim") == 0
    dimmed = client.get(f"/run/{event.slug}/floor/", {"show": "playing"}).content.decode()
    assert dimmed.count("is-dim") == 3
    assert client.get(f"/run/{event.slug}/floor/", {"table": "9" * 40, "show": "nonsense"}).status_code == 200


def test_cards_are_made_renewed_and_taken_back(event: Event) -> None:
    client = client_of(event.owner)
    path = f"/run/{event.slug}/cards/"
    assert client.get(path).context["missing"] == 3
    post(event, "cards/issue/")
    page = client.get(path)
    assert "no-store" in page["Cache-Control"]
    first = page.context["cards"][0].address
    assert client.get(first).status_code == 302
    post(event, "cards/table/1/", {"act": "renew"})
    second = client.get(path).context["cards"][0].address
    assert (client.get(first).status_code, client.get(second).status_code) == (404, 302)
    post(event, "cards/table/1/", {"act": "revoke"})
    assert client.get(second).status_code == 404
    teams = client.get(path, {"kind": "team"}).context["cards"]
    assert all(len(card.code) == 4 for card in teams)
    assert AccessLink.objects.filter(revoked_at__isnull=True).count() == 2 + 8
    assert client.post(f"{path}table/99/", {"act": "issue"}).status_code == 404


def test_message_is_shown_everywhere_until_it_ends(event: Event) -> None:
    post(event, "screens/", {"text": "  Lunch   at noon ", "minutes": "15"})
    post(event, "screens/", {"text": "Lunch at noon"})
    made = Announcement.objects.get()
    assert (made.text, made.until is None) == ("Lunch at noon", False)
    client = client_of(event.owner)
    assert "Lunch at noon" in client.get(f"/run/{event.slug}/floor/").content.decode()
    post(event, f"screens/{made.pk}/end/")
    assert "Lunch at noon" not in client.get(f"/run/{event.slug}/floor/").content.decode()
    refused = client.post(f"/run/{event.slug}/screens/", {"text": " "})
    assert refused.context["form"].errors == {"text": ["Message is missing."]}


def test_log_is_read_by_kind_and_by_word(event: Event) -> None:
    assign(event)
    event.play("M1")
    client = client_of(event.owner)

    def lines(**query: str) -> list[str]:
        return [line.action for line in client.get(f"/run/{event.slug}/log/", query).context["log"]]

    assert set(lines(group="results")) == {"result.settled"}
    assert "result.settled" in lines(q="M1")
    assert "draw.published" not in lines(q="M1")
    assert lines(q="no such thing") == []
    assert lines(page="77") == []
    body = client.get(f"/run/{event.slug}/log/").content.decode()
    assert "M1: final, entered at the desk “paper slip”" in body
    assert "M2: called to table 2" in body


def test_every_act_of_an_event_has_a_sentence(event: Event) -> None:
    from scoring.director.selectors.log import sentence

    assign(event)
    event.play("M1")
    event.advance()
    plain = [line.action.replace(".", " ").replace("-", " ") for line in event.tournament.log.all()]
    told = [sentence(line, short=True) for line in event.tournament.log.all()]
    assert [one for one, name in zip(told, plain, strict=True) if one.lower() == name] == []


def test_message_whose_time_is_up_leaves_the_pages(event: Event) -> None:
    post(event, "screens/", {"text": "Lunch at noon", "minutes": "5"})
    assert announcements_expire() == 0
    Announcement.objects.update(until=timezone.now() - timedelta(seconds=1))
    before = event.tournament.revisions.get(part="home").number
    assert [announcements_expire(), announcements_expire()] == [1, 0]
    assert event.tournament.revisions.get(part="home").number == before + 1
