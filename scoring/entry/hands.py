"""What can be said of a hand in three taps, and what it would make of the totals. The engine decides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import fortytwo
from fortytwo import Call, PerSide, Seat, Side
from fortytwo.bids import winning_bids
from scoring.enums import GameState, HandState, Level
from scoring.models import Game, Hand
from scoring.pages import words
from scoring.record import engine_game, engine_match
from scoring.services.hand import HandEntry
from tournaments.models import Match
from tournaments.rulesets import match_rules

HOW = ("made", "set", "passed")


@dataclass(frozen=True, slots=True)
class Bid:
    """A bid that can win under the rules. `is_marks` ones are edged in brass."""

    value: str
    word: str
    stake: int
    is_marks: bool


@dataclass(frozen=True, slots=True)
class Offers:
    """What the screen of a hand offers. `more` are the bids behind "3+"."""

    bids: list[Bid]
    more: list[Bid]
    may_pass: bool
    highest: int


@dataclass(frozen=True, slots=True)
class Standing:
    """Where the match is: the game and hand to come, the marks so far, who shakes ('' where not known)."""

    game: int
    hand: int
    marks: PerSide
    shaker: str
    live_hand: Hand | None
    rules: fortytwo.Ruleset
    has_hands: bool

    @property
    def may_say_shaker(self) -> bool:
        """Nobody has said who shakes in this game, and it has just begun."""
        return not self.shaker and self.hand == 1


@dataclass(frozen=True, slots=True)
class Said:
    """What was tapped so far."""

    bid: str = ""
    seat: str = ""
    how: str = ""
    shaker: str = ""
    game: int = 0
    hand: int = 0

    @classmethod
    def of(cls, data: Any) -> Said:
        """Read from a query or a form; anything unknown counts as not tapped."""
        how = data.get("how", "")
        seat, shaker = data.get("seat", ""), data.get("shaker", "")
        return cls(
            bid=str(data.get("bid", ""))[:12],
            seat=seat if seat in {"N", "E", "S", "W"} else "",
            how=how if how in HOW else "",
            shaker=shaker if shaker in {"N", "E", "S", "W"} else "",
            game=_place(data.get("game")),
            hand=_place(data.get("hand")),
        )

    def slot(self, standing: Standing) -> tuple[int, int]:
        """Game and hand that the page was opened for; those to come where it does not say."""
        return (self.game, self.hand) if self.game and self.hand else (standing.game, standing.hand)

    @property
    def is_complete(self) -> bool:
        return self.how == "passed" or bool(self.bid and self.seat and self.how)

    def entry(self, standing: Standing) -> HandEntry:
        """The entry that the services take. The trump is not asked for in three taps."""
        shaker = self.shaker if standing.may_say_shaker else ""
        if self.how == "passed":
            return HandEntry(level=Level.BID, thrown_in=True, shaker=shaker)
        return HandEntry(
            level=Level.BID,
            declarer=self.seat,
            bid=self.bid,
            made=self.how == "made",
            shaker=shaker,
            trump_unrecorded=True,
        )


@dataclass(frozen=True, slots=True)
class SideAfter:
    """A side's marks before and after the hand."""

    side: str
    name: str
    before: int
    after: int

    @property
    def gained(self) -> int:
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class Outcome:
    """What saving would do: the totals, and whether the game and the match are over. Or the refusal.

    `is_late` says that somebody else entered a hand at this place meanwhile: the two are compared.
    """

    sides: tuple[SideAfter, ...] = ()
    button: str = ""
    ends: str = ""
    refusal: str = ""
    code: str = ""
    is_late: bool = False


def standing_of(match: Match) -> Standing:
    """Where the match is. Three queries."""
    rules = match_rules(match)
    games = list(Game.objects.filter(match=match).order_by("number"))
    live = next((game for game in games if game.state == GameState.LIVE), None)
    if live is None:
        number = sum(game.state == GameState.CLOSED for game in games) + 1
        return Standing(number, 1, PerSide(), "", None, rules, False)
    hands = list(Hand.objects.filter(game=live).exclude(state=HandState.VOID).order_by("number"))
    closed = [hand for hand in hands if hand.state == HandState.CLOSED]
    engine = engine_game(live, closed, rules)
    open_hand = next((hand for hand in hands if hand.state == HandState.LIVE), None)
    return Standing(
        game=live.number,
        hand=len(closed) + 1,
        marks=engine.score,
        shaker=str(engine.shaker or ""),
        live_hand=open_hand,
        rules=rules,
        has_hands=bool(hands),
    )


def offers_of(rules: fortytwo.Ruleset) -> Offers:
    """The bids of the rule set, lowest first: those up to two marks, and those above."""
    calls = sorted({call for _place, call in winning_bids(rules)}, key=lambda call: (call.rank, str(call)))
    bids = [Bid(str(call), words.call_words(str(call)), call.stake, call.kind != "points") for call in calls]
    low = [
        bid
        for bid, call in zip(bids, calls, strict=True)
        if call.kind == "points" or str(call) in {"42", "84"}
    ]
    return Offers(
        bids=low,
        more=[bid for bid in bids if bid not in low],
        may_pass=rules.forced_minimum is None,
        highest=max((bid.stake for bid in bids), default=1),
    )


def _place(text: Any) -> int:
    """A small number as sent; 0 for anything else."""
    text = str(text or "")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 3 else 0


def outcome_of(match: Match, standing: Standing, said: Said, names: dict[str, str]) -> Outcome:
    """What the tapped hand would make of the totals; nothing is written. One query."""
    entry = said.entry(standing)
    try:
        result = _result(standing, entry)
    except fortytwo.FortyTwoError as error:
        return Outcome(refusal=str(error), code=error.code)
    if said.slot(standing) != (standing.game, standing.hand):
        return Outcome(button=_button(said, result.marks), is_late=True)
    after = standing.marks + result.marks
    sides = tuple(
        SideAfter(side, names[side], standing.marks[Side(side)], after[Side(side)]) for side in ("NS", "EW")
    )
    return Outcome(sides, _button(said, result.marks), _ends(match, standing, after, names))


def _result(standing: Standing, entry: HandEntry) -> fortytwo.HandResult:
    shaker = entry.shaker or standing.shaker
    seat = Seat(shaker) if shaker else None
    if entry.thrown_in:
        return fortytwo.thrown_in_hand(standing.rules, seat)
    return fortytwo.bid_level_hand(
        standing.rules,
        declarer=Seat(entry.declarer),
        bid=Call.parse(entry.bid),
        made=entry.made,
        shaker=seat,
        trump_required=False,
    )


def _button(said: Said, marks: PerSide) -> str:
    """What saving says: "Save: 84 made, 2 marks"."""
    if said.how == "passed":
        return _("Save: all passed, nobody scores")
    gained = max(marks.ns, marks.ew)
    text = ngettext("%(number)d mark", "%(number)d marks", gained) % {"number": gained}
    facts = {"bid": words.call_words(said.bid), "marks": text}
    return (
        _("Save: %(bid)s made, %(marks)s") if said.how == "made" else _("Save: %(bid)s set, %(marks)s")
    ) % facts


def _ends(match: Match, standing: Standing, after: PerSide, names: dict[str, str]) -> str:
    """The sentence that says that the game or the match would be over; empty while it goes on."""
    winner = fortytwo.game_winner(after, standing.rules)
    if winner is None:
        return ""
    games = list(Game.objects.filter(match=match).order_by("number"))
    engine = engine_match(games, standing.rules, match.best_of).record(after)
    facts = {"team": names[str(winner)], "game": standing.game}
    if engine.is_decided:
        return _("This ends the match: %(team)s wins. The other side then confirms it.") % facts
    return _("This ends game %(game)d: %(team)s wins it.") % facts
