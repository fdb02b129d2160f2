"""Matches as cards, cells and rows show them: both sides, marks game by game, the table, the state.

A *view* is a plain value without database rows, so templates cannot ask for more. `match_views` takes nine
queries for any number of matches.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _

from scoring.enums import GameState
from scoring.models import Game
from scoring.pages import words
from tables.models import Seating
from tournaments.enums import MatchState, ResultState, SlotState, SourceKind
from tournaments.models import Bye, Entry, EntryPlayer, Match, Result, Slot

LIVE_STATES = (MatchState.CALLED, MatchState.PLAYING, MatchState.ENTERED, MatchState.DISPUTED)
ON_THE_TABLE = frozenset({MatchState.PLAYING, MatchState.ENTERED, MatchState.DISPUTED})


@dataclass(frozen=True, slots=True)
class TeamView:
    """A team under the name and number it has in this tournament."""

    id: UUID
    number: int
    seed: int | None
    name: str
    players: str
    url: str
    is_out: bool = False


@dataclass(frozen=True, slots=True)
class GameView:
    """One game; `ns` and `ew` are raw marks."""

    number: int
    ns: int
    ew: int
    winner: str
    is_live: bool

    def marks(self, side: str) -> int:
        return self.ns if side == "NS" else self.ew


@dataclass(frozen=True, slots=True)
class CellMark:
    """The marks of one game on one side of a bracket cell; `tone` is "won", "live" or ""."""

    marks: int
    tone: str


@dataclass(frozen=True, slots=True)
class SideView:
    """One half of a match. Without a team, `label` says where it will come from."""

    side: str
    team: TeamView | None
    label: str
    had_bye: bool
    is_empty: bool
    source: str
    source_kind: str
    won: bool
    lost: bool
    games_won: int
    marks: int | None
    cells: tuple[CellMark, ...]

    @property
    def name(self) -> str:
        return self.team.name if self.team else self.label


@dataclass(frozen=True, slots=True)
class RoundView:
    """A round with its names. `order` is the order of play across the stage."""

    id: UUID
    key: str
    section: str
    number: int
    order: int
    name: str
    short: str


@dataclass(frozen=True, slots=True)
class Way:
    """Where a team goes from a match, with the match's code, address and round; all empty for nowhere."""

    code: str
    url: str
    round: str


@dataclass(frozen=True, slots=True)
class MatchView:
    """One match. `marks_target` is what a game is played to; `game` is the one being played, or the last."""

    id: UUID
    code: str
    number: int
    url: str
    round: RoundView
    position: int
    best_of: int
    state: str
    chip: str
    word: str
    table: int | None
    ns: SideView
    ew: SideView
    games: tuple[GameView, ...]
    game: int
    outcome: str
    settled: str
    is_reset: bool
    is_pending: bool
    winner_way: Way | None
    loser_way: Way | None
    ready_at: datetime | None
    called_at: datetime | None
    started_at: datetime | None
    closed_at: datetime | None
    marks_target: int = 7
    scores: tuple[str, ...] = field(default=())

    @property
    def sides(self) -> tuple[SideView, SideView]:
        return (self.ns, self.ew)

    @property
    def needed(self) -> int:
        """Games that win the match."""
        return self.best_of // 2 + 1

    @property
    def is_live(self) -> bool:
        return self.state in ON_THE_TABLE

    @property
    def is_called(self) -> bool:
        return self.state == MatchState.CALLED

    @property
    def is_final(self) -> bool:
        return self.state == MatchState.CONFIRMED

    @property
    def is_void(self) -> bool:
        return self.state == MatchState.VOID

    @property
    def is_known(self) -> bool:
        """Both teams are known."""
        return self.ns.team is not None and self.ew.team is not None

    @property
    def winner(self) -> SideView | None:
        return next((side for side in self.sides if side.won), None)

    @property
    def loser(self) -> SideView | None:
        return next((side for side in self.sides if side.lost), None)

    @property
    def drops_in(self) -> str:
        """The match whose loser comes down here to meet a winner, once that team is known."""
        falling = [side for side in self.sides if side.source_kind == SourceKind.LOSER]
        return falling[0].source if len(falling) == 1 and falling[0].team else ""

    @property
    def teams(self) -> str:
        """Start numbers of the known teams, for the browser to find its own."""
        return " ".join(str(side.team.number) for side in self.sides if side.team)

    @property
    def spoken(self) -> str:
        """The whole cell in one sentence: "M126, table 38, game 3: A 4, B 1"."""
        head = [self.code]
        if self.table and self.state in LIVE_STATES:
            head.append(_("table %(number)d") % {"number": self.table})
        head.append(self.word.lower())
        halves = []
        for side in self.sides:
            if self.is_final and not self.outcome:
                halves.append(f"{side.name} {side.games_won}")
            elif side.marks is not None and not self.is_final:
                halves.append(f"{side.name} {side.marks}")
            else:
                halves.append(side.name)
        tail = f", {self.outcome}" if self.outcome else ""
        return f"{', '.join(head)}: {', '.join(halves)}{tail}"


def match_views(
    slug: str,
    matches: Iterable[Match],
    *,
    marks_target: int = 7,
    teams: Mapping[UUID, TeamView] | None = None,
) -> list[MatchView]:
    """The views of these matches (with `round` selected), in their order. Eight queries, one less with `teams`
    given, none for no match."""
    rows = list(matches)
    if not rows:
        return []
    ids = [match.pk for match in rows]
    slots = _slots(ids)
    if teams is None:
        entries = {slot.entry_id for pair in slots.values() for slot in pair.values()}
        teams = team_views(slug, {entry_id for entry_id in entries if entry_id is not None})
    results = _results(ids)
    games = _games(ids)
    tables = _tables(ids)
    byes = set(Bye.objects.filter(into_match__in=ids).values_list("into_match_id", "into_side"))
    ways = _ways(slug, ids)
    rounds = {
        match.round_id: round_view(match) for match in {match.round_id: match for match in rows}.values()
    }
    return [
        _view(
            slug,
            match,
            rounds[match.round_id],
            slots[match.pk],
            teams,
            results.get(match.pk),
            games.get(match.pk, ()),
            tables.get(match.pk),
            byes,
            ways,
            marks_target,
        )
        for match in rows
    ]


def team_views(slug: str, entry_ids: Iterable[UUID]) -> dict[UUID, TeamView]:
    """Teams with both partners, by entry id. Two queries."""
    ids = list(entry_ids)
    players: dict[UUID, list[str]] = defaultdict(list)
    members = EntryPlayer.objects.filter(entry__in=ids, until__isnull=True).order_by("position")
    for entry_id, name in members.values_list("entry_id", "player__name"):
        players[entry_id].append(name)
    return {entry.pk: team_view(slug, entry, players[entry.pk]) for entry in Entry.objects.filter(pk__in=ids)}


def team_view(slug: str, entry: Entry, players: list[str]) -> TeamView:
    return TeamView(
        id=entry.pk,
        number=entry.number,
        seed=entry.seed,
        name=entry.name,
        players=pair_words(players),
        url=team_url(slug, entry.number),
        is_out=entry.is_out,
    )


def pair_words(names: list[str]) -> str:
    """Two partners as one text: "June Hollis & Ray Dominguez"."""
    return " & ".join(names)


def round_view(row: Match) -> RoundView:
    """The round of a match that has it selected."""
    one = row.round
    return RoundView(
        id=one.pk,
        key=one.key,
        section=one.section,
        number=one.number,
        order=one.play_order,
        name=words.round_name(one.key),
        short=words.round_short(one.key),
    )


@dataclass(frozen=True, slots=True)
class _SlotRow:
    """What a slot says of its half of a match."""

    state: str
    entry_id: UUID | None
    source_kind: str
    source_seed: int | None
    source: str


def _slots(ids: list[UUID]) -> dict[UUID, dict[str, _SlotRow]]:
    found: dict[UUID, dict[str, _SlotRow]] = defaultdict(dict)
    rows = Slot.objects.filter(match__in=ids).values_list(
        "match_id", "side", "state", "entry_id", "source_kind", "source_seed", "source_match__number"
    )
    for match_id, side, state, entry_id, kind, seed, number in rows:
        found[match_id][side] = _SlotRow(state, entry_id, kind, seed, f"M{number}" if number else "")
    return found


def _results(ids: list[UUID]) -> dict[UUID, Result]:
    """The confirmed result of each match, else its newest entry that still stands."""
    found: dict[UUID, Result] = {}
    standing = Result.objects.filter(match__in=ids, state__in=[ResultState.ENTERED, ResultState.CONFIRMED])
    for result in standing.order_by("version"):
        kept = found.get(result.match_id)
        if kept is None or kept.state != ResultState.CONFIRMED:
            found[result.match_id] = result
    return found


def _games(ids: list[UUID]) -> dict[UUID, tuple[GameView, ...]]:
    found: dict[UUID, list[GameView]] = defaultdict(list)
    for game in Game.objects.filter(match__in=ids).order_by("number"):
        found[game.match_id].append(
            GameView(
                game.number, game.marks_ns, game.marks_ew, game.winner_side, game.state == GameState.LIVE
            )
        )
    return {match_id: tuple(games) for match_id, games in found.items()}


def _tables(ids: list[UUID]) -> dict[UUID, int]:
    """The table of each match, where it is played or was played last."""
    rows = (
        Seating.objects.filter(match__in=ids).order_by("called_at").values_list("match_id", "table__number")
    )
    return dict(rows)


def _ways(slug: str, ids: list[UUID]) -> dict[tuple[UUID, str], Way]:
    """Where winners and losers go, by match and source kind."""
    feeds = Slot.objects.filter(source_match__in=ids).values_list(
        "source_match_id", "source_kind", "match__number", "match__round__key"
    )
    rounds: dict[str, str] = {}
    ways: dict[tuple[UUID, str], Way] = {}
    for match_id, kind, number, key in feeds:
        if match_id is not None:
            if key not in rounds:
                rounds[key] = words.round_name(key)
            ways[match_id, kind] = Way(f"M{number}", match_url(slug, number), rounds[key])
    return ways


def match_url(slug: str, number: int) -> str:
    """The address of a match's page."""
    return f"{_base(slug)}matches/M{number}/"


def team_url(slug: str, number: int) -> str:
    """The address of a team's page."""
    return f"{_base(slug)}teams/{number}/"


@lru_cache(maxsize=256)
def _base(slug: str) -> str:
    return reverse("tournament", args=[slug])


def _view(
    slug: str,
    match: Match,
    one: RoundView,
    slots: Mapping[str, _SlotRow],
    teams: Mapping[UUID, TeamView],
    result: Result | None,
    recorded: tuple[GameView, ...],
    table: int | None,
    byes: set[tuple[UUID, str]],
    ways: Mapping[tuple[UUID, str], Way],
    marks_target: int,
) -> MatchView:
    games = _shown_games(match, result, recorded)
    game = _game_number(match, games)
    chip, word = words.state_chip(match.state, game, moving_on=match.advance_pending)
    counts = result if result is not None and result.state == ResultState.CONFIRMED else None
    winner = counts.winner_side if counts is not None else ""
    outcome = words.outcome_word(counts.outcome) if counts is not None else ""
    sides = {
        side: _side(match, side, slots.get(side), teams, games, game, winner, counts is not None, byes)
        for side in ("NS", "EW")
    }
    scores = _scores(games, winner)
    return MatchView(
        id=match.pk,
        code=match.code,
        number=match.number,
        url=match_url(slug, match.number),
        round=one,
        position=match.position,
        best_of=match.best_of,
        state=match.state,
        chip=chip,
        word=word,
        table=table,
        ns=sides["NS"],
        ew=sides["EW"],
        games=games,
        game=game,
        outcome=outcome,
        settled=words.settled_words(counts.settled_way) if counts is not None else "",
        is_reset=match.is_reset,
        is_pending=match.advance_pending,
        winner_way=ways.get((match.pk, SourceKind.WINNER)),
        loser_way=ways.get((match.pk, SourceKind.LOSER)),
        ready_at=match.ready_at,
        called_at=match.called_at,
        started_at=match.started_at,
        closed_at=match.closed_at,
        marks_target=marks_target,
        scores=scores,
    )


def _shown_games(match: Match, result: Result | None, recorded: tuple[GameView, ...]) -> tuple[GameView, ...]:
    """Games as recorded; once a result was entered, as it says. Two entries that differ show neither."""
    if result is None or not result.games or match.state == MatchState.DISPUTED:
        return recorded
    return tuple(
        GameView(number, game["NS"], game["EW"], "NS" if game["NS"] > game["EW"] else "EW", False)
        for number, game in enumerate(result.games, start=1)
    )


def _game_number(match: Match, games: tuple[GameView, ...]) -> int:
    """The game being played: the live one, else the one after the last that is over."""
    if not games:
        return 1
    last = games[-1]
    decided = max(sum(game.winner == side for game in games) for side in ("NS", "EW")) > match.best_of // 2
    return last.number if last.is_live or decided or match.state not in LIVE_STATES else last.number + 1


def _side(
    match: Match,
    side: str,
    slot: _SlotRow | None,
    teams: Mapping[UUID, TeamView],
    games: tuple[GameView, ...],
    game: int,
    winner: str,
    counts: bool,
    byes: set[tuple[UUID, str]],
) -> SideView:
    team = teams.get(slot.entry_id) if slot is not None and slot.entry_id is not None else None
    return SideView(
        side=side,
        team=team,
        label=_label(slot),
        had_bye=(match.pk, side) in byes,
        is_empty=slot is not None and slot.state == SlotState.EMPTY,
        source=slot.source if slot is not None else "",
        source_kind=slot.source_kind if slot is not None else "",
        won=winner == side,
        lost=counts and winner != side,
        games_won=sum(one.winner == side for one in games),
        marks=_marks(match, side, games, game),
        cells=tuple(_cell(one, side) for one in games),
    )


def _label(slot: _SlotRow | None) -> str:
    """Where the team of a slot comes from, while it is not known."""
    if slot is None or slot.state == SlotState.EMPTY:
        return _("Nobody")
    if not slot.source:
        return _("Seed %(number)s") % {"number": slot.source_seed}
    if slot.source_kind == SourceKind.LOSER:
        return words.loser_of(slot.source)
    return words.winner_of(slot.source)


def _marks(match: Match, side: str, games: tuple[GameView, ...], game: int) -> int | None:
    """Marks in the game that is shown large; None before the match is played."""
    shown = next((one for one in games if one.number == game), None)
    if shown is not None:
        return shown.marks(side)
    if match.state == MatchState.PLAYING:
        return 0
    return games[-1].marks(side) if games and match.state != MatchState.DISPUTED else None


def _cell(game: GameView, side: str) -> CellMark:
    tone = "live" if game.is_live else "won" if game.winner == side else ""
    return CellMark(game.marks(side), tone)


def _scores(games: tuple[GameView, ...], winner: str) -> tuple[str, ...]:
    """Marks of each game that is over, the winner's first where there is one: "7–4"."""
    first, second = ("EW", "NS") if winner == "EW" else ("NS", "EW")
    return tuple(f"{game.marks(first)}–{game.marks(second)}" for game in games if not game.is_live)
