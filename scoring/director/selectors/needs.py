"""What needs somebody of the desk now, oldest first: disputes, results that nobody confirms, late teams, judges."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _

from scoring.director.selectors.log import hand_words
from scoring.pages.matches import MatchView
from tables.enums import JudgeCallKind
from tables.models import JudgeCall
from tournaments.enums import MatchState, ResultState
from tournaments.models import Match, Result

if TYPE_CHECKING:
    from scoring.director.selectors.floor import Tile

WAITS_LONG = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Need:
    """One line. `post` is the address of a button that acts at once; else `url` is opened."""

    kind: str
    title: str
    text: str
    since: datetime | None
    deadline: datetime | None
    label: str
    url: str
    post: str = ""


def needs_of(
    slug: str,
    views: Mapping[UUID, MatchView],
    tiles: Iterable[Tile],
    calls: Sequence[JudgeCall],
    matches: Sequence[Match],
    now: datetime,
) -> list[Need]:
    """The lines, oldest first. One query, for the entries that differ."""
    entered = {match.pk: match.entered_at for match in matches}
    disputed = [view for view in views.values() if view.state == MatchState.DISPUTED]
    rivals = _rivals(disputed)
    needs = [_dispute(slug, view, rivals.get(view.id, []), entered) for view in disputed]
    needs += [
        _unconfirmed(slug, view, entered[view.id])
        for view in views.values()
        if view.state == MatchState.ENTERED and (entered[view.id] or now) <= now - WAITS_LONG
    ]
    needs += [_late(slug, tile, now) for tile in tiles if tile.state == "late"]
    needs += [_judge(slug, call, views.get(call.match_id)) for call in calls]
    return sorted(needs, key=lambda need: (need.since or now, need.title))


def _place(view: MatchView) -> str:
    if view.table:
        return _("Table %(number)d") % {"number": view.table}
    return view.code


def _sheet(slug: str, view: MatchView) -> str:
    return reverse("sheet", args=[slug, view.code])


def _rivals(views: Sequence[MatchView]) -> dict[UUID, list[Result]]:
    found: dict[UUID, list[Result]] = {}
    rows = Result.objects.filter(match__in=[view.id for view in views], state=ResultState.ENTERED)
    for row in rows.order_by("version"):
        found.setdefault(row.match_id, []).append(row)
    return found


def _dispute(
    slug: str, view: MatchView, rivals: Sequence[Result], entered: Mapping[UUID, datetime | None]
) -> Need:
    text = _("The other side says that the entry is wrong")
    if len(rivals) > 1:
        text = difference(rivals[0], rivals[-1])
    since = rivals[-1].entered_at if len(rivals) > 1 else entered.get(view.id)
    return Need("dispute", _place(view), text, since, None, _("Open both"), _sheet(slug, view))


def difference(first: Result, second: Result) -> str:
    """Where two entries differ first: "Game 2: 7–5, or 5–7"."""
    for number, (one, other) in enumerate(_pairs(first, second), start=1):
        if one != other:
            return _("Game %(number)d: %(one)s, or %(other)s") % {
                "number": number,
                "one": _score(one),
                "other": _score(other),
            }
    return _("Two entries differ")


def _pairs(first: Result, second: Result) -> Iterable[tuple[Any, Any]]:
    length = max(len(first.games), len(second.games))
    pad: list[Any] = [None] * length
    return zip([*first.games, *pad][:length], [*second.games, *pad][:length], strict=True)


def _score(game: Any) -> str:
    return f"{game['NS']}–{game['EW']}" if game else _("not played")


def _unconfirmed(slug: str, view: MatchView, since: datetime | None) -> Need:
    text = _("Nobody has confirmed %(match)s yet") % {"match": view.code}
    return Need("confirm", _place(view), text, since, None, _("Settle"), _sheet(slug, view))


def _late(slug: str, tile: Tile, now: datetime) -> Need:
    assert tile.match is not None
    over = tile.deadline is not None and tile.deadline <= now
    text = _("A team is missing, the time is up") if over else _("A team is missing")
    url = reverse("sheet-forfeit", args=[slug, tile.match.code])
    deadline = None if over else tile.deadline
    return Need("late", _place(tile.match), text, tile.since, deadline, _("Forfeit rule"), url)


def _judge(slug: str, call: JudgeCall, view: MatchView | None) -> Need:
    if view is None:
        title, url, post = call.called_label, "", ""
    else:
        title, url = _place(view), _sheet(slug, view)
        post = reverse("judge-answer", args=[slug, call.pk])
    if call.kind == JudgeCallKind.DIFFERS:
        stored, tried = call.facts.get("stored", {}), call.facts.get("tried", {})
        text = _("Hand %(hand)s: %(one)s, or %(other)s") % {
            "hand": call.facts.get("hand"),
            "one": hand_words(stored),
            "other": hand_words(tried),
        }
        return Need("dispute", title, text, call.called_at, None, _("Open both"), url)
    text = _("Judge: %(note)s") % {"note": call.note} if call.note else _("Asks for a judge")
    return Need("judge", title, text, call.called_at, None, _("Send a judge"), url, post)
