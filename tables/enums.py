"""Closed lists of words about tables and links."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class TableState(models.TextChoices):
    OPEN = "open", _("Open")
    RESERVED = "reserved", _("Reserved")
    CLOSED = "closed", _("Closed")


class LinkKind(models.TextChoices):
    TABLE = "table", _("Table")
    TEAM = "team", _("Team")
    SEAT = "seat", _("Seat")


class SeatName(models.TextChoices):
    N = "N", _("North")
    E = "E", _("East")
    S = "S", _("South")
    W = "W", _("West")


class JudgeCallKind(models.TextChoices):
    ASKED = "asked", _("Asked for at the table")
    DIFFERS = "differs", _("Two entries of a hand differ")
