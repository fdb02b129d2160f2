"""Cases as pages show them. Names stay out unless they are asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth import get_user_model
from django.urls import reverse
from django.utils.translation import gettext as _

from scoring.director_findings import words
from scoring.director_findings.record import Shown, shown, where_of
from scoring.director_findings.words import Say
from scoring.enums import FindingState
from scoring.models import Finding
from scoring.pages.live import seat_names
from scoring.pages.words import round_name
from scoring.selectors.findings import Coverage
from tournaments.models import Slot, Tournament

ORDER = {name: place for place, name in enumerate(words.DETECTORS)}
STRONGEST = 8
"""Pieces of evidence of each side that are shown."""
SIGN_OF = {"fits": "tick", "no-fit": "tick", "open": "question", "untestable": "barred"}
CHIP_OF = {FindingState.OPEN: "waiting", FindingState.NOTED: "half", FindingState.CLOSED: "final"}


@dataclass(frozen=True, slots=True)
class Row:
    """A case in the list."""

    number: int
    sentence: str
    match: str
    round: str
    chip: str
    word: str
    at: datetime
    is_unexplained: bool
    url: str


@dataclass(frozen=True, slots=True)
class Group:
    """The cases of one detector. `open_numbers` can be closed together."""

    detector: str
    title: str
    rows: tuple[Row, ...]
    open_numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Figure:
    value: str
    label: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """One line for or against, and the page where it can be seen."""

    where: str
    text: str
    url: str
    is_hand: bool


@dataclass(frozen=True, slots=True)
class Tried:
    """An innocent reason with its sign, and the ways in which it would explain the record."""

    sign: str
    title: str
    text: str
    fits: bool
    ways: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Person:
    """Whose name was hidden."""

    role: str
    name: str


@dataclass(frozen=True, slots=True)
class Step:
    """One of open, note, closed."""

    word: str
    is_now: bool


@dataclass(frozen=True, slots=True)
class Case:
    """The page of one case."""

    number: int
    group: str
    sentence: str
    is_unexplained: bool
    steps: tuple[Step, ...]
    state: str
    outcome: str
    figures: tuple[Figure, ...]
    record: Shown
    reasons: tuple[Tried, ...]
    toward: tuple[Evidence, ...]
    toward_all: int
    away: tuple[Evidence, ...]
    away_all: int
    next_step: str
    note: str
    people: tuple[Person, ...]
    is_named: bool
    found_at: datetime
    gone_at: datetime | None
    match: str
    round: str
    match_url: str
    version: str


def groups_of(tournament: Tournament, findings: Iterable[Finding]) -> tuple[Group, ...]:
    """The list of cases without names, in the order of what the record itself says first."""
    by_detector: dict[str, list[Finding]] = {}
    for finding in findings:
        by_detector.setdefault(finding.detector, []).append(finding)
    say = Say(tournament.time_zone)
    return tuple(
        Group(
            detector=name,
            title=str(words.DETECTORS.get(name, name)),
            rows=tuple(_row(tournament, one, say) for one in rows),
            open_numbers=tuple(one.number for one in rows if one.state != FindingState.CLOSED),
        )
        for name, rows in sorted(by_detector.items(), key=lambda pair: ORDER.get(pair[0], len(ORDER)))
    )


def _row(tournament: Tournament, finding: Finding, say: Say) -> Row:
    state = FindingState(finding.state)
    word = finding.get_outcome_display() if state == FindingState.CLOSED else str(state.label)
    return Row(
        number=finding.number,
        sentence=words.sentence(finding.code, finding.body["facts"], say),
        match=finding.match.code,
        round=round_name(finding.match.round.key),
        chip=CHIP_OF[state],
        word=word,
        at=finding.found_at,
        is_unexplained=finding.code == "possible_renege",
        url=reverse("fair-play-case", args=[tournament.slug, finding.number]),
    )


def case_view(finding: Finding, *, named: bool) -> Case:
    """The case for its page. At most nine queries."""
    tournament, body = finding.tournament, finding.body
    say = _say(finding, named=named)
    toward, away = body["toward"], body["away"]
    return Case(
        number=finding.number,
        group=str(words.DETECTORS.get(finding.detector, finding.detector)),
        sentence=words.sentence(finding.code, body["facts"], say),
        is_unexplained=finding.code == "possible_renege",
        steps=_steps(finding),
        state=finding.state,
        outcome=finding.get_outcome_display() if finding.outcome else "",
        figures=tuple(Figure(*words.figure(one["code"], one["facts"])) for one in body["figures"]),
        record=shown(finding),
        reasons=tuple(_tried(one, say) for one in body["reasons"]),
        toward=_evidence(tournament, toward, say),
        toward_all=len(toward),
        away=_evidence(tournament, away, say),
        away_all=len(away),
        next_step=str(words.STEPS.get(finding.detector, "")),
        note=finding.note,
        people=_people(finding, say) if named else (),
        is_named=named,
        found_at=finding.found_at,
        gone_at=finding.gone_at,
        match=finding.match.code,
        round=round_name(finding.match.round.key),
        match_url=_url(tournament, finding.match.code, *_place(finding)),
        version=f"{finding.detector} {finding.version}",
    )


def _steps(finding: Finding) -> tuple[Step, ...]:
    return tuple(Step(str(state.label), state == finding.state) for state in FindingState)


def _place(finding: Finding) -> tuple[int, int]:
    hand = finding.hand
    return (hand.game.number, hand.number) if hand is not None else (0, 0)


def _evidence(tournament: Tournament, items: Sequence[Mapping[str, Any]], say: Say) -> tuple[Evidence, ...]:
    return tuple(
        Evidence(
            where=where_of(one),
            text=words.item(one["code"], one["facts"], say),
            url=_url(tournament, one["match"], one["game"], one["hand"]) if one["match"] else "",
            is_hand=bool(one["hand"]),
        )
        for one in items[:STRONGEST]
    )


def _url(tournament: Tournament, match: str, game: int, hand: int) -> str:
    page = reverse("match", args=[tournament.slug, match])
    return f"{page}?hand={game}.{hand}" if game and hand else page


def _tried(one: Mapping[str, Any], say: Say) -> Tried:
    title, text = words.reason(one["code"], one["tried"], one["facts"])
    return Tried(
        sign=SIGN_OF[one["tried"]],
        title=title,
        text=text,
        fits=one["tried"] == "fits",
        ways=tuple(words.item(way["code"], way["facts"], say) for way in one["ways"]),
    )


def _say(finding: Finding, *, named: bool) -> Say:
    """How the page names people: not at all, or by seat and account. Two queries when named."""
    zone = finding.tournament.time_zone
    if not named:
        return Say(zone)
    account = str(finding.body["facts"].get("account", ""))
    accounts = {}
    if account.isdigit():
        user = get_user_model().objects.filter(pk=int(account)).first()
        if user is not None:
            accounts[account] = user.get_full_name() or user.get_username()
    return Say(zone, accounts, seat_names(finding.match_id))


def _people(finding: Finding, say: Say) -> tuple[Person, ...]:
    """The teams of the match, the account, and who entered and settled the result. Two queries."""
    people = []
    slots = Slot.objects.filter(match=finding.match_id, entry__isnull=False).select_related("entry")
    sides = {"NS": _("North and South"), "EW": _("East and West")}
    for slot in slots.order_by("-side"):
        if slot.entry is not None:
            people.append(Person(sides[slot.side], slot.entry.name))
    if finding.entry is not None:
        people.append(Person(_("Team"), finding.entry.name))
    people += [Person(_("Account"), name) for name in say.accounts.values()]
    hand = finding.hand
    if hand is not None:
        people.append(Person(_("Recorded by"), hand.entered_label))
    result = finding.match.results.filter(state="confirmed").first()
    if result is not None:
        people.append(Person(_("Result entered by"), result.entered_label))
        people.append(Person(_("Settled by"), result.settled_label))
    return tuple(people)


@dataclass(frozen=True, slots=True)
class Untested:
    """What a detector could not look at, in how many matches."""

    title: str
    why: str
    matches: int


def untested_of(coverage: Coverage) -> tuple[Untested, ...]:
    """What could not be tested, by detector."""
    return tuple(
        Untested(str(words.DETECTORS.get(name, name)), str(words.UNTESTABLE.get(code, code)), number)
        for name, code, number in sorted(
            coverage.untestable, key=lambda one: (ORDER.get(one[0], len(ORDER)), one[1])
        )
    )
