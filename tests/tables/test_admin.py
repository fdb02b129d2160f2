"""Tables and links in the admin: read-only records, actions that call the services."""

from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse

from tables.models import AccessLink, Table
from tables.services.assignment import tables_assign
from tables.services.links import links_issue
from tests.tables.event import Event, make_event

pytestmark = pytest.mark.django_db

MODELS = ["room", "table", "seating", "seatassignment", "accesslink"]


def staff_of(event: Event) -> User:
    """The event's owner with a place in the admin."""
    user: Any = event.owner.user
    user.is_staff = True
    user.save()
    user.user_permissions.set(Permission.objects.filter(content_type__app_label="tables"))
    return User.objects.get(pk=user.pk)


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def event() -> Event:
    event = make_event(teams=4, tables=2)
    links_issue(tournament_id=event.id, actor=event.owner)
    tables_assign(tournament_id=event.id)
    return event


def run_action(client: Client, model: str, action: str, rows: list[Any]) -> str:
    """Run an admin action, sure of it where it asks; the page with its messages."""
    body = {"action": action, "_selected_action": [str(row.pk) for row in rows], "sure": "yes"}
    return client.post(reverse(f"admin:tables_{model}_changelist"), body, follow=True).content.decode()


@pytest.mark.parametrize("model", MODELS)
def test_lists_show_own_events_only_and_nothing_can_be_edited(event: Event, model: str) -> None:
    """Case P1 in the admin."""
    other = make_event(teams=4, tables=2)
    links_issue(tournament_id=other.id, actor=other.owner)
    client = signed_in(staff_of(event))
    page = client.get(reverse(f"admin:tables_{model}_changelist"), {"q": "x"})
    assert page.status_code == 200
    seen = client.get(reverse(f"admin:tables_{model}_changelist")).context["cl"].queryset
    path = {"seating": "table__tournament", "seatassignment": "match__tournament"}.get(model, "tournament")
    assert set(seen.values_list(path, flat=True)) <= {event.id}
    assert client.get(reverse(f"admin:tables_{model}_add")).status_code == 403
    for row in seen[:1]:
        address = reverse(f"admin:tables_{model}_change", args=[row.pk])
        assert client.get(address).status_code == 200
        assert client.post(address, {}).status_code == 403
        assert (
            client.post(reverse(f"admin:tables_{model}_delete", args=[row.pk]), {"post": "yes"}).status_code
            == 403
        )


def test_actions_call_the_services(event: Event) -> None:
    client = signed_in(staff_of(event))
    tables = list(Table.objects.filter(tournament=event.id))
    for action, state in (
        ("reserve_tables", "reserved"),
        ("close_tables", "closed"),
        ("open_tables", "open"),
    ):
        run_action(client, "table", action, tables)
        assert set(Table.objects.filter(tournament=event.id).values_list("state", flat=True)) == {state}
    run_action(client, "table", "free_tables", tables)
    assert event.sitting() == {}
    before = set(AccessLink.objects.filter(kind="table", revoked_at=None).values_list("pk", flat=True))
    run_action(client, "table", "issue_links", tables)
    assert (
        set(AccessLink.objects.filter(kind="table", revoked_at=None).values_list("pk", flat=True)) == before
    )
    run_action(client, "table", "renew_links", tables)
    renewed = AccessLink.objects.filter(kind="table", revoked_at=None)
    assert renewed.count() == 2
    assert not before & set(renewed.values_list("pk", flat=True))


def test_actions_on_links_leave_those_already_revoked_alone(event: Event) -> None:
    client = signed_in(staff_of(event))
    teams = list(AccessLink.objects.filter(kind="team"))
    run_action(client, "accesslink", "renew_links", teams)
    live = AccessLink.objects.filter(kind="team", revoked_at=None)
    renewed = set(live.values_list("pk", flat=True))
    assert len(renewed) == 4
    run_action(client, "accesslink", "revoke_links", teams)
    assert set(live.values_list("pk", flat=True)) == renewed
    run_action(client, "accesslink", "revoke_links", list(live.all()))
    assert not live.exists()


def test_action_says_why_it_was_refused(event: Event) -> None:
    from tables.services.calls import match_start

    match_start(match_id=event.match(1).pk, actor=event.owner)
    client = signed_in(staff_of(event))
    page = run_action(client, "table", "free_tables", list(Table.objects.filter(tournament=event.id)))
    assert "match_playing" in page
    assert event.sitting() == {1: 1}


def test_actions_do_not_reach_other_events(event: Event) -> None:
    """Case P1: ids of another event, and a staff account without an office there."""
    other = make_event(teams=4, tables=1)
    client = signed_in(staff_of(event))
    run_action(client, "table", "close_tables", list(Table.objects.filter(tournament=other.id)))
    assert other.table(1).state == "open"
