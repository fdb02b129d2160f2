"""Rooms and tables, who sits where, calls for a judge, and the links that let people act without an account."""

from django.db import models
from django.utils import timezone

from tables.enums import JudgeCallKind, LinkKind, SeatName, TableState
from tournaments.models import Entry, Match, Player, Record, Tournament


class Hall(Record):
    """How the tables of a tournament are filled; without a row the defaults hold."""

    tournament = models.OneToOneField(Tournament, on_delete=models.CASCADE, related_name="hall")
    calls_itself = models.BooleanField(
        default=True, help_text="Free tables get the next match by themselves."
    )
    missing_minutes = models.PositiveSmallIntegerField(
        default=5, help_text="A team that is not there so long after the call may be made to forfeit."
    )

    def __str__(self) -> str:
        return f"Hall of {self.tournament}"


class Room(Record):
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="rooms")
    name = models.CharField(max_length=80)

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["tournament", "name"], name="room_name_once")]

    def __str__(self) -> str:
        return self.name


class Table(Record):
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="tables")
    room = models.ForeignKey(Room, null=True, blank=True, on_delete=models.PROTECT, related_name="tables")
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=16, choices=TableState, default=TableState.OPEN)
    fixed_entry = models.OneToOneField(
        Entry,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="fixed_table",
        help_text="The team that always plays here.",
    )

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["tournament", "number"], name="table_number_once")]

    def __str__(self) -> str:
        return f"Table {self.number}"


class Seating(Record):
    """A match at a table, from its call until the table is free again."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="seatings")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seatings")
    called_at = models.DateTimeField()
    freed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-called_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["table"], condition=models.Q(freed_at__isnull=True), name="seating_table_once"
            ),
            models.UniqueConstraint(
                fields=["match"], condition=models.Q(freed_at__isnull=True), name="seating_match_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match} at {self.table}"


class Hold(Record):
    """A match that is not called by itself until the hold ends."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="holds")
    reason = models.CharField(max_length=200, blank=True)
    held_at = models.DateTimeField(default=timezone.now)
    held_label = models.CharField(max_length=160)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-held_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["match"], condition=models.Q(ended_at__isnull=True), name="hold_match_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match} held"


class JudgeCall(Record):
    """Somebody at a table asks for a judge, or the program does because two entries of a hand differ.

    `facts` holds both entries then: game, hand, what is stored and what was tried.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="judge_calls")
    kind = models.CharField(max_length=8, choices=JudgeCallKind, default=JudgeCallKind.ASKED)
    note = models.CharField(max_length=200, blank=True)
    facts = models.JSONField(default=dict, blank=True)
    called_at = models.DateTimeField(default=timezone.now)
    called_label = models.CharField(max_length=160)
    called_link = models.UUIDField(null=True, blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)
    answered_label = models.CharField(max_length=160, blank=True)

    class Meta:
        ordering = ["called_at"]
        indexes = [
            models.Index(
                fields=["match"], condition=models.Q(answered_at__isnull=True), name="judge_call_open"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match} judge"


class SeatAssignment(Record):
    """Which player sits north, east, south and west in a match."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats")
    seat = models.CharField(max_length=1, choices=SeatName)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="seats")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "seat"], name="seat_once")]

    def __str__(self) -> str:
        return f"{self.match} {self.seat}"


class AccessLink(Record):
    """What a table card or a team's sheet opens. The token is signed from the id and never stored."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="links")
    kind = models.CharField(max_length=8, choices=LinkKind)
    table = models.ForeignKey(Table, null=True, blank=True, on_delete=models.CASCADE, related_name="links")
    entry = models.ForeignKey(Entry, null=True, blank=True, on_delete=models.CASCADE, related_name="links")
    match = models.ForeignKey(Match, null=True, blank=True, on_delete=models.CASCADE, related_name="links")
    seat = models.CharField(max_length=1, choices=SeatName, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    failed_tries = models.PositiveSmallIntegerField(
        default=0, help_text="Wrong codes since the last right one."
    )
    locked_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["table"],
                condition=models.Q(kind=LinkKind.TABLE, revoked_at__isnull=True),
                name="link_table_once",
            ),
            models.UniqueConstraint(
                fields=["entry"],
                condition=models.Q(kind=LinkKind.TEAM, revoked_at__isnull=True),
                name="link_team_once",
            ),
            models.UniqueConstraint(
                fields=["match", "seat"],
                condition=models.Q(kind=LinkKind.SEAT, revoked_at__isnull=True),
                name="link_seat_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} link"
