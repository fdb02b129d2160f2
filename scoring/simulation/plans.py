"""What happens in a match, decided before it begins: games, hands, who enters, who confirms, what goes wrong.

A plan follows from the event's seed and the match's code alone, so two runs of an event agree however
its matches interleave. *Way*: how a match is recorded. *Settling*: how its result comes to count.
*Slip*: something that is tried though it must be refused.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import fortytwo
from fortytwo import (
    SEATS,
    FortyTwoError,
    Game,
    Hand,
    HandResult,
    IllegalAction,
    Match,
    PerSide,
    Phase,
    Ruleset,
    Seat,
    Side,
    first_shake,
    marks_only_hand,
    possible_game_score,
    thrown_in_hand,
)
from scoring.simulation.dice import dice
from scoring.simulation.hands import random_hand

Body = dict[str, Any]
"""What a request says, as JSON."""

PLAY_ON = 0.2
"""Share of full-play hands that are played to the last tile after they are settled."""
SLIPS_OF_A_HAND = 0.12
"""Share of full-play hands in which something illegal is tried."""


class Level(StrEnum):
    MARKS = "marks"
    BID = "bid"
    FULL = "full"


class Way(StrEnum):
    """How a match is recorded."""

    HANDS = "hands"
    """Hand by hand at the table; the last one makes the result."""
    GAMES = "games"
    """Game by game at the table, as marks."""
    TABLE = "table"
    """The whole result at the table."""
    TEAM = "team"
    """The whole result by the link of one of the teams."""


class Settling(StrEnum):
    """How the result comes to count."""

    LINK = "link"
    """The other side confirms by its own link."""
    CODE = "code"
    """The other side types its code at the table."""
    OFFICIAL = "official"
    """An official confirms what others entered."""
    OBJECTION = "objection"
    """The other side objects; the desk enters the result."""
    RIVAL = "rival"
    """The other side enters another result; the desk decides."""


class Slip(StrEnum):
    """Something that must be refused."""

    IMPOSSIBLE = "impossible"
    """Marks that no game can end with."""
    UNDECIDED = "undecided"
    """A result that leaves the match open."""
    TABLE_CONFIRMS = "table-confirms"
    """The table link confirms what it entered."""
    WINNER_CONFIRMS = "winner-confirms"
    """The side that gains by the result, or entered it, confirms it."""
    WRONG_CODE = "wrong-code"
    STRANGER = "stranger"
    """A team that does not play in the match enters a result."""


@dataclass(frozen=True, slots=True)
class Mix:
    """Percentages of matches recorded as marks only, at bid level and in full play."""

    marks: int = 85
    bid: int = 10
    full: int = 5

    @classmethod
    def parse(cls, text: str) -> Mix:
        """Read "85,10,5". Raises ValueError with a sentence."""
        parts = [part.strip() for part in text.split(",")]
        if len(parts) != 3 or not all(part.isascii() and part.isdecimal() for part in parts):
            raise ValueError("a mix is three numbers: marks only, bid level, full play, such as 85,10,5")
        mix = cls(*map(int, parts))
        if mix.marks + mix.bid + mix.full != 100:
            raise ValueError("the three numbers of a mix make 100")
        return mix

    def draw(self, rng: random.Random) -> Level:
        return rng.choices(list(Level), weights=[self.marks, self.bid, self.full])[0]


@dataclass(frozen=True, slots=True)
class Habits:
    """What an event's matches have in common."""

    seed: int = 1
    rules: Ruleset = field(default_factory=Ruleset)
    mix: Mix = field(default_factory=Mix)
    disputes: float = 0.02
    slips: float = 0.04
    """Share of matches in which something is tried that must be refused; full-play hands have their own."""


@dataclass(frozen=True, slots=True)
class Try:
    """A call or tile that must be refused at this place, with the engine's code for it."""

    body: Body
    code: str


@dataclass(frozen=True, slots=True)
class FullPlan:
    """A hand in full play. `calls` and `plays` are request bodies in their order; `closed_after` plays close
    the hand. `deal` are the holdings entered one by one before the first call, `turned_up` after the end."""

    deal: tuple[tuple[str, list[str]], ...]
    calls: tuple[Body, ...]
    trump: str
    plays: tuple[Body, ...]
    closed_after: int
    turned_up: tuple[tuple[str, list[str]], ...]
    bad_calls: dict[int, Try]
    bad_plays: dict[int, Try]
    points: PerSide
    """Both sides' points after the last of `plays`."""

    @property
    def steps(self) -> int:
        return len(self.deal) + len(self.calls) + bool(self.trump) + len(self.plays) + len(self.turned_up)


@dataclass(frozen=True, slots=True)
class HandPlan:
    """One hand: what is said of it in one request, and in full play what follows."""

    number: int
    body: Body
    marks: PerSide
    full: FullPlan | None = None

    @property
    def steps(self) -> int:
        return 1 + (self.full.steps if self.full else 0)


@dataclass(frozen=True, slots=True)
class GamePlan:
    """One game; `hands` is empty where it is entered as a whole."""

    number: int
    score: PerSide
    hands: tuple[HandPlan, ...] = ()

    @property
    def body(self) -> Body:
        return self.score.to_json()


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """One match. `rival` is what the side that is wrong says in a dispute; `entered_by` the side whose own
    link enters, "" for the table."""

    code: str
    level: Level
    way: Way
    games: tuple[GamePlan, ...]
    winner: Side
    settling: Settling
    entered_by: str
    first_is_wrong: bool
    rival: tuple[Body, ...]
    slip: Slip | None
    tempo: float
    """How long it takes, 1.0 for a usual match."""

    @property
    def result(self) -> list[Body]:
        """The games as the result that counts in the end."""
        return [game.body for game in self.games]

    @property
    def first_entry(self) -> list[Body]:
        """The games as entered first."""
        return list(self.rival) if self.first_is_wrong else self.result

    @property
    def confirming_side(self) -> str:
        """The side whose word settles the first entry."""
        return str(Side(self.entered_by or self.winner).other)

    @property
    def steps(self) -> int:
        """Requests that record the match, for pacing."""
        if self.way in (Way.TABLE, Way.TEAM):
            return 1
        return sum(sum(hand.steps for hand in game.hands) or 1 for game in self.games)


def plan_match(habits: Habits, code: str, best_of: int, *, hand_by_hand: bool = False) -> MatchPlan:
    """The plan of match `code`; with `hand_by_hand` a marks-only match shows every hand."""
    rng = dice(habits.seed, code)
    level = habits.mix.draw(rng)
    way = _way(level, rng, hand_by_hand)
    games = _games(habits, code, best_of, level, way)
    match = fortytwo.match_of(habits.rules, best_of, [game.score for game in games])
    settling = _settling(habits, way, rng)
    entered_by = ""
    if way is Way.TEAM:
        entered_by = str(match.final() if rng.random() < 0.7 else match.final().other)
    return MatchPlan(
        code=code,
        level=level,
        way=way,
        games=games,
        winner=match.final(),
        settling=settling,
        entered_by=entered_by,
        first_is_wrong=settling is Settling.RIVAL and way is Way.TEAM and rng.random() < 0.5,
        rival=_rival(habits.rules, [game.score for game in games], rng) if settling is Settling.RIVAL else (),
        slip=_slip(habits, way, settling, best_of, rng),
        tempo=len(games) / (0.8 * best_of) * rng.uniform(0.8, 1.25),
    )


def _way(level: Level, rng: random.Random, hand_by_hand: bool) -> Way:
    drawn = rng.choices(list(Way), weights=[30, 45, 10, 15])[0]
    return Way.HANDS if hand_by_hand or level is not Level.MARKS else drawn


def _settling(habits: Habits, way: Way, rng: random.Random) -> Settling:
    if rng.random() < habits.disputes:
        return rng.choice((Settling.OBJECTION, Settling.RIVAL))
    drawn = rng.choices((Settling.LINK, Settling.CODE, Settling.OFFICIAL), weights=[80, 16, 4])[0]
    # A code is typed on the phone that entered, which here is the table's.
    return Settling.LINK if drawn is Settling.CODE and way is Way.TEAM else drawn


def _slip(habits: Habits, way: Way, settling: Settling, best_of: int, rng: random.Random) -> Slip | None:
    fitting = [Slip.STRANGER]
    if way in (Way.GAMES, Way.TABLE):
        fitting.append(Slip.IMPOSSIBLE)
    if way is Way.TABLE and best_of > 1:
        fitting.append(Slip.UNDECIDED)
    if settling in (Settling.LINK, Settling.CODE, Settling.OFFICIAL):
        fitting += [Slip.WINNER_CONFIRMS, *([Slip.TABLE_CONFIRMS] if way is not Way.TEAM else [])]
    if settling is Settling.CODE:
        # The right code follows, so that wrong ones never add up to a locked code.
        fitting.append(Slip.WRONG_CODE)
    drawn = rng.choice(fitting)
    return drawn if rng.random() < habits.slips else None


def _rival(rules: Ruleset, scores: Sequence[PerSide], rng: random.Random) -> tuple[Body, ...]:
    """Another possible result: the loser's marks of one game remembered wrongly."""
    at = rng.randrange(len(scores))
    score = scores[at]
    others = [
        PerSide(ns, ew)
        for ns in range(rules.target + 3)
        for ew in range(rules.target + 3)
        if (ns, ew) != (score.ns, score.ew)
        and (ns > ew) == (score.ns > score.ew)
        and possible_game_score(ns, ew, rules)
    ]
    wrong = rng.choice(others)
    return tuple((wrong if place == at else one).to_json() for place, one in enumerate(scores))


def _games(habits: Habits, code: str, best_of: int, level: Level, way: Way) -> tuple[GamePlan, ...]:
    match = Match(habits.rules, best_of)
    luck = dice(habits.seed, code, "luck").uniform(0.36, 0.64)
    games: list[GamePlan] = []
    while not match.is_decided:
        number = len(games) + 1
        shaker = first_shake(
            habits.rules, dice(habits.seed, code, number), game=number, lost_last=match.lost_last
        ).shaker
        game = Game(habits.rules, shaker)
        hands: list[HandPlan] = []
        while not game.is_over:
            place = len(hands) + 1
            rng = dice(habits.seed, code, number, place)
            hand, result = _hand(habits.rules, level, place, game.shaker or shaker, luck, rng)
            hands.append(hand)
            game = game.record(result)
        games.append(GamePlan(number, game.score, tuple(hands) if way is Way.HANDS else ()))
        match = match.record(game)
    return tuple(games)


def _hand(
    rules: Ruleset, level: Level, number: int, shaker: Seat, luck: float, rng: random.Random
) -> tuple[HandPlan, HandResult]:
    if level is Level.MARKS:
        result = _marks_only(rules, shaker, luck, rng)
        return HandPlan(number, _marks_body(result), result.marks), result
    hand = random_hand(rules, shaker, rng)
    if level is Level.BID:
        return HandPlan(number, _bid_body(hand, rng), hand.marks), hand.result()
    full, deal = full_plan(hand, rng)
    body: Body = {"level": "full", "shaker": str(hand.shaker), **({"deal": deal} if deal else {})}
    return HandPlan(number, body, hand.marks, full), hand.result()


def _marks_only(rules: Ruleset, shaker: Seat, luck: float, rng: random.Random) -> HandResult:
    if rules.forced_minimum is None and rng.random() < 0.03:
        return thrown_in_hand(rules, shaker)
    side = Side.NS if rng.random() < luck else Side.EW
    marks = min(rng.choices((1, 2, 3), weights=[88, 11, 1])[0], fortytwo.largest_stake(rules))
    return marks_only_hand(rules, side, marks, shaker)


def _marks_body(result: HandResult) -> Body:
    body: Body = {"level": "marks", "shaker": str(result.shaker)}
    side = result.marks.leader
    if side is None:
        return {**body, "thrown_in": True}
    return {**body, "winner": str(side), "marks": result.marks[side]}


def _bid_body(hand: Hand, rng: random.Random) -> Body:
    body: Body = {"level": "bid", "shaker": str(hand.shaker)}
    if hand.declarer is None:
        return {**body, "thrown_in": True}
    body |= {"declarer": str(hand.declarer), "bid": str(hand.bid), "trump": str(hand.trump)}
    told = rng.choice(("points", "made", "both"))
    if hand.contract is not None and hand.contract.sits_out is not None:
        # Points mean nothing in nello, and one seat's count is out of play.
        told = "made"
    if told != "made":
        body["points"] = hand.points[hand.declarer.side]
    if told != "points":
        body["made"] = hand.made
    return body


def full_plan(hand: Hand, rng: random.Random) -> tuple[FullPlan, dict[str, list[str]]]:
    """The plan of a played hand, and the holdings that are told when the record is opened."""
    dealt = {
        str(seat): [str(tile) for tile in sorted(hand.deal.holding(seat) or (), key=lambda _: rng.random())]
        for seat in SEATS
    }
    known, later = _known_seats(rng)
    told_at_once = rng.random() < 0.5
    record = Hand.start(
        hand.rules, hand.shaker, {Seat(seat): hand.deal.holding(Seat(seat)) for seat in known}
    )
    calls = [{"seat": str(seat), "call": str(call)} for seat, call in hand.auction.by_seat()]
    plays = [{"seat": str(play.seat), "tile": str(play.tile)} for play in hand.plays]
    slips = rng.random() < SLIPS_OF_A_HAND
    bad_calls: dict[int, Try] = {}
    for place, (seat, call) in enumerate(hand.auction.by_seat(), start=1):
        tries = slips and place == 3 and rng.random() < 0.4
        if tries and (bad := _bad_call(record, seat, rng)) is not None:
            bad_calls[place] = bad
        record = record.call(seat, call)
    closed_after = 0
    bad_plays: dict[int, Try] = {}
    if hand.trump is not None:
        record = record.name_trump(hand.trump)
        wrong_at = {rng.randrange(2, 18) for _ in range(2)} if slips else set()
        for place, play in enumerate(hand.plays, start=1):
            if record.is_closed:
                break
            if place in wrong_at and (bad := _bad_play(record, hand, rng)) is not None:
                bad_plays[place] = bad
            record = record.play(play.seat, play.tile)
            closed_after = place
        if rng.random() >= PLAY_ON:
            plays = plays[:closed_after]
        for play in hand.plays[closed_after : len(plays)]:
            record = record.play(play.seat, play.tile)
    plan = FullPlan(
        deal=() if told_at_once else tuple((seat, dealt[seat]) for seat in known),
        calls=tuple(calls),
        trump=str(hand.trump or ""),
        plays=tuple(plays),
        closed_after=closed_after,
        turned_up=tuple((seat, dealt[seat]) for seat in later),
        bad_calls=bad_calls,
        bad_plays=bad_plays,
        points=record.points,
    )
    return plan, {seat: dealt[seat] for seat in known} if told_at_once else {}


def _known_seats(rng: random.Random) -> tuple[list[str], list[str]]:
    """Seats whose tiles are entered before the first call, and those entered after the end."""
    seats = [str(seat) for seat in SEATS]
    drawn = rng.random()
    if drawn < 0.65:
        return seats, []
    rng.shuffle(seats)
    known = 0 if drawn < 0.85 else rng.randrange(1, 3)
    return seats[:known], seats[known:] if rng.random() < 0.4 else []


def _bad_call(record: Hand, seat: Seat, rng: random.Random) -> Try | None:
    """A call out of turn; None where the rules let it stand."""
    other = rng.choice([one for one in SEATS if one is not seat])
    body = {"seat": str(other), "call": "pass"}
    try:
        record.call(other, fortytwo.PASS)
    except IllegalAction as error:
        return Try(body, error.code)
    return None


def _bad_play(record: Hand, whole: Hand, rng: random.Random) -> Try | None:
    """A tile that the record refuses here, by what it knows so far; None where nothing can be wrong."""
    turn = record.turn
    if turn is None or record.phase is not Phase.PLAY:
        return None
    tried = [(seat, tile) for seat in SEATS for tile in whole.deal.holding(seat) or ()]
    refused: dict[str, list[Try]] = {}
    for seat, tile in [(turn, tile) for _, tile in tried] + [one for one in tried if one[0] is not turn]:
        try:
            record.play(seat, tile)
        except FortyTwoError as error:
            refused.setdefault(error.code, []).append(Try({"seat": str(seat), "tile": str(tile)}, error.code))
    code = rng.choice(sorted(refused))
    if "must_follow" in refused and rng.random() < 0.6:
        code = "must_follow"
    return rng.choice(refused[code])
