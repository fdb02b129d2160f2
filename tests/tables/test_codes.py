"""Team codes: the other side confirms on the same phone, with few tries."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tables.enums import LinkKind
from tables.models import AccessLink
from tables.services.assignment import tables_assign
from tables.services.codes import code_check, result_confirm_with_code
from tables.services.links import LinkTarget, link_issue, link_reissue, links_issue
from tables.tokens import code_of
from tests.tables.event import Event, account, holder, make_event
from tests.tables.threads import at_once
from tournaments.actors import Actor
from tournaments.errors import NotYours, Refusal, TooMany
from tournaments.models import LogEntry, Match

pytestmark = pytest.mark.django_db


def seated_event() -> tuple[Event, Actor, Match]:
    """An event with links and two matches at tables, and the holder of table 1's link."""
    event = make_event(teams=4, tables=2)
    links = links_issue(tournament_id=event.id, actor=event.owner)
    tables_assign(tournament_id=event.id)
    return event, holder(links[0]), event.match(1)


def code(event: Event, match: Match, side: str) -> str:
    return code_of(AccessLink.objects.get(entry=event.team(match, side), revoked_at=None).pk)


def wrong(event: Event, match: Match, side: str) -> str:
    return f"{(int(code(event, match, side)) + 1) % 10000:04d}"


def refusal_of(act: Callable[..., Any], **arguments: Any) -> Refusal:
    with pytest.raises(Refusal) as refusal:
        act(**arguments)
    return refusal.value


def test_code_of_the_losing_side_settles_what_the_table_entered() -> None:
    event, table, match = seated_event()
    result = event.enter(match, "NS", actor=table)
    settled = result_confirm_with_code(
        match_id=match.pk, version=result.version, side="EW", code=code(event, match, "EW"), actor=table
    )
    assert (settled.state, settled.settled_way, settled.settled_label) == (
        "confirmed",
        "other-side",
        "Table 1",
    )
    assert event.sitting() == {2: 2}


def test_code_of_the_side_that_entered_does_not_settle() -> None:
    event, _, match = seated_event()
    team = holder(AccessLink.objects.get(entry=event.team(match, "NS")))
    result = event.enter(match, "NS", actor=team)
    own = {"side": "NS", "code": code(event, match, "NS")}
    refusal = refusal_of(
        result_confirm_with_code, match_id=match.pk, version=result.version, actor=team, **own
    )
    assert refusal.code == "other_side_confirms"
    other = {"side": "EW", "code": code(event, match, "EW")}
    settled = result_confirm_with_code(match_id=match.pk, version=result.version, actor=team, **other)
    assert settled.settled_way == "other-side"


def test_five_wrong_codes_lock_the_right_one_too_for_ten_minutes() -> None:
    event, table, match = seated_event()
    result = event.enter(match, "NS", actor=table)
    call = {"match_id": match.pk, "version": result.version, "side": "EW", "actor": table}
    bad, good = wrong(event, match, "EW"), code(event, match, "EW")
    left = []
    for _ in range(4):
        refusal = refusal_of(result_confirm_with_code, code=bad, **call)
        assert (type(refusal), refusal.code, refusal.status) == (NotYours, "code_wrong", 403)
        left.append(refusal.facts["tries_left"])
    assert left == [4, 3, 2, 1]
    for typed in (bad, good):
        refusal = refusal_of(result_confirm_with_code, code=typed, **call)
        assert (type(refusal), refusal.code, refusal.status) == (TooMany, "code_locked", 429)
    link = AccessLink.objects.get(entry=event.team(match, "EW"))
    assert link.locked_until is not None
    assert timedelta(minutes=9) < link.locked_until - timezone.now() <= timedelta(minutes=10)
    wrongs = LogEntry.objects.filter(tournament=event.id, action="code.wrong").order_by("at")
    assert [row.facts["tries_left"] for row in wrongs] == [4, 3, 2, 1, 0]
    assert not any(typed in str(row.facts) for row in wrongs for typed in (bad, good))
    assert event.match(1).state == "entered"

    AccessLink.objects.filter(pk=link.pk).update(locked_until=timezone.now() - timedelta(seconds=1))
    refusal = refusal_of(result_confirm_with_code, code=bad, **call)
    assert (refusal.code, refusal.facts["tries_left"]) == ("code_wrong", 4)
    assert result_confirm_with_code(code=good, **call).state == "confirmed"
    link.refresh_from_db()
    assert (link.failed_tries, link.locked_until) == (0, None)


def test_wrong_codes_of_one_team_do_not_lock_the_other() -> None:
    event, table, match = seated_event()
    for _ in range(5):
        refusal_of(code_check, match_id=match.pk, side="EW", code=wrong(event, match, "EW"), actor=table)
    assert code_check(match_id=match.pk, side="NS", code=code(event, match, "NS"), actor=table) == "NS"


def test_code_needs_the_right_to_score_the_match() -> None:
    """Nobody from outside can try codes, or lock a team out by wrong ones."""
    event, table, match = seated_event()
    elsewhere = {"match_id": event.match(2).pk, "side": "EW", "code": code(event, event.match(2), "EW")}
    assert refusal_of(code_check, actor=table, **elsewhere).code == "not_your_match"
    here = {"match_id": match.pk, "side": "EW", "code": wrong(event, match, "EW")}
    other = make_event(teams=2)
    for actor in (account(), other.owner):
        assert refusal_of(code_check, actor=actor, **here).code == "not_your_match"
    assert AccessLink.objects.get(entry=event.team(match, "EW")).failed_tries == 0


@pytest.mark.parametrize("typed", ["", "123", "12345", "abcd", "١٢٣٤", " 123", "12\x004"])
def test_code_that_is_not_four_digits_costs_no_try(typed: str) -> None:
    event, table, match = seated_event()
    refusal = refusal_of(code_check, match_id=match.pk, side="EW", code=typed, actor=table)
    assert (refusal.code, refusal.status) == ("bad_code", 400)
    assert AccessLink.objects.get(entry=event.team(match, "EW")).failed_tries == 0


def test_code_refuses_unknown_side_team_without_code_and_waiting_match() -> None:
    event, table, match = seated_event()
    call = {"match_id": match.pk, "code": "0000", "actor": table}
    assert refusal_of(code_check, side="XX", **call).code == "bad_side"
    AccessLink.objects.filter(kind=LinkKind.TEAM).update(revoked_at=timezone.now())
    refusal = refusal_of(code_check, side="EW", **call)
    assert (refusal.code, refusal.status) == ("no_code", 409)
    final = {"match_id": event.match(3).pk, "code": "0000", "actor": event.owner}
    assert refusal_of(code_check, side="EW", **final).code == "teams_unknown"


def test_reissue_gives_a_fresh_code() -> None:
    event, table, match = seated_event()
    old = code(event, match, "EW")
    target = LinkTarget(LinkKind.TEAM, event.team(match, "EW").pk)
    while code_of(link_reissue(target=target, actor=event.owner).pk) == old:
        pass
    call = {"match_id": match.pk, "side": "EW", "actor": table}
    assert refusal_of(code_check, code=old, **call).code == "code_wrong"
    assert code_check(code=code_of(link_issue(target=target, actor=event.owner).pk), **call) == "EW"


@pytest.mark.django_db(transaction=True)
def test_codes_tried_at_once_are_all_counted() -> None:
    event, table, match = seated_event()
    bad = wrong(event, match, "EW")
    tries = [lambda: code_check(match_id=match.pk, side="EW", code=bad, actor=table)] * 8
    codes = sorted(getattr(answer, "code", repr(answer)) for answer in at_once(*tries))
    assert codes == ["code_locked"] * 4 + ["code_wrong"] * 4
    assert LogEntry.objects.filter(tournament=event.id, action="code.wrong").count() == 5
