"""Files in 42 notation over REST: what is recorded comes out, what comes out goes in, and nothing else does."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from fortytwo.notation import check, parse, statement_text
from scoring.models import Call, Game, Hand, Holding, Play, RefusedAttempt
from tests.support.callers import VISITOR, Caller
from tests.support.events import Event, make_tournament
from tests.support.hands import SEATS, Script, random_script, record
from tournaments.models import LogEntry, Match, Result, Revision

pytestmark = pytest.mark.django_db

HEADER = "42 notation 1"
TEXT = "text/plain"


def one_match(teams: int = 2, **fields: Any) -> tuple[Event, Match]:
    event = make_tournament(teams, kind="single-elimination", **fields)
    return event, event.match("M1")


def file(*lines: str) -> str:
    return "\n".join([HEADER, *lines]) + "\n"


def download(path: str, client: APIClient = VISITOR.client) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, answer.content
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert answer["Content-Disposition"].endswith('.42"')
    return str(answer.content.decode())


def match_file(match: Match, client: APIClient = VISITOR.client) -> str:
    return download(f"/api/v1/matches/{match.pk}.42", client)


def upload(caller: Caller, match: Match, text: str) -> Any:
    return caller.client.generic("POST", f"/api/v1/matches/{match.pk}.42", text, content_type=TEXT)


def refusal(answer: Any) -> tuple[int, str, int, int]:
    body = answer.json()
    assert answer["Content-Type"] == "application/problem+json"
    return answer.status_code, body["code"], body["line"], body["column"]


def said(text: str) -> list[str]:
    """The statements of a file without its tags."""
    tags = ("event", "site", "date", "round", "table", "ns", "ew", "note", "north", "east", "south", "west")
    lines = [statement_text(one) for one in parse(text).statements]
    return [line for line in lines if line.split()[0] not in tags]


def stored() -> list[Any]:
    models: list[Any] = [Game, Hand, Holding, Call, Play, Result, LogEntry, Revision]
    return [list(model.objects.order_by("pk").values()) for model in models]


def played_hand(event: Event, match: Match, seed: int, *, known: str = SEATS) -> tuple[Script, str]:
    """A random hand, recorded to its last tile; its id."""
    rng = random.Random(seed)
    script = random_script(rng, "W")
    shown = record(event.owner.client, match, 1, 1, script, rng, known=known, tries=0)
    return script, str(shown["id"])


# What comes out.


def test_hand_is_written_as_it_was_played_and_its_deal_once_the_match_is_over() -> None:
    event, match = one_match()
    script, hand_id = played_hand(event, match, 5)
    path = f"/api/v1/hands/{hand_id}.42"

    text = download(path)
    document = parse(text)
    assert check(document) == ()
    assert "deal N ?" in text
    assert f"trump {script.trump}" in text
    plays = re.findall(r"([NESW]):(\d-\d)", text.split("trump")[1])
    assert plays == list(zip(script.seats, script.tiles, strict=True))

    event.owner.client.post(f"/api/v1/matches/{match.pk}/undo/")
    assert VISITOR.client.get(path).status_code == 404


def test_hand_of_a_match_that_is_over_shows_its_deal() -> None:
    event, match = one_match(rules={"target": 1}, stage={"best_of": 1})
    script, hand_id = played_hand(event, match, 6)
    assert "deal N ?" in match_file(match)
    version = Result.objects.get().version
    done = event.official("desk").client.post(
        f"/api/v1/matches/{match.pk}/result/confirm/", {"version": version}
    )
    assert done.status_code == 200, done.content

    text = download(f"/api/v1/hands/{hand_id}.42")
    for seat in SEATS:
        line = next(line for line in text.splitlines() if line.startswith(f"deal {seat}"))
        assert set(line.split()[2:]) == set(script.deal[seat])
    whole = match_file(match)
    assert "final 1-0" in whole or "final 0-1" in whole
    assert check(parse(whole)) == ()


def test_hand_in_progress_shows_calls_and_tiles_played_to_everybody_and_nothing_more() -> None:
    event, match = one_match()
    script = random_script(random.Random(8), "W")
    path = f"/api/v1/matches/{match.pk}/games/1/hands/1/"
    body = {"level": "full", "shaker": "W", "deal": script.deal}
    hand_id = event.owner.client.put(path, body).json()["id"]
    client = event.owner.client
    for seq, call in enumerate(script.calls, start=1):
        client.put(f"/api/v1/hands/{hand_id}/calls/{seq}/", {"seat": SEATS[seq - 1], "call": call})
    client.put(f"/api/v1/hands/{hand_id}/trump/", {"trump": script.trump})
    for seq in range(1, 7):
        play = {"seat": script.seats[seq - 1], "tile": script.tiles[seq - 1]}
        assert client.put(f"/api/v1/hands/{hand_id}/plays/{seq}/", play).status_code == 201

    seats = event.seat_links(match)
    for reader in (VISITOR, event.owner, *seats.values()):
        for text in (
            download(f"/api/v1/hands/{hand_id}.42", reader.client),
            match_file(match, reader.client),
        ):
            assert set(re.findall(r"\d-\d", text.split("calls")[1])) == set(script.tiles[:6])
            assert [line for line in text.splitlines() if line.startswith("deal")] == [
                f"deal {seat} ?" for seat in SEATS
            ]
            assert "result" not in text
            assert check(parse(text)) == ()


def test_match_at_all_levels_is_written_and_sound() -> None:
    event, match = one_match()
    path, client = f"/api/v1/matches/{match.pk}/games/", event.owner.client
    assert client.put(f"{path}1/", {"NS": 7, "EW": 4}).status_code == 201
    entries = [
        {"level": "marks", "shaker": "W", "winner": "NS", "marks": 2},
        {"level": "bid", "declarer": "E", "bid": "34", "trump": "5", "points": 31},
        {"level": "bid", "declarer": "S", "bid": "84", "trump": "follow-me", "made": True},
        {"level": "marks", "thrown_in": True},
    ]
    for number, entry in enumerate(entries, start=1):
        assert client.put(f"{path}2/hands/{number}/", entry).status_code == 201

    text = match_file(match)
    assert check(parse(text)) == ()
    assert said(text) == [
        "match",
        "rules online-championship",
        "best-of 3",
        "game 1",
        "score 7-4",
        "game 2",
        "shaker W",
        "hand 1",
        "shaker W",
        "result 2-0",
        "hand 2",
        "shaker N",
        "bid E:34",
        "trump 5",
        "result set 1-0 points 11-31",
        "hand 3",
        "shaker E",
        "bid S:84",
        "trump follow-me",
        "result made 2-0",
        "hand 4",
        "shaker S",
        "result thrown-in",
    ]
    assert 'event "Lone Star Open"' in text
    assert 'ns "T1"' in text


def test_corrected_games_are_written_with_the_marks_that_count() -> None:
    event, match = one_match()
    event.play("M1")
    assert [line for line in said(match_file(match)) if line.startswith(("score", "final"))] == [
        "score 7-4",
        "score 7-3",
        "final 2-0",
    ]
    event.owner.client.post(
        f"/api/v1/matches/{match.pk}/result/correct/", {"scores": "4-7,7-5,2-7", "reason": "other way"}
    )
    lines = said(match_file(match))
    assert lines[-1] == "final 1-2"
    assert check(parse(match_file(match))) == ()


def test_private_match_is_not_there() -> None:
    event, match = one_match(visibility="private")
    _, hand_id = played_hand(event, match, 3)
    for path in (f"/api/v1/matches/{match.pk}.42", f"/api/v1/hands/{hand_id}.42"):
        refused = VISITOR.client.get(path)
        assert (refused.status_code, refused.json()["code"]) == (404, "not_found")
        assert event.owner.client.get(path).status_code == 200


def test_reader_may_ask_for_text_and_is_refused_in_json() -> None:
    match = one_match()[1]
    client = VISITOR.client
    assert client.get(f"/api/v1/matches/{match.pk}.42", headers={"Accept": TEXT}).status_code == 200
    refused = client.get(f"/api/v1/hands/{match.pk}.42", headers={"Accept": TEXT})
    assert refused.status_code == 404
    assert refused["Content-Type"].startswith("application/problem+json")
    assert refused.json()["code"] == "not_found"


def test_match_file_takes_as_many_queries_for_one_hand_as_for_many() -> None:
    event, match = one_match(rules={"target": 100})
    counts = []
    rng = random.Random(1)
    for number in range(1, 6):
        script = random_script(rng, SEATS[(2 + number) % 4])
        record(event.owner.client, match, 1, number, script, rng, tries=0)
        with CaptureQueriesContext(connection) as captured:
            match_file(match)
        counts.append(len(captured))
    assert len(set(counts)) == 1
    assert counts[0] <= 12


# What goes in.


FULL = (
    "hand 1",
    "shaker W",
    "deal N 6-6 6-5 6-4 6-2 5-5 3-3 2-2",
    "deal E 6-3 6-1 5-4 3-0 2-0 1-1 1-0",
    "deal S 6-0 5-3 5-0 4-3 4-2 4-1 3-1",
    "deal W 5-2 5-1 4-4 4-0 3-2 2-1 0-0",
    "calls N:34 E:pass S:pass W:pass",
    "trump 6",
    "1. N:6-6 E:6-1 S:6-0 W:0-0 = N 1",
    "2. N:6-5 E:6-3 S:5-0 W:2-1 = N 6",
    "3. N:6-4 E:2-0 S:4-1 W:4-0 = N 16",
    "4. N:5-5 E:5-4 S:5-3 W:5-2 = N 11",
    "result made 1-0 points 34-0 tricks 4",
)
WHOLE = file(
    "match",
    "rules online-championship",
    "best-of 3",
    "game 1",
    "score 7-4",
    "game 2",
    *FULL,
    "hand 2  # only the bid",
    "bid E:31",
    "trump 5",
    "result set 1-0 points 12-30",
    "hand 3",
    "result 5-0",
    "score 7-0",
    "final 2-0",
)


def test_whole_match_is_recorded_and_comes_out_as_it_went_in() -> None:
    event, match = one_match()
    answer = upload(event.owner, match, WHOLE)

    assert answer.status_code == 201, answer.content
    body = answer.json()
    assert (body["match"], body["state"]) == ("M1", "entered")
    assert [(hand["game"], hand["number"], hand["level"]) for hand in body["hands"]] == [
        (2, 1, "full"),
        (2, 2, "bid"),
        (2, 3, "marks"),
    ]
    assert [(game["number"], game["NS"], game["EW"]) for game in body["games"]] == [(1, 7, 4), (2, 7, 0)]
    row = Hand.objects.get(number=1)
    assert (row.declarer, row.bid, row.trump, row.ending) == ("N", "34", "6", "made")
    assert (row.points_ns, row.points_ew, row.marks_ns, row.tricks_to_settle) == (34, 0, 1, 4)
    assert (Holding.objects.count(), Call.objects.count(), Play.objects.count()) == (4, 4, 16)
    assert Result.objects.get().games == [{"NS": 7, "EW": 4}, {"NS": 7, "EW": 0}]
    assert event.log_of("notation.recorded") == [{"hands": 3, "games": 2}]

    version = Result.objects.get().version
    confirmed = event.official("desk").client.post(
        f"/api/v1/matches/{match.pk}/result/confirm/", {"version": version}
    )
    assert confirmed.status_code == 200
    out = match_file(match)
    assert check(parse(out)) == ()
    written = [line.replace(" tricks 4", "") for line in said(WHOLE)]
    assert [line for line in said(out) if not line.startswith("shaker")] == [
        line for line in written if not line.startswith("shaker")
    ]


def test_same_file_again_changes_nothing_and_a_longer_one_goes_on() -> None:
    event, match = one_match()
    half = WHOLE.split("hand 2")[0]
    assert upload(event.owner, match, half).status_code == 201
    before = stored()
    assert upload(event.owner, match, half).status_code == 200
    assert stored() == before
    assert match.game_records.get(number=2).hands.count() == 1
    assert upload(event.owner, match, WHOLE).status_code == 201
    assert upload(event.owner, match, WHOLE).status_code == 200
    assert Result.objects.count() == 1


def test_hand_is_continued_where_its_record_stands() -> None:
    event, match = one_match()
    part = file(*FULL[:2], *FULL[6:9])
    assert upload(event.owner, match, part).json()["hands"][0]["state"] == "live"
    assert Play.objects.count() == 4
    assert upload(event.owner, match, file(*FULL)).json()["hands"][0]["ending"] == "made"
    assert (Play.objects.count(), Holding.objects.count()) == (16, 4)
    assert set(Play.objects.values_list("device", flat=True)) == {"42 notation"}


def test_hands_alone_go_on_with_the_game_and_need_no_number() -> None:
    event, match = one_match()
    for number in (1, 2):
        answer = upload(event.owner, match, file("hand", "result 2-0"))
        assert [(hand["game"], hand["number"]) for hand in answer.json()["hands"]] == [(1, number)]
    upload(event.owner, match, file("hand 3", "result 3-0"))
    assert upload(event.owner, match, file("hand", "result 0-1")).json()["hands"][0]["game"] == 2


def test_declared_lead_goes_in_and_comes_out() -> None:
    event, match = one_match(rules={"small_end_opening": True})
    lines = ("hand 1", "shaker W", "calls N:30 E:pass S:pass W:pass", "trump 3", "1. N:6-5/5 E:6-6")
    answer = upload(event.owner, match, file(*lines))
    assert answer.status_code == 201, answer.content
    hand_id = answer.json()["hands"][0]["id"]
    assert Play.objects.get(seq=1).suit == 5
    assert said(download(f"/api/v1/hands/{hand_id}.42"))[-1] == "1. N:6-5/5 E:6-6"
    other = upload(event.owner, match, file(*lines).replace("6-5/5", "6-5"))
    assert refusal(other) == (409, "play_differs", 4, 1)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["hand", "shaker X"], (400, "bad_notation", 3, 8)),
        (["hand", "result 9-0"], (422, "notation_contradicts", 3, 1)),
        (["hand", "result 2-0", "hand 4", "result 1-0"], (422, "notation_contradicts", 4, 1)),
        (["match", "rules timpson", "game", "score 7-4"], (422, "notation_rules_differ", 3, 1)),
        (["match", "best-of 5", "game", "score 7-4"], (409, "notation_other_match", 3, 1)),
        (["match", 'ns "Somebody else"', "game", "score 7-4"], (409, "notation_other_match", 3, 1)),
        (["game", "score 5-3 timed"], (422, "notation_not_kept", 3, 1)),
        (["hand", "ruling talk N one-mark 0-1", "result 0-1"], (422, "notation_not_kept", 3, 1)),
        (["game 3", "score 7-4"], (409, "game_out_of_order", 3, 1)),
        (["hand 3", "result 1-0"], (409, "hand_out_of_order", 3, 1)),
        (["hand"], (422, "winner_missing", 2, 1)),
        (["game", "hand", "result 1-0", "score 1-0"], (422, "notation_contradicts", 5, 1)),
        ([*FULL, "hand 2", "shaker S", "result 1-0"], (422, "wrong_shaker", 17, 1)),
        (["game", "score 7-4", "game", "score 7-5", "game", "score 7-0"], (409, "result_stored", 7, 1)),
    ],
)
def test_refusal_names_the_line_and_nothing_of_the_file_is_stored(
    lines: list[str], expected: tuple[int, str, int, int]
) -> None:
    event, match = one_match()
    before = stored()
    assert refusal(upload(event.owner, match, file(*lines))) == expected
    assert stored() == before


def test_claims_are_not_kept() -> None:
    event, match = one_match()
    text = file(*FULL).replace("4. N:5-5 E:5-4 S:5-3 W:5-2 = N 11", "claim N made")
    assert refusal(upload(event.owner, match, text)) == (422, "notation_not_kept", 13, 1)


def test_every_contradiction_of_a_file_is_listed() -> None:
    event, match = one_match()
    text = file(*FULL).replace("= N 6", "= E 6").replace("made 1-0", "set 0-1")
    body = upload(event.owner, match, text).json()
    assert [(one["line"], one["code"]) for one in body["problems"]] == [
        (11, "trick_differs"),
        (14, "result_differs"),
        (14, "result_differs"),
    ]
    attempt = RefusedAttempt.objects.get()
    assert (attempt.code, attempt.tried) == ("notation_contradicts", {"line": 11, "file": True})


def test_stored_record_is_never_overwritten() -> None:
    event, match = one_match()
    upload(event.owner, match, file(*FULL))
    before = stored()
    for old, new, code, line in (
        ("N:34 E:pass", "N:35 E:pass", "call_differs", 8),
        ("trump 6", "trump 5", "trump_differs", 8),
        ("W:0-0", "W:2-1", "play_differs", 8),
        ("deal E 6-3 6-1 5-4 3-0 2-0 1-1 1-0", "deal E 6-3 6-1 5-4 3-0 2-0 1-1 3-2", "holding_differs", 5),
    ):
        changed = [text.replace(old, new) for text in FULL[:9] if not text.startswith(("deal W", "1."))]
        changed += (
            [FULL[8].replace(old, new).split(" =")[0]] if "deal" not in old and "trump" not in old else []
        )
        assert refusal(upload(event.owner, match, file(*changed))) == (
            409,
            code,
            line - ("deal" not in old),
            1,
        )
    assert stored() == before


def test_refusal_tells_nothing_of_tiles_that_others_entered() -> None:
    """The table link opens a hand with its tiles; a team's link may not learn by a file who holds what."""
    event, match = one_match()
    path = f"/api/v1/matches/{match.pk}/games/1/hands/1/"
    deal = {line.split()[1]: line.split()[2:] for line in FULL[2:6]}
    event.owner.client.put(path, {"level": "full", "shaker": "W", "deal": deal})
    team = event.side_links(match)["EW"]
    calls = (*FULL[:2], *FULL[6:8])
    assert upload(team, match, file(*calls)).status_code == 201
    before = stored()
    for tile in ("5-2", "4-3", "6-3"):
        answer = upload(team, match, file(*calls, f"1. N:{tile}"))
        assert refusal(answer) == (422, "play_contradicts_deal", 4, 1)
        assert "holds" not in answer.content.decode()
    assert stored() == before


def test_seat_link_files_its_own_seat_only() -> None:
    event, match = one_match()
    seats = event.seat_links(match)
    opened = file("hand 1", "shaker W", "calls N:34")
    assert refusal(upload(seats["E"], match, opened)) == (403, "not_your_seat", 4, 1)
    assert not Hand.objects.exists()
    assert upload(seats["N"], match, opened).status_code == 201


def test_text_may_come_as_json_and_under_a_key() -> None:
    event, match = one_match()
    path, body = f"/api/v1/matches/{match.pk}.42", {"text": file("hand", "result 1-0")}
    answers = [event.owner.client.post(path, body, HTTP_IDEMPOTENCY_KEY="one") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].json() == answers[1].json()
    assert Hand.objects.count() == 1
    refused = event.owner.client.generic("POST", path, b"\xff", content_type=TEXT)
    assert (refused.status_code, refused.json()["code"]) == (400, "parse_error")


def test_settled_match_takes_no_file() -> None:
    event, match = one_match()
    event.play("M1")
    answer = upload(event.owner, match, file("hand", "result 1-0"))
    assert (answer.status_code, answer.json()["code"]) == (409, "already_confirmed")


@pytest.mark.parametrize("seed", range(6))
def test_random_hands_go_round(seed: int) -> None:
    """What one match holds is recorded in another one from its file, and gives the same file."""
    rng = random.Random(seed)
    event, match = one_match(4, rules={"target": 100})
    other = event.match("M2")
    for number in range(1, 4):
        script = random_script(rng, SEATS[(2 + number) % 4])
        record(
            event.owner.client, match, 1, number, script, rng, known=rng.choice(["NESW", "", "NE"]), tries=0
        )
    text = "\n".join(line for line in match_file(match).splitlines() if line[:3] not in ("ns ", "ew "))
    assert upload(event.owner, other, text).status_code == 201
    assert said(match_file(other)) == said(match_file(match))
    columns = (
        "number",
        "declarer",
        "bid",
        "trump",
        "ending",
        "points_ns",
        "points_ew",
        "marks_ns",
        "marks_ew",
    )
    rows = [list(Hand.objects.filter(game__match=one).values(*columns)) for one in (match, other)]
    assert rows[0] == rows[1]
