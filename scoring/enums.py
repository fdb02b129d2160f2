"""Closed lists of words about records of play."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Level(models.TextChoices):
    """How much a record knows."""

    MARKS = "marks", _("Marks only")
    BID = "bid", _("Bid level")
    FULL = "full", _("Full play")


class GameState(models.TextChoices):
    LIVE = "live", _("Being played")
    CLOSED = "closed", _("Over")


class HandState(models.TextChoices):
    LIVE = "live", _("Being played")
    CLOSED = "closed", _("Over")
    VOID = "void", _("Taken back")


class Ending(models.TextChoices):
    """How a hand ended."""

    MADE = "made", _("Made")
    SET = "set", _("Set")
    THROWN_IN = "thrown-in", _("Thrown in")
