"""Closed lists of words; the values are what the API and the database say."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Lifecycle(models.TextChoices):
    """Where a tournament is in its life; who may see it is `Visibility`."""

    DRAFT = "draft", _("Draft")
    REGISTRATION = "registration", _("Registration")
    CHECK_IN = "check-in", _("Check-in")
    RUNNING = "running", _("Running")
    FINISHED = "finished", _("Finished")
    ARCHIVED = "archived", _("Archived")


class Visibility(models.TextChoices):
    PRIVATE = "private", _("Private")
    UNLISTED = "unlisted", _("Unlisted")
    PUBLIC = "public", _("Public")


class Role(models.TextChoices):
    """What an account may do in one tournament; each holds all that the ones after it hold."""

    OWNER = "owner", _("Owner")
    DIRECTOR = "director", _("Director")
    DESK = "desk", _("Desk")
    SCORER = "scorer", _("Scorer")


class EntryStatus(models.TextChoices):
    ENTERED = "entered", _("Entered")
    CHECKED_IN = "checked-in", _("Checked in")
    WITHDRAWN = "withdrawn", _("Withdrawn")
    DISQUALIFIED = "disqualified", _("Disqualified")


class StageKind(models.TextChoices):
    SINGLE_ELIMINATION = "single-elimination", _("Single elimination")
    DOUBLE_ELIMINATION = "double-elimination", _("Double elimination")


class DrawState(models.TextChoices):
    NONE = "none", _("Not drawn")
    DRAFT = "draft", _("Draft")
    PUBLISHED = "published", _("Published")


class DrawMethod(models.TextChoices):
    SEED = "seed", _("By seed")
    RATING = "rating", _("By rating")
    RANDOM = "random", _("At random")


class GrandFinal(models.TextChoices):
    RESET = "reset", _("Second match when the unbeaten team loses")
    SINGLE = "single", _("One match")


class Section(models.TextChoices):
    WINNERS = "winners", _("Winners")
    LOSERS = "losers", _("Losers")
    FINALS = "finals", _("Finals")
    THIRD_PLACE = "third-place", _("Third place")


class Side(models.TextChoices):
    """The two halves of a match; the first-named team sits north and south."""

    NS = "NS", _("North and South")
    EW = "EW", _("East and West")

    @property
    def other(self) -> "Side":
        return Side.EW if self is Side.NS else Side.NS


class SourceKind(models.TextChoices):
    SEED = "seed", _("Seed")
    WINNER = "winner", _("Winner of")
    LOSER = "loser", _("Loser of")


class SlotState(models.TextChoices):
    OPEN = "open", _("Open")
    FILLED = "filled", _("Filled")
    EMPTY = "empty", _("Nobody will come")


class MatchState(models.TextChoices):
    LOCKED = "locked", _("Only if needed")
    WAITING = "waiting", _("Waiting for teams")
    READY = "ready", _("Ready")
    CALLED = "called", _("Called")
    PLAYING = "playing", _("Playing")
    ENTERED = "entered", _("To confirm")
    DISPUTED = "disputed", _("Dispute")
    CONFIRMED = "confirmed", _("Final")
    VOID = "void", _("Not played")


OPEN_FOR_PLAY = frozenset({MatchState.READY, MatchState.CALLED, MatchState.PLAYING})
OPEN_FOR_RESULT = OPEN_FOR_PLAY | {MatchState.ENTERED, MatchState.DISPUTED}
CLOSED = frozenset({MatchState.CONFIRMED, MatchState.VOID})


class Outcome(models.TextChoices):
    PLAYED = "played", _("Played")
    FORFEIT = "forfeit", _("Forfeit")
    DOUBLE_FORFEIT = "double-forfeit", _("Double forfeit")
    WITHDRAWAL = "withdrawal", _("Withdrawal")


class ResultState(models.TextChoices):
    ENTERED = "entered", _("Entered")
    CONFIRMED = "confirmed", _("Confirmed")
    SUPERSEDED = "superseded", _("Superseded")
    TAKEN_BACK = "taken-back", _("Taken back")


class SettledWay(models.TextChoices):
    """How a result came to count."""

    OTHER_SIDE = "other-side", _("Confirmed by the other side")
    OFFICIAL = "official", _("Confirmed by an official")
    DESK = "desk", _("Entered at the desk")
    SILENCE = "silence", _("Nobody objected in time")
    RULE = "rule", _("By rule, after a withdrawal")


class ActorKind(models.TextChoices):
    USER = "user", _("Account")
    TABLE = "table", _("Table link")
    TEAM = "team", _("Team link")
    SEAT = "seat", _("Seat link")
    SYSTEM = "system", _("The program")
