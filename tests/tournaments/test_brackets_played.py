"""Whole brackets in the database: byes, forfeits, drop-downs, third place, rounds; by the services and by REST."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.callers import VISITOR
from tests.support.doors import DONE, Door
from tests.support.events import (
    GAMES,
    Event,
    derived,
    derived_slots,
    make_tournament,
    random_pick,
    stored_slots,
)
from tournaments.models import Bye, Match

pytestmark = pytest.mark.django_db

DESK = {"desk": True, "reason": "paper slip"}


def bracket(event: Event) -> dict[str, Any]:
    """The bracket as a visitor gets it."""
    response = VISITOR.client.get(f"{event.path}bracket/")
    assert response.status_code == 200
    return response.json()


def rounds(event: Event) -> dict[str, dict[str, Any]]:
    return {row["key"]: row for row in bracket(event)["rounds"]}


def names(match: dict[str, Any]) -> list[str]:
    return [side["name"] for side in match["sides"]]


def placings(event: Event) -> list[tuple[str, str]]:
    rows = VISITOR.client.get(f"{event.path}standings/").json()["placings"]
    return [(row["label"], row["name"]) for row in rows]


def play_through(door: Door, event: Event, pick: Any) -> int:
    """Play every match by the door; how many were played."""
    played = 0
    while open_now := event.open_matches():
        match = open_now[0]
        assert door.enter(event.owner, match, GAMES[pick(match)], **DESK) == DONE
        assert door.advance(event) == DONE
        played += 1
    return played


def test_double_forfeit_gives_the_other_finalist_the_title(door: Door) -> None:
    event = make_tournament(4, kind="single-elimination")
    first, second = event.open_matches()

    assert door.forfeit(event.owner, first, "both") == DONE
    assert door.enter(event.owner, second, "7-1,7-2", **DESK) == DONE
    assert door.advance(event) == DONE

    champion = event.entry(second, "NS").name
    assert event.states() == {"M1": "confirmed", "M2": "confirmed", "M3": "void"}
    assert event.teams()["M3"] == ["-", champion]
    assert [(bye.entry.name, bye.instead_of.code) for bye in Bye.objects.all()] == [(champion, "M3")]
    assert event.fresh().champion.name == champion
    others = sorted({"T1", "T2", "T3", "T4"} - {champion})
    assert placings(event) == [("1", champion), *(("=3", name) for name in others)]
    assert door.move(event.owner, event, "finish") == DONE


def test_double_forfeited_final_leaves_the_title_vacant(door: Door) -> None:
    event = make_tournament(2, kind="single-elimination")

    assert door.forfeit(event.owner, event.match("M1"), "both") == DONE
    assert door.advance(event) == DONE

    assert event.fresh().champion is None
    assert placings(event) == [("=2", "T1"), ("=2", "T2")]
    assert door.move(event.owner, event, "finish") == DONE


@pytest.mark.parametrize("teams", [11, 13])
@pytest.mark.parametrize("seed", [1, 2])
def test_odd_double_elimination_is_played_to_its_champion(door: Door, teams: int, seed: int) -> None:
    event = make_tournament(teams)

    played = play_through(door, event, random_pick(seed))

    lost: dict[str, int] = {f"T{number}": 0 for number in range(1, teams + 1)}
    for row in bracket(event)["rounds"]:
        for match in row["matches"]:
            if match["outcome"]:
                lost[next(side["name"] for side in match["sides"] if not side["won"])] += 1
    champion = event.fresh().champion.name
    assert played == sum(lost.values())
    assert played in {2 * teams - 2, 2 * teams - 1}
    assert lost.pop(champion) == played - (2 * teams - 2)
    assert set(lost.values()) == {2}
    assert stored_slots(event) == derived_slots(derived(event))
    assert set(event.states().values()) <= {"confirmed", "void"}
    assert placings(event)[0] == ("1", champion)


@pytest.mark.parametrize("losers_pick", ["NS", "EW"])
def test_beaten_team_does_not_meet_its_first_victim_at_once(door: Door, losers_pick: str) -> None:
    event = make_tournament(8)

    def pick(match: Match) -> str:
        return {"winners-1": "NS", "winners-semifinals": "EW"}.get(match.round.key, losers_pick)

    seen: dict[str, list[list[str]]] = {}
    while open_now := event.open_matches():
        match = open_now[0]
        pair = sorted(event.entry(match, side).name for side in ("NS", "EW"))
        seen.setdefault(match.round.key, []).append(pair)
        assert door.enter(event.owner, match, GAMES[pick(match)], **DESK) == DONE
        assert door.advance(event) == DONE

    first_met = seen["winners-1"]
    assert [pair for pair in seen["losers-2"] if pair in first_met] == []
    again = [key for key, pairs in seen.items() if key != "winners-1" for pair in pairs if pair in first_met]
    assert set(again) <= {"losers-final", "grand-final", "reset"}


@pytest.mark.parametrize("kind", ["single-elimination", "double-elimination"])
@pytest.mark.parametrize("teams", [4, 5, 7, 12, 21, 64])
def test_labels_name_the_real_source_and_nothing_feeds_two_places(kind: str, teams: int) -> None:
    event = make_tournament(teams, kind=kind, stage={"third_place": kind.startswith("single")})
    labels: dict[str, list[tuple[str, str]]] = {}
    goes_to: dict[str, tuple[str, str]] = {}
    for row in bracket(event)["rounds"]:
        for match in row["matches"]:
            labels[match["code"]] = [(side["source_kind"], side["source_match"]) for side in match["sides"]]
            goes_to[match["code"]] = (match["winner_to"], match["loser_to"])

    event.play_all(random_pick(teams))

    results = {}
    for row in bracket(event)["rounds"]:
        for match in row["matches"]:
            results[match["code"]] = match
    sources = [label for pair in labels.values() for label in pair if label[0] != "seed"]
    assert len(sources) == len(set(sources))
    last = [code for code, match in results.items() if not match["winner_to"]]
    assert {code for code, (winner_to, _) in goes_to.items() if not winner_to} == set(last)
    for code, pair in labels.items():
        for side, (kind_of_source, source) in zip(results[code]["sides"], pair, strict=True):
            if kind_of_source == "seed":
                assert side["name"] == f"T{side['seed']}"
                continue
            came_from = results[source]
            assert goes_to[source][kind_of_source == "loser"] == code
            if side["name"]:
                won = next(one["name"] for one in came_from["sides"] if one["won"])
                lost = next(one["name"] for one in came_from["sides"] if not one["won"])
                assert side["name"] == {"winner": won, "loser": lost}[kind_of_source]


def test_finishing_a_second_round_match_touches_one_next_match(door: Door) -> None:
    event = make_tournament(8, kind="single-elimination")
    for code in ("M1", "M2", "M3", "M4"):
        event.play(code)
    event.advance()
    teams, states = event.teams(), event.states()

    assert door.enter(event.owner, event.match("M5"), "7-4,7-3", **DESK) == DONE
    assert door.advance(event) == DONE

    changed = {code for code in teams if event.teams()[code] != teams[code]}
    assert changed == {"M7"}
    assert {code for code in states if event.states()[code] != states[code]} == {"M5"}
    assert event.teams()["M7"] == [event.entry(event.match("M5"), "NS").name, None]


def test_third_place_match_may_end_before_the_final(door: Door) -> None:
    event = make_tournament(4, kind="single-elimination", stage={"third_place": True})
    event.play("M1")
    event.play("M2", "EW")
    event.advance()
    shown = rounds(event)
    (third,), (final,) = shown["third-place"]["matches"], shown["final"]["matches"]
    assert (shown["third-place"]["section"], shown["final"]["section"]) == ("third-place", "winners")

    assert door.enter(event.owner, event.match(third["code"]), "7-5,7-5", **DESK) == DONE
    assert door.advance(event) == DONE

    assert event.match(final["code"]).state == "ready"
    assert event.fresh().champion is None
    assert bracket(event)["current_rounds"] == ["final"]
    first, second = names(final)
    assert placings(event) == [("=1", first), ("=1", second), ("3", names(third)[0]), ("4", names(third)[1])]


@pytest.mark.parametrize(("teams", "places", "byes"), [(12, 16, 4), (147, 256, 109), (16, 16, 0)])
def test_top_seeds_get_the_byes(teams: int, places: int, byes: int) -> None:
    event = make_tournament(teams)

    shown = rounds(event)

    first = shown["winners-1"]
    assert (first["places"], len(first["matches"])) == (places // 2, teams - places // 2)
    assert sorted(bye["name"] for bye in first["byes"]) == sorted(f"T{seed}" for seed in range(1, byes + 1))
    second = shown["winners-2"]
    assert second["byes"] == []
    in_second = [side for match in second["matches"] for side in match["sides"]]
    assert sorted(side["name"] for side in in_second if side["name"]) == sorted(
        bye["name"] for bye in first["byes"]
    )
    later = [row for key, row in shown.items() if row["section"] == "winners" and key != "winners-1"]
    assert [row["byes"] for row in later] == [[]] * len(later)
    into = {(bye["into_match"], bye["into_side"]) for bye in first["byes"]}
    assert into == {
        (match["code"], side["side"])
        for match in second["matches"]
        for side in match["sides"]
        if side["name"]
    }


def test_round_of_three_byes_and_one_match_is_done_after_that_match(door: Door) -> None:
    event = make_tournament(5, kind="single-elimination")
    before = bracket(event)
    assert before["current_rounds"] == ["quarterfinals", "semifinals"]
    assert [(row["key"], row["done"], len(row["byes"])) for row in before["rounds"]] == [
        ("quarterfinals", False, 3),
        ("semifinals", False, 0),
        ("final", False, 0),
    ]

    assert door.enter(event.owner, event.match("M1"), "7-4,7-3", **DESK) == DONE
    assert door.advance(event) == DONE

    after = bracket(event)
    assert after["current_rounds"] == ["semifinals"]
    assert [(row["key"], row["done"]) for row in after["rounds"]] == [
        ("quarterfinals", True),
        ("semifinals", False),
        ("final", False),
    ]


def test_bye_teams_are_named_in_round_two_before_round_one_ends() -> None:
    event = make_tournament(6)

    first, second = rounds(event)["winners-1"], rounds(event)["winners-semifinals"]

    assert {bye["name"] for bye in first["byes"]} == {"T1", "T2"}
    assert [names(match) for match in second["matches"]] == [["T1", ""], ["T2", ""]]
    assert [match["sides"][1]["source_kind"] for match in second["matches"]] == ["winner", "winner"]


def test_withdrawal_during_a_match_gives_it_to_the_opponent(door: Door) -> None:
    event = make_tournament(4, kind="single-elimination")
    match = event.match("M1")
    assert door.game(event.owner, match, 1, 7, 2) == DONE
    leader, follower = event.entry(match, "NS"), event.entry(match, "EW")

    assert door.withdraw(event.owner, leader, reason="gone home") == DONE
    assert door.withdraw(event.owner, leader, reason="gone home") == DONE
    assert door.advance(event) == DONE

    (result,) = match.results.all()
    assert (result.outcome, result.winner_side, result.state, result.settled_way, result.games) == (
        "withdrawal",
        "EW",
        "confirmed",
        "rule",
        [],
    )
    assert event.teams()["M3"] == [follower.name, None]
    event.play("M2")
    event.advance()
    assert [row["done"] for row in bracket(event)["rounds"]] == [True, False]
    assert event.log_of("entry.withdrawn") == [{"reason": "gone home"}]


def test_withdrawn_team_is_named_in_the_draw_no_more(door: Door) -> None:
    """Whoever leaves after the draft was made would stand in a match that nobody can play."""
    event = make_tournament(4, kind="single-elimination", published=False)
    assert door.draw(event.owner, event) == DONE
    assert door.withdraw(event.owner, event.entry_of("T4")) == DONE

    refused = door.publish(event.owner, event)

    assert (refused.status, refused.code, refused.facts["affected"]) == (409, "draw_stale", ["T4"])
    assert event.stage.draw_state == "draft"
    assert door.draw(event.owner, event) == DONE
    assert door.publish(event.owner, event) == DONE
    assert sorted(name for pair in event.teams().values() for name in pair if name) == ["T1", "T2", "T3"]
