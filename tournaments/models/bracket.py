"""The shape of a competition: stages, rounds, matches, the slots that feed them, and byes."""

from django.db import models

from tournaments.enums import (
    DrawMethod,
    DrawState,
    GrandFinal,
    MatchState,
    Section,
    Side,
    SlotState,
    SourceKind,
    StageKind,
)
from tournaments.models.base import Record
from tournaments.models.tournament import Entry, Tournament


class Stage(Record):
    """One part of a tournament with a format of its own. It owns the options of that format.

    The row is the lock for drawing and advancing: lock it before any Match.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="stages")
    number = models.PositiveSmallIntegerField(default=1)
    name = models.CharField(max_length=80, default="Championship")
    kind = models.CharField(max_length=32, choices=StageKind, default=StageKind.DOUBLE_ELIMINATION)
    best_of = models.PositiveSmallIntegerField(default=3)
    best_of_by_round = models.JSONField(
        default=dict, blank=True, help_text='Exceptions by round key, such as {"winners-1": 5}.'
    )
    grand_final = models.CharField(max_length=16, choices=GrandFinal, default=GrandFinal.RESET)
    third_place = models.BooleanField(default=False)
    rules = models.JSONField(
        default=dict, blank=True, help_text="Switches that differ from the tournament's."
    )
    draw_state = models.CharField(max_length=16, choices=DrawState, default=DrawState.NONE)
    draw_method = models.CharField(max_length=16, choices=DrawMethod, default=DrawMethod.SEED)
    draw_seed = models.BigIntegerField(null=True, blank=True, help_text="Re-makes the same draw.")
    size = models.PositiveIntegerField(null=True, blank=True, help_text="Teams in the draw.")
    first_number = models.PositiveIntegerField(default=1, help_text="Number of the first match of the draw.")
    drawn_at = models.DateTimeField(null=True, blank=True)
    published_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["tournament", "number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="stage_number_once"),
            models.CheckConstraint(condition=models.Q(best_of__in=[1, 3, 5, 7]), name="stage_best_of_odd"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament}: {self.name}"


class Round(Record):
    """Matches of a section that can be played at the same time."""

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="rounds")
    section = models.CharField(max_length=16, choices=Section)
    number = models.PositiveSmallIntegerField(help_text="Within its section, from 1.")
    play_order = models.PositiveSmallIntegerField(help_text="Across all sections of the stage.")
    key = models.CharField(max_length=40, help_text="winners-3, losers-final, grand-final, ...")
    places = models.PositiveIntegerField(help_text="Positions in the whole round, byes included.")
    best_of = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["stage", "play_order"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "section", "number"], name="round_number_once"),
            models.UniqueConstraint(fields=["stage", "key"], name="round_key_once"),
        ]

    def __str__(self) -> str:
        return self.key


class Match(Record):
    """Two teams, best of N games. Its row is the lock for everything recorded under it."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="matches")
    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="matches")
    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="matches")
    number = models.PositiveIntegerField(help_text="Unique in the tournament; the code is M and this number.")
    position = models.PositiveIntegerField(help_text="Vertical place in the whole round, byes included.")
    best_of = models.PositiveSmallIntegerField()
    is_reset = models.BooleanField(default=False)
    state = models.CharField(max_length=16, choices=MatchState, default=MatchState.WAITING)
    has_play = models.BooleanField(default=False, help_text="Hands or games are recorded.")
    result_version = models.PositiveIntegerField(default=0, help_text="Version of its newest result.")
    from_paper = models.BooleanField(
        default=False, help_text="What is entered is copied from paper: its times are not those of play."
    )
    ready_at = models.DateTimeField(null=True, blank=True)
    called_at = models.DateTimeField(null=True, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    entered_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    advanced_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["tournament", "number"]
        verbose_name_plural = "matches"
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="match_number_once"),
        ]
        indexes = [
            models.Index(fields=["tournament", "state"], name="match_by_state"),
            models.Index(
                fields=["stage"],
                condition=models.Q(closed_at__isnull=False, advanced_at__isnull=True),
                name="match_to_advance",
            ),
        ]

    def __str__(self) -> str:
        return self.code

    @property
    def code(self) -> str:
        return f"M{self.number}"

    @property
    def advance_pending(self) -> bool:
        """Closed, but its teams have not been moved on yet."""
        return self.closed_at is not None and self.advanced_at is None


class Slot(Record):
    """One side of a match: where its team comes from, and which team that turned out to be."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="slots")
    side = models.CharField(max_length=2, choices=Side)
    source_kind = models.CharField(max_length=8, choices=SourceKind)
    source_seed = models.PositiveIntegerField(null=True, blank=True)
    source_match = models.ForeignKey(
        Match, null=True, blank=True, on_delete=models.CASCADE, related_name="feeds"
    )
    state = models.CharField(max_length=8, choices=SlotState, default=SlotState.OPEN)
    entry = models.ForeignKey(Entry, null=True, blank=True, on_delete=models.PROTECT, related_name="slots")
    cause = models.CharField(max_length=16, blank=True, help_text="Why it is filled or empty: won, bye, ...")
    filled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["match", "-side"]
        constraints = [
            models.UniqueConstraint(fields=["match", "side"], name="slot_side_once"),
            models.CheckConstraint(
                condition=models.Q(state=SlotState.FILLED, entry__isnull=False)
                | (~models.Q(state=SlotState.FILLED) & models.Q(entry__isnull=True)),
                name="slot_filled_has_entry",
            ),
            models.CheckConstraint(
                condition=models.Q(
                    source_kind=SourceKind.SEED, source_seed__isnull=False, source_match__isnull=True
                )
                | (
                    ~models.Q(source_kind=SourceKind.SEED)
                    & models.Q(source_seed__isnull=True, source_match__isnull=False)
                ),
                name="slot_has_one_source",
            ),
            models.UniqueConstraint(
                fields=["source_match", "source_kind"],
                condition=models.Q(source_match__isnull=False),
                name="slot_source_feeds_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match} {self.side}"


class Bye(Record):
    """A team moves on without playing: by the draw, or because nobody came to the other slot."""

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="byes")
    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="byes")
    position = models.PositiveIntegerField()
    source_kind = models.CharField(max_length=8, choices=SourceKind, blank=True)
    source_seed = models.PositiveIntegerField(null=True, blank=True)
    source_match = models.ForeignKey(
        Match, null=True, blank=True, on_delete=models.CASCADE, related_name="byes_after"
    )
    into_match = models.ForeignKey(
        Match, null=True, blank=True, on_delete=models.CASCADE, related_name="byes_into"
    )
    into_side = models.CharField(max_length=2, choices=Side, blank=True)
    instead_of = models.OneToOneField(
        Match,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="walkover",
        help_text="The match that is not played because one slot stays empty.",
    )
    entry = models.ForeignKey(Entry, null=True, blank=True, on_delete=models.PROTECT, related_name="byes")

    class Meta:
        ordering = ["stage", "round__play_order", "position"]

    def __str__(self) -> str:
        return f"bye in {self.round}"
