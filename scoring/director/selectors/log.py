"""The log of an event in sentences: who did what, when, to which match or team."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _later

from scoring.pages.words import call_words, outcome_word, seat_name, settled_words, trump_short
from tournaments.models import LogEntry, Tournament

PER_PAGE = 60

GROUPS = (
    ("", _later("Everything"), ()),
    ("results", _later("Results"), ("result.", "record.", "game.")),
    ("hands", _later("Hands"), ("hand.", "call.", "trump.", "play.", "deal.", "notation.")),
    ("hall", _later("Tables"), ("match.", "table", "hall.", "judge.")),
    ("teams", _later("Teams"), ("entr", "seeds.")),
    ("event", _later("Event"), ("tournament.", "draw.", "stage.", "official.", "invitation.", "message.")),
    ("links", _later("Links and codes"), ("link", "code.")),
)
"""Filters of the log: key, word, and how the names of the acts begin."""


@dataclass(frozen=True, slots=True)
class LogPage:
    """One page of the log, newest first."""

    entries: list[LogEntry]
    number: int
    has_older: bool


def log_page(tournament: Tournament, *, group: str = "", query: str = "", number: int = 1) -> LogPage:
    """A page of the log, filtered by a group, and by a word in author, act, team or match. Two queries."""
    rows = LogEntry.objects.filter(tournament=tournament).select_related("match", "entry")
    starts: tuple[str, ...] = next((starts for key, _word, starts in GROUPS if key == group), ())
    if starts:
        wanted = Q()
        for start in starts:
            wanted |= Q(action__startswith=start)
        rows = rows.filter(wanted)
    if query:
        rows = _matching(rows, query)
    first = (number - 1) * PER_PAGE
    found = list(rows.order_by("-at", "-pk")[first : first + PER_PAGE + 1])
    return LogPage(found[:PER_PAGE], number, len(found) > PER_PAGE)


def _matching(rows: QuerySet[LogEntry], query: str) -> QuerySet[LogEntry]:
    words = Q(actor_label__icontains=query) | Q(action__icontains=query) | Q(entry__name__icontains=query)
    if query[:1] in "Mm" and query[1:].isascii() and query[1:].isdigit():
        words |= Q(match__number=int(query[1:][:6]))
    return rows.filter(words)


def match_log(match_id: UUID) -> list[LogEntry]:
    """Everything that happened to a match, newest first. One query."""
    rows = LogEntry.objects.filter(match=match_id).select_related("match", "entry")
    return list(rows.order_by("-at", "-pk")[:300])


def sentence(entry: LogEntry, *, short: bool = False) -> str:
    """What happened, for people; `short` without the match or team that a page is about.

    An act without a sentence of its own is named as it is stored.
    """
    facts = {key: value for key, value in entry.facts.items() if value is not None}
    plain = _PLAIN.get(entry.action)
    text = str(plain) % _Facts(facts, entry) if plain is not None else _made(entry, facts)
    subject = entry.match.code if entry.match else entry.entry.name if entry.entry else ""
    subject = "" if short else subject
    reason = facts.get("reason")
    tail = f" “{reason}”" if reason else ""
    return f"{subject}: {text}{tail}" if subject else f"{text[:1].upper()}{text[1:]}{tail}"


class _Facts(dict[str, Any]):
    """The facts of an act for its sentence; one that is missing reads as a dash."""

    def __init__(self, facts: dict[str, Any], entry: LogEntry) -> None:
        super().__init__(facts)
        self._entry = entry

    def __missing__(self, key: str) -> str:
        return "–"


_PLAIN = {
    "tournament.created": _later("the event was made"),
    "tournament.changed": _later("settings were changed"),
    "tournament.open-registration": _later("registration was opened"),
    "tournament.open-checkin": _later("check-in was opened"),
    "tournament.start": _later("play was started"),
    "tournament.finish": _later("the event was finished"),
    "tournament.archive": _later("the event was put into the archive"),
    "tournament.reopen": _later("the event was opened again"),
    "stage.changed": _later("the format was changed"),
    "stage.concluded": _later("champion"),
    "official.set": _later("%(user)s was made %(role)s"),
    "official.removed": _later("%(user)s is no longer %(role)s"),
    "invitation.made": _later("an invitation as %(role)s was made %(note)s"),
    "invitation.revoked": _later("an invitation as %(role)s was taken back"),
    "invitation.accepted": _later("an invitation as %(role)s was accepted"),
    "message.shown": _later("message to everybody: “%(text)s”"),
    "message.ended": _later("message ended: “%(text)s”"),
    "entries.added": _later("teams were entered: %(numbers)s"),
    "entries.removed": _later("teams were taken off the list: %(names)s"),
    "entry.late": _later("was drawn into a bye of round one"),
    "entry.changed": _later("name, seed or rating was changed"),
    "entry.checked-in": _later("is here"),
    "entry.check-in-taken-back": _later("is not here after all"),
    "entry.withdrawn": _later("withdrew"),
    "entry.disqualified": _later("was disqualified"),
    "entry.reinstated": _later("is in again"),
    "entry.substituted": _later("has a substitute"),
    "seeds.set": _later("seeds were set"),
    "draw.made": _later("a draft of %(teams)s teams was drawn"),
    "draw.published": _later("the draw was published"),
    "draw.reset": _later("the draw was taken back"),
    "hall.changed": _later("calling was set"),
    "tables.added": _later("tables were set up: %(numbers)s"),
    "table.changed": _later("table %(table)s was changed"),
    "table.freed": _later("table %(table)s was freed"),
    "match.called": _later("called to table %(table)s"),
    "match.moved": _later("moved to table %(table)s"),
    "match.started": _later("they sat down"),
    "match.held": _later("held back"),
    "match.released": _later("may be called again"),
    "judge.called": _later("a judge was asked for %(note)s"),
    "judge.answered": _later("the call for a judge was answered"),
    "links.issued": _later("%(count)s links were made"),
    "link.issued": _later("a link was made"),
    "link.revoked": _later("a link was taken back"),
    "code.wrong": _later("a wrong code was typed, %(tries_left)s tries left"),
    "result.disputed": _later("the other side says that it is wrong"),
    "result.taken-back": _later("the entry was taken back"),
    "game.entered": _later("game %(game)s was entered whole"),
    "hand.opened": _later("hand %(hand)s of game %(game)s is recorded tile by tile"),
    "deal.entered": _later("the tiles of %(seat)s were entered"),
    "hand.continued": _later("a file gave %(calls)s calls and %(tiles)s tiles of a hand"),
    "notation.recorded": _later("a file in 42 notation was recorded: %(hands)s hands, %(games)s games"),
}


def _made(entry: LogEntry, facts: dict[str, Any]) -> str:
    """Sentences that depend on more than the names of the facts."""
    if entry.action in {"result.entered", "result.entered-differently"}:
        scores = _games(facts.get("games"))
        if entry.action == "result.entered":
            return _("entered: %(scores)s") % {"scores": scores}
        return _("entered differently: %(scores)s") % {"scores": scores}
    if entry.action == "result.settled":
        way = settled_words(str(facts.get("way", "")))
        outcome = outcome_word(str(facts.get("outcome", "played")))
        return _("final, %(how)s") % {"how": ", ".join(one for one in (outcome, way) if one)}
    if entry.action == "result.corrected":
        before, after = facts.get("before", {}), facts.get("after", {})
        return _("corrected from %(before)s to %(after)s") % {
            "before": _games(before.get("games")),
            "after": _games(after.get("games")),
        }
    if entry.action == "record.undone":
        if facts.get("hand"):
            return _("hand %(hand)s of game %(game)s was taken back") % facts
        return _("game %(game)s was taken back") % {"game": facts.get("game")}
    if entry.action == "hand.recorded":
        return _("game %(game)s, hand %(hand)s: %(what)s") % {
            "game": facts.get("game"),
            "hand": facts.get("hand"),
            "what": hand_words(facts),
        }
    return _made_in_play(entry, facts)


def _made_in_play(entry: LogEntry, facts: dict[str, Any]) -> str:
    if entry.action == "call.recorded":
        return f"{seat_name(str(facts['seat']))}: {call_words(str(facts['call']))}"
    if entry.action == "trump.recorded":
        return _("trump: %(trump)s") % {"trump": trump_short(str(facts["trump"]))}
    if entry.action == "play.recorded":
        return f"{seat_name(str(facts['seat']))}: {facts['tile']}"
    return entry.action.replace(".", " ").replace("-", " ")


def hand_words(facts: dict[str, Any]) -> str:
    """A hand as it was entered: "32 by North, made", "all passed", "2 marks for North and South"."""
    if facts.get("thrown_in"):
        return _("all passed")
    if facts.get("level") == "marks" or "winner" in facts:
        return _("%(marks)s marks for %(side)s") % {
            "marks": facts.get("marks", "–"),
            "side": _("North and South") if facts.get("winner") == "NS" else _("East and West"),
        }
    made = facts.get("made", facts.get("ending") == "made")
    parts = [call_words(str(facts.get("bid", "")))]
    if facts.get("declarer"):
        parts.append(_("by %(seat)s") % {"seat": seat_name(str(facts["declarer"]))})
    return f"{' '.join(parts)}, {_('made') if made else _('set')}"


def _games(games: Any) -> str:
    if not games:
        return _("no games")
    return ", ".join(f"{game['NS']}–{game['EW']}" for game in games)
