"""Somebody at the admin: opens pages, presses acts, reads what is said."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import unescape
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from tests.support.callers import Caller


@dataclass
class Desk:
    """A browser of an account with the staff mark."""

    client: Client

    def get(self, path: str, **query: Any) -> Any:
        return self.client.get(path, query)

    def act(self, row: Model, name: str, /, **fields: Any) -> Any:
        """Press an act of a record, sure of it."""
        return self.client.post(page(row, name), {"sure": "yes", **fields}, follow=True)

    def many(self, rows: list[Any], name: str, **fields: Any) -> Any:
        """Choose records on their list, and an action."""
        body = {"action": name, "_selected_action": [str(row.pk) for row in rows], **fields}
        return self.client.post(listing(type(rows[0])), body, follow=True)

    def record(self, match: Model, way: str, game: int, hand: int, **fields: Any) -> Any:
        """Send a form of *Record hand*."""
        path = reverse("admin:tournaments_match_record", args=[match.pk])
        return self.client.post(path, {"way": way, "game": game, "hand": hand, **fields}, follow=True)

    def tile(self, match: Model, hand: Model, what: str, **fields: Any) -> Any:
        """Send a form of the page of a hand in full play."""
        path = reverse("admin:tournaments_match_record_hand", args=[match.pk, hand.pk])
        return self.client.post(path, {"what": what, **fields}, follow=True)


def page(row: Model, act: str = "") -> str:
    """The page of a record, or of one of its acts."""
    base = f"admin:{row._meta.app_label}_{row._meta.model_name}_"
    return reverse(f"{base}act", args=[row.pk, act]) if act else reverse(f"{base}change", args=[row.pk])


def listing(model: type[Model]) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")


def staff(caller: Caller, *, superuser: bool = False) -> Desk:
    """The caller with the staff mark, signed in."""
    assert caller.user is not None
    User.objects.filter(pk=caller.user.pk).update(is_staff=True, is_superuser=superuser)
    client = Client()
    client.force_login(User.objects.get(pk=caller.user.pk))
    return Desk(client)


def said(answer: Any) -> list[str]:
    """The messages on the page."""
    return [str(one) for one in answer.context["messages"]]


def refusals(answer: Any) -> list[tuple[str, str]]:
    """Every refusal on the page: its code and its sentence."""
    found = re.findall(
        r'data-code="(\w+)"[^>]*>\s*(?:<svg.*?</svg>)?\s*<span>(.*?)</span>',
        answer.content.decode(),
        re.DOTALL,
    )
    return [(code, unescape(re.sub(r"<[^>]+>", " ", text)).strip()) for code, text in found]


def errors(answer: Any) -> Mapping[str, list[str]]:
    """What stands beside the fields of the page's form."""
    return {name: list(texts) for name, texts in answer.context["form"].errors.items()}
