"""Nobody is shown a tile that was not played and that is not theirs, in any answer, page or refusal."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import pytest
from django.core.cache import cache
from rest_framework.test import APIClient

from scoring.models import Hand, Holding, RefusedAttempt
from tables.addresses import COOKIE
from tables.tokens import token_of
from tests.fortytwo import naive
from tests.support.addresses import addresses
from tests.support.callers import VISITOR, Caller
from tests.support.events import Event, account, make_tournament
from tests.support.hands import SEATS, Script, play_on, random_script
from tournaments.models import LogEntry, Match
from tournaments.templatetags.drawing import domino

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

TILE = re.compile(r"(?<![\w-])([0-6])-([0-6])(?![\w-])")
PIPS = re.compile(r'class="pips" d="([^"]*)"')
TRUMP = re.compile(r'<div class="trump">.*?</div>', re.DOTALL)
"""The match page draws the double of the trump as its sign, whoever holds it."""
PATH = re.compile(r'\bd="[^"]*"')
DRAWN = {
    path: f"{high}-{low}"
    for high in range(7)
    for low in range(high + 1)
    for path in PIPS.findall(domino(high, low))
}
"""The pips of a tile as pages draw them."""
ONE_SUIT = {
    "N": ["6-6", "5-5", "5-4", "5-3", "2-2", "2-1", "0-0"],
    "E": ["6-5", "5-2", "5-1", "5-0", "4-4", "4-3", "1-1"],
    "S": ["6-4", "4-2", "4-1", "4-0", "3-3", "3-2", "1-0"],
    "W": ["6-3", "6-2", "6-1", "6-0", "3-1", "3-0", "2-0"],
}
PAD = re.compile(r"^/link/.*/hands/")
PAGES = ("api/v1/", "t/", "players/", "link/")
LEFT_OUT = (
    "link/leave/",
    "link/<str:token>/",
    "link/<str:token>/qr.svg",
    "api/v1/hands/<uuid:hand_id>/legal/",
)
"""Links are opened with their own token; what may be recorded next is read in a test of its own."""


@dataclass
class Scene:
    """A match with one hand recorded tile by tile, and everybody who could look at it."""

    event: Event
    match: Match
    script: Script
    recorder: Caller
    readers: dict[str, Caller]
    hand_id: str = ""

    @property
    def path(self) -> str:
        return f"/api/v1/hands/{self.hand_id}/"

    def values(self) -> dict[str, Any]:
        entry = self.event.entry(self.match, "NS")
        table = self.event.tournament.tables.get()
        return {
            "slug": self.event.slug,
            "number": 1,
            "hand": 1,
            "hand_id": self.hand_id,
            "match_id": self.match.pk,
            "entry_id": entry.pk,
            "player_id": entry.members.first().player_id,
            "table_id": table.pk,
            "seat": "N",
            "seq": 1,
            "game": 1,
        }

    def secret(self, reader: str, played: int) -> set[str]:
        """The tiles that this reader may not see now."""
        before = set(self.script.tiles[:played])
        own = set(self.script.deal.get(reader, ())) if len(reader) == 1 else set()
        return {tile for tiles in self.script.deal.values() for tile in tiles} - before - own


def scene(*, calls: list[str] | None = None) -> Scene:
    event = make_tournament(2, kind="single-elimination")
    match = event.match("M1")
    script = random_script(random.Random(11), "W")
    if calls:
        script.calls, script.tiles, script.seats = calls, [], []
        play_on(script, random.Random(11))
    sides = event.side_links(match)
    readers = {
        "visitor": VISITOR,
        **event.seat_links(match),
        "team NS": sides["NS"],
        "team EW": sides["EW"],
        "scorer": event.official("scorer"),
        "desk": event.official("desk"),
        "owner": event.owner,
        "stranger": account(),
    }
    return Scene(event, match, script, event.table_link(match), readers)


def open_hand(scene: Scene, *, deal: Iterable[str]) -> None:
    body = {
        "level": "full",
        "shaker": scene.script.shaker,
        "deal": {seat: scene.script.deal[seat] for seat in deal},
    }
    answer = scene.recorder.client.put(f"/api/v1/matches/{scene.match.pk}/games/1/hands/1/", body)
    assert answer.status_code == 201
    scene.hand_id = answer.json()["id"]


def auction(scene: Scene) -> None:
    for place, call in enumerate(scene.script.calls, start=1):
        seat = SEATS[(SEATS.index(scene.script.shaker) + place) % 4]
        done = scene.recorder.client.put(f"{scene.path}calls/{place}/", {"seat": seat, "call": call})
        assert done.status_code == 201
    done = scene.recorder.client.put(f"{scene.path}trump/", {"trump": scene.script.trump})
    assert done.status_code == 201


def play(scene: Scene, played: int) -> Any:
    body = {"seat": scene.script.seats[played], "tile": scene.script.tiles[played]}
    return scene.recorder.client.put(f"{scene.path}plays/{played + 1}/", body)


def tiles_in(answer: Any) -> set[str]:
    """Every tile that the bytes and headers of an answer name or draw."""
    text = TRUMP.sub("", answer.content.decode()) + str(sorted(answer.headers.items()))
    drawn = {DRAWN[path] for path in PIPS.findall(text) if path in DRAWN}
    text = PATH.sub("", text)
    return drawn | {f"{max(pair)}-{min(pair)}" for pair in TILE.findall(text)}


def looks(scene: Scene, caller: Caller) -> Iterable[tuple[str, Any]]:
    """Everything that can be read about the match: answers by header, pages by the link's cookie."""
    client = caller.client
    browser = APIClient()
    if caller.link is not None:
        browser.cookies[COOKIE] = token_of(caller.link.pk)
    values = scene.values()
    paths = [
        one.path(values)
        for prefix in PAGES
        for one in addresses(prefix)
        if "GET" in one.methods and one.pattern not in LEFT_OUT
    ]
    paths += [f"{scene.path}?as={seat}" for seat in SEATS]
    paths += [f"/t/{scene.event.slug}/matches/M1/?hand=1.1", f"/api/v1/tournaments/{scene.event.slug}/log/"]
    for path in paths:
        yield path, (client if path.startswith("/api/") else browser).get(path)
    yield "options", client.options(scene.path)


def check_everybody(scene: Scene, played: int, names: Iterable[str] = ()) -> int:
    """Read everything as everybody; how many answers said something."""
    read = 0
    for name in names or scene.readers:
        secret = scene.secret(name, played)
        for path, answer in looks(scene, scene.readers[name]):
            assert answer.status_code < 500, path
            shown = tiles_in(answer) & secret
            if PAD.search(path) and shown == secret:
                continue  # a pad of all tiles that were not seen yet tells nothing
            assert shown == set(), (name, path, played)
            read += answer.status_code == 200
    return read


def test_tiles_are_found_in_bytes_however_they_are_shown() -> None:
    """The control of these tests: what was played is seen by everybody, in answers and on the page."""
    seen = scene()
    open_hand(seen, deal=SEATS)
    auction(seen)
    for played in range(3):
        assert play(seen, played).status_code == 201
    public = set(seen.script.tiles[:3])
    assert tiles_in(VISITOR.client.get(seen.path)) == public
    assert tiles_in(VISITOR.client.get(f"/t/{seen.event.slug}/matches/M1/?hand=1.1")) == public
    assert len(DRAWN) == 27  # all but the blank one


def test_no_reader_sees_a_tile_of_somebody_elses_holding_before_the_match_is_over() -> None:
    seen = scene()
    open_hand(seen, deal=SEATS)
    auction(seen)
    for played in range(28):
        if played == 5:
            assert check_everybody(seen, played) > 200
        if played == 27:
            assert check_everybody(seen, played, ("visitor", "E")) > 40
        answer = play(seen, played)
        assert answer.status_code == 201
        assert tiles_in(answer) & seen.secret("visitor", played + 1) == set()


def test_holding_of_a_closed_hand_stays_hidden_until_the_match_is_over_and_is_shown_then() -> None:
    seen = scene(calls=["pass", "pass", "pass", "84"])
    open_hand(seen, deal=SEATS)
    auction(seen)
    played = 4 * seen.script.answer()["settled_after"]
    for number in range(played):
        assert play(seen, number).status_code == 201
    assert Hand.objects.get().state == "closed"
    assert played < 28

    assert check_everybody(seen, played, ("visitor", "N", "team EW", "desk")) > 60
    seen.event.owner.client.post(
        f"/api/v1/matches/{seen.match.pk}/forfeit/", {"side": "NS", "reason": "gone home"}
    )

    shown = VISITOR.client.get(seen.path).json()
    assert {seat: set(tiles) for seat, tiles in shown["deal"].items()} == {
        seat: set(tiles) for seat, tiles in seen.script.deal.items()
    }
    deal = VISITOR.client.get(f"{seen.path}deal/").json()["deal"]
    assert {seat: set(tiles) for seat, tiles in deal.items()} == {
        seat: set(tiles) for seat, tiles in seen.script.deal.items()
    }


def test_seats_enter_their_own_tiles_and_not_even_the_recorder_sees_them() -> None:
    seen = scene()
    open_hand(seen, deal="")
    for seat in SEATS:
        answer = seen.readers[seat].client.put(f"{seen.path}deal/{seat}/", {"tiles": seen.script.deal[seat]})
        assert answer.status_code == 201
    seen.readers["recorder"] = seen.recorder
    auction(seen)
    for played in range(6):
        assert play(seen, played).status_code == 201
    check_everybody(seen, 6, ("visitor", "N", "W", "team NS", "owner", "recorder"))

    for seat in SEATS:
        own = seen.readers[seat].client
        mine = own.get(f"{seen.path}?as={seat}").json()["view"]["holding"]
        assert set(mine) == set(seen.script.deal[seat]) - set(seen.script.tiles[:6])
        assert own.get(f"{seen.path}deal/").json()["deal"].keys() == {seat}
        for other in SEATS.replace(seat, ""):
            refused = own.get(f"{seen.path}?as={other}")
            assert (refused.status_code, refused.json()["code"]) == (403, "not_your_seat")
    for name in ("visitor", "recorder", "scorer", "owner", "team NS"):
        reader = seen.readers[name].client
        assert reader.get(f"{seen.path}deal/").json()["deal"] == {}
        assert reader.get(f"{seen.path}?as=N").status_code == 403


CHANGING = re.compile(rb'csrfmiddlewaretoken" value="[^"]*"|nonce="[^"]*"|data-csrf="[^"]*"')


def what_is_read(scene: Scene, caller: Caller) -> dict[str, Any]:
    """Every answer to a reader, without what differs from one request to the next."""
    read = dict(looks(scene, caller))
    read["legal"] = caller.client.get(f"{scene.path}legal/")
    return {path: (one.status_code, CHANGING.sub(b"", one.content)) for path, one in read.items()}


def swap(hand_id: str, one: str, other: str, played: set[str]) -> None:
    """Two seats exchange what they hold as far as it was not played; their voids are left as they were."""
    rows = {row.seat: row for row in Holding.objects.filter(hand=hand_id)}
    held = {seat: rows[seat].tiles.split() for seat in (one, other)}
    left = {seat: [tile for tile in tiles if tile not in played] for seat, tiles in held.items()}
    for seat, partner in ((one, other), (other, one)):
        gone = [tile for tile in held[seat] if tile in played]
        Holding.objects.filter(pk=rows[seat].pk).update(tiles=" ".join([*gone, *left[partner]]))


def test_what_others_hold_changes_no_byte_of_what_anybody_reads() -> None:
    """The holdings of two seats are exchanged in the database, and everybody else reads on as before.

    The first trick was all of one suit, so it can have been played from either holding.
    """
    seen = scene()
    seen.script.deal = ONE_SUIT
    seen.script.calls, seen.script.trump = ["30", "pass", "pass", "pass"], "6"
    seen.script.seats, seen.script.tiles = list("NESW"), ["6-6", "6-5", "6-4", "6-3"]
    open_hand(seen, deal=SEATS)
    auction(seen)
    for number in range(4):
        assert play(seen, number).status_code == 201
    gone = set(seen.script.tiles)
    pairs = {"N": "EW", "S": "EW", "E": "NS", "W": "NS"}
    differing = {}
    readers = ("visitor", "N", "E", "team NS", "scorer", "owner")
    for name in readers:
        reader, (one, other) = seen.readers[name], pairs.get(name, "EW")
        before = what_is_read(seen, reader)
        swap(seen.hand_id, one, other, gone)
        cache.clear()
        after = what_is_read(seen, reader)
        swap(seen.hand_id, one, other, gone)
        assert len(before) > 40
        differing[name] = [path for path in before if before[path] != after[path]]
    assert differing == {name: [] for name in readers}
    control = what_is_read(seen, seen.readers["E"])
    swap(seen.hand_id, "E", "W", gone)
    changed = what_is_read(seen, seen.readers["E"])
    assert control[f"{seen.path}?as=E"] != changed[f"{seen.path}?as=E"]


def test_recorder_sees_what_it_entered_and_no_more() -> None:
    seen = scene()
    open_hand(seen, deal="NE")
    seen.readers["S"].client.put(f"{seen.path}deal/S/", {"tiles": seen.script.deal["S"]})

    deal = seen.recorder.client.get(f"{seen.path}deal/").json()["deal"]

    assert {seat: set(tiles) for seat, tiles in deal.items()} == {
        seat: set(seen.script.deal[seat]) for seat in "NE"
    }
    assert seen.readers["desk"].client.get(f"{seen.path}deal/").json()["deal"] == {}


def test_what_may_be_played_next_follows_from_what_its_reader_knows() -> None:
    """For whoever knows no holding that is every tile not seen yet, which tells nothing."""
    seen = scene()
    open_hand(seen, deal=SEATS)
    auction(seen)
    for played in range(5):
        assert play(seen, played).status_code == 201
    turn = seen.script.seats[5]
    every = {tile for tiles in seen.script.deal.values() for tile in tiles}
    unseen = every - set(seen.script.tiles[:5])
    own = set(seen.script.deal[turn]) - set(seen.script.tiles[:5])

    def offered(name: str) -> set[str]:
        return set(seen.readers[name].client.get(f"{seen.path}legal/").json()["plays"])

    for name in ("scorer", "desk", "owner", "team NS", "team EW"):
        assert offered(name) == unseen
    assert offered(turn) <= own
    for seat in SEATS.replace(turn, ""):
        assert offered(seat) == set()
    assert seen.readers["visitor"].client.get(f"{seen.path}legal/").status_code == 401
    assert seen.readers["stranger"].client.get(f"{seen.path}legal/").status_code == 403


@pytest.mark.parametrize("who", ["scorer", "team NS", "recorder"])
def test_refusal_of_a_play_does_not_tell_a_stranger_to_the_holding_why(who: str) -> None:
    """Else whoever may record could ask for one tile after the other which of them a seat holds."""
    seen = scene()
    open_hand(seen, deal="")
    for seat in SEATS:
        seen.readers[seat].client.put(f"{seen.path}deal/{seat}/", {"tiles": seen.script.deal[seat]})
    auction(seen)
    assert play(seen, 0).status_code == 201
    turn = seen.script.seats[1]
    client = (seen.recorder if who == "recorder" else seen.readers[who]).client
    lead = seen.script.tiles[0]
    legal = naive.legal(seen.script.deal[turn], lead, seen.script.trump)
    every = {tile for tiles in seen.script.deal.values() for tile in tiles}
    answers = []
    for tile in sorted(every - set(legal) - {lead}):
        answer = client.put(f"{seen.path}plays/2/", {"seat": turn, "tile": tile})
        assert answer.status_code == 422
        answers.append({**answer.json(), "tile": "", "detail": ""})

    assert answers == [answers[0]] * len(answers)
    assert answers[0]["code"] == "play_contradicts_deal"
    codes = set(RefusedAttempt.objects.values_list("code", flat=True))
    assert codes <= {"tile_not_held", "must_follow"}
    assert "tile_not_held" in codes


def test_seat_learns_nothing_about_another_holding_by_offering_tiles() -> None:
    seen = scene()
    open_hand(seen, deal="")
    seen.readers["N"].client.put(f"{seen.path}deal/N/", {"tiles": seen.script.deal["N"]})
    own = seen.script.deal["E"]

    answers = []
    for tile in seen.script.deal["N"]:
        answer = seen.readers["E"].client.put(f"{seen.path}deal/E/", {"tiles": [*own[:6], tile]})
        assert answer.status_code == 422
        assert tiles_in(answer) == set()
        answers.append(answer.json())

    assert answers == [answers[0]] * 7
    assert answers[0]["code"] == "holding_contradicts_deal"
    assert seen.readers["E"].client.put(f"{seen.path}deal/E/", {"tiles": own}).status_code == 201


def test_log_and_refused_attempts_hold_no_tile_that_was_not_played() -> None:
    seen = scene()
    open_hand(seen, deal="NE")
    seen.readers["S"].client.put(f"{seen.path}deal/S/", {"tiles": seen.script.deal["S"]})
    auction(seen)
    assert play(seen, 0).status_code == 201
    wrong = {"level": "full", "shaker": seen.script.shaker, "deal": {"N": seen.script.deal["E"]}}
    seen.recorder.client.put(f"/api/v1/matches/{seen.match.pk}/games/1/hands/1/", wrong)

    text = str(list(LogEntry.objects.values_list("facts", flat=True)))

    found = {f"{max(pair)}-{min(pair)}" for pair in TILE.findall(text)}
    assert found == {seen.script.tiles[0]}


def test_private_tournament_is_not_there_for_strangers_on_any_page() -> None:
    event = make_tournament(2, kind="single-elimination", visibility="private")
    match = event.match("M1")
    stranger, elsewhere = account(), make_tournament(2).side_links
    other = make_tournament(2, name="Elsewhere")
    link = other.team_link(other.entry_of("T1"))
    for caller in (VISITOR, stranger, link):
        for path in (
            event.path,
            f"{event.path}bracket/",
            f"{event.path}standings/",
            f"{event.path}entries/",
            f"{event.path}matches/",
            f"{event.path}tables/",
            f"/api/v1/matches/{match.pk}/",
            f"/api/v1/matches/{match.pk}/games/",
            f"/api/v1/matches/{match.pk}/result/",
            f"/t/{event.slug}/",
            f"/t/{event.slug}/matches/M1/",
        ):
            assert caller.client.get(path).status_code == 404, path
    listed = [caller.client.get("/api/v1/tournaments/").json()["results"] for caller in (VISITOR, link)]
    assert [[row["slug"] for row in rows if row["slug"] == event.slug] for rows in listed] == [[], []]
    assert elsewhere
    own = event.team_link(event.entry_of("T1"))
    assert own.client.get(f"{event.path}bracket/").status_code == 200


def test_private_tournament_without_officials_is_not_listed_for_link_holders() -> None:
    """An account that is deleted takes its offices with it."""
    orphan = make_tournament(2, visibility="private", name="Orphan")
    orphan.tournament.officials.all().delete()
    other = make_tournament(2, name="Elsewhere")
    link = other.team_link(other.entry_of("T1"))

    for caller in (VISITOR, link, account()):
        rows = caller.client.get("/api/v1/tournaments/").json()["results"]
        assert [row["name"] for row in rows] == ["Elsewhere"]
