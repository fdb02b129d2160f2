"""What happened, which parts of a page changed, and which requests were already answered."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from tournaments.enums import ActorKind
from tournaments.models.base import Record
from tournaments.models.bracket import Match
from tournaments.models.tournament import Entry, Tournament


class LogEntry(Record):
    """One act, with who did it and the facts needed to repeat it. Never changed or deleted."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="log")
    at = models.DateTimeField(default=timezone.now, db_index=True)
    action = models.CharField(max_length=60)
    actor_kind = models.CharField(max_length=8, choices=ActorKind)
    actor_user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    actor_link = models.UUIDField(null=True, blank=True)
    actor_label = models.CharField(max_length=160)
    match = models.ForeignKey(Match, null=True, blank=True, on_delete=models.SET_NULL, related_name="log")
    entry = models.ForeignKey(Entry, null=True, blank=True, on_delete=models.SET_NULL, related_name="log")
    facts = models.JSONField(default=dict)

    class Meta:
        ordering = ["-at", "-id"]
        verbose_name_plural = "log entries"

    def __str__(self) -> str:
        return f"{self.at:%H:%M:%S} {self.action}"


class Revision(models.Model):
    """How often one part of a tournament's pages has changed: home, bracket, placings, tables, match:M12."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="revisions")
    part = models.CharField(max_length=40)
    number = models.PositiveBigIntegerField(default=0)
    changed_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tournament", "part"], name="revision_part_once")]

    def __str__(self) -> str:
        return f"{self.part} {self.number}"


class IdempotencyRecord(Record):
    """The answer that was given to a request with an Idempotency-Key; kept for a day."""

    scope = models.CharField(max_length=80, help_text="Who sent it.")
    key = models.CharField(max_length=120)
    fingerprint = models.CharField(max_length=64, help_text="SHA-256 of method, path and body.")
    status = models.PositiveSmallIntegerField(null=True)
    body = models.JSONField(null=True)
    created_at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["scope", "key"], name="idempotency_key_once")]

    def __str__(self) -> str:
        return self.key
