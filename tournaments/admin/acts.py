"""Acts: what can be done with a record in the admin. Each calls one service, with the account as its author.

An *act* is a button on the record's page, and with `many` an action on the list as well. One that needs words,
or cannot simply be taken back, has a page of its own that asks first; what is refused there stands beside
its field, and what was typed stays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.contrib import messages
from django.contrib.admin import helpers
from django.contrib.admin.utils import quote, unquote
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse

from tournaments.actors import Actor, user_actor
from tournaments.admin.base import Stored, in_zone, roles_of
from tournaments.enums import Role
from tournaments.errors import NotThere, NotYours
from tournaments.forms import REFUSALS, RunForm, code_of, reason_of, status_of
from tournaments.permissions import RANK
from tournaments.selectors.preview import PlaceChange

Fields = Mapping[str, Any]
Do = Callable[[Any, Actor, Fields], object]
Text = Any
"""A text, or one that is translated when it is shown."""
ROWS_SHOWN = 100


class ActForm(RunForm):
    """What an act asks for. `row` is the record, None when the act is done to several."""

    def __init__(self, row: Any, data: QueryDict | None = None, **kwargs: Any) -> None:
        self.row = row
        super().__init__(data, **kwargs)


@dataclass(frozen=True)
class Preview:
    """What an act would do. `refused` are reasons why it will not be done; `parts` go to the template."""

    lines: list[str] = field(default_factory=list)
    changes: list[PlaceChange] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    parts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Act:
    """One act. `do` answers the sentence that is shown, or what `said` makes one of.

    `least` and `offered` only spare people a button that would be refused: the services ask for themselves.
    """

    name: str
    label: Text
    do: Do
    least: Role = Role.DESK
    form: Callable[[Any, QueryDict | None], RunForm] | None = None
    warning: Text = ""
    preview: Callable[[Any, Fields], Preview] | None = None
    offered: Callable[[Any], bool] = lambda row: True
    many: bool = False
    group: Text = ""
    is_red: bool = False
    context: Callable[[Any], Mapping[str, Any]] | None = None
    sure: Text = ""
    """The words of the last button, where they differ from the label."""
    look: Text = ""
    """The words of the button before it, where there is a preview of another kind than changes."""

    @property
    def asks(self) -> bool:
        """Has it a page of its own?"""
        return self.has_form or self.is_seen_before or bool(self.warning)

    @property
    def has_form(self) -> bool:
        return self.form is not None

    @property
    def is_seen_before(self) -> bool:
        """Does it say what it would change?"""
        return self.preview is not None


class Acting(Stored):
    """Stored records with acts."""

    acts: tuple[Act, ...] = ()
    back: Mapping[str, str] = {}
    """Other pages to which an act of a button there returns: by its word, the name of the address."""

    def get_urls(self) -> list[URLPattern]:
        name = f"{self.opts.app_label}_{self.opts.model_name}_act"
        view = self.admin_site.admin_view(self.act_view)
        own = [path("<path:object_id>/act/<slug:name>/", view, name=name)]
        return [*own, *self.more_urls(), *super().get_urls()]

    def more_urls(self) -> list[URLPattern]:
        """Further pages of a record."""
        return []

    def page_of(self, row: Any, act: str = "") -> str:
        """The page of the record, or of one of its acts."""
        base = f"admin:{self.opts.app_label}_{self.opts.model_name}_"
        key = quote(row.pk)
        return reverse(f"{base}act", args=[key, act]) if act else reverse(f"{base}change", args=[key])

    def page_context(self, request: HttpRequest, row: Any) -> dict[str, Any]:
        return {**super().page_context(request, row), "act_groups": self.groups(request, row)}

    def groups(self, request: HttpRequest, row: Any) -> list[tuple[Text, list[tuple[Act, str]]]]:
        """The acts that are offered for the row now, with their addresses, in groups."""
        role = self.role_in(request, row)
        found: dict[str, list[tuple[Act, str]]] = {}
        for act in self.acts:
            if role is not None and RANK[role] >= RANK[act.least] and act.offered(row):
                found.setdefault(str(act.group), []).append((act, self.page_of(row, act.name)))
        return list(found.items())

    def row_of(self, request: HttpRequest, object_id: str) -> Any:
        """The record, as far as the account may see it."""
        row = self.get_object(request, unquote(object_id))
        if row is None or not self.has_view_permission(request, row):
            raise Http404
        return row

    def act_view(self, request: HttpRequest, object_id: str, name: str) -> HttpResponseBase:
        """Ask for what the act needs, say what it changes, do it."""
        row = self.row_of(request, object_id)
        act = next((one for one in self.acts if one.name == name), None)
        if act is None:
            raise Http404
        role = self.role_in(request, row)
        if role is None or RANK[role] < RANK[act.least]:
            raise PermissionDenied
        if request.method == "POST" and not act.asks:
            return self._pressed(request, row, act)
        return self._asked(request, row, act)

    def _pressed(self, request: HttpRequest, row: Any, act: Act) -> HttpResponseBase:
        """A button that asks nothing: what came of it is said on the page of the record."""
        try:
            said = act.do(row, user_actor(request.user), {})
        except REFUSALS as refusal:
            self.refused(request, refusal)
        else:
            self.message_user(request, str(said), messages.SUCCESS)
        return self.after(request, row)

    def _asked(self, request: HttpRequest, row: Any, act: Act) -> HttpResponseBase:
        data = request.POST if request.method == "POST" else None
        form = (act.form or ActForm)(row, data)
        preview, status = None, 200
        try:
            if form.is_bound and not form.is_valid():
                status = 422
            elif form.is_bound or not form.fields:
                fields = form.cleaned_data if form.is_bound else {}
                preview = act.preview(row, fields) if act.preview else None
                if data is not None and (preview is None or "sure" in data):
                    said = act.do(row, user_actor(request.user), fields)
                    self.message_user(request, str(said), messages.SUCCESS)
                    return self.after(request, row)
        except REFUSALS as refusal:
            _require_mine(refusal)
            if not form.is_bound:
                self.refused(request, refusal)
                return self.after(request, row)
            form.refuse(refusal)
            status = status_of(refusal)
        return self._page(request, row, act, form, preview, status)

    def _page(
        self,
        request: HttpRequest,
        row: Any,
        act: Act,
        form: RunForm,
        preview: Preview | None,
        status: int,
    ) -> HttpResponseBase:
        tournament = self.tournament_of(row)
        context = {
            **self.admin_site.each_context(request),
            "title": act.label,
            "subtitle": str(row),
            "opts": self.opts,
            "row": row,
            "row_address": self.page_of(row),
            "tournament": tournament,
            "zone": tournament.time_zone,
            "act": act,
            "form": form,
            "preview": preview,
            **(act.context(row) if act.context else {}),
        }
        answer = TemplateResponse(request, "admin/act.html", context, status=status)
        return in_zone(answer, tournament.time_zone)

    def refused(self, request: HttpRequest, refusal: Exception) -> None:
        """Say on the next page what was not done, and why; 404 and 403 stay answers of their own."""
        _require_mine(refusal)
        self.message_user(request, f"{reason_of(refusal)} ({code_of(refusal)})", messages.ERROR)

    def after(self, request: HttpRequest, row: Any) -> HttpResponseBase:
        """Back to where the button was; to the list when the record is gone."""
        back = self.back.get(request.POST.get("back", ""))
        if back is not None:
            return redirect(back, quote(row.pk))
        if self.get_object(request, str(row.pk)) is None:
            return redirect(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist")
        return redirect(self.page_of(row))

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        actions: dict[str, Any] = super().get_actions(request)
        for act in self.acts:
            if act.many and any(RANK[role] >= RANK[act.least] for role in roles_of(request)):
                actions[act.name] = (_action_of(act), act.name, act.label)
        return actions

    def rows_of_action(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        """Those of the chosen rows to which an act of the list is done."""
        return rows

    def do_to_many(self, request: HttpRequest, rows: QuerySet[Any], act: Act) -> HttpResponseBase | None:
        """The act on the list: what it needs is asked once for all, what is refused is said row by row."""
        actor = user_actor(request.user)
        rows = self.rows_of_action(rows)
        if not act.asks:
            self.act(request, rows, lambda row: act.do(row, actor, {}))
            return None
        form = (act.form or ActForm)(None, request.POST if "sure" in request.POST else None)
        if form.is_bound and form.is_valid():
            self.act(request, rows, lambda row: act.do(row, actor, form.cleaned_data))
            return None
        context = {
            **self.admin_site.each_context(request),
            "title": act.label,
            "opts": self.opts,
            "act": act,
            "form": form,
            "rows": rows[:ROWS_SHOWN],
            "count": rows.count(),
            "chosen": request.POST.getlist(helpers.ACTION_CHECKBOX_NAME),
            "checkbox": helpers.ACTION_CHECKBOX_NAME,
            "select_across": request.POST.get("select_across", "0"),
        }
        return TemplateResponse(request, "admin/act_many.html", context, status=422 if form.is_bound else 200)


def _require_mine(refusal: Exception) -> None:
    """Let a refusal that says no more than "not you" or "not there" be that answer."""
    if isinstance(refusal, NotThere):
        raise Http404(refusal.detail) from refusal
    if isinstance(refusal, NotYours) and refusal.code == "role_required":
        raise PermissionDenied(refusal.detail) from refusal


def _action_of(act: Act) -> Callable[[Acting, HttpRequest, QuerySet[Any]], HttpResponseBase | None]:
    """The act as Django's admin calls an action of a list."""

    def action(model_admin: Acting, request: HttpRequest, rows: QuerySet[Any]) -> HttpResponseBase | None:
        return model_admin.do_to_many(request, rows, act)

    return action
