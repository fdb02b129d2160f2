"""Hands and matches as they are stored, written in 42 notation, as far as everybody may see them now.

A hand in progress goes out with its calls and tiles played, and never with a holding. Holdings of hands that
are over are written once the match is over, as everywhere else.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from uuid import UUID
from zoneinfo import ZoneInfo

import fortytwo
from fortytwo import HandResult, PerSide, Ruleset, Seat
from fortytwo.notation import WrittenGame, WrittenHand, hand_document, match_document, write
from fortytwo.notation.document import TAGS
from scoring.enums import GameState, HandState, Level
from scoring.models import Game, Hand
from scoring.record import HandRows, engine_hand, hand_result, hand_rows, rows_of_hands
from scoring.selectors.hands import games_of, holdings_are_open
from tables.models import SeatAssignment, Seating
from tournaments.enums import Outcome, ResultState
from tournaments.models import Match, Result, Slot
from tournaments.rulesets import match_rules

logger = logging.getLogger(__name__)

SEAT_TAGS = {"N": "north", "E": "east", "S": "south", "W": "west"}


def hand_text(hand: Hand) -> str:
    """A file with one hand. At most six queries."""
    match = hand.game.match
    rules = match_rules(match)
    rows = hand_rows(hand) if hand.level == Level.FULL else None
    place = {"note": f"{match.code}, game {hand.game.number}"}
    written = WrittenHand(
        _value(hand, rows, rules),
        hand.number,
        show_deal=holdings_are_open(match),
        tags=_ordered({**_event_tags(match), **_people_tags(match), **place}),
    )
    return write(hand_document(written, rules))


def match_text(match: Match) -> str:
    """A file with a match: every game and hand that is recorded, or the marks of its result. Nine queries."""
    rules = match_rules(match)
    games = list(games_of(match))
    full = [hand for game in games for hand in _hands(game) if hand.level == Level.FULL]
    rows = rows_of_hands(full) if full else {}
    recorded = {game.number: _written_game(match, game, rows, rules) for game in games}
    result = Result.objects.filter(match=match, state=ResultState.CONFIRMED).first()
    tags = {**_event_tags(match), **_people_tags(match)}
    won = None
    if result is not None and result.outcome == Outcome.PLAYED:
        # What counts is the result: a game that was corrected afterwards has its marks and no hands.
        scores = [PerSide(game["NS"], game["EW"]) for game in result.games]
        written = [_by_result(recorded.get(number), score) for number, score in enumerate(scores, start=1)]
        won = PerSide(result.games_ns, result.games_ew)
    else:
        written = [recorded[number] for number in sorted(recorded)]
        tags |= {"note": str(result.outcome)} if result is not None else {}
    document = match_document(rules, written, best_of=match.best_of, tags=_ordered(tags), won=won)
    return write(document)


def _by_result(recorded: WrittenGame | None, score: PerSide) -> WrittenGame:
    if recorded is not None and recorded.score == score:
        return recorded
    return WrittenGame(score=score)


def _written_game(match: Match, game: Game, rows: Mapping[UUID, HandRows], rules: Ruleset) -> WrittenGame:
    score = PerSide(game.marks_ns, game.marks_ew) if game.state == GameState.CLOSED else None
    show_deal = holdings_are_open(match)
    return WrittenGame(
        hands=tuple(
            WrittenHand(_value(hand, rows.get(hand.pk), rules), hand.number, show_deal=show_deal)
            for hand in _hands(game)
        ),
        first_shaker=Seat(game.first_shaker) if game.first_shaker else None,
        score=score,
    )


def _hands(game: Game) -> Sequence[Hand]:
    """The hands of a game that stand, as `games_of` has read them; none of a game entered as a whole."""
    hands: Sequence[Hand] = [] if game.whole else getattr(game, "standing_hands", [])
    return hands


def _value(hand: Hand, rows: HandRows | None, rules: Ruleset) -> fortytwo.Hand | HandResult:
    """The hand with every tile that was played, or what its row says of it."""
    if rows is not None:
        try:
            # Of a hand in progress no holding is even read.
            return engine_hand(rows, rules, seats_known=() if hand.state == HandState.LIVE else None)
        except fortytwo.FortyTwoError as error:
            logger.warning("Hand %s cannot be written tile by tile: %s", hand.pk, error.code)
    if hand.state == HandState.LIVE:
        return fortytwo.Hand.start(rules, Seat(hand.shaker))
    return hand_result(hand)


def _event_tags(match: Match) -> dict[str, str]:
    """Where and when it was played. One query."""
    seating = Seating.objects.filter(match=match).select_related("table").order_by("called_at").last()
    tournament = match.tournament
    began = match.started_at
    return {
        "event": tournament.name,
        "site": tournament.venue,
        "date": str(began.astimezone(ZoneInfo(tournament.time_zone)).date()) if began is not None else "",
        "round": match.round.key,
        "table": str(seating.table.number) if seating is not None else "",
    }


def _people_tags(match: Match) -> dict[str, str]:
    """Who plays. Two queries."""
    tags = {}
    for slot in Slot.objects.filter(match=match).select_related("entry"):
        tags[slot.side.lower()] = slot.entry.name if slot.entry is not None else ""
    for seat, name in SeatAssignment.objects.filter(match=match).values_list("seat", "player__name"):
        tags[SEAT_TAGS[seat]] = name
    return tags


def _ordered(tags: Mapping[str, str]) -> dict[str, str]:
    """In the order of the format, without those that say nothing."""
    return {name: tags[name] for name in TAGS if tags.get(name)}
