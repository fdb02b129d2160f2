"""The match sheet: entering, settling, correcting and forfeiting, each with a look before; and the whole log."""

from __future__ import annotations

from typing import Any

import pytest

from tests.director.table import OTHER_GAMES, TWO_GAMES, client_of
from tests.support.events import Event, make_tournament
from tournaments.models import LogEntry, Result

pytestmark = pytest.mark.django_db


def body(answer: Any) -> str:
    return str(answer.content.decode())


@pytest.fixture
def event() -> Event:
    return make_tournament(4)


def path(event: Event, code: str, tail: str = "") -> str:
    return f"/run/{event.slug}/matches/{code}/{tail}"


def test_form_starts_with_what_is_stored_not_with_zeros(event: Event) -> None:
    client = client_of(event.owner)
    empty = client.get(path(event, "M1", "enter/")).context["form"]
    assert [field.value() for _, *pair in empty.rows() for field in pair] == [None] * 6
    event.play("M1")
    form = client.get(path(event, "M1", "correct/")).context["form"]
    assert [field.value() for _, *pair in form.rows() for field in pair] == [7, 4, 7, 3, None, None]
    page = body(client.get(path(event, "M1")))
    assert "7–4" in page
    assert "7–3" in page


def test_entry_waits_for_somebody_else_unless_the_desk_gives_a_reason(event: Event) -> None:
    client = client_of(event.owner)
    client.post(path(event, "M1", "enter/"), TWO_GAMES)
    assert event.match("M1").state == "entered"
    refused = client.post(path(event, "M1", "settle/"), {"version": 1}, follow=True)
    assert "Give a reason to settle it" in body(refused)
    other = client_of(event.official("desk"))
    other.post(path(event, "M1", "settle/"), {"version": 1})
    assert Result.objects.get().settled_way == "official"

    no_reason = client.post(path(event, "M2", "enter/"), {**TWO_GAMES, "desk": "on"})
    assert no_reason.status_code == 422
    assert no_reason.context["form"].errors == {"reason": ["A result entered at the desk needs a reason."]}
    client.post(path(event, "M2", "enter/"), {**TWO_GAMES, "desk": "on", "reason": "slip"})
    assert event.match("M2").state == "confirmed"


@pytest.mark.parametrize(
    ("changes", "field", "text"),
    [
        ({"ew1": ""}, "ns1", "Game 1 needs marks for both sides."),
        ({"ns1": 7, "ew1": 7}, "ns1", "7-7 has no winner."),
        ({"ns1": 12}, "ns1", "too high"),
        ({"ns3": 7, "ew3": 1}, "ns3", "The match was decided after game 2"),
        ({"ns1": "", "ew1": ""}, "ns2", "Fill the games in from the first."),
        ({"ns2": 2, "ew2": 7}, None, "nobody has won 2"),
        ({"ns1": "x"}, "ns1", "Enter a whole number."),
    ],
)
def test_impossible_result_stands_beside_its_field_and_what_was_typed_stays(
    event: Event, changes: dict[str, Any], field: str | None, text: str
) -> None:
    answer = client_of(event.owner).post(path(event, "M1", "enter/"), {**TWO_GAMES, **changes})
    assert answer.status_code == 422
    form = answer.context["form"]
    assert text in " ".join(form.errors["__all__" if field is None else field])
    assert str(form["ns2"].value()) == str({**TWO_GAMES, **changes}["ns2"])
    assert not Result.objects.exists()


def test_two_entries_are_shown_side_by_side_and_one_is_settled(event: Event) -> None:
    sides = event.side_links(event.match("M1"))
    for side, scores in (("NS", "7-4,7-3"), ("EW", "4-7,7-5,5-7")):
        sides[side].client.put(f"/api/v1/matches/{event.match('M1').pk}/result/", {"scores": scores})
    client = client_of(event.owner)
    page = client.get(path(event, "M1"))
    assert [entry.can_settle for entry in page.context["entries"]] == [True, True]
    floor = body(client.get(f"/run/{event.slug}/floor/"))
    assert "Game 1: 7–4, or 4–7" in floor
    client.post(path(event, "M1", "settle/"), {"version": 2})
    assert Result.objects.get(state="confirmed").version == 2


def test_correction_shows_what_it_changes_and_then_does_it(event: Event) -> None:
    event.play("M1")
    event.advance()
    before = event.teams()["M3"]
    client = client_of(event.owner)
    fields = {**OTHER_GAMES, "reason": "wrong way round"}
    looked = client.post(path(event, "M1", "correct/"), fields)
    changes = {(one.match, one.before, one.after) for one in looked.context["preview"].changes}
    assert changes == {("M3", "T1", "T4"), ("M4", "T4", "T1")}
    assert event.teams()["M3"] == before
    client.post(path(event, "M1", "correct/"), {**fields, "sure": "yes"})
    assert event.teams()["M3"][0] == "T4"
    assert LogEntry.objects.filter(action="result.corrected").count() == 1
    page = body(client.get(path(event, "M1")))
    assert "Corrected from 7–4, 7–3 to 3–7, 4–7" in page
    assert "wrong way round" in page


def test_correction_needs_a_reason(event: Event) -> None:
    event.play("M1")
    answer = client_of(event.owner).post(path(event, "M1", "correct/"), {**OTHER_GAMES, "sure": "yes"})
    assert answer.context["form"].errors == {"reason": ["Reason is missing."]}


def test_correction_is_refused_with_the_matches_that_have_begun(event: Event) -> None:
    for code in ("M1", "M2"):
        event.play(code)
    event.advance()
    client = client_of(event.owner)
    client.post(path(event, "M3", "play/games/1/"), {"ns": 7, "ew": 2})
    fields = {**OTHER_GAMES, "reason": "wrong way round"}
    looked = client.post(path(event, "M1", "correct/"), fields)
    assert looked.context["preview"].blocked == ["M3"]
    assert "Yes, correct it" not in body(looked)
    refused = client.post(path(event, "M1", "correct/"), {**fields, "sure": "yes"})
    assert refused.status_code == 422
    assert refused.context["affected"] == ["M3"]


def test_correction_of_marks_alone_is_allowed_while_dependents_play(event: Event) -> None:
    for code in ("M1", "M2"):
        event.play(code)
    event.advance()
    client = client_of(event.owner)
    client.post(path(event, "M3", "play/games/1/"), {"ns": 7, "ew": 2})
    fields = {"ns1": 7, "ew1": 5, "ns2": 7, "ew2": 3, "reason": "misread", "sure": "yes"}
    client.post(path(event, "M1", "correct/"), fields)
    assert Result.objects.get(match__number=1, state="confirmed").games[0] == {"NS": 7, "EW": 5}


def test_forfeit_shows_what_it_changes_first(event: Event) -> None:
    client = client_of(event.owner)
    looked = client.post(path(event, "M1", "forfeit/"), {"side": "NS", "reason": "late"})
    assert event.match("M1").state == "ready"
    assert len(looked.context["preview"].changes) == 2
    assert "Say which side forfeits" in body(client.post(path(event, "M1", "forfeit/"), {"reason": "late"}))
    client.post(path(event, "M1", "forfeit/"), {"side": "NS", "reason": "late", "sure": "yes"})
    assert Result.objects.get().outcome == "forfeit"


def test_list_finds_matches_by_state_code_team_and_player(event: Event) -> None:
    event.play("M1")
    client = client_of(event.owner)

    def found(**query: str) -> list[str]:
        answer = client.get(f"/run/{event.slug}/matches/", query)
        return [match.code for match in answer.context["matches"]]

    assert found(state="final") == ["M1"]
    assert found(state="open") == ["M2"]
    assert found(q="M2") == ["M2"]
    assert found(q="T1") == ["M1"]
    assert found(q="B4") == ["M1"]
    assert found(q="nobody") == []
    assert found(page="999") == []
    assert client.get(f"/run/{event.slug}/matches/", {"q": "\x00'%"}).status_code == 200


def test_pages_take_as_many_queries_with_four_teams_as_with_thirty_two(
    django_assert_max_num_queries: Any,
) -> None:
    from tables.services.assignment import tables_assign
    from tables.services.hall import tables_add

    counts: list[dict[str, int]] = []
    for teams in (4, 32):
        event = make_tournament(teams, name=f"Open {teams}")
        tables_add(tournament_id=event.tournament.pk, count=teams // 2, actor=event.owner.actor)
        tables_assign(tournament_id=event.tournament.pk)
        event.play("M1")
        event.advance()
        client = client_of(event.owner)
        found: dict[str, int] = {}
        tails = ("", "teams/", "teams/seeds/", "draw/", "floor/?table=1", "matches/", "matches/M1/", "cards/")
        for tail in (*tails, "cards/?kind=team", "people/", "screens/", "log/", "placings/", "teams/1/"):
            with django_assert_max_num_queries(60) as queries:
                assert client.get(f"/run/{event.slug}/{tail}").status_code == 200
            found[tail] = len(queries)
        counts.append(found)
    assert counts[0] == counts[1]
