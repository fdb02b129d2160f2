"""Invitations to an office in a tournament."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from tournaments.enums import Role
from tournaments.models.base import Record
from tournaments.models.tournament import Tournament


class Invitation(Record):
    """A link that gives whoever opens it first a role. Its token is signed from the id and never stored."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="invitations")
    role = models.CharField(max_length=16, choices=Role)
    note = models.CharField(max_length=120, blank=True, help_text="Whom it is for.")
    made_at = models.DateTimeField(default=timezone.now)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)
    used_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-made_at"]

    def __str__(self) -> str:
        return f"{self.tournament}: {self.role}"
