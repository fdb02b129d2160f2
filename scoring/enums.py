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


class FindingState(models.TextChoices):
    """Where a case of fair play stands."""

    OPEN = "open", _("Open")
    NOTED = "noted", _("Note")
    CLOSED = "closed", _("Closed")


class FindingOutcome(models.TextChoices):
    """How a case was closed. Each is as good as the others."""

    NO_ACTION = "no-action", _("No action")
    TALKED = "talked", _("Talked")
    REFERRED = "referred", _("Referred")


class ReviewKind(models.TextChoices):
    """What somebody, or the program, did with a case."""

    VIEWED = "viewed", _("Looked at")
    NAMED = "named", _("Looked at with names")
    NOTED = "noted", _("Noted")
    CLOSED = "closed", _("Closed")
    REOPENED = "reopened", _("Opened again")
    CHANGED = "changed", _("The record changed")
    GONE = "gone", _("The record does not say so any more")
