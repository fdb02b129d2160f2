"""What was entered for a match and how it was settled. Rows are superseded, never edited."""

from django.conf import settings
from django.db import models

from tournaments.enums import ActorKind, Outcome, ResultState, SettledWay, Side
from tournaments.models.base import Record
from tournaments.models.bracket import Match


class Result(Record):
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="results")
    version = models.PositiveIntegerField()
    state = models.CharField(max_length=16, choices=ResultState, default=ResultState.ENTERED)
    outcome = models.CharField(max_length=16, choices=Outcome, default=Outcome.PLAYED)
    winner_side = models.CharField(max_length=2, choices=Side, blank=True)
    games = models.JSONField(default=list, help_text='Marks of each game: [{"NS": 7, "EW": 4}, ...].')
    games_ns = models.PositiveSmallIntegerField(default=0)
    games_ew = models.PositiveSmallIntegerField(default=0)
    marks_ns = models.PositiveSmallIntegerField(default=0)
    marks_ew = models.PositiveSmallIntegerField(default=0)
    lineups = models.JSONField(default=dict, help_text='Player ids: {"NS": [id, id], "EW": [id, id]}.')

    entered_kind = models.CharField(max_length=8, choices=ActorKind)
    entered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    entered_link = models.UUIDField(null=True, blank=True)
    entered_label = models.CharField(max_length=160)
    entered_side = models.CharField(
        max_length=2, choices=Side, blank=True, help_text="The side that entered it; empty for neither."
    )
    entered_at = models.DateTimeField()

    settled_way = models.CharField(max_length=16, choices=SettledWay, blank=True)
    settled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    settled_link = models.UUIDField(null=True, blank=True)
    settled_label = models.CharField(max_length=160, blank=True)
    settled_at = models.DateTimeField(null=True, blank=True)
    reason = models.TextField(blank=True)

    class Meta:
        ordering = ["match", "version"]
        constraints = [
            models.UniqueConstraint(fields=["match", "version"], name="result_version_once"),
            models.UniqueConstraint(
                fields=["match"],
                condition=models.Q(state=ResultState.CONFIRMED),
                name="result_one_confirmed",
            ),
            models.CheckConstraint(
                condition=~models.Q(state=ResultState.CONFIRMED) | ~models.Q(settled_way=""),
                name="result_confirmed_says_how",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match} v{self.version}"

    @property
    def scores(self) -> str:
        """Marks of each game from the winner's side where there is one: '7-4, 5-7, 7-3'."""
        first, second = ("EW", "NS") if self.winner_side == Side.EW else ("NS", "EW")
        return ", ".join(f"{game[first]}-{game[second]}" for game in self.games)
