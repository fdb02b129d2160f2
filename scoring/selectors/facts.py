"""What the detectors of fair play are shown: stored rows as values of `scoring.fairplay.facts`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from uuid import UUID

from django.db.models import Max, Min, QuerySet

import fortytwo
from fortytwo import PerSide, Ruleset
from scoring import models
from scoring.enums import GameState, HandState, Level
from scoring.fairplay.entries import scorer_of_all
from scoring.fairplay.facts import (
    EventFacts,
    GameFacts,
    HandFacts,
    MatchFacts,
    ResultFacts,
    Settled,
    TeamFacts,
    Twin,
    Work,
)
from scoring.fairplay.twins import deal_print, hands_print
from scoring.models import Hand, RecordPrint
from scoring.record import HandRows, engine_hand, rows_of_hands
from tournaments.enums import Outcome, ResultState
from tournaments.models import Match, Player, Result, Slot
from tournaments.rulesets import match_rules

DEAL, HANDS = "deal", "hands"
"""Kinds of prints."""

Prints = dict[UUID | None, str]
"""By hand, and under None the whole list of hands."""


def hand_facts(hand: Hand) -> HandFacts:
    """A closed hand, read with its game, match, stage and tournament. Three queries, none below full play."""
    match = hand.game.match
    rules = match_rules(match)
    rows = rows_of_hands([hand]).get(hand.pk) if hand.level == Level.FULL else None
    return _hand(hand, match, rules, rows, times_count=_times_count(match))


def match_facts(match: Match) -> MatchFacts | None:
    """A settled match; None when no result counts. At most seven queries."""
    stored = Result.objects.filter(match=match, state=ResultState.CONFIRMED).first()
    if stored is None:
        return None
    rules = match_rules(match)
    tournament = match.tournament
    return MatchFacts(
        id=str(match.pk),
        code=match.code,
        best_of=match.best_of,
        rules=rules,
        result=_result(stored),
        games=_games(match, rules),
        playing=_playing(stored.lineups),
        called_at=match.called_at,
        started_at=match.started_at,
        closed_at=match.closed_at,
        simulated=tournament.simulated,
        from_paper=tournament.from_paper or match.from_paper,
    )


def event_facts(match: Match, facts: MatchFacts, prints: Prints) -> EventFacts:
    """The match among the others of its tournament. At most seven queries; `prints` are stored already."""
    teams = _teams(match)
    others: Sequence[Settled] = ()
    if any(scorer_of_all(team) for team in teams):
        others = _settled(Result.objects.filter(match__tournament_id=match.tournament_id))
    here = _work_here(facts)
    return EventFacts(
        match=facts,
        teams=teams,
        others=others,
        here=here,
        elsewhere=_work_elsewhere(match, facts, here),
        twins=_twins(match, facts, prints),
    )


def prints_of(facts: MatchFacts) -> Prints:
    """The prints of the match's deals and of its list of hands."""
    deals = {UUID(hand.id): deal_print(hand.played) for hand in facts.hands if hand.played is not None}
    found: Prints = {hand: digest for hand, digest in deals.items() if digest}
    whole = hands_print(facts.hands)
    if whole:
        found[None] = whole
    return found


def _times_count(match: Match) -> bool:
    return not (match.tournament.simulated or match.tournament.from_paper or match.from_paper)


def _hand(hand: Hand, match: Match, rules: Ruleset, rows: HandRows | None, *, times_count: bool) -> HandFacts:
    played, refused = _folded(rows, rules) if rows is not None else (None, "")
    points = None
    if hand.points_ns is not None and hand.points_ew is not None:
        points = PerSide(hand.points_ns, hand.points_ew)
    return HandFacts(
        id=str(hand.pk),
        match_id=str(match.pk),
        match=match.code,
        game=hand.game.number,
        number=hand.number,
        level=hand.level,
        rules=rules,
        marks=PerSide(hand.marks_ns, hand.marks_ew),
        shaker=hand.shaker,
        declarer=hand.declarer,
        bid=hand.bid,
        trump=hand.trump,
        ending=hand.ending,
        points=points,
        played=played,
        refused=refused,
        account=str(hand.entered_by_id or ""),
        started_at=hand.started_at,
        ended_at=hand.ended_at,
        play_times=tuple(play.at for play in rows.plays) if rows is not None else (),
        times_count=times_count,
    )


def _folded(rows: HandRows, rules: Ruleset) -> tuple[fortytwo.Hand | None, str]:
    """The record with every holding that was entered, and the code of a refusal."""
    try:
        hand = engine_hand(rows, rules)
        hand.result()
    except fortytwo.FortyTwoError as error:
        return None, error.code
    return hand, ""


def _games(match: Match, rules: Ruleset) -> tuple[GameFacts, ...]:
    games = list(models.Game.objects.filter(match=match).order_by("number"))
    hands = list(
        Hand.objects.filter(game__match=match, state=HandState.CLOSED)
        .select_related("game")
        .order_by("game__number", "number")
    )
    full = [hand for hand in hands if hand.level == Level.FULL]
    rows = rows_of_hands(full) if full else {}
    times_count = _times_count(match)
    by_game: dict[UUID, list[HandFacts]] = defaultdict(list)
    for hand in hands:
        facts = _hand(hand, match, rules, rows.get(hand.pk), times_count=times_count)
        by_game[hand.game_id].append(facts)
    return tuple(
        GameFacts(
            number=game.number,
            marks=PerSide(game.marks_ns, game.marks_ew),
            winner=game.winner_side,
            is_closed=game.state == GameState.CLOSED,
            whole=game.whole,
            first_shaker=game.first_shaker,
            hands=tuple(by_game[game.pk]),
        )
        for game in games
    )


def _result(stored: Result) -> ResultFacts:
    return ResultFacts(
        version=stored.version,
        outcome=stored.outcome,
        winner=stored.winner_side,
        games=tuple(PerSide(game["NS"], game["EW"]) for game in stored.games),
        wins=PerSide(stored.games_ns, stored.games_ew),
        marks=PerSide(stored.marks_ns, stored.marks_ew),
        entered_by=str(stored.entered_by_id or ""),
        entered_at=stored.entered_at,
        settled_by=str(stored.settled_by_id or ""),
        settled_at=stored.settled_at,
        way=stored.settled_way,
        reason=stored.reason,
    )


def _playing(lineups: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """The accounts of those who play, with their sides."""
    sides = {player: side for side, players in lineups.items() for player in players}
    rows = Player.objects.filter(pk__in=list(sides), user__isnull=False).values_list("pk", "user_id")
    return {str(user): sides[str(player)] for player, user in rows}


def _settled(results: QuerySet[Result]) -> tuple[Settled, ...]:
    rows = (
        results.filter(state=ResultState.CONFIRMED, outcome=Outcome.PLAYED)
        .order_by("match__number")
        .values_list("match_id", "match__number", "entered_by_id", "settled_by_id")
    )
    return tuple(
        Settled(str(match), f"M{number}", str(entered or ""), str(settled or ""))
        for match, number, entered, settled in rows
    )


def _teams(match: Match) -> tuple[TeamFacts, ...]:
    """Both teams with every settled match that they played. Three queries."""
    entries = dict(
        Slot.objects.filter(match=match, entry__isnull=False).values_list("entry_id", "entry__number")
    )
    played: dict[UUID, set[UUID]] = defaultdict(set)
    for entry, one in Slot.objects.filter(entry__in=list(entries)).values_list("entry_id", "match_id"):
        if entry is not None:
            played[entry].add(one)
    ids = {one for matches in played.values() for one in matches}
    settled = _settled(Result.objects.filter(match__in=ids))
    return tuple(
        TeamFacts(str(entry), number, tuple(one for one in settled if UUID(one.match_id) in played[entry]))
        for entry, number in entries.items()
        if entry is not None and number is not None
    )


def _work_here(facts: MatchFacts) -> tuple[Work, ...]:
    by_account: dict[str, list[HandFacts]] = defaultdict(list)
    for hand in facts.hands:
        if hand.account:
            by_account[hand.account].append(hand)
    return tuple(
        Work(
            account,
            facts.id,
            facts.code,
            tuple(
                (hand.started_at, hand.ended_at, hand.level, hand.game, hand.number)
                for hand in hands
                if hand.started_at is not None and hand.ended_at is not None
            ),
        )
        for account, hands in by_account.items()
    )


def _work_elsewhere(match: Match, facts: MatchFacts, here: Sequence[Work]) -> tuple[Work, ...]:
    """What the same accounts recorded in matches that went on at the same time. At most one query."""
    times = [time for work in here for begin, end, *_rest in work.hands for time in (begin, end)]
    if not times or not facts.times_count:
        return ()
    by_them = Hand.objects.filter(
        game__match__tournament_id=match.tournament_id,
        entered_by__in=[work.account for work in here],
        state=HandState.CLOSED,
        ended_at__isnull=False,
    ).exclude(game__match=match)
    together = (
        by_them.order_by()
        .values("game__match")
        .annotate(begin=Min("started_at"), end=Max("ended_at"))
        .filter(begin__lte=max(times), end__gte=min(times))
        .values("game__match")
    )
    rows = by_them.filter(game__match__in=together).select_related("game__match").order_by("started_at")
    found: dict[tuple[str, UUID], list[Hand]] = defaultdict(list)
    for hand in rows:
        found[str(hand.entered_by_id), hand.game.match_id].append(hand)
    return tuple(
        Work(
            account,
            str(other),
            hands[0].game.match.code,
            tuple(
                (hand.started_at, hand.ended_at, hand.level, hand.game.number, hand.number)
                for hand in hands
                if hand.ended_at is not None
            ),
        )
        for (account, other), hands in found.items()
    )


def _twins(match: Match, facts: MatchFacts, prints: Prints) -> tuple[Twin, ...]:
    """Hands and matches of the event with the same prints. At most one query."""
    if not prints:
        return ()
    own = {hand.id: hand for hand in facts.hands}
    by_digest: dict[str, list[UUID | None]] = defaultdict(list)
    for hand_id, digest in prints.items():
        by_digest[digest].append(hand_id)
    rows = (
        RecordPrint.objects.filter(tournament_id=match.tournament_id, digest__in=list(by_digest))
        .select_related("match", "hand__game")
        .order_by("match__number", "pk")
    )
    found = []
    for row in rows:
        for hand_id in by_digest[row.digest]:
            is_itself = row.match_id == match.pk and row.hand_id == hand_id
            if is_itself or row.kind != (HANDS if hand_id is None else DEAL):
                continue
            mine = own.get(str(hand_id))
            found.append(
                Twin(
                    kind=row.kind,
                    match_id=str(row.match_id),
                    match=row.match.code,
                    game=row.hand.game.number if row.hand else 0,
                    hand=row.hand.number if row.hand else 0,
                    own_hand_id=mine.id if mine else "",
                    own_game=mine.game if mine else 0,
                    own_hand=mine.number if mine else 0,
                )
            )
    return tuple(found)
