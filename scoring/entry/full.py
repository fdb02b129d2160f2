"""A hand tile by tile at a plain level: the calls, the trump, and the set of 28 with what may be played."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

import fortytwo
from fortytwo import Tile
from fortytwo.tiles import INDEX, TILES
from scoring.enums import Level
from scoring.models import Call, Hand, Play
from scoring.pages import words
from scoring.pages.live import Board, board
from scoring.pages.matches import MatchView
from scoring.record import engine_hand, hand_rows
from scoring.selectors.hands import offers_for
from tournaments.actors import Actor
from tournaments.errors import NotThere
from tournaments.models import Match
from tournaments.rulesets import match_rules


@dataclass(frozen=True, slots=True)
class Choice:
    """A call or a trump that can be recorded now."""

    value: str
    word: str
    is_marks: bool = False


@dataclass(frozen=True, slots=True)
class TileCell:
    """One tile of the set. `state` is follows, free, other, played or elsewhere; `word` says why."""

    tile: str
    state: str
    word: str


@dataclass(frozen=True, slots=True)
class FullHand:
    """The screen of a hand in full play."""

    hand: Hand
    board: Board | None
    phase: str
    to_act: str
    who: str
    calls: list[Choice]
    trumps: list[Choice]
    rows: list[list[TileCell]]
    call_seq: int
    play_seq: int


def hand_of_match(match: Match, hand_id: UUID) -> Hand:
    """The full-play hand of this match that stands; NotThere for another one. One query."""
    hand = (
        Hand.objects.select_related("game__match__tournament", "game__match__stage")
        .filter(pk=hand_id, game__match=match, level=Level.FULL)
        .exclude(state="void")
        .first()
    )
    if hand is None:
        raise NotThere("not_found", "There is no such hand.")
    return hand


def full_context(hand: Hand, view: MatchView, actor: Actor, names: dict[str, str]) -> FullHand:
    """The hand with everything that may come next, legal first. Thirteen queries."""
    offers: dict[str, Any] = offers_for(hand, actor)
    rules = match_rules(hand.game.match)
    to_act = str(offers["to_act"] or "")
    return FullHand(
        hand=hand,
        board=board(hand, rules, view),
        phase=str(offers["phase"]),
        to_act=to_act,
        who=names.get(to_act) or (words.seat_name(to_act) if to_act else ""),
        calls=[_call(call) for call in offers["calls"]],
        trumps=[Choice(trump, words.trump_short(trump)) for trump in offers["trumps"]],
        rows=tile_rows(hand, rules, set(offers["plays"]), names),
        call_seq=Call.objects.filter(hand=hand).count() + 1,
        play_seq=Play.objects.filter(hand=hand).count() + 1,
    )


def _call(call: str) -> Choice:
    return Choice(
        call, words.call_words(call), is_marks=not (call == "pass" or (call.isdigit() and int(call) < 42))
    )


def tile_rows(
    hand: Hand, rules: fortytwo.Ruleset, legal: set[str], names: dict[str, str]
) -> list[list[TileCell]]:
    """The 28 tiles in a triangle by their high end, highest first; each says what it is now. Three queries."""
    engine = engine_hand(hand_rows(hand), rules, seats_known=())
    played = {str(play.tile): (play.seat, place) for place, play in enumerate(engine.plays)}
    led = engine.table[0].tile if engine.table else None
    size = engine.contract.size if engine.contract else 4
    cells: dict[int, list[TileCell]] = {}
    for tile in TILES:
        cells.setdefault(tile.high, []).append(_cell(tile, engine, played, led, legal, names, size))
    return [
        sorted(cells[high], key=lambda cell: cell.tile, reverse=True) for high in sorted(cells, reverse=True)
    ]


def _cell(
    tile: Tile,
    engine: fortytwo.Hand,
    played: dict[str, tuple[Any, int]],
    led: Tile | None,
    legal: set[str],
    names: dict[str, str],
    size: int,
) -> TileCell:
    text = str(tile)
    if text in played:
        seat, place = played[text]
        who = names.get(str(seat), "").split(" ")[0] or words.seat_name(str(seat))
        return TileCell(
            text, "played", _("%(who)s, trick %(trick)d") % {"who": who, "trick": place // size + 1}
        )
    if text not in legal:
        return TileCell(text, "elsewhere", _("not here"))
    if led is None or engine.contract is None:
        return TileCell(text, "follows", "")
    tricks = engine.contract.tricks
    if not tricks.denied_mask(INDEX[led], INDEX[tile]):
        return TileCell(text, "follows", _("follows"))
    return TileCell(text, "other", _("does not follow"))
