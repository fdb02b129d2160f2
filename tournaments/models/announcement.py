"""A word of the director to everybody: on table pages, on the public pages and on screens."""

from django.db import models
from django.utils import timezone

from tournaments.models.base import Record
from tournaments.models.tournament import Tournament


class Announcement(Record):
    """One message. It shows until it is ended, or until its time is up."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="announcements")
    text = models.CharField(max_length=280)
    made_at = models.DateTimeField(default=timezone.now)
    made_label = models.CharField(max_length=160)
    until = models.DateTimeField(null=True, blank=True, help_text="Empty: until it is ended.")
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-made_at"]

    def __str__(self) -> str:
        return self.text
