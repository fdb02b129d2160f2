"""Where an event stands between "New event" and its champion, and what comes next."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, Literal

from django.db.models import Count, Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.pages.words import best_of_words, kind_words
from tables.models import Table
from tournaments.enums import CLOSED, DrawState, EntryStatus, Lifecycle, MatchState, Role
from tournaments.models import Entry, Match, Official, Stage, Tournament

State = Literal["done", "now", "later"]


@dataclass(frozen=True, slots=True)
class Act:
    """A link, or with `move` a button that moves the event along its life."""

    label: str
    url: str
    move: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the way. `text` says where it stands."""

    key: str
    title: str
    text: str
    state: State
    url: str


@dataclass(frozen=True, slots=True)
class Progress:
    """The whole way, and the next act: what it is, why, and what else could be done instead."""

    steps: tuple[Step, ...]
    title: str
    why: str
    act: Act | None
    other: Act | None


@dataclass(frozen=True, slots=True)
class Facts:
    """What the next step depends on."""

    teams: int
    here: int
    tables: int
    draw: str
    matches: int
    open: int
    champion: str


def dashboard_context(tournament: Tournament) -> dict[str, Any]:
    """The event's page. Five queries."""
    stage = tournament.stages.order_by("number").first()
    facts = _facts(tournament, stage)
    return {
        "facts": facts,
        "stage": stage,
        "format": f"{kind_words(stage.kind)}, {best_of_words(stage.best_of)}" if stage else "",
        "progress": progress_of(tournament, facts),
    }


def _facts(tournament: Tournament, stage: Stage | None) -> Facts:
    statuses = Counter(
        dict(
            Entry.objects.filter(tournament=tournament)
            .order_by()
            .values_list("status")
            .annotate(number=Count("pk"))
        )
    )
    out = statuses[EntryStatus.WITHDRAWN] + statuses[EntryStatus.DISQUALIFIED]
    published = stage is not None and stage.draw_state == DrawState.PUBLISHED
    played = (
        Match.objects.filter(stage=stage)
        .exclude(state__in=[MatchState.VOID, MatchState.LOCKED])
        .aggregate(all=Count("pk"), open=Count("pk", filter=~Q(state__in=CLOSED)))
        if published
        else {"all": 0, "open": 0}
    )
    return Facts(
        teams=sum(statuses.values()) - out,
        here=statuses[EntryStatus.CHECKED_IN],
        tables=Table.objects.filter(tournament=tournament).count(),
        draw=stage.draw_state if stage else DrawState.NONE,
        matches=played["all"],
        open=played["open"],
        champion=tournament.champion.name if tournament.champion else "",
    )


def progress_of(tournament: Tournament, facts: Facts) -> Progress:
    """The steps with the one that is next. No query."""
    key, title, why, act, other = _next(tournament, facts)
    steps = _steps(tournament, facts)
    order = [step.key for step in steps]
    at = order.index(key) if key in order else len(order)
    marked = tuple(
        Step(
            step.key,
            step.title,
            step.text,
            "now" if place == at else "done" if place < at else "later",
            step.url,
        )
        for place, step in enumerate(steps)
    )
    return Progress(marked, title, why, act, other)


def _steps(tournament: Tournament, facts: Facts) -> tuple[Step, ...]:
    slug = tournament.slug
    draw = {
        DrawState.NONE: _("not made yet"),
        DrawState.DRAFT: _("a draft only you see"),
        DrawState.PUBLISHED: _("published"),
    }[DrawState(facts.draw)]
    done = facts.matches - facts.open
    played = _("%(done)d of %(all)d matches") % {"done": done, "all": facts.matches}
    is_running = tournament.state in {Lifecycle.RUNNING, Lifecycle.FINISHED, Lifecycle.ARCHIVED}
    return (
        Step("teams", _("Teams"), teams_words(facts.teams), "later", reverse("desk", args=[slug])),
        Step(
            "check-in",
            _("Check-in"),
            _("%(here)d here") % {"here": facts.here},
            "later",
            reverse("desk", args=[slug]),
        ),
        Step("draw", _("Draw"), draw, "later", reverse("draw", args=[slug])),
        Step("tables", _("Tables"), tables_words(facts.tables), "later", reverse("cards", args=[slug])),
        Step(
            "start", _("Start"), _("under way") if is_running else "", "later", reverse("floor", args=[slug])
        ),
        Step("play", _("Play"), played if facts.matches else "", "later", reverse("floor", args=[slug])),
        Step("finish", _("Champion"), facts.champion, "later", reverse("placings", args=[slug])),
    )


def teams_words(number: int) -> str:
    return ngettext("%(number)d team", "%(number)d teams", number) % {"number": number}


def tables_words(number: int) -> str:
    return ngettext("%(number)d table", "%(number)d tables", number) % {"number": number}


_Next = tuple[str, str, str, Act | None, Act | None]


def _next(tournament: Tournament, facts: Facts) -> _Next:
    if tournament.state in {Lifecycle.FINISHED, Lifecycle.ARCHIVED}:
        return _next_after(tournament, facts)
    if tournament.state == Lifecycle.RUNNING:
        return _next_running(tournament, facts)
    return _next_before(tournament, facts)


def _next_before(tournament: Tournament, facts: Facts) -> _Next:
    slug = tournament.slug
    if facts.teams < 2:
        return (
            "teams",
            _("Enter the teams"),
            _("Paste a list, type them one by one, or bring a file. Two teams are the least."),
            Act(_("Enter teams"), reverse("teams-add", args=[slug])),
            None,
        )
    if facts.draw == DrawState.NONE:
        return _next_undrawn(tournament, facts)
    if facts.draw == DrawState.DRAFT:
        return (
            "draw",
            _("Look at the draw, then publish it"),
            _("Nobody else sees it yet. It can be drawn again as often as you like."),
            Act(_("Look at the draw"), reverse("draw", args=[slug])),
            None,
        )
    if facts.tables == 0:
        return (
            "tables",
            _("Set up the tables"),
            _("Matches are called to tables; each has a card with a link for the phones."),
            Act(_("Set up tables"), reverse("cards", args=[slug])),
            None,
        )
    return (
        "start",
        _("Start play"),
        _("The first matches are called to the tables at once. The start itself cannot be taken back."),
        Act(_("Start play"), reverse("event-move", args=[slug]), "start"),
        Act(_("Print the table cards first"), reverse("cards", args=[slug])),
    )


def _next_undrawn(tournament: Tournament, facts: Facts) -> _Next:
    """Check-in, as far as it is wanted, then the draw."""
    draw = reverse("draw", args=[tournament.slug])
    if tournament.state != Lifecycle.CHECK_IN and not facts.here:
        return (
            "check-in",
            _("Open check-in"),
            _("Tick teams off as they arrive: only those who are here are drawn. Without it all are drawn."),
            Act(_("Open check-in"), reverse("event-move", args=[tournament.slug]), "open-checkin"),
            Act(_("Draw without check-in"), draw),
        )
    missing = facts.teams - facts.here
    if missing:
        text = ngettext("%(missing)d team is not here yet.", "%(missing)d teams are not here yet.", missing)
        return (
            "check-in",
            _("Check the teams in"),
            text % {"missing": missing},
            Act(_("Check in"), reverse("desk", args=[tournament.slug])),
            Act(_("Make the draw"), draw),
        )
    return "draw", _("Make the draw"), _("Everybody is here."), Act(_("Make the draw"), draw), None


def _next_running(tournament: Tournament, facts: Facts) -> _Next:
    floor = reverse("floor", args=[tournament.slug])
    if facts.open:
        return (
            "play",
            _("Play is on"),
            _("%(open)d of %(all)d matches are still to be played or settled.")
            % {"open": facts.open, "all": facts.matches},
            Act(_("Go to the floor"), floor),
            None,
        )
    return (
        "finish",
        _("Finish the event"),
        _("Every match is settled. Finishing can be taken back."),
        Act(_("Finish the event"), reverse("event-move", args=[tournament.slug]), "finish"),
        Act(_("Go to the floor"), floor),
    )


def _next_after(tournament: Tournament, facts: Facts) -> _Next:
    move = reverse("event-move", args=[tournament.slug])
    title = _("The event is over")
    why = _("Champion: %(name)s.") % {"name": facts.champion} if facts.champion else ""
    reopen = Act(_("Open it again"), move, "reopen")
    if tournament.state == Lifecycle.ARCHIVED:
        return "over", title, why, None, reopen
    return "over", title, why, Act(_("Put it into the archive"), move, "archive"), reopen


def my_events(user: Any) -> list[tuple[Tournament, str]]:
    """The tournaments in which the account has an office, newest first, with the role. One query."""
    rows = Official.objects.filter(user=user).select_related("tournament__champion")
    found = [(row.tournament, str(Role(row.role).label)) for row in rows.order_by("-tournament__created_at")]
    if user.is_superuser:
        known = {tournament.pk for tournament, _role in found}
        rest = Tournament.objects.exclude(pk__in=known).select_related("champion").order_by("-created_at")
        found += [(tournament, str(_("Administrator"))) for tournament in rest[:100]]
    return found
