"""Players and the teams of two that they form; both outlive any one tournament."""

from django.conf import settings
from django.db import models

from tournaments.models.base import SEARCHABLE_LENGTH, Record, searchable


class Player(Record):
    name = models.CharField(max_length=120)
    search_name = models.CharField(max_length=SEARCHABLE_LENGTH, editable=False, db_index=True)
    created_at = models.DateTimeField(auto_now_add=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="players",
        help_text="The account of this person, where it is known.",
    )

    class Meta:
        ordering = ["search_name", "id"]

    def __str__(self) -> str:
        return self.name

    @classmethod
    def named(cls, name: str) -> "Player":
        """An unsaved player with both spellings of the name set."""
        return cls(name=name, search_name=searchable(name))


class Team(Record):
    """Two partners under one name. Who played a given match is in that match's line-up."""

    name = models.CharField(max_length=120)
    search_name = models.CharField(max_length=SEARCHABLE_LENGTH, editable=False, db_index=True)
    first_player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="teams_as_first")
    second_player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="teams_as_second")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["search_name", "id"]
        constraints = [
            models.CheckConstraint(
                condition=~models.Q(first_player=models.F("second_player")), name="team_needs_two_players"
            ),
        ]

    def __str__(self) -> str:
        return self.name
