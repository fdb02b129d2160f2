"""The table page by plain form posts: three taps, marks only, undo, confirming, disputes, conflicts, judges."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import unescape
from typing import Any

import pytest
from django.test import Client

from scoring.models import Hand
from tables.enums import JudgeCallKind
from tables.models import JudgeCall
from tables.tokens import code_of
from tests.director.table import client_of
from tests.support.callers import Caller
from tests.support.events import Event, make_tournament
from tournaments.models import Match

pytestmark = pytest.mark.django_db


@dataclass
class Table:
    """A match at a table with the table's link and both teams' links, as browsers."""

    event: Event
    code: str = "M1"
    links: dict[str, Caller] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.links = {"table": self.event.table_link(self.match), **self.event.side_links(self.match)}
        self.phone, self.ns, self.ew = (client_of(self.links[name]) for name in ("table", "NS", "EW"))

    @property
    def match(self) -> Match:
        return self.event.match(self.code)

    def post(self, tail: str, body: dict[str, Any] | None = None, phone: Client | None = None) -> Any:
        return (phone or self.phone).post(f"/link/{self.code}/{tail}", body or {}, follow=True)

    def page(self, phone: Client | None = None) -> str:
        answer = (phone or self.phone).get("/link/")
        assert answer.status_code == 200
        return answer.content.decode()

    def hand(
        self, number: int, bid: str, seat: str, how: str, *, game: int = 1, phone: Client | None = None
    ) -> Any:
        return self.post(f"games/{game}/hands/{number}/", {"bid": bid, "seat": seat, "how": how}, phone)

    def enter(self, phone: Client | None = None, ns: int = 7, ew: int = 3) -> None:
        for game in (1, 2):
            self.post(f"games/{game}/", {"ns": ns, "ew": ew}, phone)

    def hands(self) -> list[tuple[int, str, str, str, int, int]]:
        rows = (
            Hand.objects.filter(game__match=self.match)
            .exclude(state="void")
            .order_by("game__number", "number")
        )
        return list(rows.values_list("number", "bid", "declarer", "ending", "marks_ns", "marks_ew"))


@pytest.fixture
def table() -> Table:
    return Table(make_tournament(4))


def test_three_taps_show_the_totals_before_anything_is_saved(table: Table) -> None:
    empty = table.phone.get("/link/M1/hand/")
    assert "Three taps" in empty.content.decode()
    answer = table.phone.get("/link/M1/hand/", {"bid": "84", "seat": "S", "how": "made"})
    outcome = answer.context["outcome"]
    assert [(side.before, side.after) for side in outcome.sides] == [(0, 2), (0, 0)]
    assert outcome.button == "Save: 84 made, 2 marks"
    assert not table.match.game_records.exists()
    sheet = table.phone.get("/link/M1/hand/", {"bid": "84", "seat": "S", "how": "set", "fragment": "sheet"})
    assert "Save: 84 set, 2 marks" in sheet.content.decode()
    assert "<html" not in sheet.content.decode()


def test_hands_are_saved_at_their_place(table: Table) -> None:
    table.hand(1, "84", "S", "made")
    table.hand(2, "31", "E", "set")
    table.post("games/1/hands/3/", {"how": "passed"})
    assert table.hands() == [
        (1, "84", "S", "made", 2, 0),
        (2, "31", "E", "set", 1, 0),
        (3, "", "", "thrown-in", 0, 0),
    ]
    page = table.page()
    assert "Enter hand 4" in page
    assert "Undo hand 3" in page
    assert "All passed, thrown in" in page


def test_hand_sent_twice_is_one_hand(table: Table) -> None:
    for _ in range(2):
        assert table.hand(1, "32", "N", "made").status_code == 200
    assert table.hands() == [(1, "32", "N", "made", 1, 0)]


def test_shaker_said_at_the_first_hand_goes_round(table: Table) -> None:
    for _ in range(2):  # sent twice by a phone that lost the answer
        table.post("games/1/hands/1/", {"bid": "30", "seat": "N", "how": "made", "shaker": "W"})
    assert len(table.hands()) == 1
    page = table.phone.get("/link/M1/hand/").content.decode()
    assert "shakes" in page
    assert "Who shakes first" not in page


def test_bid_that_cannot_stand_is_refused_with_its_reason_and_kept(table: Table) -> None:
    table.post("games/1/hands/1/", {"bid": "30", "seat": "N", "how": "made", "shaker": "W"})
    # North shakes the second hand and calls last: it cannot have won with 30 over three passes under a 29.
    answer = table.post("games/1/hands/2/", {"bid": "4m", "seat": "E", "how": "made"})
    assert answer.status_code == 422
    body = answer.content.decode()
    assert "No auction under these rules ends with 4m by this seat." in body
    assert 'value="4m" checked' in body
    assert len(table.hands()) == 1


def test_undo_takes_back_one_hand_however_often_it_is_pressed(table: Table) -> None:
    table.hand(1, "30", "N", "made")
    table.hand(2, "31", "E", "made")
    for _ in range(3):
        table.post("undo/", {"game": 1, "hand": 2})
    assert table.hands() == [(1, "30", "N", "made", 1, 0)]
    table.hand(2, "42", "E", "made")
    table.post("undo/", {"game": 1, "hand": 1})
    assert len(table.hands()) == 2


def test_marks_only_of_a_hand_and_of_a_game(table: Table) -> None:
    table.post("games/1/hands/1/", {"level": "marks", "winner": "EW", "marks": 2})
    assert table.hands() == [(1, "", "", "", 0, 2)]
    marks = table.phone.get("/link/M1/marks/").content.decode()
    assert "undo them first" in marks
    table.post("undo/", {"game": 1, "hand": 1})
    table.post("games/1/", {"ns": 7, "ew": 5})
    assert [(game.marks_ns, game.marks_ew, game.whole) for game in table.match.game_records.all()] == [
        (7, 5, True)
    ]


def test_impossible_game_says_why_and_keeps_what_was_typed(table: Table) -> None:
    answer = table.post("games/1/", {"ns": 7, "ew": 7})
    assert answer.status_code == 422
    body = answer.content.decode()
    assert "7-7 has no winner." in body
    assert body.count('value="7"') >= 2
    assert "Give the marks of both sides." in table.post("games/1/", {"ns": 7}).content.decode()
    assert not table.match.game_records.exists()


def test_end_of_a_game_and_of_the_match_is_said_before_it_is_saved(table: Table) -> None:
    for number in (1, 2, 3):
        table.hand(number, "84", "N", "made")
    query = {"bid": "42", "seat": "N", "how": "made"}
    assert "This ends game 1" in table.phone.get("/link/M1/hand/", query).content.decode()
    table.hand(4, "42", "N", "made")
    for number in (1, 2, 3):
        table.hand(number, "84", "S", "made", game=2)
    assert "This ends the match" in table.phone.get("/link/M1/hand/", query).content.decode()
    table.hand(4, "42", "S", "made", game=2)
    assert table.match.state == "entered"


def test_loser_confirms_on_its_own_phone_and_nobody_else(table: Table) -> None:
    table.enter()
    assert "Waiting for the other side" in table.page()
    assert "Is this right?" in table.page(table.ew)
    assert "Is this right?" not in table.page(table.ns)
    for phone in (table.phone, table.ns):
        table.post("confirm/", {"version": 1}, phone)
        assert table.match.state == "entered"
    table.post("confirm/", {"version": 1}, table.ew)
    assert (table.match.state, table.match.results.get().settled_way) == ("confirmed", "other-side")


def test_team_that_entered_waits_for_the_other(table: Table) -> None:
    table.enter(table.ew)
    assert "Is this right?" in table.page(table.ns)
    assert "Is this right?" not in table.page(table.ew)
    table.post("confirm/", {"version": 1}, table.ns)
    assert table.match.state == "confirmed"


def test_other_sides_code_confirms_on_this_phone(table: Table) -> None:
    table.enter()
    link = table.links["EW"].link
    assert link is not None
    right = code_of(link.pk)
    wrong = f"{(int(right) + 1) % 10000:04d}"
    answer = table.post("code/", {"version": 1, "side": "EW", "code": wrong})
    assert answer.status_code == 403
    assert "Tries left: 4" in answer.content.decode()
    table.post("code/", {"version": 1, "side": "EW", "code": right})
    assert table.match.state == "confirmed"


def test_taking_back_opens_the_last_game_again(table: Table) -> None:
    table.enter()
    table.post("take-back/")
    assert table.match.state == "playing"
    assert [game.number for game in table.match.game_records.all()] == [1]
    table.post("take-back/")
    assert [game.number for game in table.match.game_records.all()] == [1]


def test_no_is_a_dispute_that_the_desk_decides(table: Table) -> None:
    table.enter()
    table.post("dispute/", {}, table.ew)
    assert table.match.state == "disputed"
    for phone in (table.phone, table.ns, table.ew):
        assert "The desk has been told. Nothing was overwritten." in table.page(phone)
    table.post("confirm/", {"version": 1}, table.ew)
    assert table.match.state == "disputed"


def test_two_phones_that_differ_overwrite_nothing_and_tell_the_desk(table: Table) -> None:
    table.hand(1, "32", "N", "made")
    for _ in range(2):
        answer = table.hand(1, "32", "N", "set", phone=table.ew)
        assert answer.status_code == 409
        body = answer.content.decode()
        assert "Hand 1 was entered twice, not the same." in body
        assert "32 by North, made" in body
        assert "32 by North, set" in body
    assert table.hands() == [(1, "32", "N", "made", 1, 0)]
    call = JudgeCall.objects.get()
    assert (call.kind, call.facts["hand"]) == (JudgeCallKind.DIFFERS, 1)
    assert "entered twice" in table.page()
    table.post(f"judge/{call.pk}/", {}, table.ew)
    assert "entered twice" not in table.page()


def test_page_opened_before_another_phone_saved_is_compared_not_moved(table: Table) -> None:
    table.hand(1, "32", "N", "made", phone=table.ew)
    query = {"bid": "32", "seat": "N", "how": "set", "game": 1, "hand": 1, "fragment": "sheet"}
    sheet = table.phone.get("/link/M1/hand/", query).content.decode()
    assert "was entered on another phone meanwhile" in sheet
    assert "/link/M1/games/1/hands/1/" in sheet


def test_page_of_a_match_that_left_the_table_saves_nothing(table: Table) -> None:
    table.event.play("M1")
    table.event.advance()
    answer = table.post("games/1/hands/1/", {"bid": "30", "seat": "N", "how": "made"})
    assert "not at this link any more. Nothing was saved." in answer.content.decode()
    assert "No match is at this table." in table.page()


def test_judge_is_asked_for_once_and_can_be_sent_away(table: Table) -> None:
    for _ in range(2):
        table.post("judge/", {"note": "Renege"})
    call = JudgeCall.objects.get()
    assert (call.note, call.called_label) == ("Renege", str(table.links["table"].actor.label))
    assert "No need any more" in table.page()
    assert "No need any more" not in table.page(table.ew)
    table.post(f"judge/{call.pk}/", {}, table.ew)
    call.refresh_from_db()
    assert call.answered_at is None
    table.post(f"judge/{call.pk}/")
    call.refresh_from_db()
    assert call.answered_at is not None


def test_message_of_the_director_is_on_every_table(table: Table) -> None:
    client_of(table.event.owner).post(f"/run/{table.event.slug}/screens/", {"text": "Lunch at noon"})
    assert "Lunch at noon" in table.page()


def test_revoked_link_opens_nothing_and_forgets_itself(table: Table) -> None:
    link = table.links["table"].link
    assert link is not None
    assert link.table is not None
    client_of(table.event.owner).post(
        f"/run/{table.event.slug}/cards/table/{link.table.number}/", {"act": "revoke"}
    )
    answer = table.phone.get("/link/")
    assert answer.status_code == 404
    assert table.hand(1, "30", "N", "made").status_code == 404
    assert not table.match.game_records.exists()


def test_hand_tile_by_tile_refuses_an_illegal_tile_beside_what_was_tried(table: Table) -> None:
    table.post("full/", {"shaker": "W"})
    hand = table.match.game_records.get().hands.get()
    base = f"hands/{hand.pk}/"
    for seq, (seat, call) in enumerate(zip("NESW", ["30", "pass", "pass", "pass"], strict=True), start=1):
        for _ in range(2):
            assert table.post(f"{base}calls/{seq}/", {"seat": seat, "call": call}).status_code == 200
    low = table.post(f"{base}calls/5/", {"seat": "N", "call": "29"})
    assert low.status_code in {409, 422}
    table.post(f"{base}trump/", {"trump": "6"})
    page = table.phone.get(f"/link/M1/{base}")
    groups = [(group.kind, len(group.cells)) for group in page.context["full"].groups]
    assert groups == [("follows", 28), ("other", 0), ("gone", 0)]
    table.post(f"{base}plays/1/", {"seat": "N", "tile": "6-6"})
    page = table.phone.get(f"/link/M1/{base}")
    groups = [(group.kind, len(group.cells)) for group in page.context["full"].groups]
    assert groups == [("follows", 6), ("other", 21), ("gone", 1)]
    wrong = table.post(f"{base}plays/2/", {"seat": "E", "tile": "6-6"})
    assert wrong.status_code == 422
    assert "has been played already" in wrong.content.decode()
    table.post("undo/", {"game": 1, "hand": 1})
    assert table.phone.get(f"/link/M1/{base}").status_code == 404


def test_page_takes_as_many_queries_with_one_hand_as_with_ten(
    table: Table, django_assert_max_num_queries: Any
) -> None:
    table.hand(1, "30", "N", "made")
    with django_assert_max_num_queries(34) as first:
        table.page()
    for number in range(2, 11):
        table.hand(number, "30", "N" if number % 2 else "E", "made")
    with django_assert_max_num_queries(34) as later:
        table.page()
    assert len(later) == len(first)


def test_official_enters_in_place_of_the_table(table: Table) -> None:
    scorer = client_of(table.event.official("scorer"))
    base = f"/run/{table.event.slug}/matches/M1/play/"
    assert scorer.get(base).status_code == 200
    scorer.post(f"{base}games/1/hands/1/", {"bid": "30", "seat": "N", "how": "made"})
    assert table.hands() == [(1, "30", "N", "made", 1, 0)]
    assert scorer.get(f"{base}hand/", {"bid": "42", "seat": "E", "how": "set"}).status_code == 200
    assert scorer.get(f"{base}marks/").status_code == 200


def code_in(answer: Any) -> tuple[str, str]:
    """The code and the sentence of the refusal on a page."""
    body = answer.content.decode()
    code = re.search(r'data-code="(\w+)"', body)
    assert code is not None
    text = re.search(r'data-code="\w+"[^>]*>.*?<span>(.*?)</span>', body, re.DOTALL)
    assert text is not None
    return code[1], unescape(re.sub(r"<[^>]+>", " ", text[1])).strip()


def test_pages_and_api_refuse_with_the_same_code_and_sentence(table: Table) -> None:
    api = table.links["table"].client
    match = f"/api/v1/matches/{table.match.pk}/"

    def problem(answer: Any) -> tuple[str, str]:
        return answer.json()["code"], answer.json()["detail"]

    wrong_total = {"NS": 7, "EW": 7}
    page = code_in(table.post("games/1/", {"ns": 7, "ew": 7}))
    assert page == problem(api.put(f"{match}games/1/", wrong_total))

    table.post("full/", {"shaker": "W"})
    hand = table.match.game_records.get().hands.get()
    base, path = f"hands/{hand.pk}/", f"/api/v1/hands/{hand.pk}/"
    table.post(f"{base}calls/1/", {"seat": "N", "call": "31"})
    low = {"seat": "E", "call": "30"}
    page_code, page_text = code_in(table.post(f"{base}calls/2/", low))
    assert (page_code, page_text) == problem(api.put(f"{path}calls/2/", low))
    for seq, seat in enumerate("ESW", start=2):
        table.post(f"{base}calls/{seq}/", {"seat": seat, "call": "pass"})
    table.post(f"{base}trump/", {"trump": "6"})
    table.post(f"{base}plays/1/", {"seat": "N", "tile": "6-6"})
    tile = {"seat": "E", "tile": "6-6"}
    page_code, page_text = code_in(table.post(f"{base}plays/2/", tile))
    api_code, api_text = problem(api.put(f"{path}plays/2/", tile))
    assert (page_code, page_text.startswith(api_text)) == (api_code, True)
