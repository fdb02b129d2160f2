"""Every model is in the admin, searchable and filtered; stored records cannot be edited there."""

from __future__ import annotations

from typing import Any

import pytest
from django.apps import apps
from django.contrib.admin import site
from django.db.models import Model
from django.test import Client

from scoring.models import Finding, RecordPrint, Review, Screening
from tests.admin.desk import Desk, listing, page
from tests.admin.hall import full_event
from tests.support.events import account
from tournaments.admin.base import Stored
from tournaments.models import IdempotencyRecord, Tournament

pytestmark = pytest.mark.django_db

OURS = ("tournaments", "tables", "scoring")
KEPT_OUT = {Finding, Review, Screening, RecordPrint}
"""Cases of fair play: their own pages hide names at first and log who looked."""


def models() -> list[type[Model]]:
    return [one for one in apps.get_models() if one._meta.app_label in OURS and one not in KEPT_OUT]


def test_every_model_is_registered() -> None:
    assert {one for one in models() if one not in site._registry} == set()
    assert not KEPT_OUT & set(site._registry)


@pytest.mark.parametrize("model", models(), ids=lambda one: one._meta.model_name)
def test_lists_are_searched_filtered_and_joined(model: type[Model]) -> None:
    listed: Any = site._registry[model]
    assert isinstance(listed, Stored)
    assert listed.search_fields
    assert listed.list_filter or listed.tournament_path
    joined = {
        name
        for name in listed.list_display
        if any(field.name == name and field.is_relation for field in model._meta.concrete_fields)
    }
    parts = {part for path in listed.list_select_related or () for part in path.split("__")}
    assert joined <= parts


def test_nothing_stored_can_be_edited_added_or_deleted() -> None:
    """Not even by an administrator; a search by a word works everywhere."""
    full_event()
    admin = account(is_staff=True, is_superuser=True)
    client = Client()
    client.force_login(admin.user)  # type: ignore[arg-type]
    wrong = []
    for model in models():
        row = site._registry[model].get_queryset(_request(admin.user)).first()
        assert row is not None, model
        base = listing(model)
        answers = [
            client.get(base, {"q": "x y"}).status_code == 200,
            client.get(page(row)).status_code == 200,
            client.post(page(row), {}).status_code == 403,
            client.post(f"{base}{row.pk}/delete/", {"post": "yes"}).status_code == 403,
            client.get(f"{base}add/").status_code == (200 if model is Tournament else 403),
            client.get(f"{base}{row.pk}/history/").status_code == 200,
        ]
        if not all(answers):
            wrong.append((model._meta.label, answers))
    assert wrong == []


def test_answers_kept_for_repeats_are_for_administrators(event: Any, desk: Desk) -> None:
    assert desk.get(listing(IdempotencyRecord)).status_code == 403
    assert "Idempotency" not in desk.get("/admin/").content.decode()


def _request(user: Any) -> Any:
    from django.test import RequestFactory

    request = RequestFactory().get("/")
    request.user = user
    return request
