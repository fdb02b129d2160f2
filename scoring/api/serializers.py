"""Shapes of games, hands and plays in the API."""

from typing import Any

from rest_framework import serializers

from scoring.enums import Level
from tournaments.api.serializers import FORFEIT_SIDES, GameMarksFields
from tournaments.enums import MatchState, Side


class ResultFields(serializers.Serializer[Any]):
    """A whole match: `games` as marks, or `scores` as text like "7-4,5-7,7-3" (first the NS side)."""

    games = GameMarksFields(many=True, required=False)
    scores = serializers.CharField(max_length=100, required=False)
    winner = serializers.ChoiceField(
        Side.choices, required=False, help_text="Checked against the marks when given."
    )
    desk = serializers.BooleanField(default=False, help_text="An official's own entry that counts at once.")
    reason = serializers.CharField(max_length=1000, required=False, default="", allow_blank=True)

    def validate(self, values: dict[str, Any]) -> dict[str, Any]:
        if ("games" in values) == ("scores" in values):
            raise serializers.ValidationError({"games": "Give either games or scores."})
        return values


class CorrectFields(serializers.Serializer[Any]):
    """What the result should have been: `games`, `scores`, or the side that forfeits."""

    games = GameMarksFields(many=True, required=False)
    scores = serializers.CharField(max_length=100, required=False)
    forfeit = serializers.ChoiceField(FORFEIT_SIDES, required=False)
    reason = serializers.CharField(max_length=1000)

    def validate(self, values: dict[str, Any]) -> dict[str, Any]:
        if len({"games", "scores", "forfeit"} & set(values)) != 1:
            raise serializers.ValidationError(
                {"games": "Give games, scores or forfeit, and only one of them."}
            )
        return values


class HandFields(serializers.Serializer[Any]):
    level = serializers.ChoiceField(Level.choices)
    shaker = serializers.CharField(max_length=1, required=False, default="", allow_blank=True)
    thrown_in = serializers.BooleanField(required=False, default=False)
    winner = serializers.ChoiceField(Side.choices, required=False)
    marks = serializers.IntegerField(min_value=0, max_value=99, required=False)
    declarer = serializers.CharField(max_length=1, required=False, default="", allow_blank=True)
    bid = serializers.CharField(max_length=8, required=False, default="", allow_blank=True)
    trump = serializers.CharField(max_length=20, required=False, default="", allow_blank=True)
    trump_unrecorded = serializers.BooleanField(
        required=False, default=False, help_text="At bid level: nobody noted the trump."
    )
    made = serializers.BooleanField(required=False, allow_null=True, default=None)
    points = serializers.IntegerField(
        min_value=0, max_value=99, required=False, allow_null=True, default=None
    )
    tricks = serializers.IntegerField(
        min_value=0, max_value=99, required=False, allow_null=True, default=None
    )
    deal = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField(max_length=5), max_length=28), required=False
    )


class DealFields(serializers.Serializer[Any]):
    tiles = serializers.ListField(child=serializers.CharField(max_length=5), max_length=28)


class CallFields(serializers.Serializer[Any]):
    seat = serializers.CharField(max_length=1)
    call = serializers.CharField(max_length=8)
    device = serializers.CharField(max_length=80, required=False, default="", allow_blank=True)


class TrumpFields(serializers.Serializer[Any]):
    trump = serializers.CharField(max_length=20)
    seat = serializers.CharField(max_length=1, required=False, default="", allow_blank=True)


class PlayFields(serializers.Serializer[Any]):
    seat = serializers.CharField(max_length=1)
    tile = serializers.CharField(max_length=5)
    suit = serializers.IntegerField(
        min_value=0,
        max_value=6,
        required=False,
        allow_null=True,
        default=None,
        help_text="The pip as which a first lead is declared, where the rules let it be the smaller end.",
    )
    device = serializers.CharField(max_length=80, required=False, default="", allow_blank=True)


class HandShown(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    number = serializers.IntegerField()
    level = serializers.CharField()
    state = serializers.CharField()
    shaker = serializers.CharField()
    declarer = serializers.CharField()
    bid = serializers.CharField()
    trump = serializers.CharField()
    ending = serializers.CharField()
    points = serializers.DictField(child=serializers.IntegerField(), allow_null=True)
    marks = serializers.DictField(child=serializers.IntegerField())
    view = serializers.DictField(required=False)
    deal = serializers.DictField(required=False)


class HandPage(HandShown):
    """`revision` is left out of what a seat's own link is shown."""

    revision = serializers.IntegerField(required=False)


class HoldingShown(serializers.Serializer[Any]):
    seat = serializers.CharField()
    tiles = serializers.ListField(child=serializers.CharField())


class DealShown(serializers.Serializer[Any]):
    deal = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField()), help_text="Tiles by seat."
    )


class CallShown(serializers.Serializer[Any]):
    seq = serializers.IntegerField()
    seat = serializers.CharField()
    call = serializers.CharField()
    hand = HandShown()


class TrumpShown(serializers.Serializer[Any]):
    trump = serializers.CharField()
    hand = HandShown()


class PlayShown(serializers.Serializer[Any]):
    seq = serializers.IntegerField()
    seat = serializers.CharField()
    tile = serializers.CharField()
    suit = serializers.IntegerField(allow_null=True)
    hand = HandShown()


class GameShown(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    state = serializers.CharField()
    marks = GameMarksFields()
    winner_side = serializers.CharField()
    whole = serializers.BooleanField()
    first_shaker = serializers.CharField()
    hands = HandShown(many=True)


class GamesShown(serializers.Serializer[Any]):
    revision = serializers.IntegerField()
    games = GameShown(many=True)


class UndoFields(serializers.Serializer[Any]):
    """What one sees as the newest, so that a second press takes nothing else back; without it, whatever is."""

    game = serializers.IntegerField(min_value=1, max_value=99, required=False)
    hand = serializers.IntegerField(
        min_value=1, max_value=999, required=False, allow_null=True, default=None, help_text="Null: the game."
    )

    def validate(self, values: dict[str, Any]) -> dict[str, Any]:
        if values["hand"] is not None and "game" not in values:
            raise serializers.ValidationError({"game": "Say of which game."})
        return values


class UndoneShown(serializers.Serializer[Any]):
    undone = serializers.ChoiceField([("hand", "hand"), ("game", "game")])
    state = serializers.ChoiceField(MatchState.choices)
    match = serializers.CharField(help_text="Code of the match.")


class OffersShown(serializers.Serializer[Any]):
    phase = serializers.CharField()
    to_act = serializers.CharField(allow_null=True)
    calls = serializers.ListField(child=serializers.CharField())
    trumps = serializers.ListField(child=serializers.CharField())
    plays = serializers.ListField(child=serializers.CharField())
