"""A file in 42 notation becomes records: by the same helpers and checks as what is entered by hand, all or nothing.

What is stored already has to agree with the file, so the same file again changes nothing, and a longer one adds
what is new. Every refusal names the line of the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db import transaction

import fortytwo
from fortytwo import PerSide
from fortytwo.notation import Part, Problem, check, level_of, parse, parts_of
from fortytwo.notation.build import plays_of
from fortytwo.notation.document import (
    BestOf,
    Bid,
    Calls,
    ClaimLine,
    Dealt,
    Named,
    ResultLine,
    Rules,
    RulingLine,
    ScoreLine,
    Shaker,
    Statement,
    Tag,
)
from scoring.enums import GameState, HandState, Level
from scoring.models import Game, Hand
from scoring.record import engine_match
from scoring.services.context import Open, open_match, refused, require_seat, require_unsettled
from scoring.services.deal import deal_store
from scoring.services.disclosure import refusal_for
from scoring.services.game import game_put_locked
from scoring.services.hand import HandEntry, hand_put_locked
from scoring.services.play import Course, hand_continue_locked
from tournaments.actors import Actor
from tournaments.enums import Side as SideName
from tournaments.errors import AgainstRules, Conflict, Refusal
from tournaments.models import Match, Slot
from tournaments.services.log import log_add, revisions_bump

DEVICE = "42 notation"
"""What the calls and tiles of a file say they were recorded with."""
COLUMN = 1
"""What a line says is refused as a whole."""
MOST_PROBLEMS = 20


@dataclass(slots=True)
class Filed:
    """What came of a file: the hands and games that it names, in its order, and whether anything is new."""

    match: Match
    hands: list[Hand] = field(default_factory=list)
    games: list[Game] = field(default_factory=list)
    is_new: bool = False


def notation_record(*, match_id: UUID, text: str, actor: Actor) -> Filed:
    """Record what the file says of the match.

    A file of hands alone goes on with the game being played, one of games alone or a match counts from game 1.
    Raises the engine's `bad_notation` for text that cannot be read; AgainstRules `notation_contradicts` with
    every contradiction of the file, `notation_rules_differ`, `notation_not_kept` for what a record cannot hold
    (claims, rulings, a game stopped by the clock); Conflict `notation_other_match`; and whatever recording by
    hand raises, each with `line` and `column`. Nothing of a refused file is stored.
    """
    document = parse(text)
    try:
        with transaction.atomic(durable=True):
            context = open_match(match_id, actor)
            require_unsettled(context.match)
            filing = _Filing(context)
            parts = parts_of(document, context.rules)
            for part in parts:
                filing.require_fitting(part)
            _require_sound(check(document, context.rules))
            filing.record(parts)
            return filing.finish()
    except (fortytwo.IllegalAction, fortytwo.ImpossibleRecord, AgainstRules) as error:
        facts = {"match_id": match_id, "line": error.facts.get("line"), "file": True}
        refused(error, facts=facts, actor=actor)
        raise


def _require_sound(problems: Sequence[Problem]) -> None:
    if not problems:
        return
    first = problems[0]
    raise AgainstRules(
        "notation_contradicts",
        f"Line {first.line}: {first.message}",
        line=first.line,
        column=COLUMN,
        problems=[problem.to_json() for problem in problems[:MOST_PROBLEMS]],
    )


class _Filing:
    """One file on its way into a locked match."""

    def __init__(self, context: Open) -> None:
        self.context = context
        self.context.held = set()
        self.filed = Filed(context.match)

    def finish(self) -> Filed:
        """Log what is new and count up the revisions, last of all."""
        match, parts = self.context.match, self.context.held or set()
        if self.filed.is_new:
            log_add(
                "notation.recorded",
                actor=self.context.actor,
                tournament_id=match.tournament_id,
                match=match,
                hands=len(self.filed.hands),
                games=len(self.filed.games),
            )
        if parts:
            revisions_bump(match.tournament_id, *parts)
        return self.filed

    def record(self, parts: Sequence[Part]) -> None:
        if parts and parts[0].kind == "hand":
            self.hands(self._current_game(), parts, first=parts[0].number)
        elif parts and parts[0].kind == "game":
            self.games(parts, first=parts[0].number or 1)
        else:
            for part in parts:
                self.games(part.parts, first=1)

    def games(self, parts: Sequence[Part], *, first: int) -> None:
        for number, part in enumerate(parts, start=first):
            if part.parts:
                self.hands(number, part.parts, first=1, shaker=part.said(Shaker))
                game = self.context.game(number)
                said = part.said(ScoreLine)
                if said is not None and (game is None or game.state != GameState.CLOSED):
                    raise self._at(
                        part.line_of(ScoreLine),
                        Conflict("game_open", f"Game {number} is not over with these hands.", game=number),
                    )
                self.filed.games += [game] if game is not None else []
            elif (score := part.said(ScoreLine)) is not None:
                with self._line(part.line_of(ScoreLine)):
                    marks = score.score
                    game, is_new = game_put_locked(self.context, number, {"NS": marks.ns, "EW": marks.ew})
                self.filed.games.append(game)
                self.filed.is_new |= is_new

    def hands(
        self, game: int, parts: Sequence[Part], *, first: int | None, shaker: Shaker | None = None
    ) -> None:
        number = first or self._next_hand(game)
        for place, part in enumerate(parts):
            said = part.said(Shaker) or (shaker if place == 0 else None)
            self.hand(game, number + place, part, said)

    def hand(self, game: int, number: int, part: Part, shaker: Shaker | None) -> None:
        seat = "" if shaker is None else str(shaker.seat)
        full = level_of(part) == "full"
        entry = HandEntry(level=Level.FULL, shaker=seat) if full else _entry(part, seat)
        with self._line(part.line if full else part.line_of(ResultLine)):
            hand, is_new = hand_put_locked(self.context, game, number, entry)
        self.filed.is_new |= is_new
        if full:
            self._full(hand, part)
        self.filed.hands.append(hand)

    def _full(self, hand: Hand, part: Part) -> None:
        for line in part.lines:
            said = line.statement
            if isinstance(said, Dealt) and said.tiles is not None:
                with self._line(line.number, hand):
                    require_seat(self.context.actor, str(said.seat))
                    tiles = [str(tile) for tile in said.tiles]
                    _, is_new = deal_store(self.context, hand, seat=str(said.seat), tiles=tiles)
                self.filed.is_new |= is_new
        calls, named = part.said(Calls), part.said(Named)
        course = Course(calls.calls if calls else (), named.trump if named else None, plays_of(part))
        with self._line(part.line_of(Calls), hand):
            self.filed.is_new |= bool(hand_continue_locked(self.context, hand, course, device=DEVICE))

    def _current_game(self) -> int:
        live = self.context.live_game
        if live is not None:
            return live.number
        match = engine_match(self.context.games, self.context.rules, self.context.match.best_of)
        return match.next_game()

    def _next_hand(self, game: int) -> int:
        """The number of a hand that the file does not number."""
        rows = Hand.objects.filter(game__match=self.context.match, game__number=game)
        return rows.exclude(state=HandState.VOID).count() + 1

    def require_fitting(self, part: Part) -> None:
        """Raise unless the file can be about this match and says nothing that a record cannot hold."""
        match = self.context.match
        for line in part.lines:
            said = line.statement
            error: Refusal | None = None
            if isinstance(said, Rules) and part.rules != self.context.rules:
                error = _rules_differ(part.rules, self.context.rules)
            elif isinstance(said, BestOf) and said.games != match.best_of:
                error = Conflict(
                    "notation_other_match", f"{match.code} is best of {match.best_of}.", best_of=match.best_of
                )
            elif isinstance(said, Tag):
                error = self._other_team(said)
            elif _is_not_kept(part, said):
                error = AgainstRules(
                    "notation_not_kept",
                    "A record keeps no claims, no rulings, no games stopped by the clock and no marks of both "
                    "sides for one hand; enter what the hand or game gave.",
                )
            if error is not None:
                raise self._at(line.number, error)
        for inner in part.parts:
            self.require_fitting(inner)

    def _other_team(self, said: Tag) -> Refusal | None:
        """A file that names other teams is about another match."""
        if said.name.upper() not in SideName.values:
            return None
        slot = (
            Slot.objects.filter(match=self.context.match, side=said.name.upper())
            .select_related("entry")
            .first()
        )
        team = slot.entry.name if slot is not None and slot.entry is not None else ""
        if team.casefold() == said.text.strip().casefold():
            return None
        return Conflict(
            "notation_other_match",
            f"{said.name.upper()} of {self.context.match.code} is {team or 'not known yet'}.",
            side=said.name.upper(),
            team=team,
        )

    @contextmanager
    def _line(self, number: int, hand: Hand | None = None) -> Iterator[None]:
        """Refusals of what stands on this line say so; of a stored hand they tell no more than elsewhere."""
        try:
            yield
        except fortytwo.IllegalAction as error:
            told = error if hand is None else refusal_for(error, hand_id=hand.pk, actor=self.context.actor)
            raise self._at(number, told) from error
        except (Refusal, fortytwo.ImpossibleRecord) as error:
            raise self._at(number, error) from error

    @staticmethod
    def _at(number: int, error: Refusal | fortytwo.FortyTwoError) -> Refusal:
        place: dict[str, Any] = {"line": number, "column": COLUMN}
        if isinstance(error, Refusal):
            error.facts.update(place)
            return error
        facts = {name: value for name, value in error.to_json().items() if name not in ("code", "message")}
        return AgainstRules(error.code, str(error), **facts, **place)


def _is_not_kept(part: Part, said: Statement | None) -> bool:
    """Whether there is no place for this where records are stored."""
    if isinstance(said, ResultLine) and part.said(Calls) is None and part.said(Bid) is None:
        return said.marks is not None and min(said.marks.ns, said.marks.ew) > 0
    return isinstance(said, (ClaimLine, RulingLine)) or (isinstance(said, ScoreLine) and said.timed)


def _rules_differ(said: fortytwo.Ruleset, played: fortytwo.Ruleset) -> AgainstRules:
    mine, theirs = played.switches(), said.switches()
    differing = [name for name in mine if mine[name] != theirs[name]]
    return AgainstRules(
        "notation_rules_differ",
        f"The match is played by other rules; these switches differ: {', '.join(differing)}.",
        switches=differing,
    )


def _entry(part: Part, shaker: str) -> HandEntry:
    """A hand at bid level or with marks only, as it would be entered by hand."""
    said = part.said(ResultLine) or ResultLine()
    if said.outcome == "thrown-in":
        level = Level.BID if part.said(Bid) else Level.MARKS
        return HandEntry(level=level, shaker=shaker, thrown_in=True)
    bid, named = part.said(Bid), part.said(Named)
    winner, marks = _scored(said.marks)
    if bid is None:
        return HandEntry(level=Level.MARKS, shaker=shaker, winner=winner, marks=marks)
    return HandEntry(
        level=Level.BID,
        shaker=shaker,
        declarer=str(bid.seat),
        bid=str(bid.call),
        trump=str(named.trump) if named else "",
        trump_unrecorded=named is None,
        made=None if said.outcome is None else said.outcome == "made",
        points=said.points,
        tricks=said.tricks,
    )


def _scored(marks: PerSide | None) -> tuple[str, int | None]:
    side = None if marks is None else marks.leader
    return ("", None) if marks is None or side is None else (str(side), marks[side])
