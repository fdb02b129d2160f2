"""What directors do with a case, by the services, by REST and on the pages."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from scoring.models import Finding, Review
from scoring.services import review
from tests.fairplay.stored import reneging, screen, settle, store
from tests.support.events import Event, make_tournament
from tournaments.errors import AgainstRules, Conflict, NotThere
from tournaments.models import LogEntry, Match

pytestmark = pytest.mark.django_db


def case(*, unexplained: bool = False) -> tuple[Event, Match, Finding]:
    """An event with a hand that contradicts itself and its case, and one match settled at the desk."""
    event = make_tournament(4, kind="single-elimination")
    match = event.match("M1")
    screen(store(event.owner, match, reneging(unexplained=unexplained)))
    settle(event, event.match("M2"))
    screen(event.match("M2"))
    return event, match, Finding.objects.get(detector="contradiction")


def kinds(finding: Finding) -> list[str]:
    return list(finding.reviews.values_list("kind", flat=True))


def test_case_is_noted_closed_and_opened_again_and_every_act_is_kept() -> None:
    event, _, finding = case()
    at = {"tournament_id": event.tournament.pk, "number": finding.number, "actor": event.owner.actor}

    review.finding_view(**at)
    review.finding_view(**at, named=True)
    for _again in range(2):
        review.finding_note(**at, note=" Asked both teams. ")
    noted = Finding.objects.get(pk=finding.pk)
    for _again in range(2):
        review.finding_close(**at, outcome="talked")
    closed = Finding.objects.get(pk=finding.pk)
    with pytest.raises(Conflict) as refused:
        review.finding_close(**at, outcome="referred")
    for _again in range(2):
        review.finding_reopen(**at)
    opened = Finding.objects.get(pk=finding.pk)

    assert (noted.state, noted.note, noted.reviewed_by) == ("noted", "Asked both teams.", event.owner.user)
    assert (closed.state, closed.outcome, closed.note) == ("closed", "talked", "Asked both teams.")
    assert refused.value.code == "case_closed"
    assert (opened.state, opened.outcome) == ("noted", "")
    assert kinds(finding) == ["viewed", "named", "noted", "closed", "reopened"]
    assert not LogEntry.objects.filter(action__startswith="finding").exists()


@pytest.mark.parametrize(
    ("act", "code"),
    [
        (lambda at: review.finding_note(**at, note="  "), "note_missing"),
        (lambda at: review.finding_note(**at, note="x" * 4001), "bad_note"),
        (lambda at: review.finding_close(**at, outcome="other"), "unknown_outcome"),
    ],
)
def test_review_without_words_is_refused(act: Any, code: str) -> None:
    event, _, finding = case()
    at = {"tournament_id": event.tournament.pk, "number": finding.number, "actor": event.owner.actor}
    with pytest.raises(AgainstRules) as refused:
        act(at)
    assert refused.value.code == code
    assert not Review.objects.exists()


def test_cases_of_one_kind_are_closed_together_with_one_note() -> None:
    event, _, finding = case()
    numbers = list(Finding.objects.values_list("number", flat=True))
    at = {"tournament_id": event.tournament.pk, "actor": event.owner.actor}
    assert review.findings_close(**at, numbers=numbers, outcome="no-action", note="All from the sheet.") == 3
    assert review.findings_close(**at, numbers=numbers, outcome="no-action", note="Again.") == 0
    assert set(Finding.objects.values_list("state", "outcome", "note")) == {
        ("closed", "no-action", "All from the sheet.")
    }
    assert finding.reviews.count() == 1


def test_only_directors_review() -> None:
    event, _, finding = case()
    other = make_tournament(2)
    for who in (
        event.official("desk"),
        event.official("scorer"),
        other.owner,
        event.team_link(event.entry_of("T1")),
    ):
        at = {"tournament_id": event.tournament.pk, "number": finding.number, "actor": who.actor}
        for act in (
            lambda at=at: review.finding_view(**at),
            lambda at=at: review.finding_note(**at, note="x"),
            lambda at=at: review.finding_close(**at, outcome="talked"),
            lambda at=at: review.finding_reopen(**at),
            lambda at=at: review.findings_close(
                tournament_id=at["tournament_id"], actor=at["actor"], numbers=[1], outcome="talked", note="x"
            ),
        ):
            with pytest.raises(NotThere):
                act()
    assert not Review.objects.exists()
    director = event.official("director")
    review.finding_view(tournament_id=event.tournament.pk, number=finding.number, actor=director.actor)
    assert Review.objects.get().label == director.actor.label


# ---- REST ------------------------------------------------------------------------------------


def test_director_reads_and_reviews_by_rest() -> None:
    event, match, finding = case()
    client = event.official("director").client
    listed = client.get(f"{event.path}findings/")
    assert [
        (row["number"], row["detector"], row["match"], row["state"]) for row in listed.json()["results"]
    ] == [
        (3, "desk-entry", "M2", "open"),
        (2, "hand-times", match.code, "open"),
        (1, "contradiction", match.code, "open"),
    ]
    assert "no-store" in listed["Cache-Control"]
    path = f"{event.path}findings/{finding.number}/"
    shown = client.get(path).json()
    assert {row["code"] for row in shown["reasons"]} >= {"wrong_trump", "tile_typo"}
    assert shown["toward"][0]["facts"]["proof"]
    assert client.post(f"{path}note/", {"note": "Asked."}).json()["state"] == "noted"
    assert client.post(f"{path}close/", {"outcome": "referred"}).json()["outcome"] == "referred"
    assert client.post(f"{path}close/", {"outcome": "talked"}).json()["code"] == "case_closed"
    assert client.post(f"{path}close/", {"outcome": "x"}).status_code == 400
    assert client.post(f"{path}reopen/").json()["state"] == "noted"
    assert [row["number"] for row in client.get(f"{event.path}findings/?state=noted").json()["results"]] == [
        1
    ]
    assert client.get(f"{event.path}findings/?state=x").status_code == 400
    assert client.get(f"{event.path}findings/99/").status_code == 404
    coverage = client.get(f"{event.path}findings/coverage/").json()
    assert (coverage["matches"], coverage["matches_done"], coverage["hands_full"]) == (1, 1, 1)
    assert kinds(finding) == ["named", "noted", "closed", "reopened"]


def test_list_takes_the_same_queries_for_one_case_and_for_many(django_assert_max_num_queries: Any) -> None:
    event = make_tournament(16, kind="single-elimination")
    client = event.owner.client
    for number in range(1, 9):
        settle(event, event.match(f"M{number}"))
        screen(event.match(f"M{number}"))
    with django_assert_max_num_queries(5):
        assert len(client.get(f"{event.path}findings/").json()["results"]) == 8


def test_match_is_declared_as_copied_by_rest() -> None:
    event, match, _ = case()
    path = f"/api/v1/matches/{match.pk}/from-paper/"
    assert event.team_link(event.entry_of("T1")).client.post(path, {"from_paper": True}).status_code == 403
    assert event.official("scorer").client.post(path, {"from_paper": True}).json() == {"from_paper": True}
    assert event.log_of("match.from-paper") == [{"from_paper": True}]


def test_account_is_tied_by_rest() -> None:
    event, match, _ = case()
    desk = event.official("desk")
    player = event.entry(match, "NS").members.first().player  # type: ignore[union-attr]
    path = f"{event.path}players/{player.pk}/account/"
    body = {"username": desk.user.username}  # type: ignore[union-attr]
    assert desk.client.put(path, body).status_code == 403
    assert event.owner.client.put(path, body).json() == {"id": str(player.pk), "name": player.name}
    player.refresh_from_db()
    assert player.user == desk.user


# ---- Pages -----------------------------------------------------------------------------------


def signed_in(who: Any) -> Client:
    client = Client()
    client.force_login(who.user)
    return client


def test_case_page_hides_names_at_first_and_shows_them_when_asked() -> None:
    event, match, finding = case()
    client = signed_in(event.owner)
    names = [event.entry(match, side).name for side in ("NS", "EW")]
    path = f"/run/{event.slug}/fair-play/{finding.number}/"
    hidden = client.get(path).content.decode()
    shown = client.get(f"{path}?names=1").content.decode()

    assert "names hidden until you open them" in hidden
    assert "Your view is logged" in hidden
    assert not any(f">{name}<" in hidden for name in names)
    assert all(f">{name}<" in shown for name in names)
    assert "Innocent reasons, tried" in hidden
    assert f"/t/{event.slug}/matches/M1/?hand=1.1" in hidden
    assert "btn-fill" not in hidden
    assert kinds(finding) == ["viewed", "named"]


def test_case_page_notes_closes_and_keeps_what_was_typed_when_refused() -> None:
    event, _, finding = case()
    client = signed_in(event.official("director"))
    path = f"/run/{event.slug}/fair-play/{finding.number}/"
    refused = client.post(f"{path}note/", {"note": "   "})
    assert (refused.status_code, "Write what you saw or decided." in refused.content.decode()) == (422, True)
    assert client.post(f"{path}note/", {"note": "Asked <both>."}).status_code == 302
    assert "Asked &lt;both&gt;." in client.get(path).content.decode()
    done = client.post(f"{path}close/", {"note": "Talked with both.", "outcome": "talked"}, follow=True)
    assert "Case 1 is closed." in done.content.decode()
    finding.refresh_from_db()
    assert (finding.state, finding.outcome, finding.note) == ("closed", "talked", "Talked with both.")
    assert "Open it again" in done.content.decode()
    again = client.post(f"{path}close/", {"note": "", "outcome": "referred"})
    assert again.status_code == 422
    client.post(f"{path}reopen/")
    finding.refresh_from_db()
    assert finding.state == "noted"


def test_list_page_groups_cases_and_says_what_was_not_testable() -> None:
    event, _, finding = case(unexplained=True)
    client = signed_in(event.owner)
    page = client.get(f"/run/{event.slug}/fair-play/").content.decode()
    assert page.index("Records that contradict themselves") < page.index("Settled at the desk")
    assert "Not testable" in page
    assert "only the result was entered" in page
    assert f"/run/{event.slug}/fair-play/{finding.number}/" in page
    for show in ("closed", "gone", "nothing"):
        assert client.get(f"/run/{event.slug}/fair-play/?show={show}").status_code == 200
    assert not Review.objects.exists()
    numbers = list(Finding.objects.values_list("number", flat=True))
    client.post(f"/run/{event.slug}/fair-play/close/", {"number": numbers, "note": "Seen."})
    assert not Finding.objects.exclude(state="closed").exists()
    assert "Seen." in client.get(f"/run/{event.slug}/fair-play/{finding.number}/").content.decode()


def test_pages_declare_paper_and_tie_accounts() -> None:
    event, _, _ = case()
    client = signed_in(event.owner)
    desk = event.official("desk")
    client.post(f"/run/{event.slug}/fair-play/paper/", {"from_paper": "yes"})
    assert event.fresh().from_paper is True
    path = f"/run/{event.slug}/fair-play/accounts/"
    player = event.entry_of("T1").members.first().player  # type: ignore[union-attr]
    assert player.name in client.get(path).content.decode()
    client.post(path, {"player": str(player.pk), "username": desk.user.username})  # type: ignore[union-attr]
    player.refresh_from_db()
    assert player.user == desk.user
    assert client.post(path, {"player": "x", "username": "y"}, follow=True).status_code == 200
    client.post(f"/run/{event.slug}/fair-play/paper/", {"from_paper": "no"})
    assert event.fresh().from_paper is False


def test_every_code_has_words() -> None:
    from scoring.director_findings import words
    from scoring.fairplay import registry

    names = {detector.name for detector in registry.DETECTORS}
    assert set(words.DETECTORS) == names == set(words.STEPS)
    assert {code for detector in registry.DETECTORS for code in detector.innocent} <= set(words.REASONS)
