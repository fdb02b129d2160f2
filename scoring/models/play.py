"""Games and hands as recorded: marks only, at bid level, or every call and tile."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from scoring.enums import Ending, GameState, HandState, Level
from tables.enums import SeatName
from tournaments.enums import ActorKind, Side
from tournaments.models import Match, Record


class Game(Record):
    """One game of a match. Its marks are the sum of its hands, or entered whole."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="game_records")
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=8, choices=GameState, default=GameState.LIVE)
    marks_ns = models.PositiveSmallIntegerField(default=0)
    marks_ew = models.PositiveSmallIntegerField(default=0)
    winner_side = models.CharField(max_length=2, choices=Side, blank=True)
    whole = models.BooleanField(default=False, help_text="Entered as a whole, without hands.")
    first_shaker = models.CharField(max_length=1, choices=SeatName, blank=True)
    started_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["match", "number"]
        constraints = [models.UniqueConstraint(fields=["match", "number"], name="game_number_once")]

    def __str__(self) -> str:
        return f"{self.match} game {self.number}"


class Hand(Record):
    """One shake played out. A hand taken back stays as VOID; its number is used again."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="hands")
    number = models.PositiveSmallIntegerField()
    level = models.CharField(max_length=8, choices=Level)
    state = models.CharField(max_length=8, choices=HandState, default=HandState.LIVE)
    shaker = models.CharField(max_length=1, choices=SeatName, blank=True)
    declarer = models.CharField(max_length=1, choices=SeatName, blank=True)
    bid = models.CharField(max_length=8, blank=True, help_text="As called: 30 ... 42, 84, 3m ...")
    trump = models.CharField(max_length=20, blank=True)
    ending = models.CharField(max_length=16, choices=Ending, blank=True)
    points_ns = models.PositiveSmallIntegerField(null=True, blank=True)
    points_ew = models.PositiveSmallIntegerField(null=True, blank=True)
    marks_ns = models.PositiveSmallIntegerField(default=0)
    marks_ew = models.PositiveSmallIntegerField(default=0)
    tricks_to_settle = models.PositiveSmallIntegerField(null=True, blank=True)
    entered_kind = models.CharField(max_length=8, choices=ActorKind)
    entered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    entered_link = models.UUIDField(null=True, blank=True)
    entered_label = models.CharField(max_length=160)
    started_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["game", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["game", "number"], condition=~models.Q(state=HandState.VOID), name="hand_number_once"
            ),
            models.UniqueConstraint(
                fields=["game"], condition=models.Q(state=HandState.LIVE), name="hand_one_live_per_game"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game} hand {self.number}"


class Holding(Record):
    """The seven tiles that a seat drew; there is a row for each seat that is known."""

    hand = models.ForeignKey(Hand, on_delete=models.CASCADE, related_name="holdings")
    seat = models.CharField(max_length=1, choices=SeatName)
    tiles = models.CharField(max_length=40, help_text='Seven tiles: "6-6 6-5 ...".')
    entered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    entered_link = models.UUIDField(null=True, blank=True)
    entered_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["hand", "seat"], name="holding_seat_once")]

    def __str__(self) -> str:
        return f"{self.hand} {self.seat}"


class Call(Record):
    hand = models.ForeignKey(Hand, on_delete=models.CASCADE, related_name="calls")
    seq = models.PositiveSmallIntegerField(help_text="From 1.")
    seat = models.CharField(max_length=1, choices=SeatName)
    call = models.CharField(max_length=8)
    at = models.DateTimeField(default=timezone.now)
    device = models.CharField(max_length=80, blank=True)

    class Meta:
        ordering = ["hand", "seq"]
        constraints = [
            models.UniqueConstraint(fields=["hand", "seq"], name="call_order_once"),
            models.UniqueConstraint(fields=["hand", "seat"], name="call_seat_once"),
        ]

    def __str__(self) -> str:
        return f"{self.seat} {self.call}"


class Play(Record):
    hand = models.ForeignKey(Hand, on_delete=models.CASCADE, related_name="plays")
    seq = models.PositiveSmallIntegerField(help_text="From 1.")
    seat = models.CharField(max_length=1, choices=SeatName)
    tile = models.CharField(max_length=3)
    suit = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="The smaller end of a first lead, where it was declared as the suit."
    )
    at = models.DateTimeField(default=timezone.now)
    device = models.CharField(max_length=80, blank=True)

    class Meta:
        ordering = ["hand", "seq"]
        constraints = [
            models.UniqueConstraint(fields=["hand", "seq"], name="play_order_once"),
            models.UniqueConstraint(fields=["hand", "tile"], name="play_tile_once"),
        ]

    def __str__(self) -> str:
        return f"{self.seat} {self.tile}"


class RefusedAttempt(Record):
    """Something that was tried and refused by the rules; nothing else of it is stored."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="refused_attempts")
    hand = models.ForeignKey(
        Hand, null=True, blank=True, on_delete=models.CASCADE, related_name="refused_attempts"
    )
    code = models.CharField(max_length=60)
    tried = models.JSONField(default=dict)
    facts = models.JSONField(default=dict)
    actor_kind = models.CharField(max_length=8, choices=ActorKind)
    actor_label = models.CharField(max_length=160)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-at"]

    def __str__(self) -> str:
        return self.code
