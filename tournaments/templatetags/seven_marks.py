"""Template tags of the design: `{% domino %}`, `{% all_tally %}`, `{% side_token %}`, `{% chip %}`, `{% icon %}`."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import template
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, ngettext

from fortytwo.tiles import Tile
from tournaments.templatetags import drawing

register = template.Library()

SIGNS = {
    "free": "ring",
    "waiting": "ring",
    "called": "bell",
    "playing": "play",
    "confirm": "ticks",
    "dispute": "diamond",
    "late": "hourglass",
    "final": "tick",
    "bye": "arrow",
    "half": "half",
    "unsent": "waves",
    "pending": "hourglass",
    "you": "star",
    "pin": "pin",
    "champion": "star",
}
"""The silhouette of each state; its word is given by the caller."""


@register.simple_tag
def icon(name: str, size: int = 16) -> SafeString:
    """A sign from the sprite of the base page. Decoration: the word stands beside it."""
    return format_html(
        '<svg class="icon" aria-hidden="true" width="{0}" height="{0}"><use href="#i-{1}"/></svg>', size, name
    )


@register.simple_tag
def chip(kind: str, word: str, extra: str = "") -> SafeString:
    """A state: sign, word and ground. `kind` is a key of `SIGNS`."""
    return format_html('<span class="chip chip-{} {}">{}{}</span>', kind, extra, icon(SIGNS[kind], 14), word)


@register.simple_tag
def domino(
    tile: str = "",
    height: int = 76,
    lying: bool = False,
    badge: bool = True,
    state: str = "",
    label: str | None = None,
) -> SafeString:
    """One tile. `state` "down" or "blank" needs no tile; `label` "" makes it decoration."""
    if state in {"down", "blank"}:
        spoken = (gettext("face down") if state == "down" else "") if label is None else label
        return mark_safe(drawing.domino(0, 0, height=height, lying=lying, state=state, label=spoken))
    read = Tile.parse(tile)
    if label is None:
        label = spoken_tile(read)
    return mark_safe(
        drawing.domino(
            read.high,
            read.low,
            height=height,
            lying=lying,
            badge=read.count if badge else 0,
            state=state,
            label=label,
        )
    )


def spoken_tile(tile: Tile) -> str:
    """How a tile is read out: "6-4, counts 10"."""
    if tile.count:
        return gettext("%(tile)s, counts %(count)d") % {"tile": tile, "count": tile.count}
    return str(tile)


@register.simple_tag
def all_tally(marks: int | None, height: int = 26, preview: int | None = None, target: int = 7) -> SafeString:
    """The ALL tally with its numeral. Never one without the other; nothing before the first game."""
    if marks is None:
        return SafeString("")
    if target != drawing.MARKS_IN_ALL:
        return format_html(
            '<span class="tally"><span class="visually-hidden">{}</span>'
            '<b class="num" aria-hidden="true">{}</b></span>',
            _spoken_marks(marks, preview, target),
            marks,
        )
    return format_html(
        '<span class="tally">{}<b class="num" aria-hidden="true" data-flash>{}</b></span>',
        mark_safe(
            drawing.tally(
                marks, height=height, preview=preview or 0, label=_spoken_marks(marks, preview, target)
            )
        ),
        marks,
    )


def _spoken_marks(marks: int, preview: int | None, target: int) -> str:
    if preview:
        return gettext("%(marks)d of %(target)d marks, would be %(preview)d") % {
            "marks": marks,
            "target": target,
            "preview": preview,
        }
    return gettext("%(marks)d of %(target)d marks") % {"marks": marks, "target": target}


@register.simple_tag
def all_mark(height: int = 20) -> SafeString:
    """The mark of the product: the full ALL."""
    return mark_safe(drawing.tally(7, height=height))


@register.simple_tag
def side_token(side: str) -> SafeString:
    """Ivory for North and South, ebony for East and West; the side's words stand beside it."""
    return mark_safe(drawing.token(side))


@register.simple_tag
def game_rings(won: int, needed: int) -> SafeString:
    """Games won as rings, with the number for those who do not see them."""
    if needed < 2:
        return SafeString("")
    spoken = ngettext("%(won)d game won", "%(won)d games won", won) % {"won": won}
    return format_html(
        '{}<span class="visually-hidden">{}</span>',
        mark_safe(drawing.rings(won, needed)),
        spoken,
    )


@register.filter
def clock(moment: datetime | None, zone: str) -> str:
    """Time of day in the venue's zone: 9:45."""
    return "" if moment is None else _local(moment, zone).strftime("%-I:%M")


@register.filter
def clock_seconds(moment: datetime | None, zone: str) -> str:
    """Time of day with seconds in the venue's zone: 9:45:12."""
    return "" if moment is None else _local(moment, zone).strftime("%-I:%M:%S")


@register.filter
def zone_name(moment: datetime | None, zone: str) -> str:
    """The short name of the venue's zone at that moment: CST."""
    return "" if moment is None else _local(moment, zone).strftime("%Z")


@register.filter
def day(moment: datetime | None, zone: str) -> str:
    """The day in the venue's zone: Saturday 6 March."""
    return "" if moment is None else date_format(_local(moment, zone), gettext("l j F"), use_l10n=False)


@register.filter
def day_year(moment: datetime | None, zone: str) -> str:
    """The day with its year in the venue's zone: 6 March 2026."""
    return "" if moment is None else date_format(_local(moment, zone), gettext("j F Y"), use_l10n=False)


def _local(moment: datetime, zone: str) -> datetime:
    return moment.astimezone(ZoneInfo(zone))


@register.simple_tag(takes_context=True)
def tab(context: Any, key: str) -> SafeString:
    """The attribute of the tab that is open."""
    return SafeString(' aria-current="page"' if context.get("tab") == key else "")


@register.filter
def unlocalize_number(number: float) -> str:
    """A number as SVG and CSS read it, whatever the language."""
    return f"{number:g}"
