"""Template tags of the pages of those who run a tournament: undo buttons, times, QR codes."""

from __future__ import annotations

import json
from datetime import datetime
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo

import segno
from django import template
from django.utils.formats import date_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from scoring.director.selectors import log
from tournaments.models import LogEntry

register = template.Library()


@register.filter
def undo_of(message: Any) -> dict[str, Any] | None:
    """The act that takes a message's act back: its address, label and fields; None where there is none."""
    try:
        undo = json.loads(message.extra_tags or "null")
    except ValueError:
        return None
    return undo if isinstance(undo, dict) else None


@register.filter
def minutes_until(moment: datetime | None, now: datetime) -> int:
    """Whole minutes from `moment` to `now`, never below 0."""
    return 0 if moment is None else max(0, int((now - moment).total_seconds() // 60))


@register.filter
def moment(value: datetime | None, zone: str) -> str:
    """A day and a time in the venue's zone: "6 Mar, 9:45"."""
    if value is None:
        return ""
    local = value.astimezone(ZoneInfo(zone))
    return f"{date_format(local, gettext('j M'), use_l10n=False)}, {local:%-I:%M}"


@register.filter
def stamp(value: datetime | None) -> str:
    """A moment as scripts read it."""
    return "" if value is None else value.isoformat()


@lru_cache(maxsize=1024)
def _qr_svg(address: str) -> str:
    code: Any = segno.make(address, error="m", micro=False)
    return str(code.svg_inline(border=3, dark="#000", light="#fff", omitsize=True))


@register.simple_tag
def qr(address: str) -> SafeString:
    """The address as a QR code that takes the size of its box."""
    return mark_safe(_qr_svg(address))


@register.simple_tag(takes_context=True)
def here(context: Any, key: str) -> SafeString:
    """The attribute of the tab or filter that is open."""
    return SafeString(' aria-current="page"' if context.get("tab") == key else "")


@register.filter
def sentence(entry: LogEntry, short: bool = False) -> str:
    """A line of the log for people."""
    return log.sentence(entry, short=short)


@register.filter
def hand_words(facts: dict[str, Any]) -> str:
    """A hand as it was entered, in words."""
    return log.hand_words(facts)
