"""Teams in an event: entered, checked in, withdrawn, substituted, and their cards."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import admin
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from scoring.director.selectors.teams import entry_of
from scoring.director.views.teams import Substitute, TeamFields
from tables.admin import card_acts
from tables.enums import LinkKind
from tournaments.actors import Actor
from tournaments.admin.acts import Act, ActForm, Acting, Do, Fields, Preview
from tournaments.admin.base import Rows
from tournaments.enums import EntryStatus, Role
from tournaments.models import Entry, EntryPlayer, Tournament
from tournaments.selectors.preview import withdrawal_preview
from tournaments.services.entry import (
    entry_check_in,
    entry_reinstate,
    entry_substitute,
    entry_update,
    entry_withdraw,
)
from tournaments.services.field import entries_remove
from tournaments.services.tournament import BEFORE_PLAY


class ReasonForm(ActForm):
    reason = forms.CharField(max_length=1000, required=False, label=_("Reason"), widget=forms.TextInput)


def _is_in(entry: Entry) -> bool:
    return not entry.is_out


def _check_in(here: bool) -> Do:
    said = _("%(team)s is here.") if here else _("%(team)s is not here.")

    def do(entry: Entry, actor: Actor, fields: Fields) -> str:
        entry_check_in(entry_id=entry.pk, actor=actor, here=here)
        return str(said) % {"team": entry.name}

    return do


def _change(entry: Entry, actor: Actor, fields: Fields) -> str:
    entry_update(entry_id=entry.pk, actor=actor, **fields)
    return _now("Saved.")


def _change_form(entry: Entry, data: Any) -> TeamFields:
    return TeamFields(data, initial={"name": entry.name, "seed": entry.seed, "rating": entry.rating})


def _substitute_form(entry: Entry, data: Any) -> Substitute:
    found = entry_of(entry.tournament, entry.number)
    assert found is not None
    return Substitute(found, data)


def _substitute(entry: Entry, actor: Actor, fields: Fields) -> str:
    new = entry_substitute(
        entry_id=entry.pk,
        leaving=UUID(fields["leaving"]),
        name=fields["name"],
        reason=fields["reason"],
        actor=actor,
    )
    facts = {"player": new.player.name, "team": entry.name}
    return _now("%(player)s plays for %(team)s from now on.") % facts


def _leave(*, disqualified: bool) -> Do:
    said = _("%(team)s is disqualified.") if disqualified else _("%(team)s has withdrawn.")

    def do(entry: Entry, actor: Actor, fields: Fields) -> str:
        entry_withdraw(entry_id=entry.pk, actor=actor, reason=fields["reason"], disqualified=disqualified)
        return str(said) % {"team": entry.name}

    return do


def _leave_preview(entry: Entry, fields: Fields) -> Preview:
    """What the desk's own page says before a team goes."""
    preview = withdrawal_preview(entry)
    if preview.match is not None and preview.winner:
        facts = {"match": preview.match.code, "team": preview.winner}
        line = _now("%(match)s ends at once: %(team)s goes on by withdrawal.") % facts
    elif preview.match is not None:
        line = _now("Whoever comes to %(match)s goes on without playing.") % {"match": preview.match.code}
    else:
        line = _now("The team is not in an open match. It is left out of the draw to come.")
    undone = _now("It can be taken back while the team has lost no place by it.")
    return Preview(lines=[line, undone], changes=preview.changes)


def _reinstate(entry: Entry, actor: Actor, fields: Fields) -> str:
    entry_reinstate(entry_id=entry.pk, actor=actor)
    return _now("%(team)s is in again.") % {"team": entry.name}


def _remove(entry: Entry, actor: Actor, fields: Fields) -> str:
    entries_remove(tournament_id=entry.tournament_id, entry_ids=[entry.pk], actor=actor)
    return _now("%(team)s is off the list.") % {"team": entry.name}


def _is_removable(entry: Entry) -> bool:
    tournament: Tournament = entry.tournament
    return tournament.state in BEFORE_PLAY


class PartnerRows(Rows):
    model = EntryPlayer
    fields = ("player", "position", "substitute", "since", "until")
    joins = ("player",)
    verbose_name_plural = _("Players")


@admin.register(Entry)
class EntryAdmin(Acting):
    list_display = ["number", "name", "tournament", "seed", "rating", "status", "withdrawn_at"]
    list_display_links = ["number", "name"]
    list_select_related = ["tournament"]
    list_filter = ["status", ("seed", admin.EmptyFieldListFilter)]
    search_fields = ["search_name", "name", "=number", "members__player__search_name"]
    inlines = [PartnerRows]
    acts = (
        Act(
            name="check-in",
            label=_("Check in"),
            do=_check_in(True),
            offered=lambda entry: entry.status == EntryStatus.ENTERED,
            many=True,
        ),
        Act(
            name="check-out",
            label=_("Take the check-in back"),
            do=_check_in(False),
            offered=lambda entry: entry.status == EntryStatus.CHECKED_IN,
            many=True,
        ),
        Act(name="change", label=_("Name, seed and rating"), do=_change, form=_change_form),
        Act(
            name="substitute",
            label=_("Substitute"),
            do=_substitute,
            form=_substitute_form,
            offered=_is_in,
            warning=_("Matches played keep who played them."),
        ),
        Act(
            name="withdraw",
            label=_("Withdraw"),
            do=_leave(disqualified=False),
            form=ReasonForm,
            preview=_leave_preview,
            offered=_is_in,
            many=True,
            is_red=True,
        ),
        Act(
            name="disqualify",
            label=_("Disqualify"),
            do=_leave(disqualified=True),
            least=Role.DIRECTOR,
            form=ReasonForm,
            preview=_leave_preview,
            offered=lambda entry: entry.status != EntryStatus.DISQUALIFIED,
            is_red=True,
        ),
        Act(
            name="reinstate",
            label=_("Reinstate"),
            do=_reinstate,
            least=Role.DIRECTOR,
            offered=lambda entry: entry.is_out,
        ),
        Act(
            name="remove",
            label=_("Take off the list"),
            do=_remove,
            offered=_is_removable,
            many=True,
            is_red=True,
            warning=_("As if the team had never been entered. It cannot be undone, only entered again."),
        ),
        *card_acts(LinkKind.TEAM),
    )
