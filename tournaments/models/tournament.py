"""A tournament, who runs it, and who entered it."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from tournaments.enums import EntryStatus, Lifecycle, Role, Visibility
from tournaments.models.base import SEARCHABLE_LENGTH, Record, searchable
from tournaments.models.people import Player, Team


class Tournament(Record):
    slug = models.SlugField(max_length=80, unique=True)
    name = models.CharField(max_length=120)
    venue = models.CharField(max_length=160, blank=True)
    time_zone = models.CharField(max_length=64, default="America/Chicago")
    starts_at = models.DateTimeField(null=True, blank=True)
    state = models.CharField(max_length=16, choices=Lifecycle, default=Lifecycle.DRAFT)
    visibility = models.CharField(max_length=16, choices=Visibility, default=Visibility.PRIVATE)
    preset = models.CharField(max_length=40, default="online-championship")
    rules = models.JSONField(default=dict, blank=True, help_text="Switches that differ from the preset.")
    auto_confirm_minutes = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Silence settles a result after this many minutes; empty: never."
    )
    players_exclusive = models.BooleanField(
        default=True, help_text="A player may be in one team of this tournament."
    )
    simulated = models.BooleanField(default=False, help_text="Played by the simulator, not by people.")
    from_paper = models.BooleanField(
        default=False, help_text="All that is entered is copied from paper: its times are not those of play."
    )
    champion = models.ForeignKey("Entry", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-starts_at", "-created_at"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return f"/t/{self.slug}/"


class Official(Record):
    """An account's role in one tournament."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="officials")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="offices")
    role = models.CharField(max_length=16, choices=Role)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tournament", "user"], name="official_one_role_per_tournament"),
        ]

    def __str__(self) -> str:
        return f"{self.user} ({self.role})"


class Entry(Record):
    """A team in a tournament, under the name and number it has there."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entries")
    team = models.ForeignKey(Team, on_delete=models.PROTECT, related_name="entries")
    number = models.PositiveIntegerField(help_text="Start number, from 1.")
    name = models.CharField(max_length=120)
    search_name = models.CharField(max_length=SEARCHABLE_LENGTH, editable=False)
    seed = models.PositiveIntegerField(null=True, blank=True)
    rating = models.FloatField(null=True, blank=True)
    status = models.CharField(max_length=16, choices=EntryStatus, default=EntryStatus.ENTERED)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["number"]
        verbose_name_plural = "entries"
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="entry_number_once"),
            models.UniqueConstraint(fields=["tournament", "team"], name="entry_team_once"),
            models.UniqueConstraint(
                fields=["tournament", "seed"],
                condition=models.Q(seed__isnull=False),
                name="entry_seed_once",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_out(self) -> bool:
        """Withdrawn or disqualified: plays no more."""
        return self.status in {EntryStatus.WITHDRAWN, EntryStatus.DISQUALIFIED}

    def rename(self, name: str) -> None:
        """Set both spellings; does not save."""
        self.name, self.search_name = name, searchable(name)


class EntryPlayer(Record):
    """One of the two partners of an entry, from when until when; a substitute is a new row."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="+")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="members")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="memberships")
    position = models.PositiveSmallIntegerField(help_text="1 or 2: the order in which they were entered.")
    exclusive = models.BooleanField(default=True)
    substitute = models.BooleanField(default=False)
    since = models.DateTimeField(default=timezone.now)
    until = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["position", "since"]
        constraints = [
            models.UniqueConstraint(
                fields=["entry", "position"],
                condition=models.Q(until__isnull=True),
                name="entry_position_once",
            ),
            models.UniqueConstraint(
                fields=["tournament", "player"],
                condition=models.Q(until__isnull=True, exclusive=True),
                name="player_in_one_team",
            ),
            models.CheckConstraint(condition=models.Q(position__in=[1, 2]), name="entry_position_1_or_2"),
        ]

    def __str__(self) -> str:
        return str(self.player)
