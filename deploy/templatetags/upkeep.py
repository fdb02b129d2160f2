"""The director's box "Is everything well": what the program does behind the pages, in plain words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import template
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from deploy.health import levels, readings
from deploy.health.levels import Level
from deploy.health.readings import Readings

register = template.Library()


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that is looked after. `todo` says what to do when it is not well."""

    key: str
    level: Level
    title: str
    said: str
    todo: str = ""

    @property
    def word(self) -> str:
        return level_word(self.level)


@register.inclusion_tag("director/_upkeep.html")
def upkeep(zone: str) -> dict[str, Any]:
    """The box, with times in the venue's zone. Two queries."""
    lines = lines_of(readings.take())
    level = levels.worst([line.level for line in lines])
    return {
        "lines": lines,
        "level": level,
        "word": level_word(level),
        "title": {
            Level.WELL: _("All is well"),
            Level.LOOK: _("Something wants a look"),
            Level.ACT: _("Something has to be done"),
        }[level],
        "now": timezone.now(),
        "zone": zone,
    }


def level_word(level: Level) -> str:
    """The word beside the sign."""
    return {Level.WELL: _("well"), Level.LOOK: _("look"), Level.ACT: _("act now")}[level]


def lines_of(now: Readings) -> list[Line]:
    """The four lines of the box. No query."""
    return [_queue(now), _rounds(now), _copies(now), _disk(now)]


def _queue(now: Readings) -> Line:
    level = levels.queue_level(now)
    if now.queue_age is None:
        said = _("This cannot be read just now.")
    elif not now.waiting:
        said = _("No team waits to be moved on.")
    else:
        said = ngettext(
            "%(number)d closed match waits to move its teams on, since %(age)s.",
            "%(number)d closed matches wait to move their teams on, the first since %(age)s.",
            now.waiting,
        ) % {"number": now.waiting, "age": age_words(now.queue_age)}
    todo = _("Nothing is lost. If it stays so for a minute, start the program again.")
    return Line("queue", level, _("Teams moving on"), said, "" if level is Level.WELL else todo)


def _rounds(now: Readings) -> Line:
    level = levels.sweep_level(now)
    if now.sweep_age is None:
        said = _("The program has made no round yet.")
    else:
        said = _("The last round was %(age)s ago.") % {"age": age_words(now.sweep_age)}
    todo = _(
        "Results are stored, but nobody is called to a table. Start the program again; call by hand meanwhile."
    )
    return Line("rounds", level, _("Rounds of the program"), said, "" if level is Level.WELL else todo)


def _copies(now: Readings) -> Line:
    level = levels.snapshot_level(now)
    if now.snapshot_age is None:
        said = _("There is no copy of the data.")
    else:
        said = _("The last copy of the data was taken %(age)s ago.") % {"age": age_words(now.snapshot_age)}
    todo = _(
        "See that the place for copies, such as a stick, is there and has room. The event goes on meanwhile."
    )
    return Line("copies", level, _("Copies"), said, "" if level is Level.WELL else todo)


def _disk(now: Readings) -> Line:
    level = levels.disk_level(now)
    if now.disk_free is None:
        said = _("The disk cannot be read.")
    else:
        said = _("%(size)s GB are left.") % {"size": f"{now.disk_free / levels.GIGABYTE:.1f}"}
    todo = _(
        "Make room before it is full: a full disk stores no results. Empty the bin, remove films and old copies."
    )
    return Line("disk", level, _("Disk"), said, "" if level is Level.WELL else todo)


def age_words(seconds: float) -> str:
    """A length of time to the nearest sensible unit: "6 seconds", "3 minutes", "5 hours"."""
    if seconds < 90:
        number = round(seconds)
        return ngettext("%(number)d second", "%(number)d seconds", number) % {"number": number}
    if seconds < 5400:
        number = round(seconds / 60)
        return ngettext("%(number)d minute", "%(number)d minutes", number) % {"number": number}
    number = round(seconds / 3600)
    return ngettext("%(number)d hour", "%(number)d hours", number) % {"number": number}
