"""Shapes of tables and links: what is read from requests, and what is shown."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tables.enums import JudgeCallKind, TableState
from tables.models import Hall, Hold, JudgeCall, Table
from tournaments.api.serializers import PageOf
from tournaments.enums import Side
from tournaments.models import Entry, Match


class TeamAtTable(serializers.Serializer[Any]):
    entry = serializers.UUIDField(source="pk")
    number = serializers.IntegerField()
    name = serializers.CharField()


class TeamsBySide(serializers.Serializer[Any]):
    NS = TeamAtTable(allow_null=True)
    EW = TeamAtTable(allow_null=True)


class MatchAtTable(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    code = serializers.CharField()
    state = serializers.CharField(help_text="State of the match.")
    called_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    teams = TeamsBySide()


class TableShown(serializers.ModelSerializer[Table]):
    room = serializers.CharField(source="room.name", default="", read_only=True)
    fixed_entry = TeamAtTable(allow_null=True, read_only=True)
    state = serializers.CharField(read_only=True, help_text="open, reserved or closed.")
    match = serializers.SerializerMethodField()

    class Meta:
        model = Table
        fields = ["id", "number", "room", "state", "fixed_entry", "match"]

    @extend_schema_field(MatchAtTable(allow_null=True))
    def get_match(self, table: Table) -> dict[str, Any] | None:
        """The match that sits there now."""
        for seating in getattr(table, "now", ()):
            match: Match = seating.match
            teams = {slot.side: slot.entry for slot in match.slots.all()}
            return {
                "id": str(match.pk),
                "code": match.code,
                "state": match.state,
                "called_at": seating.called_at,
                "started_at": match.started_at,
                "teams": teams_by_side(teams),
            }
        return None


class TableDetailShown(TableShown):
    revision = serializers.IntegerField()

    class Meta(TableShown.Meta):
        fields = ["revision", *TableShown.Meta.fields]


class TablePage(PageOf):
    results = TableShown(many=True)


class NewTables(serializers.Serializer[Any]):
    count = serializers.IntegerField(
        min_value=1, required=False, default=0, help_text="The next numbers; or:"
    )
    numbers = serializers.ListField(
        child=serializers.IntegerField(), required=False, default=list, max_length=500
    )
    room = serializers.CharField(max_length=80, required=False, allow_blank=True, default="")


class TableChanges(serializers.Serializer[Any]):
    state = serializers.ChoiceField(TableState.choices, required=False)
    fixed_entry = serializers.UUIDField(required=False, allow_null=True)
    room = serializers.CharField(max_length=80, required=False, allow_blank=True)


class TableCallFields(serializers.Serializer[Any]):
    match = serializers.UUIDField()


class MoveFields(serializers.Serializer[Any]):
    table = serializers.UUIDField()


class HallFields(serializers.Serializer[Any]):
    calls_itself = serializers.BooleanField(
        required=False, help_text="Free tables get the next match by themselves."
    )
    missing_minutes = serializers.IntegerField(
        min_value=1,
        max_value=240,
        required=False,
        help_text="A team that is not there so long after the call may be made to forfeit.",
    )


class HallShown(serializers.ModelSerializer[Hall]):
    class Meta:
        model = Hall
        fields = ["calls_itself", "missing_minutes"]


class HallDetailShown(HallShown):
    revision = serializers.IntegerField()

    class Meta(HallShown.Meta):
        fields = ["revision", *HallShown.Meta.fields]


class MatchNamed(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    code = serializers.CharField()


class HoldFields(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")


class HoldShown(serializers.ModelSerializer[Hold]):
    match = MatchNamed()

    class Meta:
        model = Hold
        fields = ["id", "match", "reason", "held_at", "held_label"]


class HoldPage(PageOf):
    results = HoldShown(many=True)


class Released(serializers.Serializer[Any]):
    released = serializers.BooleanField(help_text="False when it was not held.")


class JudgeCallFields(serializers.Serializer[Any]):
    note = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")


class JudgeCallShown(serializers.ModelSerializer[JudgeCall]):
    match = MatchNamed()
    kind = serializers.ChoiceField(JudgeCallKind.choices)
    facts = serializers.DictField(help_text="Where two entries of a hand differ: both of them.")

    class Meta:
        model = JudgeCall
        fields = [
            "id",
            "match",
            "kind",
            "note",
            "facts",
            "called_at",
            "called_label",
            "answered_at",
            "answered_label",
        ]


class JudgeCallPage(PageOf):
    results = JudgeCallShown(many=True)


class IssueFields(serializers.Serializer[Any]):
    renew = serializers.BooleanField(default=False, help_text="Revoke the link and issue a new one.")


class LinkIssued(serializers.Serializer[Any]):
    kind = serializers.CharField(help_text="table, team or seat.")
    table = serializers.IntegerField(allow_null=True, help_text="Number of the table.")
    entry = serializers.UUIDField(allow_null=True)
    number = serializers.IntegerField(allow_null=True, help_text="Start number of the team.")
    name = serializers.CharField(help_text="Name of the team, or what the link opens.")
    match = serializers.CharField(allow_null=True, help_text="Code of the match of a seat.")
    seat = serializers.CharField(allow_blank=True)
    token = serializers.CharField()
    url = serializers.URLField()
    qr = serializers.URLField(help_text="The address as a QR code, SVG.")
    code = serializers.CharField(allow_null=True, help_text="The team's four digits.")


class LinksIssued(serializers.Serializer[Any]):
    tables = LinkIssued(many=True)
    teams = LinkIssued(many=True)


class SeatedPlayer(serializers.Serializer[Any]):
    player = serializers.UUIDField()
    name = serializers.CharField()


class SeatsShown(serializers.Serializer[Any]):
    N = SeatedPlayer(required=False)
    E = SeatedPlayer(required=False)
    S = SeatedPlayer(required=False)
    W = SeatedPlayer(required=False)


class LinkMatch(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    code = serializers.CharField()
    round = serializers.CharField()
    best_of = serializers.IntegerField()
    state = serializers.CharField(help_text="State of the match.")
    result_version = serializers.IntegerField()
    teams = TeamsBySide()
    seats = SeatsShown()


class LinkOpens(serializers.Serializer[Any]):
    kind = serializers.CharField(help_text="table, team or seat.")
    tournament = serializers.CharField(help_text="Slug of the tournament.")
    table = serializers.IntegerField(allow_null=True, help_text="Number of the table.")
    entry = TeamAtTable(allow_null=True)
    side = serializers.CharField(help_text="NS or EW; empty for a table.")
    seat = serializers.CharField(help_text="N, E, S or W; empty for tables and teams.")
    match = LinkMatch(allow_null=True)


class CodeFields(serializers.Serializer[Any]):
    version = serializers.IntegerField(min_value=1)
    side = serializers.CharField(max_length=2, help_text="NS or EW: the side whose code it is.")
    code = serializers.CharField(max_length=16)


def teams_by_side(teams: dict[str, Entry | None]) -> dict[str, Any]:
    """Both sides, null while unknown."""
    return {side: TeamAtTable(teams[side]).data if teams.get(side) else None for side in Side.values}
