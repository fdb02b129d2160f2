"""Shapes of the API: what is read from requests, and what is shown of each resource."""

import math
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournaments.enums import DrawMethod, GrandFinal, Role, Side, StageKind, Visibility
from tournaments.models import Announcement, Entry, LogEntry, Match, Player, Result, Stage, Team, Tournament

MAX_SEED = 9999
FORFEIT_SIDES = [*Side.choices, ("both", "Both sides")]


class Rating(serializers.FloatField):
    """A number that can be stored and shown: not infinite, and not "NaN"."""

    def to_internal_value(self, data: Any) -> float:
        value = super().to_internal_value(data)
        if not math.isfinite(value):
            self.fail("invalid")
        return value


class StageOptions(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=80, required=False)
    kind = serializers.ChoiceField(StageKind.choices, required=False)
    best_of = serializers.IntegerField(min_value=1, max_value=7, required=False)
    best_of_by_round = serializers.DictField(child=serializers.IntegerField(), required=False)
    grand_final = serializers.ChoiceField(GrandFinal.choices, required=False)
    third_place = serializers.BooleanField(required=False)
    rules = serializers.DictField(required=False)


class TournamentFields(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=120)
    venue = serializers.CharField(max_length=160, required=False, allow_blank=True)
    time_zone = serializers.CharField(max_length=64, required=False)
    starts_at = serializers.DateTimeField(required=False, allow_null=True)
    visibility = serializers.ChoiceField(Visibility.choices, required=False)
    preset = serializers.CharField(max_length=40, required=False)
    rules = serializers.DictField(required=False)
    auto_confirm_minutes = serializers.IntegerField(
        min_value=1, max_value=1440, required=False, allow_null=True
    )
    players_exclusive = serializers.BooleanField(required=False)
    simulated = serializers.BooleanField(required=False)


class NewTournament(TournamentFields):
    stage = StageOptions(required=False)


class StageShown(serializers.ModelSerializer[Stage]):
    class Meta:
        model = Stage
        fields = [
            "number",
            "name",
            "kind",
            "best_of",
            "best_of_by_round",
            "grand_final",
            "third_place",
            "rules",
            "draw_state",
            "draw_method",
            "draw_seed",
            "drawn_at",
            "published_at",
        ]


class TournamentShown(serializers.ModelSerializer[Tournament]):
    champion = serializers.CharField(
        source="champion.name", default=None, read_only=True, allow_null=True, help_text="Name of the team."
    )

    class Meta:
        model = Tournament
        fields = [
            "id",
            "slug",
            "name",
            "venue",
            "time_zone",
            "starts_at",
            "state",
            "visibility",
            "preset",
            "rules",
            "auto_confirm_minutes",
            "players_exclusive",
            "simulated",
            "champion",
            "finished_at",
        ]


class TournamentPage(TournamentShown):
    """A tournament with its stages."""

    revision = serializers.IntegerField()
    stages = StageShown(many=True)

    class Meta(TournamentShown.Meta):
        fields = ["revision", *TournamentShown.Meta.fields, "stages"]


class MemberShown(serializers.Serializer[Any]):
    id = serializers.UUIDField(source="player_id")
    name = serializers.CharField(source="player.name")
    position = serializers.IntegerField()
    substitute = serializers.BooleanField()


class EntryShown(serializers.ModelSerializer[Entry]):
    players = MemberShown(source="current_members", many=True, read_only=True)

    class Meta:
        model = Entry
        fields = ["id", "number", "name", "seed", "rating", "status", "players"]


class NewEntryFields(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=120)
    players = serializers.ListField(child=serializers.CharField(max_length=120), min_length=2, max_length=2)
    seed = serializers.IntegerField(min_value=1, max_value=MAX_SEED, required=False, allow_null=True)
    rating = Rating(required=False, allow_null=True)


class EntryChanges(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=120, required=False)
    seed = serializers.IntegerField(min_value=1, max_value=MAX_SEED, required=False, allow_null=True)
    rating = Rating(required=False, allow_null=True)


class EntriesNamed(serializers.Serializer[Any]):
    entries = serializers.ListField(child=serializers.UUIDField(), min_length=1, max_length=1024)


class EntrySeed(serializers.Serializer[Any]):
    entry = serializers.UUIDField()
    seed = serializers.IntegerField(min_value=1, max_value=MAX_SEED, allow_null=True)


class SeedsFields(serializers.Serializer[Any]):
    seeds = EntrySeed(many=True, help_text="Entries that are not named keep theirs.")

    def validate_seeds(self, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        if len({row["entry"] for row in rows}) < len(rows):
            raise serializers.ValidationError("Name each team once.")
        return rows


class Changed(serializers.Serializer[Any]):
    changed = serializers.IntegerField(help_text="How many changed.")


class WhyFields(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=1000, required=False, allow_blank=True, default="")


class SubstituteFields(WhyFields):
    leaving = serializers.UUIDField()
    name = serializers.CharField(max_length=120, required=False, default="")
    player = serializers.UUIDField(required=False, default=None)


class DrawFields(serializers.Serializer[Any]):
    method = serializers.ChoiceField(DrawMethod.choices, default=DrawMethod.SEED)
    seed = serializers.IntegerField(
        required=False, allow_null=True, default=None, min_value=0, max_value=2**62
    )


class OfficialFields(serializers.Serializer[Any]):
    username = serializers.CharField(max_length=150)
    role = serializers.ChoiceField(Role.choices)


class Frame(serializers.Serializer[Any]):
    """The frame of a page; `results` is what differs."""

    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)


class PageOf(Frame):
    """The frame of a page that carries the revision of what it shows."""

    revision = serializers.IntegerField()


class Removed(serializers.Serializer[Any]):
    removed = serializers.IntegerField(help_text="How many there were.")


class Revoked(serializers.Serializer[Any]):
    revoked = serializers.BooleanField(help_text="False when there was nothing to revoke.")


class InvitationFields(serializers.Serializer[Any]):
    role = serializers.ChoiceField(Role.choices)
    note = serializers.CharField(
        max_length=120, required=False, allow_blank=True, default="", help_text="Whom it is for."
    )


class InvitationShown(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    role = serializers.ChoiceField(Role.choices)
    note = serializers.CharField()
    made_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    url = serializers.URLField(
        allow_null=True, help_text="Whoever opens it gets the role; null for those who may not give it."
    )


class InvitationPage(Frame):
    results = InvitationShown(many=True)


class MessageFields(serializers.Serializer[Any]):
    text = serializers.CharField(max_length=280)
    minutes = serializers.IntegerField(
        min_value=1,
        max_value=24 * 60,
        required=False,
        allow_null=True,
        default=None,
        help_text="How long it shows; null: until it is ended.",
    )


class MessageShown(serializers.ModelSerializer[Announcement]):
    class Meta:
        model = Announcement
        fields = ["id", "text", "made_at", "until", "ended_at"]


class MessagePage(PageOf):
    results = MessageShown(many=True)


class GameMarksFields(serializers.Serializer[Any]):
    NS = serializers.IntegerField(min_value=0, max_value=99)
    EW = serializers.IntegerField(min_value=0, max_value=99)


class ResultShown(serializers.ModelSerializer[Result]):
    class Meta:
        model = Result
        fields = [
            "version",
            "state",
            "outcome",
            "winner_side",
            "games",
            "games_ns",
            "games_ew",
            "marks_ns",
            "marks_ew",
            "entered_label",
            "entered_side",
            "entered_at",
            "settled_way",
            "settled_label",
            "settled_at",
            "reason",
        ]


_RESULT = ResultShown()


def result_shown(result: Result) -> dict[str, Any]:
    """The result as `ResultShown` gives it. One serializer serves all: making its fields costs more than filling
    them."""
    return dict(_RESULT.to_representation(result))


class ResultsShown(serializers.Serializer[Any]):
    revision = serializers.IntegerField()
    results = ResultShown(many=True)


class ConfirmFields(WhyFields):
    version = serializers.IntegerField(min_value=1)


class ForfeitFields(serializers.Serializer[Any]):
    side = serializers.ChoiceField(FORFEIT_SIDES)
    reason = serializers.CharField(max_length=1000)


class SideShown(serializers.Serializer[Any]):
    side = serializers.CharField()
    entry = serializers.UUIDField(source="entry_id", allow_null=True)
    number = serializers.IntegerField(allow_null=True)
    name = serializers.CharField()
    seed = serializers.IntegerField(allow_null=True)
    source_kind = serializers.CharField()
    source_match = serializers.CharField()
    nobody = serializers.BooleanField()
    marks = serializers.ListField(child=serializers.IntegerField())
    games = serializers.IntegerField()
    won = serializers.BooleanField()


class MatchInBracketShown(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    code = serializers.CharField()
    position = serializers.IntegerField()
    best_of = serializers.IntegerField()
    state = serializers.CharField()
    is_reset = serializers.BooleanField()
    advance_pending = serializers.BooleanField()
    outcome = serializers.CharField()
    winner_side = serializers.CharField()
    winner_to = serializers.CharField()
    loser_to = serializers.CharField()
    sides = SideShown(many=True)


class ByeShown(serializers.Serializer[Any]):
    position = serializers.IntegerField()
    entry = serializers.UUIDField(source="entry_id", allow_null=True)
    name = serializers.CharField()
    source_kind = serializers.CharField()
    source_match = serializers.CharField()
    into_match = serializers.CharField()
    into_side = serializers.CharField()
    instead_of = serializers.CharField()


class RoundShown(serializers.Serializer[Any]):
    key = serializers.CharField()
    section = serializers.CharField()
    number = serializers.IntegerField()
    play_order = serializers.IntegerField()
    places = serializers.IntegerField()
    best_of = serializers.IntegerField()
    done = serializers.BooleanField()
    matches = MatchInBracketShown(many=True)
    byes = ByeShown(many=True)


class BracketShown(serializers.Serializer[Any]):
    revision = serializers.IntegerField()
    stage = serializers.IntegerField()
    draw_state = serializers.CharField()
    current_rounds = serializers.ListField(child=serializers.CharField())
    rounds = RoundShown(many=True)


class MatchTeam(serializers.Serializer[Any]):
    entry = serializers.UUIDField()
    number = serializers.IntegerField(help_text="Start number.")
    name = serializers.CharField()


class MatchTeams(serializers.Serializer[Any]):
    """Both sides; null while the team is unknown."""

    NS = MatchTeam(allow_null=True)
    EW = MatchTeam(allow_null=True)


class MatchShown(serializers.ModelSerializer[Match]):
    code = serializers.CharField(read_only=True)
    tournament = serializers.CharField(source="tournament.slug", read_only=True)
    stage = serializers.IntegerField(source="stage.number", read_only=True)
    round = serializers.CharField(source="round.key", read_only=True)
    teams = serializers.SerializerMethodField()

    class Meta:
        model = Match
        fields = [
            "id",
            "code",
            "number",
            "tournament",
            "stage",
            "round",
            "best_of",
            "state",
            "advance_pending",
            "result_version",
            "ready_at",
            "called_at",
            "started_at",
            "entered_at",
            "closed_at",
            "teams",
        ]

    @extend_schema_field(MatchTeams)
    def get_teams(self, match: Match) -> dict[str, dict[str, Any] | None]:
        """By side: entry id, start number and name; null while unknown."""
        return {
            slot.side: None
            if slot.entry is None
            else {"entry": str(slot.entry.pk), "number": slot.entry.number, "name": slot.entry.name}
            for slot in match.slots.all()
        }


class MatchPage(MatchShown):
    """A match with every entry of its result."""

    revision = serializers.IntegerField()
    results = ResultShown(many=True)

    class Meta(MatchShown.Meta):
        fields = ["revision", *MatchShown.Meta.fields, "results"]


class LogShown(serializers.ModelSerializer[LogEntry]):
    match = serializers.SerializerMethodField()

    class Meta:
        model = LogEntry
        fields = ["at", "action", "actor_kind", "actor_label", "match", "entry", "facts"]

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_match(self, row: LogEntry) -> str | None:
        return row.match.code if row.match else None


class PlayerShown(serializers.ModelSerializer[Player]):
    class Meta:
        model = Player
        fields = ["id", "name"]


class TeamShown(serializers.ModelSerializer[Team]):
    players = serializers.SerializerMethodField()

    class Meta:
        model = Team
        fields = ["id", "name", "players"]

    def get_players(self, team: Team) -> list[dict[str, str]]:
        pair = (team.first_player, team.second_player)
        return [{"id": str(player.pk), "name": player.name} for player in pair]


class PlaceChangeShown(serializers.Serializer[Any]):
    match = serializers.CharField()
    side = serializers.CharField()
    before = serializers.CharField()
    after = serializers.CharField()


class PreviewShown(serializers.Serializer[Any]):
    preview = serializers.BooleanField()
    changes = PlaceChangeShown(many=True)


class PlacingShown(serializers.Serializer[Any]):
    rank = serializers.IntegerField()
    label = serializers.CharField(help_text='"5", or "=5" when shared.')  # type: ignore[assignment]
    entry = serializers.UUIDField(source="entry_id")
    number = serializers.IntegerField()
    name = serializers.CharField()
    still_in = serializers.BooleanField()
    won = serializers.IntegerField()
    lost = serializers.IntegerField()
    marks_for = serializers.IntegerField()
    marks_against = serializers.IntegerField()
    exit = serializers.CharField(
        help_text="Key of the round in which the team went out; empty while still in."
    )


class StandingsShown(serializers.Serializer[Any]):
    revision = serializers.IntegerField()
    placings = PlacingShown(many=True)
