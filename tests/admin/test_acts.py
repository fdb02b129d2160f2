"""Acts of the admin: they call the services, ask where it cannot be taken back, and say what was refused and why."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from scoring.models import Hand
from scoring.services.game import result_put
from tables.models import AccessLink, Table
from tests.admin.desk import Desk, errors, listing, page, refusals, said, staff
from tests.admin.hall import bid_hand
from tests.director.table import NEW, OTHER_GAMES, TWO_GAMES
from tests.support.events import Event, account, games, make_tournament
from tournaments.models import Entry, Invitation, LogEntry, Match, Official, Result, Tournament

pytestmark = pytest.mark.django_db

ADD = "/admin/tournaments/tournament/add/"


def body(answer: Any) -> str:
    return str(answer.content.decode())


def names(event: Event) -> list[str]:
    return list(
        Entry.objects.filter(tournament=event.tournament).order_by("number").values_list("name", flat=True)
    )


# ---- Events and teams --------------------------------------------------------------------------


def test_event_is_made_in_one_form_with_its_tables() -> None:
    desk = staff(account())
    fields = {**NEW, "name": "Pecan Open", "kind": "single-elimination", "best_of": 5, "tables": 3}
    answer = desk.client.post(ADD, {**fields, "missing_minutes": 9}, follow=True)
    assert said(answer) == ["Pecan Open is made."]
    made = Tournament.objects.get()
    stage = made.stages.get()
    assert (stage.kind, stage.best_of, made.hall.missing_minutes) == ("single-elimination", 5, 9)
    assert list(Table.objects.values_list("number", flat=True)) == [1, 2, 3]
    assert Official.objects.get().role == "owner"
    again = desk.client.post(ADD, {**fields, "missing_minutes": 9}, follow=True)
    assert again.status_code == 200
    assert len(set(Tournament.objects.values_list("slug", flat=True))) == 2  # case N6


def test_form_of_an_event_says_what_is_wrong_and_keeps_what_was_typed() -> None:
    answer = staff(account()).client.post(ADD, {**NEW, "name": "", "tables": 501, "venue": "KC Hall"})
    assert answer.status_code == 422
    assert errors(answer) == {
        "name": ["Name is missing."],
        "tables": ["Ensure this value is less than or equal to 500."],
    }
    assert 'value="KC Hall"' in body(answer)
    assert not Tournament.objects.exists()


def test_list_of_teams_is_shown_before_it_is_stored_and_entered_once() -> None:
    """Cases N3 and N4."""
    event = make_tournament(1, published=False)
    desk, lines = (
        staff(event.owner),
        "Team,Player1,Player2\nPecan, Ann, Bea\nT1, A1, B1\nBroken, Ann, Cleo\nOne, Two",
    )
    looked = desk.client.post(page(event.tournament, "enter-teams"), {"text": lines})
    plan = looked.context["preview"].parts["plan"]
    assert [[one.line.name for one in plan.of(kind)] for kind in ("new", "same", "conflict")] == [
        ["Pecan"],
        ["T1"],
        ["Broken", "One"],
    ]
    assert names(event) == ["T1"]
    assert said(desk.act(event.tournament, "enter-teams", text=lines)) == ["1 team is entered."]
    partners = Entry.objects.get(name="Pecan").members.values_list("player__name", flat=True)
    assert list(partners) == ["Ann", "Bea"]
    again = desk.client.post(page(event.tournament, "enter-teams"), {"text": lines})
    assert again.context["preview"].refused == ["No team on the list is new."]
    assert names(event) == ["T1", "Pecan"]


def test_one_team_is_entered_and_a_taken_name_is_refused() -> None:
    event = make_tournament(1, published=False)
    desk = staff(event.owner)
    fields = {"name": "T1", "first": "Ann", "second": "Bea", "seed": 7}
    refused = desk.act(event.tournament, "enter-team", **fields)
    assert (refused.status_code, errors(refused)) == (409, {"name": ["There is already a team called T1."]})
    assert said(desk.act(event.tournament, "enter-team", **{**fields, "name": "T2"})) == [
        "1 team is entered."
    ]
    assert Entry.objects.get(name="T2").seed == 7


def test_draw_is_made_looked_at_published_and_taken_back() -> None:
    event = make_tournament(5, published=False, running=False)
    desk = staff(event.owner)
    first = said(desk.act(event.tournament, "draw", method="random", lots=42))
    assert first == ["5 teams are drawn, lots from the number 42. Only directors see it."]
    before = event.teams()
    desk.act(event.stage, "draw", method="random", lots=42)
    assert event.teams() == before
    assert said(desk.act(event.tournament, "publish"))[0].startswith("The draw is published.")
    stale = desk.act(event.tournament, "draw", method="seed")
    assert refusals(stale) == [("draw_published", "The draw is published; it cannot be drawn again.")]
    asked = desk.get(page(event.tournament, "reset"))
    assert "It cannot be undone, only drawn again" in body(asked)
    assert said(desk.act(event.tournament, "reset")) == [
        "The draw is taken back. Teams and seeds are as before."
    ]
    assert event.matches() == []


def test_start_asks_first_and_says_why_not(event: Event, desk: Desk) -> None:
    undrawn = make_tournament(2, published=False)
    owner = staff(undrawn.owner)
    asked = body(owner.get(page(undrawn.tournament, "start")))
    assert "The start itself cannot be taken back." in asked
    refused = owner.act(undrawn.tournament, "start")
    assert (refused.status_code, refusals(refused)) == (
        409,
        [("draw_not_published", "Publish the draw before the start.")],
    )
    pressed = desk.act(event.tournament, "finish")
    assert said(pressed) == ["7 matches are still open, first M1, M2, M3, M4, M5. (matches_open)"]


def test_page_of_an_event_offers_the_next_step(event: Event) -> None:
    fresh = make_tournament(0, published=False)
    desk = staff(fresh.owner)

    def offered(row: Any, client: Desk = desk) -> set[str]:
        groups = client.get(page(row)).context["act_groups"]
        return {act.name for _group, acts in groups for act, _address in acts}

    answer = desk.get(page(fresh.tournament))
    assert (answer.context["progress"].title, answer.context["next_acts"]) == (
        "Enter the teams",
        ("enter-teams",),
    )
    assert {"enter-teams", "draw", "settings", "invite"} <= offered(fresh.tournament)
    scorer = staff(event.official("scorer"))
    assert offered(event.tournament, scorer) == set()
    assert {"enter", "start", "judge"} >= offered(event.match("M1"), scorer) >= {"enter", "start"}


def test_settings_keep_what_is_fixed(event: Event, desk: Desk) -> None:
    form = desk.get(page(event.tournament, "settings")).context["form"]
    assert {"preset", "kind", "best_of"} & set(form.fields) == set()
    fields = {"name": "Renamed", "time_zone": "America/Denver", "visibility": "private", "missing_minutes": 3}
    assert said(desk.act(event.tournament, "settings", **fields)) == ["Saved."]
    stored = event.fresh()
    assert (stored.name, stored.time_zone, stored.visibility, stored.hall.missing_minutes) == (
        "Renamed",
        "America/Denver",
        "private",
        3,
    )


def test_people_are_given_roles_and_invited(event: Event, desk: Desk) -> None:
    account("ruth")
    nobody = desk.act(event.tournament, "role", username="nobody", role="desk")
    assert errors(nobody) == {"username": ["There is no such account."]}
    assert said(desk.act(event.tournament, "role", username="ruth", role="desk")) == ["ruth is Desk."]
    desk.act(event.tournament, "invite", role="scorer", note="for Bea")
    invitation = Invitation.objects.get()
    assert "/accounts/invitation/" in body(desk.get(page(invitation)))
    assert said(desk.act(invitation, "revoke")) == ["The invitation is taken back."]
    assert "/accounts/invitation/" not in body(desk.get(page(invitation)))
    last = Official.objects.get(role="owner")
    refused = desk.act(last, "remove")
    assert refusals(refused)[0][0] == "last_owner"


# ---- Teams -------------------------------------------------------------------------------------


def test_teams_are_checked_in_from_their_list() -> None:
    event = make_tournament(3, published=False)
    desk = staff(event.owner)
    rows = list(Entry.objects.order_by("number"))
    assert said(desk.many(rows[:2], "check-in")) == ["2 records done."]
    assert list(Entry.objects.order_by("number").values_list("status", flat=True)) == [
        "checked-in",
        "checked-in",
        "entered",
    ]


def test_withdrawal_says_what_changes_and_takes_the_reason(event: Event, desk: Desk) -> None:
    entry = event.entry_of("T1")
    looked = desk.client.post(page(entry, "withdraw"), {"reason": "a sick child"})
    assert "M1 ends at once: T4 goes on by withdrawal." in body(looked)
    assert event.entry_of("T1").status == "entered"
    assert said(desk.act(entry, "withdraw", reason="a sick child")) == ["T1 has withdrawn."]
    assert event.match("M1").state == "confirmed"
    assert event.log_of("entry.withdrawn") == [{"reason": "a sick child"}]
    refused = desk.act(event.entry_of("T1"), "reinstate")
    assert said(refused) == ["T1 has already lost its place in the draw. (place_gone)"]


def test_several_teams_withdraw_after_one_question(event: Event, desk: Desk) -> None:
    rows = [event.entry_of("T1"), event.entry_of("T2")]
    asked = desk.many(rows, "withdraw")
    assert "To 2 records" in body(asked)
    assert not Entry.objects.filter(status="withdrawn").exists()
    assert said(desk.many(rows, "withdraw", sure="yes", reason="bus broke down")) == ["2 records done."]
    assert set(Entry.objects.filter(status="withdrawn").values_list("name", flat=True)) == {"T1", "T2"}


def test_action_says_row_by_row_what_was_refused(event: Event, desk: Desk) -> None:
    gone, here = event.entry_of("T1"), event.entry_of("T2")
    desk.act(gone, "withdraw", reason="")
    assert said(desk.many([gone, here], "check-in")) == [
        "T1: T1 has withdrawn. (entry_out)",
        "1 record done.",
    ]


def test_teams_are_taken_off_the_list_only_before_the_draw(event: Event, desk: Desk) -> None:
    refused = desk.act(event.entry_of("T1"), "remove")
    assert refusals(refused)[0][0] == "play_started"
    fresh = make_tournament(2, published=False)
    answer = staff(fresh.owner).act(Entry.objects.get(tournament=fresh.tournament, number=1), "remove")
    assert said(answer) == ["T1 is off the list."]
    assert answer.redirect_chain[-1][0] == listing(Entry)
    assert names(fresh) == ["T2"]


def test_name_and_substitute(event: Event, desk: Desk) -> None:
    entry = event.entry_of("T1")
    taken = desk.act(entry, "change", name="T2", seed=1)
    assert errors(taken) == {"name": ["There is already a team called T2."]}
    desk.act(entry, "change", name="José Peña / Niño", seed=1)
    assert [one.name for one in desk.get(listing(Entry), q="jose pena").context["cl"].result_list] == [
        "José Peña / Niño"
    ]
    leaving = entry.members.get(position=2).player_id
    answer = desk.act(entry, "substitute", leaving=leaving, name="Ruth")
    assert said(answer) == ["Ruth plays for José Peña / Niño from now on."]


# ---- The hall ----------------------------------------------------------------------------------


def test_match_is_called_moved_held_and_released(event: Event, desk: Desk) -> None:
    desk.act(event.tournament, "tables", count=2, room="Hall A")
    one, two = event.match("M1"), event.match("M2")
    assert said(desk.act(one, "call", table=1)) == ["M1 is called to table 1."]
    taken = desk.act(two, "call", table=1)
    assert list(errors(taken)) == ["table"]
    assert said(desk.act(one, "move", table=2)) == ["M1 moves to table 2."]
    assert said(desk.act(two, "hold", reason="late lunch")) == ["M2 is held back."]
    assert said(desk.many([two], "release")) == ["1 record done."]
    assert said(desk.act(one, "start")) == ["M1 is being played."]
    busy = desk.act(Table.objects.get(number=2), "free_tables")
    assert said(busy) == ["M1 is being played here. Move it to another table. (match_playing)"]


def test_cards_are_made_shown_renewed_and_taken_back(event: Event, desk: Desk) -> None:
    desk.act(event.tournament, "tables", count=1)
    assert said(desk.act(event.tournament, "cards")) == ["Every table and every team has its card."]
    old = AccessLink.objects.get(entry=event.entry_of("T1"))
    shown = body(desk.get(page(old)))
    assert "/link/" in shown
    assert "opens nothing any more, also on phones" in body(desk.get(page(old, "renew_links")))
    desk.act(old, "renew_links")
    assert "/link/" not in body(desk.get(page(old)))
    stale = desk.act(old, "revoke_links")
    assert refusals(stale) == [("link_revoked", "This link opens nothing any more.")]
    assert AccessLink.objects.filter(entry=event.entry_of("T1"), revoked_at=None).count() == 1


# ---- Results -----------------------------------------------------------------------------------


def test_form_of_a_result_starts_with_what_is_stored(event: Event, desk: Desk) -> None:
    """Case D11."""
    event.play("M1")
    form = desk.get(page(event.match("M1"), "correct")).context["form"]
    assert [field.value() for _, *pair in form.rows() for field in pair] == [7, 4, 7, 3, None, None]


def test_entry_waits_and_is_settled_with_a_reason(event: Event, desk: Desk) -> None:
    match = event.match("M1")
    assert said(desk.act(match, "enter", **TWO_GAMES)) == ["M1 is entered. Somebody else confirms it."]
    own = desk.act(match, "settle", version=1)
    assert (own.status_code, refusals(own)[0][0]) == (403, "own_entry")
    assert said(desk.act(match, "settle", version=1, reason="seen"))[0].startswith("M1 is final.")
    wrong = desk.act(event.match("M2"), "enter", ns1=7, ew1=5, ns2=5, ew2=7)
    assert refusals(wrong)[0][0] == "match_not_decided"
    assert 'value="5"' in body(wrong)


def test_entry_by_mistake_is_taken_back(event: Event, desk: Desk) -> None:
    """Case D9."""
    match = event.match("M1")
    desk.act(match, "enter", **TWO_GAMES)
    assert "It can be entered again" in body(desk.get(page(match, "take-back"))).replace("it can", "It can")
    desk.act(match, "take-back")
    assert event.match("M1").state == "playing"
    desk.act(match, "enter", **OTHER_GAMES)
    assert Result.objects.get(state="entered").winner_side == "EW"


def test_two_entries_are_a_dispute_and_one_of_them_is_chosen(event: Event, desk: Desk) -> None:
    match = event.match("M1")
    result_put(match_id=match.pk, games=games("7-3,7-4"), actor=event.official("scorer").actor)
    assert "Another result was entered before" in said(desk.act(match, "enter", **OTHER_GAMES))[0]
    many = desk.many([match], "settle", sure="yes", reason="")
    assert said(many) == ["M1: There is not exactly one entry that waits. Open the match. (not_one_entry)"]
    form = desk.get(page(match, "settle")).context["form"]
    assert [label.split(" · ")[0] for _value, label in form.fields["version"].choices] == [
        "7-3, 7-4",
        "7-3, 7-4",
    ]
    desk.act(Result.objects.get(version=1), "settle")
    assert Result.objects.get(state="confirmed").version == 1


def test_correction_swaps_the_teams_that_go_on(event: Event, desk: Desk) -> None:
    """Cases A1 and A17 in the admin."""
    event.play("M1")
    event.advance()
    match = event.match("M1")
    fields = {**OTHER_GAMES, "reason": "written the wrong way round"}
    looked = desk.client.post(page(match, "correct"), fields)
    assert [(one.match, one.after) for one in looked.context["preview"].changes] == [
        ("M3", "T4"),
        ("M4", "T1"),
    ]
    assert said(desk.act(match, "correct", **fields)) == ["M1 is corrected."]
    assert (event.teams()["M3"][0], event.teams()["M4"][0]) == ("T4", "T1")
    event.play("M2")
    event.advance()
    event.play("M3")
    same = {**OTHER_GAMES, "ns2": 3, "reason": "a mark less"}
    assert said(desk.act(match, "correct", **same)) == ["M1 is corrected."]
    refused = desk.client.post(page(match, "correct"), {**TWO_GAMES, "reason": "no", "sure": "yes"})
    assert refused.status_code == 409
    assert refusals(refused)[0][0] == "dependents_have_play"
    assert desk.act(match, "correct", **{**TWO_GAMES, "reason": ""}).status_code == 422


def test_forfeit_shows_what_changes_and_ends_the_match(event: Event, desk: Desk) -> None:
    match = event.match("M1")
    fields = {"side": "NS", "reason": "not here"}
    looked = desk.client.post(page(match, "forfeit"), fields)
    assert [(one.match, one.after) for one in looked.context["preview"].changes] == [
        ("M3", "T4"),
        ("M4", "T1"),
    ]
    assert Result.objects.count() == 0
    assert "M1 is over by forfeit" in said(desk.act(match, "forfeit", **fields))[0]
    assert Result.objects.get().winner_side == "EW"


def test_only_the_newest_hand_is_void(event: Event, desk: Desk) -> None:
    match, actor = event.match("M1"), event.owner.actor
    for number in (1, 2):
        bid_hand(match, actor, number)
    first, second = Hand.objects.order_by("number")
    stale = desk.act(first, "void")
    assert refusals(stale)[0][0] == "not_the_newest"
    assert said(desk.many([second], "void", sure="yes")) == ["1 record done."]
    assert list(Hand.objects.order_by("number").values_list("state", flat=True)) == ["closed", "void"]


def test_everything_done_is_in_the_log_under_the_account(event: Event, desk: Desk) -> None:
    User.objects.filter(pk=event.owner.user.pk).update(first_name="Dana")  # type: ignore[union-attr]
    desk.act(event.match("M1"), "start")
    entry = LogEntry.objects.get(action="match.started")
    assert (entry.actor_label, entry.actor_user) == ("Dana", event.owner.user)
    page_of_log = desk.get(listing(LogEntry), group="hall").context["cl"].result_list
    assert [one.action for one in page_of_log] == ["match.started"]


# ---- Lists -------------------------------------------------------------------------------------


def test_matches_are_found_by_code_team_and_event(event: Event, desk: Desk) -> None:
    other = make_tournament(4, name="Elsewhere")
    Official.objects.create(tournament=other.tournament, user=event.owner.user, role="desk")

    def found(**query: Any) -> set[tuple[str, str]]:
        rows = desk.get(listing(Match), **query).context["cl"].result_list
        return {(one.tournament.name, one.code) for one in rows}

    assert found(q="M2") == {("Lone Star Open", "M2"), ("Elsewhere", "M2")}
    assert found(q="t1", event=str(event.tournament.pk)) == {("Lone Star Open", "M1")}
    assert {name for name, _code in found(event=str(other.tournament.pk))} == {"Elsewhere"}
    assert desk.get(listing(Match), event="nonsense").status_code == 302


def test_times_are_those_of_the_venue_and_named(event: Event, desk: Desk) -> None:
    Tournament.objects.update(time_zone="Asia/Tokyo")
    assert "Times are those of Asia/Tokyo." in body(desk.get(page(event.match("M1"))))
    assert "Times are those of UTC." in body(desk.get(listing(Match)))
    assert "Times are those of Asia/Tokyo." in body(desk.get(listing(Match), event=str(event.tournament.pk)))
    assert reverse("admin:index") == "/admin/"
