"""D1: honest records are never found, and a contradiction is listed with every innocent error that explains it."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, pairwise

import pytest

import fortytwo
from fortytwo import Hand, Ruleset, Tile, Trump
from scoring.fairplay.contradictions import look
from scoring.fairplay.explanations import KINDS, TILE_TYPO, surviving
from scoring.fairplay.replay import Line
from scoring.fairplay.types import Finding, Tried
from tests.fairplay import records
from tests.fairplay.records import ERRORS, facts, injected
from tests.fortytwo import naive
from tests.fortytwo.helpers import EXAMPLE_DEAL, MADE_34, bid_hand, play_all


def found(hand: Hand) -> Finding | None:
    looked = look(facts(hand))
    assert looked.untestable == ""
    return looked.findings[0] if looked.findings else None


def fits(finding: Finding) -> list[str]:
    return [reason.code for reason in finding.reasons if reason.tried is Tried.FITS]


def check_honest(seed: int, hands: int) -> None:
    rng = random.Random(seed)
    for number in range(hands):
        truth = records.honest(rng, to_the_end=number % 2 == 0)
        record = records.without_deal(truth)
        assert found(record) is None
        if number % 5 == 0:
            turned_up = record
            for seat in rng.sample(fortytwo.SEATS, rng.randrange(1, 5)):
                turned_up = turned_up.with_holding(seat, truth.deal.holding(seat) or ())
            assert found(turned_up) is None


def test_500_honest_hands_of_which_half_end_early_give_no_finding() -> None:
    check_honest(seed=42, hands=500)


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", range(5))
def test_5000_honest_hands_give_no_finding(seed: int) -> None:
    check_honest(seed=seed, hands=1000)


HOUSE_RULES = [
    Ruleset(doubles_trump="must_follow_number"),
    Ruleset(follow_me_doubles="low"),
    Ruleset(follow_me_doubles="own_suit"),
    Ruleset(early_end="play_all", all_pass="force_30"),
]


@pytest.mark.parametrize("rules", HOUSE_RULES)
def test_honest_hands_under_house_rules_give_no_finding(rules: Ruleset) -> None:
    rng = random.Random(7)
    for number in range(40):
        truth = records.play_out(records.auction(rng, rules), rng, to_the_end=number % 2 == 0)
        assert found(records.without_deal(truth)) is None


# ---- One error at a time -------------------------------------------------------------------


def matrix(each: int, seed: int) -> dict[str, Counter[str]]:
    """How often each injected error is found, and which explanations survive; half of the hands end early."""
    rng = random.Random(seed)
    rows: dict[str, Counter[str]] = {}
    for kind in ("honest", *ERRORS):
        row: Counter[str] = Counter()
        for number in range(each):
            end = number % 2 == 0
            if kind == "honest":
                record = records.without_deal(records.honest(rng, to_the_end=end))
            else:
                record = injected(kind, rng, to_the_end=end)
            row.update(_marks(record, kind))
        rows[kind] = row
    return rows


def _marks(record: Hand, kind: str) -> list[str]:
    finding = found(record)
    proved = Line.of(record).reneges()  # type: ignore[union-attr]
    assert (finding is not None) == bool(proved)
    if finding is None:
        return ["nothing"]
    items = [item for item in finding.toward if item.code == "shown_void_then_held"]
    assert [(item.facts["played"], item.facts["proof"]) for item in items] == [
        (str(one.played), str(one.proof)) for one in proved
    ]
    surviving_kinds = fits(finding)
    if kind in KINDS:
        assert kind in surviving_kinds, "the true error has to be among those that fit"
    unexplained = any(not item.facts["explained_by"] for item in items)
    assert (finding.code == "possible_renege") == unexplained
    assert finding.code in {"possible_renege", "record_contradicts"}
    return ["found", *surviving_kinds, *(["none of them"] if unexplained else [])]


def show(rows: dict[str, Counter[str]]) -> str:
    columns = ["nothing", "found", *KINDS, "none of them"]
    lines = [" ".join([f"{'injected':14}", *(f"{name:>14}" for name in columns)])]
    for kind, row in rows.items():
        lines.append(" ".join([f"{kind:14}", *(f"{row[name]:>14}" for name in columns)]))
    return "\n".join(lines)


def test_confusion_matrix_of_injected_errors(capsys: pytest.CaptureFixture[str]) -> None:
    rows = matrix(each=60, seed=3)
    with capsys.disabled():
        print(f"\n{show(rows)}")  # noqa: T201
    assert rows["honest"] == Counter(nothing=60)
    assert all(rows[kind]["found"] for kind in ERRORS)
    assert rows["renege"]["none of them"]
    assert not any(rows[kind]["none of them"] for kind in KINDS)


@pytest.mark.long
@pytest.mark.timeout(900)
def test_confusion_matrix_of_many_injected_errors(capsys: pytest.CaptureFixture[str]) -> None:
    rows = matrix(each=1000, seed=5)
    with capsys.disabled():
        print(f"\n{show(rows)}")  # noqa: T201
    assert not any(rows[kind]["none of them"] for kind in KINDS)


def test_every_renege_is_found_once_all_tiles_are_played_or_turned_up() -> None:
    rng = random.Random(11)
    for _ in range(60):
        record = injected("renege", rng, to_the_end=True)
        assert len(record.plays) == 28
        assert found(record) is not None


# ---- The changes that survive are those that brute force finds -----------------------------


def naive_is_sound(plays: list[tuple[str, str]], trump: str) -> bool:
    """By the naive rules: every tile could be played from what the seat still shows later."""
    for place, (seat, tile) in enumerate(plays):
        start = place - place % 4
        later = [other for who, other in plays[place:] if who == seat]
        led = plays[start][1] if place > start else None
        if tile not in naive.legal(later, led, trump):
            return False
    return True


def naive_chain(plays: list[tuple[str, str]], trump: str) -> bool:
    tricks = [plays[start : start + 4] for start in range(0, len(plays), 4)]
    return all(
        naive.trick_winner(trick, trump) == after[0][0]
        for trick, after in pairwise(tricks)
        if len(trick) == 4
    )


def brute_typos(plays: list[tuple[str, str]], trump: str) -> set[tuple[str, str]]:
    unseen = set(naive.ALL) - {tile for _, tile in plays}
    found = set()
    for place, (seat, tile) in enumerate(plays):
        for other in unseen:
            changed = [*plays[:place], (seat, other), *plays[place + 1 :]]
            if naive_is_sound(changed, trump) and naive_chain(changed, trump):
                found.add((tile, other))
    return found


def brute_swaps(plays: list[tuple[str, str]], trump: str) -> set[frozenset[str]]:
    found = set()
    for start in range(0, len(plays), 4):
        for one, two in combinations(range(start, min(start + 4, len(plays))), 2):
            changed = list(plays)
            changed[one], changed[two] = (plays[one][0], plays[two][1]), (plays[two][0], plays[one][1])
            if naive_is_sound(changed, trump) and naive_chain(changed, trump):
                found.add(frozenset({plays[one][1], plays[two][1]}))
    return found


@pytest.mark.parametrize("seed", range(6))
def test_typos_and_swaps_that_survive_are_those_of_the_naive_rules(seed: int) -> None:
    rng = random.Random(seed)
    for kind in ("renege", "swapped_order", "tile_typo"):
        record = injected(kind, rng, to_the_end=False)
        line = Line.of(record)
        assert line is not None
        if not line.reneges():
            continue
        plays = [(str(play.seat), str(play.tile)) for play in record.plays]
        changes = surviving(line, record.rules)
        typos = {
            (change.facts["written"], change.facts["instead"])
            for change in changes
            if change.kind == TILE_TYPO
        }
        swaps = {
            frozenset(change.facts["tiles"])  # type: ignore[arg-type]
            for change in changes
            if change.kind == "swapped_order"
        }
        assert typos == brute_typos(plays, str(record.trump))
        assert swaps == brute_swaps(plays, str(record.trump))


# ---- By hand ---------------------------------------------------------------------------------


def reneging_hand() -> Hand:
    """West plays the 0-0 on the 6-6 led although it holds no six; East holds the 6-3 back and shows it later."""
    record = bid_hand("34 pass pass pass", "6")
    return play_all(record, "66 54 60 00 65 63 50 21")


def test_tile_held_back_is_found_with_both_tiles_and_what_explains_it() -> None:
    finding = found(reneging_hand())

    assert finding is not None
    assert {
        key: finding.facts[key] for key in ("seat", "trick", "led", "played", "proof", "proof_trick")
    } == {
        "seat": "E",
        "trick": 1,
        "led": "6-6",
        "played": "5-4",
        "proof": "6-3",
        "proof_trick": 2,
    }
    assert finding.facts["suit"] == "trumps"
    assert finding.key == ("contradiction", 1, "hand:h")
    assert set(fits(finding)) <= set(KINDS)
    ways = next(reason for reason in finding.reasons if reason.code == TILE_TYPO).ways
    assert {str(way.facts["written"]) for way in ways} <= {"5-4", "6-3", "6-6"}


def test_tile_turned_up_in_a_hand_is_as_good_a_proof() -> None:
    record = bid_hand("34 pass pass pass", "6")
    record = play_all(record, "66 54 60 00")
    assert found(record) is None
    held = fortytwo.parse_tiles("63 61 54 30 20 11 10")

    finding = found(record.with_holding(fortytwo.Seat.E, held))

    assert finding is not None
    assert (finding.facts["proof"], finding.facts["proof_trick"]) == ("6-3", 0)


def test_hand_as_dealt_and_played_is_sound() -> None:
    record = play_all(bid_hand("34 pass pass pass", "6", deal=EXAMPLE_DEAL), MADE_34)
    assert found(record) is None


def test_wrong_trump_is_named_with_the_trump_that_fits() -> None:
    """Fives were trump and fours were noted: a five is followed by fives only."""
    rng = random.Random(2)
    while True:
        truth = records.honest(rng, to_the_end=True)
        if truth.trump is not Trump.FIVES:
            continue
        record = records.written(
            records.hidden(truth, trump=Trump.FOURS), records.plays_of(truth), watched=False
        )
        finding = found(record)
        if finding is not None:
            break
    reason = next(reason for reason in finding.reasons if reason.code == "wrong_trump")
    assert "5" in [way.facts["trump"] for way in reason.ways]


def test_effect_says_whether_the_hand_could_have_turned() -> None:
    rng = random.Random(4)
    codes: Counter[str] = Counter()
    for _ in range(40):
        record = injected("renege", rng, to_the_end=True)
        finding = found(record)
        assert finding is not None
        for item in (*finding.toward, *finding.away):
            if item.code not in {"could_have_changed", "could_not_change"}:
                continue
            codes[item.code] += 1
            side = fortytwo.Side(item.facts["side"])
            gained = record.contract.side is side if record.made else record.contract.side is not side  # type: ignore[union-attr]
            turned = gained and item.facts["at_stake"] >= item.facts["margin"]  # type: ignore[operator]
            assert (item.code == "could_have_changed") == turned
    assert set(codes) == {"could_have_changed", "could_not_change"}


def test_fingerprint_changes_with_the_evidence_only() -> None:
    hand = reneging_hand()
    first, second = found(hand), found(hand)
    assert first is not None
    assert second is not None
    assert first.fingerprint == second.fingerprint
    more = hand.play(hand.turn, Tile.parse("6-4"))  # type: ignore[arg-type]
    again = found(more)
    assert again is not None
    assert again.key == first.key
