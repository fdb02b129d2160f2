"""Links: one live link for each target, who may issue it, what it opens."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tables.enums import LinkKind
from tables.models import AccessLink
from tables.selectors.links import actor_of_token, link_contents, link_of_token
from tables.services.assignment import tables_assign
from tables.services.links import LinkTarget, link_issue, link_reissue, link_revoke, links_issue
from tables.tokens import code_of, token_of
from tests.tables.event import Event, account, holder, make_event
from tests.tables.threads import at_once
from tournaments.enums import ActorKind
from tournaments.errors import Refusal
from tournaments.models import LogEntry
from tournaments.permissions import may_score, side_of
from tournaments.services.entry import entry_withdraw

pytestmark = pytest.mark.django_db


def targets(event: Event) -> list[LinkTarget]:
    match = event.match(1)
    return [
        LinkTarget(LinkKind.TABLE, event.table(1).pk),
        LinkTarget(LinkKind.TEAM, event.team(match, "NS").pk),
        LinkTarget(LinkKind.SEAT, match.pk, "E"),
    ]


@pytest.mark.parametrize("place", range(3))
def test_link_is_issued_once_and_reissued_new(place: int) -> None:
    event = make_event(tables=1)
    target = targets(event)[place]
    desk = event.official("desk")
    first = link_issue(target=target, actor=desk)
    assert link_issue(target=target, actor=desk) == first
    second = link_reissue(target=target, actor=desk)
    assert token_of(first.pk) != token_of(second.pk)
    assert link_of_token(token_of(first.pk)) is None
    assert link_of_token(token_of(second.pk)) == second
    assert link_revoke(target=target, actor=desk) is True
    assert link_revoke(target=target, actor=desk) is False
    assert link_of_token(token_of(second.pk)) is None
    actions = LogEntry.objects.filter(tournament=event.id, action__startswith="link.").order_by("at")
    assert list(actions.values_list("action", flat=True)) == [
        "link.issued",
        "link.revoked",
        "link.issued",
        "link.revoked",
    ]
    secrets = [token_of(first.pk), token_of(second.pk)]
    assert not any(secret in str(row.facts) for row in actions for secret in secrets)


@pytest.mark.parametrize("place", range(3))
@pytest.mark.parametrize("act", [link_issue, link_reissue, link_revoke])
def test_links_need_the_desk(act: Any, place: int) -> None:
    event, private = make_event(tables=1), make_event(tables=1, visibility="private")
    for actor in (account(), event.official("scorer"), private.owner):
        with pytest.raises(Refusal) as refusal:
            act(target=targets(event)[place], actor=actor)
        assert refusal.value.code == "role_required"
    with pytest.raises(Refusal) as refusal:
        act(target=targets(private)[place], actor=event.owner)
    assert refusal.value.code == "not_found"
    assert not AccessLink.objects.exists()


def test_link_target_that_is_not_there() -> None:
    event = make_event(tables=1)
    wrong = [LinkTarget(kind, event.id, "N") for kind in LinkKind]
    for target in wrong:
        with pytest.raises(Refusal) as refusal:
            link_issue(target=target, actor=event.owner)
        assert refusal.value.code == "not_found"
    with pytest.raises(Refusal) as refusal:
        link_issue(target=LinkTarget(LinkKind.SEAT, event.match(1).pk, "X"), actor=event.owner)
    assert refusal.value.code == "bad_seat"


def test_team_that_is_out_gets_no_new_link_and_loses_the_old() -> None:
    event = make_event()
    target = targets_of_team(event)
    link_issue(target=target, actor=event.owner)
    entry_withdraw(entry_id=target.id, actor=event.owner)
    assert link_revoke(target=target, actor=event.owner) is True
    with pytest.raises(Refusal) as refusal:
        link_issue(target=target, actor=event.owner)
    assert refusal.value.code == "entry_out"


def targets_of_team(event: Event) -> LinkTarget:
    return LinkTarget(LinkKind.TEAM, event.team(event.match(1), "NS").pk)


def test_links_issue_covers_all_tables_and_teams_once() -> None:
    event = make_event(teams=4, tables=2)
    first = links_issue(tournament_id=event.id, actor=event.owner)
    assert [
        (link.kind, link.table and link.table.number, link.entry and link.entry.number) for link in first
    ] == [
        ("table", 1, None),
        ("table", 2, None),
        *(("team", None, number) for number in (1, 2, 3, 4)),
    ]
    assert links_issue(tournament_id=event.id, actor=event.owner) == first
    entry_withdraw(entry_id=targets_of_team(event).id, actor=event.owner)
    assert len(links_issue(tournament_id=event.id, actor=event.owner)) == 5
    assert AccessLink.objects.filter(tournament=event.id).count() == 6
    assert LogEntry.objects.filter(tournament=event.id, action="links.issued").count() == 1


def test_links_issue_number_of_queries_does_not_grow() -> None:
    counts = []
    for teams, tables in ((2, 1), (60, 30)):
        event = make_event(teams=teams, tables=tables)
        with CaptureQueriesContext(connection) as queries:
            links_issue(tournament_id=event.id, actor=event.owner)
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_table_link_follows_the_match_at_its_table() -> None:
    event = make_event(teams=4, tables=1)
    link = link_issue(target=LinkTarget(LinkKind.TABLE, event.table(1).pk), actor=event.owner)
    assert holder(link).match_id is None
    tables_assign(tournament_id=event.id)
    one, two = event.match(1), event.match(2)
    actor = holder(link)
    assert (actor.kind, actor.label, actor.match_id) == (ActorKind.TABLE, "Table 1", one.pk)
    assert (may_score(actor, one), may_score(actor, two), side_of(actor, one)) == (True, False, "")
    event.play(one, "NS")
    tables_assign(tournament_id=event.id)
    actor = holder(link)
    assert (may_score(actor, one), may_score(actor, two)) == (False, True)


def test_team_and_seat_links_open_their_own_matches() -> None:
    event, other = make_event(teams=4), make_event(teams=4)
    one, two, foreign = event.match(1), event.match(2), other.match(1)
    _, team, seat = (
        None,
        holder(link_issue(target=targets_of_team(event), actor=event.owner)),
        holder(link_issue(target=LinkTarget(LinkKind.SEAT, one.pk, "E"), actor=event.owner)),
    )
    assert [may_score(team, match) for match in (one, two, foreign)] == [True, False, False]
    assert [may_score(seat, match) for match in (one, two, foreign)] == [True, False, False]
    assert (side_of(team, one), side_of(seat, one)) == ("NS", "EW")
    assert (team.label, seat.label) == (event.team(one, "NS").name, "M1 East")


def test_link_contents_show_table_match_teams_and_seats(django_assert_max_num_queries: Any) -> None:
    event = make_event(teams=4, tables=2)
    links = links_issue(tournament_id=event.id, actor=event.owner)
    tables_assign(tournament_id=event.id)
    result = event.enter(event.match(1), "NS")
    team = next(link for link in links if link.entry == event.team(event.match(1), "EW"))
    for link, side in ((links[0], ""), (team, "EW")):
        with django_assert_max_num_queries(7):
            contents = link_contents(link)
            assert (contents.table, contents.match, contents.side) == (event.table(1), event.match(1), side)
            assert set(contents.seats) == {"N", "E", "S", "W"}
            assert set(contents.teams) == {"NS", "EW"}
            assert contents.result == result


def test_team_link_shows_the_next_match_it_waits_for() -> None:
    event = make_event(teams=4)
    event.play(event.match(1), "NS")
    link = link_issue(target=targets_of_team(event), actor=event.owner)
    contents = link_contents(link)
    assert (contents.match, contents.table, contents.side) == (event.match(3), None, "NS")
    assert list(contents.teams) == ["NS"]


def test_code_changes_with_a_new_link() -> None:
    event = make_event()
    codes = {code_of(link_reissue(target=targets_of_team(event), actor=event.owner).pk) for _ in range(20)}
    assert len(codes) > 15


@pytest.mark.django_db(transaction=True)
def test_links_issued_at_once_are_one() -> None:
    event = make_event(tables=1)
    target = targets(event)[0]
    answers = at_once(*[lambda: link_issue(target=target, actor=event.owner)] * 4)
    assert len({str(answer and getattr(answer, "pk", answer)) for answer in answers}) == 1
    assert AccessLink.objects.filter(tournament=event.id).count() == 1


@pytest.mark.parametrize("place", range(3))
def test_actor_behind_a_token_is_the_one_of_its_link(place: int) -> None:
    event = make_event(tables=1)
    link = link_issue(target=targets(event)[place], actor=event.owner)
    token = token_of(link.pk)
    before = actor_of_token(token)
    assert before == holder(link)
    tables_assign(tournament_id=event.id)
    with CaptureQueriesContext(connection) as captured:
        after = actor_of_token(token)
    assert len(captured) == 1
    assert after == holder(link)
    assert (before != after) == (link.kind == LinkKind.TABLE)
    link_revoke(target=targets(event)[place], actor=event.owner)
    assert [actor_of_token(text) for text in (token, "", "made-up")] == [None, None, None]
