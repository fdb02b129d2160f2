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
    """One tile of the set; `word` says where one that is gone was played."""

    tile: str
    word: str = ""


@dataclass(frozen=True, slots=True)
class TileGroup:
    """Tiles that are alike now: `kind` is follows, other or gone. What the engine allows comes first."""

    kind: str
    title: str
    cells: list[TileCell]


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
    groups: list[TileGroup]
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
        groups=tile_groups(hand, rules, set(offers["plays"]), names),
        call_seq=Call.objects.filter(hand=hand).count() + 1,
        play_seq=Play.objects.filter(hand=hand).count() + 1,
    )


def _call(call: str) -> Choice:
    return Choice(
        call, words.call_words(call), is_marks=not (call == "pass" or (call.isdigit() and int(call) < 42))
    )


def tile_groups(
    hand: Hand, rules: fortytwo.Ruleset, legal: set[str], names: dict[str, str]
) -> list[TileGroup]:
    """The 28 tiles: those that follow, those that a seat without the suit may play, those that are gone.

    Three queries.
    """
    engine = engine_hand(hand_rows(hand), rules, seats_known=())
    places = {str(play.tile): (str(play.seat), place) for place, play in enumerate(engine.plays)}
    size = engine.contract.size if engine.contract else 4
    follows, other, gone = [], [], []
    for tile in sorted(TILES, key=lambda one: (one.high, one.low), reverse=True):
        text = str(tile)
        if text in places:
            seat, place = places[text]
            who = (names.get(seat) or words.seat_name(seat)).split()[0]
            word = _("%(who)s, trick %(trick)d") % {"who": who, "trick": place // size + 1}
            gone.append(TileCell(text, word))
        elif text not in legal:
            gone.append(TileCell(text, _("in another hand")))
        elif _follows(engine, tile):
            follows.append(TileCell(text))
        else:
            other.append(TileCell(text))
    leads = not engine.table
    return [
        TileGroup("follows", _("Leads") if leads else _("Follows"), follows),
        TileGroup("other", _("Only if the seat cannot follow"), other),
        TileGroup("gone", _("Played"), gone),
    ]


def _follows(engine: fortytwo.Hand, tile: Tile) -> bool:
    """Whether the tile follows what was led; everything may lead."""
    if engine.contract is None or not engine.table:
        return True
    return not engine.contract.tricks.denied_mask(INDEX[engine.table[0].tile], INDEX[tile])
