"""Events in any state of play, made by the services at a clock of their own. For tests and for looking at pages."""

from __future__ import annotations

import heapq
import itertools
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import patch

from django.contrib.auth.models import User

from fortytwo import SEATS, Seat
from fortytwo.tiles import TILES, tiles_of
from scoring.models import Hand
from scoring.record import engine_hand, hand_rows
from scoring.services.game import game_put, result_put
from scoring.services.hand import HandEntry, hand_put
from scoring.services.play import call_put, play_put, trump_put
from tables.models import Seating
from tables.services.assignment import tables_assign
from tables.services.calls import match_start
from tables.services.hall import tables_add
from tournaments.actors import Actor, user_actor
from tournaments.enums import MatchState
from tournaments.models import Match, Stage, Tournament
from tournaments.rulesets import match_rules
from tournaments.services.bracket import bracket_advance
from tournaments.services.draw import stage_draw, stage_publish
from tournaments.services.entry import NewEntry, entries_add, entry_check_in
from tournaments.services.result import result_confirm
from tournaments.services.tournament import tournament_create, tournament_move

START = datetime(2027, 3, 6, 14, 15, tzinfo=UTC)  # 8:15 in Texas
FIRST = [
    "June",
    "Ray",
    "Clara",
    "Otis",
    "Rena",
    "Jed",
    "Rosa",
    "Abel",
    "Buck",
    "Hazel",
    "Ada",
    "Clay",
    "Wes",
    "Virgil",
    "Hank",
    "Chuy",
    "Dale",
    "Elsa",
    "Mack",
    "Leta",
]
LAST = [
    "Hollis",
    "Dominguez",
    "Dawes",
    "Tuttle",
    "Cantu",
    "Pace",
    "Garza",
    "Janak",
    "Ybarra",
    "Pruitt",
    "Salas",
    "Gentry",
    "Ullrich",
    "Kovar",
    "Teague",
    "Sanchez",
    "Holub",
    "Vrana",
    "Bohac",
    "Sparks",
    "McCrae",
    "Orsak",
    "Peña",
    "Calder",
    "Boone",
    "Koenig",
    "Dunlap",
    "Lomax",
    "Novak",
    "Reyna",
]
TEAMS = [
    "Pecan Street Shakers",
    "San Saba Six",
    "Bluebonnet Bidders",
    "The Thursday Night Fellowship Hall Regulars",
    "Double-Six Daughters",
    "Hank & Chuy",
    "Back Porch Pair",
    "Miller County Marks",
    "Caliche Road",
    "Llano Leads",
    "Low Water Crossing",
    "Dimes & Nickels",
    "Fence Line",
    "Tin Roof",
    "The Shake Down",
    "Live Oak Ladies",
    "Last to Speak",
    "Old Mill Regulars",
    "Nine Points Left",
    "Night Train",
    "Prairie Chapel",
    "Norte y Sur",
    "Rail Yard Pair",
    "Barn Door",
    "Two Rivers",
    "Fellowship Hall B",
    "Laydown Sally",
    "Ditch Weeders",
    "José Peña / Niño",
    "Five-Oh Friends",
    "Sorghum Sisters",
    "Rain Delay",
    "Second Cousins",
    "Gwen & Vera",
    "Windmill & Son",
    "Coffee at Six",
    "Quiet Table",
    "East Gate",
    "Brazos Bottom",
    "Treviño & Purdy",
]
ODD_NAMES = (
    "<script>alert(1)</script>",
    "=2+5",
    "O'Brien & O’Dell",
    "👩‍👩‍👧‍👦 Familia 🁫",
    "فريق الدومينو العظيم",
    "Ångström / José Peña / Niño",
    "x" * 120,
    "The Extraordinarily Long Named Benevolent Society of Domino Shakers and Bidders of Upper Guadalupe County",
    '&amp; <b>bold</b> "quoted"',
    "-1+1",
)
_accounts = itertools.count(1)


class Clock:
    """The time that services see inside `running`."""

    def __init__(self, now: datetime = START) -> None:
        self.now = now

    @contextmanager
    def running(self) -> Iterator[Clock]:
        with patch("django.utils.timezone.now", lambda: self.now):
            yield self


@dataclass
class Event:
    """A tournament with its owner, its clock and its own random numbers."""

    tournament: Tournament
    owner: Actor
    clock: Clock
    random: random.Random
    ends: list[tuple[datetime, int]] = field(default_factory=list)

    @property
    def slug(self) -> str:
        return self.tournament.slug

    @property
    def stage(self) -> Stage:
        return Stage.objects.get(tournament=self.tournament)

    def match(self, number: int) -> Match:
        return Match.objects.get(tournament=self.tournament, number=number)

    def live(self) -> list[Match]:
        states = [MatchState.CALLED, MatchState.PLAYING]
        return list(Match.objects.filter(tournament=self.tournament, state__in=states).order_by("number"))


def account() -> Actor:
    return user_actor(User.objects.create(username=f"official{next(_accounts)}"))


def event(
    teams: int = 8,
    *,
    name: str = "Lone Star 42 Championship",
    kind: str = "double-elimination",
    names: Sequence[str] = (),
    tables: int = 4,
    published: bool = True,
    started: bool = True,
    here: int | None = None,
    seed: int = 42,
    owner: Actor | None = None,
    stage: dict[str, Any] | None = None,
    **fields: Any,
) -> Event:
    """An event up to its start: teams entered, drawn, published and started as asked."""
    owner = owner or account()
    clock = Clock(START - timedelta(minutes=37))
    chance = random.Random(seed)
    fields = {"visibility": "public", "venue": "Community Hall, Pecan Creek", "starts_at": START, **fields}
    with clock.running():
        tournament = tournament_create(
            name=name, actor=owner, stage={"kind": kind, **(stage or {})}, **fields
        )
        tournament_move(tournament_id=tournament.pk, move="open-registration", actor=owner)
        entries = entries_add(
            tournament_id=tournament.pk, entries=[*_entries(teams, names, chance)], actor=owner
        )
        tournament_move(tournament_id=tournament.pk, move="open-checkin", actor=owner)
        for entry in entries[: here or 0]:
            entry_check_in(entry_id=entry.pk, actor=owner)
        if tables:
            tables_add(tournament_id=tournament.pk, count=tables, actor=owner)
        made = Event(tournament, owner, clock, chance)
        if published or started:
            stage_draw(stage_id=made.stage.pk, actor=owner, method="random", seed=seed)
            stage_publish(stage_id=made.stage.pk, actor=owner)
        if started:
            clock.now = START
            tournament_move(tournament_id=tournament.pk, move="start", actor=owner)
            _sit_down(made)
    tournament.refresh_from_db()
    return made


def _entries(teams: int, names: Sequence[str], chance: random.Random) -> Iterator[NewEntry]:
    pool = [*names, *(name for name in TEAMS if name not in names)]
    people = [f"{first} {last}" for first in FIRST for last in LAST]
    chance.shuffle(people)
    taken = set(pool)
    for number in range(teams):
        pair = [people[2 * number % len(people)], people[(2 * number + 1) % len(people)]]
        if number >= len(people) // 2:
            pair = [f"{person} {number // (len(people) // 2) + 1}" for person in pair]
        if number < len(pool):
            name = pool[number]
        else:
            name = f"{pair[0].split()[1]} & {pair[1].split()[1]}"
            while name in taken:
                name = f"{name} {number}"
            taken.add(name)
        yield NewEntry(name=name, players=pair, seed=number + 1)


def play(event: Event, minutes: float | None = None) -> Event:
    """Play for so many minutes from the start, or to the champion. Results are entered at the desk."""
    stop = START + timedelta(minutes=minutes) if minutes is not None else None
    with event.clock.running():
        while True:
            _sit_down(event)
            if not event.ends or (stop is not None and event.ends[0][0] > stop):
                break
            event.clock.now, number = heapq.heappop(event.ends)
            if event.match(number).closed_at is None:
                finish(event, number)
        if stop is not None:
            event.clock.now = stop
    event.tournament.refresh_from_db()
    return event


def finish(event: Event, number: int, *, winner: str = "") -> None:
    """Enter and settle the result of a match at the desk, and move the teams on."""
    match = event.match(number)
    games = _games(event.random, match.best_of, winner)
    result_put(match_id=match.pk, games=games, actor=event.owner, desk=True, reason="from the sheet")
    bracket_advance(stage_id=match.stage_id)


def _sit_down(event: Event) -> None:
    for seating in tables_assign(tournament_id=event.tournament.pk, actor=event.owner):
        number = Match.objects.values_list("number", flat=True).get(pk=seating.match_id)
        heapq.heappush(
            event.ends, (event.clock.now + timedelta(minutes=event.random.uniform(22, 55)), number)
        )
    event.tournament.refresh_from_db()


def _games(chance: random.Random, best_of: int, winner: str = "") -> list[Any]:
    games: list[dict[str, int]] = []
    wins = {"NS": 0, "EW": 0}
    need = best_of // 2 + 1
    target = winner or chance.choice(["NS", "EW"])
    while max(wins.values()) < need:
        side = chance.choice(["NS", "EW", target])
        other = "EW" if side == "NS" else "NS"
        if wins[side] + 1 == need and side != target:
            side, other = other, side
        games.append({side: chance.choice([7, 7, 7, 8]), other: chance.randrange(7)})
        games[-1] = {"NS": games[-1]["NS"], "EW": games[-1]["EW"]}
        wins[side] += 1
    return games


def record_live(event: Event) -> None:
    """Bring the matches at the tables under way: games and hands in part, some entered, some in dispute."""
    with event.clock.running():
        for place, match in enumerate(match for match in event.live() if match.state == MatchState.CALLED):
            kind = place % 8
            if kind == 7:
                continue  # only called
            match_start(match_id=match.pk, actor=event.owner)
            if kind == 5:
                result_put(match_id=match.pk, games=_games(event.random, match.best_of), actor=event.owner)
                continue
            for number in range(1, kind % 3 + 1):
                winner = ["NS", "EW"][(number + place) % 2]
                marks = {winner: 7, ("EW" if winner == "NS" else "NS"): event.random.randrange(7)}
                game_put(
                    match_id=match.pk,
                    number=number,
                    marks={"NS": marks["NS"], "EW": marks["EW"]},
                    actor=event.owner,
                )
            game = kind % 3 + 1
            for hand in range(1, event.random.randrange(2, 8)):
                bid_hand(event, match, game, hand)


def bid_hand(event: Event, match: Match, game: int, number: int) -> None:
    """One hand at bid level; marks stay below seven."""
    declarer = event.random.choice("NESW")
    bid = event.random.choice(["30", "31", "32", "34", "36", "42"])
    entry = HandEntry(
        level="bid",
        shaker="NESW"[number % 4],
        declarer=declarer,
        bid=bid,
        trump=event.random.choice(["0", "1", "2", "3", "4", "5", "6", "doubles", "follow-me"]),
        made=event.random.random() < 0.7,
    )
    hand_put(match_id=match.pk, game_number=game, number=number, entry=entry, actor=event.owner)


def full_hand(
    event: Event,
    match: Match,
    *,
    game: int = 1,
    number: int = 1,
    plays: int = 28,
    known: bool = True,
    bid: str = "34",
    shaker: str = "W",
    seed: int = 7,
) -> Hand:
    """A hand in full play, with so many tiles played; every known holding is stored before the first call."""
    chance = random.Random(seed)
    tiles = list(TILES)
    chance.shuffle(tiles)
    held = {seat: tiles[7 * place : 7 * place + 7] for place, seat in enumerate(SEATS)}
    deal = {str(seat): [str(tile) for tile in held[seat]] for seat in SEATS} if known else {}
    entry = HandEntry(level="full", shaker=shaker, deal=deal)
    with event.clock.running():
        match_start(match_id=match.pk, actor=event.owner)
        hand, _ = hand_put(match_id=match.pk, game_number=game, number=number, entry=entry, actor=event.owner)
        calls = ["30", "31", bid, "pass"]
        seat = Seat(shaker).left
        for seq, call in enumerate(calls, start=1):
            call_put(hand_id=hand.pk, seq=seq, seat=str(seat), call=call, actor=event.owner)
            seat = seat.left
        rules = match_rules(match)
        declarer = Seat(shaker).left.left.left
        trump = max(range(7), key=lambda pip: sum(pip in (tile.high, tile.low) for tile in held[declarer]))
        trump_put(hand_id=hand.pk, trump=str(trump), actor=event.owner)
        hand.refresh_from_db()
        for seq in range(1, plays + 1):
            engine = engine_hand(hand_rows(hand), rules)
            if engine.is_closed or engine.turn is None:
                break
            mine = sum(tile.mask for tile in held[engine.turn])
            legal = [tile for tile in engine.legal_plays() if tile.mask & mine]
            led = engine.table[0].tile if engine.table else None
            if not known and led is not None and engine.contract is not None:
                left = mine & ~engine.played_masks[engine.turn.number]
                legal = list(tiles_of(engine.contract.tricks.legal_mask(left, led.index)))
            tile = chance.choice(legal)
            play_put(hand_id=hand.pk, seq=seq, seat=str(engine.turn), tile=str(tile), actor=event.owner)
            hand.refresh_from_db()
    return hand


def table_of(match: Match) -> int:
    return Seating.objects.filter(match=match).values_list("table__number", flat=True).latest("called_at")


def dispute(event: Event, match: Match) -> None:
    """Two different entries for one match."""
    with event.clock.running():
        for winner in ("NS", "EW"):
            other = account()
            from tournaments.services.tournament import official_set

            official_set(tournament_id=event.tournament.pk, user=other.user, role="scorer", actor=event.owner)
            games = _games(random.Random(winner), match.best_of, winner)
            result_put(match_id=match.pk, games=games, actor=other)


__all__ = ["Event", "account", "event", "finish", "full_hand", "play", "record_live", "result_confirm"]
