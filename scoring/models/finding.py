"""What fair play found, what directors made of it, and which records were looked at.

A finding never touches a score. Only directors reach it: nothing here goes into the tournament's log, its
revisions or its exports.
"""

from django.conf import settings
from django.db import models
from django.utils import timezone

from scoring.enums import FindingOutcome, FindingState, ReviewKind
from scoring.models.play import Hand
from tournaments.models import Entry, Match, Record, Tournament


class Screening(Record):
    """That a hand or a match was looked at, by which versions of the detectors, and as it stood when.

    A record without one, or with one that is behind, is found by the sweep. One that fails again and again is
    set aside with its error.
    """

    hand = models.OneToOneField(
        Hand, null=True, blank=True, on_delete=models.CASCADE, related_name="screening"
    )
    match = models.OneToOneField(
        Match, null=True, blank=True, on_delete=models.CASCADE, related_name="screening"
    )
    versions = models.CharField(max_length=255, blank=True, help_text="Detectors with their versions.")
    seen_version = models.PositiveIntegerField(
        default=0, help_text="Rows of the hand, or the match's result version, when it was read."
    )
    seen_at = models.DateTimeField(null=True, blank=True, help_text="When the record had ended.")
    asked = models.PositiveIntegerField(
        default=0, help_text="How often another look was asked for, since something around it was declared."
    )
    untestable = models.JSONField(default=dict, help_text="By detector: why it could not look.")
    screened_at = models.DateTimeField(null=True, blank=True)
    failures = models.PositiveSmallIntegerField(default=0, help_text="In a row, with these versions.")
    error = models.CharField(max_length=200, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(hand__isnull=False, match__isnull=True)
                | models.Q(hand__isnull=True, match__isnull=False),
                name="screening_of_one_record",
            ),
        ]

    def __str__(self) -> str:
        return f"Screening of {self.hand or self.match}"


class RecordPrint(Record):
    """A digest of a deal or of a match's list of hands, so that twins are found by an index."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=8)
    digest = models.CharField(max_length=64)
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="+")
    hand = models.OneToOneField(Hand, null=True, blank=True, on_delete=models.CASCADE, related_name="+")

    class Meta:
        indexes = [models.Index(fields=["tournament", "kind", "digest"], name="record_print_digest")]
        constraints = [
            models.UniqueConstraint(
                fields=["match"], condition=models.Q(hand__isnull=True), name="record_print_match_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.hand or self.match}"


class Finding(Record):
    """One observation with its evidence, stored once for each detector, version and subject."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="findings")
    number = models.PositiveIntegerField(help_text="Of the case, within the tournament.")
    detector = models.CharField(max_length=40)
    version = models.PositiveSmallIntegerField()
    tier = models.CharField(max_length=1)
    subject = models.CharField(max_length=200)
    code = models.CharField(max_length=40)
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="findings")
    hand = models.ForeignKey(
        Hand,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="findings",
        help_text="Empty once the hand is gone; the case stays.",
    )
    other_match = models.ForeignKey(
        Match, null=True, blank=True, on_delete=models.CASCADE, related_name="+", help_text="A second match."
    )
    entry = models.ForeignKey(Entry, null=True, blank=True, on_delete=models.CASCADE, related_name="findings")
    body = models.JSONField(help_text="Facts, figures, evidence both ways and the reasons tried.")
    fingerprint = models.CharField(max_length=64)
    found_at = models.DateTimeField(default=timezone.now)
    changed_at = models.DateTimeField(null=True, blank=True, help_text="When the evidence last changed.")
    gone_at = models.DateTimeField(
        null=True, blank=True, help_text="Since when the record does not say so any more."
    )
    state = models.CharField(max_length=8, choices=FindingState, default=FindingState.OPEN)
    outcome = models.CharField(max_length=12, choices=FindingOutcome, blank=True)
    note = models.TextField(blank=True)
    reviewed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    reviewed_label = models.CharField(max_length=160, blank=True)
    reviewed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["tournament", "number"]
        constraints = [
            models.UniqueConstraint(fields=["detector", "version", "subject"], name="finding_once"),
            models.UniqueConstraint(fields=["tournament", "number"], name="finding_number_once"),
            models.CheckConstraint(
                condition=models.Q(state=FindingState.CLOSED) & ~models.Q(outcome="")
                | ~models.Q(state=FindingState.CLOSED) & models.Q(outcome=""),
                name="finding_closed_says_how",
            ),
        ]
        indexes = [models.Index(fields=["tournament", "state"], name="finding_by_state")]

    def __str__(self) -> str:
        return f"Case {self.number}"


class Review(Record):
    """One look at a case, or one act on it. Never changed or deleted."""

    finding = models.ForeignKey(Finding, on_delete=models.CASCADE, related_name="reviews")
    kind = models.CharField(max_length=8, choices=ReviewKind)
    outcome = models.CharField(max_length=12, choices=FindingOutcome, blank=True)
    note = models.TextField(blank=True)
    at = models.DateTimeField(default=timezone.now)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    label = models.CharField(max_length=160)

    class Meta:
        ordering = ["at", "id"]

    def __str__(self) -> str:
        return f"{self.finding} {self.kind}"
