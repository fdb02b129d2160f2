"""D10: marks, points and results that do not follow from what was recorded.

Everything is worked out again by the engine and compared. What differs is a fact; why it differs is not
known here: a correction after the sheet was read looks the same.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import fortytwo
from fortytwo import Call, FortyTwoError, HandResult, PerSide, Seat, Trump
from scoring.fairplay.facts import GameFacts, HandFacts, MatchFacts
from scoring.fairplay.types import About, Detector, Fact, Finding, Item, Looked, Reason, Scope, Tried

HAND, MATCH, VERSION = "hand-score", "match-score", 1
AFTER_THE_END = timedelta(minutes=2)
"""A record that reaches the server so late after the match was settled is listed."""
PLAYED = "played"

Lines = list[Item]


def look_at_hand(record: HandFacts) -> Looked:
    """Whether the hand's marks follow from its bid and its play."""
    if record.refused:
        item = _item(record, "engine_refuses", {"refusal": record.refused})
        return Looked((_of_hand(record, "record_impossible", [item]),))
    try:
        worked_out = _worked_out(record)
    except FortyTwoError as error:
        lines = [
            _item(record, "engine_refuses", {"refusal": one.code, "field": field})
            for field, one in _fields(error)
        ]
        return Looked((_of_hand(record, "hand_impossible", lines),))
    lines = _differences(record, worked_out)
    return Looked((_of_hand(record, "hand_differs", lines),)) if lines else Looked()


def _worked_out(record: HandFacts) -> HandResult:
    """What the hand gives by its own record; raises what the engine says against it."""
    if record.played is not None:
        return record.played.result()
    shaker = Seat(record.shaker) if record.shaker else None
    if record.ending == "thrown-in":
        return fortytwo.thrown_in_hand(record.rules, shaker)
    if record.level == "bid":
        return fortytwo.bid_level_hand(
            record.rules,
            declarer=Seat.parse(record.declarer),
            bid=Call.parse(record.bid),
            trump=Trump.parse(record.trump) if record.trump else None,
            made={"made": True, "set": False}.get(record.ending),
            points=record.points,
            shaker=shaker,
            trump_required=False,
        )
    result = HandResult(record.marks, shaker)
    fortytwo.check_hand_marks(record.rules, result)
    return result


def _fields(error: FortyTwoError) -> list[tuple[str, FortyTwoError]]:
    fields = getattr(error, "fields", ())
    return [(one.field, one.error) for one in fields] or [("", error)]


def _differences(record: HandFacts, result: HandResult) -> Lines:
    ending = "thrown-in" if result.thrown_in else {True: "made", False: "set"}.get(result.made, "")  # type: ignore[arg-type]
    pairs: list[tuple[str, str, str]] = [("marks", str(record.marks), str(result.marks))]
    if record.level != "marks":
        pairs += [
            ("ending", record.ending, ending),
            ("bid", record.bid, str(result.bid or "")),
            ("declarer", record.declarer, str(result.declarer or "")),
            ("trump", record.trump, str(result.trump or "")),
        ]
    if record.points is not None and result.points is not None:
        pairs.append(("points", str(record.points), str(result.points)))
    return [
        _item(record, "differs", {"field": field, "stored": stored, "worked_out": right})
        for field, stored, right in pairs
        if stored != right
    ]


def _item(record: HandFacts, code: str, facts: dict[str, Fact]) -> Item:
    return Item(code, facts, record.match, record.game, record.number)


def _of_hand(record: HandFacts, code: str, lines: Lines) -> Finding:
    return Finding(
        detector=HAND,
        version=VERSION,
        subject=f"hand:{record.id}",
        code=code,
        about=About(record.match_id, hand=record.id),
        facts={"game": record.game, "hand": record.number},
        figures=(
            Item("differences", {"value": len(lines)}),
            Item("marks_stored", {"value": str(record.marks)}),
        ),
        toward=tuple(lines),
        reasons=(
            Reason("rules_changed", Tried.OPEN),
            Reason("typed_wrongly", Tried.OPEN),
            Reason("changed_in_the_store", Tried.OPEN),
        ),
    )


def look_at_match(record: MatchFacts) -> Looked:
    """Whether games follow from their hands, and the result from its games."""
    lines: Lines = []
    for game in record.games:
        lines += _game_lines(record, game)
    codes = ["game_differs"] if lines else []
    result_lines = _result_lines(record)
    codes += ["result_differs"] if result_lines else []
    late = _late_lines(record)
    codes += ["recorded_after_the_end"] if late else []
    if not codes:
        return Looked(untestable="" if record.games else "no_games")
    code = "result_differs" if result_lines else codes[0]
    return Looked((_of_match(record, code, [*result_lines, *lines, *late]),))


def _game_lines(record: MatchFacts, game: GameFacts) -> Lines:
    """What a game's stored marks say against its hands."""
    if game.whole:
        return _refused(
            record, game.number, lambda: fortytwo.check_game_score(game.marks.ns, game.marks.ew, record.rules)
        )
    total = PerSide()
    for hand in game.hands:
        total += hand.marks
    lines = _pair(record, game.number, "marks", str(game.marks), str(total))
    winner = str(fortytwo.game_winner(total, record.rules) or "")
    if game.is_closed or winner:
        lines += _pair(record, game.number, "winner", game.winner, winner)
    shaker = Seat(game.first_shaker) if game.first_shaker else None
    replayed = fortytwo.Game(record.rules, shaker)
    for hand in game.hands:
        result = HandResult(hand.marks, Seat(hand.shaker) if hand.shaker else None)
        try:
            replayed = replayed.record(result)
        except FortyTwoError as error:
            facts: dict[str, Fact] = {"refusal": error.code, "field": ""}
            lines.append(Item("engine_refuses", facts, record.code, game.number, hand.number))
            break
    return lines


def _result_lines(record: MatchFacts) -> Lines:
    """What the result says against its own games and against the games recorded."""
    result = record.result
    if result.outcome != PLAYED:
        return []
    lines: Lines = []
    recorded = [game for game in record.games if game.is_closed]
    for game in recorded:
        said = result.games[game.number - 1] if game.number <= len(result.games) else None
        lines += _pair(record, game.number, "result", str(said) if said else "", str(game.marks))
    try:
        match = fortytwo.match_of(record.rules, record.best_of, result.games)
        winner = str(match.final())
    except FortyTwoError as error:
        return [*lines, Item("engine_refuses", {"refusal": error.code, "field": "result"}, record.code)]
    lines += _pair(record, 0, "winner", result.winner, winner)
    marks = PerSide()
    for score in result.games:
        marks += score
    lines += _pair(record, 0, "total", str(result.marks), str(marks))
    return lines + _pair(record, 0, "games", str(result.wins), str(match.wins))


def _late_lines(record: MatchFacts) -> Lines:
    """Hands and tiles that were recorded after the match was settled."""
    if record.closed_at is None:
        return []
    limit = record.closed_at + AFTER_THE_END
    return [
        Item("recorded_late", {"at": at.isoformat()}, record.code, hand.game, hand.number)
        for hand in record.hands
        if (at := max([time for time in (hand.started_at, *hand.play_times) if time], default=limit)) > limit
    ]


def _refused(record: MatchFacts, game: int, check: Callable[[], object]) -> Lines:
    try:
        check()
    except FortyTwoError as error:
        return [Item("engine_refuses", {"refusal": error.code, "field": "marks"}, record.code, game)]
    return []


def _pair(record: MatchFacts, game: int, field: str, stored: str, right: str) -> Lines:
    if stored == right:
        return []
    return [Item("differs", {"field": field, "stored": stored, "worked_out": right}, record.code, game)]


def _of_match(record: MatchFacts, code: str, lines: Lines) -> Finding:
    desk = record.result.way == "desk"
    given = Reason("desk_gave_a_reason", Tried.OPEN, {"reason": record.result.reason})
    return Finding(
        detector=MATCH,
        version=VERSION,
        subject=f"match:{record.id}",
        code=code,
        about=About(record.id),
        facts={"way": record.result.way},
        figures=(
            Item("differences", {"value": len(lines)}),
            Item("games_recorded", {"value": sum(game.is_closed for game in record.games)}),
            Item("result_version", {"value": record.result.version}),
        ),
        toward=tuple(lines),
        away=(Item("settled_with_reason", {"reason": record.result.reason}, record.code),)
        if desk and record.result.reason
        else (),
        reasons=(
            given if desk else Reason("desk_gave_a_reason", Tried.NO_FIT),
            Reason("sheet_right_record_wrong", Tried.OPEN),
            Reason("game_cut_short", Tried.OPEN),
            Reason("rules_changed", Tried.OPEN),
        ),
    )


OF_HAND: Detector[HandFacts] = Detector(
    name=HAND,
    version=VERSION,
    scope=Scope.HAND,
    look=look_at_hand,
    inputs=("marks", "bid, trump and points, where they were recorded", "plays, where they were recorded"),
    null="A hand's marks, points and ending are what the rules make of its record.",
    innocent=("rules_changed", "typed_wrongly", "changed_in_the_store"),
)
OF_MATCH: Detector[MatchFacts] = Detector(
    name=MATCH,
    version=VERSION,
    scope=Scope.MATCH,
    look=look_at_match,
    inputs=("the result that counts", "games and hands, where they were recorded"),
    null="A game's marks are those of its hands, a result's games are those recorded.",
    innocent=("desk_gave_a_reason", "sheet_right_record_wrong", "game_cut_short", "rules_changed"),
)
