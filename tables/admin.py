"""The hall in Django's admin: tables, calls, holds, judges and links."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from tables.enums import LinkKind, TableState
from tables.models import AccessLink, Hall, Hold, JudgeCall, Room, SeatAssignment, Seating, Table
from tables.services.calls import table_free
from tables.services.hall import hall_update, table_update
from tables.services.holds import match_release
from tables.services.judge import judge_answer
from tables.services.links import LinkTarget, link_issue, link_reissue, link_revoke
from tables.tokens import code_of, token_of
from tournaments.actors import Actor
from tournaments.admin.acts import Act, ActForm, Acting, Do, Fields
from tournaments.admin.base import Stored
from tournaments.enums import Role
from tournaments.errors import Conflict
from tournaments.models import Entry

LINK_SAID = _("The card is made: its link is in the list of links.")
RENEWED_SAID = _("A new card is made. The old one opens nothing any more.")
REVOKED_SAID = _("The card opens nothing any more.")
RENEW_WARNING = _("The card that is printed opens nothing any more, also on phones where it is open.")


class HallForm(ActForm):
    calls_itself = forms.BooleanField(
        required=False, initial=True, label=_("Free tables get the next match by themselves")
    )
    missing_minutes = forms.IntegerField(
        min_value=1, max_value=240, label=_("Minutes until a missing team may forfeit")
    )

    def __init__(self, row: Any, data: Any = None, **kwargs: Any) -> None:
        if row is not None:
            kwargs["initial"] = {"calls_itself": row.calls_itself, "missing_minutes": row.missing_minutes}
        super().__init__(row, data, **kwargs)


class FixedForm(ActForm):
    """Which team always plays at the table."""

    entry = forms.ModelChoiceField(
        queryset=Entry.objects.none(), required=False, label=_("The team that always plays here")
    )

    def __init__(self, row: Table, data: Any = None, **kwargs: Any) -> None:
        super().__init__(row, data, initial={"entry": row.fixed_entry_id}, **kwargs)
        field: Any = self.fields["entry"]
        field.queryset = Entry.objects.filter(tournament=row.tournament_id).order_by("number")
        field.empty_label = _now("No team")


class RoomForm(ActForm):
    room = forms.CharField(max_length=80, required=False, label=_("Room"))

    def __init__(self, row: Any, data: Any = None, **kwargs: Any) -> None:
        initial = {"room": row.room.name if row is not None and row.room else ""}
        super().__init__(row, data, initial=initial, **kwargs)


def hall_change(hall: Hall, actor: Actor, fields: Fields) -> str:
    """Say how the tables are filled."""
    hall_update(tournament_id=hall.tournament_id, actor=actor, **fields)
    return _now("Saved.")


@admin.register(Hall)
class HallAdmin(Acting):
    list_display = ["tournament", "calls_itself", "missing_minutes"]
    list_select_related = ["tournament"]
    list_filter = ["calls_itself"]
    search_fields = ["tournament__name"]
    acts = (Act(name="change", label=_("Change"), do=hall_change, form=HallForm),)


@admin.register(Room)
class RoomAdmin(Stored):
    list_display = ["name", "tournament"]
    list_select_related = ["tournament"]
    search_fields = ["name", "tournament__name"]


def _state(state: TableState, said: Any) -> Do:
    def do(table: Table, actor: Actor, fields: Fields) -> str:
        table_update(table_id=table.pk, actor=actor, state=state)
        return str(said) % {"number": table.number}

    return do


def _free(table: Table, actor: Actor, fields: Fields) -> str:
    table_free(table_id=table.pk, actor=actor)
    return _now("Table %(number)d is free.") % {"number": table.number}


def _fix(table: Table, actor: Actor, fields: Fields) -> str:
    entry = fields["entry"]
    table_update(table_id=table.pk, actor=actor, fixed_entry=entry.pk if entry else None)
    if entry is None:
        return _now("No team always plays at table %(number)d.") % {"number": table.number}
    return _now("%(team)s always plays at table %(number)d.") % {"team": entry.name, "number": table.number}


def _room(table: Table, actor: Actor, fields: Fields) -> str:
    table_update(table_id=table.pk, actor=actor, room=fields["room"])
    return _now("Saved.")


def card_acts(kind: LinkKind) -> tuple[Act, ...]:
    """Make, renew and take back the card of a table or a team."""

    def do(service: Any, said: Any) -> Do:
        def act(row: Any, actor: Actor, fields: Fields) -> str:
            service(target=LinkTarget(kind, row.pk), actor=actor)
            return str(said)

        return act

    def has_card(row: Any) -> bool:
        return AccessLink.objects.filter(
            **{kind.value if kind is LinkKind.TABLE else "entry": row}, kind=kind, revoked_at__isnull=True
        ).exists()

    group = _("Card")
    return (
        Act(
            name="issue_links",
            label=_("Make the card"),
            do=do(link_issue, LINK_SAID),
            offered=lambda row: not has_card(row),
            many=True,
            group=group,
        ),
        Act(
            name="renew_links",
            label=_("Renew the card"),
            do=do(link_reissue, RENEWED_SAID),
            offered=has_card,
            many=True,
            warning=RENEW_WARNING,
            group=group,
        ),
        Act(
            name="revoke_links",
            label=_("Take the card back"),
            do=do(link_revoke, REVOKED_SAID),
            offered=has_card,
            many=True,
            warning=RENEW_WARNING,
            group=group,
            is_red=True,
        ),
    )


@admin.register(Table)
class TableAdmin(Acting):
    list_display = ["number", "tournament", "room", "state", "fixed_entry"]
    list_select_related = ["tournament", "room", "fixed_entry"]
    list_filter = ["state"]
    search_fields = ["=number", "tournament__name", "room__name"]
    acts = (
        Act(
            name="open_tables",
            label=_("Open: send matches there"),
            do=_state(TableState.OPEN, _("Table %(number)d is open.")),
            offered=lambda table: table.state != TableState.OPEN,
            many=True,
        ),
        Act(
            name="reserve_tables",
            label=_("Reserve: send nobody there"),
            do=_state(TableState.RESERVED, _("Table %(number)d is kept for calls by hand.")),
            offered=lambda table: table.state != TableState.RESERVED,
            many=True,
        ),
        Act(
            name="close_tables",
            label=_("Close: not in use"),
            do=_state(TableState.CLOSED, _("Table %(number)d is closed.")),
            offered=lambda table: table.state != TableState.CLOSED,
            many=True,
        ),
        Act(
            name="free_tables",
            label=_("Free for the next match"),
            do=_free,
            offered=lambda table: table.seatings.filter(freed_at__isnull=True).exists(),
            many=True,
        ),
        Act(name="fixed", label=_("Fix it for a team"), do=_fix, form=FixedForm),
        Act(name="room", label=_("Room"), do=_room, form=RoomForm, many=True),
        *card_acts(LinkKind.TABLE),
    )


@admin.register(Seating)
class SeatingAdmin(Stored):
    tournament_path = "table__tournament"
    list_display = ["match", "table", "table__tournament", "called_at", "freed_at"]
    list_select_related = ["match", "table__tournament"]
    list_filter = [("freed_at", admin.EmptyFieldListFilter)]
    search_fields = ["=match__number", "=table__number", "table__tournament__name"]


def _release(hold: Hold, actor: Actor, fields: Fields) -> str:
    match_release(match_id=hold.match_id, actor=actor)
    return _now("%(match)s may be called again.") % {"match": hold.match.code}


@admin.register(Hold)
class HoldAdmin(Acting):
    tournament_path = "match__tournament"
    stage_path = "match__stage"
    list_display = ["match", "match__tournament", "reason", "held_label", "held_at", "ended_at"]
    list_select_related = ["match__tournament"]
    list_filter = [("ended_at", admin.EmptyFieldListFilter)]
    search_fields = ["=match__number", "reason", "held_label"]
    acts = (
        Act(
            name="release",
            label=_("Let it be called"),
            do=_release,
            offered=lambda hold: hold.ended_at is None,
            many=True,
        ),
    )


def _answer(call: JudgeCall, actor: Actor, fields: Fields) -> str:
    judge_answer(call_id=call.pk, actor=actor)
    return _now("A judge is on the way to %(match)s.") % {"match": call.match.code}


@admin.register(JudgeCall)
class JudgeCallAdmin(Acting):
    tournament_path = "match__tournament"
    hidden = ("called_link",)
    list_display = ["match", "match__tournament", "kind", "note", "called_label", "called_at", "answered_at"]
    list_select_related = ["match__tournament"]
    list_filter = ["kind", ("answered_at", admin.EmptyFieldListFilter)]
    search_fields = ["=match__number", "note", "called_label"]
    acts = (
        Act(
            name="answer",
            label=_("Answered"),
            do=_answer,
            offered=lambda call: call.answered_at is None,
            many=True,
        ),
    )


@admin.register(SeatAssignment)
class SeatAssignmentAdmin(Stored):
    tournament_path = "match__tournament"
    list_display = ["match", "match__tournament", "seat", "player"]
    list_select_related = ["match__tournament", "player"]
    list_filter = ["seat"]
    search_fields = ["=match__number", "player__search_name"]


def _of_link(service: Any, said: Any) -> Do:
    def do(link: AccessLink, actor: Actor, fields: Fields) -> str:
        if not _is_live(link):
            # The services know targets: theirs would be the link that came after this one.
            raise Conflict("link_revoked", _now("This link opens nothing any more."))
        service(target=_target_of(link), actor=actor)
        return str(said)

    return do


def _is_live(link: AccessLink) -> bool:
    return link.revoked_at is None


@admin.register(AccessLink)
class AccessLinkAdmin(Acting):
    least = Role.DESK
    shown = ("address", "code")
    list_display = [
        "kind",
        "tournament",
        "table",
        "entry",
        "match",
        "seat",
        "created_at",
        "revoked_at",
        "failed_tries",
    ]
    list_select_related = ["tournament", "table", "entry", "match"]
    list_filter = ["kind", ("revoked_at", admin.EmptyFieldListFilter)]
    search_fields = ["entry__search_name", "=table__number", "tournament__name"]
    acts = (
        Act(
            name="renew_links",
            label=_("Replace by a new one"),
            do=_of_link(link_reissue, RENEWED_SAID),
            offered=_is_live,
            many=True,
            warning=RENEW_WARNING,
        ),
        Act(
            name="revoke_links",
            label=_("Take it back"),
            do=_of_link(link_revoke, REVOKED_SAID),
            offered=_is_live,
            many=True,
            warning=RENEW_WARNING,
            is_red=True,
        ),
    )

    @admin.display(description=_("Opens"))
    def address(self, link: AccessLink) -> str:
        """The link while it opens anything."""
        if not _is_live(link):
            return "–"
        return format_html('<a href="{0}">{0}</a>', reverse("link-open", args=[token_of(link.pk)]))

    @admin.display(description=_("Digits"))
    def code(self, link: AccessLink) -> str:
        """What a team types to confirm on another phone."""
        return code_of(link.pk) if _is_live(link) and link.kind == LinkKind.TEAM else "–"

    def rows_of_action(self, rows: Any) -> Any:
        """What is revoked already is left alone, and so is the link that came after it."""
        return rows.filter(revoked_at__isnull=True)


def _target_of(link: AccessLink) -> LinkTarget:
    """What the link opens; all links of one target are one to the services."""
    target_id = link.table_id or link.entry_id or link.match_id
    assert target_id is not None
    return LinkTarget(LinkKind(link.kind), target_id, link.seat)
