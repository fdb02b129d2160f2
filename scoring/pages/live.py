"""One hand as it lies on the table: seats, trick, tally, tricks so far.

The hand is folded from its calls and plays with the deal unknown, and shown only through `view_for(None)`: what
a page of this module can say was said or laid face up at the table. Holdings are never read.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db.models import F
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import fortytwo
from fortytwo.contract import Contract
from fortytwo.goals import HAND_POINTS, HAND_TRICKS
from fortytwo.seats import SEATS, Seat
from fortytwo.suits import Trump, from_seven
from fortytwo.tiles import COUNT, INDEX
from fortytwo.trick import Play as EnginePlay
from fortytwo.view import HandView
from scoring.enums import HandState, Level
from scoring.models import Call, Hand, Play
from scoring.pages import words
from scoring.pages.matches import MatchView, match_views
from scoring.record import HandRows, engine_hand
from tables.models import SeatAssignment
from tournaments.enums import MatchState
from tournaments.models import Stage, Tournament
from tournaments.rulesets import tournament_rules

logger = logging.getLogger(__name__)

TILES_EACH = 7


@dataclass(frozen=True, slots=True)
class TileView:
    """A tile that was played. `caption` says what it counts as in its trick."""

    tile: str
    seat: str
    letter: str
    caption: str = ""
    won: bool = False


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat at the table. `left` is how many tiles it still holds, face down."""

    seat: str
    side: str
    name: str
    short: str
    role: str
    left: int
    is_to_act: bool
    tile: TileView | None

    @property
    def down(self) -> range:
        return range(self.left)


@dataclass(frozen=True, slots=True)
class CallView:
    letter: str
    words: str
    is_bid: bool


@dataclass(frozen=True, slots=True)
class TrickView:
    number: int
    plays: tuple[TileView, ...]
    side: str
    points: int
    taker: str


@dataclass(frozen=True, slots=True)
class Board:
    """A hand for people. Percentages are of the tally bar, ivory from the left, ebony from the right. The tally
    counts points, and tricks where points mean nothing."""

    game: int
    number: int
    is_live: bool
    seats: dict[str, SeatView]
    calls: tuple[CallView, ...]
    trump: str
    trump_tile: str
    bid: str
    bid_side: str
    ns: int
    ew: int
    out: int
    in_tricks: bool
    ns_percent: float
    ew_percent: float
    bid_percent: float | None
    lead_sentence: str
    sentence: str
    table: tuple[TileView, ...]
    tricks: tuple[TrickView, ...]
    is_latest_only: bool
    outcome: str

    @property
    def north(self) -> SeatView:
        return self.seats["N"]

    @property
    def east(self) -> SeatView:
        return self.seats["E"]

    @property
    def south(self) -> SeatView:
        return self.seats["S"]

    @property
    def west(self) -> SeatView:
        return self.seats["W"]


@dataclass(frozen=True, slots=True)
class Feature:
    """The table on the front page whose every domino is recorded."""

    match: MatchView
    board: Board


def feature_table(tournament: Tournament, stage: Stage) -> Feature | None:
    """A match with a hand in full play right now, the lowest table first. Twelve queries, one when there is none."""
    hand = (
        Hand.objects.filter(
            state=HandState.LIVE,
            level=Level.FULL,
            game__match__stage=stage,
            game__match__state=MatchState.PLAYING,
        )
        .select_related("game__match__round", "game__match__stage")
        .order_by(F("game__match__seatings__table__number").asc(nulls_last=True), "game__match__number")
        .first()
    )
    if hand is None:
        return None
    rules = tournament_rules(tournament, stage.rules)
    match = match_views(tournament.slug, [hand.game.match], marks_target=rules.target)[0]
    lies = board(hand, rules, match)
    return Feature(match, lies) if lies is not None else None


def board(hand: Hand, rules: fortytwo.Ruleset, match: MatchView) -> Board | None:
    """The hand as everybody may see it; None for a record that does not fold. Three queries."""
    if not hand.shaker:
        return None
    calls = list(Call.objects.filter(hand=hand).order_by("seq"))
    plays = list(Play.objects.filter(hand=hand).order_by("seq"))
    names = seat_names(hand.game.match_id)
    try:
        engine = engine_hand(HandRows(hand, [], calls, plays), rules, seats_known=())
    except fortytwo.FortyTwoError as error:
        logger.warning("Hand %s cannot be shown: %s", hand.pk, error.code)
        return None
    return _board(hand, engine, engine.view_for(None), names, match)


def seat_names(match_id: UUID) -> dict[str, str]:
    """Who sits where, as far as it is known. One query."""
    return dict(SeatAssignment.objects.filter(match=match_id).values_list("seat", "player__name"))


def _board(
    hand: Hand, engine: fortytwo.Hand, view: HandView, names: Mapping[str, str], match: MatchView
) -> Board:
    is_live = hand.state == HandState.LIVE
    on_table = view.table or (view.tricks[-1].plays if view.tricks else ())
    latest_winner = "" if view.table or not view.tricks else str(view.tricks[-1].winner)
    lying = {
        str(play.seat): TileView(
            tile=str(play.tile),
            seat=str(play.seat),
            letter=words.seat_letter(str(play.seat)),
            caption=_caption(engine.contract, on_table[0], play) if engine.contract else "",
            won=str(play.seat) == latest_winner,
        )
        for play in on_table
    }
    seats = {str(seat): _seat(seat, view, names, match, lying.get(str(seat)), is_live) for seat in SEATS}
    visible = list(enumerate(view.tricks, start=1))
    latest_only = is_live and view.tricks_in_view is not None
    if latest_only and view.tricks_in_view is not None:
        visible = visible[len(visible) - view.tricks_in_view :] if visible else []
    in_tricks = engine.contract is not None and not engine.contract.goal.count
    taken, whole = (engine.tricks_taken, HAND_TRICKS) if in_tricks else (view.points, HAND_POINTS)
    in_points = engine.rules.scoring == "points"
    lead, rest = _sentences(view, names, match, is_live=is_live, in_points=in_points)
    return Board(
        game=hand.game.number,
        number=hand.number,
        is_live=is_live,
        seats=seats,
        calls=tuple(
            CallView(words.seat_letter(str(seat)), words.call_words(str(call)), seat is view.declarer)
            for seat, call in view.calls
        ),
        trump=words.trump_words(str(view.trump)) if view.trump else "",
        trump_tile=_trump_tile(str(view.trump)) if view.trump else "",
        bid=words.call_words(str(view.bid)) if view.bid else "",
        bid_side=str(view.declarer.side) if view.declarer else "",
        ns=taken.ns,
        ew=taken.ew,
        out=whole - taken.total,
        in_tricks=in_tricks,
        ns_percent=round(taken.ns * 100 / whole, 2),
        ew_percent=round(taken.ew * 100 / whole, 2),
        bid_percent=_bid_percent(view),
        lead_sentence=lead,
        sentence=rest,
        table=tuple(lying.values()),
        tricks=tuple(
            TrickView(
                number=number,
                plays=tuple(
                    TileView(
                        str(play.tile),
                        str(play.seat),
                        words.seat_letter(str(play.seat)),
                        caption=_declared(engine.contract, play),
                        won=play.seat is trick.winner,
                    )
                    for play in trick.plays
                ),
                side=str(trick.winner.side),
                points=trick.points,
                taker=_short(_name(str(trick.winner), names)),
            )
            for number, trick in reversed(visible)
        ),
        is_latest_only=latest_only,
        outcome=_outcome(hand),
    )


def _seat(
    seat: Seat,
    view: HandView,
    names: Mapping[str, str],
    match: MatchView,
    tile: TileView | None,
    is_live: bool,
) -> SeatView:
    played = sum(play.seat is seat for trick in view.tricks for play in trick.plays)
    played += sum(play.seat is seat for play in view.table)
    side = str(seat.side)
    name = _name(str(seat), names)
    to_act = is_live and view.to_act is seat
    return SeatView(
        seat=str(seat),
        side=side,
        name=name,
        short=_short(name),
        role=_role(seat, view, names, to_act),
        left=TILES_EACH - played if is_live else 0,
        is_to_act=to_act,
        tile=tile,
    )


def _role(seat: Seat, view: HandView, names: Mapping[str, str], to_act: bool) -> str:
    """What the seat has done in this hand, after its name: "South · bid 34"."""
    parts = [words.seat_name(str(seat))] if str(seat) in names else []
    if seat is view.shaker:
        parts.append(_("shook"))
    if seat is view.declarer and view.bid is not None:
        parts.append(_("bid %(bid)s") % {"bid": words.call_words(str(view.bid))})
    if seat is view.sits_out:
        parts.append(_("sits out"))
    if to_act:
        action = {"auction": _("to bid"), "naming": _("to name trump")}.get(view.phase, _("to play"))
        parts.append(action)
    return " · ".join(parts)


def _caption(contract: Contract, lead: EnginePlay, play: EnginePlay) -> str:
    """What a tile counts as in its trick: "led fives", "follows, counts 5", "trump"; in sevens how near it is."""
    tricks, index = contract.tricks, INDEX[play.tile]
    if contract.trump is Trump.SEVENS:
        away = from_seven(play.tile)
        return _("seven") if not away else _("%(number)d from seven") % {"number": away}
    if play is lead:
        return _("led %(suit)s") % {"suit": _suit_words(tricks.suit_name(lead.led))}
    if tricks.denied_mask(lead.led, index) == 0:
        text = _("follows")
    elif tricks.winner([lead.led, index]) == 1:
        text = _("trump")
    else:
        text = _("off suit")
    count = COUNT[index] if contract.goal.count else 0
    return _("%(what)s, counts %(count)d") % {"what": text, "count": count} if count else text


def _declared(contract: Contract | None, play: EnginePlay) -> str:
    """The suit of a lead that was declared as the smaller end of its tile: "as fours"."""
    if contract is None or play.suit is None:
        return ""
    return _("as %(suit)s") % {"suit": _suit_words(contract.tricks.suit_name(play.led))}


def _suit_words(name: str) -> str:
    return {
        "trumps": _("trump"),
        "doubles": _("doubles"),
        "blanks": _("blanks"),
        "ones": _("ones"),
        "twos": _("twos"),
        "threes": _("threes"),
        "fours": _("fours"),
        "fives": _("fives"),
        "sixes": _("sixes"),
    }.get(name, name)


def _trump_tile(trump: str) -> str:
    """The tile that stands for a trump: its double."""
    if trump == "doubles":
        return "6-6"
    return f"{trump}-{trump}" if trump.isdigit() else ""


def _bid_percent(view: HandView) -> float | None:
    """Where the brass post stands: what the bidders need, from their own end; None where it is nothing."""
    if view.bid is None or view.declarer is None or (view.trump is not None and view.needed is None):
        return None
    share = view.bid.needed * 100 / HAND_POINTS
    return round(share if view.declarer.side is fortytwo.Side.NS else 100 - share, 2)


def _sentences(
    view: HandView, names: Mapping[str, str], match: MatchView, *, is_live: bool, in_points: bool
) -> tuple[str, str]:
    """Where the hand stands, as a fact and what is still needed."""
    if view.phase == "thrown_in":
        return _("All passed."), _("No marks; the shake moves on.")
    if view.made is not None and view.declarer is not None and view.bid is not None:
        marks = max(view.marks.ns, view.marks.ew)
        taker = view.declarer.side if view.made else view.declarer.side.other
        team = (match.ns if taker is fortytwo.Side.NS else match.ew).name
        fact = _("%(bid)s made.") if view.made else _("%(bid)s set.")
        fact %= {"bid": _promised(view)}
        if in_points:
            gained = ngettext("%(number)d point", "%(number)d points", marks)
        else:
            gained = ngettext("%(number)d mark", "%(number)d marks", marks)
        return (
            fact[:1].upper() + fact[1:],
            _("%(marks)s to %(team)s.") % {"marks": gained % {"number": marks}, "team": team},
        )
    if not is_live:
        return "", ""
    if view.bid is None or view.declarer is None or view.phase == "auction":
        who = _name(str(view.to_act), names) if view.to_act else ""
        return _("The bidding is on."), _("%(who)s to bid.") % {"who": who} if who else ""
    if view.phase == "naming":
        fact = _("%(who)s has the bid.") % {"who": _name(str(view.declarer), names)}
        if view.to_act is None or view.to_act is view.declarer:
            return fact, _("The trump is not named yet.")
        return fact, _("%(who)s names the trump and leads.") % {"who": _name(str(view.to_act), names)}
    if view.needed is None or view.trump is Trump.SEVENS:
        left = HAND_TRICKS - len(view.tricks)
        rest = ngettext("%(number)d trick to go.", "%(number)d tricks to go.", left) % {"number": left}
        must = _("The bidders must take no trick.") if view.needed is None else ""
        return must or _("The bidders must take every trick."), rest
    lying = sum(play.tile.count for play in view.table) + (1 if view.table else 0)
    fact = ""
    if view.table:
        fact = ngettext("%(number)d point lies on the table.", "%(number)d points lie on the table.", lying)
        fact %= {"number": lying}
    side = view.declarer.side
    to_make = view.needed - view.points[side]
    to_set = HAND_POINTS + 1 - view.needed - view.points[side.other]
    need = _("Still needed: %(make)d to make the bid, %(set)d to set it.") % {"make": to_make, "set": to_set}
    return fact, need


def _promised(view: HandView) -> str:
    """What was made or set: the bid, or the special contract that was named on it."""
    trump = str(view.trump)
    return words.special_words(trump) or words.call_words(str(view.bid))


def _name(seat: str, names: Mapping[str, str]) -> str:
    return names.get(seat) or words.seat_name(seat)


def _short(name: str) -> str:
    """The first word of a name, for tight places."""
    return name.split()[0] if name.split() else name


def _outcome(hand: Hand) -> str:
    return hand.get_ending_display() if hand.ending else ""
