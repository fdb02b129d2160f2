"""What a case page shows of the record itself: the hand, what differs, a strip of times, and the plain facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from fortytwo import Tile
from scoring.director_findings import words
from scoring.enums import HandState
from scoring.fairplay.durations import SECONDS_A_PLAY, SHORTEST_MATCH
from scoring.models import Finding, Hand, Play
from scoring.pages.words import seat_letter, settled_words
from tournaments.models import Result

TILES_WITH_A_CONTRADICTION = ("contradiction",)
TIMES = ("hand-times", "match-times", "two-tables")


@dataclass(frozen=True, slots=True)
class TileMark:
    """A tile as it was recorded. `mark` is "first" or "second" for the two that do not go together."""

    tile: str
    seat: str
    mark: str


@dataclass(frozen=True, slots=True)
class Trick:
    number: int
    tiles: tuple[TileMark, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """One figure as it is stored, and as the record makes it."""

    where: str
    field: str
    stored: str
    worked_out: str


@dataclass(frozen=True, slots=True)
class Lane:
    """One row of a strip: spans as left edge and width in percent."""

    label: str
    spans: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Strip:
    """Times on a line. `band` is the width, in percent from the left, of what is needed at the least."""

    lanes: tuple[Lane, ...]
    band: float
    band_label: str
    start: str
    end: str
    spoken: str


@dataclass(frozen=True, slots=True)
class Fact:
    label: str
    value: str


@dataclass(frozen=True, slots=True)
class Shown:
    """The record as far as this case is about it."""

    tricks: tuple[Trick, ...] = ()
    differences: tuple[Difference, ...] = ()
    strip: Strip | None = None
    facts: tuple[Fact, ...] = ()


def shown(finding: Finding) -> Shown:
    """What to show of the record, by the kind of case. At most three queries."""
    if finding.detector in TILES_WITH_A_CONTRADICTION:
        return Shown(tricks=_tricks(finding))
    return Shown(differences=_differences(finding), strip=_strip(finding), facts=_facts(finding))


def where_of(one: Mapping[str, Any]) -> str:
    """ "M66 · game 1, hand 4"."""
    if one["hand"]:
        return _("%(match)s · game %(game)d, hand %(hand)d") % one
    if one["game"]:
        return _("%(match)s · game %(game)d") % one
    return str(one["match"])


def _tricks(finding: Finding) -> tuple[Trick, ...]:
    voids, proofs = set(), set()
    for one in finding.body["toward"]:
        if one["code"] == "shown_void_then_held":
            voids.add(one["facts"]["played"])
            proofs.add(one["facts"]["proof"])
    plays = list(Play.objects.filter(hand=finding.hand_id).order_by("seq").values_list("seat", "tile"))
    size = len({seat for seat, _tile in plays[:4]}) or 4
    marked = [TileMark(tile, seat_letter(seat), _mark(tile, voids, proofs)) for seat, tile in plays]
    return tuple(
        Trick(start // size + 1, tuple(marked[start : start + size])) for start in range(0, len(marked), size)
    )


def _mark(tile: str, voids: set[str], proofs: set[str]) -> str:
    text = str(Tile.parse(tile))
    return "first" if text in voids else "second" if text in proofs else ""


def _differences(finding: Finding) -> tuple[Difference, ...]:
    rows = [one for one in finding.body["toward"] if one["code"] == "differs"]
    return tuple(
        Difference(
            where=where_of(one),
            field=str(words.FIELDS.get(one["facts"]["field"], one["facts"]["field"])),
            stored=one["facts"]["stored"].replace("-", "–") or "–",
            worked_out=one["facts"]["worked_out"].replace("-", "–") or "–",
        )
        for one in rows
    )


def _strip(finding: Finding) -> Strip | None:
    if finding.detector not in TIMES:
        return None
    if finding.detector == "hand-times":
        times = list(Play.objects.filter(hand=finding.hand_id).order_by("at").values_list("at", flat=True))
        least = timedelta(seconds=SECONDS_A_PLAY * len(times))
        spans = [(time, time) for time in times]
        return _lay(finding, [(_("Dominoes"), spans)], least, _("the least that hands need"))
    hands = Hand.objects.filter(state=HandState.CLOSED, ended_at__isnull=False).order_by("ended_at")
    if finding.detector == "match-times":
        mine = hands.filter(game__match=finding.match_id).values_list("ended_at", flat=True)
        ends = [time for time in mine if time is not None]
        began = finding.match.started_at or finding.match.called_at
        entered = finding.match.entered_at
        edges = [time for time in (began, entered) if time is not None]
        lanes = [(_("Began, entered"), [(time, time) for time in edges])]
        if ends:
            lanes.append((_("Hands"), [(time, time) for time in ends]))
        return _lay(finding, lanes, SHORTEST_MATCH, _("ten minutes"))
    return _two_lanes(finding)


def _two_lanes(finding: Finding) -> Strip | None:
    facts = finding.body["facts"]
    if finding.other_match is None or not str(facts.get("account", "")).isdigit():
        return None
    rows = Hand.objects.filter(
        state=HandState.CLOSED,
        entered_by=int(facts["account"]),
        game__match__in=[finding.match_id, finding.other_match_id],
        ended_at__isnull=False,
    ).order_by("started_at")
    spans: dict[Any, list[tuple[datetime, datetime]]] = {finding.match_id: [], finding.other_match_id: []}
    for match_id, begin, end in rows.values_list("game__match_id", "started_at", "ended_at"):
        if end is not None:
            spans[match_id].append((begin, end))
    lanes = [
        (finding.match.code, spans[finding.match_id]),
        (finding.other_match.code, spans[finding.other_match_id]),
    ]
    return _lay(finding, lanes, timedelta(0), "")


def _lay(
    finding: Finding,
    lanes: Sequence[tuple[str, Sequence[tuple[datetime, datetime]]]],
    least: timedelta,
    label: str,
) -> Strip | None:
    """The lanes on one scale that begins with the first time and holds the least that is needed."""
    times = [time for _label, spans in lanes for span in spans for time in span]
    if not times:
        return None
    start, end = min(times), max(max(times), min(times) + least)
    whole = max((end - start).total_seconds(), 1e-3)

    def percent(moment: datetime) -> float:
        return round((moment - start).total_seconds() / whole * 100, 2)

    zone = ZoneInfo(finding.tournament.time_zone)
    return Strip(
        lanes=tuple(
            Lane(name, tuple((percent(begin), round(percent(to) - percent(begin), 2)) for begin, to in spans))
            for name, spans in lanes
        ),
        band=round(least.total_seconds() / whole * 100, 2),
        band_label=label,
        start=start.astimezone(zone).strftime("%-I:%M:%S"),
        end=end.astimezone(zone).strftime("%-I:%M:%S"),
        spoken="; ".join(f"{name}: {len(spans)}" for name, spans in lanes),
    )


def _facts(finding: Finding) -> tuple[Fact, ...]:
    """The result and the times of the match, without names."""
    match = finding.match
    zone = ZoneInfo(finding.tournament.time_zone)

    def clock(moment: datetime | None) -> str:
        return "–" if moment is None else moment.astimezone(zone).strftime("%-I:%M:%S")

    facts = [Fact(_("called"), clock(match.called_at)), Fact(_("began"), clock(match.started_at))]
    result = Result.objects.filter(match=match, state="confirmed").first()
    if result is not None:
        facts += [
            Fact(_("entered"), clock(result.entered_at)),
            Fact(_("settled"), clock(result.settled_at)),
            Fact(_("how it counts"), settled_words(result.settled_way)),
            Fact(_("result"), result.scores.replace("-", "–") or result.get_outcome_display()),
        ]
    return tuple(facts)
